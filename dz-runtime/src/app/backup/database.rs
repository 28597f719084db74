//! Copies of the database: `VACUUM INTO` for SQLite, `pg_dump` and `pg_restore` for PostgreSQL.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use super::{at, manifest::Tables, refusal, synchronise::synchronise_entry};
use crate::{
    Engine, Result, Value,
    db::{BindKind, Database, DatabaseConfig, Statement},
    def::AppDef,
};

/// The name of the copy inside a backup.
pub(super) fn file_name(engine: Engine) -> &'static str {
    match engine {
        Engine::Sqlite => "database.sqlite",
        Engine::Postgres => "database.dump",
    }
}

/// Copies one consistent state of the database, while the application runs.
pub(super) fn copy(engine: Engine, db: &Database, url: &str, to: &Path) -> Result<()> {
    match engine {
        Engine::Sqlite => db.run_without_transaction(&mut |conn| {
            let path = to.to_str().ok_or_else(|| refusal(format!("`{}` is not UTF-8: name another folder", to.display())))?;
            let mut vacuum = Statement::new();
            vacuum.push("VACUUM INTO ").bind(Value::Text(path.to_owned()), BindKind::Text);
            conn.execute(&vacuum).map(drop)
        }),
        Engine::Postgres => {
            let mut command = Command::new("pg_dump");
            command.args(["--format=custom", "--no-owner", "--no-privileges", "--file"]).arg(to);
            run(command, url, "a role that owns the tables and has `BYPASSRLS` in `dz.migrations_url` can read all tenants")
        }
    }
}

/// Refuses a database that exists; on PostgreSQL, one with the tables of an application.
pub(super) fn check_absent(engine: Engine, url: &str) -> Result<()> {
    if engine == Engine::Sqlite {
        let path = sqlite_path(url);
        let companions = ["", "-wal", "-shm"].map(|end| PathBuf::from(format!("{}{end}", path.display())));
        return match companions.iter().find(|file| file.exists()) {
            Some(present) => Err(refusal(format!("`{}` exists: stop the application and rename the database first", present.display()))),
            None => Ok(()),
        };
    }
    let config = DatabaseConfig { url: url.to_owned(), size: 1, row_security: false, idle: DatabaseConfig::IDLE };
    let mut select = Statement::new();
    select.push("SELECT to_regclass('dz_meta') IS NOT NULL");
    let found = Database::open(engine, &config)?.read(&mut |conn| conn.rows(&select, &[BindKind::Bool]))?;
    match found.into_iter().flatten().next() {
        Some(Value::Bool(false)) => Ok(()),
        _ => Err(refusal("the database has the tables of an application: restore into a new database, which `createdb` creates")),
    }
}

/// Restores a copy into a database without tables.
pub(super) fn restore(engine: Engine, url: &str, copy: &Path) -> Result<()> {
    match engine {
        Engine::Sqlite => restore_sqlite(url, copy),
        Engine::Postgres => {
            let mut command = Command::new("pg_restore");
            command.args(["--exit-on-error", "--single-transaction", "--no-owner", "--no-privileges"]).arg(copy);
            run(command, url, "restore into a new database, which `createdb` creates")
        }
    }
}

fn restore_sqlite(url: &str, copy: &Path) -> Result<()> {
    // It can have been created while the files were copied.
    check_absent(Engine::Sqlite, url)?;
    let path = sqlite_path(url);
    // The database gets its name last, so that an interrupted restore leaves no part of one under it.
    let partial = PathBuf::from(format!("{}.partial", path.display()));
    fs::copy(copy, &partial).map_err(at(&partial))?;
    #[cfg(unix)]
    fs::set_permissions(&partial, std::os::unix::fs::PermissionsExt::from_mode(0o600)).map_err(at(&partial))?;
    fs::File::open(&partial).and_then(|file| file.sync_all()).map_err(at(&partial))?;
    fs::rename(&partial, &path).map_err(at(&path))?;
    synchronise_entry(path.parent())
}

fn sqlite_path(url: &str) -> PathBuf {
    PathBuf::from(url.strip_prefix("sqlite://").or_else(|| url.strip_prefix("sqlite:")).unwrap_or(url))
}

/// Runs a program of PostgreSQL on a database. The password is in its environment, because other users can read its arguments.
fn run(mut command: Command, url: &str, hint: &str) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let mut address = url::Url::parse(url).map_err(|error| refusal(format!("the address of the database cannot be parsed: {error}")))?;
    if let Some(password) = address.password().map(str::to_owned) {
        let decoded = percent_encoding::percent_decode_str(&password).decode_utf8_lossy().into_owned();
        command.env("PGPASSWORD", decoded);
        // Only an address without a host has no password to remove.
        let _ = address.set_password(None);
    }
    command.arg(format!("--dbname={address}")).stdin(Stdio::null());
    let output = command.output().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            refusal(format!("`{name}` is not installed: install the client programs of PostgreSQL (Debian: `postgresql-client`)"))
        }
        _ => refusal(format!("`{name}` cannot be started: {error}")),
    })?;
    if output.status.success() {
        return Ok(());
    }
    let reason = String::from_utf8_lossy(&output.stderr);
    Err(refusal(format!("`{name}` failed: {}; {hint}", crate::output::one_line(reason.trim()))))
}

/// Opens the copy of an SQLite database.
#[cfg(feature = "sqlite")]
fn open_copy(copy: &Path) -> Result<crate::db::Conn> {
    use diesel::Connection as _;

    // Not through `Database`, which would create the files of the write-ahead log beside the copy.
    let path = copy.to_str().ok_or_else(|| refusal(format!("`{}` is not UTF-8", copy.display())))?;
    Ok(crate::db::Conn::from_sqlite(diesel::SqliteConnection::establish(path).map_err(crate::Error::internal)?))
}

/// Checks the copy of an SQLite database, and counts its rows.
#[cfg(feature = "sqlite")]
pub(super) fn count_in_copy(app: &'static AppDef, copy: &Path) -> Result<Tables> {
    let mut conn = open_copy(copy)?;
    let mut check = Statement::new();
    check.push("PRAGMA integrity_check");
    let result = conn.rows(&check, &[BindKind::Text])?;
    match result.into_iter().flatten().next() {
        Some(Value::Text(text)) if text == "ok" => super::count_rows(&mut conn, app),
        other => Err(refusal(format!("the copy of the database is damaged: {other:?}"))),
    }
}

/// An application without SQLite has no such copy.
#[cfg(not(feature = "sqlite"))]
pub(super) fn count_in_copy(_app: &'static AppDef, _copy: &Path) -> Result<Tables> {
    Ok(Tables::new())
}

/// The names of the stored files that the copy of an SQLite database needs.
#[cfg(feature = "sqlite")]
pub(super) fn find_attached_in_copy(copy: &Path) -> Result<Vec<String>> {
    crate::files::find_attached(&mut open_copy(copy)?)
}

/// An application without SQLite has no such copy.
#[cfg(not(feature = "sqlite"))]
pub(super) fn find_attached_in_copy(_copy: &Path) -> Result<Vec<String>> {
    Ok(Vec::new())
}
