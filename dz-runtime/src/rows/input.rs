//! The values that a caller sends, and one response with all their errors.
//!
//! The first error in the order of a write determines the status and the code. Further errors are added: invariants and references
//! of the valid values, and the errors of hooks if the draft is complete.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::{
    Error, Result, Tx, Value,
    def::{EntityDef, FieldIx},
    record::FieldValues,
    rows::{
        Row, transitions,
        write_condition::{Candidate, WriteCondition},
    },
};

/// The values that a caller sends for a row, and the errors of values that could not be parsed.
#[derive(Debug, Clone, Default)]
pub struct Input {
    pub(crate) field_values: FieldValues,
    pub(crate) error: Option<Error>,
    /// True if the same savepoint writes rows that refer to this one, after it (`with_children`).
    pub(super) awaits_children: bool,
}

impl Input {
    /// Adds the error of a field whose value could not be parsed.
    pub(crate) fn add_error(&mut self, field: &str, message: impl Into<String>) {
        self.error = Some(match self.error.take() {
            Some(error) => error.at(field, message),
            None => Error::validation(field, message),
        });
    }

    /// The values, if all could be parsed.
    ///
    /// # Errors
    /// 422 with the fields that could not be parsed.
    pub(crate) fn into_values(self) -> Result<FieldValues> {
        self.error.map_or(Ok(self.field_values), Err)
    }

    /// Replaces an error about the row by the error of unparsable values, which has precedence.
    pub(super) fn prefer_input_error<T>(&self, found: Result<T>) -> Result<T> {
        found.map_err(|error| match &self.error {
            Some(own) if error.status < 500 => own.clone(),
            _ => error,
        })
    }
}

impl From<FieldValues> for Input {
    fn from(field_values: FieldValues) -> Input {
        Input { field_values, ..Input::default() }
    }
}

impl From<Vec<(FieldIx, Value)>> for Input {
    fn from(values: Vec<(FieldIx, Value)>) -> Input {
        FieldValues(values).into()
    }
}

/// A row as it would be stored, of a write that is refused.
pub(super) struct Attempt<'a> {
    pub entity: &'static EntityDef,
    /// The stored row; `None` for a new one.
    pub before: Option<&'a Row>,
    /// The values by field; an invalid field has the value that it would have without the input.
    pub values: &'a [Value],
    /// The fields that the caller sent.
    pub input_fields: &'a [FieldIx],
    /// As in [`Input`].
    pub awaits_children: bool,
}

impl Attempt<'_> {
    /// Adds further errors to an error of fields: of the transition, of the invariants and references without invalid fields, and
    /// of `hooks`.
    ///
    /// Only conditions on the row itself are evaluated: the access rule was not checked for this row, so an invariant that reads
    /// other rows could reveal them.
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
            let (write_condition, unreadable) = WriteCondition::from_values(tx, entity, self.values, &references, is_refused)?;
            let mut found = write_condition.find_errors(tx, entity, unreadable)?;
            found.extend(run_hooks(tx, hooks));
            Ok(found)
        });
        let found = found.unwrap_or_default();
        let more = transition.into_iter().filter(|it| !it.field_errors.is_empty()).chain(found);
        more.filter(|it| it.status < 500).fold(error, Error::merge)
    }

    /// Adds further errors to an error of a hook or of a transition, if the rule covers the row.
    pub(super) fn complete_valid(&self, tx: &mut Tx<'_>, error: Error, action: Option<&'static str>, rule_values: &[Value]) -> Error {
        if !(400..500).contains(&error.status) || error.denied.is_some() {
            return error;
        }
        let references: Vec<FieldIx> = self.references().collect();
        let candidate = Candidate {
            action,
            rule_values,
            stored_values: self.values,
            references: &references,
            input_fields: &[],
            transition: None,
            awaits_children: self.awaits_children,
        };
        let found =
            run_and_roll_back(tx, |tx| WriteCondition::new(tx, self.entity, &candidate)?.explain_failure(tx, self.entity, &candidate));
        match found {
            Err(more) if more.status < 500 && more.denied.is_none() => error.merge(more),
            _ => error,
        }
    }

    /// Checks the transition that the row would make.
    fn transition(&self, tx: &Tx<'_>) -> Result<()> {
        match self.before {
            Some(before) => transitions::check_transition(self.entity, before, self.values, &tx.caller).map(drop),
            None => transitions::check_initial_state(self.entity, self.values, &tx.caller),
        }
    }

    /// The references that the caller sent.
    fn references(&self) -> impl Iterator<Item = FieldIx> {
        let is_there = |at: FieldIx| self.values.get(usize::from(at)).is_some_and(|value| !value.is_null());
        let entity = self.entity;
        self.input_fields.iter().copied().filter(move |at| entity.field(*at).kind.target().is_some() && is_there(*at))
    }
}

/// Runs `work` in a savepoint that is always rolled back, because the write is refused in any case.
fn run_and_roll_back<T>(tx: &mut Tx<'_>, work: impl FnOnce(&mut Tx<'_>) -> Result<T>) -> Result<T> {
    let mut found = None;
    let undone: Result<()> = tx.savepoint(|tx| {
        found = Some(work(tx)?);
        Err(Error::internal("what was tried is undone"))
    });
    match (found, undone) {
        (Some(found), _) => Ok(found),
        (None, Err(error)) => Err(error),
        (None, Ok(())) => Err(Error::internal("no attempt was made")),
    }
}

/// The error of the hooks. They can get invalid values here, which they never get otherwise, so a panic counts as no error.
fn run_hooks(tx: &mut Tx<'_>, hooks: impl FnOnce(&mut Tx<'_>) -> Result<()>) -> Option<Error> {
    catch_unwind(AssertUnwindSafe(|| hooks(tx))).ok()?.err()
}

/// Runs all hooks.
///
/// # Errors
/// The errors of all hooks in one; a status of 500 and above ends the run at once.
pub(super) fn run_all<H>(hooks: &[H], mut run: impl FnMut(&H) -> Result<()>) -> Result<()> {
    let mut refused: Option<Error> = None;
    for hook in hooks {
        match (run(hook), refused.take()) {
            (Ok(()), before) => refused = before,
            (Err(error), None) if error.status >= 500 => return Err(error),
            (Err(error), None) => refused = Some(error),
            // On PostgreSQL every statement after a failed one fails too.
            (Err(error), Some(before)) => refused = Some(if error.status < 500 { before.merge(error) } else { before }),
        }
    }
    refused.map_or(Ok(()), Err)
}
