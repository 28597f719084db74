//! The stages before a row is stored.

use super::{Kind, Next, Write};
use crate::{
    Error, Result, Tx, Value,
    def::{Auto, EntityDef},
    files,
    record::Given,
    rows::{
        Row, account, check,
        input::{Attempt, all_of},
        select::stored,
        transitions,
    },
    tenancy,
};

/// Takes the uploads that the given fields name.
pub(super) fn take_uploads(tx: &mut Tx<'_>, write: &mut Write) -> Result<Next> {
    files::settle(tx, write.entity, write.before.as_ref(), &mut write.given, &mut write.held)?;
    Ok(Next::Go)
}

/// Runs the hooks of the application, and checks the values that they set.
pub(super) fn run_hooks(tx: &mut Tx<'_>, write: &mut Write) -> Result<Next> {
    let entity = write.entity;
    let hooks = tx.hooks.clone();
    let Some(hooks) = hooks.of(entity.ix) else { return Ok(Next::Go) };
    let run = match (write.kind, &write.before) {
        (Kind::Delete { .. }, Some(row)) => {
            hooks.before_delete.iter().try_for_each(|hook| hook(tx, row))?;
            return Ok(Next::Go);
        }
        (Kind::Create, _) if !hooks.before_create.is_empty() => run_before_create(tx, entity, &mut write.given),
        (Kind::Change | Kind::Restore, Some(row)) if !hooks.before_update.is_empty() => {
            run_before_update(tx, entity, row, &mut write.given)
        }
        _ => return Ok(Next::Go),
    };
    run.map_err(|error| write.explain(tx, error))?;
    let mut wrongs = check::Wrongs::default();
    write.given = check::normal(entity, std::mem::take(&mut write.given), &mut wrongs);
    wrongs.check(tx.app, entity, write.given.0.iter().map(|(at, value)| (*at, value)));
    let before = write.before.as_ref();
    wrongs.amounts(entity, |at| write.given.get(at).or(before.map(|row| row.value(at))).unwrap_or(&Value::Null));
    wrongs.done()?;
    Ok(Next::Go)
}

/// Runs the hooks on a draft.
///
/// # Errors
/// What each of them refuses.
pub(in crate::rows) fn run_before_create(tx: &mut Tx<'_>, entity: &'static EntityDef, draft: &mut Given) -> Result<()> {
    let hooks = tx.hooks.clone();
    let hooks = hooks.of(entity.ix).map_or(&[][..], |hooks| &hooks.before_create);
    all_of(hooks, |hook| {
        // A draft has no place for a null that means nothing was given.
        let mut given = Given(draft.0.iter().filter(|(_, value)| !value.is_null()).cloned().collect());
        hook(tx, &mut given)?;
        for (at, value) in given.0 {
            draft.set(at, value);
        }
        Ok(())
    })
}

/// Runs the hooks on a change.
///
/// # Errors
/// What each of them refuses.
pub(in crate::rows) fn run_before_update(tx: &mut Tx<'_>, entity: &'static EntityDef, row: &Row, changes: &mut Given) -> Result<()> {
    let hooks = tx.hooks.clone();
    all_of(hooks.of(entity.ix).map_or(&[][..], |hooks| &hooks.before_update), |hook| hook(tx, row, changes))
}

/// Keeps the changes that change something. A secret is always one, since its old value is not known here.
pub(super) fn keep_differences(_: &mut Tx<'_>, write: &mut Write) -> Result<Next> {
    let (entity, before) = (write.entity, write.before.as_ref());
    write.given.0.retain(|(at, value)| entity.field(*at).secret || before.is_none_or(|row| row.value(*at) != value));
    Ok(if write.given.0.is_empty() && write.kind == Kind::Change { Next::Stop } else { Next::Go })
}

/// Adds what a change of an account brings with it, and the fields that each change sets.
pub(super) fn add_consequences(tx: &mut Tx<'_>, write: &mut Write) -> Result<Next> {
    let entity = write.entity;
    if let Some(before) = write.before.as_ref().filter(|_| entity.account) {
        account::invalidate_links(entity, before, &mut write.given);
    }
    for at in stored(entity).filter(|at| entity.field(*at).auto == Auto::Update) {
        write.given.set(at, check::default_of(tx, entity, at));
    }
    Ok(Next::Go)
}

/// Computes the row as it will be stored.
pub(super) fn compute_values(_: &mut Tx<'_>, write: &mut Write) -> Result<Next> {
    write.values = match &write.before {
        Some(before) => changed_values(before, &write.given),
        None => new_values(write.entity, &write.given),
    };
    Ok(Next::Go)
}

/// A new row as it is stored: null where nothing was given.
pub(in crate::rows) fn new_values(entity: &'static EntityDef, draft: &Given) -> Vec<Value> {
    replaced(vec![Value::Null; entity.fields.len()], draft)
}

/// The values of a row with those that change.
pub(in crate::rows) fn changed_values(before: &Row, changes: &Given) -> Vec<Value> {
    replaced(before.values.clone(), changes)
}

fn replaced(mut values: Vec<Value>, given: &Given) -> Vec<Value> {
    for (at, value) in &given.0 {
        if let Some(slot) = values.get_mut(usize::from(*at)) {
            *slot = value.clone();
        }
    }
    values
}

/// Releases the files that the row had and will not have, and uploads that it takes no more.
pub(super) fn release_files(tx: &mut Tx<'_>, write: &mut Write) -> Result<Next> {
    files::release(tx, write.entity, write.before.as_ref(), Some(&write.values), &write.held)?;
    Ok(Next::Go)
}

/// Refuses another tenant than the one of the row and of the caller.
pub(super) fn keep_tenant(tx: &mut Tx<'_>, write: &mut Write) -> Result<Next> {
    let before = write.before.as_ref().map(|row| &*row.values);
    tenancy::keep(tx.app, write.entity, before, &write.values, &tx.caller)?;
    Ok(Next::Go)
}

/// Finds the transition that the write makes, and refuses one that is not declared or that the caller may not make.
pub(super) fn check_transition(tx: &mut Tx<'_>, write: &mut Write) -> Result<Next> {
    let Some(before) = &write.before else {
        transitions::begins(write.entity, &write.values, &tx.caller)?;
        return Ok(Next::Go);
    };
    match transitions::taken(write.entity, before, &write.values, &tx.caller) {
        Ok(transition) => write.transition = transition,
        Err(error) if error.code == transitions::REQUIRES => return Err(write.explain(tx, error)),
        Err(error) => return Err(error),
    }
    Ok(Next::Go)
}

impl Write {
    /// The row as the rule sees it: with the state that it had, since transitions have a rule of their own.
    pub(super) fn ruled(&self, values: &[Value]) -> Vec<Value> {
        let mut ruled = values.to_vec();
        if let (Some(before), Some(states)) = (&self.before, self.entity.states)
            && let Some(slot) = ruled.get_mut(usize::from(states.field))
        {
            *slot = before.value(states.field).clone();
        }
        ruled
    }

    /// A refusal of a write whose values are valid, with what else is wrong with the row as it would be.
    fn explain(&self, tx: &mut Tx<'_>, error: Error) -> Error {
        let (values, set) = match &self.before {
            Some(before) => (changed_values(before, &self.given), self.given.fields().collect()),
            None => (new_values(self.entity, &self.given), self.sent.clone()),
        };
        let attempt = Attempt { entity: self.entity, before: self.before.as_ref(), values: &values, set: &set };
        attempt.complete_valid(tx, error, self.action, &self.ruled(&values))
    }
}
