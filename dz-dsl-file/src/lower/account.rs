//! The account entity: the entity with this archetype, else the one named `User`, else one that dz supplies; with the fields that sign-in needs.

use super::{Lowering, archetype, collect};
use crate::{
    FileId, Span,
    model::{Auto, EntityId, EnumId, EnumType, EnumValue, Expr, Field, FieldId, FieldType, OnDelete, Unique},
    names,
};

/// The place of everything that dz supplies.
pub(super) const NOWHERE: Span = Span { file: FileId(0), start: 0, end: 0 };

pub(super) fn supply(it: &mut Lowering<'_>) {
    let id = match archetype::account(it) {
        Some(id) => id,
        None => {
            let id = collect::add_entity(it, "User", "User".to_owned(), None, NOWHERE);
            it.declared.push(None);
            it.written.push(Vec::new());
            it.entities[id.0].declared = false;
            id
        }
    };
    it.entities[id.0].account = true;
    it.account = id;
}

/// The field with the system that knows the password.
const PROVIDER: &str = "auth_provider";

/// An injected field.
struct Injected {
    name: &'static str,
    ty: FieldType,
    required: bool,
    default: Option<Expr>,
    role: Role,
}

/// The purpose of an injected field.
#[derive(PartialEq, Clone, Copy)]
enum Role {
    Plain,
    Secret,
    Identity,
}

/// Adds the fields that are not declared after the declared ones.
pub(super) fn inject(it: &mut Lowering<'_>) {
    let id = it.account;
    let declared_provider = it.field_names[id.0].contains_key(PROVIDER);
    // A declared field keeps its own enum.
    let provider = if declared_provider { EnumId(0) } else { provider_enum(it, id) };
    let add = |name, ty, required, default, role| Injected { name, ty, required, default, role };
    let date = FieldType::DateTime;
    for injected in [
        add("id", FieldType::Uuid, true, None, Role::Plain),
        add("email", FieldType::Email, true, None, Role::Plain),
        add("name", FieldType::Str(120), false, None, Role::Plain),
        add("password_hash", FieldType::Str(255), false, None, Role::Secret),
        add("email_verified", FieldType::Bool, true, Some(Expr::Bool(false)), Role::Identity),
        add("email_verify_token", FieldType::Str(100), false, None, Role::Secret),
        add("password_reset_token", FieldType::Str(100), false, None, Role::Secret),
        add("password_reset_expires", date, false, None, Role::Secret),
        add("is_active", FieldType::Bool, true, Some(Expr::Bool(true)), Role::Identity),
        add("last_login", date, false, None, Role::Identity),
        add(PROVIDER, FieldType::Enum(provider), true, Some(Expr::EnumValue(provider, 0)), Role::Identity),
        add("auth_provider_id", FieldType::Str(255), false, None, Role::Identity),
        add("created_at", date, true, None, Role::Plain),
    ] {
        let has_pk = it.written[id.0].iter().any(|field| super::fields::is_pk(field));
        let declared = it.field_names[id.0].contains_key(injected.name);
        let unneeded = injected.name == "id" && has_pk;
        if !(declared || unneeded) {
            push(it, id, injected);
        }
    }
    for field in &mut it.entities[id.0].fields {
        field.identity |= matches!(field.name.as_str(), "role" | "roles");
        if field.name == "email" {
            field.unique = Unique::Yes;
            field.required = true;
        }
    }
}

fn push(it: &mut Lowering<'_>, id: EntityId, injected: Injected) {
    let entity = &mut it.entities[id.0];
    let at = entity.fields.len();
    if let FieldType::Enum(of) = injected.ty {
        it.enums[of.0].owner = Some((id, FieldId(at)));
    }
    if injected.name == "id" {
        entity.pk = FieldId(at);
    }
    entity.fields.push(Field {
        name: injected.name.to_owned(),
        title: names::humanise(injected.name),
        ty: injected.ty,
        required: injected.required,
        unique: Unique::No,
        auto: if injected.name == "created_at" { Auto::Add } else { Auto::No },
        default: injected.default,
        sensitive: false,
        secret: injected.role == Role::Secret,
        identity: injected.role == Role::Identity,
        searchable: false,
        indexed: false,
        was: None,
        computed: None,
        on_delete: OnDelete::Restrict,
        span: entity.span,
        end: entity.span,
    });
    it.field_names[id.0].insert(injected.name.to_owned(), at);
}

fn provider_enum(it: &mut Lowering<'_>, account: EntityId) -> EnumId {
    let id = EnumId(it.enums.len());
    let span = it.entities[account.0].span;
    let value = |name: &str, title: &str| EnumValue { name: name.to_owned(), title: title.to_owned(), variant: names::variant(name), span };
    it.enums.push(EnumType {
        name: format!("{}AuthProvider", it.entities[account.0].name),
        title: None,
        values: vec![value("local", "Local"), value("google", "Google"), value("microsoft", "Microsoft"), value("github", "GitHub")],
        ordered: false,
        // `push` names the field.
        owner: None,
        span: it.entities[account.0].span,
    });
    id
}
