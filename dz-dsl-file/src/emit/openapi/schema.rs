//! Values of fields as JSON Schema.

use super::super::json::{Json, object};
use crate::model::{ArchetypeKind, Auto, Entity, Field, FieldType, Model};

/// Which way a value goes.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Way {
    In,
    Out,
}

/// The value of a field that has a column or is computed.
pub(super) fn value(model: &Model, field: &Field, way: Way) -> Json {
    let null = match way {
        Way::Out => !field.required || field.sensitive,
        Way::In => !field.required,
    };
    of_type(model, field.ty, way, null)
}

/// A type's values; `null` is one of them or is not.
fn of_type(model: &Model, ty: FieldType, way: Way, null: bool) -> Json {
    let plain = |name: &str| match null {
        true => object! { "type" => vec![name, "null"] },
        false => object! { "type" => name },
    };
    match ty {
        FieldType::Uuid => plain("string").with("format", "uuid"),
        FieldType::Str(n) => plain("string").with("maxLength", i64::from(n)),
        FieldType::Int { .. } => plain("integer").with("format", "int64"),
        FieldType::Float => plain("number"),
        FieldType::Decimal { precision, scale } => match way {
            Way::Out if scale == 0 => plain("string").with("pattern", format!("^-?[0-9]{{1,{precision}}}$")),
            Way::Out => plain("string").with("pattern", format!("^-?[0-9]{{1,{}}}\\.[0-9]{{{scale}}}$", (precision - scale).max(1))),
            Way::In => {
                let mut types = vec!["string", "number"];
                types.extend(null.then_some("null"));
                object! { "type" => types }
            }
        },
        FieldType::Money(Some(currency)) => {
            let amount = match way {
                Way::Out => of_type(model, FieldType::Decimal { precision: 18, scale: currency.digits() }, way, false),
                Way::In => object! { "type" => "string" },
            };
            object! {
                "type" => if null { Json::List(vec!["object".into(), "null".into()]) } else { "object".into() },
                "properties" => object! { "amount" => amount, "currency" => object! { "const" => currency.code() } },
                "required" => vec!["amount", "currency"],
                "additionalProperties" => false,
            }
        }
        FieldType::Bool => plain("boolean"),
        FieldType::Date => plain("string").with("format", "date"),
        FieldType::DateTime => plain("string").with("format", "date-time"),
        FieldType::Enum(id) => {
            let names = model.enums[id.0].values.iter().map(|value| value.name.as_str());
            let choices = object! { "type" => "string", "enum" => names.collect::<Vec<_>>() };
            match null {
                true => object! { "anyOf" => Json::List(vec![choices, object! { "type" => "null" }]) },
                false => choices,
            }
        }
        FieldType::Json => object! {},
        FieldType::Email => plain("string").with("format", "email").with("maxLength", 254),
        FieldType::Url => plain("string").with("format", "uri").with("maxLength", 2_048),
        FieldType::Slug => plain("string").with("pattern", "^[a-z0-9-]+$"),
        FieldType::Text | FieldType::Timezone | FieldType::Money(None) => plain("string"),
        FieldType::File { .. } => file(way, null),
        FieldType::Ref(target) => {
            let target = model.entity(target);
            of_type(model, target.fields[target.pk.0].ty, way, null)
        }
        FieldType::HasMany { .. } | FieldType::ManyToMany { .. } => {
            object! { "type" => "array", "items" => object! { "type" => "object" } }
        }
        FieldType::HasOne { .. } => object! { "type" => vec!["object", "null"] },
    }
}

/// A stored file; it is given by what the upload answered, or by its identifier alone.
fn file(way: Way, null: bool) -> Json {
    let it = super::refer("schemas", if way == Way::Out { "StoredFile" } else { "GivenFile" });
    if null {
        object! { "anyOf" => Json::List(vec![it, object! { "type" => "null" }]) }
    } else {
        it
    }
}

/// The key of an entity.
pub(super) fn key(model: &Model, entity: &Entity) -> Json {
    of_type(model, entity.fields[entity.pk.0].ty, Way::Out, false)
}

/// A field of an answer: a reference may be expanded, to null where its row is out of sight; relations are there only then.
pub(super) fn shown(model: &Model, field: &Field) -> Json {
    let value = value(model, field, Way::Out);
    match field.ty {
        FieldType::Ref(_) => object! { "anyOf" => Json::List(vec![value, object! { "type" => vec!["object", "null"] }]) },
        _ => value,
    }
}

/// True for a field that people write.
pub(super) fn writable(entity: &Entity, field: &Field) -> bool {
    let given = std::ptr::eq(field, &entity.fields[entity.pk.0]) && matches!(field.ty, FieldType::Uuid | FieldType::Int { .. });
    // The tenant is the active one, whoever writes; only for memberships administrators of the whole system name one.
    let tenant = entity.kind != Some(ArchetypeKind::UserMembership)
        && entity.tenant.is_some_and(|tenant| std::ptr::eq(field, &entity.fields[tenant.0]));
    field.is_stored() && !field.secret && field.auto == Auto::No && !given && !tenant
}

/// True for a field without which there is no new row.
pub(super) fn needed(field: &Field) -> bool {
    field.required && field.default.is_none() && !matches!(field.ty, FieldType::Bool)
}
