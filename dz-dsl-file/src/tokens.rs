//! The tokens of a text and their tree of lines, for editors: without a meaning, so that a text with errors has them too.

use crate::{
    Diagnostics, FileId, SourceMap,
    layout::{Line, layout},
    lexer::lex,
    syntax::prose,
};

/// The lines of a text with their tokens and blocks.
///
/// ```
/// let files = dz_dsl_file::SourceMap::single("app.dsl", "entity Task:\n  id uuid\n");
/// let (file, _) = files.files().next().unwrap();
/// let lines = dz_dsl_file::lines(&files, file);
/// assert_eq!(lines[0].children[0].tokens.len(), 2);
/// ```
pub fn lines(files: &SourceMap, file: FileId) -> Vec<Line> {
    let mut ignored = Diagnostics::default();
    layout(lex(file, &files.file(file).text, prose, &mut ignored), &mut ignored)
}
