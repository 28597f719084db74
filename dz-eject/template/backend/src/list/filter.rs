//! Filters of lists, as conditions on rows.

use super::{
    Limits, ListRules, RESERVED, Unknown,
    column::{Column, Kind, position},
};
use crate::{
    caller::Caller,
    names::did_you_mean,
    problem::{Problem, Result},
    sql::{Sql, Value},
    values::{boolean_text, check_digits, date_text, float_text, id_text, int_text, moment_text, number_text, timestamp_text},
};

const OPERATORS: [&str; 10] = ["ne", "gt", "gte", "lt", "lte", "in", "isnull", "contains", "icontains", "startswith"];

/// The most values of one `in`.
const MOST_VALUES: usize = 1_000;

/// The condition of one filter.
pub fn parse(caller: &Caller, rules: &ListRules, limits: &mut Limits, (name, value): (&str, &str)) -> Result<Sql> {
    let resolve = |name: &str| (rules.column)(caller, rules.table, name);
    let unknown = |unknown: Unknown| unknown.problem("parameter or field", &RESERVED);
    // The name of a field can contain two underscores itself.
    let (name, operator, column) = match (resolve(name), name.rsplit_once("__")) {
        (Ok(column), _) => (name, "eq", column),
        (Err(_), Some((field, operator))) => (field, operator, resolve(field).map_err(unknown)?),
        (Err(error), None) => return Err(unknown(error)),
    };
    if operator != "eq" && !OPERATORS.contains(&operator) {
        let near = did_you_mean(operator, OPERATORS);
        return Err(Problem::bad_request(format!("unknown operator `{}`{near}", operator.escape_default())));
    }
    if value.contains('\0') {
        return Err(Problem::bad_request(format!("`{name}` must not contain the character U+0000")));
    }
    if let Some(what) = column.kind.incomparable().filter(|_| operator != "isnull") {
        return Err(Problem::bad_request(format!("`{name}` {what}; only `isnull` filters it")));
    }
    limits.count_filter()?;
    limits.count_joins(name)?;
    condition(name, operator, column, value)
}

/// The time of `as_of`: a date, or a timestamp; for columns with timestamps, a date means its start.
pub fn time(kind: Kind, text: &str) -> Result<Value> {
    let start_of = |date: chrono::NaiveDate| {
        let zone: chrono_tz::Tz = crate::APP_ZONE.parse().unwrap_or_default();
        let midnight = date.and_hms_opt(0, 0, 0).and_then(|at| at.and_local_timezone(zone).earliest());
        midnight.map(|at| crate::types::Timestamp::new(at.to_utc()))
    };
    let value = match kind {
        Kind::Date => date_text(text).map(|date| Value::Date(Some(date))),
        _ => match (timestamp_text(text), date_text(text).ok().and_then(start_of)) {
            (Ok(time), _) | (Err(_), Some(time)) => Ok(Value::Timestamp(Some(time))),
            (Err(wrong), None) => Err(wrong),
        },
    };
    value.map_err(|wrong| Problem::bad_request(format!("`as_of` {wrong}")))
}

fn condition(name: &str, operator: &str, column: Column, value: &str) -> Result<Sql> {
    let kind = column.kind;
    // A reference is a key, also where keys are texts.
    let is_text = kind.is_text() && column.label.is_none();
    let one = || parse_value(name, kind, value);
    let compare = |symbol: &str, value: Value| column.sql.clone().then(Sql::new(format!(" {symbol} ?"), [value]));
    let ordering = |symbol: &str| match kind {
        Kind::Choice { names, ordered: true } => {
            let wanted = names.iter().position(|known| *known == value).and_then(|at| i64::try_from(at).ok());
            one().map(|_| position(column.sql.clone(), names).then(Sql::new(format!(" {symbol} ?"), [Value::Int(wanted)])))
        }
        _ => one().map(|value| compare(symbol, value)),
    };
    match operator {
        "eq" => one().map(|value| compare("=", value)),
        "ne" => one().map(|value| compare("IS DISTINCT FROM", value)),
        "gt" => ordering(">"),
        "gte" => ordering(">="),
        "lt" => ordering("<"),
        "lte" => ordering("<="),
        "in" => {
            let values = value.split(',').map(|value| parse_value(name, kind, value)).collect::<Result<Vec<_>>>()?;
            if values.len() > MOST_VALUES {
                return Err(Problem::bad_request(format!("`{name}__in` takes at most {MOST_VALUES} values")));
            }
            let mut list = column.sql.then(Sql::text(" IN ("));
            for (at, value) in values.into_iter().enumerate() {
                list = list.then(Sql::value(value).between(if at == 0 { "" } else { ", " }, ""));
            }
            Ok(list.then(Sql::text(")")))
        }
        "isnull" => match value {
            "true" | "1" => Ok(column.sql.then(Sql::text(" IS NULL"))),
            "false" | "0" => Ok(column.sql.then(Sql::text(" IS NOT NULL"))),
            _ => Err(Problem::bad_request(format!("`{name}__isnull` must be true or false"))),
        },
        _ if !is_text => Err(Problem::bad_request(format!("`{operator}` compares text, and `{name}` is not text"))),
        "contains" => Ok(position_of(column.sql, value).then(Sql::text(" > 0"))),
        "icontains" => Ok(contains(column.sql, value)),
        _ => {
            let text = || Value::Text(Some(value.to_owned()));
            Ok(column.sql.between("substr(", "").then(Sql::new(", 1, length(?)) = ?", [text(), text()])))
        }
    }
}

/// The condition that a text contains another one, ignoring case.
pub fn contains(sql: Sql, words: &str) -> Sql {
    let folded = match cfg!(feature = "postgres") {
        true => sql.between("(lower(", " COLLATE \"und-x-icu\") COLLATE \"C\")"),
        false => sql.between("lower_unicode(", ")"),
    };
    position_of(folded, &words.to_lowercase()).between("COALESCE(", " > 0, FALSE)")
}

fn position_of(sql: Sql, part: &str) -> Sql {
    let function = if cfg!(feature = "postgres") { "strpos(" } else { "instr(" };
    sql.between(function, "").then(Sql::new(", ?)", [Value::Text(Some(part.to_owned()))]))
}

fn parse_value(name: &str, kind: Kind, text: &str) -> Result<Value> {
    if text.is_empty() && !kind.is_text() {
        return Err(Problem::bad_request(format!("`{name}` needs a value; rows without one are found by `{name}__isnull=true`")));
    }
    let value = match kind {
        Kind::Text => Ok(Value::Text(Some(text.to_owned()))),
        Kind::Choice { names, .. } => match names.contains(&text) {
            true => Ok(Value::Text(Some(text.to_owned()))),
            false => Err(format!("must be one of {}", names.join(", "))),
        },
        Kind::Id => id_text(text).map(|id| Value::Id(Some(id))),
        Kind::Int => int_text(text).map(|number| Value::Int(Some(number))),
        Kind::Float => float_text(text).map(|number| Value::Float(Some(number))),
        Kind::Bool => boolean_text(text).map(|value| Value::Bool(Some(value))),
        Kind::Date => date_text(text).map(|date| Value::Date(Some(date))),
        Kind::Timestamp => moment_text(text).map(|time| Value::Timestamp(Some(time))),
        Kind::Number { precision, scale } => number_text(text.trim()).and_then(|number| {
            // A number that the column cannot hold equals none of its values.
            match check_digits(number, precision, scale) {
                Ok(()) => Ok(Value::number(Some(number), (precision, scale))),
                Err(_) => Err(format!("has {precision} digits, {scale} of them decimals")),
            }
        }),
        Kind::Document | Kind::File => Err("cannot be compared".to_owned()),
    };
    value.map_err(|wrong| Problem::bad_request(format!("`{name}` {wrong}")))
}
