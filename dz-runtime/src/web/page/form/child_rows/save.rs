//! Saves the rows of other entities in the savepoint of the row of the form: all of them, or nothing.

use super::{ChildRow, ChildRows};
use crate::{
    Error, Result, Tx, Value,
    access::{Create, Delete, Update},
    def::{EntityDef, FieldIx},
    rows,
    web::page::form::submit::{to_sent, to_sentence},
};

/// The code of the error after which the form is shown again with the errors of its rows.
pub(crate) const REFUSED: &str = "ROWS_REFUSED";

/// The change that a row of the form makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    Delete,
    Update,
    Create,
}

impl ChildRow {
    /// The change; `None` for a row that stays as it is, and for a new row without entries.
    fn change(&self) -> Option<Change> {
        let entered = !self.values.is_empty() || !self.state.errors.is_empty();
        match (self.key.is_some(), self.removed) {
            (true, true) => Some(Change::Delete),
            (true, false) => entered.then_some(Change::Update),
            (false, false) => entered.then_some(Change::Create),
            (false, true) => None,
        }
    }

    fn apply(&self, tx: &mut Tx<'_>, entity: &'static EntityDef, via: FieldIx, parent: &Value, change: Change) -> Result<()> {
        let version = self.state.row.as_ref().map(|row| row.version);
        let key = self.key.as_ref().unwrap_or(&Value::Null);
        match change {
            Change::Delete => {
                let grant = tx.ask::<Delete>(entity)?;
                rows::delete(tx, &grant, key, version)
            }
            Change::Update => {
                let grant = tx.ask::<Update>(entity)?;
                rows::update(tx, &grant, key, to_sent(self.values.clone(), &self.state), version).map(drop)
            }
            Change::Create => {
                let grant = tx.ask::<Create>(entity)?;
                let mut values = self.values.clone();
                values.push((via, parent.clone()));
                rows::create(tx, &grant, to_sent(values, &self.state)).map(drop)
            }
        }
    }

    /// Shows an error at the row and its fields.
    fn explain(&mut self, entity: &'static EntityDef, error: &Error) {
        let mut rest = Vec::new();
        for (name, messages) in &error.field_errors {
            let text = messages.iter().map(|message| to_sentence(message)).collect::<Vec<_>>().join(" ");
            let is_hidden = self.hidden.iter().any(|column| entity.find(name).is_some_and(|(at, _)| column.path.own_field() == Some(at)));
            if self.state.typed.contains_key(name) && !is_hidden {
                self.state.errors.entry(name.clone()).or_insert(text);
            } else {
                let title = entity.find(name).map_or(name.as_str(), |(_, field)| field.title);
                rest.push(format!("{title}: {text}"));
            }
        }
        if error.field_errors.is_empty() {
            rest.push(to_sentence(&error.detail));
        }
        if !rest.is_empty() {
            self.state.problem = Some(rest.join(" "));
        }
    }
}

/// Saves the rows of all sections: first removed rows, then changed ones, then new ones.
///
/// # Errors
/// [`REFUSED`] with the status of the first refusal if a row is refused: the errors are in the rows. 503 if the database is unavailable.
pub(crate) fn save(tx: &mut Tx<'_>, all: &mut [ChildRows], parent: &Value) -> Result<()> {
    let mut refused: Option<Error> = None;
    for change in [Change::Delete, Change::Update, Change::Create] {
        for of in all.iter_mut() {
            let (entity, via) = (tx.app.entity(of.list.entity), of.via);
            for row in of.rows.iter_mut().filter(|row| row.change() == Some(change)) {
                let done = tx.savepoint(|tx| row.apply(tx, entity, via, parent, change));
                let Err(error) = done else { continue };
                let is_denied = error.status == 403 && error.denied.is_some();
                if !is_denied && !matches!(error.status, 404 | 409 | 412 | 422) {
                    return Err(error);
                }
                row.explain(entity, &error);
                let status = if row.stale { 412 } else { error.status };
                // The refusal by a rule is for the audit log.
                if refused.as_ref().is_none_or(|first| first.denied.is_none() && is_denied) {
                    refused = Some(Error { status, code: REFUSED, ..error });
                }
            }
        }
    }
    if all.iter().any(|of| of.lost) && refused.is_none() {
        let text = say!(
            "dz-a-row-was-deleted-meanwhile",
            "Another user deleted a row of this form. It is no longer in the list below. Check the form and save again."
        );
        refused = Some(Error::new(412, REFUSED, text));
    }
    refused.map_or(Ok(()), Err)
}
