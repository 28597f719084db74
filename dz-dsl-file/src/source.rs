//! The source texts, and the conversion between bytes and lines with columns.

use crate::{FileId, Span};

/// One text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// The displayed name, e.g. `app.dsl`.
    pub name: String,
    /// The text.
    pub text: String,
    lines: Vec<u32>,
}

/// All texts of an application.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// A map of one text.
    pub fn single(name: impl Into<String>, text: impl Into<String>) -> Self {
        let mut map = SourceMap::default();
        map.add(name, text);
        map
    }

    /// The texts of an example: a line `# --- file: name.dsl` begins the next text.
    ///
    /// ```
    /// let map = dz_dsl_file::SourceMap::of_example("# --- file: a.dsl\nmodule a\n# --- file: b.dsl\nuse a\n");
    /// assert_eq!(map.files().map(|(_, file)| file.name.as_str()).collect::<Vec<_>>(), ["a.dsl", "b.dsl"]);
    /// assert_eq!(dz_dsl_file::SourceMap::of_example("app a\n").files().count(), 1);
    /// ```
    pub fn of_example(text: &str) -> Self {
        let mut map = SourceMap::default();
        let mut name = "app.dsl";
        let mut body = String::new();
        for line in text.split_inclusive('\n') {
            match line.strip_prefix("# --- file: ") {
                Some(next) => {
                    if !body.is_empty() {
                        map.add(name, std::mem::take(&mut body));
                    }
                    name = next.trim();
                }
                None => body.push_str(line),
            }
        }
        map.add(name, body);
        map
    }

    /// Adds a text.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        self.files.push(SourceFile::new(name.into(), text.into()));
        FileId(self.files.len() as u32 - 1)
    }

    /// Replaces a text; its name and its id stay.
    ///
    /// ```
    /// let mut map = dz_dsl_file::SourceMap::single("a.dsl", "app a\n");
    /// map.replace(dz_dsl_file::FileId(0), "app b\n");
    /// assert_eq!(map.file(dz_dsl_file::FileId(0)).text, "app b\n");
    /// ```
    pub fn replace(&mut self, id: FileId, text: impl Into<String>) {
        let file = &mut self.files[id.0 as usize];
        *file = SourceFile::new(std::mem::take(&mut file.name), text.into());
    }

    /// The text with this id.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// Every text with its id.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(at, file)| (FileId(at as u32), file))
    }

    /// The text of a span.
    pub fn text(&self, span: Span) -> &str {
        self.file(span.file).text.get(span.start as usize..span.end as usize).unwrap_or("")
    }
}

/// Decodes the bytes of a file. The error is one sentence with the first byte that is not UTF-8. The function that reads
/// files calls this, because the language itself reads none.
///
/// ```
/// let error = dz_dsl_file::decode("app.dsl", b"app a\n  x\xff".to_vec()).unwrap_err();
/// assert!(error.starts_with("app.dsl:2:4 is not UTF-8: byte 9 "));
/// ```
pub fn decode(name: &str, bytes: Vec<u8>) -> Result<String, String> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let before = String::from_utf8_lossy(&error.as_bytes()[..at]).into_owned();
        let map = SourceMap::single(name, before);
        let (line, column) = map.file(FileId(0)).line_column(at as u32);
        format!("{name}:{line}:{column} is not UTF-8: byte {at} belongs to no character; save the file as UTF-8")
    })
}

impl SourceFile {
    fn new(name: String, text: String) -> Self {
        let mut lines = vec![0];
        let bytes = text.as_bytes();
        for (at, byte) in bytes.iter().enumerate() {
            let ends = *byte == b'\n' || (*byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
            if ends {
                lines.push(at as u32 + 1);
            }
        }
        SourceFile { name, text, lines }
    }

    /// The lines without line ends, each with the position of its first byte.
    pub fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let ends = self.lines.iter().skip(1).map(|end| *end as usize).chain([self.text.len()]);
        self.lines.iter().zip(ends).map(|(start, end)| {
            let line = self.text.get(*start as usize..end).unwrap_or("");
            (*start as usize, line.trim_end_matches(['\n', '\r']))
        })
    }

    /// The position of a line and a column, both from 1; beyond the end of a line, its end.
    ///
    /// ```
    /// let map = dz_dsl_file::SourceMap::single("a", "é b\nc");
    /// let (_, file) = map.files().next().unwrap();
    /// assert_eq!(file.byte_at(1, 3), 3);
    /// assert_eq!(file.line_column(3), (1, 3));
    /// ```
    pub fn byte_at(&self, line: usize, column: usize) -> u32 {
        let Some((start, text)) = self.lines().nth(line.saturating_sub(1)) else { return self.text.len() as u32 };
        let inside = text.char_indices().nth(column.saturating_sub(1)).map_or(text.len(), |(at, _)| at);
        (start + inside) as u32
    }

    /// The complete lines of a span: the number of the first (from 1), the position of its first byte, and the text.
    pub fn lines_around(&self, start: u32, end: u32) -> (usize, usize, &str) {
        let first = self.lines.partition_point(|line| *line <= start).saturating_sub(1);
        let after = self.lines.partition_point(|line| *line < end).max(first + 1);
        let from = self.lines[first] as usize;
        let to = self.lines.get(after).map_or(self.text.len(), |line| *line as usize);
        (first + 1, from, self.text.get(from..to).unwrap_or(""))
    }

    /// Line and column of a byte, both from 1; columns count code points.
    pub fn line_column(&self, byte: u32) -> (usize, usize) {
        let line = self.lines.partition_point(|start| *start <= byte).saturating_sub(1);
        let start = self.lines[line] as usize;
        let end = (byte as usize).min(self.text.len());
        let column = self.text.get(start..end).map_or(end - start, |text| text.chars().count());
        (line + 1, column + 1)
    }
}
