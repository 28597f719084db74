//! What a database says of itself, in a form that does not depend on the order in which things were made.

use crate::{
    Engine, Value,
    db::{BindKind, Conn, Statement},
};

/// Everything in the catalogue, a line each, sorted.
pub(super) fn read(conn: &mut Conn) -> Vec<String> {
    let mut lines = match conn.engine() {
        Engine::Sqlite => sqlite(conn),
        Engine::Postgres => postgres(conn),
    };
    lines.sort();
    lines
}

/// Says what differs.
#[track_caller]
pub(super) fn same(found: &[String], wanted: &[String], told: &str) {
    let missing: Vec<_> = wanted.iter().filter(|line| !found.contains(line)).collect();
    let more: Vec<_> = found.iter().filter(|line| !wanted.contains(line)).collect();
    assert!(missing.is_empty() && more.is_empty(), "missing: {missing:#?}\ntoo many: {more:#?}\n{told}");
}

/// Removes every table.
pub(super) fn clear(conn: &mut Conn) {
    let tables = texts(conn, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'", 1);
    let drops: String = tables.iter().map(|row| format!("DROP TABLE \"{}\";", row[0])).collect();
    conn.script(&format!("PRAGMA foreign_keys = OFF; {drops} PRAGMA foreign_keys = ON")).unwrap();
}

pub(super) fn texts(conn: &mut Conn, sql: &str, columns: usize) -> Vec<Vec<String>> {
    let mut statement = Statement::new();
    statement.push(sql);
    let rows = conn.rows(&statement, &vec![BindKind::Text; columns]).unwrap_or_else(|error| panic!("{error:?}\n{sql}"));
    let text = |value| match value {
        Value::Text(text) => text,
        _ => String::new(),
    };
    rows.into_iter().map(|row| row.into_iter().map(text).collect()).collect()
}

/// The statements that SQLite keeps: a table's as its name and the set of its parts.
fn sqlite(conn: &mut Conn) -> Vec<String> {
    let rows =
        texts(conn, "SELECT type, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite~_%' ESCAPE '~'", 3);
    let mut lines = Vec::new();
    for row in rows {
        let [kind, table, sql] = row.as_slice() else { continue };
        if kind == "table" {
            let (_, inner) = sql.split_once('(').expect("columns");
            let (inner, end) = inner.rsplit_once(')').expect("an end");
            lines.push(format!("{table}: {}", end.trim()));
            lines.extend(parts(inner).into_iter().map(|part| format!("{table}: {part}")));
        } else {
            lines.push(sql.clone());
        }
    }
    lines
}

/// The parts between commas that stand in no brackets and no quotes.
fn parts(text: &str) -> Vec<String> {
    let (mut parts, mut current, mut depth, mut quote) = (Vec::new(), String::new(), 0, None);
    for c in text.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            (None, ',') if depth == 0 => {
                parts.push(std::mem::take(&mut current));
                continue;
            }
            _ => {}
        }
        current.push(c);
    }
    parts.push(current);
    parts.iter().map(|part| part.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

fn postgres(conn: &mut Conn) -> Vec<String> {
    let queries = [
        "SELECT 'column ' || c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull || ' ' \
         || a.attidentity::text || ' ' || coalesce(pg_get_expr(d.adbin, d.adrelid), '-') || ' ' || coalesce(l.collname, '-') \
         FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum \
         LEFT JOIN pg_collation l ON l.oid = a.attcollation \
         WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped",
        "SELECT 'constraint ' || c.conname || ' ' || r.relname || ' ' || pg_get_constraintdef(c.oid) || ' ' || c.convalidated \
         FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid WHERE r.relnamespace = 'public'::regnamespace",
        "SELECT 'index ' || indexdef FROM pg_indexes WHERE schemaname = 'public'",
        "SELECT 'trigger ' || pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class r ON r.oid = t.tgrelid \
         WHERE r.relnamespace = 'public'::regnamespace AND NOT t.tgisinternal",
        "SELECT 'fence ' || relname || ' ' || relrowsecurity || ' ' || relforcerowsecurity FROM pg_class \
         WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'",
        "SELECT 'policy ' || tablename || ' ' || policyname || ' ' || coalesce(qual, '-') FROM pg_policies WHERE schemaname = 'public'",
    ];
    queries.iter().flat_map(|query| texts(conn, query, 1)).flatten().collect()
}
