//! Findings as text: rustc's style, and one line each.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::{Diagnostic, Severity, SourceMap, Span};

/// Whether colours are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// Plain text.
    Never,
    /// ANSI escapes.
    Always,
}

/// In rustc's style: place, snippet, caret, help.
pub fn human(files: &SourceMap, found: &Diagnostic, colour: Colour) -> String {
    let level = match found.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Lint => Level::NOTE.with_name("lint"),
    };
    let title = level.primary_title(found.message.as_str()).id(found.rule);
    let mut group = Group::with_title(title);
    group = group.element(snippet(files, found.span, AnnotationKind::Primary, ""));
    for (span, text) in &found.labels {
        group = group.element(snippet(files, *span, AnnotationKind::Context, text));
    }
    if let Some(help) = &found.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let renderer = match colour {
        Colour::Always => Renderer::styled(),
        Colour::Never => Renderer::plain(),
    };
    renderer.render(&[group])
}

fn snippet<'a>(files: &'a SourceMap, span: Span, kind: AnnotationKind, label: &'a str) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let file = files.file(span.file);
    let range = span.start as usize..(span.end as usize).min(file.text.len());
    let mut annotation = kind.span(range);
    if !label.is_empty() {
        annotation = annotation.label(label);
    }
    Snippet::source(file.text.as_str()).path(file.name.as_str()).annotation(annotation)
}

/// `file:line:col: severity[rule]: text`
pub fn short(files: &SourceMap, found: &Diagnostic) -> String {
    let file = files.file(found.span.file);
    let (line, column) = file.line_column(found.span.start);
    format!("{}:{line}:{column}: {}[{}]: {}", file.name, found.severity.as_str(), found.rule, found.message)
}
