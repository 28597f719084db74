//! The values that existing rows get when a column is added: the default of the field, as SQL.

use super::{ColumnType, Engine, EngineSql, sql};
use crate::model::{Arithmetic, Auto, Duration, Expr, Field, Model};

/// The default of a field, if it does not depend on the caller.
pub(super) fn default_of(model: &Model, field: &Field) -> Option<EngineSql> {
    if field.auto != Auto::No {
        let ty = super::entity::column_type(model, field.ty);
        return Some(if ty == ColumnType::Date { timestamp(false, None)? } else { current_time() });
    }
    expression(model, super::entity::column_type(model, field.ty), field.default.as_ref()?)
}

/// The time of the migration.
pub(super) fn current_time() -> EngineSql {
    // With the width and precision of every stored timestamp.
    EngineSql { sqlite: "strftime('%Y-%m-%dT%H:%M:%f000Z', 'now')".to_owned(), postgres: "now()".to_owned() }
}

fn timestamp(with_time: bool, moved: Option<(i64, Duration)>) -> Option<EngineSql> {
    let Some((sign, by)) = moved else {
        return Some(if with_time { current_time() } else { EngineSql { sqlite: "date('now')".into(), postgres: "CURRENT_DATE".into() } });
    };
    let (months, seconds) = (sign.checked_mul(by.months)?, sign.checked_mul(by.seconds)?);
    let sqlite = format!("'now', '{months:+} months', '{seconds:+} seconds'");
    let interval = format!("interval '{months} months {seconds} seconds'");
    Some(if with_time {
        EngineSql { sqlite: format!("strftime('%Y-%m-%dT%H:%M:%f000Z', {sqlite})"), postgres: format!("now() + {interval}") }
    } else {
        EngineSql { sqlite: format!("date({sqlite})"), postgres: format!("(CURRENT_DATE + {interval})::date") }
    })
}

fn expression(model: &Model, ty: ColumnType, default: &Expr) -> Option<EngineSql> {
    match default {
        Expr::Today | Expr::Now => timestamp(matches!(default, Expr::Now), None),
        Expr::Arithmetic(op @ (Arithmetic::Add | Arithmetic::Sub), left, right, _) => match (&**left, &**right) {
            (start @ (Expr::Today | Expr::Now), Expr::Duration(by)) => {
                timestamp(matches!(start, Expr::Now), Some((if *op == Arithmetic::Add { 1 } else { -1 }, *by)))
            }
            _ => None,
        },
        literal => {
            let literal_for = |engine| constant(model, ty, literal, engine);
            Some(EngineSql { sqlite: literal_for(Engine::Sqlite)?, postgres: literal_for(Engine::Postgres)? })
        }
    }
}

/// A literal in the form that the column stores.
pub(super) fn constant(model: &Model, ty: ColumnType, literal: &Expr, engine: Engine) -> Option<String> {
    if let Expr::EnumValue(of, at) = literal {
        return Some(sql::literal(&model.enums[of.0].values[*at].name));
    }
    let text = match literal {
        Expr::Bool(value) => return Some(sql::boolean(*value, engine).to_owned()),
        Expr::Int(number) => number.to_string(),
        Expr::Float(number) => number.to_string(),
        Expr::Decimal(digits) => digits.clone(),
        Expr::Text(text) | Expr::Typed(_, text) => text.clone(),
        Expr::Negate(inner) => format!("-{}", literal_digits(inner)?),
        _ => return None,
    };
    match (ty, engine) {
        (ColumnType::Int | ColumnType::Float, _) => Some(text),
        (ColumnType::Decimal(..), Engine::Postgres) => Some(text),
        (ColumnType::Decimal(precision, scale), Engine::Sqlite) => scaled_digits(&text, precision, scale),
        (ColumnType::Uuid, Engine::Sqlite) => Some(format!("X'{}'", text.replace('-', ""))),
        (ColumnType::Bool, _) => None,
        (ColumnType::DateTime, Engine::Sqlite) => full_width(&text),
        (ColumnType::Text(_) | ColumnType::Uuid | ColumnType::Date | ColumnType::DateTime | ColumnType::Json, _) => {
            Some(sql::literal(&text))
        }
    }
}

fn literal_digits(literal: &Expr) -> Option<String> {
    match literal {
        Expr::Int(number) => Some(number.to_string()),
        Expr::Float(number) => Some(number.to_string()),
        Expr::Decimal(digits) => Some(digits.clone()),
        _ => None,
    }
}

/// A decimal as SQLite stores it: up to 18 digits in units of its last place, beyond that as text of a fixed width.
fn scaled_digits(text: &str, precision: u8, scale: u8) -> Option<String> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (whole, places) = digits.split_once('.').unwrap_or((digits, ""));
    let places = places.trim_end_matches('0');
    let missing = usize::from(scale).checked_sub(places.len())?;
    let units: i128 = format!("{whole}{places}{}", "0".repeat(missing)).parse().ok()?;
    if precision <= super::sql::INTEGER_DIGITS {
        return Some(if negative && units != 0 { format!("-{units}") } else { units.to_string() });
    }
    let width = usize::from(precision);
    let nines = 10_i128.checked_pow(u32::from(precision))? - 1;
    Some(sql::literal(&if negative && units != 0 { format!("0{:0width$}", nines - units) } else { format!("1{units:0width$}") }))
}

/// A timestamp in UTC with six decimal places of seconds, as SQLite stores it. A timestamp with an offset is not converted;
/// the author of the migration writes its value.
fn full_width(text: &str) -> Option<String> {
    let (day, time) = text.strip_suffix(['Z', 'z'])?.split_once(['T', 't', ' '])?;
    let (time, places) = time.split_once('.').unwrap_or((time, ""));
    let seconds = if time.matches(':').count() == 1 { ":00" } else { "" };
    Some(sql::literal(&format!("{day}T{time}{seconds}.{places:0<6.6}Z")))
}
