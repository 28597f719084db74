//! Signals: to the runs that wait for them, to one run, and to the processes that they start.

use serde_json::Value as Json;
use uuid::Uuid;

use super::{
    attempts,
    core::{event::Event, flow::Action},
    definition::Processes,
    drive,
    messages::SignalJob,
    start::{self, NewRun},
    store::{self, Lock, Run},
    stored::Trigger,
};
use crate::{Error, Result, Tx, suggest::did_you_mean};

/// The number of signals that a run remembers, so that none is received twice.
const REMEMBERED: usize = 100;

/// Sends a signal after this transaction.
pub(super) fn send_later(tx: &mut Tx<'_>, name: &str) -> Result<()> {
    tx.spawn_job(&SignalJob { id: Uuid::now_v7(), name: name.to_owned(), payload: Json::Null }).map(drop)
}

/// The signals for which a process can wait, or which start one.
fn names(processes: &Processes) -> Vec<&str> {
    let awaited = processes
        .declared
        .iter()
        .flat_map(|process| &process.flow.steps)
        .filter_map(|step| if let Action::WaitSignal(name) = &step.action { Some(name.as_str()) } else { None });
    let starting = processes
        .declared
        .iter()
        .filter_map(|process| if let Trigger::Signal { name } = &process.trigger { Some(name.as_str()) } else { None });
    awaited.chain(starting).collect()
}

/// Checks the name of a signal that comes from outside.
///
/// # Errors
/// 404 with the nearest name.
pub(crate) fn check_name(tx: &mut Tx<'_>, name: &str) -> Result<()> {
    let processes = tx.state::<Processes>()?;
    let known = names(&processes);
    if known.contains(&name) || !attempts::find_waiting(tx.conn, name)?.is_empty() {
        return Ok(());
    }
    Err(Error { detail: format!("There is no signal `{name}`{}", did_you_mean(name, known)), ..Error::not_found() })
}

/// Sends a signal to one run, which keeps it until it waits for it.
///
/// # Errors
/// 404 for an unknown run, 409 for one that has ended.
pub(crate) fn send_to_run(tx: &mut Tx<'_>, run: Uuid, name: &str, payload: &Json) -> Result<u64> {
    let mut run = store::find(tx.conn, tx.app, run, Lock::Wait)?.ok_or_else(Error::not_found)?;
    if run.saved.run.status().is_ended() {
        return Err(Error::new(409, "CONFLICT", format!("The run is {}, so it receives no signal", run.status)));
    }
    drive::handle(tx, &mut run, Event::Signal { name: name.to_owned(), payload: payload.clone(), keep: true }, 0)?;
    Ok(1)
}

/// Sends a signal to every run that waits for it, and starts the processes that it triggers. The result is their number. `id`
/// identifies the signal, so that none receives it twice.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn send(tx: &mut Tx<'_>, name: &str, payload: &Json, id: Uuid) -> Result<u64> {
    let mut count = 0;
    for waiting in attempts::find_waiting(tx.conn, name)? {
        let Some(mut run) = store::find(tx.conn, tx.app, waiting, Lock::Wait)? else { continue };
        if run.saved.seen.contains(&id) || !is_same_tenant(tx, &run) {
            continue;
        }
        run.saved.seen.push(id);
        if run.saved.seen.len() > REMEMBERED {
            run.saved.seen.remove(0);
        }
        drive::handle(tx, &mut run, Event::Signal { name: name.to_owned(), payload: payload.clone(), keep: false }, 0)?;
        count += 1;
    }
    let processes = tx.state::<Processes>()?;
    for process in processes.declared.iter().filter(|it| it.trigger == (Trigger::Signal { name: name.to_owned() })) {
        let input = if process.input.is_empty() { Json::Null } else { payload.clone() };
        let new = NewRun::by_signal(name, id, payload.clone());
        match drive::attempt_in(tx, |tx| start::start(tx, process, &input, new))? {
            Ok(started) => count += u64::from(started.is_some()),
            Err(failure) => start::report_failure(process, &failure),
        }
    }
    Ok(count)
}

/// A signal that belongs to a tenant reaches the runs of that tenant.
fn is_same_tenant(tx: &Tx<'_>, run: &Run) -> bool {
    tx.caller.tenant().is_none_or(|tenant| run.tenant.as_ref() == Some(tenant))
}

/// Sends a signal as a user or a program asks. The result is the number of runs that receive it or that it starts.
///
/// # Errors
/// 404 for an unknown signal or run, 409 for a run that has ended.
pub(crate) fn send_from_outside(tx: &mut Tx<'_>, name: &str, payload: &Json, run: Option<Uuid>) -> Result<u64> {
    check_name(tx, name)?;
    match run {
        Some(run) => send_to_run(tx, run, name, payload),
        None => send(tx, name, payload, Uuid::now_v7()),
    }
}
