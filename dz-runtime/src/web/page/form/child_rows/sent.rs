//! The rows of other entities that a form sends.

use std::collections::BTreeMap;

use super::{ChildRow, ChildRows, Fields, find, key_text, sections};
use crate::{
    Error, Result, Tx, Value,
    def::Family,
    field::File,
    rows::Row,
    web::{
        Call,
        page::{
            columns,
            form::{
                self, conditions, conflict,
                control::{self, TypedTexts, WritableField},
                submit,
            },
            variant::Variant,
        },
        request::form_parameters,
    },
};

/// The maximum number of rows of a section that a form can send.
pub(super) const MOST_SENT: usize = 100;

/// The name of the button that adds a row to a section, and the beginning of the names of its controls.
pub(super) fn section_name(section: &str) -> String {
    format!("rows-{section}")
}

/// The name of the control of a field in a row of a section.
pub(super) fn control_name(section: &str, row: usize, field: &str) -> String {
    format!("{}-{row}-{field}", section_name(section))
}

/// The section, the number of the row and the field of a control of a row.
pub(crate) fn split_name(control: &str) -> Option<(&str, usize, &str)> {
    let mut parts = control.strip_prefix("rows-")?.splitn(3, '-');
    let (section, number, field) = (parts.next()?, parts.next()?, parts.next()?);
    Some((section, number.parse().ok()?, field))
}

/// A row as the form sends it.
#[derive(Default)]
struct Sent {
    /// Its number in the names of its controls.
    number: usize,
    /// `+` for a new row, `=` and the key for a stored one; other values are ignored.
    row: Option<String>,
    version: Option<i64>,
    removed: bool,
    /// The values by the names of fields, and the digests of the values that the form had.
    values: Vec<(String, String)>,
    was: BTreeMap<String, String>,
}

/// The rows of a section by their numbers; `files` are the controls with an upload, and its id.
fn list_sent(form: &[(String, String)], files: &[(String, String)], section: &str) -> Vec<Sent> {
    let prefix = format!("{}-", section_name(section));
    let mut all: BTreeMap<usize, Sent> = BTreeMap::new();
    for (name, value) in form {
        let Some(rest) = name.strip_prefix(&prefix) else { continue };
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (number, rest) = rest.split_at(digits);
        let Ok(number) = number.parse() else { continue };
        let row = all.entry(number).or_default();
        match rest {
            "" => row.row = Some(value.clone()),
            ".version" => row.version = value.parse().ok(),
            ".gone" => row.removed = !value.is_empty(),
            rest => {
                let Some(field) = rest.strip_prefix('-') else { continue };
                match field.strip_suffix(".was") {
                    Some(field) => drop(row.was.insert(field.to_owned(), value.clone())),
                    None => row.values.push((field.to_owned(), value.clone())),
                }
            }
        }
    }
    for (control, id) in files {
        let Some((of, number, field)) = split_name(control) else { continue };
        if let Some(row) = all.get_mut(&number).filter(|_| of == section) {
            let is_replaced = |name: &str| name == field || name.strip_suffix(".remove") == Some(field);
            row.values.retain(|(name, _)| !is_replaced(name));
            row.values.push((field.to_owned(), id.clone()));
        }
    }
    let rows = all.into_iter().filter(|(_, row)| row.row.is_some());
    rows.map(|(number, row)| Sent { number, ..row }).collect()
}

/// Reads the rows of all sections; `parent` is the key of the stored row of the form. `only_shown` is true if a button shows the form
/// again: entries are then not checked.
///
/// # Errors
/// 422 for more rows than a form can have; 503 if the database is unavailable.
pub(crate) fn read(tx: &mut Tx<'_>, call: &Call, variant: &Variant, parent: Option<&Value>, only_shown: bool) -> Result<Vec<ChildRows>> {
    let mut all = sections(tx, variant, parent);
    let button = form_parameters::find(&call.form, form_parameters::FIND);
    let files: Vec<(String, String)> = call.uploads.iter().map(|it| (it.part.clone(), it.facts.id.to_string())).collect();
    for of in &mut all {
        let fields = Fields::new(tx, variant, of);
        let sent = list_sent(&call.form, &files, of.section.name);
        if sent.len() > MOST_SENT {
            let text = say!("dz-at-most-rows", "A form saves at most {most} rows of a list at once", most = MOST_SENT);
            return Err(Error::new(422, "VALIDATION", text));
        }
        let mut stored = find_stored(tx, &fields, of, parent, &sent)?;
        let mut pending = Vec::new();
        for sent in sent {
            let key = sent.row.as_deref().and_then(|row| row.strip_prefix('='));
            let mut row = match key {
                Some(key) => match stored.remove(key) {
                    Some(row) => fields.stored_row(tx, row),
                    None => {
                        of.lost = true;
                        continue;
                    }
                },
                None => fields.new_row(tx),
            };
            let initial = enter_texts(&fields, &mut row, &sent);
            of.rows.push(row);
            pending.push((sent, initial));
        }
        if button == Some(section_name(of.section.name).as_str()) && fields.can_add(tx, of) && of.rows.len() < MOST_SENT {
            of.rows.push(fields.new_row(tx));
        }
        of.find_hidden(tx, &fields)?;
        for (row, (sent, initial)) in of.rows.iter_mut().zip(pending) {
            let writable = sent_fields(&fields, row, &sent);
            let is_too_large = row.report_too_large(&writable, call, of.section.name, sent.number);
            if !only_shown {
                parse(tx, &fields, row, &sent, &initial, is_too_large)?;
            }
        }
    }
    Ok(all)
}

/// The stored rows that the form names and the caller can list, by their keys.
fn find_stored(tx: &mut Tx<'_>, fields: &Fields, of: &ChildRows, parent: Option<&Value>, sent: &[Sent]) -> Result<BTreeMap<String, Row>> {
    let Some(parent) = parent else { return Ok(BTreeMap::new()) };
    let texts = sent.iter().filter_map(|sent| sent.row.as_deref()?.strip_prefix('='));
    let keys: Vec<Value> = texts.filter_map(|text| columns::parse_value(tx.app, fields.entity.key(), text).ok()).collect();
    if keys.is_empty() {
        return Ok(BTreeMap::new());
    }
    let found = find(tx, fields, of, parent, Some(keys))?;
    Ok(found.rows.into_iter().map(|row| (key_text(row.value(fields.entity.pk)), row)).collect())
}

/// The fields with controls in a sent row.
fn sent_fields(fields: &Fields, row: &ChildRow, sent: &Sent) -> Vec<WritableField> {
    // The form has no controls for a row that the rules protect: they refuse values that are sent nevertheless.
    match row.state.row {
        Some(_) if !sent.values.is_empty() => fields.in_stored.clone(),
        _ => fields.writable(row).to_vec(),
    }
}

/// Writes the sent texts into the controls of a row, and returns those that it had. A control that the form did not have keeps its
/// text.
fn enter_texts(fields: &Fields, row: &mut ChildRow, sent: &Sent) -> TypedTexts {
    let writable = sent_fields(fields, row, sent);
    let initial = std::mem::take(&mut row.state.typed);
    row.removed = sent.removed;
    let value = |name: &str| sent.values.iter().find(|(given, _)| given == name).map(|(_, value)| value.clone());
    for of in &writable {
        let name = of.field.name;
        let entered = if conditions::is_sent(of, &sent.values) { submit::entered_text(of, value) } else { None };
        let text = entered.or_else(|| initial.get(name).cloned());
        row.state.typed.insert(name.to_owned(), text.unwrap_or_default());
        let words = format!("{name}.q");
        if let Some(text) = value(&words) {
            row.state.typed.insert(words, text);
        }
    }
    initial
}

/// Parses the texts of a row that differ from the stored values. `is_used` is true for a row with an error, which is not blank.
fn parse(tx: &mut Tx<'_>, fields: &Fields, row: &mut ChildRow, sent: &Sent, initial: &TypedTexts, is_used: bool) -> Result<()> {
    let mut writable = sent_fields(fields, row, sent);
    writable.retain(|of| row.takes(of, &sent.values));
    let is_blank = !is_used && row.key.is_none() && writable.iter().all(|of| has_no_entry(of, row, initial.get(of.field.name)));
    if row.removed || is_blank {
        return Ok(());
    }
    let is_stale = row.state.row.as_ref().is_some_and(|stored| sent.version.is_some_and(|version| version != stored.version));
    if is_stale {
        merge(tx, &writable, row, sent, initial)?;
    }
    let reported = row.state.errors.clone();
    let mut values = submit::parse_values(tx, &writable, &mut row.state)?;
    // That a file is too large explains more than that it is absent.
    row.state.errors.extend(reported);
    match &row.state.row {
        Some(stored) => values.retain(|(at, value)| {
            let held = stored.values.get(usize::from(*at));
            let is_kept_file = fields.entity.field(*at).kind.is_file() && held.and_then(File::stored_id) == File::stored_id(value);
            held != Some(value) && !is_kept_file
        }),
        None => values.retain(|(at, value)| {
            let field = fields.entity.field(*at);
            !(value.is_null() && field.default.is_some() && field.required)
        }),
    }
    row.values = values;
    Ok(())
}

/// True if a control of a new row was not used, or was cleared.
fn has_no_entry(of: &WritableField, row: &ChildRow, initial: Option<&String>) -> bool {
    let text = |name: &str| row.state.typed.get(name).map_or("", String::as_str);
    let initial = initial.map_or("", String::as_str);
    let same = match of.field.kind.family() {
        Family::Truth => (text(of.field.name) == "true") == (initial == "true"),
        Family::Identifier
        | Family::Text
        | Family::Choice
        | Family::Number
        | Family::Time
        | Family::Document
        | Family::Reference
        | Family::File
        | Family::Relation => text(of.field.name).trim().is_empty() || control::is_same_text(text(of.field.name), initial),
    };
    same && text(&format!("{}.q", of.field.name)).trim().is_empty()
}

/// Combines the changes of two users: a field that only the other one changed has its value, and a field that both changed has an
/// error with it.
fn merge(tx: &mut Tx<'_>, writable: &[WritableField], row: &mut ChildRow, sent: &Sent, stored: &TypedTexts) -> Result<()> {
    for of in writable {
        let name = of.field.name;
        let theirs = stored.get(name).cloned().unwrap_or_default();
        let mine = row.state.typed.get(name).cloned().unwrap_or_default();
        let was = sent.was.get(name);
        let changed = |text: &str| was.is_none_or(|was| *was != conflict::digest(text));
        if control::is_same_text(&mine, &theirs) || !changed(&theirs) {
            continue;
        }
        if !changed(&mine) {
            row.state.typed.insert(name.to_owned(), theirs);
            continue;
        }
        let saved = form::build_cell(tx, of.field, &[theirs])?.text;
        let text = say!("dz-saved-meanwhile", "Another user saved \"{value}\" here. Save again to replace it.", value = saved);
        row.state.errors.insert(name.to_owned(), text);
        row.stale = true;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_by_their_numbers() {
        let form = [
            ("rows-lines-10", "+"),
            ("rows-lines-10-amount", "3"),
            ("rows-lines-2", "=7"),
            ("rows-lines-2.version", "4"),
            ("rows-lines-2.gone", "1"),
            ("rows-lines-2-amount.was", "abc"),
            ("rows-lines-3-amount", "without a row"),
            ("rows-lines-x", "+"),
            ("rows-other-1", "+"),
            ("lines", "a field"),
        ];
        let form: Vec<(String, String)> = form.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let files = [("rows-lines-10-scan", "id"), ("rows-lines-4-scan", "without a row"), ("rows-other-10-scan", "elsewhere")];
        let files: Vec<(String, String)> = files.iter().map(|(name, id)| ((*name).to_owned(), (*id).to_owned())).collect();
        let sent = list_sent(&form, &files, "lines");
        assert_eq!((sent.len(), sent[0].number, sent[1].number), (2, 2, 10));
        assert_eq!((sent[0].row.as_deref(), sent[0].version, sent[0].removed), (Some("=7"), Some(4), true));
        assert_eq!(sent[0].was.get("amount").map(String::as_str), Some("abc"));
        let values: Vec<(&str, &str)> = sent[1].values.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!((sent[1].row.as_deref(), values.as_slice()), (Some("+"), &[("amount", "3"), ("scan", "id")][..]));
        assert_eq!(split_name("rows-lines-10-scan"), Some(("lines", 10, "scan")));
        assert_eq!((split_name("rows-lines-10"), split_name("rows-lines-x-scan"), split_name("scan")), (None, None, None));
    }
}
