//! A probable application for a text with errors, so that the compiler can check the application's own Rust.

use std::collections::HashSet;

use super::keep_cause;
use crate::{Analysis, Diagnostic, FileId, Severity, SourceMap, analyse, model::Model, syntax::entity};

/// The largest number of rounds, because edits can reveal further errors.
const ROUNDS: usize = 16;

/// The number of rounds that apply suggestions and convert unreadable fields to texts. The following rounds delete lines, and the last
/// rounds delete whole constructs.
const SUGGESTED: usize = 4;
const LINES: usize = 12;

/// The model of a text with errors after every suggestion, without the lines that cannot be understood; `None` if nothing remains.
/// No application is built from it: it only prevents further errors in the Rust that uses the application.
///
/// ```
/// use dz_dsl_file::{SourceMap, analyse, sketch};
/// let analysis = analyse(SourceMap::single("app.dsl", "entity Task:\n  id: uuid pk\n  title: str(80) requird\n  %%\n"));
/// assert!(analysis.model.is_none());
/// assert_eq!(sketch(&analysis).unwrap().entities[0].name, "Task");
/// ```
pub fn sketch(analysis: &Analysis) -> Option<Model> {
    let mut first = analysis.clone();
    keep_cause(&mut first);
    let (mut files, mut found) = (first.files, first.diagnostics);
    let mut touched = HashSet::new();
    for round in 0..ROUNDS {
        let edits = edits(&files, &found, round, &mut touched);
        files = edited(&files, edits);
        let next = analyse(files.clone());
        if next.model.is_some() {
            return next.model;
        }
        (files, found) = (next.files, next.diagnostics);
    }
    None
}

/// A range of a file, and its replacement.
type Edit = (FileId, usize, usize, String);

/// The edits of a round; of overlapping edits, the first.
fn edits(files: &SourceMap, found: &[Diagnostic], round: usize, touched: &mut HashSet<(FileId, usize)>) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    for it in found.iter().filter(|it| it.severity == Severity::Error) {
        let (file, at) = (it.span.file, it.span.start as usize);
        let text = &files.file(file).text;
        // A line that still has an error after an edit is deleted.
        let fresh = round < SUGGESTED && touched.insert((file, files.file(file).line_column(it.span.start).0));
        let suggested = it.suggestion.as_ref().filter(|_| fresh || round == 0);
        let mended = suggested.map(|edit| (edit.span.file, edit.span.start as usize, edit.span.end as usize, edit.text.clone()));
        let stands_in = || key(text, it).or_else(|| field(text, at)).filter(|_| fresh).map(|(start, end, new)| (file, start, end, new));
        edits.push(mended.or_else(stands_in).unwrap_or_else(|| {
            let (start, end) = block(text, at, round >= LINES);
            (file, start, end, blank(&text[start..end]))
        }));
    }
    edits.sort_by_key(|(file, start, end, _)| (*file, *start, *end));
    edits.dedup_by(|next, kept| next.0 == kept.0 && (next.1 < kept.2 || (next.1, next.2) == (kept.1, kept.2)));
    edits
}

/// A missing primary key, as the first line of an entity.
fn key(text: &str, found: &Diagnostic) -> Option<(usize, usize, String)> {
    let header = line(text, found.span.start as usize);
    let missing = found.rule == "missing-primary-key" && text[header.clone()].starts_with(|c: char| !c.is_whitespace());
    let next = text[header.end..].lines().find(|line| !line.trim().is_empty()).filter(|_| missing)?;
    let margin = &next[..next.len() - next.trim_start().len()];
    Some((header.end, header.end, format!("\n{margin}id: uuid pk")))
}

/// A field of type text or ref that replaces one that cannot be parsed.
fn field(text: &str, at: usize) -> Option<(usize, usize, String)> {
    let (start, end) = block(text, at, false);
    let (construct, _) = block(text, at, true);
    let header: Vec<&str> = text[construct..].lines().next()?.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let entity = *header.get(1).filter(|_| matches!(header[0], "entity" | "archetype"))?;
    let here = &text[line(text, start)];
    let (margin, said) = here.split_at(here.len() - here.trim_start().len());
    let (name, ty) = said.split_once(':')?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_') && !entity::is_block(name);
    let words: Vec<&str> = ty.split_whitespace().collect();
    let has = |word: &str| words.contains(&word);
    let ty = if has("ref") || has("belongs_to") { format!("ref {entity}") } else { "str(255)".to_owned() };
    let required = if has("required") { " required" } else { "" };
    let ends = "\n".repeat(text[start..end].matches('\n').count());
    (is_name && start > construct).then(|| (start, end, format!("{margin}{name}: {ty}{required}{ends}")))
}

/// The line at a place, without its line end.
fn line(text: &str, at: usize) -> std::ops::Range<usize> {
    let at = at.min(text.len());
    let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
    start..text[at..].find('\n').map_or(text.len(), |end| at + end)
}

/// A blank text with the same line ends.
fn blank(text: &str) -> String {
    text.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect()
}

/// The line at a place with its block, or the whole construct.
fn block(text: &str, at: usize, construct: bool) -> (usize, usize) {
    let at = at.min(text.len());
    let begins = |start: usize| text[start..].starts_with(|c: char| !c.is_whitespace());
    let starts = || std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
    let start = starts().take_while(|start| *start <= at).filter(|start| !construct || begins(*start)).last().unwrap_or(0);
    let indent = |start: usize| {
        let line = text[start..].lines().next().unwrap_or_default();
        (!line.trim().is_empty()).then(|| line.len() - line.trim_start().len())
    };
    let own = indent(start).unwrap_or(0);
    let end = starts().skip_while(|next| *next <= start).find(|next| indent(*next).is_some_and(|indent| indent <= own));
    (start, end.unwrap_or(text.len()))
}

fn edited(files: &SourceMap, edits: Vec<Edit>) -> SourceMap {
    let mut map = SourceMap::default();
    for (id, file) in files.files() {
        let mut text = file.text.clone();
        for (_, start, end, new) in edits.iter().rev().filter(|(file, ..)| *file == id) {
            text.replace_range(*start..*end, new);
        }
        map.add(file.name.as_str(), text);
    }
    map
}
