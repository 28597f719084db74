//! Schedules: each occurrence becomes a job, once for all instances.

use chrono::{DateTime, TimeDelta, Utc};
use chrono_tz::Tz;

use super::{
    queue::{self, NewJob},
    times::Times,
};
use crate::{
    Engine, Result, Value,
    db::{BindKind, Conn, Statement},
    def::AppDef,
    job::handlers::Handler,
};

/// A schedule of the application.
pub(crate) struct Schedule {
    pub(crate) name: String,
    occurrences: Occurrences,
    /// Times that passed before this instance started are left out; `None` catches up on them by one run.
    skip_before: Option<DateTime<Utc>>,
}

/// The times of a schedule.
enum Occurrences {
    At(Box<Times>),
    /// After the last run.
    Every(TimeDelta),
}

/// An instance that starts can find a time that another one is about to evaluate, so only earlier times are missed.
const HANDOVER: TimeDelta = TimeDelta::seconds(5);

impl Schedule {
    /// # Errors
    /// A sentence about the cron expression.
    pub(crate) fn new(cron: &str, zone: Tz, name: &str) -> Result<Schedule, String> {
        let occurrences = Occurrences::At(Box::new(Times::parse(cron, zone)?));
        Ok(Schedule { name: name.to_owned(), occurrences, skip_before: None })
    }

    /// A schedule at a fixed interval, which counts from the last run.
    pub(crate) fn at_interval(interval: TimeDelta, name: &str) -> Schedule {
        Schedule { name: name.to_owned(), occurrences: Occurrences::Every(interval), skip_before: None }
    }

    /// The same schedule, which leaves out the times of its cron expression that passed before this instance started.
    pub(crate) fn without_catch_up(self, started: DateTime<Utc>) -> Schedule {
        let skip_before = match self.occurrences {
            Occurrences::At(_) => Some(started - HANDOVER),
            Occurrences::Every(_) => None,
        };
        Schedule { skip_before, ..self }
    }

    /// The first time after an evaluation.
    fn next_after(&self, evaluated: DateTime<Utc>) -> Option<DateTime<Utc>> {
        match &self.occurrences {
            Occurrences::At(times) => times.next_after(self.skip_before.map_or(evaluated, |start| start.max(evaluated))),
            Occurrences::Every(interval) => evaluated.checked_add_signed(*interval),
        }
    }

    /// The next time.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub(crate) fn next(&self, conn: &mut Conn) -> Result<Option<DateTime<Utc>>> {
        Ok(self.evaluated_at(conn, false)?.and_then(|at| self.next_after(at)))
    }

    /// True if the schedule is new or due.
    pub(crate) fn is_due(&self, conn: &mut Conn, now: DateTime<Utc>) -> Result<bool> {
        let evaluated = self.evaluated_at(conn, false)?;
        Ok(evaluated.is_none_or(|at| self.next_after(at).is_some_and(|next| next <= now)))
    }

    /// Stores a job if a time has passed since the last evaluation: one job, however many times have passed while no instance ran.
    /// A job of the schedule that is queued or running takes the place of the new one. A new schedule starts now.
    pub(crate) fn evaluate(&self, conn: &mut Conn, app: &'static AppDef, handler: &Handler, now: DateTime<Utc>) -> Result<bool> {
        let Some(evaluated) = self.evaluated_at(conn, true)? else {
            let mut insert = Statement::new();
            insert.push("INSERT INTO dz_schedules (name, evaluated_at) VALUES (").bind(Value::Text(self.name.clone()), BindKind::Text);
            insert.push(", ").bind(Value::DateTime(now), BindKind::DateTime).push(") ON CONFLICT DO NOTHING");
            conn.execute(&insert)?;
            return Ok(false);
        };
        // A clock that goes back repeats no time.
        if self.next_after(evaluated).is_none_or(|next| next > now) {
            return Ok(false);
        }
        let mut update = Statement::new();
        update.push("UPDATE dz_schedules SET evaluated_at = ").bind(Value::DateTime(now), BindKind::DateTime);
        update.push(" WHERE name = ").bind(Value::Text(self.name.clone()), BindKind::Text);
        conn.execute(&update)?;
        let new = NewJob {
            name: &self.name,
            payload: "null",
            priority: handler.priority,
            unique_key: Some("schedule".to_owned()),
            max_attempts: handler.max_attempts,
            run_at: now,
            tenant: None,
        };
        queue::insert(conn, app, &new, now).map(|job| job.is_new)
    }

    /// The time of the last evaluation; `lock` keeps other instances from evaluating it at the same time.
    fn evaluated_at(&self, conn: &mut Conn, lock: bool) -> Result<Option<DateTime<Utc>>> {
        let mut select = Statement::new();
        select.push("SELECT evaluated_at FROM dz_schedules WHERE name = ").bind(Value::Text(self.name.clone()), BindKind::Text);
        if lock && conn.engine() == Engine::Postgres {
            select.push(" FOR UPDATE");
        }
        Ok(match conn.rows(&select, &[BindKind::DateTime])?.into_iter().flatten().next() {
            Some(Value::DateTime(at)) => Some(at),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().expect("a time")
    }

    #[test]
    fn missed_times_are_caught_up_on_only_on_request() {
        let hourly = || Schedule::new("0 * * * *", Tz::UTC, "hourly").expect("a schedule");
        let (evaluated, started) = (at("2026-03-01T10:00:00Z"), at("2026-03-01T12:30:00Z"));
        assert_eq!(hourly().next_after(evaluated), Some(at("2026-03-01T11:00:00Z")));
        assert_eq!(hourly().without_catch_up(started).next_after(evaluated), Some(at("2026-03-01T13:00:00Z")));
        // A time during the start of the instance is not missed.
        assert_eq!(hourly().without_catch_up(at("2026-03-01T11:00:03Z")).next_after(evaluated), Some(at("2026-03-01T11:00:00Z")));
        // After the start the last evaluation decides.
        assert_eq!(hourly().without_catch_up(started).next_after(at("2026-03-01T14:00:00Z")), Some(at("2026-03-01T15:00:00Z")));
    }

    #[test]
    fn an_interval_counts_from_the_last_run() {
        let schedule = Schedule::at_interval(TimeDelta::minutes(90), "often").without_catch_up(at("2026-03-01T12:00:00Z"));
        assert_eq!(schedule.next_after(at("2026-03-01T10:00:00Z")), Some(at("2026-03-01T11:30:00Z")));
    }
}
