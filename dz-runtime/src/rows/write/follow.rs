//! The stages after a row is stored or deleted.

use super::{Kind, Next, Write};
use crate::{
    Result, Tx,
    access::{self, Action as _, Create, Delete, Restore, Transition, Update},
    db::{Change, Work},
    def::Archetype,
    event::Event,
    files::{self, TakenUploads},
    outbox,
    rows::{account, audit, graph_edges, read},
};

/// Releases the files of a removed row.
pub(super) fn release_files(tx: &mut Tx<'_>, write: &mut Write) -> Result<Next> {
    files::release(tx, write.entity, write.before.as_ref(), None, &TakenUploads::default())?;
    Ok(Next::Go)
}

/// Deletes the pending invitations of a removed member.
pub(super) fn forget_invitations(tx: &mut Tx<'_>, write: &mut Write) -> Result<Next> {
    if let Some(row) = write.before.as_ref().filter(|_| write.entity.tenancy.archetype == Some(Archetype::UserMembership)) {
        account::remove_invitation(tx, row)?;
    }
    Ok(Next::Go)
}

/// Changes the version of the edges, so that copies of them in memory follow the write, and refuses an edge that closes a cycle.
pub(super) fn follow_graph(tx: &mut Tx<'_>, write: &mut Write) -> Result<Next> {
    if let Some(row) = write.after.as_ref().or(write.before.as_ref()) {
        let hides_or_shows = matches!(write.kind, Kind::Delete { .. } | Kind::Restore);
        graph_edges::change_version(tx, write.entity, row, hides_or_shows)?;
    }
    if let Some(row) = &write.after {
        graph_edges::check_acyclic(tx, write.entity, row)?;
    }
    Ok(Next::Go)
}

/// Reads the computed fields that depend on other rows, for a row that is read afterwards.
pub(super) fn compute_fields(tx: &mut Tx<'_>, write: &mut Write) -> Result<Next> {
    if !write.returns_row {
        return Ok(Next::Go);
    }
    write.after = write.after.take().map(|row| read::load_computed(tx, write.entity, row)).transpose()?;
    Ok(Next::Go)
}

/// Writes the event to the outbox if it has a subscriber.
pub(super) fn record_event(tx: &mut Tx<'_>, write: &mut Write) -> Result<Next> {
    let (event, before, row) = match write.kind {
        Kind::Create => (Event::Created, None, &write.after),
        Kind::Change | Kind::Restore => (Event::Updated, write.before.as_ref(), &write.after),
        Kind::Delete { .. } => (Event::Deleted, None, &write.before),
    };
    let (stored, written) = (write.before.as_ref().map(|row| &*row.values), write.after.as_ref().map(|row| &*row.values));
    tx.conn.note_withdrawal(|| access::withdraws(tx.app, write.entity, stored, written));
    if let Some(row) = row {
        let (entity, key) = (write.entity, row.value(write.entity.pk));
        let tenant = entity.tenancy.tenant.map(|at| row.value(at));
        tx.conn.note_change(|| Change {
            entity: entity.ix,
            name: entity.name,
            event: event.name(),
            key: key.clone(),
            tenant: tenant.cloned().unwrap_or_default(),
        });
        outbox::record(tx, write.entity, event, before, row)?;
    }
    Ok(Next::Go)
}

/// Wakes the worker after the commit, because a timed transition can be due.
pub(super) fn wake_worker(tx: &mut Tx<'_>, write: &mut Write) -> Result<Next> {
    let enters_state = write.kind == Kind::Create || write.transition.is_some();
    if enters_state && write.entity.states.is_some_and(|states| states.is_timed()) {
        tx.conn.request_wake(Work::TimedTransitions);
    }
    Ok(Next::Go)
}

/// Writes the audit record. A change of the state is recorded as a transition if transitions are audited.
pub(super) fn write_record(tx: &mut Tx<'_>, write: &mut Write) -> Result<Next> {
    let as_transition = write.transition.is_some() && audit::is_audited(write.entity, Transition::NAME, &tx.caller);
    let action = match write.kind {
        Kind::Create => Create::NAME,
        Kind::Delete { .. } => Delete::NAME,
        Kind::Restore => Restore::NAME,
        Kind::Change if as_transition => Transition::NAME,
        Kind::Change => write.action.unwrap_or(Update::NAME),
    };
    audit::record_write(tx, write.entity, action, write.before.as_ref(), write.after.as_ref())?;
    Ok(Next::Go)
}

/// Ends the sessions of a disabled account.
pub(super) fn update_account(tx: &mut Tx<'_>, write: &mut Write) -> Result<Next> {
    if let Some(row) = write.after.as_ref().filter(|_| write.entity.account) {
        account::end_access_of_closed(tx.conn, tx.app, row)?;
    }
    Ok(Next::Go)
}

/// Runs the hooks of the application. A hook can change the row, so the permission to read it is checked again.
pub(super) fn run_hooks(tx: &mut Tx<'_>, write: &mut Write) -> Result<Next> {
    write.call_in_tenant(tx, call_hooks)
}

fn call_hooks(tx: &mut Tx<'_>, write: &mut Write) -> Result<Next> {
    let hooks = tx.hooks.clone();
    let Some(hooks) = hooks.for_entity(write.entity.ix) else { return Ok(Next::Go) };
    match (write.kind, &write.before, &write.after) {
        (Kind::Create, _, Some(row)) => {
            hooks.after_create.iter().try_for_each(|hook| hook.call(|run| run(tx, row)))?;
            write.readable = write.readable.filter(|_| hooks.after_create.is_empty());
        }
        (Kind::Change | Kind::Restore, Some(before), Some(row)) => {
            hooks.after_update.iter().try_for_each(|hook| hook.call(|run| run(tx, before, row)))?;
            write.readable = write.readable.filter(|_| hooks.after_update.is_empty());
        }
        (Kind::Delete { .. }, Some(row), _) => hooks.after_delete.iter().try_for_each(|hook| hook.call(|run| run(tx, row)))?,
        _ => {}
    }
    Ok(Next::Go)
}

/// Notes the old address of an account, for a mail after the commit.
pub(super) fn note_address(tx: &mut Tx<'_>, write: &mut Write) -> Result<Next> {
    if let (Some(before), Some(after), true) = (&write.before, &write.after, write.entity.account) {
        tx.old_addresses.extend(account::old_address(write.entity, before, after));
    }
    Ok(Next::Go)
}
