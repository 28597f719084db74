//! `archetype NAME:`, a group of fields for `extends`.

use std::collections::HashSet;

use super::{
    entity::{Block, parse_body},
    header,
};
use crate::{Diagnostics, Span, cursor::Name, layout::Line};

/// A group of fields.
#[derive(Debug, Clone, PartialEq)]
pub struct Archetype {
    /// Its name.
    pub name: Name,
    /// Its title.
    pub title: Option<Name>,
    /// Its fields and indexes.
    pub body: Block,
    /// The span from the first line under it to the last.
    pub lines: Span,
}

/// The archetypes that a block extends, directly or through others, each once and after those that it extends itself.
pub(crate) fn lineage<'a>(extends: &[Name], archetype: &impl Fn(&str) -> Option<&'a Archetype>) -> Vec<&'a Archetype> {
    let mut found: Vec<&Archetype> = Vec::new();
    let mut seen: HashSet<&str> = HashSet::new();
    // Each name on the path is visited twice: before and after the names that it extends.
    let mut open: Vec<(&'a Archetype, bool)> =
        extends.iter().rev().filter_map(|name| archetype(&name.text)).map(|it| (it, false)).collect();
    while let Some((it, parents_found)) = open.pop() {
        if parents_found {
            found.push(it);
        } else if seen.insert(&it.name.text) {
            open.push((it, true));
            open.extend(it.body.extends.iter().rev().filter_map(|name| archetype(&name.text)).map(|it| (it, false)));
        }
    }
    found
}

pub(super) fn parse(line: &Line, out: &mut Diagnostics) -> Option<Archetype> {
    let head = header(line, "archetype", out)?;
    let end = line.whole_span().end;
    let lines = Span { start: line.children.first().map_or(end, |child| child.span().start), end, ..line.span() };
    Some(Archetype { name: head.name, title: head.title, body: parse_body(line, "archetype", &HashSet::new(), out), lines })
}
