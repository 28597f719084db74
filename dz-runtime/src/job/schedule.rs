//! Schedules: each occurrence becomes a job, once for all instances.

use chrono::{DateTime, Utc};
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
    times: Times,
}

impl Schedule {
    /// # Errors
    /// A sentence about the cron expression.
    pub(crate) fn new(cron: &str, zone: Tz, name: &str) -> Result<Schedule, String> {
        Ok(Schedule { name: name.to_owned(), times: Times::parse(cron, zone)? })
    }

    /// The next time.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub(crate) fn next(&self, conn: &mut Conn) -> Result<Option<DateTime<Utc>>> {
        Ok(self.evaluated_at(conn, false)?.and_then(|at| self.times.next_after(at)))
    }

    /// True if the schedule is new or due.
    pub(crate) fn is_due(&self, conn: &mut Conn, now: DateTime<Utc>) -> Result<bool> {
        let evaluated = self.evaluated_at(conn, false)?;
        Ok(evaluated.is_none_or(|at| self.times.next_after(at).is_some_and(|next| next <= now)))
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
        if self.times.next_after(evaluated).is_none_or(|next| next > now) {
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
