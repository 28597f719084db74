//! Rows as CSV, and CSV as rows.
//!
//! Spreadsheets take a text that begins with certain characters for a formula. Such a text is written with a leading
//! `'`, and read without it; numbers, days and moments are never texts.

mod export;
mod import;
mod stream;

pub(crate) use export::{Cell, Export, of_entity, parse, wanted};
pub(crate) use import::{Named, Outcome, RowError, import, told};
pub(super) use stream::Streamed;

use crate::{
    Value,
    def::{FieldDef, Kind},
    field,
    files::{self, File},
};

/// The content type of what is sent.
pub(crate) const CONTENT_TYPE: &str = "text/csv; charset=utf-8";

/// What spreadsheets take for the beginning of a formula, or of what leads to one.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// A text that no spreadsheet runs. One that could be taken for such a text is marked too, so that every text comes
/// back as it was.
fn guarded(text: String) -> String {
    if text.trim_start_matches('\'').starts_with(FORMULA) { format!("'{text}") } else { text }
}

/// The text that was guarded.
fn unguarded(text: &str) -> &str {
    match text.strip_prefix('\'') {
        Some(rest) if rest.trim_start_matches('\'').starts_with(FORMULA) => rest,
        _ => text,
    }
}

/// True where cells hold texts that people wrote.
fn is_text(kind: Kind) -> bool {
    kind.is_text() || matches!(kind, Kind::Enum(_))
}

/// A value as a cell: as JSON writes it, without the quotes.
fn cell(field: &'static FieldDef, value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Text(text) => guarded(text.clone()),
        // The amount alone, as it is read again; the currency is the column's.
        Value::Decimal(number) if field.currency.is_some() => field::plain_decimal(field, *number),
        Value::Json(_) if files::is_file(field) => guarded(File::of(value).map(|file| file.name).unwrap_or_default()),
        other => {
            let mut out = Vec::new();
            field::write_json(field, other, &mut out);
            let text = String::from_utf8_lossy(&out);
            match other {
                Value::Json(_) => text.into_owned(),
                _ => text.trim_matches('"').to_owned(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_a_formula_and_every_text_comes_back() {
        for text in ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "'=1", "''=1", "''", "'x", "plain", "a=b", "", "1-2"] {
            let cell = guarded(text.to_owned());
            assert!(!cell.starts_with(FORMULA), "{cell:?}");
            assert_eq!(unguarded(&cell), text);
        }
        assert_eq!(guarded("=1".to_owned()), "'=1");
        assert_eq!(guarded("'x".to_owned()), "'x");
        assert_eq!(unguarded("'Tis"), "'Tis");
    }
}
