//! The schema: creation in an empty database, and comparison with an existing one.

use std::borrow::Cow;

use dz_vocabulary::{field_of_column, migration::PREVIOUS_SCHEMA};

use super::{BindKind, Conn, Statement, catalogue, migrate, partitions};
use crate::{
    Engine, Error, Value,
    def::{AppDef, MigrationDef, SchemaDef},
};

/// A column as the database reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Column {
    name: String,
    ty: String,
    required: bool,
}

/// A table with its columns.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Table {
    name: String,
    columns: Vec<Column>,
}

/// The state of the database at start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// An empty database; the schema was created.
    Created,
    /// The schema matches the application.
    Matching,
}

/// Identifies dz among the advisory locks of a PostgreSQL server ("dz schem" in bytes).
pub(super) const LOCK: i64 = 0x647a_2073_6368_656d;

/// Creates the schema in an empty database, or compares the existing one with the application. An application with pending
/// migrations is refused.
///
/// It runs in one transaction under a lock, so that processes that start at the same time create the schema once.
///
/// # Errors
/// One sentence with the difference and the correction, if the database has another schema or belongs to another program.
pub fn prepare(conn: &mut Conn, app: &'static AppDef) -> Result<State, Error> {
    conn.transaction(&mut |conn| {
        let state = prepare_tables(conn, app)?;
        let constraints = partitions::constraints(conn, schema_for(app, conn.engine()).constraints)?;
        conn.set_constraints(constraints);
        Ok(state)
    })
}

fn prepare_tables(conn: &mut Conn, app: &'static AppDef) -> Result<State, Error> {
    let engine = conn.engine();
    let schema = schema_for(app, engine);
    if engine == Engine::Postgres {
        if is_ready(conn, app)? {
            return Ok(State::Matching);
        }
        migrate::wait_for_process(conn, "pg_try_advisory_xact_lock")?;
    }
    let migrations = app.schema.migrations_for(engine);
    let found = introspect(conn)?;
    if found.is_empty() {
        if !migrations.is_empty() {
            return Err(refusal("the database is empty: create its tables with the command `migrate`".to_owned()));
        }
        create(conn, schema)?;
        return Ok(State::Created);
    }
    if !found.iter().any(|table| table.name == "dz_meta") {
        let names: Vec<_> = found.iter().take(3).map(|table| format!("`{}`", table.name)).collect();
        return Err(refusal(format!(
            "the database contains tables of another application ({}): name an empty database in `DATABASE_URL`",
            names.join(", ")
        )));
    }
    if let [next, rest @ ..] = migrate::pending(conn, app)?.as_slice() {
        return Err(refusal(format!(
            "the database lacks the migration `{}`{}: apply pending migrations with the command `migrate`",
            next.name,
            if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) }
        )));
    }
    check_tables(conn, schema, migrations, &found).map(|()| State::Matching)
}

/// True if the database has the schema of the application already. An instance then starts while another process migrates, for
/// example when one of a previous version is restarted during an online migration.
fn is_ready(conn: &mut Conn, app: &'static AppDef) -> Result<bool, Error> {
    let engine = conn.engine();
    let is_ours = introspect(conn)?.iter().any(|table| table.name == "dz_meta");
    Ok(is_ours && migrate::pending(conn, app)?.is_empty() && accepts(conn, schema_for(app, engine).fingerprint)?)
}

/// True if the database has the schema with this fingerprint, or an expanded one with which instances of this schema can still run.
fn accepts(conn: &mut Conn, fingerprint: &str) -> Result<bool, Error> {
    let Some(stored) = stored_fingerprint(conn)? else { return Ok(false) };
    Ok(stored == fingerprint || read_meta(conn, PREVIOUS_SCHEMA)?.is_some_and(|previous| previous == format!("{stored} {fingerprint}")))
}

/// The fingerprint of a database into which data is being copied.
pub(crate) const COPYING: &str = "copying";

/// Replaces the fingerprint of the schema in the database.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn set_fingerprint(conn: &mut Conn, fingerprint: &str) -> Result<(), Error> {
    let mut upsert = Statement::new();
    upsert.push("INSERT INTO dz_meta (key, value) VALUES ('schema', ").bind(Value::Text(fingerprint.into()), BindKind::Text);
    upsert.push(") ON CONFLICT (key) DO UPDATE SET value = excluded.value");
    conn.execute(&upsert).map(drop)
}

/// The columns of the primary key of a table, in their order.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn primary_key(conn: &mut Conn, table: &str) -> Result<Vec<String>, Error> {
    let mut select = Statement::new();
    match conn.engine() {
        Engine::Sqlite => {
            select.push("SELECT name FROM pragma_table_info(").bind(Value::Text(table.into()), BindKind::Text);
            select.push(") WHERE pk > 0 ORDER BY pk");
        }
        Engine::Postgres => {
            select.push(
                "SELECT a.attname::text FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)",
            );
            select.push(" WHERE i.indisprimary AND i.indrelid = to_regclass(quote_ident(").bind(Value::Text(table.into()), BindKind::Text);
            select.push(")) ORDER BY array_position(i.indkey::int2[], a.attnum)");
        }
    }
    let names = conn.rows(&select, &[BindKind::Text])?.into_iter().flatten();
    Ok(names.filter_map(|name| if let Value::Text(name) = name { Some(name) } else { None }).collect())
}

/// Compares the catalogue of the database with the declaration, without changes: tables, columns, constraints, indexes, triggers
/// and policies. Tables and plain indexes that an operator added are ignored. Returns false if the role may not create the schema
/// that PostgreSQL needs to compare more than columns.
///
/// # Errors
/// One sentence with the difference and the correction.
pub fn compare(conn: &mut Conn, app: &'static AppDef) -> Result<bool, Error> {
    let engine = conn.engine();
    conn.set_constraints(Cow::Borrowed(schema_for(app, engine).constraints));
    let found = introspect(conn)?;
    if found.is_empty() {
        return Err(refusal("the database is empty: start the application, which creates its tables".to_owned()));
    }
    if found.iter().any(|table| table.name == "dz_meta") {
        stored_fingerprint(conn)?.map_or(Ok(()), |stored| refuse_copying(&stored))?;
    }
    let (schema, migrations) = (schema_for(app, engine), app.schema.migrations_for(engine));
    let expected = expected_tables(schema);
    let own: Vec<Table> = found.iter().filter(|table| expected.iter().any(|other| other.name == table.name)).cloned().collect();
    let mut differing = all_differences(&own, &expected);
    let compared = if differing.is_empty() { catalogue::differences(conn, schema.sql)? } else { None };
    differing.extend(compared.iter().flatten().cloned());
    match differing.is_empty() {
        true => check_tables(conn, schema, migrations, &found).map(|()| compared.is_some()),
        false => Err(refusal(format!(
            "the database differs from the declaration: {}; revert the change in the database, or write a migration with `dz migrate diff`",
            join_names(&differing)
        ))),
    }
}

/// Refuses a database into which data is being copied.
fn refuse_copying(fingerprint: &str) -> Result<(), Error> {
    match fingerprint == COPYING {
        true => Err(refusal("data is being copied into the database: complete it with the command `move` of the source".to_owned())),
        false => Ok(()),
    }
}

/// Refuses a database whose schema differs from the declared one.
fn check_tables(conn: &mut Conn, schema: &SchemaDef, migrations: &[MigrationDef], found: &[Table]) -> Result<(), Error> {
    if accepts(conn, schema.fingerprint)? {
        return Ok(());
    }
    stored_fingerprint(conn)?.map_or(Ok(()), |stored| refuse_copying(&stored))?;
    let differences = differences(found, &expected_tables(schema));
    Err(refusal(match migrations {
        [] => format!(
            "the database differs from the declaration: {differences}; write a migration with `dz migrate diff`, change it by hand, or name an \
             empty database in `DATABASE_URL`"
        ),
        _ => format!("the declaration has changed since the last migration: {differences}; write the next one with `dz migrate diff`"),
    }))
}

/// True if the database has no table except the list of migrations.
pub(super) fn is_empty(conn: &mut Conn) -> Result<bool, Error> {
    Ok(introspect(conn)?.is_empty())
}

#[cfg(not(all(test, feature = "sqlite", feature = "postgres")))]
fn schema_for(app: &'static AppDef, engine: Engine) -> &'static SchemaDef {
    app.schema.for_engine(engine)
}

/// Descriptions in tests get the schema that the language would generate.
#[cfg(all(test, feature = "sqlite", feature = "postgres"))]
fn schema_for(app: &'static AppDef, engine: Engine) -> &'static SchemaDef {
    if app.schema.for_engine(engine).sql.is_empty() {
        super::testing::schema::build_schema(app, engine)
    } else {
        app.schema.for_engine(engine)
    }
}

pub(super) fn refusal(sentence: String) -> Error {
    Error::new(500, "DATABASE", sentence)
}

fn create(conn: &mut Conn, schema: &SchemaDef) -> Result<(), Error> {
    conn.batch(schema.sql)?;
    set_fingerprint(conn, schema.fingerprint)
}

/// The declared tables.
fn expected_tables(schema: &SchemaDef) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    for line in schema.columns.lines() {
        let mut parts = line.split('\t').map(str::to_owned);
        let (Some(table), Some(name), Some(ty), required) = (parts.next(), parts.next(), parts.next(), parts.next()) else { continue };
        if tables.last().is_none_or(|last| last.name != table) {
            tables.push(Table { name: table, columns: Vec::new() });
        }
        let column = Column { name, ty, required: required.as_deref() == Some("!") };
        tables.last_mut().into_iter().for_each(|table| table.columns.push(column.clone()));
    }
    tables
}

pub(super) fn stored_fingerprint(conn: &mut Conn) -> Result<Option<String>, Error> {
    read_meta(conn, "schema")
}

/// A fact about the database.
fn read_meta(conn: &mut Conn, key: &str) -> Result<Option<String>, Error> {
    let mut select = Statement::new();
    select.push("SELECT value FROM dz_meta WHERE key = ").bind(Value::Text(key.to_owned()), BindKind::Text);
    let rows = conn.rows(&select, &[BindKind::Text])?;
    Ok(match rows.into_iter().flatten().next() {
        Some(Value::Text(fingerprint)) => Some(fingerprint),
        _ => None,
    })
}

/// The existing tables.
fn introspect(conn: &mut Conn) -> Result<Vec<Table>, Error> {
    let mut select = Statement::new();
    select.push(match conn.engine() {
        Engine::Sqlite => {
            "SELECT t.name, c.name, c.type, c.\"notnull\" FROM sqlite_schema t JOIN pragma_table_info(t.name) c \
             WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY t.name, c.cid"
        }
        Engine::Postgres => {
            "SELECT t.relname::text, a.attname::text, format_type(a.atttypid, a.atttypmod), a.attnotnull \
             FROM pg_class t LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped \
             WHERE t.relkind IN ('r', 'p') AND NOT t.relispartition AND t.relnamespace = current_schema()::regnamespace ORDER BY t.relname, a.attnum"
        }
    });
    let rows = conn.rows(&select, &[BindKind::Text, BindKind::Text, BindKind::Text, BindKind::Bool])?;
    let mut tables: Vec<Table> = Vec::new();
    for row in rows {
        let mut row = row.into_iter();
        let Some(Value::Text(table)) = row.next() else { continue };
        if tables.last().is_none_or(|last| last.name != table) {
            tables.push(Table { name: table, columns: Vec::new() });
        }
        if let (Some(Value::Text(name)), Some(Value::Text(ty)), Some(Value::Bool(required)), Some(last)) =
            (row.next(), row.next(), row.next(), tables.last_mut())
        {
            last.columns.push(Column { name: field_of_column(&name).to_owned(), ty, required });
        }
    }
    tables.retain(|table| table.name != migrate::APPLIED);
    Ok(tables)
}

/// The differences as a short text.
fn differences(found: &[Table], expected: &[Table]) -> String {
    match all_differences(found, expected).as_slice() {
        [] => "its constraints or indexes differ".into(),
        all => join_names(all),
    }
}

/// The first differences; more do not help to find the cause.
fn join_names(all: &[String]) -> String {
    const MAX_NAMES: usize = 5;
    match all.len() {
        count if count > MAX_NAMES => format!("{}, and {} more", all[..MAX_NAMES].join(", "), count - MAX_NAMES),
        _ => all.join(", "),
    }
}

/// All differences of tables and columns.
fn all_differences(found: &[Table], expected: &[Table]) -> Vec<String> {
    let mut all = Vec::new();
    for table in expected {
        match found.iter().find(|other| other.name == table.name) {
            Some(other) => column_differences(table, other, &mut all),
            None => all.push(format!("table `{}` is missing", table.name)),
        }
    }
    for table in found.iter().filter(|table| !expected.iter().any(|other| other.name == table.name)) {
        all.push(format!("table `{}` is not in the declaration", table.name));
    }
    all
}

fn column_differences(expected: &Table, found: &Table, all: &mut Vec<String>) {
    for column in &expected.columns {
        let at = format!("`{}.{}`", expected.name, column.name);
        match found.columns.iter().find(|other| other.name == column.name) {
            None => all.push(format!("column {at} is missing")),
            Some(other) if other.ty != column.ty => all.push(format!("column {at} is {} instead of {}", other.ty, column.ty)),
            Some(other) if other.required && !column.required => {
                all.push(format!("column {at} is NOT NULL, and the declaration allows null"))
            }
            Some(other) if !other.required && column.required => all.push(format!("column {at} allows null, and the declaration does not")),
            Some(_) => {}
        }
    }
    for column in found.columns.iter().filter(|column| !expected.columns.iter().any(|other| other.name == column.name)) {
        all.push(format!("column `{}.{}` is not in the declaration", expected.name, column.name));
    }
}
