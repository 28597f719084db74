//! `migrate`: changes the schema of an existing database.

mod due;

use chrono::{DateTime, Utc};

use super::{App, serve};
use crate::{
    Engine, Error, Result,
    config::Config,
    db::{
        Database,
        migrate::{self, DataMigration},
        schema,
    },
    output::print_line,
};

/// Runs the command; `None` for unknown arguments.
pub(super) fn run(app: App, words: &[&str]) -> Option<Result<()>> {
    Some(match words {
        [] => open(app).and_then(|of| of.as_owner(|db| apply(&of, db))),
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

fn apply(of: &OpenDatabase, db: &Database) -> Result<()> {
    let (app, now) = (of.app, of.now);
    // Counted before the migration, because the worker can make the transitions immediately after it.
    let due = db.read(&mut |conn| {
        let pending = migrate::pending(conn, app)?;
        pending.into_iter().map(|migration| Ok((migration.name, due::describe(conn, migration, now)?))).collect::<Result<Vec<_>>>()
    });
    let due = due.unwrap_or_default();
    let done = migrate::run(db, app, &of.data)?;
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
    Ok(())
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
    let whole = of.as_owner(|db| db.run_without_transaction(&mut |conn| schema::compare(conn, app)))?;
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
