//! The fields that a request sends.

use serde_json::{Value as Json, value::RawValue};

use crate::{
    names::nearest,
    problem::{self, FieldErrors},
    request::Members,
    values::{Invalid, Parsed},
};

/// The values of the fields of a row of a file, with the messages of those that cannot be read.
pub type Cells = Vec<(&'static str, Result<Box<RawValue>, String>)>;

/// The members of a body that are not read yet, and the messages of those that are wrong.
#[derive(Debug, Clone)]
pub struct Sent<'b> {
    members: Members<'b>,
    /// The messages.
    pub errors: FieldErrors,
    /// True if only the form of values is checked, because there is no row.
    form_only: bool,
}

impl<'b> Sent<'b> {
    /// The members of a body.
    pub fn new(members: Members<'b>) -> Sent<'b> {
        Sent { members, errors: FieldErrors::default(), form_only: false }
    }

    /// The cells of a row of a file.
    pub fn of_cells(cells: &'b Cells) -> Sent<'b> {
        let mut sent = Sent::new(Members::new());
        for (name, value) in cells {
            match value {
                Ok(raw) => drop(sent.members.insert((*name).to_owned(), raw.as_ref())),
                Err(message) => sent.errors.add(name, message.as_str()),
            }
        }
        sent
    }

    /// The known names that the request sends, for messages.
    pub fn names(&self, known: &[&'static str]) -> Vec<&'static str> {
        self.members.keys().filter_map(|name| known.iter().find(|known| *known == name)).copied().collect()
    }

    /// The value of a field; `None` if it is not sent or wrong, `Some(None)` for null.
    pub fn field<T>(&mut self, name: &str, parse: fn(&RawValue) -> Parsed<T>) -> Option<Option<T>> {
        let raw = self.members.remove(name)?;
        match parse(raw) {
            Ok(value) => Some(value),
            Err(Invalid::Content(_)) if self.form_only => None,
            Err(Invalid::Form(message) | Invalid::Content(message)) => {
                self.errors.add(name, message);
                None
            }
        }
    }

    /// Refuses a field that callers cannot write, unless its value is the stored one, so that the body of a GET can be sent back, or
    /// null in a new row.
    pub fn fixed<T: PartialEq>(&mut self, name: &str, parse: fn(&RawValue) -> Parsed<T>, stored: Option<&Json>, why: &str) {
        let Some(raw) = self.members.remove(name) else { return };
        let stored_value = || {
            let raw = serde_json::value::to_raw_value(stored?).ok()?;
            parse(&raw).ok()
        };
        match parse(raw) {
            Err(Invalid::Form(message)) => self.errors.add(name, message),
            Ok(_) | Err(Invalid::Content(_)) if self.form_only => {}
            Ok(None) if stored.is_none() => {}
            Ok(value) if stored_value().as_ref() == Some(&value) => {}
            Ok(_) | Err(Invalid::Content(_)) => self.errors.add(name, why),
        }
    }

    /// Refuses a name that is never a field of a request.
    pub fn refuse(&mut self, name: &str, why: &str) {
        if self.members.remove(name).is_some() {
            self.errors.add(name, why);
        }
    }

    /// Refuses all fields that were not read.
    pub fn finish(mut self, known: &[&str]) -> FieldErrors {
        for name in std::mem::take(&mut self.members).into_keys() {
            let message = match nearest(&name, known.iter().copied()) {
                Some(near) => format!("is not a field; did you mean `{near}`?"),
                None => "is not a field".to_owned(),
            };
            self.errors.add(&name, message);
        }
        self.errors
    }
}

/// What a field becomes: the sent value, or the value without one. A required field that is sent as null gets a message.
pub fn required<T: Default>(errors: &mut FieldErrors, name: &str, sent: Option<Option<T>>, otherwise: Option<T>) -> T {
    errors.required(name, sent.unwrap_or(otherwise))
}

/// Refuses what cannot be a value of its field, whatever the row is.
pub fn check_form(sent: Sent<'_>, known: &[&str], read: impl FnOnce(&mut Sent<'_>)) -> problem::Result<()> {
    let mut sent = Sent { form_only: true, ..sent };
    read(&mut sent);
    sent.finish(known).into_result()
}
