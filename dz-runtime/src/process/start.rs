//! The start of runs: by a user, a row, a signal, or another process.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value as Json, json};
use uuid::Uuid;

use super::{
    core::event::{Attempt, Event, Failure},
    data,
    definition::{Definition, Processes},
    drive, ending,
    store::{self, Lock, QUEUED, Run, Saved, TriggerData, Wanted},
    stored::{EmitEvent, Overlap, Trigger},
    value_type,
};
use crate::{
    Caller, Engine, Error, Result, RunEvent, Tx, Value,
    db::{BindKind, Statement, Work},
    event::Occurrence,
    output::log_event,
    rows,
    suggest::did_you_mean,
    trace,
};

/// What starts a run.
#[derive(Debug, Clone)]
pub(super) struct NewRun {
    /// The trigger, as the interfaces show it.
    pub trigger: Json,
    /// The values that the trigger passes.
    pub data: TriggerData,
    /// The key of the row of the trigger, or nothing.
    pub subject: String,
    /// What started it; a second run of the process with the same cause is not stored.
    pub cause: String,
    /// The run whose step starts it, and that attempt.
    pub parent: Option<(Uuid, Attempt)>,
    /// True if missing inputs come from the trigger.
    pub from_trigger: bool,
}

fn trigger_json(kind: &str, name: Option<&str>, row: Option<(&str, &str, &str)>) -> Json {
    let (entity, event, id) = row.map_or((None, None, None), |(entity, event, id)| (Some(entity), Some(event), Some(id)));
    json!({ "kind": kind, "entity": entity, "event": event, "id": id, "name": name })
}

impl NewRun {
    /// By a user.
    pub fn manual() -> NewRun {
        NewRun {
            trigger: trigger_json("manual", None, None),
            data: TriggerData::default(),
            subject: String::new(),
            cause: Uuid::now_v7().to_string(),
            parent: None,
            from_trigger: false,
        }
    }

    /// By a step of another run.
    pub fn by_process(name: &str) -> NewRun {
        NewRun { trigger: trigger_json("process", Some(name), None), ..NewRun::manual() }
    }

    /// By a job of a schedule.
    pub fn by_schedule(name: &str, job: Uuid) -> NewRun {
        NewRun { trigger: trigger_json("schedule", Some(name), None), cause: job.to_string(), ..NewRun::manual() }
    }

    /// By the completion of a run.
    pub fn after(run: &Run, payload: Json) -> NewRun {
        NewRun {
            trigger: trigger_json("process", Some(&run.process), None),
            data: TriggerData { payload, ..TriggerData::default() },
            cause: run.id.to_string(),
            from_trigger: true,
            ..NewRun::manual()
        }
    }

    /// By a signal with this id.
    pub fn by_signal(name: &str, id: Uuid, payload: Json) -> NewRun {
        NewRun {
            trigger: trigger_json("signal", Some(name), None),
            data: TriggerData { payload, ..TriggerData::default() },
            cause: id.to_string(),
            ..NewRun::manual()
        }
    }

    /// By an event of a row.
    pub fn by_row(entity: &'static crate::def::EntityDef, occurrence: &Occurrence) -> NewRun {
        let key = occurrence.row.value(entity.pk).to_key_text().unwrap_or_default();
        NewRun {
            trigger: trigger_json("entity", None, Some((entity.name, occurrence.event.name(), &key))),
            data: TriggerData {
                entity: Some(entity.name.to_owned()),
                row: Some(data::row_members(entity, &occurrence.row.values)),
                payload: Json::Null,
            },
            subject: key,
            cause: occurrence.id.to_string(),
            parent: None,
            from_trigger: true,
        }
    }
}

/// Starts a run in this transaction. The result is `None` if `overlap` drops the start, or if the cause has started one before.
///
/// # Errors
/// 422 with the invalid inputs.
pub(super) fn start(tx: &mut Tx<'_>, process: &Definition, input: &Json, new: NewRun) -> Result<Option<Run>> {
    let now = tx.caller.now;
    let mut run = Run {
        id: Uuid::now_v7(),
        process: process.name.clone(),
        title: process.title.clone(),
        version: process.version.clone(),
        flow: process.text.clone(),
        status: "running".to_owned(),
        parent: new.parent.map(|(run, _)| run),
        parent_attempt: new.parent.map(|(_, attempt)| attempt),
        trigger: new.trigger,
        subject: new.subject,
        cause: new.cause,
        saved: Saved { trigger: new.data, trace: trace::traceparent(), ..Saved::default() },
        started_at: now,
        ended_at: None,
        due_at: Some(now),
        tenant: tx.caller.tenant().cloned(),
    };
    let given = if new.from_trigger { inputs_of_trigger(tx, process, &run, input)? } else { input.clone() };
    run.saved.input = value_type::check_members(tx.app, &process.input_fields(tx.app, tx.now()), &given)?;
    match overlap(tx, process, &run)? {
        Existing::None => {}
        Existing::Same => return Ok(None),
        Existing::Skip => {
            log_event!(info, target: "dz::process", process = process.name, "a start was dropped, because the process runs");
            return Ok(None);
        }
        Existing::Wait => (run.status, run.due_at) = (QUEUED.to_owned(), None),
    }
    if !store::insert(tx.conn, tx.app, &run)? {
        return Ok(None);
    }
    if run.due_at.is_some() {
        begin(tx, &run, process)?;
    }
    Ok(Some(run))
}

/// What every run does when it begins to work.
fn begin(tx: &mut Tx<'_>, run: &Run, process: &Definition) -> Result<()> {
    let id = run.id.simple().to_string();
    log_event!(info, target: "dz::process", event = "process.started", id, process = process.name, "a process started");
    ending::record(tx, run, process, RunEvent::Started)?;
    ending::send_signals(tx, process, EmitEvent::Start)
}

/// The inputs that the trigger sets, and the others as they are given.
fn inputs_of_trigger(tx: &mut Tx<'_>, process: &Definition, run: &Run, given: &Json) -> Result<Json> {
    let mut members = given.as_object().cloned().unwrap_or_default();
    for (field, _, value) in &process.input {
        if let Some(value) = value {
            let json = value_type::with_currency(field.ty.currency(), data::evaluate_json(tx, run, value)?);
            members.insert(field.ty.name().to_owned(), json);
        }
    }
    Ok(Json::Object(members))
}

/// The effect of existing runs of the process for the same row on a new run.
enum Existing {
    None,
    /// One of them has the same cause: the event is delivered again.
    Same,
    Skip,
    Wait,
}

fn overlap(tx: &mut Tx<'_>, process: &Definition, run: &Run) -> Result<Existing> {
    if process.overlap == Overlap::Allow {
        return Ok(Existing::None);
    }
    lock_subject(tx, run, Sharing::Alone)?;
    if store::has_cause(tx.conn, &run.process, &run.cause)? {
        return Ok(Existing::Same);
    }
    let open = open_runs(tx, run, &[QUEUED, "running", "waiting", "compensating"], None)?;
    Ok(match process.overlap {
        Overlap::Skip if !open.is_empty() => Existing::Skip,
        Overlap::Queue if !open.is_empty() => Existing::Wait,
        Overlap::CancelPrevious => {
            for other in open {
                drive::send(tx, other, Event::Cancel)?;
            }
            Existing::None
        }
        Overlap::Skip | Overlap::Queue | Overlap::Allow => Existing::None,
    })
}

/// Which starts and ends of the runs of one row a transaction excludes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sharing {
    /// All others.
    Alone,
    /// Those that exclude all others.
    WithEnds,
    /// Other ends that let a queued run begin, after [`WithEnds`](Sharing::WithEnds). It has a lock of its own, because two transactions
    /// that share a lock cannot both change it to one that excludes the other.
    Release,
}

/// Makes starts and ends of the runs of one row follow each other; SQLite has one writer.
fn lock_subject(tx: &mut Tx<'_>, run: &Run, sharing: Sharing) -> Result<()> {
    if tx.conn.engine() == Engine::Postgres {
        let mut lock = Statement::new();
        let (subject, function) = match sharing {
            Sharing::Alone => ("dz", "pg_advisory_xact_lock"),
            Sharing::WithEnds => ("dz", "pg_advisory_xact_lock_shared"),
            Sharing::Release => ("dz release", "pg_advisory_xact_lock"),
        };
        let name = format!("{subject} {} {} {:?}", run.process, run.subject, run.tenant);
        lock.push("SELECT ").push(function).push("(hashtext(").bind(store::text(&name), BindKind::Text).push(")) IS NULL");
        tx.conn.rows(&lock, &[BindKind::Bool])?;
    }
    Ok(())
}

/// The open runs of the same process, row and tenant with one of these statuses: all, the oldest first, or at most `limit` of them.
fn open_runs(tx: &mut Tx<'_>, run: &Run, statuses: &[&str], limit: Option<u32>) -> Result<Vec<Uuid>> {
    let mut select = Statement::new();
    select.push("SELECT id FROM dz_runs WHERE process = ").bind(store::text(&run.process), BindKind::Text);
    select.push(" AND subject = ").bind(store::text(&run.subject), BindKind::Text);
    select.push(" AND id <> ").bind(Value::Uuid(run.id), BindKind::Uuid);
    if let Some(kind) = store::tenant_kind(tx.app)? {
        match &run.tenant {
            Some(tenant) => select.push(" AND tenant = ").bind(tenant.clone(), kind),
            None => select.push(" AND tenant IS NULL"),
        };
    }
    select.push(" AND status").in_list(tx.conn.engine(), statuses.iter().map(|status| store::text(status)), BindKind::Text);
    match limit {
        Some(limit) => select.push(&format!(" LIMIT {limit}")),
        None => select.push(" ORDER BY started_at, id"),
    };
    let ids = tx.conn.rows(&select, &[BindKind::Uuid])?.into_iter().flatten();
    Ok(ids.filter_map(|id| if let Value::Uuid(id) = id { Some(id) } else { None }).collect())
}

/// Lets the next queued run of the same row begin, after the end of a run.
pub(super) fn release(tx: &mut Tx<'_>, run: &Run, overlap: Overlap) -> Result<()> {
    // Ends of runs that need not wait for each other exclude only starts that can wait, of another version of the process.
    let sharing = if overlap == Overlap::Allow { Sharing::WithEnds } else { Sharing::Alone };
    lock_subject(tx, run, sharing)?;
    if open_runs(tx, run, &[QUEUED], Some(1))?.is_empty() {
        return Ok(());
    }
    if sharing == Sharing::WithEnds {
        lock_subject(tx, run, Sharing::Release)?;
    }
    // A run that was cancelled before it began ends beside the run for which it waited.
    if !open_runs(tx, run, &["running", "waiting", "compensating"], Some(1))?.is_empty() {
        return Ok(());
    }
    let Some(next) = open_runs(tx, run, &[QUEUED], None)?.into_iter().next() else { return Ok(()) };
    let now = tx.caller.now;
    let mut update = Statement::new();
    update.push("UPDATE dz_runs SET status = 'running', due_at = ").bind(Value::DateTime(now), BindKind::DateTime);
    update.push(" WHERE status = 'queued' AND id = ").bind(Value::Uuid(next), BindKind::Uuid);
    if tx.conn.execute(&update)? == 0 {
        return Ok(());
    }
    tx.conn.request_wake(Work::Runs);
    let Some(next) = store::find(tx.conn, tx.app, next, Lock::No)? else { return Ok(()) };
    // A schedule with steps of its own is not a declared process, and a process can have changed since the start.
    match tx.state::<Processes>()?.version(&next.process, &next.version, &next.flow) {
        Ok(process) => begin(tx, &next, &process),
        // The run that ends here must end, although this version cannot read the description of the next one.
        Err(error) if error.code == "GONE" => Ok(()),
        Err(error) => Err(error),
    }
}

/// Cancels the run that an attempt of another one started.
pub(super) fn cancel_child(tx: &mut Tx<'_>, parent: Uuid, attempt: &Attempt) -> Result<()> {
    let mut sql = Statement::new();
    sql.push("WHERE r.parent = ").bind(Value::Uuid(parent), BindKind::Uuid);
    sql.push(" AND r.parent_attempt = ").bind(store::json_text(attempt)?, BindKind::Text);
    for child in store::select(tx.conn, tx.app, &Wanted { sql, lock: Lock::No })? {
        drive::send(tx, child.id, Event::Cancel)?;
    }
    Ok(())
}

/// The processes that a user can start.
pub(crate) fn manual(processes: &Processes) -> impl Iterator<Item = &Definition> {
    processes.declared.iter().map(AsRef::as_ref).filter(|process| matches!(process.trigger, Trigger::Manual { .. }))
}

/// The process that a user can start by this name.
///
/// # Errors
/// 404 with the nearest name.
fn find_manual<'p>(processes: &'p Processes, name: &str) -> Result<&'p Definition> {
    manual(processes).find(|process| process.name == name).ok_or_else(|| {
        let near = did_you_mean(name, manual(processes).map(|process| process.name.as_str()).collect());
        let detail = match processes.find(name) {
            Some(_) => format!("`{name}` has no trigger `manual`, so no user starts it"),
            None => format!("There is no process `{name}` that can be started{near}"),
        };
        Error { detail, ..Error::not_found() }
    })
}

/// Checks that the caller can start a process: by a role that its trigger names, or as an administrator of the whole system.
///
/// # Errors
/// 401 without an account, 403 for another caller.
pub(crate) fn check_starter(tx: &Tx<'_>, name: &str) -> Result<()> {
    let caller = &tx.caller;
    if caller.account.is_none() {
        return Err(Error::unauthenticated());
    }
    let processes = tx.state::<Processes>()?;
    let has_role = |name: &String| {
        let bit = tx.app.roles.iter().position(|role| role.name == name);
        bit.is_some_and(|bit| caller.roles >> bit & 1 == 1)
    };
    let starts = |process: &Definition| matches!(&process.trigger, Trigger::Manual { roles } if roles.iter().any(has_role));
    if caller.system_admin || processes.find(name).is_some_and(|process| starts(process)) {
        return Ok(());
    }
    Err(Error::forbidden("You may not start this process"))
}

/// Starts a process as a user or a program asks.
///
/// # Errors
/// 404 for an unknown process, 422 with the invalid inputs, 409 `OVERLAP` if the start is dropped.
pub(crate) fn start_manually(tx: &mut Tx<'_>, name: &str, input: &Json) -> Result<Run> {
    let processes = tx.state::<Processes>()?;
    let process = find_manual(&processes, name)?;
    let caller = Caller { request_id: tx.caller.request_id.clone(), ..Caller::system(tx.app, tx.caller.now) };
    let caller = caller.for_tenant(tx.caller.tenant().cloned());
    // An administrator of the whole system controls every run, so that the rows only have to exist in the tenant.
    match tx.caller.system_admin {
        true => tx.for_caller(caller.clone(), |tx| check_references(tx, process, input))?,
        false => check_references(tx, process, input)?,
    }
    let started = tx.for_caller(caller, |tx| start(tx, process, input, NewRun::manual()))?;
    started.ok_or_else(|| Error::new(409, "OVERLAP", format!("`{name}` is already running, and cannot run twice at a time")))
}

/// Checks that the caller may refer to the rows that the inputs name, as for a row that the caller writes: the steps work on them as the
/// system.
fn check_references(tx: &mut Tx<'_>, process: &Definition, input: &Json) -> Result<()> {
    let mut wrong = Vec::new();
    for (field, ..) in &process.input {
        let name = field.ty.name();
        let Some((target, keys)) = input.get(name).and_then(|given| field.ty.references(tx.app, given)) else { continue };
        if !rows::are_referable(tx, tx.app.entity(target), &keys)? {
            wrong.push(name);
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    let error = Error::new(422, "REFERENCE", "The referenced row does not exist or is not visible to you");
    Err(wrong.into_iter().fold(error, |error, name| error.at(name, "does not exist or is not visible to you")))
}

impl Tx<'_> {
    /// Starts a process with the trigger `manual` in this transaction, in the tenant of the caller, and returns the id of its run. The
    /// roles of the trigger are not checked. `input` is an object with the inputs, such as `json!({ "turbine": id })`.
    ///
    /// # Errors
    /// 404 for an unknown process, 422 with the invalid inputs, 409 `OVERLAP` if the process runs and does not run twice.
    pub fn start(&mut self, process: &str, input: impl serde::Serialize) -> Result<Uuid> {
        if self.app.processes.is_empty() {
            return Err(Error { detail: "The application has no process".to_owned(), ..Error::not_found() });
        }
        let input = serde_json::to_value(input).map_err(Error::internal)?;
        start_manually(self, process, &input).map(|run| run.id)
    }
}

/// Starts a process for a step of an experience: `values` has the inputs by name, and `last` returns the key of the row of a trigger. The
/// run works as the system; the step decides who starts it. Nothing if the start is dropped.
///
/// # Errors
/// 404 for an unknown process or row, 422 with the invalid inputs. The rows that the inputs name are not checked for the caller:
/// the experience has saved their keys itself.
pub(crate) fn start_for_user(
    tx: &mut Tx<'_>,
    name: &str,
    values: &Map<String, Json>,
    last: impl Fn(&Tx<'_>, &'static crate::def::EntityDef) -> Option<Value>,
) -> Result<Option<Run>> {
    let processes = tx.state::<Processes>()?;
    let process = processes.find(name).ok_or_else(Error::not_found)?;
    let names: Vec<&str> = process.input.iter().map(|(field, ..)| field.ty.name()).collect();
    let is_input = |(name, _): &(&String, &Json)| names.contains(&name.as_str());
    let input: Map<String, Json> = values.iter().filter(is_input).map(|(name, value)| (name.clone(), value.clone())).collect();
    let caller = Caller { request_id: tx.caller.request_id.clone(), ..Caller::system(tx.app, tx.caller.now) };
    let caller = caller.for_tenant(tx.caller.tenant().cloned());
    let new = match &process.trigger {
        Trigger::Entity { entity, .. } | Trigger::Change { entity, .. } => {
            let entity = data::entity(tx.app, entity)?;
            let key =
                last(tx, entity).ok_or_else(|| Error::new(422, "NO_ROW", format!("No {} was saved before this step", entity.title)))?;
            let row = tx.for_caller(caller.clone(), |tx| rows::load_values(tx, entity, &key))?.ok_or_else(Error::not_found)?;
            let text = key.to_key_text().unwrap_or_default();
            NewRun {
                trigger: trigger_json("entity", None, Some((entity.name, "updated", &text))),
                data: TriggerData { entity: Some(entity.name.to_owned()), row: Some(data::row_members(entity, &row)), payload: Json::Null },
                subject: text,
                from_trigger: true,
                ..NewRun::manual()
            }
        }
        Trigger::Signal { .. } | Trigger::Completed { .. } => NewRun {
            data: TriggerData { payload: Json::Object(values.clone()), ..TriggerData::default() },
            from_trigger: matches!(process.trigger, Trigger::Completed { .. }),
            ..NewRun::manual()
        },
        Trigger::Manual { .. } | Trigger::Cron { .. } => NewRun::manual(),
    };
    let input = Json::Object(input);
    tx.for_caller(caller, |tx| start(tx, process, &input, new))
}

/// Logs the failure of a start that no user waits for.
pub(super) fn report_failure(process: &Definition, failure: &Failure) {
    let wrong: Vec<String> = failure.field_errors.iter().map(|(name, messages)| format!("`{name}` {messages}")).collect();
    let (code, why) = (&failure.code, format!("{} {}", failure.detail, wrong.join("; ")));
    log_event!(warn, target: "dz::process", process = process.name, code, why, "a process was not started");
}

/// The time at which a run that cannot be continued is tried again.
pub(super) fn postpone(tx: &mut Tx<'_>, id: Uuid, now: DateTime<Utc>) -> Result<()> {
    let failures = store::failures(tx.conn, id)? + 1;
    store::postpone(tx.conn, id, now + drive::postponement(failures))
}
