//! Export and import of rows as CSV.
//!
//! Spreadsheets interpret a text with certain first characters as a formula. Such a text is written with a leading `'`, which an import
//! removes; numbers, dates and timestamps are never texts.

mod export;
mod export_record;
mod import;
mod quotes;
mod stream;

pub(crate) use export::{Cell, Export, is_list_format, is_requested, list_columns, parse};
pub(crate) use import::{ImportColumn, ImportCounts, Outcome, RowError, describe_errors, import};
pub(crate) use stream::export_body;

use crate::{
    Value,
    def::{FieldDef, Kind},
    field::{self, File},
};

/// The content type of an export.
pub(crate) const CONTENT_TYPE: &str = "text/csv; charset=utf-8";

/// The first characters of formulas, and characters that spreadsheets skip before one; also full-width forms of East Asian keyboards, and
/// the byte-order mark.
const FORMULA: [char; 12] = ['=', '+', '-', '@', '\t', '\r', '\n', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}', '\u{feff}'];

/// Guards a text against interpretation as a formula. A text that already looks guarded is guarded too, so that an import restores every
/// text.
fn guard_formula(text: String) -> String {
    if needs_guard(&text) { format!("'{text}") } else { text }
}

fn write_guarded(text: &str, out: &mut Vec<u8>) {
    out.extend(needs_guard(text).then_some(b'\''));
    out.extend_from_slice(text.as_bytes());
}

fn needs_guard(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(FORMULA)
}

/// Removes the guard.
fn remove_guard(text: &str) -> &str {
    match text.strip_prefix('\'') {
        Some(rest) if rest.trim_start_matches('\'').starts_with(FORMULA) => rest,
        _ => text,
    }
}

/// True if the cells contain user-written text.
fn is_text(kind: Kind) -> bool {
    kind.holds_text()
}

/// Writes a value as in JSON, without quotes; `currency` is the currency of an amount, which has its own column.
fn write_cell(field: &'static FieldDef, value: &Value, currency: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Null => {}
        Value::Decimal(number) if field.currency_in.is_some() => {
            out.extend_from_slice(field::currency::amount_text(*number, currency).as_bytes());
        }
        Value::Text(text) => write_guarded(text, out),
        // Only the amount; the currency is fixed for the column.
        Value::Decimal(number) if field.currency.is_some() => out.extend_from_slice(field::plain_decimal(field, *number).as_bytes()),
        Value::Json(_) if field::is_file(field) => write_guarded(&File::from_stored(value).map(|file| file.name).unwrap_or_default(), out),
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
    fn texts_are_guarded_against_formulas_and_restored() {
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
            let cell = guard_formula(text.to_owned());
            assert!(!cell.starts_with(FORMULA), "{cell:?}");
            assert_eq!(remove_guard(&cell), text);
        }
        assert_eq!(guard_formula("=1".to_owned()), "'=1");
        assert_eq!(guard_formula("'x".to_owned()), "'x");
        assert_eq!(remove_guard("'Tis"), "'Tis");
    }
}
