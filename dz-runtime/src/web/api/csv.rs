//! Export and import of rows as CSV.
//!
//! Spreadsheets interpret a text with certain first characters as a formula. Such a text is written with a leading `'`, which an import
//! removes; numbers, dates and timestamps are never texts. Spreadsheets of some languages separate cells by `;` or tabs, and then do not
//! know the quotes of this format, so a part of a text after such a character or a line break is guarded as well ([OWASP]).
//!
//! [OWASP]: https://owasp.org/www-community/attacks/CSV_Injection

mod export;
mod export_record;
mod import;
mod quotes;
mod stream;

pub(crate) use export::{Cell, Export, is_list_format, is_requested, list_columns, parse};
pub(crate) use import::{ImportColumn, ImportCounts, Outcome, RowError, describe_errors, import};
pub(crate) use stream::export_body;

use std::borrow::Cow;

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

/// The characters after which a spreadsheet can begin another cell.
const SEPARATORS: [char; 4] = [';', '\t', '\r', '\n'];

/// Guards a text against interpretation as a formula. A text that already looks guarded is guarded too, so that an import restores every
/// text.
fn guard_formula(text: String) -> String {
    let mut out = Vec::with_capacity(text.len() + 1);
    write_guarded(&text, &mut out);
    String::from_utf8(out).unwrap_or(text)
}

fn write_guarded(text: &str, out: &mut Vec<u8>) {
    for (at, part) in text.split_inclusive(SEPARATORS).enumerate() {
        out.extend(needs_guard(at, part).then_some(b'\''));
        out.extend_from_slice(part.as_bytes());
    }
}

/// True if the part of a text at a position looks like a formula. Of several separators each begins a part of its own.
fn needs_guard(at: usize, part: &str) -> bool {
    let start = part.trim_start_matches('\'');
    start.starts_with(FORMULA) && (at == 0 || !start.starts_with(SEPARATORS))
}

/// Removes the guards.
fn remove_guard(text: &str) -> Cow<'_, str> {
    let mut without = Cow::Borrowed("");
    for (at, part) in text.split_inclusive(SEPARATORS).enumerate() {
        without += part.strip_prefix('\'').filter(|rest| needs_guard(at, rest)).unwrap_or(part);
    }
    without
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
            "x;=1+1",
            "x;'=1+1",
            "x\t=1\n@y\r\n+z",
            "- one\n- two",
            "a\r\nb",
            "\r\n=1",
            ";;=",
            "a;b",
        ] {
            let cell = guard_formula(text.to_owned());
            for part in cell.split(SEPARATORS).filter(|part| !part.is_empty()) {
                assert!(!part.starts_with(FORMULA), "{cell:?}");
            }
            assert_eq!(remove_guard(&cell), text);
        }
        assert_eq!(guard_formula("=1".to_owned()), "'=1");
        assert_eq!(guard_formula("'x".to_owned()), "'x");
        assert_eq!(guard_formula("x;=1".to_owned()), "x;'=1");
        assert_eq!(guard_formula("a; b\r\nc".to_owned()), "a; b\r\nc");
        assert_eq!(remove_guard("'Tis"), "'Tis");
    }
}
