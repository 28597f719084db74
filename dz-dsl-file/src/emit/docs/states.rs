//! State diagrams.

use std::collections::BTreeSet;

use super::escape::{code, label, markdown, transition_label};
use crate::{
    emit::expression,
    model::{EntityId, Model, StateMachine, TransitionRow},
    names,
};

/// Words that Mermaid reads itself.
const RESERVED: &[&str] = &[
    "as",
    "choice",
    "class",
    "classdef",
    "click",
    "default",
    "direction",
    "end",
    "fork",
    "hide",
    "href",
    "join",
    "left",
    "note",
    "of",
    "right",
    "scale",
    "state",
    "style",
];

/// A `stateDiagram-v2` with every transition.
pub(super) fn diagram(model: &Model, id: EntityId, machine: &StateMachine) -> String {
    let names = names_of(model, id, machine);
    let ids = ids(&names);
    let mut diagram = "stateDiagram-v2\n".to_owned();
    for (name, id) in names.iter().zip(&ids).filter(|(name, id)| name != id) {
        diagram.push_str(&format!("    state \"{}\" as {id}\n", label(name)));
    }
    if let Some(initial) = ids.get(machine.initial) {
        diagram.push_str(&format!("    [*] --> {initial}\n"));
    }
    for it in machine.in_order() {
        let (Some(from), Some(to)) = (ids.get(it.from), ids.get(it.to)) else { continue };
        let conditions = conditions(model, id, &machine.rows[it.row]);
        let conditions = if conditions.is_empty() { String::new() } else { format!(" : {}", transition_label(&conditions.join(" · "))) };
        diagram.push_str(&format!("    {from} --> {to}{conditions}\n"));
    }
    diagram
}

/// The same as rows of a table.
pub(super) fn rows(model: &Model, id: EntityId, machine: &StateMachine) -> Vec<Vec<String>> {
    let names = names_of(model, id, machine);
    let name = |at: usize| code(names.get(at).map_or("", String::as_str));
    let row = |it: &crate::model::Transition| {
        let row = &machine.rows[it.row];
        let message = row.message.iter().map(|message| format!("message: {message}"));
        let conditions: Vec<String> = conditions(model, id, row).into_iter().chain(message).map(|text| markdown(&text)).collect();
        vec![name(it.from), name(it.to), conditions.join("; ")]
    };
    machine.in_order().into_iter().map(row).collect()
}

fn names_of(model: &Model, id: EntityId, machine: &StateMachine) -> Vec<String> {
    let states = model.field(id, machine.field).ty.enumeration();
    states.map_or_else(Vec::new, |states| model.enums[states.0].values.iter().map(|value| value.name.clone()).collect())
}

/// The id of each state: its name if that is a word, else one that is made from it.
fn ids(names: &[String]) -> Vec<String> {
    let is_plain = |name: &str| names::is_identifier(name) && name.is_ascii() && !RESERVED.contains(&name.to_lowercase().as_str());
    let mut taken: BTreeSet<String> = names.iter().filter(|name| is_plain(name)).cloned().collect();
    let mut id = |name: &String| {
        if is_plain(name) {
            return name.clone();
        }
        let word: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let word = if RESERVED.contains(&word.to_lowercase().as_str()) || word.starts_with(|c: char| c.is_ascii_digit()) {
            format!("s_{word}")
        } else {
            word
        };
        let free =
            (1..).map(|n| if n == 1 { word.clone() } else { format!("{word}_{n}") }).find(|id| !taken.contains(id)).unwrap_or_default();
        taken.insert(free.clone());
        free
    };
    names.iter().map(&mut id).collect()
}

/// Roles, required fields, guard and time of a row.
fn conditions(model: &Model, id: EntityId, row: &TransitionRow) -> Vec<String> {
    let roles: Vec<&str> = row.roles.iter().map(|role| model.personas[role.0].name.as_str()).collect();
    let fields: Vec<&str> = row.requires.iter().map(|(field, _)| model.field(id, *field).name.as_str()).collect();
    let joined = |word: &str, names: &[&str]| (!names.is_empty()).then(|| format!("{word} {}", names.join(", ")));
    [
        row.label.clone(),
        joined("role", &roles),
        joined("requires", &fields),
        row.guard.as_ref().map(|guard| format!("when {}", expression::text(model, id, guard))),
        row.after.map(|after| format!("{}after {}", if row.manual { "manual or " } else { "" }, expression::duration(after))),
    ]
    .into_iter()
    .flatten()
    .collect()
}
