//! `migrate`: the command that changes the schema of a database that is there.

use super::App;
use crate::{
    Error, Result,
    config::Config,
    db::{Database, DatabaseConfig, migrate, schema},
};

/// Runs the command; `None` when the words mean nothing to it.
pub(super) fn run(app: App, words: &[&str]) -> Option<Result<()>> {
    Some(match words {
        [] => open(app).and_then(|(app, db)| apply(app, &db)),
        ["--check"] => open(app).and_then(|(app, db)| check(app, &db)),
        ["revert"] => open(app).and_then(|(app, db)| revert(app, &db)),
        _ => return None,
    })
}

type Opened = (&'static crate::def::AppDef, Database);

fn open(mut app: App) -> Result<Opened> {
    let figment = app.figment.clone().unwrap_or_else(crate::config::figment);
    let config = Config::read(&figment, app.def, app.engine, app.url.take())?;
    let db = Database::open(app.engine, &DatabaseConfig { url: config.database_url, size: config.pool_size })?;
    Ok((app.def, db))
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
