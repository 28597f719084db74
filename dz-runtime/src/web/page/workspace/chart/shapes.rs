//! The shapes of charts: positions and sizes in percent of the drawing.

use std::fmt::Write as _;

use super::{Chart, Scale};

/// A bar with its text. Positions are percentages, except the rows of horizontal bars, which are pixels.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::web::page::workspace) struct Bar {
    /// The start along the width.
    pub x: f64,
    /// The start along the height.
    pub y: f64,
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
    /// The colour.
    pub tone: &'static str,
    /// The group.
    pub label: String,
    /// The value.
    pub value: String,
    /// The text of the tooltip.
    pub tip: String,
}

/// A line with its points.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::web::page::workspace) struct Line {
    /// The colour.
    pub tone: &'static str,
    /// The parts without missing values, as `points` of a polyline, and as an area down to zero.
    pub parts: Vec<(String, String)>,
    /// The points with their tooltips.
    pub points: Vec<(f64, f64, String)>,
}

/// A sector of a circle.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::web::page::workspace) struct Sector {
    /// The path; empty for a whole circle.
    pub path: String,
    /// The colour.
    pub tone: &'static str,
    /// The group.
    pub label: String,
    /// The value.
    pub value: String,
    /// The share of the whole, in percent.
    pub share: String,
}

/// The area of the drawing between the axes, in percent.
const LEFT: f64 = 7.0;
const RIGHT: f64 = 98.0;
const TOP: f64 = 6.0;
const BOTTOM: f64 = 88.0;
/// The start of horizontal bars after their labels, and the end before their values, in percent.
const ROW_LEFT: f64 = 32.0;
const ROW_RIGHT: f64 = 86.0;
/// The height of a row, and of the axis below all rows, in pixels.
const ROW: usize = 28;
const AXIS: usize = 22;
/// The maximum number of characters of a label beside a bar.
const LABEL: usize = 18;
/// Colours of sectors whose groups have none.
const SECTOR_TONES: [&str; 6] = ["accent", "teal", "violet", "pink", "green", "gray"];

/// Vertical position of a share of the axis.
pub(in crate::web::page::workspace) fn height_of(share: f64) -> f64 {
    round(BOTTOM - share * (BOTTOM - TOP))
}

/// Horizontal position of a share of the axis of horizontal bars.
pub(in crate::web::page::workspace) fn width_of(share: f64) -> f64 {
    round(ROW_LEFT + share * (ROW_RIGHT - ROW_LEFT))
}

/// The height of a drawing of horizontal bars.
pub(in crate::web::page::workspace) fn rows_height(rows: usize) -> usize {
    rows * ROW + AXIS
}

fn round(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// A label that fits beside a bar.
fn short(label: &str) -> String {
    if label.chars().count() <= LABEL {
        return label.to_owned();
    }
    let start: String = label.chars().take(LABEL - 1).collect();
    format!("{}…", start.trim_end())
}

fn tip(chart: &Chart, group: usize, series: usize) -> String {
    let label = chart.groups.get(group).map_or("", |group| group.label.as_str());
    let (title, value) =
        chart.series.get(series).map_or(("", ""), |series| (series.title, series.values.get(group).map_or("", |(_, text)| text.as_str())));
    format!("{label}: {value} {title}")
}

/// The centre of a group along the width; bars need half a group on each side.
fn centre(at: usize, count: usize, inset: bool) -> f64 {
    let count = count.max(1) as f64;
    let share = match inset {
        true => (at as f64 + 0.5) / count,
        false if count < 2.0 => 0.5,
        false => at as f64 / (count - 1.0),
    };
    round(LEFT + share * (RIGHT - LEFT))
}

/// The width of a letter of a label, in hundredths of the width of a small chart.
const LETTER: f64 = 1.7;

/// The side of a label at which its position is: labels at the ends of a line begin or end there.
pub(super) fn anchor(x: f64, inset: bool) -> &'static str {
    match inset {
        false if x < LEFT + 1.0 => "start",
        false if x > RIGHT - 1.0 => "end",
        _ => "middle",
    }
}

/// The labels below an axis, at most about six; the years only where they change. A label that has no room beside the one before it is
/// omitted.
pub(super) fn ticks(chart: &Chart, inset: bool) -> Vec<(f64, String)> {
    let count = chart.groups.len();
    let every = count.div_ceil(6).max(1);
    let mut ticks: Vec<(f64, String)> = Vec::new();
    let (mut year, mut end) = ("", f64::NEG_INFINITY);
    for (at, group) in chart.groups.iter().enumerate().step_by(every) {
        let (text, of) = match group.label.rsplit_once(' ') {
            Some((rest, of)) if of.len() == 4 && of.bytes().all(|byte| byte.is_ascii_digit()) => (rest, of),
            _ => (group.label.as_str(), ""),
        };
        let text = if of != year && !of.is_empty() { group.label.clone() } else { text.to_owned() };
        let at = centre(at, count, inset);
        let width = (text.chars().count() + 1) as f64 * LETTER;
        let from = match anchor(at, inset) {
            "start" => at,
            "end" => at - width,
            _ => at - width / 2.0,
        };
        if from >= end {
            end = from + width;
            year = of;
            ticks.push((at, text));
        }
    }
    ticks
}

/// Columns over the groups; those of several series are beside each other.
pub(super) fn columns(chart: &Chart, scale: &Scale) -> Vec<Bar> {
    let (count, series) = (chart.groups.len(), chart.series.len().max(1) as f64);
    let room = (RIGHT - LEFT) / count.max(1) as f64 * 0.72;
    let mut bars = Vec::new();
    for (place, of) in chart.series.iter().enumerate() {
        for (at, (number, text)) in of.values.iter().enumerate() {
            let Some(number) = number.filter(|number| number.is_finite()) else { continue };
            let (from, to) = (height_of(scale.share(number)), height_of(scale.share(0.0)));
            bars.push(Bar {
                x: round(centre(at, count, true) - room / 2.0 + room / series * place as f64),
                y: from.min(to),
                width: round(room / series),
                height: round((to - from).abs()),
                tone: of.tone,
                label: chart.groups[at].label.clone(),
                value: text.clone(),
                tip: tip(chart, at, place),
            });
        }
    }
    bars
}

/// Horizontal bars, one row for each group and series.
pub(super) fn rows(chart: &Chart, scale: &Scale) -> Vec<Bar> {
    let series = chart.series.len().max(1);
    let mut bars = Vec::new();
    for (at, group) in chart.groups.iter().enumerate() {
        for (place, of) in chart.series.iter().enumerate() {
            let Some((number, text)) = of.values.get(at) else { continue };
            let number = number.filter(|number| number.is_finite()).unwrap_or(0.0);
            let (from, to) = (width_of(scale.share(0.0)), width_of(scale.share(number)));
            bars.push(Bar {
                x: from.min(to),
                y: ((at * series + place) * ROW) as f64,
                width: round((to - from).abs()),
                height: ROW as f64,
                tone: chart.tone(at, place),
                label: if place == 0 { short(&group.label) } else { String::new() },
                value: text.clone(),
                tip: tip(chart, at, place),
            });
        }
    }
    bars
}

/// Centred bars, whose widths are their shares of the largest one.
pub(super) fn funnel(chart: &Chart) -> Vec<Bar> {
    let Some(series) = chart.series.first() else { return Vec::new() };
    let most = series.values.iter().filter_map(|(number, _)| *number).fold(0.0_f64, f64::max).max(f64::MIN_POSITIVE);
    let room = ROW_RIGHT - ROW_LEFT;
    let bar = |(at, (number, text)): (usize, &(Option<f64>, String))| {
        let width = round(number.unwrap_or(0.0).max(0.0) / most * room);
        Bar {
            x: round(ROW_LEFT + (room - width) / 2.0),
            y: (at * ROW) as f64,
            width,
            height: ROW as f64,
            tone: chart.tone(at, 0),
            label: short(&chart.groups[at].label),
            value: text.clone(),
            tip: tip(chart, at, 0),
        }
    };
    series.values.iter().enumerate().map(bar).collect()
}

/// One line for each series, interrupted where a group has no value.
pub(super) fn lines(chart: &Chart, scale: &Scale) -> Vec<Line> {
    let count = chart.groups.len();
    let line = |(place, series): (usize, &super::Series)| {
        let mut line = Line { tone: series.tone, parts: Vec::new(), points: Vec::new() };
        let mut part: Vec<(f64, f64)> = Vec::new();
        for (at, (number, _)) in series.values.iter().enumerate() {
            match number.filter(|number| number.is_finite()) {
                Some(number) => {
                    let point = (centre(at, count, false), height_of(scale.share(number)));
                    part.push(point);
                    line.points.push((point.0, point.1, tip(chart, at, place)));
                }
                None => line.parts.extend(outline(&std::mem::take(&mut part), scale)),
            }
        }
        line.parts.extend(outline(&part, scale));
        line
    };
    chart.series.iter().enumerate().map(line).collect()
}

/// The points of a line, and those of the area below it.
fn outline(part: &[(f64, f64)], scale: &Scale) -> Option<(String, String)> {
    let (first, last) = (part.first()?, part.last()?);
    let mut points = String::new();
    for (x, y) in part {
        let _ = write!(points, "{x},{y} ");
    }
    let points = points.trim_end().to_owned();
    let zero = height_of(scale.share(0.0));
    let area = format!("{},{zero} {points} {},{zero}", first.0, last.0);
    Some((points, area))
}

/// The sectors of a circle with the radius 50 around the point 50, 50.
pub(super) fn sectors(chart: &Chart) -> Vec<Sector> {
    let Some(series) = chart.series.first() else { return Vec::new() };
    let whole: f64 = series.values.iter().filter_map(|(number, _)| *number).sum();
    let mut from = 0.0;
    let mut sectors = Vec::new();
    for (at, (number, text)) in series.values.iter().enumerate() {
        let share = number.unwrap_or(0.0) / whole.max(f64::MIN_POSITIVE);
        let to = from + share;
        let point = |share: f64| {
            let angle = share * std::f64::consts::TAU;
            (round(50.0 + 50.0 * angle.sin()), round(50.0 - 50.0 * angle.cos()))
        };
        let ((x1, y1), (x2, y2)) = (point(from), point(to));
        let path = match share > 0.999 {
            true => String::new(),
            false => format!("M50,50 L{x1},{y1} A50,50 0 {} 1 {x2},{y2} Z", u8::from(share > 0.5)),
        };
        sectors.push(Sector {
            path,
            tone: chart.groups[at].tone.unwrap_or(SECTOR_TONES[at % SECTOR_TONES.len()]),
            label: chart.groups[at].label.clone(),
            value: text.clone(),
            share: format!("{} %", round(share * 100.0).round()),
        });
        from = to;
    }
    sectors
}

#[cfg(test)]
mod tests {
    use super::{super::sample, *};

    #[test]
    fn a_line_has_a_gap_where_a_group_has_no_value() {
        let chart = sample(&[Some(1.0), Some(2.0), None, Some(4.0)]);
        let drawn = lines(&chart, &Scale::over([1.0, 2.0, 4.0].into_iter()));
        assert_eq!(drawn[0].parts.len(), 2);
        assert_eq!(drawn[0].points.len(), 3);
        assert_eq!(drawn[0].parts[1].0, "98,6");
    }

    #[test]
    fn sectors_are_shares_of_the_whole() {
        let drawn = sectors(&sample(&[Some(3.0), Some(1.0)]));
        assert_eq!(drawn.iter().map(|it| it.share.as_str()).collect::<Vec<_>>(), ["75 %", "25 %"]);
        assert_eq!(drawn[0].path, "M50,50 L50,0 A50,50 0 1 1 0,50 Z");
        assert_eq!(sectors(&sample(&[Some(3.0)]))[0].path, "", "one group is a whole circle");
    }

    #[test]
    fn labels_of_an_axis_do_not_overlap() {
        let mut chart = sample(&[Some(1.0); 31]);
        chart.groups.iter_mut().enumerate().for_each(|(at, group)| group.label = format!("{} May {}", at % 28 + 1, 2026 + at / 16));
        let drawn = ticks(&chart, false);
        assert!(drawn.len() > 3 && drawn[0].1 == "1 May 2026", "{drawn:?}");
        assert!(drawn.iter().any(|(_, text)| text.ends_with("2027")), "{drawn:?}");
        let width = |text: &str| text.len() as f64 * LETTER;
        for pair in drawn.windows(2) {
            let after = if anchor(pair[0].0, false) == "start" { width(&pair[0].1) } else { width(&pair[0].1) / 2.0 };
            let before = if anchor(pair[1].0, false) == "end" { width(&pair[1].1) } else { width(&pair[1].1) / 2.0 };
            assert!(pair[1].0 - pair[0].0 > after + before, "{drawn:?}");
        }
    }

    #[test]
    fn negative_bars_end_at_zero() {
        let chart = sample(&[Some(-2.0), Some(2.0)]);
        let drawn = rows(&chart, &Scale::over([-2.0, 2.0].into_iter()));
        assert_eq!((drawn[0].x, drawn[0].width), (ROW_LEFT, 27.0));
        assert_eq!((drawn[1].x, drawn[1].width), (59.0, 27.0));
    }
}
