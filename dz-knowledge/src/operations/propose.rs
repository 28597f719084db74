//! `propose`: the patterns nearest to a description, each as a block for the named entity.

use std::collections::BTreeMap;

use dz_dsl_file::{
    SourceMap, Span, analyse,
    model::{Entity, Model},
    names,
};
use serde_json::{Value, json};

use super::Operation;
use crate::{
    Entry, Failure, Host, Part, Session, entries,
    parameters::{Arguments, Form, Parameter},
};

/// The longest intent of a proposal, in characters.
const LONGEST_INTENT: usize = 200;

pub(super) const OPERATION: Operation = Operation {
    name: "propose",
    summary: "patterns for a description such as \"invoices that two people approve\", each as a complete text; `entity` names its main entity",
    parameters: &[
        Parameter::required("text", Form::Text),
        Parameter::optional("entity", Form::Text),
        Parameter::optional("limit", Form::Whole(1, 24)),
    ],
    run,
};

fn run(session: &mut Session, given: &Arguments<'_>, _: &mut dyn Host) -> Result<Value, Failure> {
    let text = given.required("text");
    let entity = given.text("entity");
    if let Some(name) = entity
        && !is_entity_name(name)
    {
        return Err(Failure::content(format!("`entity` must be a name such as `LineItem`, not `{name}`")));
    }
    let proposals: Vec<Value> =
        patterns(session, text, given.whole("limit", 3)).into_iter().map(|(entry, score)| proposal(entry, score, entity, text)).collect();
    Ok(json!({ "query": text, "count": proposals.len(), "proposals": proposals }))
}

fn is_entity_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase()) && name.chars().all(|c| c.is_ascii_alphanumeric())
}

/// The patterns that a description and similar inference entries suggest, best first.
fn patterns(session: &Session, text: &str, limit: usize) -> Vec<(&'static Entry, f32)> {
    let mut scores: BTreeMap<&str, f32> = BTreeMap::new();
    for (id, score) in session.index().search(text, |id| id.starts_with("concept:") || id.starts_with("inference:")) {
        let concepts = match id.strip_prefix("concept:") {
            Some(name) => vec![name],
            None => session.graph.targets(id, "suggests_for").into_iter().map(|node| node.name.as_str()).collect(),
        };
        for name in concepts {
            *scores.entry(name).or_default() += score;
        }
    }
    let entry = |name: &str| entries().iter().find(|it| it.part == Part::Concept && it.name == name && it.category == "pattern");
    let mut found: Vec<(&'static Entry, f32)> = scores.into_iter().filter_map(|(name, score)| Some((entry(name)?, score))).collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.name.cmp(b.0.name)));
    found.truncate(limit);
    found
}

fn proposal(entry: &Entry, score: f32, entity: Option<&str>, description: &str) -> Value {
    let filled = entity.and_then(|name| filled_in(entry.example, name, description));
    json!({
        "id": format!("concept:{}", entry.name),
        "name": entry.name,
        "title": entry.title,
        "definition": entry.text,
        "score": (f64::from(score) * 1000.0).round() / 1000.0,
        "block": filled.unwrap_or_else(|| entry.example.to_owned()),
    })
}

/// The example with another name for its main entity and for the surfaces that are named after it, and with the description as its
/// intent; `None` if the result has errors.
fn filled_in(example: &str, name: &str, description: &str) -> Option<String> {
    let analysis = analyse(SourceMap::of_example(example));
    let model = analysis.model.as_ref()?;
    let main = main_entity(model)?;
    let (old, new) = (&model.entities[main].module, names::snake(name));
    let mut renamed: Vec<(Span, String)> = vec![(model.entities[main].span, name.to_owned())];
    for surface in model.surfaces.iter().filter(|it| it.declared) {
        if let Some(rest) = surface.name.strip_prefix(old.as_str()).filter(|rest| rest.starts_with('_')) {
            renamed.push((surface.span, format!("{new}{rest}")));
        }
    }
    let mut edits = renamed.clone();
    for used in &analysis.uses {
        edits.extend(renamed.iter().filter(|(declared, _)| *declared == used.declared).map(|(_, text)| (used.at, text.clone())));
    }
    edits.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
    edits.dedup();
    let mut text = example.to_owned();
    for (span, new) in edits {
        text.replace_range(span.start as usize..span.end as usize, &new);
    }
    let text = retitle(&text, &model.entities[main], name, description);
    let is_valid = analyse(SourceMap::of_example(&text)).model.is_some();
    is_valid.then_some(text)
}

/// The text with the title, the intent and the codes of the renamed entity.
fn retitle(text: &str, old: &Entity, name: &str, description: &str) -> String {
    let code = |name: &str| format!("code: {}_", name.to_uppercase());
    let (old_code, new_code) = (code(&old.module), code(&names::snake(name)));
    let (old_title, title) = (format!("\"{}\"", old.title), format!("\"{}\"", names::humanise(name)));
    let mut is_main = false;
    let mut new = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if line.starts_with(|c: char| c.is_alphabetic()) {
            is_main = line.starts_with(&format!("entity {name} "));
        }
        match line.trim_start() {
            rest if is_main && rest.starts_with("entity ") => new.push_str(&line.replacen(&old_title, &title, 1)),
            rest if is_main && rest.starts_with("intent:") => new.push_str(&format!("  intent: {}\n", quoted(description))),
            // The plural follows from the name.
            rest if is_main && rest.starts_with("plural:") => {}
            _ => new.push_str(&line.replacen(&old_code, &new_code, 1)),
        }
    }
    new
}

/// A description as a text of one line.
fn quoted(description: &str) -> String {
    let words: Vec<&str> = description.split(|c: char| c.is_whitespace() || c.is_control()).filter(|it| !it.is_empty()).collect();
    let short: String = words.join(" ").chars().take(LONGEST_INTENT).collect();
    format!("\"{}\"", short.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The main entity of an example: the last one, which uses the others.
fn main_entity(model: &Model) -> Option<usize> {
    let patterned = model.entities.iter().position(|it| !it.patterns.is_empty());
    patterned.or_else(|| model.entities.iter().rposition(|it| it.declared && it.kind.is_none() && !it.account))
}
