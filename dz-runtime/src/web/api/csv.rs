//! Rows as CSV, and CSV as rows.
//!
//! Spreadsheets take a text that begins with certain characters for a formula. Such a text is written with a leading
//! `'`, and read without it; numbers, days and moments are never texts.

mod export;
mod import;
mod listed;
mod quotes;
mod stream;

pub(crate) use export::{Cell, Export, of_entity, parse, wanted};
pub(crate) use import::{Named, Outcome, RowError, import, told};
pub(crate) use stream::Streamed;

use crate::{
    Value,
    def::{FieldDef, Kind},
    field::{self, File},
};

/// The content type of what is sent.
pub(crate) const CONTENT_TYPE: &str = "text/csv; charset=utf-8";

/// What spreadsheets take for the beginning of a formula, or skip before one: also the wide forms of East Asian keyboards, and
/// the mark of the byte order.
const FORMULA: [char; 12] = ['=', '+', '-', '@', '\t', '\r', '\n', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}', '\u{feff}'];

/// A text that no spreadsheet runs. One that could be taken for such a text is marked too, so that every text comes
/// back as it was.
fn guarded(text: String) -> String {
    if is_guarded(&text) { format!("'{text}") } else { text }
}

fn write_guarded(text: &str, out: &mut Vec<u8>) {
    out.extend(is_guarded(text).then_some(b'\''));
    out.extend_from_slice(text.as_bytes());
}

fn is_guarded(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(FORMULA)
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

/// Writes a value as a cell: as JSON writes it, without the quotes; `currency` is that of an amount, whose cell is another one.
fn write_cell(field: &'static FieldDef, value: &Value, currency: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Null => {}
        Value::Decimal(number) if field.currency_in.is_some() => {
            out.extend_from_slice(field::currency::amount_text(*number, currency).as_bytes());
        }
        Value::Text(text) => write_guarded(text, out),
        // The amount alone, as it is read again; the currency is the column's.
        Value::Decimal(number) if field.currency.is_some() => out.extend_from_slice(field::plain_decimal(field, *number).as_bytes()),
        Value::Json(_) if field::is_file(field) => write_guarded(&File::of(value).map(|file| file.name).unwrap_or_default(), out),
        Value::Json(_) => field::write_json(field, value, out),
        _ => {
            let start = out.len();
            field::write_json(field, value, out);
            if out.get(start) == Some(&b'"') {
                out.pop();
                out.remove(start);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_a_formula_and_every_text_comes_back() {
        for text in [
            "=1+1",
            "+1",
            "-1",
            "@SUM(A1)",
            "\tx",
            "\rx",
            "\nx",
            "＝1",
            "＋1",
            "－1",
            "＠x",
            "\u{feff}=1",
            "'＝1",
            "'\u{feff}",
            "'=1",
            "''=1",
            "''",
            "'x",
            "plain",
            "a=b",
            "",
            "1-2",
        ] {
            let cell = guarded(text.to_owned());
            assert!(!cell.starts_with(FORMULA), "{cell:?}");
            assert_eq!(unguarded(&cell), text);
        }
        assert_eq!(guarded("=1".to_owned()), "'=1");
        assert_eq!(guarded("'x".to_owned()), "'x");
        assert_eq!(unguarded("'Tis"), "'Tis");
    }
}
