//! Signals: to the runs that wait for them, to one run, and to the processes that they start.

use serde_json::Value as Json;
use uuid::Uuid;

use super::{
    attempts,
    core::{
        event::{Event, Failure},
        flow::Action,
    },
    definition::{Definition, Processes},
    drive,
    messages::SignalJob,
    start::{self, NewRun},
    store::{self, Lock, Run},
    stored::Trigger,
};
use crate::{Error, Result, Tx, output::log_event, suggest::did_you_mean};

/// The number of signals that a run remembers, so that none is received twice.
const REMEMBERED: usize = 100;

/// Sends a signal after this transaction.
pub(super) fn send_later(tx: &mut Tx<'_>, name: &str) -> Result<()> {
    tx.spawn_job(&SignalJob { id: Uuid::now_v7(), name: name.to_owned(), payload: Json::Null }).map(drop)
}

/// The signals for which a process can wait.
fn awaited(process: &Definition) -> impl Iterator<Item = &str> {
    process.flow.steps.iter().filter_map(|step| if let Action::WaitSignal(name) = &step.action { Some(name.as_str()) } else { None })
}

/// The signals for which a declared process can wait, or which start one.
fn names(processes: &Processes) -> Vec<&str> {
    let declared = || processes.declared.iter();
    let starting = declared().filter_map(|it| if let Trigger::Signal { name } = &it.trigger { Some(name.as_str()) } else { None });
    declared().flat_map(|process| awaited(process)).chain(starting).collect()
}

/// Checks the name of a signal that comes from outside; a signal to one run can be one of the version of the run.
///
/// # Errors
/// 404 with the nearest name.
fn check_name(tx: &mut Tx<'_>, name: &str, run: Option<Uuid>) -> Result<()> {
    let processes = tx.state::<Processes>()?;
    let known = names(&processes);
    if known.contains(&name) || !attempts::find_waiting(tx.conn, name)?.is_empty() {
        return Ok(());
    }
    let run = run.map(|run| store::find(tx.conn, tx.app, run, Lock::No)).transpose()?.flatten();
    if let Some(run) = run
        && awaited(&*processes.version(&run.process, &run.version, &run.flow)?).any(|awaited| awaited == name)
    {
        return Ok(());
    }
    Err(Error { detail: format!("There is no signal `{name}`{}", did_you_mean(name, known)), ..Error::not_found() })
}

/// Sends a signal to one run, which keeps it until it waits for it.
///
/// # Errors
/// 404 for an unknown run, 409 for one that has ended.
fn send_to_run(tx: &mut Tx<'_>, run: Uuid, name: &str, payload: &Json) -> Result<u64> {
    let mut run = store::find(tx.conn, tx.app, run, Lock::Wait)?.ok_or_else(Error::not_found)?;
    if run.saved.run.keeps_all_signals() && !attempts::find_waiting(tx.conn, name)?.contains(&run.id) {
        return Err(Error::new(409, "CONFLICT", "The run keeps as many signals as it can, and waits for none of this name"));
    }
    if run.saved.run.status().is_ended() {
        return Err(Error::new(409, "CONFLICT", format!("The run is {}, so it receives no signal", run.status)));
    }
    drive::handle(tx, &mut run, Event::Signal { name: name.to_owned(), payload: payload.clone(), keep: true }, 0)?;
    Ok(1)
}

/// What a signal has done.
#[derive(Debug, Default)]
pub(super) struct Sent {
    /// The number of runs that it reached or started.
    pub runs: u64,
    /// The refusal of a start.
    pub refused: Option<Failure>,
}

/// Sends a signal to every run that waits for it, and starts the processes that it triggers. `id` identifies the signal, so that none
/// receives it twice.
///
/// # Errors
/// 503 if the database is unavailable.
pub(super) fn send(tx: &mut Tx<'_>, name: &str, payload: &Json, id: Uuid) -> Result<Sent> {
    let mut sent = Sent::default();
    for waiting in attempts::find_waiting(tx.conn, name)? {
        let Some(mut run) = store::find(tx.conn, tx.app, waiting, Lock::Wait)? else { continue };
        if run.saved.seen.contains(&id) || !is_same_tenant(tx, &run) {
            continue;
        }
        run.saved.seen.push(id);
        if run.saved.seen.len() > REMEMBERED {
            run.saved.seen.remove(0);
        }
        let event = Event::Signal { name: name.to_owned(), payload: payload.clone(), keep: false };
        match tx.savepoint(|tx| drive::handle(tx, &mut run, event, 0)) {
            Ok(()) => sent.runs += 1,
            // A description that this version cannot read must not keep the signal from the other runs.
            Err(error) if error.code == "GONE" => {
                log_event!(warn, target: "dz::process", id = %run.id, signal = name, why = %error.detail, "a run could not receive a signal");
            }
            Err(error) => return Err(error),
        }
    }
    let processes = tx.state::<Processes>()?;
    for process in processes.declared.iter().filter(|it| it.trigger == (Trigger::Signal { name: name.to_owned() })) {
        let input = inputs_of(process, payload);
        let new = NewRun::by_signal(name, id, payload.clone());
        match drive::attempt_in(tx, |tx| start::start(tx, process, &input, new))? {
            Ok(started) => sent.runs += u64::from(started.is_some()),
            Err(failure) => {
                start::report_failure(process, &failure);
                sent.refused = Some(failure);
            }
        }
    }
    Ok(sent)
}

/// The inputs that a payload sets: the sender need not know each process that the signal starts.
fn inputs_of(process: &Definition, payload: &Json) -> Json {
    let is_input = |name: &str| process.input.iter().any(|(field, ..)| field.ty.name() == name);
    match payload {
        Json::Object(members) => {
            members.iter().filter(|(name, _)| is_input(name)).map(|(name, value)| (name.clone(), value.clone())).collect()
        }
        _ if process.input.is_empty() => Json::Null,
        other => other.clone(),
    }
}

/// A signal that belongs to a tenant reaches the runs of that tenant.
fn is_same_tenant(tx: &Tx<'_>, run: &Run) -> bool {
    tx.caller.tenant().is_none_or(|tenant| run.tenant.as_ref() == Some(tenant))
}

/// Sends a signal as a user or a program asks. The result is the number of runs that receive it or that it starts.
///
/// # Errors
/// 404 for an unknown signal or run, 409 for a run that has ended, 422 if the signal only starts processes and none accepts its payload.
pub(crate) fn send_from_outside(tx: &mut Tx<'_>, name: &str, payload: &Json, run: Option<Uuid>) -> Result<u64> {
    check_name(tx, name, run)?;
    if let Some(run) = run {
        return send_to_run(tx, run, name, payload);
    }
    match send(tx, name, payload, Uuid::now_v7())? {
        Sent { runs: 0, refused: Some(failure) } => Err(refuse(&failure)),
        sent => Ok(sent.runs),
    }
}

/// The refusal of a payload, with the invalid inputs.
fn refuse(failure: &Failure) -> Error {
    let error = Error::new(422, "VALIDATION", failure.detail.clone());
    let messages = failure.field_errors.iter().flat_map(|(name, messages)| {
        let messages = messages.as_array().map(Vec::as_slice).unwrap_or_default();
        messages.iter().filter_map(Json::as_str).map(move |message| (name, message))
    });
    messages.fold(error, |error, (name, message)| error.at(name, message))
}
