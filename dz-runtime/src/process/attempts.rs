//! The table of attempts: what pages show of each step, and which runs wait for a signal.

use chrono::{DateTime, Utc};
use serde_json::Value as Json;
use uuid::Uuid;

use super::{
    core::{
        event::Attempt,
        flow::Action,
        state::{Phase, RunState, Unit, UnitState},
    },
    definition::Definition,
    store::{self, Column, insert_into, json_text, optional},
};
use crate::{
    Result, Value,
    db::{BindKind, Conn, Statement},
};

/// The start of the text of a compensation.
const UNDO: &str = "undo";

/// The text of a unit, unique in its run: a run that was repeated can compensate the same steps again.
fn unit_text(unit: Unit, state: &UnitState) -> String {
    match unit {
        Unit::Step(at) => step_text(at),
        Unit::Undo(_) => format!("{UNDO} at {}", state.order),
    }
}

fn step_text(at: usize) -> String {
    format!("step {at}")
}

/// The attempts that a transaction changes. Each is stored once, at the end, with its last values.
#[derive(Default)]
pub(super) struct ChangedAttempts(Vec<ChangedAttempt>);

/// The identity of an attempt in its run: the text of its unit, the visit and the number.
type Identity = (String, u32, u32);

struct ChangedAttempt {
    identity: Identity,
    /// True if it has no row yet.
    is_new: bool,
    name: String,
    started_at: DateTime<Utc>,
    /// The input, if this transaction has evaluated it.
    input: Option<Value>,
    values: [Column<'static>; 5],
}

impl ChangedAttempts {
    /// Notes the attempts that differ between two states of a run.
    pub fn note(&mut self, process: &Definition, before: &RunState, after: &RunState, now: DateTime<Utc>) -> Result<()> {
        for unit in after.units() {
            let (old, new) = (before.unit(unit), after.unit(unit));
            let Some(new) = new.filter(|new| old != Some(new) && new.attempt > 0) else { continue };
            let is_same = old.is_some_and(|old| (old.visit, old.attempt) == (new.visit, new.attempt));
            // The next attempt is not made yet, and the row keeps the result of the last one.
            if is_same && new.phase == Phase::Ready {
                continue;
            }
            let identity = identity(unit, new);
            let values = values(new, awaits(process, unit, new), now)?;
            match self.find(&identity) {
                Some(known) => known.values = values,
                None => self.0.push(ChangedAttempt {
                    identity,
                    is_new: !is_same,
                    name: name(process, after, unit).to_owned(),
                    started_at: if new.attempt == 1 { new.started_at.unwrap_or(now) } else { now },
                    input: None,
                    values,
                }),
            }
        }
        Ok(())
    }

    /// Notes the input of the current attempt of a unit.
    pub fn note_input(&mut self, unit: Unit, state: &UnitState, input: &Json) -> Result<()> {
        if let Some(known) = self.find(&identity(unit, state)) {
            known.input = Some(json_text(input)?);
        }
        Ok(())
    }

    fn find(&mut self, identity: &Identity) -> Option<&mut ChangedAttempt> {
        self.0.iter_mut().find(|known| known.identity == *identity)
    }

    /// Stores them.
    pub fn store(&mut self, conn: &mut Conn, run: Uuid) -> Result<()> {
        std::mem::take(&mut self.0).into_iter().try_for_each(|changed| changed.store(conn, run))
    }
}

fn identity(unit: Unit, state: &UnitState) -> Identity {
    (unit_text(unit, state), state.visit, state.attempt)
}

fn name<'p>(process: &'p Definition, state: &RunState, unit: Unit) -> &'p str {
    let step = match unit {
        Unit::Step(at) => process.steps.get(at),
        Unit::Undo(at) => state.undo.get(at).and_then(|undo| process.compensations.get(undo.compensation)),
    };
    step.map_or("", |step| step.name.as_str())
}

/// The signal for which a unit waits.
fn awaits<'p>(process: &'p Definition, unit: Unit, state: &UnitState) -> Option<&'p str> {
    let Unit::Step(at) = unit else { return None };
    let Action::WaitSignal(name) = &process.flow.steps.get(at)?.action else { return None };
    (state.phase == Phase::Waiting).then_some(name)
}

/// The columns that change while an attempt is under way.
fn values(state: &UnitState, awaits: Option<&str>, now: DateTime<Utc>) -> Result<[Column<'static>; 5]> {
    let failed = state.error.is_some() && state.phase.is_waiting();
    let status = if failed && awaits.is_none() { "failed" } else { state.phase.status() };
    let ended = if failed { Some(now) } else { state.ended_at };
    let output = if state.output.is_null() { Value::Null } else { json_text(&state.output)? };
    let error = state.error.as_ref().map_or(Ok(Value::Null), json_text)?;
    Ok([
        ("status", Value::Text(status.to_owned()), BindKind::Text),
        ("awaits", optional(awaits, store::text), BindKind::Text),
        ("output", output, BindKind::Text),
        ("error", error, BindKind::Text),
        ("ended_at", optional(ended, Value::DateTime), BindKind::DateTime),
    ])
}

impl ChangedAttempt {
    fn store(self, conn: &mut Conn, run: Uuid) -> Result<()> {
        let (unit, visit, attempt) = self.identity;
        let key = [
            ("run", Value::Uuid(run), BindKind::Uuid),
            ("unit", Value::Text(unit), BindKind::Text),
            ("visit", Value::Int(visit.into()), BindKind::Int),
            ("attempt", Value::Int(attempt.into()), BindKind::Int),
        ];
        let input = self.input.map(|input| ("input", input, BindKind::Text));
        if self.is_new {
            let first =
                [("name", store::text(&self.name), BindKind::Text), ("started_at", Value::DateTime(self.started_at), BindKind::DateTime)];
            let columns: Vec<_> = key.into_iter().chain(first).chain(self.values).chain(input).collect();
            return conn.execute(&insert_into("dz_run_steps", &columns)).map(drop);
        }
        let mut update = Statement::new();
        update.push("UPDATE dz_run_steps SET ");
        for (at, (column, value, kind)) in self.values.into_iter().chain(input).enumerate() {
            update.push(if at == 0 { "" } else { ", " }).push(column).push(" = ").bind(value, kind);
        }
        for (at, (column, value, kind)) in key.into_iter().enumerate() {
            update.push(if at == 0 { " WHERE " } else { " AND " }).push(column).push(" = ").bind(value, kind);
        }
        conn.execute(&update).map(drop)
    }
}

/// True if a step works on this attempt.
pub(super) fn is_running(conn: &mut Conn, run: Uuid, attempt: &Attempt) -> Result<bool> {
    let Unit::Step(at) = attempt.unit else { return Ok(false) };
    let mut select = Statement::new();
    select.push("SELECT status = 'running' FROM dz_run_steps WHERE run = ").bind(Value::Uuid(run), BindKind::Uuid);
    select.push(" AND unit = ").bind(Value::Text(step_text(at)), BindKind::Text);
    select.push(" AND visit = ").bind(Value::Int(attempt.visit.into()), BindKind::Int);
    select.push(" AND attempt = ").bind(Value::Int(attempt.number.into()), BindKind::Int);
    Ok(conn.rows(&select, &[BindKind::Bool])?.into_iter().flatten().next() == Some(Value::Bool(true)))
}

/// The runs that wait for a signal, in a stable order.
pub(super) fn find_waiting(conn: &mut Conn, signal: &str) -> Result<Vec<Uuid>> {
    let mut select = Statement::new();
    select.push("SELECT DISTINCT run FROM dz_run_steps WHERE status = 'waiting' AND awaits = ").bind(store::text(signal), BindKind::Text);
    select.push(" ORDER BY run");
    let ids = conn.rows(&select, &[BindKind::Uuid])?.into_iter().flatten();
    Ok(ids.filter_map(|id| if let Value::Uuid(id) = id { Some(id) } else { None }).collect())
}

/// An attempt as it is stored.
#[derive(Debug, Clone)]
pub(crate) struct StoredAttempt {
    pub name: String,
    /// True for a compensation.
    pub is_undo: bool,
    /// The number of the attempt, from 1.
    pub number: i64,
    pub status: String,
    /// JSON.
    pub input: Option<String>,
    pub output: Option<String>,
    pub error: Option<String>,
    pub started_at: DateTime<Utc>,
    pub ended_at: Option<DateTime<Utc>>,
}

/// The attempts of a run, at most `limit`, in the order in which they started.
pub(crate) fn list(conn: &mut Conn, run: Uuid, limit: u64) -> Result<Vec<StoredAttempt>> {
    let mut select = Statement::new();
    select.push("SELECT unit, name, attempt, status, input, output, error, started_at, ended_at FROM dz_run_steps WHERE run = ");
    select.bind(Value::Uuid(run), BindKind::Uuid).push(" ORDER BY started_at, visit, attempt, unit LIMIT ");
    select.bind(Value::Int(i64::try_from(limit).unwrap_or(i64::MAX)), BindKind::Int);
    let text = BindKind::Text;
    let kinds = [text, text, BindKind::Int, text, text, text, text, BindKind::DateTime, BindKind::DateTime];
    Ok(conn.rows(&select, &kinds)?.into_iter().map(read).collect())
}

fn read(row: Vec<Value>) -> StoredAttempt {
    let mut row = row.into_iter();
    let mut take = || row.next().unwrap_or_default();
    let text = |value| if let Value::Text(text) = value { Some(text) } else { None };
    let time = |value| if let Value::DateTime(at) = value { Some(at) } else { None };
    StoredAttempt {
        is_undo: text(take()).is_some_and(|unit| unit.starts_with(UNDO)),
        name: text(take()).unwrap_or_default(),
        number: if let Value::Int(number) = take() { number } else { 0 },
        status: text(take()).unwrap_or_default(),
        input: text(take()),
        output: text(take()),
        error: text(take()),
        started_at: time(take()).unwrap_or_default(),
        ended_at: time(take()),
    }
}
