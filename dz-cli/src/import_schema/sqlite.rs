//! The catalogue of an SQLite database.

use rusqlite::{Connection, OpenFlags, Row};

use super::{
    found::{Column, Database, Index, Reference, Table},
    sql::{Expr, Token, parse, tokens},
};

/// Reads the catalogue of a file.
pub fn read(path: &str) -> Result<Database, String> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags).map_err(|error| format!("{path} cannot be opened: {error}"))?;
    let name = std::path::Path::new(path).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    read_all(&conn, name).map_err(|error| format!("{path} cannot be read: {error}"))
}

fn read_all(conn: &Connection, name: String) -> rusqlite::Result<Database> {
    let mut database = Database { name, ..Database::default() };
    let objects = rows(
        conn,
        "SELECT type, name, tbl_name, COALESCE(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY name",
        [],
        |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?, row.get::<_, String>(3)?)),
    )?;
    for (kind, name, _, sql) in &objects {
        match kind.as_str() {
            "table" if is_virtual(sql) => database.others.push(format!("the virtual table `{name}`")),
            "table" => database.tables.push(table(conn, name, sql)?),
            "view" => database.others.push(format!("the view `{name}`")),
            _ => {}
        }
    }
    for (_, name, of, _) in objects.iter().filter(|(kind, ..)| kind == "trigger") {
        if let Some(table) = database.tables.iter_mut().find(|table| table.name == *of) {
            table.triggers.push(name.clone());
        }
    }
    Ok(database)
}

fn rows<T>(
    conn: &Connection,
    sql: &str,
    values: impl rusqlite::Params,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Vec<T>> {
    conn.prepare(sql)?.query_map(values, read)?.collect()
}

fn is_virtual(sql: &str) -> bool {
    sql.split_whitespace().nth(1).is_some_and(|word| word.eq_ignore_ascii_case("virtual"))
}

fn table(conn: &Connection, name: &str, sql: &str) -> rusqlite::Result<Table> {
    let columns =
        rows(conn, "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(?1) ORDER BY cid", [name], |row| {
            let column = Column {
                name: row.get(0)?,
                ty: row.get(1)?,
                required: row.get(2)?,
                default: row.get(3)?,
                generated: row.get::<_, i64>(5)? > 1,
            };
            Ok((column, row.get::<_, i64>(4)?))
        })?;
    let mut primary: Vec<(i64, String)> = columns.iter().filter(|(_, pk)| *pk > 0).map(|(column, pk)| (*pk, column.name.clone())).collect();
    primary.sort();
    let mut columns: Vec<Column> = columns.into_iter().map(|(column, _)| column).collect();
    let mut checks = checks(sql);
    // SQLite has no type for UUIDs.
    checks.retain(|check| match sixteen_bytes(check).and_then(|name| columns.iter_mut().find(|it| it.name == name)) {
        Some(column) if column.ty.eq_ignore_ascii_case("blob") => {
            column.ty = "uuid".to_owned();
            false
        }
        _ => true,
    });
    Ok(Table {
        name: name.to_owned(),
        comment: None,
        columns,
        primary: primary.into_iter().map(|(_, name)| name).collect(),
        references: references(conn, name)?,
        indexes: indexes(conn, name)?,
        checks,
        triggers: Vec::new(),
    })
}

/// The column of `length(c) = 16`.
fn sixteen_bytes(check: &str) -> Option<String> {
    let Ok(Expr::Binary("=", left, right)) = parse(check) else { return None };
    let (Expr::Call(function, arguments), Expr::Number(number)) = (*left, *right) else { return None };
    match arguments.as_slice() {
        [Expr::Column(name)] if function == "length" && number == "16" => Some(name.clone()),
        _ => None,
    }
}

fn references(conn: &Connection, table: &str) -> rusqlite::Result<Vec<Reference>> {
    let parts = rows(
        conn,
        "SELECT id, \"table\", \"from\", \"to\", on_delete FROM pragma_foreign_key_list(?1) ORDER BY id, seq",
        [table],
        |row| {
            Ok((
                row.get::<_, i64>(0)?,
                row.get::<_, String>(1)?,
                row.get::<_, String>(2)?,
                row.get::<_, Option<String>>(3)?,
                row.get::<_, String>(4)?,
            ))
        },
    )?;
    let mut found: Vec<(i64, Reference)> = Vec::new();
    for (id, target, from, to, on_delete) in parts {
        if found.last().is_none_or(|(last, _)| *last != id) {
            found.push((id, Reference { columns: Vec::new(), table: target, targets: Vec::new(), on_delete }));
        }
        if let Some((_, reference)) = found.last_mut() {
            reference.columns.push(from);
            reference.targets.extend(to);
        }
    }
    Ok(found.into_iter().map(|(_, reference)| reference).collect())
}

fn indexes(conn: &Connection, table: &str) -> rusqlite::Result<Vec<Index>> {
    let listed = rows(
        conn,
        "SELECT i.name, i.\"unique\", s.sql FROM pragma_index_list(?1) i LEFT JOIN sqlite_schema s ON s.name = i.name AND s.type = 'index' \
         WHERE i.origin != 'pk' ORDER BY i.name",
        [table],
        |row| Ok((row.get::<_, String>(0)?, row.get::<_, bool>(1)?, row.get::<_, Option<String>>(2)?)),
    )?;
    let mut found = Vec::new();
    for (name, unique, sql) in listed {
        let columns = rows(conn, "SELECT name, \"desc\" FROM pragma_index_xinfo(?1) WHERE key = 1 ORDER BY seqno", [&name], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
        found.push(Index { name, columns, unique, condition: sql.as_deref().and_then(condition) });
    }
    Ok(found)
}

/// The condition of a partial index.
fn condition(sql: &str) -> Option<String> {
    let all = tokens(sql).ok()?;
    let at = all.iter().position(|token| token.is("where"))?;
    Some(sql[all[at].end..].trim().to_owned())
}

/// The conditions of `CHECK (…)` in a definition, which the catalogue does not list.
fn checks(sql: &str) -> Vec<String> {
    let Ok(all) = tokens(sql) else { return Vec::new() };
    let opens = |at: usize| all.get(at + 1).is_some_and(|token: &Token| token.is("("));
    let found = all.iter().enumerate().filter(|(at, token)| token.is("check") && opens(*at));
    found.filter_map(|(at, _)| Some(sql[all[at + 1].end..all.get(closing(&all, at + 1)?)?.start].trim().to_owned())).collect()
}

/// The token that closes a parenthesis.
fn closing(all: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, token) in all.iter().enumerate().skip(open) {
        depth += i32::from(token.is("(")) - i32::from(token.is(")"));
        if depth == 0 {
            return Some(at);
        }
    }
    None
}
