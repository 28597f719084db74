//! Stubs of services: a file in Python or Rust for each service, whose body the developer writes.
//!
//! A stub that exists already gets the present signature, types and documentation; no other byte of it changes.

mod python;
mod rust;
pub mod story;

use std::borrow::Cow;

use crate::model::{Model, Service, StubLanguage};

/// The folder of the stubs, beside `dz.toml`.
pub const FOLDER: &str = "services";

/// The file of a stub in [`FOLDER`].
pub fn file_name(service: &Service, language: StubLanguage) -> String {
    match language {
        StubLanguage::Python => format!("{}.py", service.name),
        StubLanguage::Rust => format!("{}.rs", service.name),
    }
}

/// The content of a new stub.
pub fn create(model: &Model, service: &Service, language: StubLanguage) -> String {
    match language {
        StubLanguage::Python => python::create(model, service),
        StubLanguage::Rust => rust::create(model, service),
    }
}

/// The content of an existing stub with the present signature, types and documentation.
pub fn update(model: &Model, service: &Service, language: StubLanguage, existing: &str) -> String {
    let text = match language {
        StubLanguage::Python => python::update(model, service, existing),
        StubLanguage::Rust => rust::update(model, service, existing),
    };
    text.into_owned()
}

/// The service's title and guarantees: a line each, without line breaks inside.
fn sentences(service: &Service) -> (String, Vec<String>) {
    let guarantees = service.guarantees.iter().map(|text| format!("- {}", one_line(text)));
    (one_line(&service.title), guarantees.collect())
}

/// A text in one line.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A part of a text that is replaced: from, to, and the new text.
type Edit = (usize, usize, String);

/// Applies edits that do not overlap. The new text has the line ends of the old one.
fn apply(text: &str, mut edits: Vec<Edit>) -> Cow<'_, str> {
    edits.retain(|(from, to, new)| text.get(*from..*to) != Some(new.as_str()));
    if edits.is_empty() {
        return Cow::Borrowed(text);
    }
    edits.sort_by_key(|(from, to, _)| (*from, *to));
    let crlf = text.contains("\r\n");
    let (mut result, mut at) = (String::with_capacity(text.len()), 0);
    for (from, to, new) in edits {
        result.push_str(&text[at..from]);
        result.push_str(&if crlf { new.replace('\n', "\r\n") } else { new });
        at = to;
    }
    result.push_str(&text[at..]);
    Cow::Owned(result)
}

/// True if two pieces of code differ only in spaces, line breaks, quotation marks and trailing commas, which formatters change.
fn is_same_code(left: &str, right: &str) -> bool {
    fn plain(text: &str) -> String {
        let dense: String = text.chars().filter(|c| !c.is_whitespace()).map(|c| if c == '\'' { '"' } else { c }).collect();
        dense.replace(",)", ")").replace(",]", "]").replace(",>", ">")
    }
    plain(left) == plain(right)
}

/// True if two texts differ only in spaces and line breaks.
fn is_same_text(left: &str, right: &str) -> bool {
    left.split_whitespace().eq(right.split_whitespace())
}
