//! What an entity says besides fields and access: indexes, descriptions.

use super::Lowering;
use crate::{
    model::{ArchetypeKind, EntityId, FieldId, Index, IndexColumn},
    syntax::entity::IndexLine,
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
        for line in archetypes.into_iter().chain(&body.indexes) {
            index(it, id, line);
        }
        once_per_tenant(it, id);
    }
}

/// One row of settings for each tenant, and one membership for each account in it.
fn once_per_tenant(it: &mut Lowering<'_>, id: EntityId) {
    let Some(tenant) = it.entities[id.0].tenant else { return };
    let account = || it.field_names[id.0].get("user").copied().map(FieldId);
    let columns = match it.entities[id.0].kind {
        Some(ArchetypeKind::TenantSettings) => vec![tenant],
        Some(ArchetypeKind::UserMembership) => [tenant].into_iter().chain(account()).collect(),
        _ => return,
    };
    let entity = &mut it.entities[id.0];
    let same =
        |index: &Index| index.unique && index.columns.len() == columns.len() && index.columns.iter().all(|it| columns.contains(&it.field));
    if !entity.indexes.iter().any(same) {
        let columns = columns.into_iter().map(|field| IndexColumn { field, descending: false }).collect();
        entity.indexes.push(Index { columns, unique: true, span: entity.span });
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

fn index(it: &mut Lowering<'_>, id: EntityId, line: &IndexLine) {
    let columns: Vec<IndexColumn> = line
        .columns
        .iter()
        .filter_map(|(name, descending)| Some(IndexColumn { field: field(it, id, name)?, descending: *descending }))
        .collect();
    if columns.len() == line.columns.len() {
        it.entities[id.0].indexes.push(Index { columns, unique: line.unique, span: line.span });
    }
}
