//! Processes: durable runs of steps in the database of the application.
//!
//! `core` decides, without a database or a clock. The other modules store what it decides and execute its commands: a transaction locks a
//! run, applies events, executes the commands that are part of it (conditions, effects, tasks, other runs), and stores the state. Calls of
//! services are jobs, and events between runs are jobs too, so that no transaction locks more than one run.

pub(crate) mod attempts;
pub(crate) mod calls;
pub(crate) mod claims;
pub(crate) mod core;
mod data;
pub(crate) mod definition;
mod deletion;
pub(crate) mod drive;
mod effects;
mod ending;
pub(crate) mod erasure;
mod expr;
mod messages;
mod row_trigger;
mod schedules;
pub(crate) mod signal;
pub(crate) mod start;
pub(crate) mod store;
pub(crate) mod stored;
pub(crate) mod tasks;
pub(crate) mod traces;
pub(crate) mod value_type;
mod versions;
pub(crate) mod view;

use std::sync::Arc;

use chrono::{DateTime, Utc};

pub(crate) use versions::log_earlier_runs;

use crate::{Result, def::AppDef, hooks::Hooks};

/// Adds the processes of an application to its hooks: the descriptions, the subscribers of their triggers, their schedules, and the
/// jobs of the engine. `started` is the start of this instance.
///
/// # Errors
/// 500 for a description that cannot be read.
pub(crate) fn register(hooks: &mut Hooks, app: &'static AppDef, started: DateTime<Utc>) -> Result<()> {
    if app.processes.is_empty() {
        hooks.check_run_subscribers(&[]);
        return Ok(());
    }
    let processes = definition::Processes::read(app)?;
    let names = processes.declared.iter().map(|process| process.name.as_str());
    let names: Vec<&str> = names.chain(processes.scheduled.iter().map(|(name, _)| name.as_str())).collect();
    hooks.check_run_subscribers(&names);
    // Runs of a row have its last values before its deletion starts others.
    deletion::subscribe(hooks, &processes, app)?;
    row_trigger::subscribe(hooks, &processes, app)?;
    messages::register(hooks);
    schedules::register(hooks, app, started)?;
    hooks.manage(Arc::new(processes));
    Ok(())
}
