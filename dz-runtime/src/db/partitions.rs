//! Partitions by month of dz's own tables on PostgreSQL: they are created ahead of time, and dropped with all their rows.
//!
//! A table has partitions if its project declares them. `dz_audit_log_m2026_11` has the rows of a month, `dz_audit_log_before_2026_11`
//! those of a table that was divided later, and `dz_audit_log_rest` every other row.

use std::{borrow::Cow, collections::HashMap};

use chrono::{DateTime, Datelike, Months, NaiveDate, Utc};

use super::{BindKind, Conn, Statement};
use crate::{Engine, Result, Value};

/// The number of months that have a partition before they begin.
const AHEAD: u32 = 2;

/// Identifies the changes of partitions among the advisory locks of a PostgreSQL server ("dz parts" in bytes).
const LOCK: i64 = 0x647a_2070_6172_7473;

/// The longest time for which a change of partitions waits for the statements of others, and lets later ones wait: less than the time
/// after which PostgreSQL looks for a deadlock.
const PATIENCE: &str = "SET LOCAL lock_timeout = '500ms'";

/// A table that is divided by month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Divided {
    /// The table.
    pub table: String,
    /// The column with the time of a row.
    column: String,
}

impl Divided {
    /// The partition with the rows of all other times.
    pub fn rest(&self) -> String {
        format!("{}_rest", self.table)
    }

    /// The names of the partitions.
    fn parts(&self, conn: &mut Conn) -> Result<Vec<String>> {
        let mut select = Statement::new();
        select
            .push("SELECT c.relname::text FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent");
        select.push(" WHERE p.relnamespace = current_schema()::regnamespace AND p.relname = ");
        select.bind(Value::Text(self.table.clone()), BindKind::Text);
        let names = conn.rows(&select, &[BindKind::Text])?.into_iter().flatten();
        Ok(names.filter_map(|name| if let Value::Text(name) = name { Some(name) } else { None }).collect())
    }

    /// The time at which the rows of a partition end; `None` for the rest.
    fn end(&self, part: &str) -> Option<DateTime<Utc>> {
        let name = part.strip_prefix(self.table.as_str())?;
        match name.strip_prefix("_m") {
            Some(month) => next_month(read_month(month)?),
            None => read_month(name.strip_prefix("_before_")?),
        }
    }
}

/// The tables of the database that are divided by month; none on SQLite.
pub(crate) fn divided(conn: &mut Conn) -> Result<Vec<Divided>> {
    if conn.engine() == Engine::Sqlite {
        return Ok(Vec::new());
    }
    let mut select = Statement::new();
    select.push(
        "SELECT c.relname::text, a.attname::text FROM pg_partitioned_table p JOIN pg_class c ON c.oid = p.partrelid \
         JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = p.partattrs[0] WHERE p.partstrat = 'r' AND p.partdefid <> 0 \
         AND c.relnamespace = current_schema()::regnamespace AND starts_with(c.relname, 'dz_') ORDER BY 1",
    );
    let read = |row: Vec<Value>| match <[Value; 2]>::try_from(row) {
        Ok([Value::Text(table), Value::Text(column)]) => Some(Divided { table, column }),
        _ => None,
    };
    Ok(conn.rows(&select, &[BindKind::Text; 2])?.into_iter().filter_map(read).collect())
}

/// The columns of each constraint, also of the unique indexes of partitions, which PostgreSQL names in errors. `declared` are those of
/// the tables.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn constraints(conn: &mut Conn, declared: &'static str) -> Result<Cow<'static, str>> {
    if conn.engine() == Engine::Sqlite {
        return Ok(Cow::Borrowed(declared));
    }
    let mut select = Statement::new();
    select.push(
        "SELECT c.relname::text, p.relname::text FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid \
         JOIN pg_class p ON p.oid = i.inhparent WHERE p.relkind = 'I' AND p.relnamespace = current_schema()::regnamespace",
    );
    let of_table: HashMap<&str, &str> = declared.lines().filter_map(|line| line.split_once('\t')).collect();
    let mut all = Cow::Borrowed(declared);
    for row in conn.rows(&select, &[BindKind::Text; 2])? {
        if let Ok([Value::Text(part), Value::Text(index)]) = <[Value; 2]>::try_from(row)
            && let Some(columns) = of_table.get(index.as_str())
        {
            all.to_mut().push_str(&format!("{part}\t{columns}\n"));
        }
    }
    Ok(all)
}

/// Creates the partitions of this month and of the next ones. The result is their number.
///
/// # Errors
/// 503 if the database is unavailable, and an error if other statements hold the table for long, or if the role does not own it.
pub(crate) fn prepare(conn: &mut Conn, now: DateTime<Utc>) -> Result<usize> {
    let tables = divided(conn)?;
    if tables.is_empty() || !lock(conn)? {
        return Ok(0);
    }
    let mut count = 0;
    for table in tables {
        let parts = table.parts(conn)?;
        for ahead in 0..=AHEAD {
            let Some(start) = month_of(now).checked_add_months(Months::new(ahead)) else { continue };
            let (Some(end), name) = (next_month(start), format!("{}_m{}", table.table, start.format("%Y_%m"))) else { continue };
            let covers = |part: &String| part.contains("_before_") && table.end(part).is_some_and(|until| until > start);
            if parts.contains(&name) || parts.iter().any(covers) || has_rows(conn, &table, start, end)? {
                continue;
            }
            conn.batch(&format!(
                "CREATE TABLE \"{name}\" PARTITION OF \"{}\" FOR VALUES FROM ('{}') TO ('{}')",
                table.table,
                start.to_rfc3339(),
                end.to_rfc3339()
            ))?;
            count += 1;
        }
    }
    Ok(count)
}

/// True if the rest has rows of a month, which then gets no partition: its rows would have to be copied.
fn has_rows(conn: &mut Conn, table: &Divided, start: DateTime<Utc>, end: DateTime<Utc>) -> Result<bool> {
    let mut select = Statement::new();
    select.push("SELECT EXISTS (SELECT 1 FROM ").ident(&table.rest()).push(" WHERE ").ident(&table.column);
    select.push(" >= ").bind(Value::DateTime(start), BindKind::DateTime).push(" AND ").ident(&table.column);
    select.push(" < ").bind(Value::DateTime(end), BindKind::DateTime).push(")");
    is_true(conn, &select)
}

/// The partitions whose rows are all older than a time.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn find_ended(conn: &mut Conn, table: &Divided, before: DateTime<Utc>) -> Result<Vec<String>> {
    let parts = table.parts(conn)?.into_iter();
    Ok(parts.filter(|part| table.end(part).is_some_and(|end| end <= before)).collect())
}

/// Drops a partition, unless `needed` selects true; true if it is dropped. Each one has a transaction of its own, so that no request waits
/// for more than one.
///
/// # Errors
/// As [`prepare`].
pub(crate) fn drop_part(conn: &mut Conn, table: &Divided, part: &str, needed: Option<&Statement>) -> Result<bool> {
    let is_needed = |conn: &mut Conn| needed.map_or(Ok(false), |select| is_true(conn, select));
    if !lock(conn)? || is_needed(conn)? {
        return Ok(false);
    }
    // As readers lock them: the table first. No other transaction adds a row between the second question and the answer.
    conn.batch(&format!("LOCK TABLE ONLY \"{}\", ONLY \"{part}\" IN ACCESS EXCLUSIVE MODE", table.table))?;
    if is_needed(conn)? {
        return Ok(false);
    }
    conn.batch(&format!("DROP TABLE \"{part}\""))?;
    Ok(true)
}

/// Lets one instance at a time change partitions; false if another one does.
fn lock(conn: &mut Conn) -> Result<bool> {
    conn.batch(PATIENCE)?;
    let mut select = Statement::new();
    select.push("SELECT pg_try_advisory_xact_lock(").bind(Value::Int(LOCK), BindKind::Int).push(")");
    is_true(conn, &select)
}

fn is_true(conn: &mut Conn, select: &Statement) -> Result<bool> {
    Ok(conn.rows(select, &[BindKind::Bool])?.into_iter().flatten().next() == Some(Value::Bool(true)))
}

/// The start of the month of a time, in UTC.
pub(crate) fn month_of(time: DateTime<Utc>) -> DateTime<Utc> {
    time.date_naive().with_day(1).and_then(start_of).unwrap_or(time)
}

fn next_month(start: DateTime<Utc>) -> Option<DateTime<Utc>> {
    start.checked_add_months(Months::new(1))
}

/// `2026_11`
fn read_month(text: &str) -> Option<DateTime<Utc>> {
    let (year, month) = text.split_once('_')?;
    NaiveDate::from_ymd_opt(year.parse().ok()?, month.parse().ok()?, 1).and_then(start_of)
}

fn start_of(day: NaiveDate) -> Option<DateTime<Utc>> {
    day.and_hms_opt(0, 0, 0).map(|time| time.and_utc())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_partition_ends_with_its_month() {
        let table = Divided { table: "dz_audit_log".to_owned(), column: "at".to_owned() };
        let end = |part: &str| table.end(part).map(|end| end.to_rfc3339());
        assert_eq!(end("dz_audit_log_m2026_12").as_deref(), Some("2027-01-01T00:00:00+00:00"));
        assert_eq!(end("dz_audit_log_before_2026_12").as_deref(), Some("2026-12-01T00:00:00+00:00"));
        assert_eq!(end("dz_audit_log_rest"), None);
        assert_eq!(end("dz_audit_log_m2026_13"), None);
        assert_eq!(end("dz_outbox_m2026_12"), None);
    }

    #[test]
    fn a_month_begins_in_utc() {
        let time = "2026-03-31T23:59:59.5Z".parse().expect("a time");
        assert_eq!(month_of(time).to_rfc3339(), "2026-03-01T00:00:00+00:00");
    }
}
