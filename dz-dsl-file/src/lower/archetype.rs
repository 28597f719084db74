//! Semantic archetypes: the archetype of each entity, and the fields that follow from it.

use super::{Lowering, fields};
use crate::{
    Diagnostic, Span,
    model::{Archetype, Auto, EntityId, Expr, Field, FieldId, FieldType, OnDelete, Type, Unique, Word},
    names,
};

/// Sets the archetypes before other passes need the account and the tenant.
pub(super) fn kinds(it: &mut Lowering<'_>) {
    let mut first: Vec<(Archetype, Span)> = Vec::new();
    for at in 0..it.entities.len() {
        let Some(word) = it.declared[at].and_then(|declared| declared.body.kind.as_ref()) else { continue };
        let Some(kind) = Archetype::ALL.iter().copied().find(|kind| kind.word() == word.text) else {
            let known: Vec<String> = Archetype::ALL.iter().map(|kind| kind.word().to_owned()).collect();
            it.unknown_among("unknown-archetype", format!("unknown archetype `{}`", word.text), word.span, &word.text, &known, "");
            continue;
        };
        let once = matches!(kind, Archetype::Tenant | Archetype::User | Archetype::UserMembership);
        if let Some((_, span)) = first.iter().find(|(other, _)| *other == kind && once) {
            it.out.push(
                Diagnostic::error("duplicate-archetype", word.span, format!("a second entity is the `{}` of this application", word.text))
                    .label(*span, "the first one")
                    .help("remove the line from one of them"),
            );
            continue;
        }
        first.push((kind, word.span));
        it.entities[at].kind = Some(kind);
        if kind == Archetype::Tenant {
            it.tenant = Some(EntityId(at));
        }
    }
    if let (true, None, Some(span)) = (it.app.multi_tenant, it.tenant, it.app.span) {
        it.out.push(
            Diagnostic::error("no-tenant", span, "`multi_tenant` needs a tenant, and no entity is one")
                .help("add `archetype: tenant` to the entity that is the tenant, or remove `multi_tenant`"),
        );
    }
    if let (Some(denied), Some((_, tenant))) = (it.one_tenant, first.iter().find(|(kind, _)| *kind == Archetype::Tenant)) {
        it.out.push(
            Diagnostic::error("denied-tenant", denied, "`multi_tenant: false` contradicts an entity with `archetype: tenant`")
                .label(*tenant, "the tenant")
                .help("write `true`, or remove `archetype: tenant` from that entity")
                .replace(denied, "true"),
        );
    }
    for (kind, span) in first {
        if it.tenant.is_none() && matches!(kind, Archetype::TenantSettings | Archetype::UserMembership) {
            it.out.push(
                Diagnostic::error("no-tenant", span, format!("`{}` needs a tenant, and no entity is one", kind.word()))
                    .help("add `archetype: tenant` to the entity that is the tenant"),
            );
        }
    }
}

/// Adds the fields of archetypes that are not declared.
pub(super) fn inject(it: &mut Lowering<'_>) {
    for at in 0..it.entities.len() {
        if it.entities[at].kind == Some(Archetype::UserMembership) {
            membership(it, EntityId(at));
        }
    }
    let Some(tenant) = it.tenant else { return };
    // The fields follow a new name of the tenant's entity. A former name can also be that of a table, which names no field.
    let former = it.declared[tenant.0].and_then(|declared| declared.body.was.as_ref());
    let former_tenant = former.filter(|name| name.text.starts_with(char::is_uppercase)).map(|name| names::snake(&name.text));
    for at in 0..it.entities.len() {
        let id = EntityId(at);
        let outside = matches!(it.entities[at].kind, Some(Archetype::Settings | Archetype::User | Archetype::Tenant));
        if outside || id == it.account {
            continue;
        }
        let name = it.entities[tenant.0].module.clone();
        let (ty, was) = (FieldType::Ref(tenant), former_tenant.as_deref());
        add(it, id, Injected { name: &name, ty, required: true, default: None, auto: Auto::No, was });
        it.entities[at].tenant = it.field_names[at].get(&name).copied().map(FieldId);
        if let Some(field) = it.entities[at].tenant {
            it.entities[at].fields[field.0].required = true;
        }
    }
}

fn membership(it: &mut Lowering<'_>, id: EntityId) {
    let account = it.account;
    let plain = |name, ty, required| Injected { name, ty, required, default: None, auto: Auto::No, was: None };
    add(it, id, plain("user", FieldType::Ref(account), true));
    let none = Expr::Typed(Type::Json, "[]".to_owned());
    add(it, id, Injected { default: Some(none), ..plain("personas", FieldType::Json, true) });
    add(it, id, Injected { default: Some(Expr::Bool(false)), ..plain("is_primary", FieldType::Bool, true) });
    add(it, id, plain("invited_by", FieldType::Ref(account), false));
    add(it, id, Injected { auto: Auto::Add, ..plain("invited_at", FieldType::DateTime, true) });
    add(it, id, plain("accepted_at", FieldType::DateTime, false));
    for name in ["personas", "is_primary", "invited_by"] {
        if let Some(at) = it.field_names[id.0].get(name).copied() {
            it.entities[id.0].fields[at].identity = true;
        }
    }
}

/// A field of an archetype.
struct Injected<'a> {
    name: &'a str,
    ty: FieldType,
    required: bool,
    default: Option<Expr>,
    auto: Auto,
    /// The former name.
    was: Option<&'a str>,
}

fn add(it: &mut Lowering<'_>, id: EntityId, injected: Injected<'_>) {
    if let Some(at) = it.field_names[id.0].get(injected.name).copied() {
        let field = &it.entities[id.0].fields[at];
        let (declared, span) = (field.ty, field.span);
        if declared != injected.ty {
            return wrong_type(it, id, injected.name, injected.ty, span);
        }
        let own = it.written[id.0].iter().any(|written| written.name.text == injected.name && fields::has_default(written));
        let field = &mut it.entities[id.0].fields[at];
        if injected.default.is_some() && !own {
            field.default = injected.default;
            field.required = true;
        }
        return;
    }
    let entity = &mut it.entities[id.0];
    let at = entity.fields.len();
    let required = injected.required;
    entity.fields.push(Field {
        name: injected.name.to_owned(),
        title: names::humanise(injected.name),
        ty: injected.ty,
        required,
        unique: Unique::No,
        auto: injected.auto,
        default: injected.default,
        sensitive: false,
        secret: false,
        identity: false,
        searchable: false,
        indexed: false,
        was: injected.was.map(str::to_owned),
        computed: None,
        on_delete: if required { OnDelete::Restrict } else { OnDelete::Nullify },
        span: entity.span,
        end: entity.span,
    });
    it.field_names[id.0].insert(injected.name.to_owned(), at);
}

/// Reports a declared field with another type than the archetype needs.
pub(super) fn wrong_type(it: &mut Lowering<'_>, id: EntityId, name: &str, needed: FieldType, span: Span) {
    let kind = it.entities[id.0].kind.map_or("tenant", Archetype::word);
    let shown = fields::shown_type(it, needed);
    it.out.push(
        Diagnostic::error("archetype-field-type", span, format!("`{name}` must be `{shown}` in a `{kind}` entity"))
            .help(format!("write `{name}: {shown}`, or remove the line: dz adds the field")),
    );
}

/// The entity of the accounts: the one with this archetype, else the one named `User`.
pub(super) fn account(it: &Lowering<'_>) -> Option<EntityId> {
    let said = it.entities.iter().position(|entity| entity.kind == Some(Archetype::User));
    said.map(EntityId).or_else(|| it.entity_names.get("User").copied())
}
