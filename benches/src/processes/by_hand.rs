//! Durable steps written by hand, in the tables of the declared application: a queue of calls, of which each is claimed by one
//! transaction; a second one stores the result of the step and the start of the next.

use std::{
    ops::RangeInclusive,
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

use dz::{Engine, TimeDelta, Utc, Uuid, Value};
use dz_runtime::db::{BindKind, Conn, Database, DatabaseConfig, Statement};

use crate::requests::Outcome;

/// The number of threads, as many as an application has for its jobs.
const THREADS: usize = 4;
/// The number of steps of a run.
const STEPS: i64 = 10;

/// The texts that a run stores, from a run of the declared application.
#[derive(Debug, Clone)]
pub struct Texts {
    /// The description of the process.
    pub flow: String,
    /// The state.
    pub state: String,
}

/// A run with the number of its next step.
struct Claimed {
    job: Uuid,
    run: Uuid,
    step: i64,
}

/// Steps written by hand.
pub struct ByHand {
    db: Database,
    texts: Texts,
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn now() -> Value {
    Value::DateTime(Utc::now())
}

/// `INSERT INTO table (…) VALUES (…)`.
fn insert(conn: &mut Conn, table: &str, columns: &[(&str, Value, BindKind)]) -> dz::Result<()> {
    let mut sql = Statement::new();
    sql.push("INSERT INTO ").push(table).push(" (");
    for (at, (name, ..)) in columns.iter().enumerate() {
        sql.push(if at == 0 { "" } else { ", " }).push(name);
    }
    sql.push(") VALUES (");
    for (at, (_, value, kind)) in columns.iter().enumerate() {
        sql.push(if at == 0 { "" } else { ", " }).bind(value.clone(), *kind);
    }
    sql.push(")");
    conn.execute(&sql).map(drop)
}

impl ByHand {
    /// Opens the database.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open(engine: Engine, url: String, texts: Texts) -> Outcome<ByHand> {
        let db = Database::open(engine, &DatabaseConfig { url, size: 8, row_security: false, idle: DatabaseConfig::IDLE })?;
        Ok(ByHand { db, texts })
    }

    /// Steps per second of `runs` runs with ten calls each.
    ///
    /// # Errors
    /// Errors of the database.
    pub fn calls(&self, runs: u32) -> Outcome<f64> {
        let start = Instant::now();
        self.db.write(&mut |conn| {
            (0..runs).try_for_each(|_| {
                let id = self.start(conn)?;
                self.begin_step(conn, id, 1)
            })
        })?;
        let ended = AtomicU32::new(0);
        thread::scope(|scope| {
            let work = || -> dz::Result<()> {
                while ended.load(Ordering::Relaxed) < runs {
                    match self.claim()? {
                        Some(claimed) => ended.fetch_add(u32::from(self.finish_step(&claimed)?), Ordering::Relaxed),
                        None => {
                            thread::sleep(Duration::from_millis(1));
                            0
                        }
                    };
                }
                Ok(())
            };
            let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
            threads.into_iter().try_for_each(|it| it.join().map_err(|_| dz::Error::internal("a thread panicked"))?)
        })?;
        Ok(f64::from(runs) * STEPS as f64 / start.elapsed().as_secs_f64())
    }

    /// Steps per second of `runs` runs that create ten notes each: `at_once` in one transaction, or in one for each step.
    ///
    /// # Errors
    /// Errors of the database.
    pub fn effects(&self, runs: u32, at_once: bool) -> Outcome<f64> {
        let start = Instant::now();
        let mut ids = Vec::new();
        self.db.write(&mut |conn| {
            ids = (0..runs).map(|_| self.start(conn)).collect::<dz::Result<_>>()?;
            Ok(())
        })?;
        let next = AtomicU32::new(0);
        thread::scope(|scope| {
            let work = || -> dz::Result<()> {
                while let Some(run) = ids.get(next.fetch_add(1, Ordering::Relaxed) as usize) {
                    match at_once {
                        true => self.db.write(&mut |conn| self.effects_of(conn, *run, 1..=STEPS))?,
                        false => (1..=STEPS).try_for_each(|step| self.db.write(&mut |conn| self.effects_of(conn, *run, step..=step)))?,
                    }
                }
                Ok(())
            };
            // As many threads as an application has for due runs.
            let threads: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
            threads.into_iter().try_for_each(|it| it.join().map_err(|_| dz::Error::internal("a thread panicked"))?)
        })?;
        Ok(f64::from(runs) * STEPS as f64 / start.elapsed().as_secs_f64())
    }

    fn effects_of(&self, conn: &mut Conn, run: Uuid, steps: RangeInclusive<i64>) -> dz::Result<()> {
        self.read_state(conn, run)?;
        let last = *steps.end();
        for step in steps {
            let columns = [
                ("id", Value::Uuid(Uuid::now_v7()), BindKind::Uuid),
                ("title", text("a note"), BindKind::Text),
                ("dz_version", Value::Int(1), BindKind::Int),
            ];
            insert(conn, "notes", &columns)?;
            self.insert_step(conn, run, step, "completed", Some(now()))?;
        }
        self.save(conn, run, last == STEPS)
    }

    fn start(&self, conn: &mut Conn) -> dz::Result<Uuid> {
        let id = Uuid::now_v7();
        let columns = [
            ("id", Value::Uuid(id), BindKind::Uuid),
            ("process", text("by hand"), BindKind::Text),
            ("title", text("By hand"), BindKind::Text),
            ("version", text("1"), BindKind::Text),
            ("flow", text(&self.texts.flow), BindKind::Text),
            ("status", text("waiting"), BindKind::Text),
            ("trigger", text("{}"), BindKind::Text),
            ("subject", text(""), BindKind::Text),
            ("cause", text(&id.to_string()), BindKind::Text),
            ("state", text(&self.texts.state), BindKind::Text),
            ("started_at", now(), BindKind::DateTime),
            ("failures", Value::Int(0), BindKind::Int),
        ];
        insert(conn, "dz_runs", &columns)?;
        Ok(id)
    }

    fn insert_step(&self, conn: &mut Conn, run: Uuid, step: i64, status: &str, ended: Option<Value>) -> dz::Result<()> {
        let columns = [
            ("run", Value::Uuid(run), BindKind::Uuid),
            ("unit", text(&format!("step {step}")), BindKind::Text),
            ("visit", Value::Int(1), BindKind::Int),
            ("attempt", Value::Int(1), BindKind::Int),
            ("name", text(&format!("s{step}")), BindKind::Text),
            ("status", text(status), BindKind::Text),
            ("input", text(&format!("{{\"n\":{step}}}")), BindKind::Text),
            ("started_at", now(), BindKind::DateTime),
            ("ended_at", ended.unwrap_or_default(), BindKind::DateTime),
        ];
        insert(conn, "dz_run_steps", &columns)
    }

    /// Stores the start of a step, and its call.
    fn begin_step(&self, conn: &mut Conn, run: Uuid, step: i64) -> dz::Result<()> {
        self.insert_step(conn, run, step, "running", None)?;
        let payload = format!(
            r#"{{"run":"{run}","attempt":{{"unit":{{"Step":{step}}},"visit":1,"number":1}},"key":"{run}:s{step}","service":"add","step":"s{step}","is_intent":false,"input":{{"n":{step}}},"deadline":null}}"#
        );
        let columns = [
            ("id", Value::Uuid(Uuid::now_v7()), BindKind::Uuid),
            ("name", text("by hand"), BindKind::Text),
            ("payload", text(&payload), BindKind::Text),
            ("priority", Value::Int(step), BindKind::Int),
            ("max_attempts", Value::Int(10), BindKind::Int),
            ("created_at", now(), BindKind::DateTime),
            ("run_at", now(), BindKind::DateTime),
            ("state", text("queued"), BindKind::Text),
            ("attempts", Value::Int(0), BindKind::Int),
            ("progress_done", Value::Int(0), BindKind::Int),
            ("progress_total", Value::Int(0), BindKind::Int),
            ("note", text(""), BindKind::Text),
            ("error", text(""), BindKind::Text),
        ];
        insert(conn, "dz_jobs", &columns)
    }

    /// Claims the next call for half a minute.
    fn claim(&self) -> dz::Result<Option<Claimed>> {
        self.db.write(&mut |conn| {
            let mut select = Statement::new();
            select.push("SELECT id, payload, priority FROM dz_jobs WHERE (state = 'queued' AND run_at <= ").bind(now(), BindKind::DateTime);
            select.push(") OR (state = 'running' AND leased_until <= ").bind(now(), BindKind::DateTime);
            select.push(") ORDER BY priority DESC, run_at, id LIMIT 1");
            if conn.engine() == Engine::Postgres {
                select.push(" FOR UPDATE SKIP LOCKED");
            }
            let row = conn.rows(&select, &[BindKind::Uuid, BindKind::Text, BindKind::Int])?.into_iter().next();
            let Some([Value::Uuid(job), Value::Text(payload), Value::Int(step)]) = row.as_deref() else { return Ok(None) };
            let payload: dz::serde_json::Value = dz::serde_json::from_str(payload).map_err(dz::Error::internal)?;
            let run = payload["run"].as_str().and_then(|id| Uuid::parse_str(id).ok()).unwrap_or_default();
            let mut update = Statement::new();
            update
                .push("UPDATE dz_jobs SET state = 'running', attempts = attempts + 1, runner = ")
                .bind(Value::Uuid(Uuid::now_v7()), BindKind::Uuid);
            update.push(", leased_until = ").bind(Value::DateTime(Utc::now() + TimeDelta::seconds(30)), BindKind::DateTime);
            update.push(" WHERE id = ").bind(Value::Uuid(*job), BindKind::Uuid);
            conn.execute(&update)?;
            Ok(Some(Claimed { job: *job, run, step: *step }))
        })
    }

    /// Reads and locks a run.
    fn read_state(&self, conn: &mut Conn, run: Uuid) -> dz::Result<()> {
        let mut select = Statement::new();
        select.push("SELECT state FROM dz_runs WHERE id = ").bind(Value::Uuid(run), BindKind::Uuid);
        if conn.engine() == Engine::Postgres {
            select.push(" FOR UPDATE");
        }
        let row = conn.rows(&select, &[BindKind::Text])?.into_iter().flatten().next();
        let Some(Value::Text(state)) = row else { return Err(dz::Error::not_found()) };
        // A state has to be read and written, whatever its form.
        let state: dz::serde_json::Value = dz::serde_json::from_str(&state).map_err(dz::Error::internal)?;
        std::hint::black_box(state);
        Ok(())
    }

    fn save(&self, conn: &mut Conn, run: Uuid, ended: bool) -> dz::Result<()> {
        let mut update = Statement::new();
        update.push("UPDATE dz_runs SET status = ").bind(text(if ended { "completed" } else { "waiting" }), BindKind::Text);
        update.push(", state = ").bind(text(&self.texts.state), BindKind::Text).push(", ended_at = ");
        update.bind(if ended { now() } else { Value::Null }, BindKind::DateTime).push(", due_at = NULL, failures = 0 WHERE id = ");
        update.bind(Value::Uuid(run), BindKind::Uuid);
        conn.execute(&update).map(drop)
    }

    /// Stores the result of a step, and the start of the next one; true after the last.
    fn finish_step(&self, claimed: &Claimed) -> dz::Result<bool> {
        let (run, last) = (claimed.run, claimed.step == STEPS);
        self.db.write(&mut |conn| {
            self.read_state(conn, run)?;
            let mut update = Statement::new();
            update.push("UPDATE dz_run_steps SET status = 'completed', output = ").bind(text("{\"n\":1}"), BindKind::Text);
            update.push(", ended_at = ").bind(now(), BindKind::DateTime).push(" WHERE run = ").bind(Value::Uuid(run), BindKind::Uuid);
            update
                .push(" AND unit = ")
                .bind(text(&format!("step {}", claimed.step)), BindKind::Text)
                .push(" AND visit = 1 AND attempt = 1");
            conn.execute(&update)?;
            let mut done = Statement::new();
            done.push("DELETE FROM dz_jobs WHERE state = 'running' AND id = ").bind(Value::Uuid(claimed.job), BindKind::Uuid);
            conn.execute(&done)?;
            if !last {
                self.begin_step(conn, run, claimed.step + 1)?;
            }
            self.save(conn, run, last)
        })?;
        Ok(last)
    }
}
