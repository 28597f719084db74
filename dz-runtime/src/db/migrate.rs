//! Migrations: each is applied completely or not at all, under a lock, and recorded in the table of diesel.

mod index;
mod locks;

pub(super) use locks::wait_for_process;

use super::{BindKind, Conn, Database, Statement, pooler, schema};
use crate::{
    Engine, Error, Value,
    def::{AppDef, MigrationDef},
    output::show_step,
};

/// The table in which diesel records applied migrations.
pub(super) const APPLIED: &str = "__diesel_schema_migrations";

/// Milliseconds that a migration of SQLite waits for another process.
const LOCK_TIMEOUT: u32 = 600_000;

/// The start of a script with its own transaction, because foreign keys must be disabled outside of it,
const BEGIN: &str = "PRAGMA foreign_keys=OFF;\nBEGIN IMMEDIATE;\n";
/// and the start of its end: a check of all references that fails if one is violated.
const CHECK: &str = "CREATE TEMP TABLE dz_dangling ";

/// The correction for an address of a pooler.
pub(crate) const DIRECTLY: &str = "set `dz.migrations_url` to the address of the server itself";

/// A function of the application that converts rows.
pub type Convert = dyn Fn(&mut Conn) -> Result<(), Error> + Send + Sync;

/// The part of a migration in the application's Rust: it runs after `up.sql`, in the same transaction.
pub struct DataMigration {
    /// The name of the folder of the migration.
    pub name: String,
    /// The work on the connection.
    pub run: Box<Convert>,
}

/// What [`run`] has done.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Migrated {
    /// The migrations that were only recorded, because the database had their result.
    pub adopted: Vec<&'static str>,
    /// The migrations that were applied.
    pub applied: Vec<&'static str>,
}

/// Applies the pending migrations, each with its data migration. The contraction of an online migration, which a previous version would
/// not survive, is applied to a new database and with `contract`.
///
/// Processes that start at the same time wait for each other. An interruption leaves each migration applied completely or not at
/// all.
///
/// # Errors
/// One sentence with the migration and the cause; the failed migration has changed nothing.
pub fn run(db: &Database, app: &'static AppDef, data: &[DataMigration], contract: bool) -> Result<Migrated, Error> {
    let migrations = declared_migrations(app, db.engine())?;
    lock_migrations(db, &mut |conn| {
        let is_new = schema::is_empty(conn)?;
        let mut done = Migrated { adopted: adopt(conn, app, migrations)?, applied: Vec::new() };
        let later: Vec<&str> = if contract || is_new { Vec::new() } else { waiting(conn, app)?.iter().map(|it| it.version).collect() };
        for migration in migrations.iter().filter(|it| !later.contains(&it.version)) {
            show_step!("applying {}", migration.name);
            let data = data.iter().find(|it| it.name == migration.name);
            if apply_migration(conn, migration, Direction::Up, data)? {
                done.applied.push(migration.name);
            }
        }
        Ok(done)
    })
}

/// Reverts the last applied migration and returns its name; `None` without one.
///
/// # Errors
/// One sentence with the migration and the reason why it cannot be reverted.
pub fn revert(db: &Database, app: &'static AppDef) -> Result<Option<&'static str>, Error> {
    let migrations = declared_migrations(app, db.engine())?;
    lock_migrations(db, &mut |conn| {
        let applied = read_applied(conn)?;
        let Some(last) = applied.iter().max() else { return Ok(None) };
        let migration = migrations.iter().find(|it| it.version == last);
        let migration = migration.ok_or_else(|| {
            refusal(format!("the database has the migration {last}, which this program does not know: use the program that applied it"))
        })?;
        if migration.down.is_empty() {
            return Err(refusal(format!("the migration `{}` has no down.sql, so it cannot be reverted", migration.name)));
        }
        show_step!("reverting {}", migration.name);
        apply_migration(conn, migration, Direction::Down, None)?;
        Ok(Some(migration.name))
    })
}

/// Migrations, oldest first.
type Migrations = Vec<&'static MigrationDef>;

/// The pending migrations without which the application cannot run.
///
/// # Errors
/// 503 if the database is unavailable.
pub fn pending(conn: &mut Conn, app: &'static AppDef) -> Result<Migrations, Error> {
    open_migrations(conn, app).map(|(pending, _)| pending)
}

/// The contractions that follow the last pending migration: the application runs without them.
///
/// # Errors
/// 503 if the database is unavailable.
pub fn waiting(conn: &mut Conn, app: &'static AppDef) -> Result<Migrations, Error> {
    open_migrations(conn, app).map(|(_, waiting)| waiting)
}

/// The migrations that are not applied, without and then with the contractions at their end.
fn open_migrations(conn: &mut Conn, app: &'static AppDef) -> Result<(Migrations, Migrations), Error> {
    let applied = read_applied(conn)?;
    let all = app.schema.migrations_for(conn.engine());
    let mut open: Vec<_> = all.iter().filter(|migration| !applied.iter().any(|it| it == migration.version)).collect();
    let end = open.iter().rposition(|migration| !migration.is_contraction()).map_or(0, |last| last + 1);
    // A new database has no previous version.
    let end = if applied.is_empty() { open.len() } else { end };
    let waiting = open.split_off(end);
    Ok((open, waiting))
}

/// Applies all migrations to an empty database; true if this created its tables.
///
/// # Errors
/// As [`run`].
pub fn run_if_empty(db: &Database, app: &'static AppDef, data: &[DataMigration]) -> Result<bool, Error> {
    if app.schema.migrations_for(db.engine()).is_empty() || !db.read(&mut schema::is_empty)? {
        return Ok(false);
    }
    run(db, app, data, true).map(|done| !done.applied.is_empty())
}

fn declared_migrations(app: &'static AppDef, engine: Engine) -> Result<&'static [MigrationDef], Error> {
    match app.schema.migrations_for(engine) {
        [] => Err(refusal(
            "this program has no migrations for its database: write them with `dz migrate diff`, and build it again".to_owned(),
        )),
        migrations => Ok(migrations),
    }
}

fn refusal(sentence: String) -> Error {
    Error::new(500, "MIGRATION", sentence)
}

fn failure(migration: &MigrationDef, why: &str) -> Error {
    let why = why.lines().next().unwrap_or_default();
    refusal(format!("the migration `{}` failed and changed nothing: {why}", migration.name))
}

#[derive(Clone, Copy, PartialEq)]
enum Direction {
    Up,
    Down,
}

/// Runs `work` on a connection while no other process migrates.
fn lock_migrations<T>(db: &Database, work: &mut dyn FnMut(&mut Conn) -> Result<T, Error>) -> Result<T, Error> {
    pooler::refuse(db, "a migration", DIRECTLY)?;
    show_step!("waiting for another process that migrates");
    db.run_without_transaction(&mut |conn| {
        match conn.engine() {
            // SQLite's write lock is the lock; each migration checks again under it whether it is pending.
            Engine::Sqlite => conn.batch(&format!("PRAGMA busy_timeout = {LOCK_TIMEOUT}"))?,
            Engine::Postgres => wait_for_process(conn, "pg_try_advisory_lock")?,
        }
        let done = conn.batch(&table(conn.engine())).and_then(|()| work(conn));
        let ended = match conn.engine() {
            Engine::Sqlite => conn.batch("PRAGMA busy_timeout = 5000"),
            Engine::Postgres => conn.batch(&format!("SELECT pg_advisory_unlock({})", schema::LOCK)),
        };
        done.and_then(|done| ended.map(|()| done))
    })
}

/// The table as diesel creates it.
fn table(_: Engine) -> String {
    format!(
        "CREATE TABLE IF NOT EXISTS {APPLIED} (version VARCHAR(50) PRIMARY KEY NOT NULL, \
         run_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP)"
    )
}

/// The applied versions.
fn read_applied(conn: &mut Conn) -> Result<Vec<String>, Error> {
    let mut exists = Statement::new();
    exists.push(match conn.engine() {
        Engine::Sqlite => "SELECT name FROM sqlite_schema WHERE type = 'table' AND name = '__diesel_schema_migrations'",
        Engine::Postgres => {
            "SELECT relname::text FROM pg_class WHERE relname = '__diesel_schema_migrations' \
             AND relnamespace = current_schema()::regnamespace AND relkind = 'r'"
        }
    });
    if conn.rows(&exists, &[BindKind::Text])?.is_empty() {
        return Ok(Vec::new());
    }
    let mut select = Statement::new();
    select.push("SELECT CAST(version AS TEXT) FROM __diesel_schema_migrations ORDER BY version");
    let rows = conn.rows(&select, &[BindKind::Text])?;
    let text = |value: Value| match value {
        Value::Text(text) => Some(text),
        _ => None,
    };
    Ok(rows.into_iter().flatten().filter_map(text).collect())
}

/// Records the migrations of a database that was created from a declaration, before the application had migrations; returns their
/// names.
fn adopt(conn: &mut Conn, app: &'static AppDef, migrations: &'static [MigrationDef]) -> Result<Vec<&'static str>, Error> {
    conn.transaction(&mut |conn| {
        if !read_applied(conn)?.is_empty() || schema::is_empty(conn)? {
            return Ok(Vec::new());
        }
        let stored = schema::stored_fingerprint(conn)?;
        let Some(at) =
            migrations.iter().rposition(|migration| target_fingerprint(migration).is_some_and(|it| Some(it) == stored.as_deref()))
        else {
            return Err(refusal(format!(
                "the database has tables, and no migration creates them: name the database of {} in `DATABASE_URL`, or an empty one",
                app.title
            )));
        };
        let adopted = &migrations[..=at];
        adopted.iter().try_for_each(|migration| record(conn, migration, Direction::Up))?;
        Ok(adopted.iter().map(|migration| migration.name).collect())
    })
}

/// The fingerprint of the schema after a migration.
fn target_fingerprint(migration: &MigrationDef) -> Option<&'static str> {
    let (_, rest) = migration.up.rsplit_once("INSERT INTO dz_meta (key, value) VALUES ('schema', '")?;
    rest.split_once('\'').map(|(fingerprint, _)| fingerprint)
}

/// Applies or reverts a migration, unless another process already did.
fn apply_migration(
    conn: &mut Conn,
    migration: &'static MigrationDef,
    direction: Direction,
    data: Option<&DataMigration>,
) -> Result<bool, Error> {
    let script = if direction == Direction::Up { migration.up } else { migration.down };
    let has_frame = script.contains(BEGIN);
    if !migration.in_transaction && !has_frame {
        if data.is_some() {
            return Err(refusal(format!(
                "the migration `{}` does not run in a transaction, so it cannot have a part in Rust: convert the rows in a migration of its own",
                migration.name
            )));
        }
        return run_outside_transaction(conn, migration, script, direction);
    }
    if has_frame {
        conn.batch("PRAGMA foreign_keys = OFF")?;
    }
    let apply = |conn: &mut Conn, wait: &str| {
        if read_applied(conn)?.iter().any(|it| it == migration.version) == (direction == Direction::Up) {
            return Ok(false);
        }
        locks::limit_wait(conn, wait)?;
        conn.script(body(script)).map_err(|message| failure(migration, &message))?;
        if let Some(data) = data {
            (data.run)(conn).map_err(|error| failure(migration, error.internal.as_deref().unwrap_or(&error.detail)))?;
        }
        if has_frame {
            check_references(conn, migration)?;
        }
        record(conn, migration, direction)?;
        Ok(true)
    };
    let done = locks::retry(migration.name, &mut |wait| conn.transaction(&mut |conn| apply(conn, wait)));
    if has_frame {
        conn.batch("PRAGMA foreign_keys = ON")?;
    }
    done
}

/// Runs a custom script that cannot run in a transaction.
fn run_outside_transaction(conn: &mut Conn, migration: &'static MigrationDef, script: &str, direction: Direction) -> Result<bool, Error> {
    if read_applied(conn)?.iter().any(|it| it == migration.version) == (direction == Direction::Up) {
        return Ok(false);
    }
    if direction == Direction::Up && index::is_built(conn, script)? {
        record(conn, migration, direction)?;
        return Ok(true);
    }
    conn.script(script).map_err(|message| {
        let why = message.lines().next().unwrap_or_default().to_owned();
        refusal(format!(
            "the migration `{}`, which does not run in a transaction, failed: {why}; check which of its changes were made",
            migration.name
        ))
    })?;
    record(conn, migration, direction)?;
    Ok(true)
}

/// The script without its own transaction, so that the script and its record are in one transaction.
fn body(script: &str) -> &str {
    let Some((_, rest)) = script.split_once(BEGIN) else { return script };
    rest.rsplit_once(CHECK).map_or(rest, |(body, _)| body)
}

fn check_references(conn: &mut Conn, migration: &MigrationDef) -> Result<(), Error> {
    let mut check = Statement::new();
    check.push("SELECT \"table\", parent FROM pragma_foreign_key_check");
    let broken = conn.rows(&check, &[BindKind::Text, BindKind::Text])?;
    let mut names = broken.into_iter().flatten().filter_map(|value| match value {
        Value::Text(name) => Some(name),
        _ => None,
    });
    match (names.next(), names.next()) {
        (Some(child), Some(parent)) => {
            Err(failure(migration, &format!("rows of `{child}` would refer to rows of `{parent}` that do not exist")))
        }
        _ => Ok(()),
    }
}

fn record(conn: &mut Conn, migration: &MigrationDef, direction: Direction) -> Result<(), Error> {
    let mut statement = Statement::new();
    match direction {
        Direction::Up => statement.push("INSERT INTO __diesel_schema_migrations (version) VALUES ("),
        Direction::Down => statement.push("DELETE FROM __diesel_schema_migrations WHERE version = ("),
    };
    statement.bind(Value::Text(migration.version.to_owned()), BindKind::Text).push(")");
    conn.execute(&statement).map(|_| ())
}
