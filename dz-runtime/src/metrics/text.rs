//! The text format of Prometheus.

use std::fmt::Write as _;

use super::{Summary, histogram::BOUNDS};

/// The kind of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A number that only grows.
    Counter,
    /// A number that can go up and down.
    Gauge,
    /// Counts of durations.
    Histogram,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Counter => "counter",
            Kind::Gauge => "gauge",
            Kind::Histogram => "histogram",
        }
    }
}

/// A document in the text format.
#[derive(Debug, Default)]
pub(crate) struct Text(String);

impl Text {
    /// Begins a metric.
    pub(crate) fn metric(&mut self, name: &str, kind: Kind, help: &str) -> &mut Text {
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {}", kind.name());
        self
    }

    /// A value of a metric with labels.
    pub(crate) fn value(&mut self, name: &str, labels: &[(&str, &str)], value: impl std::fmt::Display) -> &mut Text {
        self.0.push_str(name);
        self.push_labels(labels);
        let _ = writeln!(self.0, " {value}");
        self
    }

    /// The values of a histogram.
    pub(crate) fn histogram(&mut self, name: &str, labels: &[(&str, &str)], summary: &Summary) -> &mut Text {
        let bucket = format!("{name}_bucket");
        for (bound, count) in BOUNDS.iter().zip(summary.up_to) {
            let bound = bound.to_string();
            self.value(&bucket, &[labels, &[("le", bound.as_str())]].concat(), count);
        }
        self.value(&bucket, &[labels, &[("le", "+Inf")]].concat(), summary.count);
        self.value(&format!("{name}_sum"), labels, summary.sum);
        self.value(&format!("{name}_count"), labels, summary.count)
    }

    fn push_labels(&mut self, labels: &[(&str, &str)]) {
        for (at, (name, value)) in labels.iter().enumerate() {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
            let _ = write!(self.0, "{}{name}=\"{value}\"", if at == 0 { '{' } else { ',' });
        }
        if !labels.is_empty() {
            self.0.push('}');
        }
    }

    /// The text.
    pub(crate) fn finish(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use expect_test::expect;

    use super::{super::Histogram, *};

    #[test]
    fn values_have_escaped_labels() {
        let mut text = Text::default();
        text.metric("dz_jobs", Kind::Gauge, "Jobs.").value("dz_jobs", &[("state", "a \"b\" \\ \n")], 3).value("up", &[], 1.5);
        expect![[r#"
            # HELP dz_jobs Jobs.
            # TYPE dz_jobs gauge
            dz_jobs{state="a \"b\" \\ \n"} 3
            up 1.5
        "#]]
        .assert_eq(&text.finish());
    }

    #[test]
    fn histograms_are_cumulative() {
        let histogram = Histogram::default();
        histogram.add(Duration::from_millis(4));
        histogram.add(Duration::from_secs(60));
        let mut text = Text::default();
        text.histogram("d", &[("r", "/")], &histogram.read());
        let text = text.finish();
        assert!(text.starts_with("d_bucket{r=\"/\",le=\"0.001\"} 0\n"), "{text}");
        for line in
            ["d_bucket{r=\"/\",le=\"0.005\"} 1\n", "le=\"10\"} 1\n", "le=\"+Inf\"} 2\n", "d_sum{r=\"/\"} 60.004\n", "d_count{r=\"/\"} 2\n"]
        {
            assert!(text.contains(line), "{text}");
        }
    }
}
