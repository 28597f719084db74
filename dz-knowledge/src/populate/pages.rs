//! Surfaces and workspaces.

use std::collections::BTreeSet;

use dz_dsl_file::model::{Audience, EntityId, Model, Region, RoleId, SectionBody, Surface, Word, Workspace, WorkspaceId};
use serde_json::{Value, json};

use super::Populate;
use crate::Kind;

pub(super) fn add(it: &mut Populate<'_>) {
    let model = it.model;
    for surface in &model.surfaces {
        let details = json!({
            "mode": surface.mode.word(),
            "entity": model.entity(surface.entity).name,
            "purpose": surface.purpose,
            "fields": fields(it, surface),
            "declared": surface.declared,
            "access": surface.access.as_ref().map(|it| callers(model, it)),
        });
        it.node(Kind::Surface, &surface.name, &surface.title, surface.span, details);
        let id = Kind::Surface.id(&surface.name);
        for entity in shown_entities(surface) {
            let target = it.entity_id(entity);
            it.relate(&id, "uses", target);
        }
        allow(it, &id, surface.access.as_ref());
    }
    for (at, workspace) in model.workspaces.iter().enumerate() {
        let regions: Vec<Value> = workspace.regions.iter().map(|it| region(model, it)).collect();
        let details = json!({
            "purpose": workspace.purpose,
            "regions": regions,
            "default_for": starting(model, WorkspaceId(at)),
            "access": workspace.access.as_ref().map(|it| callers(model, it)),
        });
        it.node(Kind::Workspace, &workspace.name, &workspace.title, workspace.span, details);
        connect(it, workspace);
        allow(it, &Kind::Workspace.id(&workspace.name), workspace.access.as_ref());
    }
}

fn region(model: &Model, it: &Region) -> Value {
    let sources: Vec<&str> = it.sources.iter().map(|source| model.entity(source.entity).name.as_str()).collect();
    let metrics: Vec<&str> = it.metrics.iter().map(|metric| metric.name.as_str()).collect();
    json!({ "name": it.name, "title": it.title, "display": it.display.word(), "sources": sources, "metrics": metrics })
}

/// The personas that start at a workspace.
fn starting(model: &Model, workspace: WorkspaceId) -> Vec<Value> {
    let personas = model.personas.iter().filter(|it| it.default_workspace.as_ref().is_some_and(|start| start.it == workspace));
    personas.map(|it| json!({ "name": it.name, "title": it.title, "description": it.description })).collect()
}

/// The callers that can open a page.
fn callers(model: &Model, audience: &Audience) -> Value {
    match audience {
        Audience::Public => "public".into(),
        Audience::Authenticated => "authenticated".into(),
        Audience::Personas(personas) => personas.iter().map(|it| model.personas[it.it.0].name.as_str()).collect(),
        Audience::SystemAdmin => json!(["admin"]),
        Audience::TenantAdmin => json!(["admin", "tenant_admin"]),
    }
}

/// The entity of a surface and those of its lists of related rows.
fn shown_entities(surface: &Surface) -> BTreeSet<EntityId> {
    let nested = surface.sections.iter().filter_map(|section| match &section.body {
        SectionBody::Nested(list) => Some(list.entity),
        SectionBody::Fields(_) => None,
    });
    let related = surface.related.iter().flat_map(|related| &related.lists).map(|list| list.entity);
    nested.chain(related).chain([surface.entity]).collect()
}

fn fields(it: &Populate<'_>, surface: &Surface) -> Vec<String> {
    let columns = surface.sections.iter().flat_map(|section| match &section.body {
        SectionBody::Nested(list) => list.columns.as_slice(),
        SectionBody::Fields(columns) => columns.as_slice(),
    });
    let path =
        |path: &dz_dsl_file::model::Path| path.fields(&it.model.entities).map(|field| field.name.as_str()).collect::<Vec<_>>().join(".");
    columns.map(|column| path(&column.path)).collect()
}

fn connect(it: &mut Populate<'_>, workspace: &Workspace) {
    let id = Kind::Workspace.id(&workspace.name);
    for region in &workspace.regions {
        for source in &region.sources {
            let target = it.entity_id(source.entity);
            it.relate_by(&id, "region_source", target, "regions", &region.name);
        }
        for entity in counted(region) {
            let target = it.entity_id(entity);
            it.relate(&id, "uses", target);
        }
    }
}

/// The entities whose rows a region shows or counts.
fn counted(region: &Region) -> BTreeSet<EntityId> {
    let sources = region.sources.iter().map(|source| source.entity);
    sources.chain(region.metrics.iter().flat_map(|metric| metric.entities.iter().copied())).collect()
}

/// A page for some personas denies every other declared persona.
fn allow(it: &mut Populate<'_>, id: &str, audience: Option<&Audience>) {
    let Some(Audience::Personas(named)) = audience else { return };
    for role in (0..it.model.personas.len()).map(RoleId).filter(|role| it.model.personas[role.0].declared) {
        let kind = if named.iter().any(|it| it.it == role) { "allows_persona" } else { "denies_persona" };
        let target = it.persona_id(role);
        it.relate(id, kind, target);
    }
}
