//! The table of attempts: what pages show of each step, and which runs wait for a signal.

use chrono::{DateTime, Utc};
use serde_json::Value as Json;
use uuid::Uuid;

use super::{
    core::{
        flow::Action,
        state::{Phase, RunState, Unit, UnitState},
    },
    definition::Definition,
    store::{self, insert_into, json_text, optional},
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
        Unit::Step(at) => format!("step {at}"),
        Unit::Undo(_) => format!("{UNDO} at {}", state.order),
    }
}

/// Stores the attempts that differ between two states of a run.
pub(super) fn record(
    conn: &mut Conn,
    run: Uuid,
    process: &Definition,
    before: &RunState,
    after: &RunState,
    now: DateTime<Utc>,
) -> Result<()> {
    for unit in after.units() {
        let (old, new) = (before.unit(unit), after.unit(unit));
        let Some(new) = new.filter(|new| old != Some(new) && new.attempt > 0) else { continue };
        let is_same = old.is_some_and(|old| (old.visit, old.attempt) == (new.visit, new.attempt));
        // The next attempt is not made yet, and the row keeps the result of the last one.
        if is_same && new.phase == Phase::Ready {
            continue;
        }
        // An attempt that was replaced within one transaction is not stored.
        write(conn, (run, unit), name(process, after, unit), new, awaits(process, unit, new), (is_same, now))?;
    }
    Ok(())
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

fn write(
    conn: &mut Conn,
    (run, unit): (Uuid, Unit),
    name: &str,
    state: &UnitState,
    awaits: Option<&str>,
    (is_same, now): (bool, DateTime<Utc>),
) -> Result<()> {
    let failed = state.error.is_some() && state.phase.is_waiting();
    let status = if failed && awaits.is_none() { "failed" } else { state.phase.status() };
    let ended = if failed { Some(now) } else { state.ended_at };
    let output = if state.output.is_null() { Value::Null } else { json_text(&state.output)? };
    let error = state.error.as_ref().map_or(Ok(Value::Null), json_text)?;
    let key = [
        ("run", Value::Uuid(run), BindKind::Uuid),
        ("unit", Value::Text(unit_text(unit, state)), BindKind::Text),
        ("visit", Value::Int(state.visit.into()), BindKind::Int),
        ("attempt", Value::Int(state.attempt.into()), BindKind::Int),
    ];
    let values = [
        ("status", Value::Text(status.to_owned()), BindKind::Text),
        ("awaits", optional(awaits, store::text), BindKind::Text),
        ("output", output, BindKind::Text),
        ("error", error, BindKind::Text),
        ("ended_at", optional(ended, Value::DateTime), BindKind::DateTime),
    ];
    if is_same {
        let mut update = Statement::new();
        update.push("UPDATE dz_run_steps SET ");
        for (at, (column, value, kind)) in values.iter().enumerate() {
            update.push(if at == 0 { "" } else { ", " }).push(column).push(" = ").bind(value.clone(), *kind);
        }
        for (at, (column, value, kind)) in key.iter().enumerate() {
            update.push(if at == 0 { " WHERE " } else { " AND " }).push(column).push(" = ").bind(value.clone(), *kind);
        }
        return conn.execute(&update).map(drop);
    }
    let first = [
        ("name", store::text(name), BindKind::Text),
        ("started_at", Value::DateTime(if state.attempt == 1 { state.started_at.unwrap_or(now) } else { now }), BindKind::DateTime),
    ];
    let columns: Vec<_> = key.into_iter().chain(first).chain(values).collect();
    conn.execute(&insert_into("dz_run_steps", &columns)).map(drop)
}

/// Stores the input of the current attempt of a unit.
pub(super) fn record_input(conn: &mut Conn, run: Uuid, unit: Unit, state: &UnitState, input: &Json) -> Result<()> {
    let mut update = Statement::new();
    update.push("UPDATE dz_run_steps SET input = ").bind(json_text(input)?, BindKind::Text);
    update.push(" WHERE run = ").bind(Value::Uuid(run), BindKind::Uuid);
    update.push(" AND unit = ").bind(Value::Text(unit_text(unit, state)), BindKind::Text);
    update.push(" AND visit = ").bind(Value::Int(state.visit.into()), BindKind::Int);
    update.push(" AND attempt = ").bind(Value::Int(state.attempt.into()), BindKind::Int);
    conn.execute(&update).map(drop)
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
