//! `migrate`: the command that changes the schema of a database that is there.

use super::{App, serve};
use crate::{
    Engine, Error, Result,
    config::Config,
    db::{Database, migrate, schema},
};

/// Runs the command; `None` when the words mean nothing to it.
pub(super) fn run(app: App, words: &[&str]) -> Option<Result<()>> {
    Some(match words {
        [] => open(app).and_then(|of| of.as_owner(|db| apply(of.app, db))),
        ["--check"] => open(app).and_then(|of| check(of.app, &of.db)),
        ["revert"] => open(app).and_then(|of| of.as_owner(|db| revert(of.app, db))),
        _ => return None,
    })
}

/// An application and its database.
struct Opened {
    app: &'static crate::def::AppDef,
    engine: Engine,
    config: Config,
    db: Database,
}

fn open(mut app: App) -> Result<Opened> {
    let figment = app.figment.clone().unwrap_or_else(crate::config::figment);
    let config = Config::read(&figment, app.def, app.engine, app.url.take())?;
    let db = serve::open(&config, app.engine, app.def)?;
    Ok(Opened { app: app.def, engine: app.engine, config, db })
}

impl Opened {
    /// Runs `work` as the role that owns the tables.
    fn as_owner<T>(&self, work: impl FnOnce(&Database) -> Result<T>) -> Result<T> {
        serve::as_owner(&self.config, self.engine, self.app, &self.db, work)
    }
}

fn apply(app: &'static crate::def::AppDef, db: &Database) -> Result<()> {
    let done = migrate::run(db, app)?;
    for name in &done {
        println!("applied {name}");
    }
    if done.is_empty() {
        println!("nothing to apply");
    }
    Ok(())
}

/// Says what is pending, without applying it.
fn check(app: &'static crate::def::AppDef, db: &Database) -> Result<()> {
    let pending = db.read(&mut |conn| migrate::pending(conn, app))?;
    for migration in &pending {
        println!("pending {}", migration.name);
    }
    if !pending.is_empty() {
        return Err(Error::bad_request("migrations are pending: apply them with the command `migrate`"));
    }
    db.read(&mut |conn| schema::compare(conn, app))?;
    println!("nothing to apply");
    Ok(())
}

fn revert(app: &'static crate::def::AppDef, db: &Database) -> Result<()> {
    match migrate::revert(db, app)? {
        Some(name) => println!("took back {name}"),
        None => println!("nothing to take back"),
    }
    Ok(())
}
