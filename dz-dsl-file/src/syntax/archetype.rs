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

pub(super) fn parse(line: &Line, out: &mut Diagnostics) -> Option<Archetype> {
    let head = header(line, "archetype", out)?;
    let end = line.whole_span().end;
    let lines = Span { start: line.children.first().map_or(end, |child| child.span().start), end, ..line.span() };
    Some(Archetype { name: head.name, title: head.title, body: parse_body(line, "archetype", &HashSet::new(), out), lines })
}
