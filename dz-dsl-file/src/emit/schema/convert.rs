//! SQL that converts a stored value to another type.

use super::{Column, ColumnType, Engine, EngineSql, sql};

/// A value of the new column that is converted from the old one.
pub(super) struct Value {
    /// The expression, which uses the name of the old column.
    pub sql: String,
    /// True if no value is changed.
    pub fits: bool,
}

/// The value of the new column, or `None` if no value of the old type can be converted.
pub(super) fn value(old: &Column, new: &Column, engine: Engine) -> Option<Value> {
    let name = sql::quoted(&old.name);
    let mut value = convert_type(&name, old.ty, new.ty, engine)?;
    let lost: bool = old.values.iter().any(|it| !new.values.contains(it)) || old.values.is_empty();
    if !new.values.is_empty() && lost {
        let values: Vec<String> = new.values.iter().map(|it| sql::literal(it)).collect();
        let Value { sql, .. } = value;
        value = Value { sql: format!("CASE WHEN {sql} IN ({}) THEN {sql} END", values.join(", ")), fits: false };
    }
    Some(value)
}

/// The value of the new column if it is required: `fill` replaces null.
pub(super) fn required_value(old: &Column, new: &Column, engine: Engine) -> String {
    let converted = value(old, new, engine).map_or_else(|| "NULL".to_owned(), |value| value.sql);
    match &new.fill {
        Some(fill) if new.required && (!old.required || converted.starts_with("CASE")) => {
            format!("COALESCE({converted}, {})", fill.for_engine(engine))
        }
        _ => converted,
    }
}

fn convert_type(name: &str, old: ColumnType, new: ColumnType, engine: Engine) -> Option<Value> {
    use ColumnType::{Date, DateTime, Decimal, Float, Int, Text};
    let sqlite = engine == Engine::Sqlite;
    let as_is = |fits| Some(Value { sql: name.to_owned(), fits });
    let of = |sqlite_sql: String, postgres_sql: String, fits| Some(Value { sql: if sqlite { sqlite_sql } else { postgres_sql }, fits });
    match (old, new) {
        (old, new) if old == new => as_is(true),
        (Text(_), Text(None)) => as_is(true),
        (Text(Some(from)), Text(Some(to))) if from <= to => as_is(true),
        (Text(_), Text(Some(to))) => Some(Value { sql: format!("substr({name}, 1, {to})"), fits: false }),
        (Int, Float) => of(format!("CAST({name} AS REAL)"), format!("{name}::double precision"), false),
        // The longest number has twenty characters.
        (Int, Text(length)) if length.is_none_or(|length| length >= 20) => {
            of(format!("CAST({name} AS TEXT)"), format!("{name}::text"), true)
        }
        (Date, DateTime) => of(format!("{name} || 'T00:00:00.000000Z'"), format!("{name}::timestamp AT TIME ZONE 'UTC'"), true),
        (DateTime, Date) => of(format!("substr({name}, 1, 10)"), format!("({name} AT TIME ZONE 'UTC')::date"), false),
        (Int, Decimal(precision, scale)) if precision <= sql::INTEGER_DIGITS => {
            let (limit, factor) = (power_of_ten(precision - scale), power_of_ten(scale));
            of(
                format!("CASE WHEN {name} BETWEEN -{limit} + 1 AND {limit} - 1 THEN {name} * {factor} END"),
                format!("CASE WHEN {name} BETWEEN -{limit} + 1 AND {limit} - 1 THEN {name} END"),
                false,
            )
        }
        (Text(_), Int) => of(
            format!("CASE WHEN length({name}) <= 18 AND CAST(CAST({name} AS INTEGER) AS TEXT) = {name} THEN CAST({name} AS INTEGER) END"),
            format!("CASE WHEN length({name}) <= 18 AND {name} ~ '^(0|-?[1-9][0-9]*)$' THEN {name}::bigint END"),
            false,
        ),
        (Float, Int) => of(
            format!("CASE WHEN abs({name}) < {MOST_EXACT} AND CAST({name} AS INTEGER) = {name} THEN CAST({name} AS INTEGER) END"),
            format!("CASE WHEN abs({name}) < {MOST_EXACT} AND trunc({name}) = {name} THEN {name}::bigint END"),
            false,
        ),
        (Decimal(before, places), Int) if before <= sql::INTEGER_DIGITS => {
            of(rounded(name, places), format!("round({name})::bigint"), false)
        }
        (Decimal(before, places), Decimal(precision, scale)) if before.max(precision) <= sql::INTEGER_DIGITS && scale < places => {
            let (limit, stored) = (power_of_ten(precision - scale), power_of_ten(precision));
            let value = rounded(name, places - scale);
            of(
                format!("CASE WHEN abs({value}) < {stored} THEN {value} END"),
                format!("CASE WHEN abs(round({name}, {scale})) < {limit} THEN round({name}, {scale}) END"),
                false,
            )
        }
        (Decimal(before, places), Decimal(precision, scale)) if before.max(precision) <= sql::INTEGER_DIGITS && scale >= places => {
            let factor = power_of_ten(scale - places);
            let fits = precision - scale >= before - places;
            if fits {
                return of(format!("{name} * {factor}"), name.to_owned(), true);
            }
            let (stored, limit) = (power_of_ten(precision - scale + places), power_of_ten(precision - scale));
            of(
                format!("CASE WHEN abs({name}) < {stored} THEN {name} * {factor} END"),
                format!("CASE WHEN abs({name}) < {limit} THEN {name} END"),
                false,
            )
        }
        _ => None,
    }
}

/// Above it, not every whole number is a float.
const MOST_EXACT: i64 = 1 << 53;

/// A number of SQLite with fewer decimal places; halves are rounded away from zero, as PostgreSQL does.
fn rounded(name: &str, places: u8) -> String {
    let factor = power_of_ten(places);
    let half = factor / 2;
    format!("(({name} + CASE WHEN {name} < 0 THEN -{half} ELSE {half} END) / {factor})")
}

fn power_of_ten(digits: u8) -> i64 {
    10_i64.pow(digits.into())
}

/// A value for a column whose values are lost: the smallest or emptiest of its type.
pub(super) fn placeholder_value(column: &Column) -> EngineSql {
    if let Some(first) = column.values.first() {
        return EngineSql::both(sql::literal(first));
    }
    match column.ty {
        ColumnType::Uuid => {
            EngineSql { sqlite: "zeroblob(16)".to_owned(), postgres: "'00000000-0000-0000-0000-000000000000'::uuid".to_owned() }
        }
        ColumnType::Text(_) => EngineSql::both("''"),
        ColumnType::Int => EngineSql::both("0"),
        ColumnType::Float => EngineSql::both("0.0"),
        ColumnType::Decimal(precision, _) if precision > sql::INTEGER_DIGITS => {
            EngineSql { sqlite: sql::literal(&format!("1{}", "0".repeat(precision.into()))), postgres: "0".to_owned() }
        }
        ColumnType::Decimal(..) => EngineSql::both("0"),
        ColumnType::Bool => EngineSql { sqlite: "0".to_owned(), postgres: "FALSE".to_owned() },
        ColumnType::Date => EngineSql::both("'1970-01-01'"),
        ColumnType::DateTime => {
            EngineSql { sqlite: "'1970-01-01T00:00:00.000000Z'".to_owned(), postgres: "'1970-01-01T00:00:00Z'".to_owned() }
        }
        ColumnType::Json => EngineSql::both("'null'"),
    }
}
