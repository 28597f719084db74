//! Import of CSV: all rows of a file are stored, or none.
//!
//! A row with a key changes the row that has it, a row without a key is new. So a list that was saved as CSV can be changed in a
//! spreadsheet and sent back.

use ::csv::{Error as CsvError, ErrorKind, ReaderBuilder, StringRecord};
use diesel::Connection as _;
use serde_json::{Value as Json, json, value::RawValue};

use crate::{
    csv::{self, Cell, Column},
    db::Connection,
    input::Cells,
    names::did_you_mean,
    problem::{FieldErrors, Problem, Result},
    reply::Reply,
    types::RowKey,
    values::{self, Invalid},
};

/// The most rows of a file. Other writers wait during an import.
const MOST_ROWS: usize = 10_000;
/// The most rows whose errors a response contains.
const MOST_REPORTED: usize = 100;

/// The rows of a file.
pub struct File {
    rows: Vec<Row>,
}

/// A row of a file.
pub struct Row {
    /// Its number as in a spreadsheet: the names of the columns are row 1.
    number: u64,
    cells: Vec<(Column, String)>,
}

impl File {
    /// Reads a file whose first row names columns.
    pub fn read(bytes: &[u8], columns: &[Column]) -> Result<File> {
        let text = std::str::from_utf8(bytes).map_err(|_| Problem::bad_request("the file is not UTF-8 text"))?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        check_quotes(text)?;
        if ReaderBuilder::new().from_reader(text.as_bytes()).records().count() > MOST_ROWS {
            let detail = format!("A file has at most {MOST_ROWS} rows; divide it. Nothing was stored");
            return Err(Problem::new(422, "VALIDATION", detail));
        }
        let mut reader = ReaderBuilder::new().from_reader(text.as_bytes());
        let named = named_columns(reader.headers().map_err(csv_problem)?, columns)?;
        let mut rows = Vec::new();
        for (at, record) in (2..).zip(reader.records()) {
            let record = record.map_err(csv_problem)?;
            // Spreadsheets append empty rows.
            if record.iter().any(|cell| !cell.trim().is_empty()) {
                let cells = named.iter().zip(&record).map(|(column, text)| (*column, text.to_owned()));
                rows.push(Row { number: at, cells: cells.collect() });
            }
        }
        Ok(File { rows })
    }

    /// Stores each row by `one`, which returns true for a new row. With an error in any row, nothing is stored.
    pub fn store(&self, connection: &mut Connection, mut one: impl FnMut(&mut Connection, &Row) -> Result<bool>) -> Result<Reply> {
        let (mut created, mut updated, mut refused) = (0, 0, Vec::new());
        for row in &self.rows {
            match connection.transaction(|connection| one(connection, row)) {
                Ok(true) => created += 1,
                Ok(false) => updated += 1,
                Err(problem) if problem.status >= 500 || problem.status == 401 => return Err(problem),
                Err(problem) => refused.push((row.number, problem)),
            }
            if refused.len() == MOST_REPORTED {
                break;
            }
        }
        let rows = match refused.len() {
            0 => return Ok(Reply::json(200, json!({ "created": created, "updated": updated }))),
            1 => "One row has errors".to_owned(),
            MOST_REPORTED => format!("At least {MOST_REPORTED} rows have errors"),
            count => format!("{count} rows have errors"),
        };
        Err(Problem { rows: refused, ..Problem::new(422, "VALIDATION", format!("{rows}; nothing was stored")) })
    }
}

impl Row {
    /// The key of the row; `None` if the file has no column for it, or the cell is empty.
    pub fn key<K: RowKey>(&self, name: &str) -> Result<Option<K>> {
        let Some((column, text)) = self.cells.iter().find(|(column, _)| column.name == name) else { return Ok(None) };
        match read_cell(column.cell, text) {
            Ok(Json::Null) => Ok(None),
            Ok(key) => Ok(K::from_json(&key)),
            // Without a key, no row can be found.
            Err(_) => Err(self.errors()),
        }
    }

    /// The problem of the cells that cannot be read.
    fn errors(&self) -> Problem {
        let mut errors = FieldErrors::default();
        for (column, text) in self.cells.iter().filter(|(column, _)| !matches!(column.cell, Cell::CurrencyOf(_))) {
            if let Err(message) = read_cell(column.cell, text) {
                errors.add(column.name, message);
            }
        }
        errors.into_result().err().unwrap_or_else(Problem::not_found)
    }

    /// The values of a new row. An empty cell is a field that is not sent, so that it gets its default.
    pub fn new_values(&self) -> Cells {
        let mut values = self.values(&Json::Null);
        values.retain(|(_, value)| value.as_ref().map_or(true, |raw| raw.get() != "null"));
        values
    }

    /// The values of a row that is stored as `stored`.
    pub fn values(&self, /*IF NO AMOUNTS*/_/*END NO AMOUNTS*/stored: &Json) -> Cells {
        let mut values = Cells::new();
        for (column, text) in &self.cells {
            let read = match column.cell {
/*IF AMOUNTS*/                Cell::Amount(currency) => match self.amount((column, currency), stored) {
                    Some(amount) => {
                        values.push((column.name, amount.map(raw)));
                        continue;
                    }
                    None => continue,
                },
                Cell::CurrencyOf(amount) => match self.currency((amount, column), text, stored) {
                    Some((name, value)) => {
                        values.push((name, value.map(raw).map_err(Invalid::Content)));
                        continue;
                    }
                    None => continue,
                },
/*END AMOUNTS*/                cell => read_cell(cell, text),
            };
            values.push((column.name, read.map(raw).map_err(Invalid::Form)));
        }
        values
    }

/*IF AMOUNTS*/    /// The cell of another column as JSON; what is stored if the file has no such column.
    fn other(&self, name: &str, stored: &Json) -> Result<Json, String> {
        match self.cells.iter().find(|(column, _)| column.name == name) {
            Some((column, text)) => read_cell(column.cell, text),
            None => Ok(stored.clone()),
        }
    }

    /// An amount with the currency of another column; `None` if a message of that column is the reason for which there is none.
    fn amount(&self, (amount, currency): (&Column, &str), stored: &Json) -> Option<Result<Json, Invalid>> {
        let number = match self.other(amount.name, &Json::Null) {
            Ok(number) => number,
            Err(message) => return Some(Err(Invalid::Form(message))),
        };
        let code = self.other(currency, &stored[amount.name]["currency"]).ok()?;
        Some(match (number.is_null(), code.is_null()) {
            (true, true) => Ok(Json::Null),
            (true, false) => Err(Invalid::Content(format!("is required together with the currency in `{currency}`"))),
            (false, true) => Err(Invalid::Content(format!("needs a currency in `{currency}`"))),
            (false, false) => Ok(json!({ "amount": number, "currency": code })),
        })
    }

    /// The amount of a row whose file has only a column for its currency; or the message of this column.
    fn currency(
        &self,
        (amount, currency): (&'static str, &Column),
        text: &str,
        stored: &Json,
    ) -> Option<(&'static str, Result<Json, String>)> {
        let has_amount = self.cells.iter().any(|(column, _)| column.name == amount);
        let code = match read_cell(currency.cell, text) {
            Ok(code) => code,
            Err(message) => return Some((currency.name, Err(message))),
        };
        let number = &stored[amount]["amount"];
        let name = currency.name;
        match (number.is_null(), code.is_null()) {
            _ if has_amount => None,
            (true, true) => None,
            (true, false) => Some((amount, Err(format!("is required together with the currency in `{name}`")))),
            (false, true) => Some((amount, Err(format!("needs a currency in `{name}`")))),
            (false, false) => Some((amount, Ok(json!({ "amount": number, "currency": code })))),
        }
    }

/*END AMOUNTS*/}

/// The problem of a row with a key that no visible row has.
pub fn no_row(key: &str) -> Problem {
    let problem = Problem::new(404, "NOT_FOUND", "This row does not exist or is not visible to you");
    problem.at(key, "is not a row that you can see; leave it empty for a new row")
}

fn raw(value: Json) -> Box<RawValue> {
    serde_json::value::to_raw_value(&value).unwrap_or_default()
}

/// A cell as the JSON of a request; an empty cell is null.
fn read_cell(cell: Cell, text: &str) -> Result<Json, String> {
    let text = match cell {
        Cell::Text | Cell::File => csv::unguarded(text),
        Cell::Word | Cell::CurrencyOf(_) => csv::unguarded(text).trim(),
        _ => text.trim(),
    };
    if text.is_empty() {
        return Ok(Json::Null);
    }
    match cell {
        Cell::Text | Cell::Word => Ok(json!(text)),
/*IF AMOUNTS*/        Cell::CurrencyOf(_) => crate::amounts::check_currency(text).map(|()| json!(text)),
/*END AMOUNTS*//*IF NO AMOUNTS*/        Cell::CurrencyOf(_) => Ok(json!(text)),
/*END NO AMOUNTS*/        Cell::File => Ok(json!({ "name": text })),
        Cell::Boolean => values::boolean_text(text).map(Json::from),
        Cell::Whole => values::int_text(text).map(Json::from),
        Cell::Float => values::float_text(text).map(Json::from),
        Cell::Exact | Cell::Amount(_) => values::number_text(text).map(|_| json!(text)),
        Cell::Money(currency) => values::number_text(text).map(|_| json!({ "amount": text, "currency": currency })),
        Cell::Id => values::id_text(text).map(|_| json!(text)),
        Cell::Date => values::date_text(text).map(|_| json!(text)),
        Cell::Time => values::moment_text(text).map(|time| json!(time)),
        Cell::Document => match serde_json::from_str(text) {
            Ok(document) => match crate::duplicates::find_duplicate_member(text) {
                None => Ok(document),
                Some(name) => Err(format!("gives the member `{name}` twice")),
            },
            Err(_) => Err("is not valid JSON".to_owned()),
        },
    }
}

/// The columns that the first row names, by their names or their titles.
fn named_columns(head: &StringRecord, columns: &[Column]) -> Result<Vec<Column>> {
    let mut named: Vec<Column> = Vec::new();
    for name in head {
        let name = csv::unguarded(name.trim());
        let is = |column: &&Column| column.name == name || column.title.eq_ignore_ascii_case(name);
        let column = columns.iter().find(is).ok_or_else(|| {
            let near = did_you_mean(name, columns.iter().map(|column| column.name));
            Problem::bad_request(format!("row 1: there is no field `{}`{near}", name.escape_default()))
        })?;
        if named.iter().any(|other| other.name == column.name) {
            return Err(Problem::bad_request(format!("row 1: `{}` occurs twice", column.name)));
        }
        named.push(*column);
    }
    Ok(named)
}

fn csv_problem(error: CsvError) -> Problem {
    Problem::bad_request(match error.kind() {
        ErrorKind::UnequalLengths { pos, expected_len, len } => {
            let at = pos.as_ref().map(|pos| format!("row {}: ", pos.record() + 1)).unwrap_or_default();
            format!("{at}the row has {len} cells, and the header has {expected_len}")
        }
        _ => "the file is not valid CSV".to_owned(),
    })
}

/// The place of a character of a file.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// At the start of a cell.
    Start,
    /// In a cell without quotes.
    Plain,
    /// In quotes.
    Quoted,
    /// After a quote inside quotes: the cell ends, or a second quote makes both one character of the text.
    Closed,
}

/// Refuses a file with a quote that is never closed, or with one inside a cell without quotes (RFC 4180). A parser would take a file
/// that was cut off for a whole one.
fn check_quotes(text: &str) -> Result<()> {
    let refusal = |line: usize, what: &str| Err(Problem::bad_request(format!("line {line}: {what}")));
    let (mut place, mut line, mut opened) = (Place::Start, 1, 1);
    for c in text.chars() {
        place = match (place, c) {
            (Place::Quoted, '"') => Place::Closed,
            (Place::Quoted, _) | (Place::Closed, '"') => Place::Quoted,
            (Place::Start, '"') => {
                opened = line;
                Place::Quoted
            }
            (_, ',' | '\r' | '\n') => Place::Start,
            (Place::Closed, _) => return refusal(line, "text follows a closing quote; write a quote inside a cell twice"),
            (Place::Plain, '"') => {
                let what = "a quote is inside a cell that does not begin with one; put the cell in quotes and write the quote twice";
                return refusal(line, what);
            }
            (Place::Start | Place::Plain, _) => Place::Plain,
        };
        line += usize::from(c == '\n');
    }
    match place {
        Place::Quoted => refusal(opened, "a quote is never closed, so the rest of the file belongs to one cell"),
        Place::Start | Place::Plain | Place::Closed => Ok(()),
    }
}
