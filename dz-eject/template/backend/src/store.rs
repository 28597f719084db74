//! What every write checks: the version of the row, and conditions on the row as it would be stored.
//!
//! The conditions are evaluated before the row is stored, on a table that has only this row. So no constraint of the database reveals
//! anything about a row that the caller may not store.

use diesel::RunQueryDsl;

use crate::{
    db::Connection,
    problem::{FieldErrors, Problem, Result},
    sql::{Sql, Value, constant},
};

/// The name of the row as it would be stored, in conditions.
pub const CANDIDATE: &str = "candidate";
/// The name of a referenced row, in conditions.
pub const TARGET: &str = "target";

/// A row as a table.
pub fn as_table(columns: Vec<(&'static str, Value)>) -> Sql {
    let mut table = Sql::text("SELECT ");
    for (at, (name, value)) in columns.into_iter().enumerate() {
        let comma = if at == 0 { "" } else { ", " };
        table = table.then(Sql::value(value).between(comma, format!(" AS \"{name}\"")));
    }
    table
}

/// A condition on a row, and what its failure means.
pub struct Check {
    condition: Sql,
    problem: Problem,
}

impl Check {
    /// A condition on the candidate.
    pub fn new(row: &Sql, condition: Sql, problem: Problem) -> Check {
        let decided = condition == constant(true) || condition == constant(false);
        let on_row = || condition.clone().between(format!(") AS {CANDIDATE} WHERE "), ")");
        let condition = if decided { condition } else { row.clone().between("EXISTS (SELECT 1 FROM (", "").then(on_row()) };
        Check { condition, problem }
    }

    /// The referenced row exists, and `readable` holds for it. A missing row and an invisible one are not distinguishable.
    pub fn reference(field: &str, table: &str, key: &str, value: Value, readable: Sql) -> Check {
        let from = format!("EXISTS (SELECT 1 FROM {table} AS {TARGET} WHERE {TARGET}.{key} = ? AND ");
        let problem = Problem::new(422, "REFERENCE", "The referenced row does not exist or is not visible to you");
        let problem = problem.at(field, "does not exist or is not visible to you");
        Check { condition: Sql::new(from, [value]).then(readable).then(Sql::text(")")), problem }
    }
}

/// Refuses a write whose first check, the access rule, fails.
pub fn check_rule(connection: &mut Connection, check: Check) -> Result<()> {
    if holds(connection, check.condition)? { Ok(()) } else { Err(check.problem) }
}

/// Refuses a write for which a check fails. One problem names all of them; the first gives it its code.
pub fn check_all(connection: &mut Connection, checks: Vec<Check>) -> Result<()> {
    let mut failed: Option<Problem> = None;
    for check in checks {
        if !holds(connection, check.condition)? {
            failed = Some(match failed {
                None => check.problem,
                Some(first) => merge(first, check.problem),
            });
        }
    }
    failed.map_or(Ok(()), Err)
}

/*IF TOTALS*//// Locks rows until the end of the transaction.
#[cfg(feature = "postgres")]
pub fn lock_rows(connection: &mut Connection, rows: Vec<Sql>) -> Result<()> {
    for row in rows {
        let locked = row.between("(", ")").typed::<diesel::sql_types::Nullable<diesel::sql_types::Integer>>();
        diesel::select(locked).get_result::<Option<i32>>(connection)?;
    }
    Ok(())
}

/*END TOTALS*//// Refuses a row with wrong fields. The messages also name the references that the caller cannot use.
pub fn check_fields(connection: &mut Connection, mut errors: FieldErrors, references: impl FnOnce() -> Vec<Check>) -> Result<()> {
    if !errors.is_empty() {
        for check in references() {
            if !holds(connection, check.condition)? {
                check.problem.fields.iter().for_each(|(field, messages)| errors.add(field, messages.join(", ")));
            }
        }
    }
    errors.into_result()
}

/// The number of a new row. PostgreSQL has a sequence for it; the numbers of SQLite are those that it would choose itself.
pub fn next_number(connection: &mut Connection, table: &str, key: &str) -> Result<i64> {
    let number = match cfg!(feature = "postgres") {
        true => format!("nextval(pg_get_serial_sequence('{table}', '{key}'))"),
        false => format!("(SELECT COALESCE(MAX(\"{key}\"), 0) + 1 FROM {table})"),
    };
    let select = diesel::select(Sql::text(number).typed::<diesel::sql_types::BigInt>());
    Ok(select.get_result(connection)?)
}

fn holds(connection: &mut Connection, condition: Sql) -> Result<bool> {
    if condition == constant(true) {
        return Ok(true);
    }
    Ok(diesel::select(condition).get_result(connection)?)
}

fn merge(mut first: Problem, other: Problem) -> Problem {
    if first.code == other.code && first.code == "REFERENCE" {
        // The sentence is the same for every field.
    } else if other.fields.is_empty() && !first.detail.contains(&other.detail) {
        first.detail = format!("{}; {}", first.detail, other.detail);
    }
    for (field, messages) in other.fields {
        let known = first.fields.entry(field).or_default();
        messages.into_iter().for_each(|message| {
            if !known.contains(&message) {
                known.push(message);
            }
        });
    }
    first
}

/// The row that was found, if the caller may read it and do `verb` with it.
pub fn admit<T>(found: Option<(bool, bool, T)>, title: &str, verb: &str) -> Result<T> {
    match found {
        Some((true, true, row)) => Ok(row),
        Some((true, false, _)) => Err(Problem::forbidden(format!("You may see this {title} but not {verb} it"))),
        Some((false, _, _)) | None => Err(Problem::not_found()),
    }
}

/// Refuses a change of a row that has changed since the caller read it.
pub fn check_version(stored: i64, seen: Option<i64>) -> Result<()> {
    match seen {
        Some(seen) if seen != stored => Err(Problem::new(412, "STALE", "This row has changed since you loaded it")),
        _ => Ok(()),
    }
}

/// The refusal of a row that the rule does not cover; it names the fields that the caller sent.
pub fn not_covered(title: &str, sent: &[&str]) -> Problem {
    let problem = Problem::forbidden(match sent.is_empty() {
        true => format!("You may not store this {title}"),
        false => format!("You may not store this {title} with these values: {}", sent.join(", ")),
    });
    sent.iter().fold(problem, |problem, name| problem.at(name, "is not allowed in your rows"))
}
