//! Progress: of each row by a number, of figures in percent, or of all rows by their states.

use askama::Template;

use super::{
    content::{Content, SourceRequest, empty_text},
    figures,
    groups::{self, Measure, to_number},
    rows::SourceRows,
};
use crate::{
    Result, Tx, Value,
    def::{FieldDef, GroupDef, RegionValue, Stage},
    rows::{self, Counting},
    template::Icon,
};

/// The number of rows unless the region has a limit.
const ROWS: u64 = 10;

/// A bar of progress.
struct Bar {
    id: String,
    label: String,
    href: Option<String>,
    text: String,
    value: f64,
    most: f64,
}

#[derive(Template)]
#[template(path = "region_progress.html")]
struct ProgressHtml {
    bars: Vec<Bar>,
    note: Option<String>,
    empty: Option<String>,
}

/// Loads the values that the region names: a field of rows, figures, or groups.
pub(super) fn load(tx: &mut Tx<'_>, asked: SourceRequest<'_>) -> Result<Content> {
    let (bars, note) = match (asked.source.value, asked.source.group_by) {
        (Some(RegionValue::Field(_)), None) => of_rows(tx, &asked)?,
        (_, Some(group)) => (of_groups(tx, &asked, group)?, None),
        _ => (of_figures(tx, &asked)?, None),
    };
    let empty = bars.is_empty().then(|| empty_text(tx, &asked));
    Content::block(&ProgressHtml { bars, note, empty })
}

/// The whole that a number is a part of: 1 for shares, 100 for percentages, and the largest number for others.
fn whole(numbers: &[f64]) -> f64 {
    let most = numbers.iter().copied().fold(0.0_f64, f64::max);
    match most {
        most if most <= 1.0 && numbers.iter().any(|number| number.fract() != 0.0) => 1.0,
        most if most <= 100.0 => 100.0,
        most => most,
    }
}

fn of_rows(tx: &mut Tx<'_>, asked: &SourceRequest<'_>) -> Result<(Vec<Bar>, Option<String>)> {
    let mut source = SourceRows::resolve(tx, asked.region, asked.source, asked.read_only);
    let grant = source.grant(tx)?;
    let mut query = source.query(tx, asked);
    (query.limit, query.count) = (asked.region.limit.unwrap_or(ROWS), Counting::Limited);
    let found = rows::list(tx, &grant, &query)?;
    source.find_links(tx, &found.rows)?;
    let numbers: Vec<f64> = found.rows.iter().map(|row| source.number(row).and_then(|value| to_number(&value)).unwrap_or(0.0)).collect();
    let most = whole(&numbers);
    let bar = |(row, number): (&rows::Row, &f64)| {
        let card = source.card(tx, row, 0);
        let text = card.value.map_or_else(|| "–".to_owned(), |cell| cell.text);
        Bar { id: card.id, label: card.title, href: card.href, text, value: *number, most }
    };
    let bars = found.rows.iter().zip(&numbers).map(bar).collect();
    Ok((
        bars,
        found
            .total
            .exceeds(query.limit)
            .then(|| say!("dz-showing", "Showing {shown} of {total}", shown = query.limit, total = found.total)),
    ))
}

/// The share of the finished rows, and the share of each group.
fn of_groups(tx: &mut Tx<'_>, asked: &SourceRequest<'_>, group: GroupDef) -> Result<Vec<Bar>> {
    let measure = Measure::for_region(tx, asked).into_iter().next().unwrap_or(Measure::Count(""));
    let grouped = groups::load(tx, asked, &[group], &[measure])?;
    let of = group.path.end(tx.app).field(tx.app);
    let keys: Vec<groups::Key> = grouped.keys.into_iter().flatten().collect();
    let value = |at: usize| {
        let found = grouped.groups.iter().find(|(places, _)| places.first() == Some(&at)).and_then(|(_, values)| values.first());
        found.cloned().unwrap_or(Value::Int(0))
    };
    let numbers: Vec<f64> = (0..keys.len()).map(|at| to_number(&value(at)).unwrap_or(0.0)).collect();
    let most: f64 = numbers.iter().sum();
    if most <= 0.0 {
        return Ok(Vec::new());
    }
    let mut bars = Vec::new();
    let id = |name: &str| format!("{}-{name}", asked.region.id);
    if !of.stages.is_empty() {
        let done: f64 = keys.iter().zip(&numbers).filter(|(key, _)| is_finished(of, &key.value)).map(|(_, number)| number).sum();
        let text = format!("{} %", (done / most * 100.0).round());
        bars.push(Bar { id: id("all"), label: say!("dz-finished", "Finished").to_owned(), href: None, text, value: done, most });
    }
    bars.extend(keys.iter().enumerate().zip(&numbers).map(|((at, key), number)| Bar {
        id: id(&at.to_string()),
        label: key.label.clone(),
        href: None,
        text: measure.text(tx.app, &value(at)),
        value: *number,
        most,
    }));
    Ok(bars)
}

/// True for a state at an end.
fn is_finished(of: &FieldDef, value: &Value) -> bool {
    let (Value::Text(name), Some(values)) = (value, of.kind.enumeration()) else { return false };
    let at = values.values.iter().position(|value| value.name == name);
    let stage = at.and_then(|at| of.stages.get(at));
    matches!(stage, Some(Stage::Ended | Stage::Succeeded | Stage::Failed))
}

fn of_figures(tx: &mut Tx<'_>, asked: &SourceRequest<'_>) -> Result<Vec<Bar>> {
    let loaded = figures::load_numbers(tx, asked.region)?;
    let numbers: Vec<f64> = loaded.iter().map(|(_, number)| number.unwrap_or(0.0)).collect();
    let most = whole(&numbers);
    let bar = |(at, (metric, number)): (usize, (crate::web::page::Metric, Option<f64>))| Bar {
        id: format!("{}-{at}", asked.region.id),
        label: metric.label.to_owned(),
        href: None,
        text: metric.text,
        value: number.unwrap_or(0.0),
        most,
    };
    Ok(loaded.into_iter().enumerate().map(bar).collect())
}

#[cfg(test)]
mod tests {
    use super::whole;

    #[test]
    fn a_number_is_a_share_or_a_percentage_or_a_part_of_the_largest() {
        assert_eq!((whole(&[0.25, 1.0]), whole(&[0.0, 40.0]), whole(&[1.0, 0.0]), whole(&[250.0, 40.0])), (1.0, 100.0, 100.0, 250.0));
    }
}
