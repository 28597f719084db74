//! Texts of a declaration in other languages: the files `locales/<language>.ftl`, in the format of Fluent.
//!
//! `texts` lists the texts of a model with their keys, `check` finds keys without a text, and `complete` adds missing keys to a file.

mod texts;

use std::collections::{BTreeMap, BTreeSet};

use dz_vocabulary::text_key::{CATALOGUES, FRAMEWORK_PREFIX};
use fluent_syntax::{ast, parser};

use crate::{Diagnostic, SourceMap, Span, diagnostic::nearest, model::Model};

pub use texts::texts;

/// The name of the rule of findings in these files.
pub const RULE: &str = "locale-key";

/// What `dz explain` shows for the rule.
pub const EXPLANATION: &str =
    "a file of a language has a key that no text has, a key twice, an unknown argument, or a line that is not a text of Fluent";

/// The extension of the files.
pub const EXTENSION: &str = "ftl";

/// A finding in a file, which is always a warning: the page shows the text of the declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The line, from 1.
    pub line: usize,
    /// The message.
    pub message: String,
}

/// True for the name of a language, such as `de` or `pt-BR`.
///
/// ```
/// use dz_dsl_file::locales::is_language;
/// assert!(is_language("de") && is_language("pt-BR") && is_language("zh-Hant"));
/// assert!(!is_language("") && !is_language("german_") && !is_language("../x"));
/// ```
pub fn is_language(tag: &str) -> bool {
    let mut parts = tag.split('-');
    let first = parts.next().is_some_and(|part| matches!(part.len(), 2 | 3) && part.bytes().all(|byte| byte.is_ascii_lowercase()));
    first && parts.all(|part| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// The findings in a file of a language.
pub fn check(model: &Model, file: &str) -> Vec<Finding> {
    let (resource, errors) = match parser::parse(file) {
        Ok(resource) => (resource, Vec::new()),
        Err(found) => found,
    };
    let mut found: Vec<Finding> = errors
        .iter()
        .map(|error| Finding { line: line_of(file, error.pos.start), message: format!("this is not a text of Fluent: {}", error.kind) })
        .collect();
    let known = known_keys(model);
    let mut seen = BTreeSet::new();
    for entry in &resource.body {
        let ast::Entry::Message(message) = entry else { continue };
        let key = message.id.name;
        let line = line_of_key(file, key);
        if !seen.insert(key) {
            found.push(Finding { line, message: format!("the key `{key}` is given twice; the last text is shown") });
        }
        match known.get(key) {
            None => {
                let near = nearest(key, known.keys().map(String::as_str))
                    .map_or_else(|| "remove the line".to_owned(), |near| format!("did you mean `{near}`?"));
                found.push(Finding { line, message: format!("no text has the key `{key}`; {near}") });
            }
            Some(english) => found.extend(
                unknown_argument(message, english)
                    .map(|name| Finding { line, message: format!("the text `{key}` has no argument `${name}`; it is shown in English") }),
            ),
        }
    }
    found.sort_by_key(|finding| finding.line);
    found
}

/// The findings in a file of a language as diagnostics; the text is added to `texts`.
pub fn diagnose(model: &Model, texts: &mut SourceMap, name: &str, text: &str) -> Vec<Diagnostic> {
    let file = texts.add(name, text);
    let found = check(model, text).into_iter().map(|finding| {
        let start: usize = text.split_inclusive('\n').take(finding.line - 1).map(str::len).sum();
        let length = text.get(start..).and_then(|rest| rest.lines().next()).map_or(0, |line| line.find(" =").unwrap_or(line.len()));
        let position = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Diagnostic::warning(RULE, Span { file, start: position(start), end: position(start + length) }, finding.message)
    });
    found.collect()
}

/// The number of keys in a file.
pub fn count_keys(file: &str) -> usize {
    keys_of(file).len()
}

/// The file of a language with all missing keys, each with the text of the declaration or the English one; `None` if no key is missing.
/// Existing lines stay as they are. For a language whose framework texts are part of dz, only the texts of the declaration are added.
pub fn complete(model: &Model, tag: &str, file: &str) -> Option<String> {
    let existing = keys_of(file);
    let missing = |texts: Vec<(String, String)>| -> Vec<(String, String)> {
        let mut seen = BTreeSet::new();
        texts.into_iter().filter(|(key, _)| !existing.contains(key) && seen.insert(key.clone())).collect()
    };
    let own = missing(texts(model));
    let language = tag.split('-').next().unwrap_or_default();
    let is_known = CATALOGUES.iter().any(|(known, _)| *known == language);
    let framework = if is_known { Vec::new() } else { missing(framework_texts()) };
    if own.is_empty() && framework.is_empty() {
        return None;
    }
    let mut text = file.to_owned();
    for (title, lines) in [("Texts of the declaration", own), ("Texts of the framework", framework)] {
        if lines.is_empty() {
            continue;
        }
        if !text.is_empty() && !text.ends_with("\n\n") {
            text.push_str(if text.ends_with('\n') { "\n" } else { "\n\n" });
        }
        text.push_str(&format!("## {title}\n\n"));
        for (key, value) in &lines {
            // A text of several lines begins on the line after its key.
            let space = if value.starts_with('\n') { "" } else { " " };
            text.push_str(&format!("{key} ={space}{value}\n"));
        }
    }
    Some(text)
}

/// The keys of all texts, with the text in the format of Fluent.
fn known_keys(model: &Model) -> BTreeMap<String, String> {
    texts(model).into_iter().chain(framework_texts()).collect()
}

/// The framework's own texts in English, in the format of Fluent.
fn framework_texts() -> Vec<(String, String)> {
    let english = CATALOGUES.iter().find(|(tag, _)| *tag == "en").map_or("", |(_, text)| *text);
    let mut all: Vec<(String, String)> = Vec::new();
    for line in english.lines() {
        match line.split_once(" =") {
            Some((key, value)) if key.starts_with(FRAMEWORK_PREFIX) => all.push((key.to_owned(), value.trim_start().to_owned())),
            // The further lines of a text with a plural.
            _ if line.starts_with(' ') => {
                if let Some((_, text)) = all.last_mut() {
                    text.push('\n');
                    text.push_str(line);
                }
            }
            _ => {}
        }
    }
    all
}

fn keys_of(file: &str) -> BTreeSet<String> {
    let resource = parser::parse(file).unwrap_or_else(|(resource, _)| resource);
    let key = |entry: &ast::Entry<&str>| if let ast::Entry::Message(message) = entry { Some(message.id.name.to_owned()) } else { None };
    resource.body.iter().filter_map(key).collect()
}

fn line_of(file: &str, position: usize) -> usize {
    file.bytes().take(position).filter(|byte| *byte == b'\n').count() + 1
}

/// The last line with a key, because the parser gives no positions of messages.
fn line_of_key(file: &str, key: &str) -> usize {
    let begins = |line: &str| line.strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('='));
    file.lines().enumerate().filter(|(_, line)| begins(line)).last().map_or(1, |(at, _)| at + 1)
}

/// An argument that the text in the code does not have.
fn unknown_argument<'m>(message: &ast::Message<&'m str>, english: &str) -> Option<&'m str> {
    let mut names = Vec::new();
    if let Some(pattern) = &message.value {
        collect_arguments(pattern, &mut names);
    }
    names.into_iter().find(|name| !english.contains(&format!("${name} ")))
}

fn collect_arguments<'m>(pattern: &ast::Pattern<&'m str>, names: &mut Vec<&'m str>) {
    for element in &pattern.elements {
        let ast::PatternElement::Placeable { expression } = element else { continue };
        match expression {
            ast::Expression::Inline(inline) => collect_inline(inline, names),
            ast::Expression::Select { selector, variants } => {
                collect_inline(selector, names);
                variants.iter().for_each(|variant| collect_arguments(&variant.value, names));
            }
        }
    }
}

fn collect_inline<'m>(inline: &ast::InlineExpression<&'m str>, names: &mut Vec<&'m str>) {
    match inline {
        ast::InlineExpression::VariableReference { id } => names.push(id.name),
        ast::InlineExpression::FunctionReference { arguments, .. } => arguments.positional.iter().for_each(|it| collect_inline(it, names)),
        ast::InlineExpression::Placeable { expression } => {
            if let ast::Expression::Inline(inner) = &**expression {
                collect_inline(inner, names);
            }
        }
        ast::InlineExpression::StringLiteral { .. }
        | ast::InlineExpression::NumberLiteral { .. }
        | ast::InlineExpression::MessageReference { .. }
        | ast::InlineExpression::TermReference { .. } => {}
    }
}

/// A text in the format of Fluent, on one line.
///
/// ```
/// use dz_dsl_file::locales::quote;
/// assert_eq!(quote("Keep {it}"), "Keep {\"{\"}it{\"}\"}");
/// assert_eq!(quote(" a"), "{\" \"}a");
/// ```
pub fn quote(text: &str) -> String {
    let mut quoted = String::new();
    let trimmed = text.trim_end();
    for (at, letter) in text.char_indices() {
        let is_edge = (at == 0 && letter.is_whitespace()) || (at >= trimmed.len() && letter == ' ');
        match letter {
            '{' | '}' => quoted.push_str(&format!("{{\"{letter}\"}}")),
            '\n' | '\r' => quoted.push(' '),
            _ if is_edge => quoted.push_str(&format!("{{\"{letter}\"}}")),
            _ => quoted.push(letter),
        }
    }
    if quoted.is_empty() { "{\"\"}".to_owned() } else { quoted }
}
