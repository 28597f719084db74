//! Operators and functions on PostgreSQL. They do not fail: a result out of range is null.

use super::{Emit, fill, operand::Operand};
use crate::{
    db::Statement,
    def::{Aggregate, Arithmetic, Function, Type},
};

/// A 64-bit number, or null.
const INT: &str =
    "(SELECT CASE WHEN dz.x BETWEEN -9223372036854775808 AND 9223372036854775807 THEN dz.x::bigint END FROM (SELECT {} AS x) dz)";

/// A decimal of at most 28 digits, or null.
const DECIMAL: &str = "(SELECT CASE WHEN scale(dz.x) <= 28 AND abs(dz.x) * power(10::numeric, scale(dz.x)::numeric) < 10000000000000000000000000000 \
                       THEN dz.x END FROM (SELECT trim_scale({}) AS x) dz)";

/// As [`fill`], for a template that names its parts in an inner `SELECT` and uses the names several times.
///
/// PostgreSQL replaces each use by the part, so nested computed values would grow exponentially. `OFFSET 0` prevents this for parts
/// that are queries.
pub(super) fn bind_once<const N: usize>(template: &str, parts: [Statement; N]) -> Statement {
    match parts.iter().any(|part| part.contains("(SELECT ")) {
        true => fill(&template.replace(") dz)", " OFFSET 0) dz)"), parts),
        false => fill(template, parts),
    }
}

/// The white space characters of Unicode.
const SPACES: &str = r"E'\u0009\u000a\u000b\u000c\u000d\u0020\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000'";

/// Adding a longer duration always gives a time outside of the years 1 to 9999.
const MONTHS: u64 = 12 * 10_000;
const SECONDS: u64 = 366 * 86_400 * 10_000;

/// Adds months and seconds to a date or timestamp.
pub(super) fn shift(at: Operand, months: i64, seconds: i64, ty: Type) -> Statement {
    let far = months.unsigned_abs() > MONTHS || seconds.unsigned_abs() > SECONDS;
    match (ty, far) {
        (Type::Date, true) => fill("NULL::date", []),
        (_, true) => fill("NULL::timestamptz", []),
        (Type::Date, false) => bind_once(
            &format!(
                "(SELECT CASE WHEN dz.x >= '0001-01-01' AND dz.x < '10000-01-01' THEN dz.x::date END \
                 FROM (SELECT {{}}::timestamp + interval '{months} months' + interval '{seconds} seconds' AS x) dz)"
            ),
            [at.sql],
        ),
        (_, false) => bind_once(
            &format!("(SELECT {MOMENT} FROM (SELECT {{}} + interval '{months} months' + interval '{seconds} seconds' AS x) dz)"),
            [at.sql],
        ),
    }
}

/// A timestamp in the years 1 to 9999, or null.
const MOMENT: &str = "CASE WHEN dz.x >= '0001-01-01 00:00:00+00' AND dz.x < '10000-01-01 00:00:00+00' THEN dz.x END";

/// An arithmetic operator.
pub(super) fn arithmetic(op: Arithmetic, left: Operand, right: Operand, ty: Type, places: u32) -> Statement {
    let sign = match op {
        Arithmetic::Add => "+",
        Arithmetic::Sub => "-",
        Arithmetic::Mul => "*",
        Arithmetic::Div => "/",
        Arithmetic::Rem => "%",
    };
    match (ty, left.ty) {
        (Type::Text, _) => fill("({} || {})", [left.sql, right.sql]),
        (Type::Int, Type::Date) => fill("({} - {})::bigint", [left.sql, right.sql]),
        (Type::Duration, Type::DateTime) => fill("(extract(epoch FROM {} - {}) * 1000000)::bigint", [left.sql, right.sql]),
        (Type::DateTime, _) => bind_once(
            &format!("(SELECT {MOMENT} FROM (SELECT {{}} {sign} {{}} * interval '1 microsecond' AS x) dz)"),
            [left.sql, right.sql],
        ),
        (Type::Int | Type::Duration, _) if op == Arithmetic::Rem => fill("({} % NULLIF({}, 0))", [left.sql, right.sql]),
        (Type::Int | Type::Duration, _) => {
            let inner = fill(&format!("{{}}::numeric {sign} {{}}::numeric"), [left.sql, right.sql]);
            bind_once(INT, [inner])
        }
        (Type::Decimal, _) if op == Arithmetic::Div => quotient(left.sql, right.sql, places),
        (Type::Decimal, _) => bind_once(DECIMAL, [fill(&format!("{{}}::numeric {sign} {{}}::numeric"), [left.sql, right.sql])]),
        _ => float(op, sign, left.sql, right.sql),
    }
}

/// The quotient, rounded half away from zero to `places`; exact, because it is computed with integers.
fn quotient(left: Statement, right: Statement, places: u32) -> Statement {
    let zeros = "0".repeat(places as usize);
    let unit = if places == 0 { "1".to_owned() } else { format!("0.{}1", zeros.split_at(zeros.len() - 1).0) };
    let inner = format!(
        "(SELECT CASE WHEN dz.b <> 0 THEN sign(dz.a) * sign(dz.b) * div(abs(dz.a) * 2 * 1{zeros} + abs(dz.b), abs(dz.b) * 2) * {unit} END \
         FROM (SELECT {{}}::numeric AS a, {{}}::numeric AS b) dz)"
    );
    bind_once(DECIMAL, [bind_once(&inner, [left, right])])
}

fn float(op: Arithmetic, sign: &str, left: Statement, right: Statement) -> Statement {
    let guard = |name: &str| match op {
        Arithmetic::Add | Arithmetic::Sub => format!("abs(dz.{name}) < '8e307'::float8"),
        Arithmetic::Mul | Arithmetic::Div | Arithmetic::Rem => {
            format!("(dz.{name} = 0 OR abs(dz.{name}) BETWEEN '1e-150'::float8 AND '1e150'::float8)")
        }
    };
    let divisor = if op == Arithmetic::Div { " AND dz.b <> 0" } else { "" };
    // The addition of zero removes a negative zero.
    let template = format!(
        "(SELECT CASE WHEN {} AND {}{divisor} THEN dz.a {sign} dz.b + '0'::float8 END FROM (SELECT {{}}::float8 AS a, {{}}::float8 AS b) dz)",
        guard("a"),
        guard("b")
    );
    let template = template.replace(&format!("dz.a {sign} dz.b +"), &format!("(dz.a {sign} dz.b) +"));
    bind_once(&template, [left, right])
}

/// An aggregate over the rows of a group.
pub(super) fn aggregate(kind: Aggregate, item: Operand, ty: Type, places: u32) -> Statement {
    match (kind, ty) {
        (Aggregate::Min, _) => fill("MIN({})", [item.sql]),
        (Aggregate::Max, _) => fill("MAX({})", [item.sql]),
        (Aggregate::Avg, Type::Float) => fill("AVG({})", [item.sql]),
        (Aggregate::Avg, _) => quotient(fill("SUM({})", [item.sql.clone()]), fill("COUNT({})", [item.sql]), places),
        (_, Type::Int) => bind_once(INT, [fill("COALESCE(SUM({}), 0)", [item.sql])]),
        (_, Type::Float) => fill("COALESCE(SUM({}), 0)", [item.sql]),
        (_, _) => bind_once(DECIMAL, [fill("COALESCE(SUM({}), 0)", [item.sql])]),
    }
}

impl Emit<'_> {
    pub(super) fn call_postgres(&self, function: Function, first: Operand, second: Option<Operand>, ty: Type) -> Statement {
        use Function::*;
        match (function, second) {
            (DaysSince, Some(today)) => fill("({} - {})::bigint", [today.sql, self.day(first)]),
            (DaysUntil, Some(today)) => fill("({} - {})::bigint", [self.day(first), today.sql]),
            (HoursSince, Some(now)) => self.elapsed(first, now, "3600"),
            (MinutesSince, Some(now)) => self.elapsed(first, now, "60"),
            (Min, Some(second)) => either("LEAST", first, second),
            (Max, Some(second)) => either("GREATEST", first, second),
            (Coalesce, Some(second)) => fill("COALESCE({}, {})", [first.sql, second.sql]),
            (Nullif, Some(second)) => fill("NULLIF({}, {})", [first.sql, second.sql]),
            (Concat, Some(second)) => fill("({} || {})", [first.sql, second.sql]),
            (Contains, Some(second)) => fill("(strpos({}, {}) > 0)", [first.sql, second.sql]),
            (StartsWith, Some(second)) => fill("starts_with({}, {})", [first.sql, second.sql]),
            (Abs | Round | Floor | Ceil, digits) => number(function, first, digits, ty),
            (Length, _) => fill("char_length({})::bigint", [first.sql]),
            (Lower, _) => fill("(lower({} COLLATE \"und-x-icu\") COLLATE \"C\")", [first.sql]),
            (Upper, _) => fill("(upper({} COLLATE \"und-x-icu\") COLLATE \"C\")", [first.sql]),
            (Trim, _) => fill(&format!("btrim({{}}, {SPACES})"), [first.sql]),
            (Year, _) => fill("extract(year FROM {})::bigint", [self.day(first)]),
            (Month, _) => fill("extract(month FROM {})::bigint", [self.day(first)]),
            (Day, _) => fill("extract(day FROM {})::bigint", [self.day(first)]),
            (Weekday, _) => fill("extract(isodow FROM {})::bigint", [self.day(first)]),
            (Date, _) => self.day(first),
            (_, None) => first.sql,
        }
    }

    fn zone_text(&self) -> String {
        super::constant::zone(self.app).name().replace('\'', "''")
    }

    /// The date of a timestamp.
    fn day(&self, at: Operand) -> Statement {
        if at.ty == Type::DateTime { fill(&format!("({{}} AT TIME ZONE '{}')::date", self.zone_text()), [at.sql]) } else { at.sql }
    }

    /// The time since `at`, in whole units of so many seconds.
    fn elapsed(&self, at: Operand, now: Operand, unit: &str) -> Statement {
        let at =
            if at.ty == Type::Date { fill(&format!("({{}}::timestamp AT TIME ZONE '{}')", self.zone_text()), [at.sql]) } else { at.sql };
        fill(&format!("floor(extract(epoch FROM {{}} - {{}})::numeric / {unit})::bigint"), [now.sql, at])
    }
}

/// The minimum or maximum of two values; null if one of them is null.
fn either(name: &str, first: Operand, second: Operand) -> Statement {
    bind_once(
        &format!(
            "(SELECT CASE WHEN dz.a IS NOT NULL AND dz.b IS NOT NULL THEN {name}(dz.a, dz.b) END FROM (SELECT {{}} AS a, {{}} AS b) dz)"
        ),
        [first.sql, second.sql],
    )
}

fn number(function: Function, value: Operand, digits: Option<Operand>, ty: Type) -> Statement {
    let name = match function {
        Function::Abs => "abs",
        Function::Floor => "floor",
        Function::Ceil => "ceil",
        _ => "round",
    };
    if ty == Type::Float && function != Function::Round {
        return fill(&format!("({name}({{}}) + '0'::float8)"), [value.sql]);
    }
    let exact = match digits {
        // A number of places beyond that of decimals has no effect, and stays within the limits of PostgreSQL.
        Some(digits) => fill("round({}::numeric, LEAST(GREATEST({}, -100), 28)::int)", [value.sql, digits.sql]),
        None => fill(&format!("{name}({{}}::numeric)"), [value.sql]),
    };
    match ty {
        Type::Int => bind_once(INT, [exact]),
        Type::Float => fill("{}::float8", [bind_once(DECIMAL, [exact])]),
        Type::Bool
        | Type::Decimal
        | Type::Text
        | Type::Date
        | Type::DateTime
        | Type::Duration
        | Type::Uuid
        | Type::Json
        | Type::List
        | Type::Null => bind_once(DECIMAL, [exact]),
    }
}
