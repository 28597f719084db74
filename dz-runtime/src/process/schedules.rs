//! Schedules of the declaration, and processes with a `cron` trigger: each occurrence is a job that starts a run.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::Value as Json;

use super::{
    definition::Definition,
    start::{self, NewRun},
};
use crate::{
    Error, Result,
    def::{AppDef, ScheduleDef, ScheduledAt},
    hooks::Hooks,
    job::schedule::Schedule,
};

/// Adds the schedules. `started` is the start of this instance.
///
/// # Errors
/// 500 for a description that cannot be read.
pub(super) fn register(hooks: &mut Hooks, app: &'static AppDef, started: DateTime<Utc>) -> Result<()> {
    for def in app.schedules {
        let process = Arc::new(Definition::read(app, def.flow)?);
        let schedule = read(def).map_err(|why| Error::internal(format_args!("the schedule `{}`: {why}", def.name)))?;
        let schedule = if def.catch_up { schedule } else { schedule.without_catch_up(started) };
        hooks.jobs.add_schedule(schedule, move |cx| {
            // A repeated job has the same cause, so it starts no second run.
            let new = || NewRun::by_schedule(def.name, cx.id());
            cx.run(|tx| start::start(tx, &process, &Json::Object(Default::default()), new())).map(drop)
        });
    }
    Ok(())
}

fn read(def: &ScheduleDef) -> Result<Schedule, String> {
    // The schedules of the application's own Rust have other names.
    let name = format!("schedule {}", def.name);
    match def.at {
        ScheduledAt::Cron(cron) => {
            let zone = def.timezone.parse().map_err(|_| format!("`{}` is not a time zone", def.timezone))?;
            Schedule::new(cron, zone, &name)
        }
        ScheduledAt::Every { months, seconds } => {
            // A month has 30 days here, because an interval has a fixed length.
            let seconds = months.saturating_mul(30 * 86_400).saturating_add(seconds);
            TimeDelta::try_seconds(seconds)
                .map(|interval| Schedule::at_interval(interval, &name))
                .ok_or_else(|| "the interval is too long".to_owned())
        }
    }
}
