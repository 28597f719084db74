//! Tables of the groups of two fields: coloured cells, or figures with totals.

use std::collections::HashMap;

use askama::Template;

use super::{
    content::{Content, SourceRequest, empty_text},
    groups::{self, Key, Measure, to_number},
};
use crate::{Result, Tx, Value, def::Display, template::Icon};

/// The maximum number of rows and columns.
const MOST_ROWS: usize = 40;
const MOST_COLUMNS: usize = 24;
/// The number of colours of a heatmap.
const LEVELS: f64 = 5.0;

#[derive(Template)]
#[template(path = "region_cross_table.html")]
struct CrossHtml {
    caption: String,
    corner: &'static str,
    heads: Vec<String>,
    rows: Vec<Line>,
    /// The totals of the columns and of all, if the values can be added.
    totals: Option<Vec<String>>,
    heat: bool,
    note: Option<String>,
    empty: Option<String>,
}

struct Line {
    label: String,
    cells: Vec<Cell>,
    total: Option<String>,
}

struct Cell {
    text: String,
    /// The colour, from 0.
    level: u8,
}

/// Loads the groups of two fields.
pub(super) fn load(tx: &mut Tx<'_>, asked: SourceRequest<'_>) -> Result<Content> {
    let (Some(down), Some(across)) = (asked.source.group_by, asked.source.across) else { return Err(crate::Error::not_found()) };
    let measures: Vec<Measure> = Measure::for_region(tx, &asked).into_iter().take(1).collect();
    let Some(measure) = measures.first().copied() else { return Err(crate::Error::not_found()) };
    let grouped = groups::load(tx, &asked, &[down, across], &measures)?;
    let [rows, columns] = grouped.keys.as_slice() else { return Err(crate::Error::not_found()) };
    let values: HashMap<(usize, usize), &Value> =
        grouped.groups.iter().filter_map(|(places, values)| Some(((*places.first()?, *places.get(1)?), values.first()?))).collect();
    let (used_rows, used_columns) =
        (used(rows, |at| values.keys().any(|(row, _)| *row == at)), used(columns, |at| values.keys().any(|(_, column)| *column == at)));
    let (shown_rows, shown_columns) = (used_rows.iter().take(MOST_ROWS), used_columns.iter().take(MOST_COLUMNS));
    let most = values.values().filter_map(|value| to_number(value)).fold(0.0_f64, f64::max);
    let heat = asked.region.display == Display::Heatmap;
    let totals = (!heat && measure.is_additive()).then_some(());
    let (app, zero) = (tx.app, Value::Int(0));
    let sum = |it: &mut dyn Iterator<Item = &Value>| measure.text(app, &add(it));
    let line = |row: &usize| {
        let value =
            |column: &usize| values.get(&(*row, *column)).copied().unwrap_or(if measure.is_additive() { &zero } else { &Value::Null });
        let cell = |column: &usize| Cell { text: measure.text(app, value(column)), level: level(value(column), most) };
        Line {
            label: rows[*row].label.clone(),
            cells: shown_columns.clone().map(cell).collect(),
            total: totals.map(|()| sum(&mut shown_columns.clone().map(value))),
        }
    };
    let of_column = |column: &usize| sum(&mut shown_rows.clone().filter_map(|row| values.get(&(*row, *column)).copied()));
    let all = || {
        sum(&mut shown_rows
            .clone()
            .flat_map(|row| shown_columns.clone().map(move |column| (*row, *column)))
            .filter_map(|at| values.get(&at).copied()))
    };
    let page = CrossHtml {
        caption: say!(
            "dz-cross-caption",
            "{title}: {measure} by {rows} and {columns}",
            title = asked.region.title,
            measure = measure.title(app),
            rows = title(tx, down),
            columns = title(tx, across)
        ),
        corner: down.path.end(app).field(app).title,
        heads: shown_columns.clone().map(|at| columns[*at].label.clone()).collect(),
        totals: totals.map(|()| shown_columns.clone().map(of_column).chain([all()]).collect()),
        rows: shown_rows.clone().map(line).collect(),
        heat,
        note: note(&used_rows, &used_columns),
        empty: used_rows.is_empty().then(|| empty_text(tx, &asked)),
    };
    Content::block(&page)
}

fn title(tx: &Tx<'_>, group: crate::def::GroupDef) -> String {
    crate::web::page::columns::lower_title(group.path.end(tx.app).field(tx.app).title)
}

/// The positions of the keys that have a group.
fn used(keys: &[Key], has: impl Fn(usize) -> bool) -> Vec<usize> {
    (0..keys.len()).filter(|at| has(*at)).collect()
}

fn note(rows: &[usize], columns: &[usize]) -> Option<String> {
    let (all_rows, all_columns) = (rows.len(), columns.len());
    match (all_rows > MOST_ROWS, all_columns > MOST_COLUMNS) {
        (false, false) => None,
        (true, false) => Some(say!("dz-showing-rows-of", "Showing {shown} of {total} rows", shown = MOST_ROWS, total = all_rows)),
        (false, true) => {
            Some(say!("dz-showing-columns-of", "Showing {shown} of {total} columns", shown = MOST_COLUMNS, total = all_columns))
        }
        (true, true) => Some(say!(
            "dz-showing-rows-and-columns-of",
            "Showing {rows} of {all_rows} rows and {columns} of {all_columns} columns",
            rows = MOST_ROWS,
            all_rows = all_rows,
            columns = MOST_COLUMNS,
            all_columns = all_columns
        )),
    }
}

/// The colour of a value: 0 for none, and at least 1 for any.
fn level(value: &Value, most: f64) -> u8 {
    match to_number(value) {
        Some(number) if number > 0.0 && most > 0.0 => (number / most * LEVELS).ceil().clamp(1.0, LEVELS) as u8,
        _ => 0,
    }
}

/// The exact sum of numbers.
fn add(values: &mut dyn Iterator<Item = &Value>) -> Value {
    values.fold(Value::Int(0), |sum, value| match (sum, value) {
        (Value::Int(sum), Value::Int(value)) => sum.checked_add(*value).map_or(Value::Null, Value::Int),
        (Value::Decimal(sum), Value::Decimal(value)) => sum.checked_add(*value).map_or(Value::Null, Value::Decimal),
        (Value::Int(0), Value::Decimal(value)) => Value::Decimal(*value),
        (Value::Decimal(sum), Value::Int(0)) => Value::Decimal(sum),
        (Value::Int(0), Value::Float(value)) => Value::Float(*value),
        (Value::Float(sum), Value::Float(value)) => Value::Float(sum + value),
        (sum, Value::Null) => sum,
        _ => Value::Null,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_shares_of_the_largest_value() {
        let levels: Vec<u8> = [0, 1, 20, 21, 100].into_iter().map(|number| level(&Value::Int(number), 100.0)).collect();
        assert_eq!(levels, [0, 1, 1, 2, 5]);
        assert_eq!(level(&Value::Null, 10.0), 0);
    }

    #[test]
    fn sums_are_exact() {
        let cents = |text: &str| Value::Decimal(text.parse().expect("a decimal"));
        assert_eq!(add(&mut [cents("0.10"), cents("0.20")].iter()), cents("0.30"));
        assert_eq!(add(&mut [Value::Int(i64::MAX), Value::Int(1)].iter()), Value::Null);
    }
}
