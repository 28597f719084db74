//! The stages before a row is stored.

use super::{Kind, Next, Write};
use crate::{
    Error, Result, Tx, Value,
    def::{Auto, EntityDef},
    files,
    record::FieldValues,
    rows::{
        Row, account, check,
        input::{Attempt, run_all},
        select::stored_fields,
        transitions,
    },
    tenancy,
};

/// Attaches the uploads that the values name.
pub(super) fn take_uploads(tx: &mut Tx<'_>, write: &mut Write) -> Result<Next> {
    files::take_uploads(tx, write.entity, write.before.as_ref(), &mut write.field_values, &mut write.uploads)?;
    Ok(Next::Go)
}

/// Runs the hooks of the application, and checks the values that they set.
pub(super) fn run_hooks(tx: &mut Tx<'_>, write: &mut Write) -> Result<Next> {
    write.call_in_tenant(tx, call_hooks)
}

fn call_hooks(tx: &mut Tx<'_>, write: &mut Write) -> Result<Next> {
    let entity = write.entity;
    let hooks = tx.hooks.clone();
    let Some(hooks) = hooks.for_entity(entity.ix) else { return Ok(Next::Go) };
    let run = match (write.kind, &write.before) {
        (Kind::Delete { .. }, Some(row)) => {
            hooks.before_delete.iter().try_for_each(|hook| hook.call(|run| run(tx, row)))?;
            return Ok(Next::Go);
        }
        (Kind::Create, _) if !hooks.before_create.is_empty() => run_before_create(tx, entity, &mut write.field_values),
        (Kind::Change | Kind::Restore, Some(row)) if !hooks.before_update.is_empty() => {
            run_before_update(tx, entity, row, &mut write.field_values)
        }
        _ => return Ok(Next::Go),
    };
    run.map_err(|error| write.explain(tx, error))?;
    let mut errors = check::FieldErrors::default();
    write.field_values = check::normalize(entity, std::mem::take(&mut write.field_values), &mut errors);
    errors.check(tx.app, entity, write.field_values.0.iter().map(|(at, value)| (*at, value)));
    let before = write.before.as_ref();
    errors.check_amounts(entity, |at| write.field_values.get(at).or(before.map(|row| row.value(at))).unwrap_or(&Value::Null));
    errors.into_result()?;
    Ok(Next::Go)
}

/// Runs the hooks before a creation.
///
/// # Errors
/// The errors of the hooks.
pub(in crate::rows) fn run_before_create(tx: &mut Tx<'_>, entity: &'static EntityDef, draft: &mut FieldValues) -> Result<()> {
    let hooks = tx.hooks.clone();
    let hooks = hooks.for_entity(entity.ix).map_or(&[][..], |hooks| &hooks.before_create);
    run_all(hooks, |hook| {
        // A draft cannot contain a null that means "no value".
        let mut values_of_hook = FieldValues(draft.0.iter().filter(|(_, value)| !value.is_null()).cloned().collect());
        hook.call(|run| run(tx, &mut values_of_hook))?;
        for (at, value) in values_of_hook.0 {
            draft.set(at, value);
        }
        Ok(())
    })
}

/// Runs the hooks before an update.
///
/// # Errors
/// The errors of the hooks.
pub(in crate::rows) fn run_before_update(tx: &mut Tx<'_>, entity: &'static EntityDef, row: &Row, changes: &mut FieldValues) -> Result<()> {
    let hooks = tx.hooks.clone();
    run_all(hooks.for_entity(entity.ix).map_or(&[][..], |hooks| &hooks.before_update), |hook| hook.call(|run| run(tx, row, changes)))
}

/// Removes values that equal the stored ones. A secret is kept, because its stored value is not loaded.
pub(super) fn keep_differences(_: &mut Tx<'_>, write: &mut Write) -> Result<Next> {
    let (entity, before) = (write.entity, write.before.as_ref());
    write.field_values.0.retain(|(at, value)| entity.field(*at).secret || before.is_none_or(|row| row.value(*at) != value));
    Ok(if write.field_values.0.is_empty() && write.kind == Kind::Change { Next::Stop } else { Next::Go })
}

/// Adds the consequences of a change of an account, and the `auto_update` fields.
pub(super) fn add_consequences(tx: &mut Tx<'_>, write: &mut Write) -> Result<Next> {
    let entity = write.entity;
    if let Some(before) = write.before.as_ref().filter(|_| entity.account) {
        account::invalidate_links(entity, before, &mut write.field_values);
    }
    for at in stored_fields(entity).filter(|at| entity.field(*at).auto == Auto::Update) {
        write.field_values.set(at, check::default_value(tx, entity, at));
    }
    Ok(Next::Go)
}

/// Computes the complete row as it will be stored.
pub(super) fn compute_values(_: &mut Tx<'_>, write: &mut Write) -> Result<Next> {
    write.values = match &write.before {
        Some(before) => changed_values(before, &write.field_values),
        None => new_values(write.entity, &write.field_values),
    };
    Ok(Next::Go)
}

/// The values of a new row; null for fields without a value.
pub(in crate::rows) fn new_values(entity: &'static EntityDef, draft: &FieldValues) -> Vec<Value> {
    replace_values(vec![Value::Null; entity.fields.len()], draft)
}

/// The values of a row after a change.
pub(in crate::rows) fn changed_values(before: &Row, changes: &FieldValues) -> Vec<Value> {
    replace_values(before.values.clone(), changes)
}

fn replace_values(mut values: Vec<Value>, field_values: &FieldValues) -> Vec<Value> {
    for (at, value) in &field_values.0 {
        if let Some(slot) = values.get_mut(usize::from(*at)) {
            *slot = value.clone();
        }
    }
    values
}

/// Releases the files that the row no longer has, and the uploads that it does not use.
pub(super) fn release_files(tx: &mut Tx<'_>, write: &mut Write) -> Result<Next> {
    files::release(tx, write.entity, write.before.as_ref(), Some(&write.values), &write.uploads)?;
    Ok(Next::Go)
}

/// Refuses a tenant other than the caller's current one.
pub(super) fn keep_tenant(tx: &mut Tx<'_>, write: &mut Write) -> Result<Next> {
    let before = write.before.as_ref().map(|row| &*row.values);
    tenancy::check_tenant(tx.app, write.entity, before, &write.values, &tx.caller)?;
    Ok(Next::Go)
}

/// Finds the transition of the write, and refuses one that is not declared or that the caller may not make.
pub(super) fn check_transition(tx: &mut Tx<'_>, write: &mut Write) -> Result<Next> {
    let Some(before) = &write.before else {
        transitions::check_initial_state(write.entity, &write.values, &tx.caller)?;
        return Ok(Next::Go);
    };
    match transitions::check_transition(write.entity, before, &write.values, &tx.caller) {
        Ok(transition) => write.transition = transition,
        Err(error) if error.code == transitions::REQUIRES => return Err(write.explain(tx, error)),
        Err(error) => return Err(error),
    }
    Ok(Next::Go)
}

impl Write {
    /// The values for the access rule: the row with its old state, because transitions have a rule of their own.
    pub(super) fn rule_values(&self, values: &[Value]) -> Vec<Value> {
        let mut rule_values = values.to_vec();
        if let (Some(before), Some(states)) = (&self.before, self.entity.states)
            && let Some(slot) = rule_values.get_mut(usize::from(states.field))
        {
            *slot = before.value(states.field).clone();
        }
        rule_values
    }

    /// Adds the other errors of the row to an error of a write with valid values.
    fn explain(&self, tx: &mut Tx<'_>, error: Error) -> Error {
        let (values, input_fields) = match &self.before {
            Some(before) => (changed_values(before, &self.field_values), self.field_values.fields().collect()),
            None => (new_values(self.entity, &self.field_values), self.input_fields.clone()),
        };
        let attempt = Attempt {
            entity: self.entity,
            before: self.before.as_ref(),
            values: &values,
            input_fields: &input_fields,
            awaits_children: self.awaits_children,
        };
        attempt.complete_valid(tx, error, self.action, &self.rule_values(&values))
    }
}
