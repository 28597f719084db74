//! The removal of personal values from runs that have ended, and from the calls of language models.

use uuid::Uuid;

use super::{
    core::state::RunStatus,
    store::{self, Lock},
    traces::{Traces, position_function},
};
use crate::{
    Result, Value,
    db::{BindKind, Conn, Statement},
    def::AppDef,
};

/// The number of runs and calls.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ErasedRuns {
    /// Runs without values now.
    pub cleared: usize,
    /// Runs that have not ended, whose steps still need their values.
    pub open: usize,
    /// Calls of language models without texts now.
    pub calls: usize,
}

/// Removes the values of ended runs that contain traces of a person, and the texts of such calls. That a run was executed, its steps and
/// their times remain.
pub(crate) fn erase(conn: &mut Conn, app: &'static AppDef, traces: &Traces) -> Result<ErasedRuns> {
    let mut erased = ErasedRuns::default();
    for (id, status) in find(conn, traces)? {
        let ended = [RunStatus::Completed, RunStatus::Failed, RunStatus::Cancelled].iter().any(|it| it.name() == status);
        if ended {
            erased.calls += clear(conn, app, id)?;
            erased.cleared += 1;
        } else {
            erased.open += 1;
        }
    }
    let calls = traces.find_rows(conn, "dz_calls", ("id", BindKind::Uuid), &["prompt", "answer", "error"], "TRUE")?;
    let mut texts = Statement::new();
    texts.push("UPDATE dz_calls SET prompt = NULL, answer = NULL, error = NULL WHERE id").in_list(conn.engine(), calls, BindKind::Uuid);
    erased.calls += conn.execute(&texts)?;
    Ok(erased)
}

/// The runs whose values contain traces, with their statuses.
fn find(conn: &mut Conn, traces: &Traces) -> Result<Vec<(Uuid, String)>> {
    let mut found = traces.find_rows(conn, "dz_runs", ("id", BindKind::Uuid), &["state"], "TRUE")?;
    found.extend(traces.find_rows(conn, "dz_run_steps", ("run", BindKind::Uuid), &["input", "output", "error"], "TRUE")?);
    let engine = conn.engine();
    let mut select = Statement::new();
    select.push("SELECT r.id, r.status FROM dz_runs AS r WHERE r.id").in_list(engine, found, BindKind::Uuid);
    // A run of the row of the account; the key alone can be the key of another row.
    let of_entity = format!("\"entity\":\"{}\"", traces.entity);
    select.push(" OR (r.subject = ").bind(store::text(&traces.key), BindKind::Text);
    select.push(&format!(" AND {}(r.trigger, ", position_function(engine))).bind(store::text(&of_entity), BindKind::Text).push(") > 0)");
    let pair = |row: Vec<Value>| match <[Value; 2]>::try_from(row) {
        Ok([Value::Uuid(id), Value::Text(status)]) => Some((id, status)),
        _ => None,
    };
    Ok(conn.rows(&select, &[BindKind::Uuid, BindKind::Text])?.into_iter().filter_map(pair).collect())
}

/// Removes the values of a run; the result is the number of its calls.
fn clear(conn: &mut Conn, app: &'static AppDef, id: Uuid) -> Result<usize> {
    let Some(mut run) = store::find(conn, app, id, Lock::Wait)? else { return Ok(0) };
    run.saved.clear_values();
    store::save(conn, &run)?;
    let mut steps = Statement::new();
    steps.push("UPDATE dz_run_steps SET input = NULL, output = NULL, error = NULL WHERE run = ").bind(Value::Uuid(id), BindKind::Uuid);
    conn.execute(&steps)?;
    let mut calls = Statement::new();
    calls.push("UPDATE dz_calls SET prompt = NULL, answer = NULL, error = NULL WHERE run = ").bind(Value::Uuid(id), BindKind::Uuid);
    conn.execute(&calls)
}
