//! Claims of human tasks: one of the accounts that can decide a task reserves it.

use chrono::{DateTime, Utc};
use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::{
    tasks::{self, StoredTask},
    value_type,
};
use crate::{
    Caller, Error, Result, Tx, Value,
    db::{BindKind, Statement},
    field::datetime_text,
    rows,
};

/// The claim of a task. That of an account that was deleted has no effect.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Claim {
    /// The key of the account.
    pub account: Value,
    /// The time of the claim.
    pub at: DateTime<Utc>,
}

impl Claim {
    /// True if the caller has the claim.
    pub fn is_own(&self, caller: &Caller) -> bool {
        caller.account.as_ref().is_some_and(|account| account.id == self.account)
    }
}

/// The labels of the accounts that have claimed tasks, in the order of the tasks; `None` without a claim, and for an account that was
/// deleted. The accounts that see a task see the label, also if they may not read the account.
pub(crate) fn labels(tx: &mut Tx<'_>, tasks: &[StoredTask]) -> Result<Vec<Option<String>>> {
    let mut keys: Vec<Value> = Vec::new();
    for claim in tasks.iter().filter_map(|task| task.claim.as_ref()) {
        if !keys.contains(&claim.account) {
            keys.push(claim.account.clone());
        }
    }
    if keys.is_empty() {
        return Ok(vec![None; tasks.len()]);
    }
    let system = Caller::system(tx.app, tx.caller.now);
    let known = tx.for_caller(system, |tx| rows::labels(tx, tx.app.account(), keys))?;
    let find = |claim: &Claim| known.iter().find(|(key, _)| *key == claim.account).map(|(_, label)| label.clone());
    Ok(tasks.iter().map(|task| task.claim.as_ref().and_then(find)).collect())
}

/// The label of the account that has claimed a task.
pub(crate) fn label(tx: &mut Tx<'_>, task: &StoredTask) -> Result<Option<String>> {
    Ok(labels(tx, std::slice::from_ref(task))?.pop().flatten())
}

/// The members `claimed_by` and `claimed_at` of a task.
pub(super) fn to_json(task: &StoredTask, label: Option<String>) -> (Json, Json) {
    match task.claim.as_ref().zip(label) {
        Some((claim, label)) => (json!({ "id": value_type::to_json(&claim.account), "label": label }), datetime_text(&claim.at).into()),
        None => (Json::Null, Json::Null),
    }
}

/// Refuses what the caller does with an open task that another account has claimed.
///
/// # Errors
/// 409 with the label of that account.
pub(super) fn refuse_foreign(tx: &mut Tx<'_>, task: &StoredTask) -> Result<()> {
    let is_foreign = task.claim.as_ref().is_some_and(|claim| !claim.is_own(&tx.caller));
    if !task.is_open || !is_foreign {
        return Ok(());
    }
    match label(tx, task)? {
        Some(name) => Err(conflict(say!(
            "dz-the-task-is-claimed-by",
            "{name} has claimed this task; {name} or an administrator of the whole system can release it",
            name = name
        ))),
        None => Ok(()),
    }
}

/// Claims a task for the caller. The result is false if the caller has claimed it before.
///
/// # Errors
/// 404 if the inbox of the caller does not show the task; 409 if it is closed, is assigned to one account only, or another account has
/// claimed it.
pub(crate) fn claim(tx: &mut Tx<'_>, id: Uuid) -> Result<bool> {
    let task = tasks::find(tx, id)?;
    if !task.is_open {
        return Err(closed());
    }
    if !task.is_shared {
        return Err(conflict(
            say!("dz-the-task-is-assigned-to-one-account", "This task is assigned to one account and needs no claim").into(),
        ));
    }
    refuse_foreign(tx, &task)?;
    if task.claim.as_ref().is_some_and(|claim| claim.is_own(&tx.caller)) {
        return Ok(false);
    }
    let claim = Claim { account: tx.caller.account.as_ref().map(|it| it.id.clone()).unwrap_or_default(), at: tx.caller.now };
    match store(tx, &task, Some(claim))? {
        true => Ok(true),
        false => Err(changed()),
    }
}

/// Releases a claim: that of the caller or, for an administrator of the whole system, of any account. The result is false if no account
/// has claimed the task.
///
/// # Errors
/// 404 if the inbox of the caller does not show the task and the caller is not an administrator of the whole system; 403 if another
/// account has claimed it; 409 if it is closed.
pub(crate) fn release(tx: &mut Tx<'_>, id: Uuid) -> Result<bool> {
    let task = find(tx, id)?;
    if !task.is_open {
        return Err(closed());
    }
    let Some(claim) = &task.claim else { return Ok(false) };
    if !tx.caller.system_admin && !claim.is_own(&tx.caller) && label(tx, &task)?.is_some() {
        return Err(Error::forbidden(say!(
            "dz-only-the-claimer-releases",
            "Only the account that has claimed the task or an administrator of the whole system can release it"
        )));
    }
    match store(tx, &task, None)? {
        true => Ok(true),
        false => Err(changed()),
    }
}

/// A task that the caller can release: one of the inbox and, for an administrator of the whole system, any.
///
/// # Errors
/// 404 for another task.
pub(crate) fn find(tx: &mut Tx<'_>, id: Uuid) -> Result<StoredTask> {
    tx.caller.account.as_ref().ok_or_else(Error::unauthenticated)?;
    if tx.caller.system_admin { tasks::find_any(tx, id) } else { tasks::find(tx, id) }
}

/// Replaces the claim of an open task; false if the task or its claim has changed since it was read.
fn store(tx: &mut Tx<'_>, task: &StoredTask, claim: Option<Claim>) -> Result<bool> {
    let account = BindKind::from_account_key(tx.app)?;
    let (by, at) = claim.map_or((Value::Null, Value::Null), |claim| (claim.account, Value::DateTime(claim.at)));
    let mut update = Statement::new();
    update.push("UPDATE dz_tasks SET claimed_by = ").bind(by, account).push(", claimed_at = ").bind(at, BindKind::DateTime);
    update.push(" WHERE status = 'open' AND id = ").bind(Value::Uuid(task.id), BindKind::Uuid);
    match &task.claim {
        Some(known) => update.push(" AND claimed_by = ").bind(known.account.clone(), account),
        None => update.push(" AND claimed_by IS NULL"),
    };
    Ok(tx.conn.execute(&update)? > 0)
}

fn conflict(detail: String) -> Error {
    Error::new(409, "CONFLICT", detail)
}

fn closed() -> Error {
    conflict(say!("dz-this-task-is-closed", "This task is closed").into())
}

/// Another account changed the claim, or decided the task, at the same time.
fn changed() -> Error {
    conflict(say!("dz-this-task-was-changed-in-the-meantime", "This task was changed in the meantime; load it again").into())
}
