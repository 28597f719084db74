//! Parts of an entity besides fields and access: indexes, descriptions.

use super::{
    Lowering,
    expr::{self, Position},
};
use crate::{
    Diagnostic,
    cursor::Name,
    model::{Archetype, EntityId, FieldId, Index, IndexColumn},
    syntax::{duplicate_key, index::IndexLine},
};

pub(super) fn lower(it: &mut Lowering<'_>) {
    let mut elsewhere: Vec<(EntityId, Index)> = Vec::new();
    for at in 0..it.entities.len() {
        let id = EntityId(at);
        let Some(declared) = it.declared[at] else { continue };
        let body = &declared.body;
        it.entities[at].was = body.was.as_ref().map(|it| it.text.clone());
        it.entities[at].intent = body.intent.as_ref().map(|it| it.text.clone());
        it.entities[at].domain = body.domain.as_ref().map(|it| it.text.clone());
        it.entities[at].patterns = body.patterns.iter().map(|it| it.text.clone()).collect();
        let archetypes: Vec<&IndexLine> = it.lineage(body).into_iter().flat_map(|archetype| &archetype.body.indexes).collect();
        let mut own: Vec<Index> = Vec::new();
        for (inherited, line) in archetypes.into_iter().map(|line| (true, line)).chain(body.indexes.iter().map(|line| (false, line))) {
            let Some(index) = index(it, id, line, &mut elsewhere) else { continue };
            // A path alone is an index of the other entity; a reference has an index of its own.
            if let [(path, _)] = line.columns.as_slice()
                && path.len() > 1
            {
                continue;
            }
            if let Some(first) = own.iter().find(|other| is_twin(other, &index)) {
                duplicate_key(&line.keyword, first.span, &mut it.out);
                continue;
            }
            own.extend((!inherited).then(|| index.clone()));
            it.entities[at].indexes.push(index);
        }
        for name in &body.no_index {
            let refused = field(it, id, name);
            it.entities[at].no_index.extend(refused);
        }
        once_per_tenant(it, id);
    }
    for (target, index) in elsewhere {
        let indexes = &mut it.entities[target.0].indexes;
        if !indexes.iter().any(|other| is_twin(other, &index)) {
            indexes.push(index);
        }
    }
}

fn is_twin(one: &Index, other: &Index) -> bool {
    (&one.columns, &one.rows, one.unique) == (&other.columns, &other.rows, other.unique)
}

/// Adds unique indexes: one row of settings for each tenant, and one membership for each account in it.
fn once_per_tenant(it: &mut Lowering<'_>, id: EntityId) {
    let Some(tenant) = it.entities[id.0].tenant else { return };
    let account = || it.field_names[id.0].get("user").copied().map(FieldId);
    let columns = match it.entities[id.0].kind {
        Some(Archetype::TenantSettings) => vec![tenant],
        Some(Archetype::UserMembership) => [tenant].into_iter().chain(account()).collect(),
        _ => return,
    };
    let entity = &mut it.entities[id.0];
    let same = |index: &Index| {
        index.unique
            && index.rows.is_none()
            && index.columns.len() == columns.len()
            && index.columns.iter().all(|it| columns.contains(&it.field))
    };
    if !entity.indexes.iter().any(same) {
        let columns = columns.into_iter().map(|field| IndexColumn { field, descending: false }).collect();
        entity.indexes.push(Index { columns, unique: true, rows: None, span: entity.span });
    }
}

/// A stored field by name, or a report.
pub(super) fn field(it: &mut Lowering<'_>, id: EntityId, name: &Name) -> Option<FieldId> {
    let found = it.field_names[id.0].get(&name.text).copied().filter(|at| it.entities[id.0].fields[*at].is_stored());
    match found {
        Some(at) => it.field_used(name.span, id, at),
        None => it.unknown_field("unknown-field", id, name, crate::model::Field::is_stored),
    }
    found.map(FieldId)
}

/// The index of a line. A path over references adds the reference, and an index `elsewhere` over the field at its end.
fn index(it: &mut Lowering<'_>, id: EntityId, line: &IndexLine, elsewhere: &mut Vec<(EntityId, Index)>) -> Option<Index> {
    let mut columns: Vec<IndexColumn> = Vec::new();
    let mut complete = true;
    for (path, descending) in &line.columns {
        let (column, twice) = match path.as_slice() {
            [name] => (compared_field(it, id, name).map(|field| IndexColumn { field, descending: *descending }), true),
            _ => (over_reference(it, id, line, (path, *descending), elsewhere), false),
        };
        complete &= column.is_some();
        columns.extend(column.filter(|column| twice || !columns.contains(column)));
    }
    let rows = match &line.rows {
        Some(written) => Some(expr::condition(it, Position::Index, id, None, written)?.0),
        None => None,
    };
    complete.then_some(Index { columns, unique: line.unique, rows, span: line.span })
}

/// The field of an index, which compares it.
fn compared_field(it: &mut Lowering<'_>, id: EntityId, name: &Name) -> Option<FieldId> {
    let at = field(it, id, name)?;
    let found = &it.entities[id.0].fields[at.0];
    if !found.ty.is_file() {
        return Some(at);
    }
    let message = format!("`{}` is a file, which is never compared", name.text);
    let wrong = Diagnostic::error("not-allowed-here", name.span, message).label(found.span, "declared here");
    it.out.push(wrong.help("name a field of another type"));
    None
}

/// The column of a reference that a path follows; the field at the end of the path gets an index of its own.
fn over_reference(
    it: &mut Lowering<'_>,
    id: EntityId,
    line: &IndexLine,
    (path, descending): (&[Name], bool),
    elsewhere: &mut Vec<(EntityId, Index)>,
) -> Option<IndexColumn> {
    let (first, rest) = path.split_first()?;
    if line.unique {
        let found = Diagnostic::error("not-allowed-here", first.span, "a `unique` line compares fields of its own entity only");
        it.out.push(found.help(format!("name a field of the entity, such as the reference `{}`", first.text)));
        return None;
    }
    let reference = field(it, id, first)?;
    let (mut at, mut last, mut name) = (id, reference, first);
    for next in rest {
        let Some(target) = it.entities[at.0].fields[last.0].ty.target() else {
            let message = format!("`{}` is not a reference and cannot be followed", name.text);
            let found = Diagnostic::error("hop-through-non-ref", name.span, message);
            it.out.push(found.help("write only the field; only `ref` and `belongs_to` fields can be followed by a dot"));
            return None;
        };
        (at, name) = (target, next);
        last = compared_field(it, at, next)?;
    }
    let columns = vec![IndexColumn { field: last, descending }];
    elsewhere.push((at, Index { columns, unique: false, rows: None, span: line.span }));
    Some(IndexColumn { field: reference, descending: false })
}
