//! The documentation is correct: links lead to existing headings, declarations validate, Rust compiles, commands and
//! configuration keys exist.

mod access;
mod adapters;
mod deployment;
mod diagrams;
mod files;
#[path = "helpdesk/first.rs"]
#[allow(dead_code, reason = "the tests use the application alone")]
mod first_helpdesk;
mod five_tasks;
#[path = "helpdesk/lib.rs"]
#[allow(dead_code, reason = "the tests use the application alone")]
mod helpdesk;
#[path = "../../examples/leave/main.rs"]
#[allow(dead_code, reason = "the tests use the declaration alone")]
mod leave;
mod links;
mod llm;
mod migrations;
mod performance;
mod running;
mod services;
mod shell;
mod snippets;
mod testing;
mod tutorial;

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The root of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder").to_path_buf()
}

/// A Markdown file, by its path from the root.
struct Page {
    path: String,
    text: String,
}

/// A fenced block of a page.
struct Block {
    /// Where it is, for messages.
    place: String,
    /// The word behind the fence.
    language: String,
    code: String,
    /// The file that contains the block, from the comment `<!-- from path -->` above it.
    source: Option<String>,
}

fn page(path: &str) -> Page {
    let text = fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    Page { path: path.to_owned(), text }
}

/// The pages that people write; `docs/language` is generated, and its examples have a test of their own.
fn pages() -> Vec<Page> {
    let mut paths: Vec<String> =
        ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "benches/README.md"].map(str::to_owned).to_vec();
    for (folder, below) in [("docs", ""), ("examples", "/README.md")] {
        let entries = fs::read_dir(root().join(folder)).expect("a folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
        paths.extend(names.map(|name| format!("{folder}/{name}{below}")).filter(|path| path.ends_with(".md")));
    }
    paths.sort();
    paths.iter().map(|path| page(path)).collect()
}

impl Page {
    fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut open: Option<(usize, Block)> = None;
        let mut before = "";
        for (number, line) in (1..).zip(self.text.lines()) {
            let indent = line.len() - line.trim_start().len();
            let fence = line.trim_start().strip_prefix("```");
            match (&mut open, fence) {
                (None, Some(language)) => {
                    let source = before.strip_prefix("<!-- from ").and_then(|rest| rest.strip_suffix(" -->"));
                    let place = format!("{}:{number}", self.path);
                    let block = Block { place, language: language.to_owned(), code: String::new(), source: source.map(str::to_owned) };
                    open = Some((indent, block));
                }
                (Some(_), Some(_)) => blocks.extend(open.take().map(|(_, block)| block)),
                (Some((indent, block)), None) => {
                    block.code.push_str(line.get(*indent..).unwrap_or_default());
                    block.code.push('\n');
                }
                (None, None) => before = line,
            }
        }
        assert!(open.is_none(), "{}: a fence is not closed", self.path);
        blocks
    }
}

/// The blocks of all pages.
fn blocks() -> Vec<Block> {
    pages().iter().flat_map(Page::blocks).collect()
}
