//! The place of an added block.

use dz_dsl_file::{Analysis, FileId, SourceMap, Span, syntax};

use crate::sources::Sources;

/// The kinds of places of a block.
pub enum Wanted {
    /// After the last construct with this word, else at the end.
    After {
        /// The first word of the construct.
        construct: &'static str,
    },
    /// After the last field of an entity.
    Within {
        /// The name of the entity.
        entity: String,
    },
}

/// A place in a file.
pub struct Place {
    /// The file.
    pub file: FileId,
    /// The byte at which a line begins.
    at: usize,
    /// The indentation of each line of the block.
    indent: String,
    /// True for a block that empty lines separate from its neighbours.
    apart: bool,
}

/// Finds the place of a block; `into` is the name of the requested file.
pub fn find(sources: &Sources, before: &Analysis, wanted: &Wanted, into: Option<&str>) -> Result<Place, String> {
    let chosen = into.map(|name| file_named(sources, name)).transpose()?;
    match wanted {
        Wanted::Within { entity } => after_fields(&sources.files, before, entity),
        Wanted::After { construct } => {
            let (files, _) = syntax::parse(&sources.files);
            let candidates = files.iter().filter(|file| chosen.is_none_or(|id| file.id == id));
            let lines = candidates.flat_map(|file| file.lines.iter().filter(|line| line.depth == 0));
            let mut same = lines.filter(|line| sources.files.text(line.line).split_whitespace().next() == Some(*construct));
            let file = |span: Span| sources.files.file(span.file).text.as_str();
            Ok(match same.next_back() {
                Some(last) => {
                    let at = end_of_block(file(last.whole), last.whole.end as usize);
                    Place { file: last.whole.file, at, indent: String::new(), apart: true }
                }
                None => {
                    let id = chosen.unwrap_or(FileId(0));
                    Place { file: id, at: sources.files.file(id).text.len(), indent: String::new(), apart: true }
                }
            })
        }
    }
}

fn file_named(sources: &Sources, name: &str) -> Result<FileId, String> {
    let wanted = std::path::Path::new(name).canonicalize().map_err(|error| format!("{name} cannot be read: {error}"))?;
    let found = sources.files.files().find(|(id, _)| sources.place(*id) == Some(wanted.as_path()));
    found.map(|(id, _)| id).ok_or_else(|| format!("{name} is not a file of the declaration"))
}

/// The place after the last field of an entity, where the next line of its block begins.
fn after_fields(files: &SourceMap, before: &Analysis, entity: &str) -> Result<Place, String> {
    let model = before.model.as_ref().ok_or("the declaration has errors; correct them first (`dz validate` lists them)")?;
    let found = model.entities.iter().find(|it| it.name == entity && it.declared);
    let found = found.ok_or_else(|| format!("there is no entity `{entity}` in the declaration"))?;
    // Inherited and injected fields are in other lines, or in no line.
    let own = found.fields.iter().filter(|field| field.span.file == found.span.file && field.end.start > field.span.start);
    let (lines, _) = syntax::parse(files);
    let block = lines.iter().flat_map(|file| &file.lines).find(|line| line.depth == 0 && is_inside(found.span, line.line));
    let block = block.ok_or_else(|| format!("the entity `{entity}` has no block"))?.whole;
    let last = own.filter(|field| is_inside(field.span, block)).max_by_key(|field| field.end.end);
    let last = last.ok_or_else(|| format!("the entity `{entity}` has no field after which one can be added"))?;
    let text = &files.file(block.file).text;
    let line = text[..last.span.start as usize].rfind('\n').map_or(0, |at| at + 1);
    let indent = text[line..last.span.start as usize].to_owned();
    Ok(Place { file: block.file, at: next_line(text, last.end.end as usize), indent, apart: false })
}

/// True if a span is inside another one.
fn is_inside(inner: Span, outer: Span) -> bool {
    inner.file == outer.file && outer.start <= inner.start && inner.end <= outer.end
}

/// The position after the line break that follows a byte.
fn next_line(text: &str, from: usize) -> usize {
    text[from..].find('\n').map_or(text.len(), |at| from + at + 1)
}

/// The position after a construct and the indented comments at its end.
fn end_of_block(text: &str, from: usize) -> usize {
    let mut at = next_line(text, from);
    loop {
        let line = text[at..].lines().next().unwrap_or_default();
        let comment = line.trim_start();
        let is_part = comment.len() < line.len() && (comment.starts_with('#') || comment.starts_with("//"));
        if !is_part {
            return at;
        }
        at = next_line(text, at);
    }
}

impl Place {
    /// The text with the block inserted; every other byte is unchanged.
    pub fn insert(&self, text: &str, block: &str) -> String {
        let (before, after) = text.split_at(self.at);
        let line_break = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let mut lines = String::new();
        if !before.is_empty() && !before.ends_with('\n') {
            lines.push_str(line_break);
        }
        if self.apart && !before.trim().is_empty() && !before.replace('\r', "").ends_with("\n\n") {
            lines.push_str(line_break);
        }
        for line in block.lines() {
            lines.push_str(&self.indent);
            lines.push_str(line);
            lines.push_str(line_break);
        }
        if self.apart && after.lines().next().is_some_and(|line| !line.trim().is_empty()) {
            lines.push_str(line_break);
        }
        format!("{before}{lines}{after}")
    }
}
