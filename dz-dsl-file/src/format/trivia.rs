//! The text between tokens: blanks, line ends, comments.

/// The text between two tokens.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Gap<'t> {
    /// True if a line ends in it.
    pub line_end: bool,
    /// The comment after the first token, on its line.
    pub trailing: Option<Comment<'t>>,
    /// Comments on lines of their own.
    pub own: Vec<Comment<'t>>,
    /// True if a blank line precedes the second token, after all comments.
    pub blank: bool,
}

/// A comment.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Comment<'t> {
    /// Its first byte.
    pub start: usize,
    /// Its text with its sign, without trailing blanks.
    pub text: &'t str,
    /// True if a blank line precedes it.
    pub blank: bool,
}

/// Parses the text between two tokens. Without a token before it, every comment is on its own line.
pub(super) fn between(text: &str, from: usize, to: usize, behind_token: bool) -> Gap<'_> {
    let mut gap = Gap { line_end: !behind_token, ..Gap::default() };
    let mut ends = 0;
    let mut at = from;
    while let Some(c) = text.get(at..to).and_then(|rest| rest.chars().next()) {
        let rest = &text[at..to];
        match c {
            '\n' | '\r' => {
                gap.line_end = true;
                ends += 1;
                at += if rest.starts_with("\r\n") { 2 } else { 1 };
            }
            '#' | '/' => {
                let length = rest.find(['\n', '\r']).unwrap_or(rest.len());
                let comment = Comment { start: at, text: rest[..length].trim_end(), blank: ends > 1 };
                if gap.line_end {
                    gap.own.push(comment);
                } else {
                    gap.trailing = Some(comment);
                }
                ends = 0;
                at += length;
            }
            _ => at += c.len_utf8(),
        }
    }
    gap.blank = ends > 1;
    gap
}

/// Measures columns in one pass through a text.
#[derive(Clone)]
pub(super) struct Ruler<'t> {
    text: &'t str,
    at: usize,
    column: usize,
}

impl<'t> Ruler<'t> {
    pub fn new(text: &'t str) -> Self {
        Ruler { text, at: 0, column: 0 }
    }

    /// The column of a byte, which must not be before the last one; a tab reaches to the next multiple of four.
    pub fn column(&mut self, byte: usize) -> usize {
        for c in self.text.get(self.at..byte).unwrap_or_default().chars() {
            self.column = match c {
                '\n' | '\r' => 0,
                '\t' => (self.column / 4 + 1) * 4,
                '\u{feff}' => self.column,
                _ => self.column + 1,
            };
        }
        self.at = self.at.max(byte);
        self.column
    }
}

/// The number of spaces between two tokens of one line: none, one, or two for more.
pub(super) fn spaces(text: &str, from: usize, to: usize) -> usize {
    match text.get(from..to).unwrap_or_default() {
        "" => 0,
        " " => 1,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_has_its_content() {
        let text = "a # one\n\n  // two\n# three\n\n\nb";
        let gap = between(text, 1, text.len() - 1, true);
        assert_eq!(gap.trailing, Some(Comment { start: 2, text: "# one", blank: false }));
        let own: Vec<_> = gap.own.iter().map(|it| (it.text, it.blank)).collect();
        assert_eq!(own, [("// two", true), ("# three", false)]);
        assert!(gap.line_end && gap.blank);
        assert_eq!(between("# x\r\n", 0, 5, false).own.len(), 1);
    }

    #[test]
    fn columns_are_those_people_see() {
        let mut ruler = Ruler::new("\u{feff}é\tx\n y");
        assert_eq!([3, 5, 6, 7, 8].map(|byte| ruler.column(byte)), [0, 1, 4, 5, 0]);
        assert_eq!(ruler.column(9), 1);
    }
}
