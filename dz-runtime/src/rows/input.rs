//! What a caller sent, and everything that is wrong with it, in one answer.
//!
//! The first refusal by the order of a write gives status and code. What can be said besides is added to it: invariants and
//! references of the values that are valid, and what hooks refuse where their draft is complete.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::{
    Error, Result, Tx, Value,
    def::{EntityDef, FieldIx},
    record::FieldValues,
    rows::{
        Row,
        precondition::{Candidate, Precondition},
        transitions,
    },
};

/// The fields that a caller gives for a row, and what could not be read.
#[derive(Debug, Clone, Default)]
pub struct Input {
    pub(crate) field_values: FieldValues,
    pub(crate) error: Option<Error>,
}

impl Input {
    /// Names a field that could not be read.
    pub(crate) fn add_error(&mut self, field: &str, message: impl Into<String>) {
        self.error = Some(match self.error.take() {
            Some(error) => error.at(field, message),
            None => Error::validation(field, message),
        });
    }

    /// The fields, where all could be read.
    ///
    /// # Errors
    /// 422 that names those which could not.
    pub(crate) fn into_values(self) -> Result<FieldValues> {
        self.error.map_or(Ok(self.field_values), Err)
    }

    /// What was found out about a row that is to be changed. What could not be read is refused before the row is looked for.
    pub(super) fn prefer_input_error<T>(&self, found: Result<T>) -> Result<T> {
        found.map_err(|error| match &self.error {
            Some(own) if error.status < 500 => own.clone(),
            _ => error,
        })
    }
}

impl From<FieldValues> for Input {
    fn from(field_values: FieldValues) -> Input {
        Input { field_values, error: None }
    }
}

impl From<Vec<(FieldIx, Value)>> for Input {
    fn from(values: Vec<(FieldIx, Value)>) -> Input {
        FieldValues(values).into()
    }
}

/// A row as it would be stored, for a refusal that is certain.
pub(super) struct Attempt<'a> {
    pub entity: &'static EntityDef,
    /// The row as it is; `None` for a new one.
    pub before: Option<&'a Row>,
    /// By field; what is wrong has the value that it would have otherwise.
    pub values: &'a [Value],
    /// The fields that the caller set.
    pub input_fields: &'a [FieldIx],
}

impl Attempt<'_> {
    /// Adds to a refusal of fields: what is wrong with the transition, the invariants and references that speak of no refused
    /// field, and what `hooks` refuse.
    ///
    /// Only what depends on the row alone is evaluated: the rule was not asked about such a row yet, so that an invariant which
    /// reaches other rows could tell of them.
    pub(super) fn complete(&self, tx: &mut Tx<'_>, error: Error, hooks: impl FnOnce(&mut Tx<'_>) -> Result<()>) -> Error {
        let entity = self.entity;
        let is_refused = |at: FieldIx| error.field_errors.contains_key(entity.field(at).name);
        let transition = match entity.states.filter(|states| !is_refused(states.field)) {
            Some(_) => self.transition(tx).err().filter(|refused| refused.status != 403).map(|mut refused| {
                refused.field_errors.retain(|name, _| !error.field_errors.contains_key(name));
                refused
            }),
            None => None,
        };
        let references: Vec<FieldIx> = self.references().filter(|at| !is_refused(*at)).collect();
        let found = run_and_roll_back(tx, |tx| {
            let (precondition, unreadable) = Precondition::from_values(tx, entity, self.values, &references, is_refused)?;
            let mut found = precondition.find_errors(tx, entity, unreadable)?;
            found.extend(run_hooks(tx, hooks));
            Ok(found)
        });
        let found = found.unwrap_or_default();
        let more = transition.into_iter().filter(|it| !it.field_errors.is_empty()).chain(found);
        more.filter(|it| it.status < 500).fold(error, Error::merge)
    }

    /// Adds to a refusal by a hook or of a transition: what else is wrong with the row, where the rule covers it.
    pub(super) fn complete_valid(&self, tx: &mut Tx<'_>, error: Error, action: Option<&'static str>, rule_values: &[Value]) -> Error {
        if !(400..500).contains(&error.status) || error.denied.is_some() {
            return error;
        }
        let references: Vec<FieldIx> = self.references().collect();
        let candidate =
            Candidate { action, rule_values, stored_values: self.values, references: &references, input_fields: &[], transition: None };
        let found =
            run_and_roll_back(tx, |tx| Precondition::new(tx, self.entity, &candidate)?.explain_failure(tx, self.entity, &candidate));
        match found {
            Err(more) if more.status < 500 && more.denied.is_none() => error.merge(more),
            _ => error,
        }
    }

    /// The transition that the row would make.
    fn transition(&self, tx: &Tx<'_>) -> Result<()> {
        match self.before {
            Some(before) => transitions::check_transition(self.entity, before, self.values, &tx.caller).map(drop),
            None => transitions::check_initial_state(self.entity, self.values, &tx.caller),
        }
    }

    /// The references that the caller set.
    fn references(&self) -> impl Iterator<Item = FieldIx> {
        let is_there = |at: FieldIx| self.values.get(usize::from(at)).is_some_and(|value| !value.is_null());
        let entity = self.entity;
        self.input_fields.iter().copied().filter(move |at| matches!(entity.field(*at).kind, crate::def::Kind::Ref(_)) && is_there(*at))
    }
}

/// Does something in a savepoint whose changes are always undone, since the write is refused whatever comes of it.
fn run_and_roll_back<T>(tx: &mut Tx<'_>, work: impl FnOnce(&mut Tx<'_>) -> Result<T>) -> Result<T> {
    let mut found = None;
    let undone: Result<()> = tx.savepoint(|tx| {
        found = Some(work(tx)?);
        Err(Error::internal("what was tried is undone"))
    });
    match (found, undone) {
        (Some(found), _) => Ok(found),
        (None, Err(error)) => Err(error),
        (None, Ok(())) => Err(Error::internal("nothing was tried")),
    }
}

/// What hooks refuse. They see values that are wrong, which no hook sees otherwise: one that panics over such a value has nothing
/// to add.
fn run_hooks(tx: &mut Tx<'_>, hooks: impl FnOnce(&mut Tx<'_>) -> Result<()>) -> Option<Error> {
    catch_unwind(AssertUnwindSafe(|| hooks(tx))).ok()?.err()
}

/// Runs each of several hooks.
///
/// # Errors
/// What the first one refuses, with what the others do; a failure ends it at once.
pub(super) fn run_all<H>(hooks: &[H], mut run: impl FnMut(&H) -> Result<()>) -> Result<()> {
    let mut refused: Option<Error> = None;
    for hook in hooks {
        match (run(hook), refused.take()) {
            (Ok(()), before) => refused = before,
            (Err(error), None) if error.status >= 500 => return Err(error),
            (Err(error), None) => refused = Some(error),
            // On PostgreSQL what a hook does after a failed statement fails too.
            (Err(error), Some(before)) => refused = Some(if error.status < 500 { before.merge(error) } else { before }),
        }
    }
    refused.map_or(Ok(()), Err)
}
