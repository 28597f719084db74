//! `archetype NAME:`, a group of fields for `extends`.

use super::{
    entity::{Block, parse_body},
    header,
};
use crate::{Diagnostics, cursor::Name, layout::Line};

/// A group of fields.
#[derive(Debug, Clone, PartialEq)]
pub struct Archetype {
    /// Its name.
    pub name: Name,
    /// Its title.
    pub title: Option<Name>,
    /// Its fields and indexes.
    pub body: Block,
}

pub(super) fn parse(line: &Line, out: &mut Diagnostics) -> Option<Archetype> {
    let head = header(line, "archetype", out)?;
    Some(Archetype { name: head.name, title: head.title, body: parse_body(line, "archetype", out) })
}
