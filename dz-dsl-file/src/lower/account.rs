//! The account entity: the one with `archetype: user`, else the one named `User`, else one that dz supplies; and the fields that
//! sign-in needs.

use super::{Lowering, archetype, collect, fields};
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

/// Adds the fields that are not declared after the declared ones, and gives the declared ones their purpose.
pub(super) fn inject(it: &mut Lowering<'_>) {
    let id = it.account;
    let provider = provider(it, id);
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
        add(PROVIDER, FieldType::Enum(provider.0), true, Some(Expr::EnumValue(provider.0, provider.1)), Role::Identity),
        add("auth_provider_id", FieldType::Str(255), false, None, Role::Identity),
        add("created_at", date, true, None, Role::Plain),
    ] {
        let has_pk = it.written[id.0].iter().any(|field| fields::is_pk(field));
        let unneeded = injected.name == "id" && has_pk;
        match it.field_names[id.0].get(injected.name).copied() {
            Some(at) => adopt(it, id, FieldId(at), injected),
            None if unneeded => {}
            None => push(it, id, injected),
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

/// Gives a declared field the purpose of the injected one, and its default if it has none. A field of another type is an error.
fn adopt(it: &mut Lowering<'_>, id: EntityId, at: FieldId, injected: Injected) {
    let (declared, span) = (it.entities[id.0].fields[at.0].ty, it.entities[id.0].fields[at.0].span);
    let fits = if injected.name == "id" {
        true
    } else if matches!(injected.name, "email" | "name") {
        // Sign-in compares and shows these two as texts.
        declared.is_free_text() || declared == FieldType::Email
    } else {
        declared.includes(injected.ty)
    };
    if !fits {
        return archetype::wrong_type(it, id, injected.name, injected.ty, span);
    }
    let field = &mut it.entities[id.0].fields[at.0];
    field.secret |= injected.role == Role::Secret;
    field.identity |= injected.role == Role::Identity;
    // A default is lowered later, from the text.
    let has_default = it.written[id.0].iter().any(|written| written.name.text == injected.name && fields::has_default(written));
    if injected.default.is_some() && !has_default {
        field.default = injected.default;
        field.required = true;
    }
}

fn push(it: &mut Lowering<'_>, id: EntityId, injected: Injected) {
    let entity = &mut it.entities[id.0];
    let at = entity.fields.len();
    if let Some(of) = injected.ty.enumeration() {
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

/// The names of the providers.
const PROVIDERS: [(&str, &str); 4] = [("local", "Local"), ("google", "Google"), ("microsoft", "Microsoft"), ("github", "GitHub")];

/// The enum of the providers, and its value for passwords: that of a declared field with these values, else one that dz supplies.
fn provider(it: &mut Lowering<'_>, account: EntityId) -> (EnumId, usize) {
    let declared = it.field_names[account.0].get(PROVIDER).map(|at| it.entities[account.0].fields[*at].ty);
    if let Some(id) = declared.and_then(FieldType::enumeration) {
        let place = |name: &str| it.enums[id.0].values.iter().position(|value| value.name == name);
        if let (Some(local), true) = (place("local"), PROVIDERS.iter().all(|(name, _)| place(name).is_some())) {
            return (id, local);
        }
    }
    (provider_enum(it, account), 0)
}

fn provider_enum(it: &mut Lowering<'_>, account: EntityId) -> EnumId {
    let id = EnumId(it.enums.len());
    let span = it.entities[account.0].span;
    let value = |name: &str, title: &str| EnumValue { name: name.to_owned(), title: title.to_owned(), variant: names::variant(name), span };
    it.enums.push(EnumType {
        name: format!("{}AuthProvider", it.entities[account.0].name),
        title: None,
        values: PROVIDERS.iter().map(|(name, title)| value(name, title)).collect(),
        ordered: false,
        // `push` names the field.
        owner: None,
        span: it.entities[account.0].span,
    });
    id
}
