//! Lists as CSV.
//!
//! Spreadsheets take a text with certain first characters for a formula. Such a text begins with `'`; numbers and dates never do.

use serde_json::Value;

/// The first characters of formulas, and characters that spreadsheets skip before one.
const FORMULA: [char; 12] = ['=', '+', '-', '@', '\t', '\r', '\n', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}', '\u{feff}'];

/// What a column contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell {
    /// Text of users.
    Text,
    /// A number, a time, or another value that is not text; of an amount of money the number.
    Plain,
    /// The currency of an amount in another field.
    CurrencyOf(&'static str),
}

/// A column: its name, and what it contains.
pub type Column = (&'static str, Cell);

/// The rows with a line of names.
pub fn write(columns: &[Column], rows: impl Iterator<Item = Value>) -> String {
    let mut out = String::new();
    line(&mut out, columns.iter().map(|(name, _)| guarded(name)));
    for row in rows {
        line(&mut out, columns.iter().map(|(name, of)| cell(&row, name, *of)));
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
        (Value::String(text), Cell::Text) => guarded(text),
        (Value::String(text), Cell::Plain) => text.clone(),
        // A file is shown by its name.
        (file @ Value::Object(_), Cell::Text) => guarded(&member(file, "name")),
        (Value::Object(amount), Cell::Plain) if amount.contains_key("currency") && amount.contains_key("amount") => {
            member(&row[name], "amount")
        }
        (other, _) => other.to_string(),
    }
}

fn guarded(text: &str) -> String {
    match text.trim_start_matches('\'').starts_with(FORMULA) {
        true => format!("'{text}"),
        false => text.to_owned(),
    }
}
