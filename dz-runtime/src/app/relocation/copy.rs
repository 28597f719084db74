//! Copies the rows of a table in batches, and computes a digest of a table that does not depend on the engine or the order of rows.

use std::collections::BTreeMap;

use sha2::{Digest as _, Sha256};

use super::{
    refusal,
    table::Table,
    target::{Progress, Target},
};
use crate::{
    Result, Value,
    db::{BindKind, Conn, Statement, schema},
    output::show_step,
    value::storage,
};

/// The number of rows in a batch.
const BATCH: usize = 1_000;
/// PostgreSQL accepts 65,535 parameters in a statement.
const PARAMETERS: usize = 60_000;

/// Reads the rows of a table in the order of its key.
struct Reader<'t> {
    table: &'t Table,
    /// The positions of the key columns.
    key: Vec<usize>,
    /// The key of the last row.
    after: Option<Vec<Value>>,
}

impl<'t> Reader<'t> {
    fn new(conn: &mut Conn, table: &'t Table) -> Result<Reader<'t>> {
        let names = schema::primary_key(conn, &table.name)?;
        let at = |name: &String| table.columns.iter().position(|column| column.name == *name);
        let key: Option<Vec<usize>> = names.iter().map(at).collect();
        match key {
            Some(key) if !key.is_empty() => Ok(Reader { table, key, after: None }),
            _ => Err(refusal(format!("the table `{}` has no key", table.name))),
        }
    }

    fn key_names(&self) -> Statement {
        let mut names = Statement::new();
        for (at, column) in self.key.iter().enumerate() {
            names.push(if at == 0 { "" } else { ", " }).ident(&self.table.columns[*column].name);
        }
        names
    }

    fn select(&self) -> Statement {
        let mut select = Statement::new();
        select.push("SELECT ").append(self.table.column_names()).push(" FROM ").ident(&self.table.name);
        if let Some(after) = &self.after {
            select.push(" WHERE (").append(self.key_names()).push(") > (");
            for (at, (column, value)) in self.key.iter().zip(after).enumerate() {
                select.push(if at == 0 { "" } else { ", " }).bind(value.clone(), self.table.columns[*column].kind);
            }
            select.push(")");
        }
        select.push(" ORDER BY ").append(self.key_names());
        select
    }

    /// Skips rows that an earlier run has copied.
    fn skip(&mut self, conn: &mut Conn, rows: u64) -> Result<()> {
        let Some(last) = rows.checked_sub(1) else { return Ok(()) };
        let mut select = self.select();
        select.push(" LIMIT 1 OFFSET ").bind(Value::Int(i64::try_from(last).unwrap_or(i64::MAX)), BindKind::Int);
        let row = conn.rows(&select, &self.table.kinds())?.pop();
        let row =
            row.ok_or_else(|| refusal(format!("`{}` has fewer rows than were copied before: empty the target database", self.table.name)))?;
        self.set_position(&row);
        Ok(())
    }

    fn set_position(&mut self, row: &[Value]) {
        self.after = Some(self.key.iter().map(|at| row[*at].clone()).collect());
    }

    /// The next rows; empty at the end.
    fn next(&mut self, conn: &mut Conn, limit: usize) -> Result<Vec<Vec<Value>>> {
        let mut select = self.select();
        select.push(&format!(" LIMIT {limit}"));
        let rows = conn.rows(&select, &self.table.kinds())?;
        if let Some(last) = rows.last() {
            let last = last.clone();
            self.set_position(&last);
        }
        Ok(rows)
    }
}

/// Copies the rows that the target does not contain yet.
///
/// # Errors
/// One of the databases is unavailable, or the target refuses a row.
pub(super) fn copy_table(source: &mut Conn, target: &Target, table: &Table) -> Result<()> {
    let mut copied = match target.progress(&table.name)? {
        Progress::Complete => return Ok(()),
        Progress::Rows(rows) => rows,
    };
    let mut reader = Reader::new(source, table)?;
    reader.skip(source, copied)?;
    let limit = (PARAMETERS / table.columns.len().max(1)).clamp(1, BATCH);
    loop {
        let rows = reader.next(source, limit)?;
        let is_last = rows.len() < limit;
        show_step!("{}: copying after {copied} rows", table.name);
        copied += rows.len() as u64;
        let insert = insert(table, &rows);
        target.db.write(&mut |conn| {
            if !rows.is_empty() {
                conn.execute(&insert)?;
            }
            target.record(conn, &table.name, copied, is_last)
        })?;
        if is_last {
            return Ok(());
        }
    }
}

fn insert(table: &Table, rows: &[Vec<Value>]) -> Statement {
    let mut insert = Statement::new();
    insert.push("INSERT INTO ").ident(&table.name).push(" (").append(table.column_names()).push(") VALUES ");
    for (at, row) in rows.iter().enumerate() {
        insert.push(if at == 0 { "(" } else { ", (" });
        for (at, (column, value)) in table.columns.iter().zip(row).enumerate() {
            insert.push(if at == 0 { "" } else { ", " }).bind(value.clone(), column.kind);
        }
        insert.push(")");
    }
    insert.uncacheable();
    insert
}

/// The number of rows of a table, and the sum of the hashes of its rows.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct TableDigest {
    /// The number of rows.
    pub rows: u64,
    sum: u128,
}

/// Reads a whole table.
///
/// # Errors
/// The database is unavailable.
pub(super) fn digest(conn: &mut Conn, table: &Table) -> Result<TableDigest> {
    let mut reader = Reader::new(conn, table)?;
    let mut digest = TableDigest::default();
    loop {
        show_step!("{}: comparing after {} rows", table.name, digest.rows);
        let rows = reader.next(conn, BATCH)?;
        digest.rows += rows.len() as u64;
        for row in &rows {
            digest.sum = digest.sum.wrapping_add(hash(row));
        }
        if rows.len() < BATCH {
            return Ok(digest);
        }
    }
}

fn hash(row: &[Value]) -> u128 {
    let mut hasher = Sha256::new();
    for value in row {
        let text = canonical(value);
        hasher.update((text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    let bytes: [u8; 32] = hasher.finalize().into();
    u128::from_le_bytes(std::array::from_fn(|at| bytes[at]))
}

/// A text that is equal for equal values of both engines.
fn canonical(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(on) => format!("bool {on}"),
        Value::Int(number) => format!("int {number}"),
        // Zero has one sign for both engines.
        Value::Float(number) => format!("float {:016x}", (number + 0.0).to_bits()),
        Value::Decimal(number) => format!("decimal {}", number.normalize()),
        Value::Text(text) => format!("text {text}"),
        Value::Uuid(id) => format!("uuid {id}"),
        Value::Date(day) => format!("date {day}"),
        Value::DateTime(at) => format!("datetime {}", at.timestamp_micros()),
        Value::Json(json) => format!("json {}", storage::json_text(json)),
    }
}

/// The largest number that each table with counted keys has given, which can be that of a deleted row.
pub(super) fn largest_numbers(source: &mut Conn) -> Result<BTreeMap<String, i64>> {
    let mut select = Statement::new();
    select.push("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'");
    // SQLite creates this table with the first counted key.
    if source.rows(&select, &[BindKind::Int])?.is_empty() {
        return Ok(BTreeMap::new());
    }
    let mut select = Statement::new();
    select.push("SELECT name, seq FROM sqlite_sequence");
    let pairs = source.rows(&select, &[BindKind::Text, BindKind::Int])?.into_iter().filter_map(|row| <[Value; 2]>::try_from(row).ok());
    Ok(pairs.filter_map(|pair| if let [Value::Text(table), Value::Int(number)] = pair { Some((table, number)) } else { None }).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_text_of_a_value_does_not_depend_on_its_form() {
        let decimal = |text: &str| canonical(&Value::Decimal(text.parse().expect("a decimal")));
        assert_eq!(decimal("1.50"), decimal("1.5"));
        let facts = |json| canonical(&Value::Json(json));
        assert_eq!(facts(json!({"b": [1, {"d": 2, "c": 3}], "a": "x"})), facts(json!({"a": "x", "b": [1, {"c": 3, "d": 2}]})));
        assert_ne!(canonical(&Value::Null), canonical(&Value::Text("null".into())));
    }

    #[test]
    fn a_digest_depends_on_every_value() {
        let row = |text: &str| vec![Value::Text(text.into()), Value::Int(1)];
        assert_ne!(hash(&row("a")), hash(&row("b")));
        assert_ne!(hash(&[Value::Text("ab".into()), Value::Text("c".into())]), hash(&[Value::Text("a".into()), Value::Text("bc".into())]));
    }
}
