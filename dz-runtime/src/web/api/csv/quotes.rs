//! Quotes of a CSV file (RFC 4180). A lenient parser would accept an incomplete file as complete.

use crate::{Error, Result};

/// The position in a cell.
#[derive(Clone, Copy, PartialEq)]
enum Position {
    Start,
    Plain,
    Quoted,
    /// After a quote inside quotes: the cell ends, or the next quote makes it part of the text.
    Closed,
}

/// Refuses a file with unclosed quotes, or with quotes inside an unquoted cell.
///
/// # Errors
/// 400 that names the line.
pub(crate) fn check(text: &str) -> Result<()> {
    let (mut place, mut line, mut opened) = (Position::Start, 1, 1);
    for c in text.chars() {
        place = match (place, c) {
            (Position::Quoted, '"') => Position::Closed,
            (Position::Quoted, _) => Position::Quoted,
            (Position::Start, '"') => {
                opened = line;
                Position::Quoted
            }
            (Position::Closed, '"') => Position::Quoted,
            (_, ',' | '\r' | '\n') => Position::Start,
            (Position::Plain | Position::Start, c) if c != '"' => Position::Plain,
            (Position::Closed, _) => return Err(quote_error(line, "text follows a closing quote; write a quote inside a cell twice")),
            _ => {
                return Err(quote_error(
                    line,
                    "a quote is inside a cell that does not begin with one; put the cell in quotes and write the quote twice",
                ));
            }
        };
        line += usize::from(c == '\n');
    }
    if place == Position::Quoted {
        Err(quote_error(opened, "a quote is never closed, so the rest of the file belongs to one cell"))
    } else {
        Ok(())
    }
}

fn quote_error(line: usize, what: &str) -> Error {
    Error::bad_request(format!("line {line}: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complete_files_are_accepted() {
        for text in ["", "a,b\n1,2\n", "a,b\r\n\"x, y\",\"say \"\"hi\"\"\"\r\n", "a\n\"two\nlines\"\n", "a,b\n\"\",\n", "a\n\"end\""] {
            assert_eq!(check(text), Ok(()), "{text:?}");
        }
    }

    #[test]
    fn incomplete_files_are_refused() {
        for (text, line) in [("a,b\n1,\"x", 2), ("a\n\"two\nlines", 2), ("a\n\"b\"c\n", 2), ("a\nb\"c\"\n", 2), ("a\n1\n\"a\" \"b\"\n", 3)]
        {
            let error = check(text).expect_err(text);
            assert!(error.status == 400 && error.detail.starts_with(&format!("line {line}: ")), "{text:?}: {error}");
        }
    }
}
