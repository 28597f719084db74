//! The stub of a service in Rust: an implementation of its trait.

mod tokens;

use std::borrow::Cow;

use self::tokens::Token;
use super::{Edit, apply, is_same_code, is_same_text, sentences};
use crate::{
    emit::services::{self, METHOD, MODULE},
    model::{Model, Service, ValueField},
    names,
};

/// The content of a new stub.
pub(super) fn create(model: &Model, service: &Service) -> String {
    let name = &service.name;
    let implementor = services::trait_name(service);
    format!(
        "use crate::{MODULE};\n\n/// The service `{name}`; `app().service({implementor})` registers it.\n#[derive(Debug, Clone, Copy)]\npub struct {implementor};\n\n{}",
        implementation(model, service)
    )
}

fn implementation(model: &Model, service: &Service) -> String {
    format!(
        "{}impl {MODULE}::{name} for {name} {{\n    {} {{\n        todo!()\n    }}\n}}\n",
        documentation(model, service),
        signature(service, &["cx", "input"]),
        name = services::trait_name(service),
    )
}

/// The head of the method, with these names of its parameters.
pub(super) fn signature(service: &Service, parameters: &[&str; 2]) -> String {
    let [context, input] = parameters;
    format!(
        "fn {METHOD}(&self, {context}: &dz::ServiceCx, {input}: {MODULE}::{}) -> dz::Result<{MODULE}::{}>",
        services::input_name(service),
        services::output_name(service)
    )
}

/// The title, the guarantees, and the types of the inputs and outputs.
fn documentation(model: &Model, service: &Service) -> String {
    let (title, guarantees) = sentences(service);
    let mut lines = vec![title];
    if !guarantees.is_empty() {
        lines.push(String::new());
        lines.extend(guarantees);
    }
    for (what, fields) in [("Input", &service.input), ("Output", &service.output)] {
        let fields: Vec<String> = fields.iter().map(|field| describe_field(model, field)).collect();
        if !fields.is_empty() {
            lines.extend([String::new(), format!("{what}: {}.", fields.join(", "))]);
        }
    }
    lines.iter().map(|line| format!("{}\n", format!("/// {line}").trim_end())).collect()
}

fn describe_field(model: &Model, field: &ValueField) -> String {
    format!("`{}: {}`", services::field_name(field), without_paths(&services::field_type(model, field)))
}

/// A type with the last segments of its paths: `Option<Decimal>`.
fn without_paths(ty: &str) -> String {
    let mut text = String::new();
    let mut start = 0;
    for c in ty.chars() {
        match c {
            ':' => text.truncate(start),
            c => {
                text.push(c);
                if matches!(c, '<' | '>' | ',' | ' ') {
                    start = text.len();
                }
            }
        }
    }
    text
}

/// The stub with the present signature and documentation. An implementation that is missing is added.
pub(super) fn update<'t>(model: &Model, service: &Service, text: &'t str) -> Cow<'t, str> {
    let tokens = tokens::read(text);
    let Some(at) = implementation_of(text, &tokens, &services::trait_name(service)) else {
        let gap = if text.trim().is_empty() { "" } else { "\n" };
        let gap = if text.is_empty() || text.ends_with('\n') { gap.to_owned() } else { format!("\n{gap}") };
        let new = if text.trim().is_empty() { create(model, service) } else { implementation(model, service) };
        return apply(text, vec![(text.len(), text.len(), gap + &new)]);
    };
    let mut edits: Vec<Edit> = Vec::new();
    edits.extend(update_documentation(text, tokens[at].start, &documentation(model, service)));
    edits.extend(update_signature(text, &tokens[at..], service));
    apply(text, edits)
}

/// The position of `impl … Trait for …`.
fn implementation_of(text: &str, tokens: &[Token], name: &str) -> Option<usize> {
    let name = name.strip_prefix("r#").unwrap_or(name);
    let is = |token: &Token, word: &str| token.text(text) == word;
    tokens.iter().enumerate().filter(|(_, token)| is(token, "impl")).map(|(at, _)| at).find(|at| {
        let head = tokens[*at..].iter().take_while(|token| !is(token, "{") && !is(token, ";"));
        let head: Vec<&str> = head.map(|token| token.text(text)).collect();
        head.windows(2).any(|pair| pair[0].trim_start_matches("r#") == name && pair[1] == "for")
    })
}

/// The comment above the implementation; attributes and other comments above it stay.
fn update_documentation(text: &str, at: usize, documentation: &str) -> Option<Edit> {
    let mut start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    if !text[start..at].trim().is_empty() {
        return None;
    }
    let place = start;
    let mut end = None;
    while let Some(before) = text[..start].strip_suffix('\n') {
        let from = before.rfind('\n').map_or(0, |end| end + 1);
        let line = before[from..].trim();
        let is_comment = line.starts_with("///") && !line.starts_with("////");
        if !is_comment && (end.is_some() || !line.starts_with('#')) {
            break;
        }
        if is_comment && end.is_none() {
            end = Some(start);
        }
        start = from;
    }
    let Some(end) = end else { return Some((place, place, documentation.to_owned())) };
    let plain = |text: &str| text.lines().map(|line| line.trim().trim_start_matches('/').to_owned() + "\n").collect::<String>();
    (!is_same_text(&plain(&text[start..end]), &plain(documentation))).then(|| (start, end, documentation.to_owned()))
}

/// The head of the method in an implementation; the names of its parameters stay.
fn update_signature(text: &str, tokens: &[Token], service: &Service) -> Option<Edit> {
    let mut depth = 0usize;
    let mut method = None;
    for (at, token) in tokens.iter().enumerate() {
        match token.text(text) {
            "{" => depth += 1,
            "}" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    break;
                }
            }
            "fn" if depth == 1 && tokens.get(at + 1).is_some_and(|next| next.text(text) == METHOD) => {
                method = Some(at);
                break;
            }
            _ => {}
        }
    }
    let Some(at) = method else {
        // An implementation without the method gets it at its beginning.
        let open = tokens.iter().find(|token| token.text(text) == "{")?;
        let new = format!("\n    {} {{\n        todo!()\n    }}\n", signature(service, &["cx", "input"]));
        return Some((open.end, open.end, new));
    };
    let head: Vec<&Token> = tokens[at..].iter().take_while(|token| token.text(text) != "{").collect();
    let (first, last) = (head.first()?, head.last()?);
    let words: Vec<&str> = head.iter().map(|token| token.text(text)).collect();
    let named = parameters(&words);
    let new = signature(service, &[named.first().copied().unwrap_or("cx"), named.get(1).copied().unwrap_or("input")]);
    (!is_same_code(&text[first.start..last.end], &new)).then_some((first.start, last.end, new))
}

/// The names of the parameters after `self`: words before a colon at the first level of brackets.
fn parameters<'t>(words: &[&'t str]) -> Vec<&'t str> {
    let mut open = 0usize;
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        match *word {
            "(" | "<" | "[" => open += 1,
            ")" | ">" | "]" => open = open.saturating_sub(1),
            // A path has two colons.
            ":" if open == 1 && words.get(at + 1) != Some(&":") && words.get(at.wrapping_sub(1)) != Some(&":") => {
                found.extend(words.get(at.wrapping_sub(1)).filter(|word| names::is_identifier(word) && **word != "self"));
            }
            _ => {}
        }
    }
    found
}
