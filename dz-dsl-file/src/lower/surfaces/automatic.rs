//! Surfaces of semantic archetypes: the settings, the tenants, the accounts, the memberships.

use super::columns;
use crate::{
    Span,
    lower::{Lowering, expr, page_names::SurfaceHead},
    model::{
        Archetype, Audience, Auto, Column, Entity, EntityId, FieldId, ListUx, Mode, Path, Placed, Priority, Section, SectionBody, SortKey,
        Surface, SurfaceId, Word as _,
    },
    names,
};

/// The fields of an account for sign-in; the others are in the first section.
const SIGN_IN: &[&str] = &["is_active", "email_verified", "auth_provider", "auth_provider_id", "last_login", "created_at"];
/// The fields of a membership about its invitation.
const INVITATION: &[&str] = &["invited_by", "invited_at", "accepted_at"];
/// Fields for sign-in that are also useful in a list.
const LISTED: &[&str] = &["is_active", "last_login"];
/// Fields that cannot change.
const FIXED: &[&str] = &["auth_provider", "auth_provider_id"];

/// A surface of an archetype, unless a declared one has its name.
struct Automatic {
    name: String,
    mode: Mode,
    entity: EntityId,
    kind: Archetype,
    /// The word after `archetype:`.
    span: Span,
}

/// The surfaces of the archetypes, in the order of the entities.
fn all(it: &Lowering<'_>) -> Vec<Automatic> {
    let mut found = Vec::new();
    for (at, entity) in it.entities.iter().enumerate() {
        let word = it.declared[at].and_then(|declared| declared.body.kind.as_ref());
        let (Some(kind), Some(word)) = (entity.kind, word) else { continue };
        let surfaces = match kind {
            Archetype::Settings | Archetype::TenantSettings => vec![(format!("{}_settings", entity.module), Mode::Edit)],
            Archetype::Tenant => vec![(format!("{}_admin", entity.module), Mode::List)],
            Archetype::User => Mode::ALL.iter().map(|mode| (format!("user_{}", mode.word()), *mode)).collect(),
            Archetype::UserMembership => [("user_membership_list", Mode::List), ("user_membership_edit", Mode::Edit)]
                .map(|(name, mode)| (name.to_owned(), mode))
                .into(),
        };
        found.extend(surfaces.into_iter().map(|(name, mode)| Automatic { name, mode, entity: EntityId(at), kind, span: word.span }));
    }
    found
}

/// Adds their names after the declared ones; a declared surface with the same name replaces one.
pub(super) fn collect(it: &mut Lowering<'_>) {
    for automatic in all(it) {
        if !it.surface_names.contains_key(&automatic.name) {
            it.surface_names.insert(automatic.name, SurfaceId(it.surface_heads.len()));
            it.surface_heads.push(SurfaceHead { entity: Some(automatic.entity), mode: Some(automatic.mode), span: automatic.span });
        }
    }
}

/// Lowers their contents, and the addresses of the declared surfaces that replace them.
pub(super) fn lower(it: &mut Lowering<'_>) {
    for automatic in all(it) {
        let Some(head) = it.surface_names.get(&automatic.name).map(|id| &it.surface_heads[id.0]) else { continue };
        if head.span == automatic.span {
            let surface = surface(it, automatic);
            it.surfaces.push(surface);
            continue;
        }
        let route = route(it, &automatic);
        let stands_in = |it: &&mut Surface| (&it.name, it.entity, it.mode) == (&automatic.name, automatic.entity, automatic.mode);
        if let Some(declared) = it.surfaces.iter_mut().find(stands_in) {
            declared.route = route;
        }
    }
}

fn route(it: &Lowering<'_>, automatic: &Automatic) -> Option<String> {
    let module = &it.entities[automatic.entity.0].module;
    match automatic.kind {
        Archetype::Settings => Some(format!("/admin/settings/{module}")),
        Archetype::Tenant => Some("/admin/tenants".to_owned()),
        Archetype::TenantSettings => Some(format!("/settings/{module}")),
        Archetype::User | Archetype::UserMembership => None,
    }
}

fn surface(it: &Lowering<'_>, automatic: Automatic) -> Surface {
    let entity = &it.entities[automatic.entity.0];
    let access = if automatic.kind == Archetype::TenantSettings { Audience::TenantAdmin } else { Audience::SystemAdmin };
    Surface {
        title: match automatic.mode {
            Mode::List => entity.title_plural.clone(),
            Mode::View => entity.title.clone(),
            Mode::Create => format!("New {}", names::within(&entity.title)),
            Mode::Edit if automatic.kind.is_singleton() => entity.title.clone(),
            Mode::Edit => format!("Edit {}", names::within(&entity.title)),
        },
        entity: automatic.entity,
        entity_span: automatic.span,
        mode: automatic.mode,
        route: route(it, &automatic),
        access: Some(access),
        priority: Priority::Low,
        sections: sections(it, &automatic),
        actions: Vec::new(),
        related: Vec::new(),
        purpose: None,
        ux: list_ux(entity, &automatic),
        attention: Vec::new(),
        variants: Vec::new(),
        declared: false,
        span: automatic.span,
        name: automatic.name,
    }
}

fn sections(it: &Lowering<'_>, automatic: &Automatic) -> Vec<Section> {
    let entity = &it.entities[automatic.entity.0];
    let name = |column: &Column| entity.fields[column.path.field.0].name.as_str();
    let (title, apart): (_, &[&str]) = match automatic.kind {
        Archetype::User => (("sign_in", "Signing in"), SIGN_IN),
        Archetype::UserMembership => (("invitation", "Invitation"), INVITATION),
        Archetype::Settings | Archetype::Tenant | Archetype::TenantSettings => (("main", ""), &[]),
    };
    let (mut second, mut first): (Vec<_>, Vec<_>) = columns_of(it, automatic).into_iter().partition(|column| apart.contains(&name(column)));
    // The columns are in the order of the list of names.
    second.sort_by_key(|column| apart.iter().position(|it| *it == name(column)));
    // The owner of a row precedes the fields of the application.
    let brought = |column: &Column| !entity.has_written(&entity.fields[column.path.field.0]);
    if !apart.is_empty() {
        first.sort_by_key(|column| !brought(column));
    }
    if automatic.mode == Mode::List {
        second.retain(|column| automatic.kind != Archetype::User || LISTED.contains(&name(column)));
        first.append(&mut second);
    }
    let section = |name: &str, title: Option<String>, columns| Section {
        name: name.to_owned(),
        title,
        note: None,
        body: SectionBody::Fields(columns),
        span: automatic.span,
    };
    let mut sections = vec![section("main", None, first)];
    if !second.is_empty() {
        sections.push(section(title.0, Some(title.1.to_owned()), second));
    }
    sections
}

/// The fields that the mode can show or write, including those that confer identity, because only administrators of the
/// system use these pages.
fn columns_of(it: &Lowering<'_>, automatic: &Automatic) -> Vec<Column> {
    let entity = &it.entities[automatic.entity.0];
    let mut columns = columns::default(it, automatic.entity, automatic.mode, automatic.span);
    if !automatic.mode.writes() {
        return columns;
    }
    for (at, field) in entity.fields.iter().enumerate().filter(|(_, field)| field.identity && !field.secret && field.auto == Auto::No) {
        // A new account has not signed in.
        if field.name != "last_login" || automatic.mode == Mode::Edit {
            columns.push(columns::plain(expr::own(automatic.entity, at), field.title.clone(), automatic.span));
        }
    }
    columns.sort_by_key(|column| column.path.field);
    for column in &mut columns {
        let field = &entity.fields[column.path.field.0];
        let fixed = match automatic.kind {
            Archetype::User => FIXED.contains(&field.name.as_str()),
            Archetype::UserMembership => matches!(field.name.as_str(), "user" | "invited_by"),
            Archetype::Settings | Archetype::Tenant | Archetype::TenantSettings => false,
        };
        column.read_only = fixed && automatic.mode == Mode::Edit || field.name == "last_login" && automatic.kind == Archetype::User;
    }
    columns
}

fn list_ux(entity: &Entity, automatic: &Automatic) -> ListUx {
    if automatic.mode != Mode::List {
        return ListUx::default();
    }
    let path = |at: usize| expr::own(automatic.entity, at);
    let open = |name: &str| entity.fields.iter().position(|field| field.name == name && field.is_stored() && !field.sensitive);
    let label = entity.label.field().map(|FieldId(at)| at);
    let label = label.filter(|at| !entity.fields[*at].sensitive && entity.fields[*at].is_stored());
    let placed = |at: usize| Placed { it: path(at), span: automatic.span };
    let key = |path: Path, descending| SortKey { path, descending, span: automatic.span };
    let (sort, filter, search) = match automatic.kind {
        Archetype::User => (open("email").map(|at| (at, false)), open("is_active"), vec![open("email"), open("name"), label]),
        Archetype::UserMembership => (open("invited_at").map(|at| (at, true)), open("user"), Vec::new()),
        Archetype::Settings | Archetype::Tenant | Archetype::TenantSettings => (label.map(|at| (at, false)), None, vec![label]),
    };
    let mut search: Vec<usize> = search.into_iter().flatten().filter(|at| entity.fields[*at].ty.is_text()).collect();
    search.sort_unstable();
    search.dedup();
    ListUx {
        show: Vec::new(),
        sort: sort.map(|(at, descending)| key(path(at), descending)).into_iter().collect(),
        filter: filter.map(placed).into_iter().collect(),
        search: search.into_iter().map(placed).collect(),
        empty: None,
    }
}
