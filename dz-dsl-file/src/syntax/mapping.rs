//! `inputs:`: the values that a step passes to the inputs of the called construct.

use super::{expr, keyed, no_children};
use crate::{
    Diagnostics,
    cursor::{Cursor, Name},
    layout::Line,
};

/// `value -> name`
#[derive(Debug, Clone, PartialEq)]
pub struct Mapping {
    /// The value.
    pub value: expr::Expr,
    /// The input.
    pub name: Name,
}

/// `inputs: a -> b, c -> d`, or a line for each under it.
pub(super) fn parse(line: &Line, out: &mut Diagnostics) -> Vec<Mapping> {
    let mut mappings = Vec::new();
    if keyed::has_value(line) {
        keyed::value(line, out, |cursor| {
            loop {
                mappings.push(mapping(cursor)?);
                if !cursor.comma() {
                    return Some(());
                }
            }
        });
        return mappings;
    }
    for child in keyed::block(line, out) {
        no_children(child, out);
        let mut cursor = keyed::entry(child, out);
        match mapping(&mut cursor) {
            Some(mapping) => mappings.push(mapping),
            None => cursor.skip(),
        }
        cursor.finish();
    }
    mappings
}

fn mapping(cursor: &mut Cursor<'_>) -> Option<Mapping> {
    let value = expr::parse(cursor)?;
    if !cursor.expect("->") {
        return None;
    }
    Some(Mapping { value, name: cursor.expect_name("the input that takes the value")? })
}
