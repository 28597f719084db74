//! Charts of groups as SVG: bars, lines, areas, sectors and funnels, each with its figures as a table.
//!
//! A drawing has no width of its own: positions along the width are percentages, so that text keeps its size on every screen.

mod scale;
pub(super) mod shapes;

use askama::Template;

use super::{
    content::{Content, SourceRequest, empty_text},
    groups::{self, Grouped, Measure, to_number},
};
use crate::{
    Result, Tx, Value,
    def::{Display, SourceDef},
    template::Icon,
};
use scale::Scale;
use shapes::{Bar, Line, Sector};

/// The number of groups that a chart shows unless the region has a limit.
const MOST_BARS: usize = 12;
const MOST_POINTS: usize = 60;
const MOST_SECTORS: usize = 6;
/// Colours of series and of groups without a colour of their own.
const TONES: [&str; 6] = ["accent", "teal", "violet", "pink", "green", "gray"];

/// The values of one measure for all groups.
pub(super) struct Series {
    title: &'static str,
    tone: &'static str,
    /// The value of each group as a number and as text.
    values: Vec<(Option<f64>, String)>,
}

/// The data of a chart.
pub(super) struct Chart {
    title: &'static str,
    /// The title of the groups.
    of: &'static str,
    groups: Vec<Group>,
    series: Vec<Series>,
    /// The number of groups that are not shown.
    omitted: usize,
}

/// The text and the colour of a group.
pub(super) struct Group {
    label: String,
    tone: Option<&'static str>,
}

/// The drawing of a chart.
enum Drawing {
    /// Columns over time.
    Columns { bars: Vec<Bar>, scale: Scale, ticks: Vec<(f64, String)> },
    /// A row for each group.
    Rows { bars: Vec<Bar>, scale: Scale, height: usize },
    /// Lines over the groups.
    Lines { lines: Vec<Line>, filled: bool, scale: Scale, ticks: Vec<(f64, String)> },
    /// Sectors of a circle.
    Sectors { sectors: Vec<Sector> },
    /// Centred bars.
    Funnel { bars: Vec<Bar>, height: usize },
}

#[derive(Template)]
#[template(path = "region_chart.html")]
struct ChartHtml<'a> {
    chart: &'a Chart,
    drawing: Drawing,
    sentence: String,
    empty: Option<String>,
}

/// Loads the groups of a region and draws them.
pub(super) fn load(tx: &mut Tx<'_>, asked: SourceRequest<'_>) -> Result<Content> {
    let chart = read(tx, &asked)?;
    let shown = chart.series.iter().flat_map(|series| &series.values).any(|(number, _)| number.is_some_and(|number| number != 0.0));
    let empty = (!shown).then(|| empty_text(tx, &asked));
    let drawing = draw(&chart, asked.region.display, is_dated(tx, asked.source));
    Content::block(&ChartHtml { chart: &chart, drawing, sentence: sentence(&chart), empty })
}

fn is_dated(tx: &Tx<'_>, source: &SourceDef) -> bool {
    source.group_by.is_some_and(|group| group.unit(tx.app).is_some())
}

fn read(tx: &mut Tx<'_>, asked: &SourceRequest<'_>) -> Result<Chart> {
    let measures = Measure::for_region(tx, asked);
    let fields: Vec<_> = asked.source.group_by.into_iter().collect();
    let grouped = groups::load(tx, asked, &fields, &measures)?;
    let of = fields.first().map_or("", |group| group.path.end(tx.app).field(tx.app).title);
    let dated = is_dated(tx, asked.source);
    let mut series: Vec<Series> = measures
        .iter()
        .zip(TONES.iter().cycle())
        .map(|(measure, tone)| Series { title: measure.title(tx.app), tone, values: Vec::new() })
        .collect();
    let Grouped { groups, keys } = grouped;
    let keys = keys.into_iter().next().unwrap_or_default();
    for (at, _) in keys.iter().enumerate() {
        let values = groups.iter().find(|(places, _)| places.first() == Some(&at)).map(|(_, values)| values);
        for (place, (series, measure)) in series.iter_mut().zip(&measures).enumerate() {
            let value = values.and_then(|values| values.get(place)).cloned();
            // A group without rows has no mean, but its count and its sum are zero.
            let value = value.unwrap_or(if measure.is_additive() { Value::Int(0) } else { Value::Null });
            series.values.push((to_number(&value), measure.text(tx.app, &value)));
        }
    }
    let groups = keys.into_iter().map(|key| Group { label: key.label, tone: key.tone }).collect();
    let mut chart = Chart { title: asked.region.title, of, groups, series, omitted: 0 };
    let has_order = dated || chart.groups.iter().any(|group| group.tone.is_some());
    if !has_order {
        chart.sort_by_value();
    }
    let is_pie = asked.region.display == Display::PieChart;
    let default = if is_pie {
        MOST_SECTORS
    } else if dated {
        MOST_POINTS
    } else {
        MOST_BARS
    };
    let limit = asked.region.limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(default);
    if is_pie {
        chart.retain(|value| value.is_some_and(|value| value > 0.0));
        chart.sort_by_value();
    }
    chart.cut(limit, dated);
    Ok(chart)
}

impl Chart {
    fn reorder(&mut self, order: &[usize]) {
        let mut groups: Vec<Option<Group>> = std::mem::take(&mut self.groups).into_iter().map(Some).collect();
        self.groups = order.iter().filter_map(|at| groups.get_mut(*at)?.take()).collect();
        for series in &mut self.series {
            series.values = order.iter().filter_map(|at| series.values.get(*at).cloned()).collect();
        }
    }

    /// The rows of the table: the label of each group, and its values.
    fn table(&self) -> Vec<(&str, Vec<&str>)> {
        let texts = |at: usize| self.series.iter().filter_map(|series| series.values.get(at)).map(|(_, text)| text.as_str()).collect();
        self.groups.iter().enumerate().map(|(at, group)| (group.label.as_str(), texts(at))).collect()
    }

    fn first_value(&self, at: usize) -> Option<f64> {
        self.series.first().and_then(|series| series.values.get(at)).and_then(|(number, _)| *number)
    }

    /// The largest values of the first measure first.
    fn sort_by_value(&mut self) {
        let mut order: Vec<usize> = (0..self.groups.len()).collect();
        order.sort_by(|left, right| {
            let (left, right) = (self.first_value(*left), self.first_value(*right));
            right.partial_cmp(&left).unwrap_or(std::cmp::Ordering::Equal)
        });
        self.reorder(&order);
    }

    fn retain(&mut self, keep: impl Fn(Option<f64>) -> bool) {
        let order: Vec<usize> = (0..self.groups.len()).filter(|at| keep(self.first_value(*at))).collect();
        self.reorder(&order);
    }

    /// Removes groups beyond the limit: of dates the earliest ones, of others the last ones.
    fn cut(&mut self, limit: usize, dated: bool) {
        let count = self.groups.len();
        self.omitted = count.saturating_sub(limit);
        let order: Vec<usize> = if dated { (self.omitted..count).collect() } else { (0..count.min(limit)).collect() };
        self.reorder(&order);
    }

    fn tone(&self, group: usize, series: usize) -> &'static str {
        let own = if self.series.len() == 1 { self.groups.get(group).and_then(|group| group.tone) } else { None };
        own.unwrap_or_else(|| self.series.get(series).map_or("accent", |series| series.tone))
    }
}

fn draw(chart: &Chart, display: Display, dated: bool) -> Drawing {
    let numbers = || chart.series.iter().flat_map(|series| &series.values).filter_map(|(number, _)| *number);
    let scale = Scale::over(numbers());
    let filled = display == Display::AreaChart;
    if display == Display::PieChart {
        Drawing::Sectors { sectors: shapes::sectors(chart) }
    } else if display == Display::Funnel {
        Drawing::Funnel { bars: shapes::funnel(chart), height: shapes::rows_height(chart.groups.len()) }
    } else if filled || display == Display::LineChart {
        Drawing::Lines { lines: shapes::lines(chart, &scale), filled, ticks: shapes::ticks(chart, false), scale }
    } else if dated {
        Drawing::Columns { bars: shapes::columns(chart, &scale), ticks: shapes::ticks(chart, true), scale }
    } else {
        let rows = chart.groups.len() * chart.series.len().max(1);
        Drawing::Rows { bars: shapes::rows(chart, &scale), height: shapes::rows_height(rows), scale }
    }
}

/// The drawing in one sentence, for those who do not see it.
fn sentence(chart: &Chart) -> String {
    let highest = |series: &Series| {
        let best = series.values.iter().enumerate().filter_map(|(at, (number, text))| Some((at, (*number)?, text)));
        let (at, _, text) = best.max_by(|left, right| left.1.partial_cmp(&right.1).unwrap_or(std::cmp::Ordering::Equal))?;
        Some(say!(
            "dz-highest-for",
            "{title}: highest {value} for {group}",
            title = series.title,
            value = text,
            group = chart.groups.get(at)?.label
        ))
    };
    let parts: Vec<String> = chart.series.iter().filter_map(highest).collect();
    match parts.is_empty() {
        true => say!("dz-chart-without-values", "{title}: no values.", title = chart.title),
        false => say!(
            "dz-chart-sentence",
            "{title}, {count} groups. {highest}.",
            title = chart.title,
            count = chart.groups.len(),
            highest = parts.join(". ")
        ),
    }
}

#[cfg(test)]
pub(super) fn sample(values: &[Option<f64>]) -> Chart {
    let text = |value: &Option<f64>| value.map_or_else(|| "–".to_owned(), |number| number.to_string());
    Chart {
        title: "Sample",
        of: "State",
        groups: (0..values.len()).map(|at| Group { label: format!("g{at}"), tone: None }).collect(),
        series: vec![Series { title: "Tasks", tone: "accent", values: values.iter().map(|value| (*value, text(value))).collect() }],
        omitted: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_shows_the_largest_groups_and_the_latest_dates() {
        let labels = |chart: &Chart| chart.groups.iter().map(|group| group.label.clone()).collect::<Vec<_>>().join(" ");
        let mut chart = sample(&[Some(1.0), None, Some(5.0), Some(3.0)]);
        chart.sort_by_value();
        assert_eq!(labels(&chart), "g2 g3 g0 g1");
        chart.cut(2, false);
        assert_eq!((labels(&chart), chart.omitted), ("g2 g3".to_owned(), 2));
        let mut dated = sample(&[Some(1.0), Some(2.0), Some(3.0)]);
        dated.cut(2, true);
        assert_eq!((labels(&dated), dated.omitted), ("g1 g2".to_owned(), 1));
        assert_eq!(sentence(&dated), "Sample, 2 groups. Tasks: highest 3 for g2.");
        assert_eq!(sentence(&sample(&[])), "Sample: no values.");
    }
}
