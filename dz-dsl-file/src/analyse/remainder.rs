//! The findings of the rules over a whole model in an application with errors: the rules check a model without the lines
//! that have errors, and findings that depend on these lines are dropped.

use std::collections::HashSet;

use super::{
    edited::{Edit, EditedTexts, covers},
    reading::Reading,
};
use crate::{Diagnostic, Diagnostics, Severity, Span, rules, syntax::File};

/// The largest number of times that lines are removed, until the remaining text has no errors.
const ROUNDS: usize = 5;

/// From this round on, whole constructs are removed.
const WHOLE: usize = 2;

/// An application without the lines that have errors.
struct Remainder {
    edited: EditedTexts,
    reading: Reading,
    /// The removed spans of the original texts.
    blank: Vec<Span>,
}

/// The findings of the rules, in the original texts.
pub(super) fn findings(edited: EditedTexts, reading: Reading) -> Diagnostics {
    let Some(remainder) = Remainder::remove_lines(edited, reading) else { return Diagnostics::default() };
    let mut found = Diagnostics::default();
    rules::check(&remainder.reading.model, &mut found);
    let constructs = remainder.constructs();
    found.retain(|it| remainder.is_independent(it, &constructs));
    remainder.edited.findings(found)
}

impl Remainder {
    /// Removes lines until there are no errors. Returns `None` if some errors remain.
    fn remove_lines(mut edited: EditedTexts, mut reading: Reading) -> Option<Self> {
        let mut blank = Vec::new();
        for round in 0..ROUNDS {
            let errors: Vec<&Diagnostic> = reading.errors().collect();
            if errors.is_empty() {
                return Some(Remainder { edited, reading, blank });
            }
            let mut edits: Vec<Edit> = Vec::new();
            for error in errors {
                match error.suggestion.as_ref().filter(|_| round == 0) {
                    Some(it) => edits.push((edited.original_span(it.span), it.text.clone())),
                    None => {
                        let line = edited.original_span(smallest_line(&reading.parsed, error.span, round >= WHOLE)?);
                        blank.push(line);
                        edits.push((line, blank_text(edited.original_text(line))));
                    }
                }
            }
            edited = edited.with_edits(edits);
            reading = Reading::read(&edited.files);
        }
        None
    }

    /// The constructs of the parsed texts, each up to the beginning of the next one, because lines at its end may be removed.
    fn constructs(&self) -> Vec<Span> {
        let mut constructs: Vec<Span> = Vec::new();
        for file in &self.reading.parsed {
            let first = constructs.len();
            constructs.extend(file.lines.iter().filter(|it| it.depth == 0).map(|it| it.line));
            let starts: Vec<u32> = constructs[first..].iter().map(|span| span.start).collect();
            let length = self.edited.files.file(file.id).text.len() as u32;
            let ends = starts.into_iter().skip(1).chain([length]);
            constructs[first..].iter_mut().zip(ends).for_each(|(span, end)| span.end = end.max(span.end));
        }
        constructs
    }

    /// True if the finding does not depend on removed lines.
    fn is_independent(&self, found: &Diagnostic, constructs: &[Span]) -> bool {
        let own = constructs.iter().find(|construct| covers(**construct, found.span));
        if own.is_some_and(|own| self.has_removed_lines(*own)) {
            return false;
        }
        if found.severity == Severity::Error {
            return true;
        }
        // A warning may report something as unused that the removed lines use.
        let name = self.edited.files.text(found.span);
        let mentioned = self.blank.iter().any(|span| self.edited.original_text(*span).contains(name));
        let whole = matches!(found.rule, "unused-import" | "empty-app");
        let needs: HashSet<Span> = self.used_constructs(own.copied(), constructs).collect();
        self.blank.is_empty() || !(whole || mentioned || needs.into_iter().any(|it| self.has_removed_lines(it)))
    }

    /// True if lines of a construct were removed.
    fn has_removed_lines(&self, construct: Span) -> bool {
        let written = self.edited.original_span(construct);
        self.blank.iter().any(|span| span.file == written.file && span.start < written.end && written.start < span.end)
    }

    /// The constructs whose names another construct uses.
    fn used_constructs(&self, own: Option<Span>, constructs: &[Span]) -> impl Iterator<Item = Span> {
        let uses = self.reading.uses.iter().filter(move |it| own.is_some_and(|own| covers(own, it.at)));
        uses.filter_map(|it| constructs.iter().find(|construct| covers(**construct, it.declared)).copied())
    }
}

/// The innermost line, with its block, that contains the beginning of a span; or the whole construct.
pub(super) fn smallest_line(parsed: &[File], span: Span, whole: bool) -> Option<Span> {
    let lines = &parsed.iter().find(|file| file.id == span.file)?.lines;
    let before = lines.partition_point(|it| it.line.start <= span.start);
    let holds = lines[..before].iter().rfind(|it| span.start <= it.whole.end && (it.depth == 0 || !whole));
    holds.map(|it| it.whole)
}

/// A blank text with as many bytes and lines.
pub(super) fn blank_text(text: &str) -> String {
    text.bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { char::from(byte) } else { ' ' }).collect()
}
