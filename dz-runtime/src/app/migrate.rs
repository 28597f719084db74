//! `migrate`: changes the schema of an existing database.

mod due;

use chrono::{DateTime, Utc};

use super::{App, serve};
use crate::{
    Engine, Error, Result,
    config::Config,
    db::{
        Conn, Database,
        migrate::{self, DataMigration},
        pooler, schema,
    },
    output::{Progress, print_line, show_step},
    state::instances,
};

/// Runs the command; `None` for unknown arguments.
pub(super) fn run(app: App, words: &[&str]) -> Option<Result<()>> {
    let _progress = Progress::start();
    Some(match words {
        [] => open(app).and_then(|of| of.as_owner(|db| apply(&of, db, false))),
        ["--contract"] => open(app).and_then(|of| of.as_owner(|db| apply(&of, db, true))),
        ["--check"] => open(app).and_then(|of| check(&of)),
        ["revert"] => open(app).and_then(|of| of.as_owner(|db| revert(of.app, db))),
        _ => return None,
    })
}

/// An application and its database.
struct OpenDatabase {
    app: &'static crate::def::AppDef,
    engine: Engine,
    config: Config,
    db: Database,
    now: DateTime<Utc>,
    data: Vec<DataMigration>,
}

fn open(mut app: App) -> Result<OpenDatabase> {
    app.check_data_migrations()?;
    let figment = app.figment.clone().unwrap_or_else(super::figment);
    let config = Config::read(&figment, app.def, app.engine, app.url.take())?;
    let db = serve::open(&config, app.engine, app.def)?;
    Ok(OpenDatabase { app: app.def, engine: app.engine, config, db, now: app.clock.now(), data: app.data_migrations })
}

impl OpenDatabase {
    /// Runs `work` as the role that owns the tables.
    fn as_owner<T>(&self, work: impl FnOnce(&Database) -> Result<T>) -> Result<T> {
        serve::as_owner(&self.config, self.engine, self.app, &self.db, work)
    }
}

fn apply(of: &OpenDatabase, db: &Database, contract: bool) -> Result<()> {
    let (app, now) = (of.app, of.now);
    if contract {
        db.read(&mut |conn| check_instances(conn, of))?;
    }
    // Counted before the migration, because the worker can make the transitions immediately after it.
    let due = db.read(&mut |conn| {
        let pending = migrate::pending(conn, app)?;
        pending.into_iter().map(|migration| Ok((migration.name, due::describe(conn, migration, now)?))).collect::<Result<Vec<_>>>()
    });
    let due = due.unwrap_or_default();
    let done = migrate::run(db, app, &of.data, contract)?;
    if let Some(last) = done.adopted.last() {
        print_line!("the database has the result of `{last}`: {} recorded without running", migrations(done.adopted.len()))?;
    }
    for name in &done.applied {
        print_line!("applied {name}")?;
        for sentence in due.iter().filter(|(of, _)| of == name).flat_map(|(_, told)| told) {
            print_line!("  {sentence}")?;
        }
    }
    if done.applied.is_empty() {
        print_line!("nothing to apply")?;
    }
    for migration in db.read(&mut |conn| migrate::waiting(conn, app))? {
        print_line!("waiting {}: {LATER}", migration.name)?;
    }
    Ok(())
}

/// How the contraction of an online migration is applied.
const LATER: &str = "apply it with `migrate --contract` when no instance of the previous version runs";

/// Refuses a contraction while an instance with another schema runs.
fn check_instances(conn: &mut Conn, of: &OpenDatabase) -> Result<()> {
    if migrate::waiting(conn, of.app)?.is_empty() {
        return Ok(());
    }
    let own = of.app.schema.for_engine(of.engine).fingerprint;
    let running = instances::list(conn, of.now)?;
    match running.iter().find(|instance| !own.starts_with(&instance.schema)) {
        None => Ok(()),
        Some(old) => Err(Error::bad_request(format!(
            "an instance of another version runs (process {} on {}, seen at {}): stop it, and migrate again; the record of a killed instance \
             expires after 100 seconds",
            old.process,
            old.host,
            old.seen_at.format("%H:%M:%S UTC")
        ))),
    }
}

/// A number of migrations as words, with the verb.
fn migrations(count: usize) -> String {
    if count == 1 { "1 migration is".to_owned() } else { format!("{count} migrations are") }
}

/// Prints the pending migrations without applying them, and the differences between the database and the declaration.
fn check(of: &OpenDatabase) -> Result<()> {
    let (app, db, now) = (of.app, &of.db, of.now);
    let pending = db.read(&mut |conn| migrate::pending(conn, app))?;
    for migration in &pending {
        print_line!("pending {}", migration.name)?;
        for sentence in db.read(&mut |conn| due::describe(conn, migration, now))? {
            print_line!("  {sentence}")?;
        }
    }
    if !pending.is_empty() {
        return Err(Error::bad_request("migrations are pending: apply them with the command `migrate`"));
    }
    let waiting = db.read(&mut |conn| migrate::waiting(conn, app))?;
    for migration in &waiting {
        print_line!("waiting {}", migration.name)?;
    }
    if !waiting.is_empty() {
        return Err(Error::bad_request(format!("the second half of an online migration is pending: {LATER}")));
    }
    show_step!("comparing the database with the declaration");
    let whole = of.as_owner(|db| {
        pooler::refuse(db, "the comparison", migrate::DIRECTLY)?;
        db.run_without_transaction(&mut |conn| schema::compare(conn, app))
    })?;
    if !whole {
        print_line!("only tables and columns were compared: for constraints and indexes, the role needs CREATE on the database")?;
    }
    print_line!("nothing to apply")?;
    Ok(())
}

fn revert(app: &'static crate::def::AppDef, db: &Database) -> Result<()> {
    match migrate::revert(db, app)? {
        Some(name) => print_line!("reverted {name}")?,
        None => print_line!("nothing to revert")?,
    }
    Ok(())
}
