//! Findings as text: in the style of rustc, and one line each.

use std::borrow::Cow;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};

use crate::{Diagnostic, FileId, Severity, SourceMap, Span, repair};

/// Whether output has colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// Plain text.
    Never,
    /// ANSI escapes.
    Always,
}

/// Renders a finding in the style of rustc: place, snippet, caret, help.
pub fn human(files: &SourceMap, found: &Diagnostic, colour: Colour) -> String {
    let level = match found.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Lint => Level::NOTE.with_name("lint"),
    };
    let title = level.primary_title(found.message.as_str()).id(found.rule);
    let mut group = Group::with_title(title);
    let mut places = vec![(found.span, "", AnnotationKind::Primary)];
    places.extend(found.labels.iter().map(|(span, text)| (*span, text.as_str(), AnnotationKind::Context)));
    let (beside, elsewhere): (Vec<_>, Vec<_>) = places.into_iter().partition(|(span, ..)| span.file == found.span.file);
    group = group.element(snippet(files, found.span.file, &beside));
    for place in elsewhere {
        group = group.element(snippet(files, place.0.file, &[place]));
    }
    if let Some(help) = &found.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let proposed = found.suggestion.as_ref().filter(|it| it.tried).map(|edit| format!("perhaps {}", repair::line_after(files, edit)));
    if let Some(text) = &proposed {
        group = group.element(Level::HELP.message(text.as_str()));
    }
    let renderer = match colour {
        Colour::Always => Renderer::styled(),
        Colour::Never => Renderer::plain(),
    };
    renderer.render(&[group])
}

type Place<'a> = (Span, &'a str, AnnotationKind);

/// The lines of one file from the first place to the last; lines without a place are folded.
fn snippet<'a>(files: &'a SourceMap, file: FileId, places: &[Place<'a>]) -> Snippet<'a, Annotation<'a>> {
    let file = files.file(file);
    let start = places.iter().map(|(span, ..)| span.start).min().unwrap_or(0);
    let end = places.iter().map(|(span, ..)| span.end).max().unwrap_or(0);
    let (line, from, text) = file.lines_around(start, end);
    let mut snippet = Snippet::source(one_line_end(text)).line_start(line).path(file.name.as_str());
    for (span, label, kind) in places {
        let inside = |byte: u32| (byte as usize).saturating_sub(from).min(text.len());
        let mut annotation = kind.span(inside(span.start)..inside(span.end));
        if !label.is_empty() {
            annotation = annotation.label(*label);
        }
        snippet = snippet.annotation(annotation);
    }
    snippet
}

/// A lone CR ends a line in dz; the renderer only knows LF, which has the same length.
fn one_line_end(text: &str) -> Cow<'_, str> {
    if !text.contains('\r') {
        return Cow::Borrowed(text);
    }
    let mut ends = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        ends.push(if c == '\r' && chars.peek() != Some(&'\n') { '\n' } else { c });
    }
    Cow::Owned(ends)
}

/// `file:line:col: severity[rule]: text`
pub fn short(files: &SourceMap, found: &Diagnostic) -> String {
    let file = files.file(found.span.file);
    let (line, column) = file.line_column(found.span.start);
    format!("{}:{line}:{column}: {}[{}]: {}", file.name, found.severity.as_str(), found.rule, found.message)
}
