//! The names of the fields of archetypes. They are collected before entities are parsed, because a line can contain a field with the
//! name of a type.

use std::collections::{HashMap, HashSet};

use super::entity;
use crate::{layout::Line, token::Token};

/// The names of the fields of each archetype, and of the archetypes that it extends.
#[derive(Debug, Default)]
pub(super) struct Groups {
    fields: HashMap<String, HashSet<String>>,
    parents: HashMap<String, Vec<String>>,
}

impl Groups {
    /// Adds the archetypes of a text.
    pub fn add(&mut self, lines: &[Line]) {
        for line in lines.iter().filter(|line| line.tokens[0].word() == Some("archetype")) {
            let Some(name) = line.tokens.get(1).and_then(Token::word) else { continue };
            self.fields.entry(name.to_owned()).or_default().extend(entity::field_names(line).map(str::to_owned));
            self.parents.entry(name.to_owned()).or_default().extend(extended(line).map(str::to_owned));
        }
    }

    /// The names of the fields that an entity inherits.
    pub fn inherited_fields(&self, entity: &Line) -> HashSet<&str> {
        let mut open: Vec<&str> = extended(entity).collect();
        let mut archetypes: HashSet<&str> = HashSet::new();
        while let Some(name) = open.pop() {
            if archetypes.insert(name) {
                open.extend(self.parents.get(name).into_iter().flatten().map(String::as_str));
            }
        }
        archetypes.into_iter().filter_map(|name| self.fields.get(name)).flatten().map(String::as_str).collect()
    }
}

/// The names after `extends:` under a line.
fn extended(line: &Line) -> impl Iterator<Item = &str> {
    let extends = line.children.iter().filter(|line| line.tokens[0].word() == Some("extends"));
    extends.flat_map(|line| &line.tokens[1..]).filter_map(Token::word)
}
