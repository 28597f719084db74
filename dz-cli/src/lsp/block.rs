//! The `dz! { … }` blocks of a Rust file, found by the tokens of Rust: comments and strings contain none.

/// The content of a block, as byte positions of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    /// The first byte of the macro call.
    pub call: usize,
    /// The byte after the opening bracket.
    pub start: usize,
    /// The byte of the closing bracket, or the end of the file.
    pub end: usize,
}

impl Block {
    /// The text of the file with blanks in place of everything outside the block, so that every position is that of the file.
    pub fn alone(self, text: &str) -> String {
        let blank =
            |part: &str| part.bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { byte as char } else { ' ' }).collect::<String>();
        blank(&text[..self.start]) + &text[self.start..self.end] + &blank(&text[self.end..])
    }
}

/// Every block, in order.
pub fn blocks(text: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut scanner = Scanner { text, at: 0 };
    let mut words: Vec<(usize, &str)> = Vec::new();
    while let Some((start, piece)) = scanner.next() {
        match piece {
            Piece::Space => {}
            Piece::Opaque => words.clear(),
            Piece::Code(code) => {
                words.push((start, code));
                if let Some(call) = call(&words) {
                    let block = Block { call, start: scanner.at, end: scanner.close(code) };
                    found.push(block);
                    words.clear();
                }
            }
        }
    }
    found
}

/// The start of a macro call whose last token is its opening bracket: `dz!`, `dz::dz!` or `::dz::dz!`.
fn call(words: &[(usize, &str)]) -> Option<usize> {
    let tail = |n: usize| words.len().checked_sub(n).map(|at| words[at]);
    let is = |n: usize, word: &str| tail(n).is_some_and(|(_, it)| it == word);
    if !(is(1, "{") || is(1, "(") || is(1, "[")) || !is(2, "!") || !is(3, "dz") {
        return None;
    }
    if !(is(4, ":") && is(5, ":")) {
        return tail(3).map(|(at, _)| at);
    }
    if !is(6, "dz") {
        return None;
    }
    match (is(7, ":") && is(8, ":"), tail(9)) {
        (false, _) => tail(6).map(|(at, _)| at),
        // The path must begin with `::`, and not be that of another crate.
        (true, Some((_, before))) if before.chars().all(|c| c.is_alphanumeric() || c == '_') => None,
        (true, _) => tail(8).map(|(at, _)| at),
    }
}

/// A piece of Rust.
enum Piece<'t> {
    /// Blanks and comments.
    Space,
    /// A word or a sign.
    Code(&'t str),
    /// A string, a character or a number.
    Opaque,
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Scanner<'t> {
    fn next(&mut self) -> Option<(usize, Piece<'t>)> {
        let start = self.at;
        let rest = &self.text[start..];
        let first = rest.chars().next()?;
        let (length, opaque) = match first {
            c if c.is_whitespace() => (c.len_utf8(), None),
            '/' if rest.starts_with("//") => (rest.find('\n').unwrap_or(rest.len()), None),
            '/' if rest.starts_with("/*") => (comment(rest), None),
            '"' => (string(rest), Some(true)),
            '\'' => (character(rest), Some(true)),
            c if c.is_ascii_digit() => (word(rest), Some(true)),
            c if c.is_alphabetic() || c == '_' => match prefixed_string(rest) {
                Some(length) => (length, Some(true)),
                None => (word(rest), Some(false)),
            },
            c => (c.len_utf8(), Some(false)),
        };
        self.at = start + length;
        let piece = match opaque {
            None => Piece::Space,
            Some(true) => Piece::Opaque,
            Some(false) => Piece::Code(&self.text[start..self.at]),
        };
        Some((start, piece))
    }

    /// The byte of the bracket that closes `open`, behind which the scanner then is.
    fn close(&mut self, open: &str) -> usize {
        let close = match open {
            "(" => ")",
            "[" => "]",
            _ => "}",
        };
        let mut depth = 1;
        while let Some((start, piece)) = self.next() {
            let Piece::Code(code) = piece else { continue };
            if code == open {
                depth += 1;
            } else if code == close {
                depth -= 1;
                if depth == 0 {
                    return start;
                }
            }
        }
        self.text.len()
    }
}

/// The length of a comment, which can contain others.
fn comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while let Some(c) = rest[at..].chars().next() {
        if rest[at..].starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest[at..].starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
        } else {
            at += c.len_utf8();
        }
        if depth == 0 {
            return at;
        }
    }
    rest.len()
}

/// The length of a string with escapes.
fn string(rest: &str) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The length of a string with a prefix: `r"…"`, `r#"…"#`, `b"…"`, `br"…"`, `c"…"`, `cr"…"`, `b'…'`.
fn prefixed_string(rest: &str) -> Option<usize> {
    let prefix = ["br", "cr", "r", "b", "c"].into_iter().find(|prefix| {
        rest.strip_prefix(prefix)
            .is_some_and(|rest| rest.trim_start_matches('#').starts_with('"') || (*prefix == "b" && rest.starts_with('\'')))
    })?;
    let inner = &rest[prefix.len()..];
    if inner.starts_with('\'') {
        return Some(prefix.len() + character(inner));
    }
    let hashes = inner.len() - inner.trim_start_matches('#').len();
    if !prefix.ends_with('r') {
        return (hashes == 0).then(|| prefix.len() + string(inner));
    }
    let close = format!("\"{}", "#".repeat(hashes));
    let begin = prefix.len() + hashes + 1;
    Some(rest[begin..].find(&close).map_or(rest.len(), |at| begin + at + close.len()))
}

/// The length of a character or a lifetime.
fn character(rest: &str) -> usize {
    let mut inside = rest.char_indices().skip(1);
    match inside.next() {
        Some((_, '\\')) => {
            let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
            line.get(3..).and_then(|after| after.find('\'')).map_or(line.len(), |at| at + 4)
        }
        Some(_) => match inside.next() {
            Some((at, '\'')) => at + 1,
            _ => 1,
        },
        None => 1,
    }
}

fn word(rest: &str) -> usize {
    rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len()).max(1)
}

#[cfg(test)]
mod tests {
    use super::blocks;

    fn contents(text: &str) -> Vec<&str> {
        blocks(text).into_iter().map(|it| &text[it.start..it.end]).collect()
    }

    #[test]
    fn blocks_are_found_by_tokens() {
        for (text, expected) in [
            ("dz! { app a }", vec![" app a "]),
            ("dz::dz!(a [b] (c)) dz![x]", vec!["a [b] (c)", "x"]),
            ("::dz::dz! { a { b } c } fn main() {}", vec![" a { b } c "]),
            ("dz ! /* { */ { a }", vec![" a "]),
            ("// dz! { a }\n/* dz! { /* */ b } */ \"dz! { c }\" r#\"dz! { \" d }\"#", vec![]),
            ("b\"dz! { a }\" '\"' dz! { b } '{' 'a dz! { c }", vec![" b ", " c "]),
            ("other::dz! { a } foo_dz! { b } include_dsl! { c }", vec![]),
            ("dz! { t: \"}\"\n x // }\n y: '}' }", vec![" t: \"}\"\n x // }\n y: '}' "]),
            ("dz! { open", vec![" open"]),
        ] {
            assert_eq!(contents(text), expected, "{text}");
        }
    }

    #[test]
    fn positions_in_a_block_are_those_of_the_file() {
        let text = "// é\ndz! { app é }\nfn x() {}";
        let alone = blocks(text)[0].alone(text);
        assert_eq!(alone.len(), text.len());
        assert_eq!(alone.find("app é"), text.find("app é"));
        assert_eq!(alone.trim(), "app é");
    }
}
