//! Prompts: text with placeholders.

use crate::{Diagnostic, Diagnostics, Span, cursor::Name};

/// `prompt: "…"`
#[derive(Debug, Clone, PartialEq)]
pub struct Prompt {
    /// The text and its placeholders, in order.
    pub parts: Vec<Part>,
    /// The place of the text.
    pub span: Span,
}

/// A part of a prompt.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// Text.
    Text(String),
    /// `{{ input.x }}`
    Placeholder(Placeholder),
}

/// The text in double braces.
#[derive(Debug, Clone, PartialEq)]
pub struct Placeholder {
    /// The segments of its path.
    pub path: Vec<Name>,
}

/// Splits a prompt. `source` is the text of the file, because escapes and removed indentation change the places in the prompt.
pub(super) fn parse(text: &Name, source: &str, out: &mut Diagnostics) -> Prompt {
    let written = source.get(text.span.start as usize..text.span.end as usize).unwrap_or_default();
    let mut places = written.match_indices("{{").map(|(at, _)| at);
    let mut prompt = Prompt { parts: Vec::new(), span: text.span };
    let mut rest = text.text.as_str();
    while let Some((before, after)) = rest.split_once("{{") {
        if !before.is_empty() {
            prompt.parts.push(Part::Text(before.to_owned()));
        }
        let (inside, behind) = after.split_once("}}").map_or((after, None), |(inside, behind)| (inside, Some(behind)));
        // A brace that is written as an escape has no place of its own; then the place is the whole text.
        let place = places.next().filter(|at| written.get(at + 2..).is_some_and(|it| behind.is_none() || it.starts_with(inside)));
        let opened = place.map_or(text.span, |at| {
            let start = text.span.start + at as u32;
            Span { start, end: start + 2, ..text.span }
        });
        let Some(behind) = behind else {
            out.push(Diagnostic::error("bad-placeholder", opened, "these braces are never closed").help("write `{{ input.name }}`"));
            return prompt;
        };
        if let Some(placeholder) = placeholder(inside, opened, place.is_some(), out) {
            prompt.parts.push(Part::Placeholder(placeholder));
        }
        rest = behind;
    }
    if !rest.is_empty() {
        prompt.parts.push(Part::Text(rest.to_owned()));
    }
    prompt
}

/// Parses `input.a.b`, which must consist of dotted names.
fn placeholder(inside: &str, opened: Span, exact: bool, out: &mut Diagnostics) -> Option<Placeholder> {
    let trimmed = inside.trim();
    let shift = 2 + (inside.len() - inside.trim_start().len()) as u32;
    let place = |from: usize, to: usize| match exact {
        true => Span { start: opened.start + shift + from as u32, end: opened.start + shift + to as u32, ..opened },
        false => opened,
    };
    let is_name = |part: &str| !part.is_empty() && part.chars().all(|c| c == '_' || unicode_ident::is_xid_continue(c));
    if !trimmed.split('.').all(is_name) {
        let found = Diagnostic::error("bad-placeholder", place(0, trimmed.len()), "braces in a prompt hold the name of an input");
        out.push(found.help("write `{{ input.name }}`"));
        return None;
    }
    let mut at = 0;
    let path = trimmed
        .split('.')
        .map(|part| {
            let name = Name { text: part.to_owned(), span: place(at, at + part.len()) };
            at += part.len() + 1;
            name
        })
        .collect();
    Some(Placeholder { path })
}
