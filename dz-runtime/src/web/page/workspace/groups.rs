//! Groups of rows: their labels, their order, and the value of each group, for charts and tables of groups.

use std::cmp::Ordering;

use chrono::{Datelike, Days, Months, NaiveDate};

use super::{
    content::SourceRequest,
    figures,
    rows::{base_query, grant},
};
use crate::{
    Result, Tx, Value,
    def::{Aggregate, AppDef, Bucket, Expr, FigureDef, GroupDef, RegionValue},
    field,
    rows::{self, Group, GroupAggregate, GroupKey},
    web::page::{Shape, columns},
};

/// The maximum number of groups of one statement.
const MOST_GROUPS: u64 = 2_000;

/// A group of a field: the value of the field, and its text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Key {
    /// The value.
    pub value: Value,
    /// The text.
    pub label: String,
    /// The colour of a value of an enumeration.
    pub tone: Option<&'static str>,
}

/// The value that is computed for each group.
#[derive(Debug, Clone, Copy)]
pub(super) enum Measure {
    /// The number of rows.
    Count(&'static str),
    /// The sum of a field.
    Sum(crate::def::Path),
    /// A figure of the region.
    Figure(&'static FigureDef),
}

impl Measure {
    /// The measures of a region: its value, or else its figures, or else the number of rows.
    pub fn for_region(tx: &Tx<'_>, asked: &SourceRequest<'_>) -> Vec<Measure> {
        let figures = asked.region.figures;
        match asked.source.value {
            Some(RegionValue::Field(path)) => vec![Measure::Sum(path)],
            Some(RegionValue::Figure(at)) => figures.get(usize::from(at)).map(Measure::Figure).into_iter().collect(),
            None if figures.is_empty() => vec![Measure::Count(tx.app.entity(asked.source.entity).title_plural)],
            None => figures.iter().map(Measure::Figure).collect(),
        }
    }

    /// The label.
    pub fn title(&self, app: &'static AppDef) -> &'static str {
        match self {
            Measure::Count(title) => title,
            Measure::Sum(path) => path.end(app).field(app).title,
            Measure::Figure(figure) => figure.title,
        }
    }

    /// True if the values of several groups can be added.
    pub fn is_additive(&self) -> bool {
        match self {
            Measure::Count(_) | Measure::Sum(_) => true,
            Measure::Figure(figure) => {
                matches!(figure.expr, Expr::EntityAggregate { kind: Aggregate::Count | Aggregate::Sum, .. })
            }
        }
    }

    fn aggregates(&self) -> Vec<GroupAggregate> {
        match self {
            Measure::Count(_) => vec![GroupAggregate::COUNT],
            Measure::Sum(path) => vec![GroupAggregate { kind: Aggregate::Sum, value: Some(*path), ..GroupAggregate::COUNT }],
            Measure::Figure(figure) => figures::needed(figure).into_iter().map(|it| it.aggregate).collect(),
        }
    }

    fn value(&self, tx: &Tx<'_>, aggregates: &[Value]) -> Value {
        let Measure::Figure(figure) = self else { return aggregates.first().cloned().unwrap_or_default() };
        let needed = figures::needed(figure);
        let mut inputs = vec![Value::Null; needed.iter().map(|it| usize::from(it.at) + 1).max().unwrap_or(0)];
        for (it, value) in needed.iter().zip(aggregates) {
            inputs[usize::from(it.at)] = value.clone();
        }
        figures::evaluate_with(tx, figure, &inputs)
    }

    /// The text of a value.
    pub fn text(&self, app: &'static AppDef, value: &Value) -> String {
        match self {
            _ if value.is_null() => "–".to_owned(),
            Measure::Count(_) => field::display_plain(value, field::zone(app)),
            Measure::Sum(path) => {
                let field = path.end(app).field(app);
                columns::show(app, field, &rows::widen(field.kind, value.clone())).text
            }
            Measure::Figure(figure) => figures::text(app, figure, value),
        }
    }
}

/// A number for a drawing.
pub(super) fn to_number(value: &Value) -> Option<f64> {
    match value {
        Value::Int(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        Value::Decimal(number) => number.to_string().parse().ok(),
        _ => None,
    }
}

/// The values of some measures for each group of some fields, by the keys.
pub(super) struct Grouped {
    /// The groups: the positions of their keys, and the value of each measure.
    pub groups: Vec<(Vec<usize>, Vec<Value>)>,
    /// The keys of each field, in the order of their display.
    pub keys: Vec<Vec<Key>>,
}

/// Loads the groups of a region.
pub(super) fn load(tx: &mut Tx<'_>, asked: &SourceRequest<'_>, fields: &[GroupDef], measures: &[Measure]) -> Result<Grouped> {
    let keys: Vec<GroupKey> = fields.iter().map(|field| GroupKey { path: field.path, unit: field.unit(tx.app) }).collect();
    let wanted: Vec<Vec<GroupAggregate>> = measures.iter().map(Measure::aggregates).collect();
    let flat: Vec<GroupAggregate> = wanted.iter().flatten().copied().collect();
    let (grant, query) = (grant(tx, asked.region, asked.source)?, base_query(tx, asked));
    let found = rows::aggregate_groups(tx, &grant, &query, &keys, &flat, MOST_GROUPS)?;
    let mut all: Vec<Vec<Key>> = fields.iter().enumerate().map(|(at, field)| collect_keys(tx, field, at, &found)).collect();
    let groups = found.iter().map(|group| {
        let places = group.keys.iter().zip(&all).map(|((value, _), keys)| keys.iter().position(|key| key.value == *value).unwrap_or(0));
        let mut from = 0;
        let values = measures.iter().zip(&wanted).map(|(measure, wanted)| {
            let own = group.values.get(from..from + wanted.len()).unwrap_or_default();
            from += wanted.len();
            measure.value(tx, own)
        });
        (places.collect(), values.collect())
    });
    let groups = groups.collect();
    all.shrink_to_fit();
    Ok(Grouped { groups, keys: all })
}

/// The keys of a field: all values of an enumeration in their order, all units between the first and the last date, and otherwise the
/// values of the groups in the order of numbers, or of their texts.
fn collect_keys(tx: &Tx<'_>, group: &GroupDef, at: usize, found: &[Group]) -> Vec<Key> {
    let app = tx.app;
    let of = group.path.end(app).field(app);
    let present = |value: &Value| found.iter().any(|it| it.keys.get(at).is_some_and(|(key, _)| key == value));
    let mut keys: Vec<Key> = if let Some(unit) = group.unit(app) {
        let days = found.iter().filter_map(|it| it.keys.get(at)).filter_map(|(value, _)| match value {
            Value::Date(day) => Some(*day),
            _ => None,
        });
        units(days.collect(), unit)
            .into_iter()
            .map(|day| Key { value: Value::Date(day), label: unit_text(day, unit), tone: None })
            .collect()
    } else if let Some(values) = of.kind.enumeration() {
        let key = |name: &str| {
            let value = Value::Text(name.to_owned());
            let cell = columns::show(app, of, &value);
            let tone = if let Shape::Choice { tone, .. } = cell.shape { Some(tone) } else { None };
            Key { value, label: cell.text, tone }
        };
        values.values.iter().map(|value| key(value.name)).collect()
    } else {
        let mut keys: Vec<Key> = Vec::new();
        for (value, label) in found.iter().filter_map(|it| it.keys.get(at)).filter(|(value, _)| !value.is_null()) {
            if !keys.iter().any(|key| key.value == *value) {
                let text = match label {
                    Some(label) => {
                        columns::key_text(label).unwrap_or_else(|| say!("dz-not-visible-to-you", "Not visible to you").to_owned())
                    }
                    None => columns::show(app, of, value).text,
                };
                keys.push(Key { value: value.clone(), label: text, tone: None });
            }
        }
        keys.sort_by(compare_keys);
        keys
    };
    if present(&Value::Null) {
        keys.push(Key { value: Value::Null, label: say!("dz-not-set", "Not set").to_owned(), tone: Some("gray") });
    }
    keys
}

/// Compares two keys as numbers, or by their texts without the case of letters.
fn compare_keys(left: &Key, right: &Key) -> Ordering {
    let numbers = to_number(&left.value).zip(to_number(&right.value));
    let by_number = numbers.and_then(|(left, right)| left.partial_cmp(&right));
    by_number.unwrap_or_else(|| (left.label.to_lowercase(), &left.label).cmp(&(right.label.to_lowercase(), &right.label)))
}

/// The maximum number of units of time between the first and the last one that are filled.
const MOST_UNITS: usize = 400;

/// All units between the first and the last one.
fn units(mut days: Vec<NaiveDate>, unit: Bucket) -> Vec<NaiveDate> {
    days.sort_unstable();
    days.dedup();
    let (Some(first), Some(last)) = (days.first().copied(), days.last().copied()) else { return days };
    let mut all = vec![first];
    while let Some(next) = all.last().and_then(|day| next_unit(*day, unit)).filter(|next| *next <= last) {
        if all.len() >= MOST_UNITS {
            return days;
        }
        all.push(next);
    }
    all
}

fn next_unit(day: NaiveDate, unit: Bucket) -> Option<NaiveDate> {
    match unit {
        Bucket::Day => day.checked_add_days(Days::new(1)),
        Bucket::Week => day.checked_add_days(Days::new(7)),
        Bucket::Month => day.checked_add_months(Months::new(1)),
        Bucket::Quarter => day.checked_add_months(Months::new(3)),
        Bucket::Year => day.checked_add_months(Months::new(12)),
    }
}

/// The text of a unit of time.
fn unit_text(day: NaiveDate, unit: Bucket) -> String {
    match unit {
        Bucket::Day | Bucket::Week => field::format_date(day),
        Bucket::Month => field::format_month(day),
        Bucket::Quarter => say!("dz-quarter", "Q{quarter} {year}", quarter = day.month0() / 3 + 1, year = day.year()),
        Bucket::Year => day.year().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().expect("a date")
    }

    #[test]
    fn keys_have_the_order_of_numbers_or_of_texts() {
        let sorted = |keys: &[(Value, &str)]| {
            let key = |(value, label): &(Value, &str)| Key { value: value.clone(), label: (*label).to_owned(), tone: None };
            let mut keys: Vec<Key> = keys.iter().map(key).collect();
            keys.sort_by(compare_keys);
            keys.into_iter().map(|key| key.label).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(sorted(&[(Value::Int(10), "10"), (Value::Int(9), "9"), (Value::Int(-1), "-1")]), "-1 9 10");
        let text = |text: &str| Value::Text(text.to_owned());
        assert_eq!(sorted(&[(text("b"), "beta"), (text("c"), "Gamma"), (text("a"), "Alpha")]), "Alpha beta Gamma");
    }

    #[test]
    fn gaps_between_units_are_filled() {
        let all = units(vec![day("2026-03-01"), day("2025-12-01")], Bucket::Month);
        let texts: Vec<String> = all.into_iter().map(|day| unit_text(day, Bucket::Month)).collect();
        assert_eq!(texts, ["Dec 2025", "Jan 2026", "Feb 2026", "Mar 2026"]);
        assert_eq!(units(vec![day("0001-01-01"), day("9999-12-31")], Bucket::Day).len(), 2, "too many units are not filled");
        assert_eq!(unit_text(day("2026-10-01"), Bucket::Quarter), "Q4 2026");
    }
}
