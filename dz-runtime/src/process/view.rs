//! Runs as the interfaces show them, and what administrators do with them.

use serde_json::{Map, Value as Json, json};
use uuid::Uuid;

use super::{
    core::{
        self,
        event::{Event, Failure},
        state::{Phase, RunStatus, UnitState},
    },
    definition::{Definition, GONE, Processes},
    drive::{self, Refusals},
    start,
    store::{self, Lock, Run, Wanted},
};
use crate::{
    Error, Result, Tx, Value,
    db::{BindKind, Statement},
    field::datetime_text,
    suggest::did_you_mean,
    trace::{self, Description, SpanKind, Tracer},
};

/// The statuses of runs.
pub(crate) use dz_vocabulary::RUN_STATUSES as STATUSES;

/// Which runs are listed.
#[derive(Debug, Clone, Default)]
pub(crate) struct RunFilter {
    /// Only those of this process.
    pub process: Option<String>,
    /// Only those with this status.
    pub status: Option<String>,
    /// The number of runs to skip.
    pub offset: u64,
    /// The largest number of runs.
    pub limit: u64,
}

/// Lists runs, the newest first.
pub(crate) fn list(tx: &mut Tx<'_>, filter: &RunFilter) -> Result<Vec<Run>> {
    let mut sql = Statement::new();
    sql.push("WHERE TRUE");
    push_filter(&mut sql, filter);
    sql.push(" ORDER BY r.started_at DESC, r.id DESC LIMIT ")
        .bind(Value::Int(i64::try_from(filter.limit).unwrap_or(i64::MAX)), BindKind::Int);
    sql.push(" OFFSET ").bind(Value::Int(i64::try_from(filter.offset).unwrap_or(i64::MAX)), BindKind::Int);
    store::select(tx.conn, tx.app, &Wanted { sql, lock: Lock::No })
}

/// As [`list`].
///
/// # Errors
/// 400 if the filter names a process that is not declared and has no run. Runs of a process that is no longer declared are listed.
pub(crate) fn list_known(tx: &mut Tx<'_>, filter: &RunFilter) -> Result<Vec<Run>> {
    let runs = list(tx, filter)?;
    if let Some(name) = filter.process.as_deref().filter(|_| runs.is_empty()) {
        let declared = declared(tx)?;
        let has_runs = |tx: &mut Tx<'_>| count(tx, &RunFilter { process: filter.process.clone(), ..RunFilter::default() });
        if declared.iter().all(|(known, _)| known != name) && has_runs(tx)? == 0 {
            let near = did_you_mean(name, declared.iter().map(|(name, _)| name.as_str()).collect());
            return Err(Error::bad_request(format!("there is no process `{}`{near}", name.escape_default())));
        }
    }
    Ok(runs)
}

/// The number of runs that a filter selects.
pub(crate) fn count(tx: &mut Tx<'_>, filter: &RunFilter) -> Result<u64> {
    let mut select = Statement::new();
    select.push("SELECT count(*) FROM dz_runs AS r WHERE TRUE");
    push_filter(&mut select, filter);
    match tx.conn.rows(&select, &[BindKind::Int])?.into_iter().flatten().next() {
        Some(Value::Int(count)) => Ok(u64::try_from(count).unwrap_or_default()),
        _ => Ok(0),
    }
}

/// The runs that steps of a run started, the oldest first.
pub(crate) fn children(tx: &mut Tx<'_>, run: Uuid, limit: u64) -> Result<Vec<Run>> {
    let mut sql = Statement::new();
    sql.push("WHERE r.parent = ").bind(Value::Uuid(run), BindKind::Uuid).push(" ORDER BY r.started_at, r.id LIMIT ");
    sql.bind(Value::Int(i64::try_from(limit).unwrap_or(i64::MAX)), BindKind::Int);
    store::select(tx.conn, tx.app, &Wanted { sql, lock: Lock::No })
}

/// The names and titles of the declared processes, and of the schedules with steps of their own.
pub(crate) fn declared(tx: &Tx<'_>) -> Result<Vec<(String, String)>> {
    let processes = tx.state::<Processes>()?;
    let declared = processes.declared.iter().map(|process| (process.name.clone(), process.title.clone()));
    Ok(declared.chain(processes.scheduled.iter().cloned()).collect())
}

fn push_filter(sql: &mut Statement, filter: &RunFilter) {
    if let Some(process) = &filter.process {
        sql.push(" AND r.process = ").bind(store::text(process), BindKind::Text);
    }
    if let Some(status) = &filter.status {
        sql.push(" AND r.status = ").bind(store::text(status), BindKind::Text);
    }
}

/// The run with this id.
///
/// # Errors
/// 404 if there is none.
pub(crate) fn find(tx: &mut Tx<'_>, id: Uuid) -> Result<Run> {
    store::find(tx.conn, tx.app, id, Lock::No)?.ok_or_else(Error::not_found)
}

/// The process of a run in its version.
pub(crate) fn definition(tx: &Tx<'_>, run: &Run) -> Result<std::sync::Arc<Definition>> {
    tx.state::<Processes>()?.version(&run.process, &run.version, &run.flow)
}

/// A run without its details.
pub(crate) fn to_json(run: &Run) -> Json {
    json!({
        "id": run.id,
        "process": run.process,
        "title": run.title,
        "status": run.status,
        "version": run.version,
        "parent": run.parent,
        "trigger": run.trigger,
        "started_at": datetime_text(&run.started_at),
        "ended_at": run.ended_at.as_ref().map(datetime_text),
    })
}

/// A run with its details; without those of its steps if its description cannot be read.
pub(crate) fn details(tx: &Tx<'_>, run: &Run) -> Result<Json> {
    let process = match definition(tx, run) {
        Err(error) if error.code == GONE => {
            let mut shown = to_json(run);
            shown["error"] = json!({ "code": error.code, "detail": error.detail });
            return Ok(shown);
        }
        found => found?,
    };
    let state = &run.saved.run;
    let error = state.error.as_ref().map(|error| {
        let step = error.step.and_then(|at| process.steps.get(at)).map(|step| step.name.as_str());
        with_step(&error.failure, step)
    });
    let mut steps: Vec<(&usize, &UnitState)> = state.steps.iter().filter(|(_, it)| is_reached(it)).collect();
    steps.sort_by_key(|(_, it)| it.order);
    let step = |(at, it): (&usize, &UnitState)| {
        let mut members = unit(process.steps.get(*at).map_or("", |step| &step.name), it);
        members.insert("output".to_owned(), it.output.clone());
        Json::Object(members)
    };
    let undo = |undo: &super::core::state::Undo| {
        let mut members = unit(process.compensations.get(undo.compensation).map_or("", |it| &it.name), &undo.unit);
        members.retain(|name, _| matches!(name.as_str(), "name" | "status" | "attempts" | "error"));
        Json::Object(members)
    };
    let Json::Object(mut members) = to_json(run) else { return Err(Error::internal("a run is an object")) };
    members.insert("input".to_owned(), json!(run.saved.input));
    members.insert("output".to_owned(), json!(run.saved.output));
    members.insert("error".to_owned(), json!(error));
    members.insert("steps".to_owned(), steps.into_iter().map(step).collect());
    members.insert("compensations".to_owned(), state.undo.iter().filter(|it| it.unit.attempt > 0).map(undo).collect());
    Ok(Json::Object(members))
}

/// True if an administrator can skip a step now.
pub(crate) fn can_skip(process: &Definition, run: &Run, step: usize) -> bool {
    run.status != store::QUEUED && core::can_skip(&process.flow, &run.saved.run, step)
}

/// True if the run has reached a step. A branch can be cancelled before its first attempt.
pub(crate) fn is_reached(it: &UnitState) -> bool {
    it.attempt > 0 || it.phase == Phase::Cancelled
}

fn with_step(failure: &Failure, step: Option<&str>) -> Json {
    json!({ "code": failure.code, "detail": failure.detail, "step": step })
}

fn unit(name: &str, it: &UnitState) -> Map<String, Json> {
    let members = [
        ("name", json!(name)),
        ("status", json!(it.phase.status())),
        ("attempts", json!(it.attempt)),
        ("started_at", json!(it.started_at.as_ref().map(datetime_text))),
        ("ended_at", json!(it.ended_at.as_ref().map(datetime_text))),
        ("error", json!(it.error)),
    ];
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// What an administrator does with a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Control {
    /// Continues a failed run.
    Retry,
    /// Cancels a run that has not ended.
    Cancel,
    /// Completes the step with this name without its action.
    Skip(String),
}

/// Retries or cancels a run, or skips a step of it.
///
/// # Errors
/// 404 for an unknown run or step, 409 if its status does not allow it.
pub(crate) fn control(tx: &mut Tx<'_>, id: Uuid, control: &Control) -> Result<Run> {
    let mut run = store::find(tx.conn, tx.app, id, Lock::Wait)?.ok_or_else(Error::not_found)?;
    if run.status == store::QUEUED {
        return cancel_queued(tx, run, control);
    }
    let status = run.saved.run.status();
    let refuse = |rule: &str| {
        Err(Error::new(409, "CONFLICT", say!("dz-the-run-is", "The run is {status}; {rule}", status = status.name(), rule = rule)))
    };
    if run.saved.erased && matches!(control, Control::Retry | Control::Skip(_)) {
        return refuse(say!("dz-its-values-were-erased", "its values were erased, so it cannot continue"));
    }
    let event = match control {
        Control::Retry if status != RunStatus::Failed => {
            return refuse(say!("dz-only-failed-runs-are-retried", "only failed runs are retried"));
        }
        Control::Cancel if status.is_ended() => {
            return refuse(say!("dz-only-open-runs-are-cancelled", "only runs that have not ended are cancelled"));
        }
        Control::Retry => Event::Retry,
        Control::Cancel => Event::Cancel,
        Control::Skip(name) => {
            let process = definition(tx, &run)?;
            let step = process.steps.iter().position(|step| step.name == *name).ok_or_else(Error::not_found)?;
            Event::Skip { step }
        }
    };
    let before = run.saved.run.clone();
    drive::handle(tx, &mut run, event, 0)?;
    if matches!(control, Control::Skip(_)) && run.saved.run == before {
        return refuse(say!("dz-the-step-cannot-be-skipped", "the step cannot be skipped now"));
    }
    Ok(run)
}

/// A queued run has not begun, so it only ends.
fn cancel_queued(tx: &mut Tx<'_>, mut run: Run, control: &Control) -> Result<Run> {
    if *control != Control::Cancel {
        return Err(Error::new(409, "CONFLICT", say!("dz-the-run-is-queued", "The run is queued; only failed runs are retried")));
    }
    drive::handle(tx, &mut run, Event::Cancel, 0)?;
    Ok(run)
}

fn describe_span(process: &str, id: Uuid) -> Description {
    let attributes = vec![("dz.process.name", process.into()), ("dz.process.run", id.simple().to_string().as_str().into())];
    Description::new(format!("process {process}"), attributes)
}

/// Continues the first due run; false if none is due.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn continue_next(tx: &mut Tx<'_>, tracer: &Tracer, refusals: Refusals) -> Result<Option<Uuid>> {
    let now = tx.caller.now;
    let Some(mut run) = store::claim(tx.conn, tx.app, now)? else { return Ok(None) };
    let id = run.id;
    let event = if run.saved.run.steps.is_empty() { Event::Start } else { Event::Tick };
    let (process, span) = (run.process.clone(), tracer.begin(run.saved.trace.as_deref()));
    let work = || match refusals {
        Refusals::Store => drive::attempt_in(tx, |tx| drive::handle(tx, &mut run, event, drive::STEPS)),
        Refusals::End => drive::handle_with(tx, &mut run, event, drive::STEPS, refusals).map(Ok).map_err(drive::end_refused),
    };
    let done = trace::run_span(span, SpanKind::Consumer, work, |_| describe_span(&process, id));
    match done? {
        Ok(()) => {}
        Err(failure) => {
            let (code, why) = (failure.code, failure.detail);
            crate::output::log_event!(error, target: "dz::process", id = %id, code, why, "a run could not be continued; it is tried again later");
            start::postpone(tx, id, now)?;
        }
    }
    Ok(Some(id))
}
