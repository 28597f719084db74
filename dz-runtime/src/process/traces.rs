//! The texts by which stored values of a person are found.

use super::store;
use crate::{
    Engine, Result, Value,
    db::{BindKind, Conn, Statement},
};

/// What identifies a person in stored values.
pub(crate) struct Traces {
    /// The name of the account entity.
    pub entity: &'static str,
    /// The key of the account as JSON has it.
    pub key: String,
    /// Texts that occur in no other values.
    pub words: Vec<Word>,
}

/// A text that identifies a person.
pub(crate) enum Word {
    /// A mail address, which is also a part of longer addresses.
    Address(String),
    /// A key that is a part of no other value.
    Key(String),
}

impl Word {
    fn text(&self) -> &str {
        match self {
            Word::Address(text) | Word::Key(text) => text,
        }
    }

    fn is_in(&self, text: &str) -> bool {
        match self {
            Word::Address(address) => contains_address(text, address),
            Word::Key(key) => text.contains(key.as_str()),
        }
    }
}

/// The SQL function that finds a text in another one.
pub(super) fn position_function(engine: Engine) -> &'static str {
    match engine {
        Engine::Sqlite => "instr",
        Engine::Postgres => "strpos",
    }
}

impl Traces {
    /// The keys of the rows of a table of which a column contains a word; `condition` is a further condition on them. SQL finds
    /// candidates, because it cannot tell an address from the end of a longer one.
    pub(crate) fn find_rows(
        &self,
        conn: &mut Conn,
        table: &str,
        (key, kind): (&str, BindKind),
        columns: &[&str],
        condition: &str,
    ) -> Result<Vec<Value>> {
        if self.words.is_empty() {
            return Ok(Vec::new());
        }
        let function = position_function(conn.engine());
        let mut select = Statement::new();
        select.push("SELECT ").push(key);
        for column in columns {
            select.push(", ").push(column);
        }
        select.push(" FROM ").push(table).push(" WHERE ").push(condition).push(" AND (FALSE");
        for (column, word) in columns.iter().flat_map(|column| self.words.iter().map(move |word| (column, word))) {
            // Also without folding, because SQLite folds ASCII letters only.
            for (column, word) in [(format!("lower({column})"), word.text().to_lowercase()), ((*column).to_owned(), word.text().to_owned())]
            {
                select.push(&format!(" OR {function}({column}, ")).bind(store::text(&word), BindKind::Text).push(") > 0");
            }
        }
        select.push(")");
        let kinds: Vec<BindKind> = std::iter::once(kind).chain(columns.iter().map(|_| BindKind::Text)).collect();
        let has_word = |value: &Value| matches!(value, Value::Text(text) if self.words.iter().any(|word| word.is_in(text)));
        let rows = conn.rows(&select, &kinds)?.into_iter();
        Ok(rows.filter(|row| row.iter().skip(1).any(has_word)).filter_map(|row| row.into_iter().next()).collect())
    }
}

/// The signs that a local part can have between its letters.
const LOCAL_SIGNS: [char; 7] = ['.', '\'', '+', '-', '_', '%', '~'];
/// The letters that follow a backslash in JSON.
const ESCAPES: [char; 5] = ['b', 'f', 'n', 'r', 't'];

/// True if a text contains a mail address, in any case and not as a part of a longer one. The text can be JSON.
fn contains_address(text: &str, address: &str) -> bool {
    let (text, address) = (text.to_lowercase(), address.to_lowercase());
    text.match_indices(&address).any(|(at, _)| {
        let (before, rest) = text.split_at(at);
        let after = rest.get(address.len()..).unwrap_or_default();
        // In `\nan@…`, the `n` belongs to the escape.
        let begins_in_escape = before.ends_with('\\') && address.starts_with(ESCAPES);
        !begins_in_escape && !ends_in_local_part(before) && !begins_with_host(after)
    })
}

/// True if the local part of an address can continue after the text. Signs continue it only after a letter or a digit: `'an@…'` is
/// a quoted address.
fn ends_in_local_part(before: &str) -> bool {
    let word = before.trim_end_matches(LOCAL_SIGNS);
    let signs = before.get(word.len()..).unwrap_or_default();
    let is_escape = word.strip_suffix(ESCAPES).is_some_and(|rest| rest.ends_with('\\'));
    word.ends_with(char::is_alphanumeric) && !is_escape && !signs.contains("..")
}

/// True if the text continues the host of an address: a full stop at the end of a sentence does not.
fn begins_with_host(after: &str) -> bool {
    let rest = after.trim_start_matches(['.', '-']);
    let signs = after.get(..after.len() - rest.len()).unwrap_or_default();
    rest.starts_with(char::is_alphanumeric) && !signs.contains("..")
}

#[cfg(test)]
mod tests {
    use super::*;

    const AN: &str = "An@clinic.example";

    #[test]
    fn an_address_is_found_as_a_whole() {
        for text in [
            "an@clinic.example",
            "AN@Clinic.Example",
            "write to an@clinic.example.",
            "'an@clinic.example'",
            "<an@clinic.example>, others",
            "mailto:an@clinic.example?subject=x",
            "to=an@clinic.example&x=1",
            "who? ...an@clinic.example...then",
            r#"{"text":"Hello\nan@clinic.example\nBye"}"#,
            r#"{"inner":"{\"mail\":\"an@clinic.example\"}"}"#,
            "susan@clinic.example, an@clinic.example",
        ] {
            assert!(contains_address(text, AN), "{text}");
        }
    }

    #[test]
    fn a_part_of_a_longer_address_is_not_found() {
        for text in [
            "susan@clinic.example",
            "SUSAN@CLINIC.EXAMPLE",
            "su.an@clinic.example",
            "o'an@clinic.example",
            "su+an@clinic.example",
            "su_an@clinic.example",
            "éan@clinic.example",
            "an@clinic.example.org",
            "an@clinic.examples",
            "an@clinic.example-hospital.org",
            r#"{"text":"Hello\nsusan@clinic.example"}"#,
            "an@clinic",
        ] {
            assert!(!contains_address(text, AN), "{text}");
        }
        assert!(!contains_address(r#"{"text":"Hello\nan@clinic.example"}"#, "nan@clinic.example"));
        assert!(contains_address(r#"{"text":"Hello\nnan@clinic.example"}"#, "nan@clinic.example"));
    }
}
