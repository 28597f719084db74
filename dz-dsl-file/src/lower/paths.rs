//! Paths of columns, sort keys, filters and searches.

use std::collections::HashMap;

use super::{
    Lowering, collect, computed,
    expr::{Position, Typer},
};
use crate::{
    Diagnostic,
    cursor::Name,
    model::{EntityId, Field, FieldType, Path, Placed, SortKey},
    syntax::paths as written,
};

/// Resolves a path; `unknown-path` is at the segment that fails.
pub(super) fn path(it: &mut Lowering<'_>, entity: EntityId, names: &[Name]) -> Option<Path> {
    let mut at = entity;
    for (position, name) in names.iter().enumerate() {
        let field = it.field_names[at.0].get(&name.text).copied().filter(|field| !it.entities[at.0].fields[*field].secret);
        let Some(field) = field else {
            it.unknown_field("unknown-path", at, name, |field| field.ty.is_stored());
            return None;
        };
        let ty = it.entities[at.0].fields[field].ty;
        let is_last = position + 1 == names.len();
        if let (Some(target), false) = (ty.target(), is_last) {
            at = target;
        } else if !is_last {
            it.out.push(
                Diagnostic::error("hop-through-non-ref", name.span, format!("`{}` is not a reference and cannot be followed", name.text))
                    .help("write only the field; only `ref` and `belongs_to` fields can be followed by a dot"),
            );
            return None;
        } else if !ty.is_stored() {
            let (what, help) = relation(ty);
            it.out.push(
                Diagnostic::error("unknown-path", name.span, format!("`{}` is {what}, which is not allowed here", name.text)).help(help),
            );
            return None;
        }
    }
    let path = Typer::new(it, Position::Filter, Some(entity)).resolve(entity, names)?;
    computed::ensure(it, at, path.field).then_some(path)
}

/// A relation in messages, with the place of its rows.
fn relation(ty: FieldType) -> (&'static str, &'static str) {
    if ty.is_single() {
        return ("a row of another entity", "show a value of it in a `computed` field, or the row as a nested section: `uses entity NAME`");
    }
    ("a list of other rows", "show it as a nested section: `uses entity NAME` in a section of its own")
}

/// Resolves a path, with its place.
pub(super) fn placed(it: &mut Lowering<'_>, entity: EntityId, names: &[Name]) -> Option<Placed<Path>> {
    let span = written::span_of(names)?;
    Some(Placed { it: path(it, entity, names)?, span })
}

/// Resolves a path whose values are shown. A currency is shown with its amount, and never alone.
pub(super) fn displayed_path(it: &mut Lowering<'_>, entity: EntityId, names: &[Name]) -> Option<Placed<Path>> {
    let path = placed(it, entity, names)?;
    let Some(amount) = end(it, &path.it).ty.amount() else { return Some(path) };
    let (last, hops) = names.split_last()?;
    let owner = hops.iter().zip(&path.it.hops).fold(entity, |at, (_, hop)| it.entities[at.0].fields[hop.0].ty.target().unwrap_or(at));
    let amount = it.entities[owner.0].fields[amount.0].name.clone();
    it.out.push(
        Diagnostic::error("not-allowed-here", last.span, format!("`{}` is shown and filled in with its amount", last.text))
            .help(format!("name the amount: `{amount}`"))
            .replace(last.span, amount),
    );
    None
}

/// Resolves a path for sorting or filtering. Sensitive fields are refused, because an order or a filter reveals values.
pub(super) fn open(it: &mut Lowering<'_>, entity: EntityId, names: &[Name], verb: &str) -> Option<Placed<Path>> {
    let path = placed(it, entity, names)?;
    let hidden = path.it.fields(&it.entities).position(|field| field.sensitive).and_then(|at| names.get(at));
    let (name, what, help) = match (hidden, end(it, &path.it).ty.incomparable()) {
        (Some(name), _) => (name, "sensitive", "remove it: an order or a filter would disclose its values"),
        (None, Some(what)) => (names.last()?, what, "remove it, or keep the value in a field"),
        (None, None) => return Some(path),
    };
    it.out.push(Diagnostic::error("not-allowed-here", name.span, format!("`{}` is {what} and cannot be {verb}", name.text)).help(help));
    None
}

/// Resolves sort keys.
pub(super) fn sort(it: &mut Lowering<'_>, entity: EntityId, keys: &[(written::Path, bool)]) -> Vec<SortKey> {
    let mut seen = HashMap::new();
    let mut sort = Vec::new();
    for (names, descending) in keys {
        if let Some(path) = open(it, entity, names, "sorted")
            && once(it, &mut seen, names)
        {
            sort.push(SortKey { path: path.it, descending: *descending, span: path.span });
        }
    }
    sort
}

/// Resolves the paths of a list by `resolve`, without duplicates.
pub(super) fn list(
    it: &mut Lowering<'_>,
    paths: &[written::Path],
    mut resolve: impl FnMut(&mut Lowering<'_>, &[Name]) -> Option<Placed<Path>>,
) -> Vec<Placed<Path>> {
    let mut seen = HashMap::new();
    let mut found = Vec::new();
    for names in paths {
        if let Some(path) = resolve(it, names)
            && once(it, &mut seen, names)
        {
            found.push(path);
        }
    }
    found
}

/// True for the first of several equal paths; later ones are reported.
pub(super) fn once(it: &mut Lowering<'_>, seen: &mut HashMap<String, crate::Span>, names: &[Name]) -> bool {
    let Some(span) = written::span_of(names) else { return false };
    collect::once(it, seen, &Name { text: written::text_of(names), span }, |name| format!("`{name}` is named twice"))
}

/// The field at the end of a path.
pub(super) fn end<'l>(it: &'l Lowering<'_>, path: &Path) -> &'l Field {
    let (entity, field) = path.end(&it.entities);
    &it.entities[entity.0].fields[field.0]
}
