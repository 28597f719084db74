//! The catalogue of a database, in a form that does not depend on the order of creation.

use crate::{
    Value,
    db::{BindKind, Conn, Statement, catalogue},
};

/// The objects of the catalogue, one line for each, sorted.
pub(super) fn read(conn: &mut Conn) -> Vec<String> {
    catalogue::read(conn).unwrap().into_iter().map(|fact| format!("{}: {}", fact.table, fact.text)).collect()
}

/// Panics with the differences.
#[track_caller]
pub(super) fn same(found: &[String], wanted: &[String], told: &str) {
    let missing: Vec<_> = wanted.iter().filter(|line| !found.contains(line)).collect();
    let more: Vec<_> = found.iter().filter(|line| !wanted.contains(line)).collect();
    assert!(missing.is_empty() && more.is_empty(), "missing: {missing:#?}\ntoo many: {more:#?}\n{told}");
}

/// Removes every table.
pub(in crate::db::tests) fn clear(conn: &mut Conn) {
    let tables = texts(conn, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'", 1);
    let drops: String = tables.iter().map(|row| format!("DROP TABLE \"{}\";", row[0])).collect();
    conn.script(&format!("PRAGMA foreign_keys = OFF; {drops} PRAGMA foreign_keys = ON")).unwrap();
}

pub(in crate::db::tests) fn texts(conn: &mut Conn, sql: &str, columns: usize) -> Vec<Vec<String>> {
    let mut statement = Statement::new();
    statement.push(sql);
    let rows = conn.rows(&statement, &vec![BindKind::Text; columns]).unwrap_or_else(|error| panic!("{error:?}\n{sql}"));
    let text = |value| match value {
        Value::Text(text) => text,
        _ => String::new(),
    };
    rows.into_iter().map(|row| row.into_iter().map(text).collect()).collect()
}
