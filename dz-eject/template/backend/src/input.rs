//! The fields that a request sends.

use serde_json::{Value as Json, value::RawValue};

use crate::{
    csv::{Cell, Column},
    names::nearest,
    problem::{self, FieldErrors},
    request::Members,
/*IF FILES*/    types::Document,
/*END FILES*/    values::{/*IF FILES*/self, /*END FILES*/Invalid, Parsed},
};

/// The values of the fields of a row of a file, in the order of its columns, with the messages of those that are wrong.
pub type Cells = Vec<(&'static str, Result<Box<RawValue>, Invalid>)>;

/// The members of a body that are not read yet, and the messages of those that are wrong.
#[derive(Debug, Clone)]
pub struct Sent<'b> {
    members: Members<'b>,
    /// The names in the order of a file; a body has none.
    order: Vec<&'static str>,
    /// The messages.
    pub errors: FieldErrors,
    /// Messages that count when the row was found.
    later: Vec<(&'static str, String)>,
    /// True if only the form of values is checked, because there is no row.
    form_only: bool,
/*IF FILES*/    /// True where no upload is attached.
    refuses_files: bool,
/*END FILES*/}

impl<'b> Sent<'b> {
    /// The members of a body.
    pub fn new(members: Members<'b>) -> Sent<'b> {
        Sent {
            members,
            order: Vec::new(),
            errors: FieldErrors::default(),
            later: Vec::new(),
            form_only: false,
/*IF FILES*/            refuses_files: false,
/*END FILES*/        }
    }

    /// The cells of a row of a file.
    pub fn of_cells(cells: &'b Cells) -> Sent<'b> {
        let mut sent = Sent::new(Members::new());
        for (name, value) in cells {
            match value {
                Ok(raw) => {
                    sent.members.insert((*name).to_owned(), raw.as_ref());
                    sent.order.push(name);
                }
                Err(Invalid::Form(message)) => sent.errors.add(name, message.as_str()),
                Err(Invalid::Content(message)) => sent.later.push((name, message.clone())),
            }
        }
        sent
    }

    /// The known names that the request sends, for messages. An amount also sends its currency.
    pub fn names(&self, columns: &[Column]) -> Vec<&'static str> {
        let sent: Vec<&str> = match self.order.is_empty() {
            true => self.members.keys().map(String::as_str).collect(),
            false => self.order.clone(),
        };
        let named = |name: &str| {
            let own = columns.iter().filter(move |it| it.name == name && !matches!(it.cell, Cell::CurrencyOf(_)));
            own.flat_map(|own| {
                let currency = columns.iter().filter(|it| it.cell == Cell::CurrencyOf(own.name));
                std::iter::once(own).chain(currency).map(|it| it.name)
            })
            .collect::<Vec<_>>()
        };
        sent.into_iter().flat_map(named).collect()
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

/*IF FILES*/    /// The fields of an account that does not exist yet, for which no upload can be attached.
    pub fn without_files(self) -> Sent<'b> {
        Sent { refuses_files: true, ..self }
    }

    /// The value of a field with a file; the cell of a table has its name.
    pub fn file(&mut self, name: &'static str) -> Option<Option<Document>> {
        if self.refuses_files {
            self.refuse(name, "is a file; upload it when the account exists");
            return None;
        }
        self.field(name, if self.order.contains(&name) { values::file_of_table } else { values::upload })
    }

/*END FILES*/    /// Refuses a field that callers cannot write, unless its value is the stored one, so that the body of a GET can be sent back, or
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
        for (name, message) in std::mem::take(&mut self.later).into_iter().filter(|_| !self.form_only) {
            self.errors.add(name, message);
        }
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
