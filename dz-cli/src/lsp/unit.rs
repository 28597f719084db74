//! One application as the editor has it: its texts with their findings, its model and its names.

use std::{
    cell::OnceCell,
    path::{Path, PathBuf},
};

use dz_dsl_file::{Analysis, FileId, Readable, SourceFile, SourceMap, Span, analyse, layout::Line, lines, readable};
use lsp_types::{Location, Position, Range, Url};

use super::{block::Block, names::Names, position::Encoding};

/// An application.
pub struct Unit {
    /// The texts that are analysed.
    pub files: SourceMap,
    /// The text of each file as it is in the editor, if it differs: the Rust file around a block.
    around: Option<SourceMap>,
    /// The block of a Rust file.
    pub block: Option<Block>,
    /// The address of each file.
    pub urls: Vec<Url>,
    /// The path of each file.
    pub paths: Vec<PathBuf>,
    analysis: OnceCell<Analysis>,
    read: OnceCell<Readable>,
    lines: Vec<OnceCell<Vec<Line>>>,
}

/// A text with its address and its path.
pub struct Text {
    /// The address, as the client writes it.
    pub url: Url,
    /// The path.
    pub path: PathBuf,
    /// The name in messages.
    pub name: String,
    /// The text.
    pub text: String,
}

impl Unit {
    /// The application of some texts.
    pub fn new(texts: &[Text]) -> Unit {
        let mut files = SourceMap::default();
        for it in texts {
            files.add(it.name.as_str(), it.text.as_str());
        }
        Unit::from_files(files, texts)
    }

    /// The application of a block of a Rust file.
    pub fn in_rust(text: &Text, block: Block) -> Unit {
        let mut unit = Unit::from_files(SourceMap::single(text.name.as_str(), block.alone(&text.text)), std::slice::from_ref(text));
        unit.around = Some(SourceMap::single(text.name.as_str(), text.text.as_str()));
        unit.block = Some(block);
        unit
    }

    fn from_files(files: SourceMap, texts: &[Text]) -> Unit {
        Unit {
            files,
            around: None,
            block: None,
            urls: texts.iter().map(|it| it.url.clone()).collect(),
            paths: texts.iter().map(|it| it.path.clone()).collect(),
            analysis: OnceCell::new(),
            read: OnceCell::new(),
            lines: texts.iter().map(|_| OnceCell::new()).collect(),
        }
    }

    /// The findings.
    pub fn analysis(&self) -> &Analysis {
        self.analysis.get_or_init(|| analyse(self.files.clone()))
    }

    /// The model of what can be read, also of texts with errors.
    pub fn read(&self) -> &Readable {
        self.read.get_or_init(|| readable(self.files.clone()))
    }

    /// The names of the application.
    pub fn names(&self) -> Names<'_> {
        Names::collect(self.read())
    }

    /// The lines of a file with their tokens.
    pub fn lines(&self, file: FileId) -> &[Line] {
        self.lines[file.0 as usize].get_or_init(|| lines(&self.files, file))
    }

    /// A file as it is in the editor.
    pub fn file(&self, file: FileId) -> &SourceFile {
        match &self.around {
            Some(around) => around.file(FileId(0)),
            None => self.files.file(file),
        }
    }

    /// The range of a span.
    pub fn range(&self, span: Span, encoding: Encoding) -> Range {
        encoding.range(self.file(span.file), span)
    }

    /// The byte of a position.
    pub fn byte(&self, file: FileId, at: Position, encoding: Encoding) -> u32 {
        encoding.byte(self.file(file), at)
    }

    /// The address of a span with its range.
    pub fn location(&self, span: Span, encoding: Encoding) -> Location {
        Location { uri: self.urls[span.file.0 as usize].clone(), range: self.range(span, encoding) }
    }

    /// The number of a file.
    pub fn file_at(&self, path: &Path) -> Option<FileId> {
        self.paths.iter().position(|it| it == path).map(|at| FileId(at as u32))
    }
}
