//! Parts of an entity besides fields and access: indexes, descriptions.

use super::{
    Lowering,
    expr::{self, Position},
};
use crate::{
    model::{Archetype, EntityId, FieldId, Index, IndexColumn},
    syntax::{duplicate_key, index::IndexLine},
};

pub(super) fn lower(it: &mut Lowering<'_>) {
    for at in 0..it.entities.len() {
        let id = EntityId(at);
        let Some(declared) = it.declared[at] else { continue };
        let body = &declared.body;
        it.entities[at].was = body.was.as_ref().map(|it| it.text.clone());
        it.entities[at].intent = body.intent.as_ref().map(|it| it.text.clone());
        it.entities[at].domain = body.domain.as_ref().map(|it| it.text.clone());
        it.entities[at].patterns = body.patterns.iter().map(|it| it.text.clone()).collect();
        let archetypes: Vec<&IndexLine> = body
            .extends
            .iter()
            .filter_map(|name| it.archetypes.get(name.text.as_str()))
            .flat_map(|archetype| &archetype.body.indexes)
            .collect();
        let mut own: Vec<Index> = Vec::new();
        for (inherited, line) in archetypes.into_iter().map(|line| (true, line)).chain(body.indexes.iter().map(|line| (false, line))) {
            let Some(index) = index(it, id, line) else { continue };
            let twin = own.iter().find(|other| (&other.columns, &other.rows, other.unique) == (&index.columns, &index.rows, index.unique));
            if let Some(first) = twin {
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
pub(super) fn field(it: &mut Lowering<'_>, id: EntityId, name: &crate::cursor::Name) -> Option<FieldId> {
    let found = it.field_names[id.0].get(&name.text).copied().filter(|at| it.entities[id.0].fields[*at].is_stored());
    match found {
        Some(at) => it.field_used(name.span, id, at),
        None => it.unknown_field("unknown-field", id, name, crate::model::Field::is_stored),
    }
    found.map(FieldId)
}

fn index(it: &mut Lowering<'_>, id: EntityId, line: &IndexLine) -> Option<Index> {
    let columns: Vec<IndexColumn> = line
        .columns
        .iter()
        .filter_map(|(name, descending)| Some(IndexColumn { field: field(it, id, name)?, descending: *descending }))
        .collect();
    let rows = match &line.rows {
        Some(written) => Some(expr::condition(it, Position::Index, id, None, written)?.0),
        None => None,
    };
    (columns.len() == line.columns.len()).then_some(Index { columns, unique: line.unique, rows, span: line.span })
}
