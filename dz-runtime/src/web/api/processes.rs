//! `/api/-/…`: processes, runs, signals and human tasks.

use serde_json::{Map, Value as Json, json};
use uuid::Uuid;

use crate::{
    Error, Result, Tx, access,
    audit::{Decision, Record},
    process::{
        claims, signal, start,
        tasks::{self, StoredTask},
        view::{self, Control, RunFilter, STATUSES},
    },
    rows::parse_key,
    web::{
        Call, Reply,
        api::{check_parameters, json_reply},
        request::body,
    },
};

/// The largest number of listed runs and tasks.
const MAX_LISTED: u64 = 1_000;
/// The number of listed runs without `limit`.
const DEFAULT_LISTED: u64 = 100;

/// An operation on processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProcessOperation {
    /// Start a process.
    Start,
    /// List runs.
    ListRuns,
    /// Show a run.
    ShowRun,
    /// Continue a failed run.
    Retry,
    /// Cancel a run.
    Cancel,
    /// Complete a step without its action.
    Skip,
    /// Send a signal.
    Signal,
    /// List the tasks of the caller's inbox.
    ListTasks,
    /// Decide a task.
    Decide,
    /// Claim a task.
    Claim,
    /// Release the claim of a task.
    Release,
}

/// Runs an operation.
pub(super) fn run(tx: &mut Tx<'_>, call: &Call, operation: ProcessOperation) -> Result<Reply> {
    check_caller(tx, call, operation)?;
    let listed = ["process", "status", "limit"];
    check_parameters(call, if operation == ProcessOperation::ListRuns { &listed } else { &[] })?;
    let (status, body) = match operation {
        ProcessOperation::Start => (201, start(tx, call)?),
        ProcessOperation::ListRuns => (200, list(tx, call)?),
        ProcessOperation::ShowRun => {
            let run = view::find(tx, parse_id(call)?)?;
            (200, view::details(tx, &run)?)
        }
        ProcessOperation::Retry => (200, control(tx, call, RUN_RETRY, &Control::Retry)?),
        ProcessOperation::Cancel => (200, control(tx, call, RUN_CANCEL, &Control::Cancel)?),
        ProcessOperation::Skip => (200, skip(tx, call)?),
        ProcessOperation::Signal => (200, send_signal(tx, call)?),
        ProcessOperation::ListTasks => {
            let tasks = tasks::inbox(tx, MAX_LISTED, 0)?;
            (200, json!({ "tasks": tasks::to_json(tx, &tasks)? }))
        }
        ProcessOperation::Decide => {
            let mut members = members(call, &["outcome"])?;
            let outcome = text_member(&mut members, "outcome")?;
            (200, tasks::decide(tx, parse_id(call)?, outcome.as_deref())?)
        }
        ProcessOperation::Claim => (200, change_claim(tx, call, TASK_CLAIM)?),
        ProcessOperation::Release => (200, change_claim(tx, call, TASK_RELEASE)?),
    };
    Ok(json_reply(status, body.to_string().into_bytes()))
}

/// The actions in the audit log.
pub(crate) const PROCESS_START: &str = "process_start";
pub(crate) const RUN_RETRY: &str = "run_retry";
pub(crate) const RUN_CANCEL: &str = "run_cancel";
pub(crate) const RUN_SKIP: &str = "run_skip";
pub(crate) const RUN_SIGNAL: &str = "run_signal";
pub(crate) const TASK_CLAIM: &str = "task_claim";
pub(crate) const TASK_RELEASE: &str = "task_release";

/// Adds an audit record of what the caller does with a run of a process, or with a signal to all runs.
pub(crate) fn record(tx: &mut Tx<'_>, action: &str, name: &str, run: Option<Uuid>) -> Result<()> {
    let record = Record::new(&tx.caller, "", action, Decision::Allowed);
    tx.add_record(Record { rule: name.to_owned(), row: run.map(|run| run.to_string()), ..record })
}

/// Claims or releases a task, with an audit record if this changes its claim.
pub(crate) fn claim_or_release(tx: &mut Tx<'_>, id: Uuid, action: &str) -> Result<StoredTask> {
    let has_changed = if action == TASK_CLAIM { claims::claim(tx, id)? } else { claims::release(tx, id)? };
    let task = claims::find(tx, id)?;
    if has_changed {
        record(tx, action, &task.process.0, Some(task.run))?;
    }
    Ok(task)
}

fn change_claim(tx: &mut Tx<'_>, call: &Call, action: &str) -> Result<Json> {
    members(call, &[])?;
    let task = claim_or_release(tx, parse_id(call)?, action)?;
    Ok(tasks::to_json(tx, &[task])?.pop().unwrap_or_default())
}

fn skip(tx: &mut Tx<'_>, call: &Call) -> Result<Json> {
    let mut members = members(call, &["step"])?;
    let step = text_member(&mut members, "step")?.ok_or_else(|| Error::validation("step", "is required"))?;
    let run = view::control(tx, parse_id(call)?, &Control::Skip(step))?;
    record(tx, RUN_SKIP, &run.process, Some(run.id))?;
    Ok(view::to_json(&run))
}

fn control(tx: &mut Tx<'_>, call: &Call, action: &str, control: &Control) -> Result<Json> {
    members(call, &[])?;
    let run = view::control(tx, parse_id(call)?, control)?;
    record(tx, action, &run.process, Some(run.id))?;
    Ok(view::to_json(&run))
}

/// Checks that the caller may do the operation, also before a stored response is repeated for an `Idempotency-Key`.
pub(super) fn check_caller(tx: &Tx<'_>, call: &Call, operation: ProcessOperation) -> Result<()> {
    match operation {
        ProcessOperation::ListTasks | ProcessOperation::Decide | ProcessOperation::Claim | ProcessOperation::Release => {
            tx.caller.account.as_ref().map(drop).ok_or_else(Error::unauthenticated)
        }
        ProcessOperation::Start => start::check_starter(tx, call.value(0)),
        ProcessOperation::ListRuns
        | ProcessOperation::ShowRun
        | ProcessOperation::Retry
        | ProcessOperation::Cancel
        | ProcessOperation::Skip
        | ProcessOperation::Signal => access::require_system_admin(&tx.caller),
    }
}

fn parse_id(call: &Call) -> Result<Uuid> {
    call.value(0).parse().map_err(|_| Error::not_found())
}

/// The members of the body, of which all must be known.
fn members(call: &Call, known: &[&str]) -> Result<Map<String, Json>> {
    let mut members = Map::new();
    for (name, raw) in body::parse_optional_object(call)?.unwrap_or_default() {
        members.insert(name, serde_json::from_str(raw.get()).map_err(|_| Error::bad_request("the body is not valid JSON"))?);
    }
    match members.keys().find(|name| !known.contains(&name.as_str())) {
        Some(name) if known.is_empty() => Err(Error::validation(name, "is unknown: this request has no body")),
        Some(name) => Err(Error::validation(name, format!("is not a member of this body; the members are {}", known.join(", ")))),
        None => Ok(members),
    }
}

fn text_member(members: &mut Map<String, Json>, name: &str) -> Result<Option<String>> {
    match members.remove(name) {
        None | Some(Json::Null) => Ok(None),
        Some(Json::String(text)) => Ok(Some(text)),
        Some(_) => Err(Error::validation(name, "must be text")),
    }
}

fn start(tx: &mut Tx<'_>, call: &Call) -> Result<Json> {
    let mut members = members(call, &["input", "tenant"])?;
    let input = members.remove("input").unwrap_or_default();
    let tenant = text_member(&mut members, "tenant")?;
    let run = in_tenant(tx, tenant.as_deref(), |tx| start::start_manually(tx, call.value(0), &input))?;
    record(tx, PROCESS_START, &run.process, Some(run.id))?;
    Ok(view::to_json(&run))
}

/// Runs `work` in a tenant that an administrator of the whole system names; other callers can name their current one.
pub(crate) fn in_tenant<T>(tx: &mut Tx<'_>, tenant: Option<&str>, work: impl FnOnce(&mut Tx<'_>) -> Result<T>) -> Result<T> {
    let Some(text) = tenant else { return work(tx) };
    let entity = tx.app.tenant().ok_or_else(|| Error::validation("tenant", "is not known: the application has no tenants"))?;
    let unknown = || Error::validation("tenant", "does not exist");
    let key = parse_key(tx, entity, text).map_err(|_| unknown());
    if !tx.caller.system_admin {
        return match key.is_ok_and(|key| tx.caller.tenant() == Some(&key)) {
            true => work(tx),
            false => Err(Error::forbidden("Only an administrator of the whole system chooses another tenant")),
        };
    }
    let key = key?;
    let caller = tx.caller.clone();
    let exists = tx.for_caller(crate::Caller::system(tx.app, caller.now), |tx| crate::rows::load_values(tx, entity, &key))?;
    exists.ok_or_else(unknown)?;
    tx.for_caller(caller.for_tenant(Some(key)), work)
}

fn list(tx: &mut Tx<'_>, call: &Call) -> Result<Json> {
    let of = |name: &str| call.query.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone());
    let limit = match of("limit") {
        None => DEFAULT_LISTED,
        Some(text) => {
            let limit = text.parse().ok().filter(|limit| (1..=MAX_LISTED).contains(limit));
            limit.ok_or_else(|| Error::bad_request(format!("`limit` must be a whole number from 1 to {MAX_LISTED}")))?
        }
    };
    let status = of("status");
    if let Some(status) = status.as_deref().filter(|status| !STATUSES.contains(status)) {
        let detail = format!("`{}` is not a status of a run; the statuses are {}", status.escape_default(), STATUSES.join(", "));
        return Err(Error::bad_request(detail));
    }
    let filter = RunFilter { process: of("process"), status, offset: 0, limit };
    let runs: Vec<Json> = view::list_known(tx, &filter)?.iter().map(view::to_json).collect();
    Ok(json!({ "runs": runs }))
}

fn send_signal(tx: &mut Tx<'_>, call: &Call) -> Result<Json> {
    let mut members = members(call, &["payload", "run"])?;
    let run = text_member(&mut members, "run")?;
    let run = run.map(|run| run.parse::<Uuid>().map_err(|_| Error::validation("run", "is not the id of a run"))).transpose()?;
    let (name, payload) = (call.value(0), members.remove("payload").unwrap_or_default());
    let runs = signal::send_from_outside(tx, name, &payload, run)?;
    record(tx, RUN_SIGNAL, name, run)?;
    Ok(json!({ "signal": name, "runs": runs }))
}
