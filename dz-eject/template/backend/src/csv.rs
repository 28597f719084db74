//! Lists as CSV.
//!
//! Spreadsheets take a text with certain first characters for a formula. Such a text begins with `'`; numbers and dates never do.

use serde_json::Value;

/// The first characters of formulas, and characters that spreadsheets skip before one.
const FORMULA: [char; 12] = ['=', '+', '-', '@', '\t', '\r', '\n', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}', '\u{feff}'];

/// A column: the name of the field, and whether it holds text.
pub type Column = (&'static str, bool);

/// The rows with a line of names.
pub fn write(columns: &[Column], rows: impl Iterator<Item = Value>) -> String {
    let mut out = String::new();
    line(&mut out, columns.iter().map(|(name, _)| guarded(name)));
    for row in rows {
        line(&mut out, columns.iter().map(|(name, is_text)| cell(&row[*name], *is_text)));
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

fn cell(value: &Value, is_text: bool) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) if is_text => guarded(text),
        Value::String(text) => text.clone(),
        // A file is shown by its name.
        Value::Object(file) if is_text => guarded(file.get("name").and_then(Value::as_str).unwrap_or_default()),
        other => other.to_string(),
    }
}

fn guarded(text: &str) -> String {
    match text.trim_start_matches('\'').starts_with(FORMULA) {
        true => format!("'{text}"),
        false => text.to_owned(),
    }
}
