//! The words and signs of a Rust file, without comments and literals.

/// A word or a sign.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Token {
    /// Where it begins.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

impl Token {
    pub fn text(self, text: &str) -> &str {
        &text[self.start..self.end]
    }
}

/// Every word and sign, in order. A text that is not Rust gives some tokens too.
pub(super) fn read(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let start = at;
        at = match skipped(text, at) {
            Some(end) => end,
            None if c.is_alphanumeric() || c == '_' => word_end(text, at),
            None => at + c.len_utf8(),
        };
        if skipped(text, start).is_none() && !c.is_whitespace() {
            tokens.push(Token { start, end: at });
        }
    }
    tokens
}

fn word_end(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    let from = if rest.starts_with("r#") { 2 } else { 0 };
    rest[from..].find(|c: char| !c.is_alphanumeric() && c != '_').map_or(text.len(), |end| at + from + end)
}

/// The end of a comment or literal that begins at `at`.
fn skipped(text: &str, at: usize) -> Option<usize> {
    let rest = &text[at..];
    if rest.starts_with("//") {
        return Some(at + rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return Some(at + block_comment(rest));
    }
    let prefixes = ["", "b", "c", "r", "br", "cr"];
    if !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
        for prefix in prefixes {
            let Some(inner) = rest.strip_prefix(prefix) else { continue };
            let hashes = if prefix.ends_with('r') { inner.len() - inner.trim_start_matches('#').len() } else { 0 };
            if inner[hashes..].starts_with('"') {
                let start = prefix.len() + hashes + 1;
                return Some(at + start + string_end(&rest[start..], prefix.ends_with('r').then_some(hashes)));
            }
        }
    }
    character_end(rest).map(|end| at + end)
}

/// The length of a block comment, which can contain others.
fn block_comment(rest: &str) -> usize {
    let (mut open, mut at) = (0usize, 0);
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            (open, at) = (open + 1, at + 2);
        } else if rest[at..].starts_with("*/") {
            (open, at) = (open - 1, at + 2);
            if open == 0 {
                return at;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

/// The length of a string after its first quotation mark, with the number of `#` of a raw one.
fn string_end(rest: &str, raw: Option<usize>) -> usize {
    if let Some(hashes) = raw {
        let end = format!("\"{}", "#".repeat(hashes));
        return rest.find(&end).map_or(rest.len(), |at| at + end.len());
    }
    let mut chars = rest.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return at + 1,
            '\\' => {
                chars.next();
            }
            _ => {}
        }
    }
    rest.len()
}

/// The length of a character literal; a lifetime is none.
fn character_end(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('\'')?;
    let mut chars = inner.chars();
    let first = chars.next()?;
    if first == '\\' {
        let escaped = chars.next()?.len_utf8();
        return inner[1 + escaped..].find('\'').map(|end| 1 + 1 + escaped + end + 1);
    }
    inner[first.len_utf8()..].starts_with('\'').then(|| 1 + first.len_utf8() + 1)
}
