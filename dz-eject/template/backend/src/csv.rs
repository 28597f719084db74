//! Lists as CSV, and what the cells of their columns contain.
//!
//! Spreadsheets take a text with certain first characters for a formula. Such a text begins with `'`; numbers and dates never do.

use serde_json::Value;

/// The first characters of formulas, and characters that spreadsheets skip before one.
const FORMULA: [char; 12] = ['=', '+', '-', '@', '\t', '\r', '\n', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}', '\u{feff}'];

/// What the cells of a column contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell {
    /// Text as it is, such as that of users, and a choice.
    Text,
    /// Text without spaces around it, such as a web address.
    Word,
    /// True or false.
    Boolean,
    /// A whole number.
    Whole,
    /// A float.
    Float,
    /// An exact number.
    Exact,
    /// A key.
    Id,
    /// A date.
    Date,
    /// A date with a time.
    Time,
    /// JSON.
    Document,
    /// The name of a file.
    File,
    /// The number of an amount in this currency.
    Money(&'static str),
    /// The number of an amount whose currency is in this column.
    Amount(&'static str),
    /// The currency of the amount in this column.
    CurrencyOf(&'static str),
}

/// A column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// The name of its field.
    pub name: &'static str,
    /// The title of its field, by which an import finds it too.
    pub title: &'static str,
    /// What it contains.
    pub cell: Cell,
}

/// The rows with a line of names.
pub fn write(columns: &[Column], rows: impl Iterator<Item = Value>) -> String {
    let mut out = String::new();
    line(&mut out, columns.iter().map(|column| guarded(column.name)));
    for row in rows {
        line(&mut out, columns.iter().map(|column| cell(&row, column.name, column.cell)));
    }
    out
}

fn line(out: &mut String, cells: impl ExactSizeIterator<Item = String>) {
    let is_alone = cells.len() == 1;
    for (at, cell) in cells.enumerate() {
        if at > 0 {
            out.push(',');
        }
        match cell.contains(['"', ',', '\r', '\n']) || (is_alone && cell.is_empty()) {
            true => out.push_str(&format!("\"{}\"", cell.replace('"', "\"\""))),
            false => out.push_str(&cell),
        }
    }
    out.push_str("\r\n");
}

fn cell(row: &Value, name: &str, of: Cell) -> String {
    let member = |value: &Value, name: &str| value[name].as_str().unwrap_or_default().to_owned();
    match (&row[name], of) {
        (_, Cell::CurrencyOf(amount)) => member(&row[amount], "currency"),
        (Value::Null, _) => String::new(),
        (Value::String(text), Cell::Text | Cell::Word) => guarded(text),
        (file, Cell::File) => guarded(&member(file, "name")),
        (amount, Cell::Money(_) | Cell::Amount(_)) => member(amount, "amount"),
        (Value::String(text), of) if of != Cell::Document => text.clone(),
        (other, _) => other.to_string(),
    }
}

fn guarded(text: &str) -> String {
    match text.trim_start_matches('\'').starts_with(FORMULA) {
        true => format!("'{text}"),
        false => text.to_owned(),
    }
}

/// The text of a cell without the `'` that a list adds.
pub fn unguarded(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(rest) if rest.trim_start_matches('\'').starts_with(FORMULA) => rest,
        _ => cell,
    }
}
