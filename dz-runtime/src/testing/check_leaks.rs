//! No response contains a text of a row that the caller cannot see: in no cell, label, option or error.

use std::collections::BTreeSet;

use super::{
    check_reads::Verdict,
    operation::{FieldPath, Operation},
    oracle::Oracle,
    server::{Answer, Request},
    world::World,
};
use crate::{Value, def::EntityDef};

/// The unique words in generated texts: a `q` and six hexadecimal digits.
fn find_marks(text: &str) -> impl Iterator<Item = &str> {
    let is_mark = |mark: &&str| mark.starts_with('q') && mark[1..].bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    text.match_indices('q').filter_map(|(at, _)| text.get(at..at + 7)).filter(is_mark)
}

/// Searches for the unique words of all rows that the caller cannot see, also of rows of other tenants.
pub(super) fn check(oracle: &Oracle<'_>, whole: &World, ask: &Operation, request: &Request, answer: &Answer) -> Verdict {
    let found: BTreeSet<&str> = find_marks(&answer.body).collect();
    if found.is_empty() {
        return Ok(());
    }
    let page = |entity: &EntityDef| ask.page().filter(|surface| surface.entity == entity.ix);
    let mut hidden: Vec<(String, String)> = Vec::new();
    let mut open: BTreeSet<String> = find_marks(&request.path).chain(find_marks(&request.body)).map(str::to_owned).collect();
    for entity in oracle.app().entities {
        for row in &whole.rows[usize::from(entity.ix)] {
            let there = oracle.world.find(entity.ix, row.value(entity.pk)).is_some();
            let seen = there && (oracle.reads(entity, &row.values) || oracle.lists(entity, &row.values));
            let named = there && oracle.can_name(entity, &row.values);
            let own = entity.account && oracle.who.account.as_ref() == Some(row.value(entity.pk));
            for (at, field) in (0..).zip(entity.fields).filter(|(_, field)| field.has_value() && !field.secret) {
                // A computed field is visible with its own row.
                let held = if there { oracle.field_value(entity, at, &row.values) } else { row.value(at).clone() };
                // A page reveals nothing of its hidden fields, neither of its row nor of another row of the entity.
                let veiled = page(entity).is_some_and(|surface| oracle.is_hidden(surface, &FieldPath::own_field(entity, at)));
                let shown = (seen && !veiled && !oracle.shown_value(entity, at, &row.values).is_null())
                    || (named && !veiled && Some(at) == entity.label.own_field())
                    || (Some(at) == entity.label.own_field() && oracle.who.is_member_of(entity, row.value(entity.pk)))
                    || (own && matches!(field.name, "email" | "name"));
                let Value::Text(text) = held else { continue };
                for mark in find_marks(&text) {
                    if shown {
                        open.insert(mark.to_owned());
                    } else if field.computed.is_none() {
                        hidden.push((mark.to_owned(), format!("{}.{}", entity.name, field.name)));
                    }
                }
            }
        }
    }
    match hidden.iter().find(|(mark, _)| found.contains(mark.as_str()) && !open.contains(mark)) {
        None => Ok(()),
        Some((mark, field)) => Err(format!("`{mark}` stands in the answer, a part of a {field} that the caller may not see")),
    }
}
