//! Positions of the protocol and bytes of a text.

use dz_dsl_file::{SourceFile, Span};
use lsp_types::{Position, PositionEncodingKind, Range};

/// The unit of columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// Units of UTF-16, which every client knows.
    Utf16,
}

impl Encoding {
    /// The encoding for a client, which lists those it knows.
    pub fn choose(known: Option<&[PositionEncodingKind]>) -> Encoding {
        if known.is_some_and(|known| known.contains(&PositionEncodingKind::UTF8)) { Encoding::Utf8 } else { Encoding::Utf16 }
    }

    /// Its name in the protocol.
    pub fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    /// The length of a text in columns.
    pub fn columns(self, text: &str) -> u32 {
        let length = match self {
            Encoding::Utf8 => text.len(),
            Encoding::Utf16 => text.chars().map(char::len_utf16).sum(),
        };
        u32::try_from(length).unwrap_or(u32::MAX)
    }

    /// The position of a byte.
    pub fn position(self, file: &SourceFile, byte: u32) -> Position {
        let (line, start, text) = file.lines_around(byte, byte);
        let mut inside = (byte as usize).saturating_sub(start).min(text.len());
        while !text.is_char_boundary(inside) {
            inside -= 1;
        }
        Position { line: u32::try_from(line - 1).unwrap_or(u32::MAX), character: self.columns(&text[..inside]) }
    }

    /// The range of a span.
    pub fn range(self, file: &SourceFile, span: Span) -> Range {
        Range { start: self.position(file, span.start), end: self.position(file, span.end.max(span.start)) }
    }

    /// The byte of a position. Beyond the end of a line it is the end of the line, and beyond the last line the end of the text.
    pub fn byte(self, file: &SourceFile, at: Position) -> u32 {
        let Some((start, line)) = file.lines().nth(at.line as usize) else { return file.text.len() as u32 };
        let mut column = 0;
        for (inside, c) in line.char_indices() {
            let width = match self {
                Encoding::Utf8 => c.len_utf8(),
                Encoding::Utf16 => c.len_utf16(),
            };
            column += width as u32;
            if column > at.character {
                return (start + inside) as u32;
            }
        }
        (start + line.len()) as u32
    }
}

#[cfg(test)]
mod tests {
    use dz_dsl_file::SourceMap;
    use lsp_types::Position;

    use super::Encoding;

    #[test]
    fn columns_count_in_the_unit_of_the_encoding() {
        let map = SourceMap::single("a", "aé😀b\r\nc");
        let (_, file) = map.files().next().unwrap();
        for (encoding, columns) in [(Encoding::Utf8, [0, 1, 3, 7, 8]), (Encoding::Utf16, [0, 1, 2, 4, 5])] {
            for (byte, column) in [0, 1, 3, 7, 8].into_iter().zip(columns) {
                let position = Position { line: 0, character: column };
                assert_eq!(encoding.position(file, byte), position, "{encoding:?} {byte}");
                assert_eq!(encoding.byte(file, position), byte, "{encoding:?} {column}");
            }
            assert_eq!(encoding.byte(file, Position { line: 0, character: 99 }), 8);
            assert_eq!(encoding.byte(file, Position { line: 1, character: 1 }), 11);
            assert_eq!(encoding.byte(file, Position { line: 9, character: 0 }), 11);
        }
    }
}
