//! The removal of personal values from runs that have ended, and from the calls of language models.

use uuid::Uuid;

use super::{
    core::state::RunStatus,
    store::{self, Lock},
};
use crate::{
    Engine, Result, Value,
    db::{BindKind, Conn, Statement},
    def::AppDef,
};

/// What identifies a person in stored values.
pub(crate) struct Traces {
    /// The name of the account entity.
    pub entity: &'static str,
    /// The key of the account as JSON has it.
    pub key: String,
    /// Texts that occur in no other values: the mail address, and the key unless it is a number.
    pub words: Vec<String>,
}

impl Traces {
    /// Appends the condition that one of the columns contains one of the words.
    pub(crate) fn push_contained(&self, statement: &mut Statement, engine: Engine, columns: &[&str]) {
        let function = match engine {
            Engine::Sqlite => "instr",
            Engine::Postgres => "strpos",
        };
        statement.push("(FALSE");
        for (column, word) in columns.iter().flat_map(|column| self.words.iter().map(move |word| (column, word))) {
            statement.push(&format!(" OR {function}({column}, ")).bind(store::text(word), BindKind::Text).push(") > 0");
        }
        statement.push(")");
    }
}

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
    let mut texts = Statement::new();
    texts.push("UPDATE dz_calls SET prompt = NULL, answer = NULL, error = NULL WHERE ");
    traces.push_contained(&mut texts, conn.engine(), &["prompt", "answer", "error"]);
    erased.calls += conn.execute(&texts)?;
    Ok(erased)
}

/// The runs whose values contain traces, with their statuses.
fn find(conn: &mut Conn, traces: &Traces) -> Result<Vec<(Uuid, String)>> {
    let engine = conn.engine();
    let mut select = Statement::new();
    select.push("SELECT r.id, r.status FROM dz_runs AS r WHERE ");
    traces.push_contained(&mut select, engine, &["r.state"]);
    // A run of the row of the account; the key alone can be the key of another row.
    select.push(" OR (r.subject = ").bind(store::text(&traces.key), BindKind::Text).push(" AND ");
    let of_entity = Traces { entity: traces.entity, key: String::new(), words: vec![format!("\"entity\":\"{}\"", traces.entity)] };
    of_entity.push_contained(&mut select, engine, &["r.trigger"]);
    select.push(") OR r.id IN (SELECT s.run FROM dz_run_steps AS s WHERE ");
    traces.push_contained(&mut select, engine, &["s.input", "s.output", "s.error"]);
    select.push(")");
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
