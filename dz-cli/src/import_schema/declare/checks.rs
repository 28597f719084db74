//! Checks: values of enumerations, lengths of texts and booleans; all other checks become invariants.

use super::{Declared, Names};
use crate::import_schema::{
    found::Table,
    sql::{ConditionField, Expr, Null, parse, write},
};

/// The parsed checks of a table.
#[derive(Debug, Default)]
pub struct Checks {
    /// The values that a column can have.
    pub values: Vec<(String, Vec<String>)>,
    /// The maximum length of the text of a column.
    pub lengths: Vec<(String, u32)>,
    /// Columns whose value is 0 or 1.
    pub booleans: Vec<String>,
    /// The other conditions, with their SQL.
    rest: Vec<(Expr, String)>,
    /// Checks that could not be parsed.
    pub failures: Vec<String>,
}

impl Checks {
    /// The values of a column, if a check lists them.
    pub fn values_of(&self, column: &str) -> Option<&[String]> {
        self.values.iter().find(|(name, _)| name.eq_ignore_ascii_case(column)).map(|(_, values)| values.as_slice())
    }

    /// The length of a column, if a check limits it.
    pub fn length_of(&self, column: &str) -> Option<u32> {
        self.lengths.iter().filter(|(name, _)| name.eq_ignore_ascii_case(column)).map(|(_, length)| *length).min()
    }

    /// True for a column that a check restricts to 0 and 1.
    pub fn is_boolean(&self, column: &str) -> bool {
        self.booleans.iter().any(|name| name.eq_ignore_ascii_case(column))
    }
}

/// Parses the checks of a table.
pub fn read_checks(table: &Table) -> Checks {
    let mut checks = Checks::default();
    for sql in &table.checks {
        match parse(sql) {
            Ok(Expr::And(parts)) => parts.into_iter().for_each(|part| checks.add(part, sql)),
            Ok(expr) => checks.add(expr, sql),
            Err(reason) => checks.failures.push(format!("the check `{sql}`: {reason}")),
        }
    }
    checks
}

impl Checks {
    fn add(&mut self, expr: Expr, sql: &str) {
        if let Some((column, values)) = values(&expr) {
            self.values.push((column, values));
        } else if let Some((column, length)) = length(&expr) {
            self.lengths.push((column, length));
        } else if let Some(column) = boolean(&expr) {
            self.booleans.push(column);
        } else {
            self.rest.push((expr, sql.to_owned()));
        }
    }
}

/// `c IN ('a', 'b')`, `c = 'a' OR c = 'b'`, and the same with `OR c IS NULL`.
fn values(expr: &Expr) -> Option<(String, Vec<String>)> {
    match expr {
        Expr::In(left, list, false) => {
            let Expr::Column(name) = left.as_ref() else { return None };
            let text = |value: &Expr| if let Expr::Text(text) = value { Some(text.clone()) } else { None };
            let values = list.iter().map(text).collect::<Option<Vec<_>>>()?;
            (!values.is_empty()).then(|| (name.clone(), values))
        }
        Expr::Binary("=", left, right) => match (left.as_ref(), right.as_ref()) {
            (Expr::Column(name), Expr::Text(value)) => Some((name.clone(), vec![value.clone()])),
            _ => None,
        },
        Expr::Or(parts) => {
            let is_null = |part: &Expr| matches!(part, Expr::IsNull(inner, false) if matches!(inner.as_ref(), Expr::Column(_)));
            let found = parts.iter().filter(|part| !is_null(part)).map(values).collect::<Option<Vec<_>>>()?;
            let (name, _) = found.first()?.clone();
            let nulls = parts.iter().filter(|part| is_null(part));
            let same_column = nulls.into_iter().all(|part| matches!(part, Expr::IsNull(inner, _) if **inner == Expr::Column(name.clone())));
            (same_column && found.iter().all(|(other, _)| *other == name))
                .then(|| (name, found.into_iter().flat_map(|(_, values)| values).collect()))
        }
        _ => None,
    }
}

/// `length(c) <= 80`
fn length(expr: &Expr) -> Option<(String, u32)> {
    let Expr::Binary(sign @ ("<" | "<="), left, right) = expr else { return None };
    let (Expr::Call(function, arguments), Expr::Number(number)) = (left.as_ref(), right.as_ref()) else { return None };
    let is_length = matches!(function.as_str(), "length" | "char_length" | "character_length");
    let ([Expr::Column(name)], true) = (arguments.as_slice(), is_length) else { return None };
    let longest = number.parse::<u32>().ok()?.checked_sub(u32::from(*sign == "<"))?;
    (1..=10_000).contains(&longest).then(|| (name.clone(), longest))
}

/// `c IN (0, 1)`
fn boolean(expr: &Expr) -> Option<String> {
    let Expr::In(left, list, false) = expr else { return None };
    let Expr::Column(name) = left.as_ref() else { return None };
    let mut numbers: Vec<&str> = list.iter().map(|value| if let Expr::Number(number) = value { number.as_str() } else { "" }).collect();
    numbers.sort_unstable();
    (numbers == ["0", "1"]).then(|| name.clone())
}

/// Writes the other checks as invariants.
pub fn invariants(names: &Names, table: &Table, checks: &Checks, out: &mut Declared) {
    let field = |column: &str| find_field(names, table, column);
    for (expr, sql) in &checks.rest {
        match write(expr, Null::Accepted, &field) {
            Ok(condition) => out.lines.push(format!("  invariant: {condition}")),
            Err(reason) => out.leave_out("  ", &table.name, &format!("the check `{sql}`: {reason}")),
        }
    }
}

/// The field of a column.
pub fn find_field(names: &Names, table: &Table, column: &str) -> Option<ConditionField> {
    let is_key = table.primary.iter().any(|key| key.eq_ignore_ascii_case(column));
    Some(ConditionField { name: names.field(table, column)?.to_owned(), optional: !table.column(column)?.required && !is_key })
}
