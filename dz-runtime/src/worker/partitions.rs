//! The partitions by month of dz's own tables: created ahead of time, and dropped after the retention of their rows.

use chrono::{DateTime, Utc};

use crate::{
    Engine, Result,
    db::{
        Conn, Database, DatabaseConfig, Statement,
        partitions::{self, Divided},
    },
    output::log_event,
    process::store,
    state::State,
};

/// The tables of the database that are divided by month; none if they cannot be read.
pub(super) fn divided(state: &State) -> Vec<Divided> {
    match state.db.engine() {
        Engine::Sqlite => Vec::new(),
        Engine::Postgres => state.db.read(&mut partitions::divided).unwrap_or_else(|error| {
            log(&error);
            Vec::new()
        }),
    }
}

/// Creates the partitions of this month and of the next ones.
pub(crate) fn prepare(state: &State) {
    if !divided(state).is_empty() {
        let now = state.clock.now();
        change(state, &mut |conn| partitions::prepare(conn, now));
    }
}

/// Drops the partitions of months that have ended and have no pending event.
pub(super) fn drop_delivered(state: &State, table: &Divided, now: DateTime<Utc>) -> u64 {
    drop_ended(state, table, now, &|part| Some(has_rows(part)))
}

/// Drops the partitions whose rows are all older than a time.
pub(super) fn drop_before(state: &State, table: &Divided, before: DateTime<Utc>) -> u64 {
    drop_ended(state, table, before, &|_| None)
}

/// Drops the partitions of steps whose runs all ended before a time.
pub(super) fn drop_steps(state: &State, table: &Divided, before: DateTime<Utc>) -> u64 {
    drop_ended(state, table, before, &|part| Some(store::has_kept_runs(part, before)))
}

/// Drops each partition whose rows are all older than a time, unless `needed` selects true for it.
fn drop_ended(state: &State, table: &Divided, before: DateTime<Utc>, needed: &dyn Fn(&str) -> Option<Statement>) -> u64 {
    let ended = state.db.read(&mut |conn| partitions::find_ended(conn, table, before)).unwrap_or_else(|error| {
        log(&error);
        Vec::new()
    });
    let drop_part = |part: &String| {
        let needed = needed(part);
        change(state, &mut |conn| partitions::drop_part(conn, table, part, needed.as_ref()).map(usize::from))
    };
    ended.iter().map(drop_part).sum()
}

fn has_rows(part: &str) -> Statement {
    let mut select = Statement::new();
    select.push("SELECT EXISTS (SELECT 1 FROM ").ident(part).push(")");
    select
}

/// Changes partitions as the role that owns the tables. A failure is logged: every row is stored without it, and the next clean-up
/// tries again.
fn change(state: &State, work: &mut dyn FnMut(&mut Conn) -> Result<usize>) -> u64 {
    match as_owner(state, work) {
        Ok(count) => u64::try_from(count).unwrap_or_default(),
        Err(error) => {
            log(&error);
            0
        }
    }
}

fn as_owner(state: &State, work: &mut dyn FnMut(&mut Conn) -> Result<usize>) -> Result<usize> {
    let Some(url) = state.config.settings.migrations_url.clone() else { return state.db.write(work) };
    let config = DatabaseConfig { url, size: 1, row_security: state.app.tenant().is_some(), idle: DatabaseConfig::IDLE };
    Database::open(Engine::Postgres, &config)?.write(work)
}

fn log(error: &crate::Error) {
    let why = error.to_string();
    log_event!(warn, target: "dz::worker", why, "partitions by month cannot be changed now; rows are stored in the partition for the rest");
}
