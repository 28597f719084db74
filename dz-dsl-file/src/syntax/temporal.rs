//! `temporal:`, the fields with the period in which a row is current.

use super::{graph::field, key, no_children, unknown_key};
use crate::{Diagnostics, Span, cursor::Name, layout::Line};

/// `start: field` and `end: field`
#[derive(Debug, Clone, PartialEq)]
pub struct Temporal {
    /// `start:`
    pub start: Option<Name>,
    /// `end:`
    pub end: Option<Name>,
    /// The keyword.
    pub span: Span,
}

/// The keys of `temporal:`
pub(crate) const KEYS: &[&str] = &["start", "end"];

pub(super) fn parse(line: &Line, out: &mut Diagnostics) -> Temporal {
    super::block_head(line, "`start: field` and `end: field`", out);
    let mut temporal = Temporal { start: None, end: None, span: line.tokens[0].span };
    for child in &line.children {
        no_children(child, out);
        let Some((name, mut cursor)) = key(child, out) else { continue };
        match name.text.as_str() {
            "start" => field(&name, &mut temporal.start, &mut cursor),
            "end" => field(&name, &mut temporal.end, &mut cursor),
            _ => unknown_key(&name, "temporal", KEYS, out),
        }
    }
    temporal
}
