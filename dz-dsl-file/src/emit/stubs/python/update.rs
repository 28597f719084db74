//! The present signature, types and documentation in an existing stub.

use std::borrow::Cow;

use super::{
    CONTEXT, Parts, create, import_lines,
    lines::{self, Line},
    types,
};
use crate::emit::stubs::{Edit, apply, is_same_code, is_same_text};
use crate::model::{Model, Service};

/// The stub with the present signature, types and documentation. A function or class that is missing is added.
pub(in super::super) fn update<'t>(model: &Model, service: &Service, text: &'t str) -> Cow<'t, str> {
    if text.trim().is_empty() {
        return Cow::Owned(create(model, service));
    }
    let parts = Parts::new(model, service);
    let lines = lines::read(text);
    let top = |kind: &str, name: &str| lines.iter().position(|line| line.indent == 0 && line.defined(text) == Some((kind, name)));
    let function = top("def", &types::identifier(&service.name));
    let mut edits: Vec<Edit> = Vec::new();
    // An import precedes a class at the same place.
    edits.extend(add_imports(text, &lines, &parts));
    let mut missing = String::new();
    if !is_known(text, &lines, "Context") {
        missing.push_str(&format!("{CONTEXT}\n\n"));
    }
    match top("class", &parts.output) {
        Some(at) => edits.extend(update_class(text, &lines, at, &parts)),
        None if is_known(text, &lines, &parts.output) => {}
        None => missing.push_str(&format!("{}\n\n", parts.class())),
    }
    // Types are declared before the function that uses them.
    match function {
        Some(at) => {
            let before = decorators(text, &lines, at).0;
            edits.push((before, before, missing));
            edits.extend(update_function(text, &lines, at, &parts));
        }
        None => edits.push((text.len(), text.len(), format!("{}{missing}{}", gap(text), parts.function(service)))),
    }
    apply(text, edits)
}

/// The empty lines between the end of a file and what is added.
fn gap(text: &str) -> &'static str {
    if text.ends_with('\n') { "\n\n" } else { "\n\n\n" }
}

fn update_function(text: &str, lines: &[Line], at: usize, parts: &Parts) -> Vec<Edit> {
    let head = lines[at];
    let Some(colon) = lines::colon(text, head) else { return Vec::new() };
    let mut edits = Vec::new();
    let written = &text[head.start..=colon];
    let prefix = if written.starts_with("async") { "async " } else { "" };
    let signature = format!("{prefix}{}", parts.signature);
    if !is_same_code(written, &signature) {
        edits.push((head.start, colon + 1, signature));
    }
    let inline = text[colon + 1..head.end].trim();
    if !inline.is_empty() {
        let body = colon + 1 + (text[colon + 1..].len() - text[colon + 1..].trim_start().len());
        edits.push((colon + 1, body, format!("\n    {}\n    ", parts.docstring("    "))));
        return edits;
    }
    let first = lines.get(at + 1).filter(|line| line.indent > 0);
    let indent = first.map_or("    ", |line| &text[line.start - line.indent..line.start]);
    let documentation = parts.docstring(indent);
    match first {
        Some(line) if line.is_literal(text) => {
            if !is_same_text(line.text(text), &documentation) {
                // A statement after a semicolon stays.
                edits.push((line.start, literal_part(text, *line), documentation));
            }
        }
        // Comments between the head and the body stay with the body.
        Some(_) => edits.push((line_end(text, head.end), line_end(text, head.end), format!("{indent}{documentation}\n"))),
        None => edits.push((head.end, head.end, format!("\n{indent}{documentation}"))),
    }
    edits
}

/// The end of the literal with which a line begins.
fn literal_part(text: &str, line: Line) -> usize {
    let rest = line.text(text);
    let quote = rest.find(['"', '\'']).unwrap_or_default();
    lines::literal_end(text, line.start + quote).min(line.end)
}

/// The fields of a class between its first and its last one; its decorators, documentation and methods stay.
fn update_class(text: &str, lines: &[Line], at: usize, parts: &Parts) -> Vec<Edit> {
    let head = lines[at];
    let mut edits = Vec::new();
    let (start, decorators) = decorators(text, lines, at);
    if !decorators.iter().any(|line| line.text(text).contains("dataclass")) {
        edits.push((start, start, "@dataclass\n".to_owned()));
    }
    let Some(colon) = lines::colon(text, head) else { return edits };
    let inline = text[colon + 1..head.end].trim();
    if !inline.is_empty() {
        if !is_same_code(inline, &parts.fields.join("")) {
            let fields: String = parts.fields.iter().map(|field| format!("\n    {field}")).collect();
            edits.push((colon + 1, head.end, fields));
        }
        return edits;
    }
    let body: Vec<Line> = lines[at + 1..].iter().take_while(|line| line.indent > 0).copied().collect();
    let indent = body.first().map_or("    ", |line| &text[line.start - line.indent..line.start]);
    let is_field = |line: &&Line| line.indent == indent.len() && is_attribute(text, **line);
    let fields: Vec<Line> = body.iter().filter(is_field).copied().collect();
    let same =
        fields.len() == parts.fields.len() && fields.iter().zip(&parts.fields).all(|(line, field)| is_same_code(line.text(text), field));
    if same {
        return edits;
    }
    let new = parts.fields.join(&format!("\n{indent}"));
    match (fields.first(), fields.last(), body.first()) {
        (Some(first), Some(last), _) => {
            // Methods between two fields stay after them.
            let inner: Vec<&Line> = body.iter().filter(|line| line.start > first.start && line.end < last.end).collect();
            if inner.iter().all(|line| fields.contains(line)) {
                edits.push((first.start, last.end, new));
            } else {
                edits.push((first.start, first.end, new));
                edits.extend(fields[1..].iter().map(|line| (line.start - line.indent, line_end(text, line.end), String::new())));
            }
        }
        (_, _, Some(line)) if line.is_literal(text) => edits.push((line.end, line.end, format!("\n{indent}{new}"))),
        (_, _, Some(line)) => edits.push((line.start, line.start, format!("{new}\n{indent}"))),
        (_, _, None) => edits.push((head.end, head.end, format!("\n{indent}{new}"))),
    }
    edits
}

/// The place after the line break that follows.
fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |end| at + end + 1)
}

/// True for `name: type`, with or without a value, and for `pass`.
fn is_attribute(text: &str, line: Line) -> bool {
    let (word, rest) = (line.word(text), line.text(text));
    rest == "pass" || (!word.is_empty() && rest[word.len()..].trim_start().starts_with(':') && !matches!(word, "else" | "try" | "finally"))
}

/// The decorators above a definition, and where they begin.
fn decorators<'l>(text: &str, lines: &'l [Line], at: usize) -> (usize, &'l [Line]) {
    let count = lines[..at].iter().rev().take_while(|line| line.indent == 0 && line.text(text).starts_with('@')).count();
    (lines[at - count].start, &lines[at - count..at])
}

/// True if the file defines or imports a name at the top level.
fn is_known(text: &str, lines: &[Line], name: &str) -> bool {
    lines.iter().filter(|line| line.indent == 0).any(|line| {
        let is_defined = line.defined(text).is_some_and(|(_, defined)| defined == name);
        let is_assigned = line.word(text) == name && line.text(text)[name.len()..].trim_start().starts_with(['=', ':']);
        is_defined || is_assigned || imported(text, *line).iter().any(|(_, known)| known == name)
    })
}

/// The names that an import statement binds, each with the module, and with its former name: `date as day` of `datetime`.
fn imported(text: &str, line: Line) -> Vec<(String, String)> {
    let Some(rest) = line.text(text).strip_prefix("from ") else { return Vec::new() };
    let Some((module, names)) = rest.split_once(" import ") else { return Vec::new() };
    let code: String = names.lines().map(|line| line.split('#').next().unwrap_or_default()).collect::<Vec<_>>().join(" ");
    let names = code.split([',', '(', ')', '\\']).map(|name| name.split_whitespace().collect::<Vec<_>>().join(" "));
    names.filter(|name| !name.is_empty()).map(|name| (module.trim().to_owned(), name)).collect()
}

/// True if the signature of the function names a class that the file defines after it.
fn names_later_class(text: &str, lines: &[Line], parts: &Parts) -> bool {
    let defined = |kind: &str, name: &str| lines.iter().position(|line| line.indent == 0 && line.defined(text) == Some((kind, name)));
    let name = parts.signature.trim_start_matches("def ").split('(').next().unwrap_or_default();
    let function = defined("def", name);
    let is_later = |class: &str| defined("class", class).zip(function).is_some_and(|(class, function)| class > function);
    is_later(&parts.output) || is_later("Context")
}

/// The imports that the types need and the file lacks, after the last import at the top.
fn add_imports(text: &str, lines: &[Line], parts: &Parts) -> Option<Edit> {
    let known: Vec<(String, String)> = lines.iter().filter(|line| line.indent == 0).flat_map(|line| imported(text, *line)).collect();
    let has = |module: &str, name: &str| known.iter().any(|(of, it)| of == module && it == name);
    let mut missing: Vec<(&'static str, String)> = parts.imports.iter().filter(|(module, name)| !has(module, name)).cloned().collect();
    // `Protocol` is for the class that a stub can also import.
    missing.retain(|(module, name)| !(*module == "typing" && name == "Protocol" && is_known(text, lines, "Context")));
    let mut added = import_lines(&missing);
    let needs_first = !has("__future__", "annotations") && names_later_class(text, lines, parts);
    if needs_first {
        added.insert(0, "from __future__ import annotations".to_owned());
    }
    if added.is_empty() {
        return None;
    }
    let is_head = |line: &&Line| line.indent == 0 && (line.is_literal(text) || matches!(line.word(text), "import" | "from"));
    let last = match needs_first {
        // It precedes every other statement except the documentation of the module.
        true => lines.iter().take_while(|line| line.indent == 0 && line.is_literal(text)).last(),
        false => lines.iter().take_while(is_head).last(),
    };
    let block = added.join("\n");
    let at = match last {
        Some(line) => line_end(text, line.end),
        None => lines.first().map_or(text.len(), |line| line.start),
    };
    let start = if at > 0 && !text[..at].ends_with('\n') { "\n" } else { "" };
    Some((at, at, format!("{start}{block}\n")))
}
