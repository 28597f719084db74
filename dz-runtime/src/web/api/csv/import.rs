//! Import of CSV: all rows are stored, or none.
//!
//! A row with a key updates the existing row, as `PATCH` does; a row without a key is created. An export can therefore be edited in a
//! spreadsheet and imported again.

use std::collections::BTreeMap;

use crate::{
    Error, Result, Tx, Value,
    access::{Action as _, Create, SurfaceScope, Update},
    def::{EntityDef, FieldDef, FieldIx},
    field,
    rows::{self, Input},
    suggest::did_you_mean,
    web::api::{
        bulk::MAX_ROWS,
        csv::{Cell, is_text, quotes, remove_guard},
    },
};

/// The maximum number of reported rows with errors.
const MAX_REPORTED: usize = 100;
/// The number of rows that are parsed before they are stored.
const BATCH: usize = 1_000;

/// The result of an import.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ImportCounts {
    /// The created rows.
    pub created: u64,
    /// The updated rows, including those without a difference.
    pub updated: u64,
}

/// The error of a row of a file.
#[derive(Debug)]
pub(crate) struct RowError {
    /// The number of the row as in spreadsheets: the header is row 1.
    pub row: u64,
    /// The error.
    pub error: Error,
}

/// The result of an import.
pub(crate) enum Outcome {
    /// Every row is stored.
    Stored(ImportCounts),
    /// Some rows have errors, and the transaction must be rolled back.
    Refused(Error, Vec<RowError>),
}

/// A field that the header of a file can name.
pub(crate) struct ImportColumn {
    /// The field.
    pub at: FieldIx,
    /// A further name of the column, beside the name and the title of the field.
    pub label: Option<&'static str>,
    /// The field exists, but cannot be set.
    pub closed: bool,
}

impl ImportColumn {
    /// The field of a cell, if it is of the row itself.
    pub fn from_cell(cell: Cell) -> Option<ImportColumn> {
        match cell {
            Cell::Own(at) => Some(ImportColumn { at, label: None, closed: false }),
            Cell::Extra(_) | Cell::Label(_) => None,
        }
    }
}

/// Stores the rows of a file; existing rows are updated within the rows of the page.
///
/// # Errors
/// 400 for invalid CSV or an unknown column; 401 for anonymous callers; 422 for a field that cannot be set; 503 if the database is
/// unavailable.
pub(crate) fn import(
    tx: &mut Tx<'_>,
    entity: &'static EntityDef,
    within: &SurfaceScope,
    named: &[ImportColumn],
    bytes: &[u8],
) -> Result<Outcome> {
    let text =
        std::str::from_utf8(bytes).map_err(|_| Error::bad_request(say!("dz-the-file-is-not-utf-8-text", "the file is not UTF-8 text")))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    quotes::check(text)?;
    // Other writers wait during an import, so its size is limited.
    if csv::Reader::from_reader(text.as_bytes()).records().count() > MAX_ROWS {
        return Err(Error::new(
            422,
            "VALIDATION",
            say!("dz-a-file-has-at-most-rows", "A file has at most {count} rows; divide it. Nothing was stored", count = MAX_ROWS),
        ));
    }
    let mut reader = csv::ReaderBuilder::new().from_reader(text.as_bytes());
    let head = reader.headers().map_err(csv_error)?.clone();
    let columns = match_columns(entity, named, &head)?;
    let key = columns.iter().position(|at| *at == entity.pk);
    lock_rows(tx, entity, text, key)?;
    let mut done = ImportCounts::default();
    let mut wrong: Vec<RowError> = Vec::new();
    let mut records = Records { reader: &mut reader, number: 1 };
    while wrong.len() < MAX_REPORTED {
        let read = records.next_batch(|record| parse_record(tx, entity, &columns, record))?;
        if read.is_empty() {
            break;
        }
        let stored = rows::run_each(tx, &read, |tx, (_, given)| store(tx, entity, within, key.is_some(), given.clone()))?;
        for ((row, _), stored) in read.into_iter().zip(stored) {
            match stored {
                Ok(true) => done.created += 1,
                Ok(false) => done.updated += 1,
                Err(error) if error.status == 401 => return Err(error),
                Err(error) => wrong.push(RowError { row, error }),
            }
        }
    }
    wrong.truncate(MAX_REPORTED);
    Ok(if wrong.is_empty() { Outcome::Stored(done) } else { Outcome::Refused(refusal(&wrong), wrong) })
}

/// Locks the existing rows of a file, and makes imports into the table follow each other. `key` is the position of the column with the
/// keys.
fn lock_rows(tx: &mut Tx<'_>, entity: &'static EntityDef, text: &str, key: Option<usize>) -> Result<()> {
    rows::lock_imports(tx, entity)?;
    let Some(at) = key else { return Ok(()) };
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let keys = reader.records().flatten().filter_map(|record| parse_cell(tx, entity.key(), record.get(at)?).ok());
    let keys = keys.filter(|key| !key.is_null()).collect();
    rows::lock_in_order(tx, entity, Update::NAME, keys)
}

/// The records of a file in batches.
struct Records<'r, 't> {
    reader: &'r mut csv::Reader<&'t [u8]>,
    /// The number of the last record.
    number: u64,
}

impl Records<'_, '_> {
    /// The next records with their numbers, parsed by `given`; empty at the end.
    fn next_batch(&mut self, given: impl Fn(&csv::StringRecord) -> Input) -> Result<Vec<(u64, Input)>> {
        let mut record = csv::StringRecord::new();
        let mut read = Vec::new();
        while read.len() < BATCH && self.reader.read_record(&mut record).map_err(csv_error)? {
            self.number += 1;
            // Spreadsheets append empty rows.
            if !record.iter().all(|cell| cell.trim().is_empty()) {
                read.push((self.number, given(&record)));
            }
        }
        Ok(read)
    }
}

fn refusal(wrong: &[RowError]) -> Error {
    let rows = match wrong.len() {
        1 => "One row has errors".to_owned(),
        MAX_REPORTED => format!("At least {MAX_REPORTED} rows have errors"),
        count => format!("{count} rows have errors"),
    };
    Error::new(422, "VALIDATION", format!("{rows}; nothing was stored"))
}

fn csv_error(error: csv::Error) -> Error {
    let detail = match error.kind() {
        csv::ErrorKind::UnequalLengths { pos, expected_len, len } => {
            let at = pos.as_ref().map(|pos| format!("row {}: ", pos.record() + 1)).unwrap_or_default();
            format!("{at}the row has {len} cells, and the header has {expected_len}")
        }
        _ => "the file is not valid CSV".to_owned(),
    };
    Error::bad_request(detail)
}

/// The field of each column.
fn match_columns(entity: &'static EntityDef, named: &[ImportColumn], head: &csv::StringRecord) -> Result<Vec<FieldIx>> {
    let mut columns = Vec::new();
    for name in head {
        let name = &*remove_guard(name.trim());
        let is = |named: &&ImportColumn| {
            let field = entity.field(named.at);
            field.name == name || [Some(field.title), named.label].into_iter().flatten().any(|title| title.eq_ignore_ascii_case(name))
        };
        let Some(found) = named.iter().find(is) else {
            let names = named.iter().filter(|named| !named.closed).map(|named| entity.field(named.at).name).collect();
            let near = did_you_mean(name, names);
            return Err(Error::bad_request(format!("row 1: there is no field `{}`{near}", name.escape_default())));
        };
        if found.closed {
            let name = entity.field(found.at).name;
            let error = Error::new(422, "VALIDATION", format!("row 1: `{name}` cannot be set here"));
            return Err(error.at(name, "cannot be set here"));
        }
        if columns.contains(&found.at) {
            return Err(Error::bad_request(format!("row 1: `{}` occurs twice", entity.field(found.at).name)));
        }
        columns.push(found.at);
    }
    Ok(columns)
}

/// Parses a record, and collects errors.
fn parse_record(tx: &Tx<'_>, entity: &'static EntityDef, columns: &[FieldIx], record: &csv::StringRecord) -> Input {
    let mut sent = Input::default();
    for (at, cell) in columns.iter().zip(record) {
        let field = entity.field(*at);
        match parse_cell(tx, field, cell) {
            Ok(value) => sent.field_values.set(*at, value),
            Err(message) => sent.add_error(field.name, message),
        }
    }
    sent
}

fn parse_cell(tx: &Tx<'_>, field: &'static FieldDef, cell: &str) -> Result<Value, String> {
    if field::is_file(field) && !cell.trim().is_empty() {
        // The row keeps its file; another name is an error when the row is known.
        return Ok(Value::Json(serde_json::json!({ "name": remove_guard(cell) })));
    }
    let text = if is_text(field::stored_kind(tx.app, field)) { &*remove_guard(cell) } else { cell.trim() };
    match field::from_text(tx.app, field, text, field::zone(tx.app)) {
        // A text is imported unchanged.
        Ok(Value::Text(_)) if field.kind.is_free_text() => Ok(Value::Text(text.to_owned())),
        other => other,
    }
}

/// Stores a row; returns true if it was created.
fn store(tx: &mut Tx<'_>, entity: &'static EntityDef, within: &SurfaceScope, has_key: bool, mut sent: Input) -> Result<bool> {
    if has_key && sent.error.as_ref().is_some_and(|unread| unread.field_errors.contains_key(entity.key().name)) {
        // Without a key the row is unknown.
        return sent.into_values().map(|_| false);
    }
    let key = if has_key { sent.field_values.get(entity.pk).cloned().unwrap_or_default() } else { Value::Null };
    if !key.is_null() {
        let grant = tx.ask::<Update>(entity)?;
        let changed = rows::check_surface_scope(tx, entity, &key, within).and_then(|()| rows::update_row(tx, &grant, &key, sent.clone()));
        match changed {
            // A key that users choose can be that of a new row.
            Err(error) if error.status == 404 && !entity.key().kind.is_generated_key() => {}
            Err(error) if error.status == 404 => {
                return Err(Error::new(
                    404,
                    "NOT_FOUND",
                    say!("dz-this-row-does-not-exist", "This row does not exist or is not visible to you"),
                )
                .at(entity.key().name, "is not a row that you can see; leave it empty for a new row"));
            }
            other => return other.map(|_| false),
        }
    }
    let grant = tx.ask::<Create>(entity)?;
    // An empty cell of a new row is omitted, so that defaults apply.
    sent.field_values.0.retain(|(_, value)| !value.is_null());
    rows::insert_row(tx, &grant, sent).map(|()| true)
}

/// The errors of rows, as a response shows them.
pub(crate) fn describe_errors(rows: &[RowError]) -> Vec<(u64, Vec<(String, String)>)> {
    let of = |row: &RowError| {
        let fields: &BTreeMap<String, Vec<String>> = &row.error.field_errors;
        let mut told: Vec<_> =
            fields.iter().flat_map(|(field, messages)| messages.iter().map(|text| (field.clone(), text.clone()))).collect();
        if told.is_empty() {
            told.push((String::new(), row.error.detail.clone()));
        }
        (row.row, told)
    };
    rows.iter().map(of).collect()
}
