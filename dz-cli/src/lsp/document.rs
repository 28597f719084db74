//! Texts that are open in the editor.

use std::path::{Path, PathBuf};

use dz_dsl_file::SourceMap;
use lsp_types::{TextDocumentContentChangeEvent, Url};

use super::position::Encoding;

/// An open text.
pub struct Document {
    /// The address, as the client writes it.
    pub url: Url,
    /// Its path.
    pub path: PathBuf,
    /// The number of its version.
    pub version: i32,
    /// The text as it is in the editor.
    pub text: String,
    /// True for a Rust file.
    pub is_rust: bool,
}

impl Document {
    /// Applies a change.
    pub fn change(&mut self, change: TextDocumentContentChangeEvent, encoding: Encoding) {
        let Some(range) = change.range else {
            self.text = change.text;
            return;
        };
        let map = SourceMap::single("", std::mem::take(&mut self.text));
        let Some((_, file)) = map.files().next() else { return };
        let (start, end) = (encoding.byte(file, range.start) as usize, encoding.byte(file, range.end) as usize);
        let mut text = file.text.clone();
        text.replace_range(start..end.max(start), &change.text);
        self.text = text;
    }
}

/// The path of an address, without links, if there is such a file; an address of another kind is its own path.
pub fn path_of(url: &Url) -> PathBuf {
    match url.to_file_path() {
        Ok(path) => real_path(&path),
        Err(()) => PathBuf::from(url.as_str()),
    }
}

/// A path without links. A file that is not on disk yet is in a folder that exists.
pub fn real_path(path: &Path) -> PathBuf {
    if let Ok(real) = path.canonicalize() {
        return real;
    }
    match (path.parent().and_then(|folder| folder.canonicalize().ok()), path.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => path.to_path_buf(),
    }
}
