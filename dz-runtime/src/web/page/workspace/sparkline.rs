//! Figures over time: a line of the last values of each figure, and its change from one unit of time to the next.
//!
//! A region of figures has them if it groups the rows of its source by a date.

use askama::Template;

use super::{
    content::{Content, SourceRequest},
    figures,
    groups::{self, Grouped, Key, Measure, to_number},
};
use crate::{Result, Tx, Value, def::Display, web::page::Metric};

/// The maximum number of values of a line.
const MOST_VALUES: usize = 24;
/// The height of a line, and the margin in which its end is visible.
const HEIGHT: f64 = 24.0;
const MARGIN: f64 = 2.0;

/// A figure with its values over time.
struct Tile {
    metric: Metric,
    spark: Option<Spark>,
}

/// The values of a figure over time.
#[derive(Debug, PartialEq)]
struct Spark {
    /// The points of the line.
    points: String,
    /// The line in one sentence.
    sentence: String,
    /// The change to the last value.
    change: Option<String>,
}

#[derive(Template)]
#[template(path = "region_figures.html")]
struct FiguresHtml {
    tiles: Vec<Tile>,
    summary: bool,
}

/// The content of a region of figures.
pub(super) fn load(tx: &mut Tx<'_>, asked: SourceRequest<'_>) -> Result<Content> {
    let dated = asked.source.group_by.filter(|group| group.unit(tx.app).is_some() && asked.region.display == Display::Metrics);
    let Some(group) = dated else { return load_figures(tx, asked.region) };
    let figures = figures::evaluate_with_positions(tx, asked.region)?;
    let measures: Vec<Measure> = asked.region.figures.iter().map(Measure::Figure).collect();
    let grouped = groups::load(tx, &asked, &[group], &measures)?;
    let tile = |(at, metric): (usize, Metric)| {
        let spark = measures.get(at).and_then(|measure| build(tx, metric.label, &grouped, at, measure));
        Tile { metric, spark }
    };
    Content::block(&FiguresHtml { tiles: figures.into_iter().map(tile).collect(), summary: false })
}

/// The content of a region of figures without their values over time.
pub(super) fn load_figures(tx: &mut Tx<'_>, region: &'static crate::def::RegionDef) -> Result<Content> {
    let tiles = figures::evaluate(tx, region)?.into_iter().map(|metric| Tile { metric, spark: None }).collect();
    Content::block(&FiguresHtml { tiles, summary: region.display == Display::Summary })
}

/// The line of a figure; `None` for fewer than two values.
fn build(tx: &Tx<'_>, title: &str, grouped: &Grouped, at: usize, measure: &Measure) -> Option<Spark> {
    let keys: Vec<(usize, &Key)> =
        grouped.keys.first()?.iter().enumerate().filter(|(_, key)| matches!(key.value, Value::Date(_))).collect();
    let values: Vec<(&Key, Value)> = keys
        .iter()
        .skip(keys.len().saturating_sub(MOST_VALUES))
        .map(|(place, key)| {
            let found = grouped.groups.iter().find(|(places, _)| places.first() == Some(place)).and_then(|(_, values)| values.get(at));
            let none = if measure.is_additive() { Value::Int(0) } else { Value::Null };
            (*key, found.cloned().unwrap_or(none))
        })
        .collect();
    let numbers: Vec<f64> = values.iter().map(|(_, value)| to_number(value)).collect::<Option<_>>()?;
    let [.., (before, _), (period, last)] = values.as_slice() else { return None };
    Some(Spark {
        points: points(&numbers),
        sentence: say!(
            "dz-spark-sentence",
            "{title}: {count} values, the last one is {last}",
            title = title,
            count = values.len(),
            last = measure.text(tx.app, last)
        ),
        // The figure itself is that of all periods.
        change: change(&numbers).map(|change| {
            say!(
                "dz-change-against",
                "{period}: {last}, {change} against {before}",
                period = period.label,
                last = measure.text(tx.app, last),
                change = change,
                before = before.label
            )
        }),
    })
}

/// The points of a line over its whole width.
fn points(numbers: &[f64]) -> String {
    let (least, most) = numbers.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), it| (least.min(*it), most.max(*it)));
    let span = if most > least { most - least } else { 1.0 };
    let last = numbers.len().saturating_sub(1).max(1) as f64;
    let point = |(at, number): (usize, &f64)| {
        let height = HEIGHT - MARGIN - (number - least) / span * (HEIGHT - 2.0 * MARGIN);
        format!("{:.1},{height:.1}", at as f64 / last * 100.0)
    };
    numbers.iter().enumerate().map(point).collect::<Vec<_>>().join(" ")
}

/// The change between the last two numbers in percent; `None` if the first of them is zero.
fn change(numbers: &[f64]) -> Option<String> {
    let [.., before, last] = numbers else { return None };
    let percent = ((last - before) / before.abs() * 100.0).round();
    let sign = if percent > 0.0 {
        "+"
    } else if percent < 0.0 {
        "−"
    } else {
        "±"
    };
    percent.is_finite().then(|| format!("{sign}{} %", percent.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_width_and_the_height_of_its_drawing() {
        assert_eq!(points(&[1.0, 3.0, 2.0]), "0.0,22.0 50.0,2.0 100.0,12.0");
        assert_eq!(points(&[5.0, 5.0]), "0.0,22.0 100.0,22.0");
    }

    #[test]
    fn a_change_is_a_share_of_the_value_before() {
        let texts = [[4.0, 5.0], [4.0, 3.0], [4.0, 4.0], [-4.0, -5.0]].map(|numbers| change(&numbers).unwrap_or_default());
        assert_eq!(texts, ["+25 %", "−25 %", "±0 %", "−25 %"]);
        assert_eq!((change(&[0.0, 5.0]), change(&[5.0])), (None, None));
    }
}
