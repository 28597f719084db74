//! Tokens of SQL.

/// A token with its position in the text.
#[derive(Debug, Clone, PartialEq)]
pub struct Token {
    /// Its kind.
    pub kind: TokenKind,
    /// The position of its first byte.
    pub start: usize,
    /// The position after its last byte.
    pub end: usize,
}

/// The kinds of tokens.
#[derive(Debug, Clone, PartialEq)]
pub enum TokenKind {
    /// A word without quotes, as written.
    Word(String),
    /// A quoted name.
    Name(String),
    /// A text.
    Text(String),
    /// A number.
    Number(String),
    /// An operator or a parenthesis.
    Sign(&'static str),
}

/// Operators, longer ones first.
const SIGNS: &[&str] = &[
    "::", "<>", "<=", ">=", "!=", "==", "||", "(", ")", "[", "]", ",", "=", "<", ">", "+", "-", "*", "/", "%", ".", ";", "~", "&", "|",
    "!", "?", ":", "@", "#", "^", "{", "}",
];

impl Token {
    /// True for this operator, or for this word, ignoring case.
    pub fn is(&self, text: &str) -> bool {
        match &self.kind {
            TokenKind::Word(word) => word.eq_ignore_ascii_case(text),
            TokenKind::Sign(sign) => *sign == text,
            TokenKind::Name(_) | TokenKind::Text(_) | TokenKind::Number(_) => false,
        }
    }

    /// Its text, for messages.
    pub fn text(&self) -> &str {
        match &self.kind {
            TokenKind::Word(text) | TokenKind::Name(text) | TokenKind::Text(text) | TokenKind::Number(text) => text,
            TokenKind::Sign(sign) => sign,
        }
    }
}

/// The tokens of a text without its comments.
pub fn tokens(sql: &str) -> Result<Vec<Token>, String> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(c) = sql[at..].chars().next() {
        let rest = &sql[at..];
        let start = at;
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        if rest.starts_with("--") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        if rest.starts_with("/*") {
            at += rest.find("*/").map_or(rest.len(), |end| end + 2);
            continue;
        }
        let kind = match c {
            '\'' => TokenKind::Text(quoted(sql, &mut at, '\'')?),
            '"' => TokenKind::Name(quoted(sql, &mut at, '"')?),
            '`' => TokenKind::Name(quoted(sql, &mut at, '`')?),
            // In SQLite a name; in PostgreSQL `ARRAY[…]` or `text[]`.
            '[' if !rest.starts_with("[]") && !found.last().is_some_and(|last: &Token| last.is("array")) => {
                TokenKind::Name(quoted(sql, &mut at, ']')?)
            }
            _ if c.is_ascii_digit() => {
                at += rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
                TokenKind::Number(sql[start..at].to_owned())
            }
            _ if c.is_alphabetic() || c == '_' => {
                at += rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').unwrap_or(rest.len());
                TokenKind::Word(sql[start..at].to_owned())
            }
            _ => {
                let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign)).ok_or_else(|| format!("`{c}` has no counterpart"))?;
                at += sign.len();
                TokenKind::Sign(sign)
            }
        };
        found.push(Token { kind, start, end: at });
    }
    Ok(found)
}

/// The text between quotes; two quotes in it are one quote.
fn quoted(sql: &str, at: &mut usize, close: char) -> Result<String, String> {
    let mut text = String::new();
    let mut chars = sql[*at..].char_indices().skip(1).peekable();
    while let Some((offset, c)) = chars.next() {
        if c != close {
            text.push(c);
        } else if chars.next_if(|(_, next)| *next == close && close != ']').is_some() {
            text.push(close);
        } else {
            *at += offset + c.len_utf8();
            return Ok(text);
        }
    }
    Err("a quote is not closed".to_owned())
}
