//! Values of fields as JSON Schema.

use crate::{
    Api, Entity, Field, Kind,
    document::refer,
    json::{Json, object},
};

/// The direction of a value: in a request or in a response.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Way {
    In,
    Out,
}

/// The schema of a stored or computed field.
pub(crate) fn value(api: &Api, field: &Field, way: Way) -> Json {
    let null = match way {
        Way::Out => !field.required || field.sensitive,
        Way::In => !field.required,
    };
    kind_schema(api, &field.kind, way, null)
}

/// The value with which a filter compares the field: for an amount, its number.
pub(crate) fn filter_value(api: &Api, field: &Field) -> Json {
    if field.kind.is_amount() {
        return object! { "type" => "string", "pattern" => "^-?[0-9]+(\\.[0-9]+)?$" };
    }
    value(api, field, Way::Out)
}

/// The schema of a kind; `null` states whether null is allowed.
fn kind_schema(api: &Api, kind: &Kind, way: Way, null: bool) -> Json {
    let plain = |name: &str| match null {
        true => object! { "type" => vec![name, "null"] },
        false => object! { "type" => name },
    };
    match kind {
        Kind::Uuid => plain("string").with("format", "uuid"),
        Kind::Str(length) => plain("string").with("maxLength", i64::from(*length)),
        Kind::Int => plain("integer").with("format", "int64"),
        Kind::Float => plain("number"),
        Kind::Decimal { precision, scale } => match way {
            Way::Out if *scale == 0 => plain("string").with("pattern", format!("^-?[0-9]{{1,{precision}}}$")),
            Way::Out => plain("string").with("pattern", format!("^-?[0-9]{{1,{}}}\\.[0-9]{{{scale}}}$", (precision - scale).max(1))),
            Way::In => {
                let mut types = vec!["string", "number"];
                types.extend(null.then_some("null"));
                object! { "type" => types }
            }
        },
        Kind::Money { code, digits } => {
            let amount = kind_schema(api, &Kind::Decimal { precision: 18, scale: *digits }, Way::Out, false);
            money(way, null, amount, object! { "const" => *code })
        }
        Kind::Amount => {
            let amount = object! { "type" => "string", "pattern" => "^-?[0-9]{1,14}(\\.[0-9]{1,4})?$" };
            money(way, null, amount, kind_schema(api, &Kind::Currency, way, false))
        }
        Kind::Currency => plain("string").with("pattern", "^[A-Z]{3}$"),
        Kind::Bool => plain("boolean"),
        Kind::Date => plain("string").with("format", "date"),
        Kind::DateTime => plain("string").with("format", "date-time"),
        Kind::Enum(values) => {
            let choices = object! { "type" => "string", "enum" => values.clone() };
            match null {
                true => object! { "anyOf" => Json::List(vec![choices, object! { "type" => "null" }]) },
                false => choices,
            }
        }
        Kind::Json => object! {},
        Kind::Email => plain("string").with("format", "email").with("maxLength", 254),
        Kind::Url => plain("string").with("format", "uri").with("maxLength", 2_048),
        Kind::Slug => plain("string").with("pattern", "^[a-z0-9-]+$"),
        Kind::Text => plain("string"),
        Kind::File => file(way, null),
        Kind::Ref(target) => kind_schema(api, &api.entities[*target].key().kind, way, null),
        Kind::Many => object! { "type" => "array", "items" => object! { "type" => "object" } },
        Kind::One => object! { "type" => vec!["object", "null"] },
    }
}

/// An amount with its currency; in a request it can have fewer digits than the currency.
fn money(way: Way, null: bool, shown: Json, currency: Json) -> Json {
    let amount = if way == Way::Out {
        shown
    } else {
        object! { "type" => "string" }
    };
    object! {
        "type" => if null { Json::List(vec!["object".into(), "null".into()]) } else { "object".into() },
        "properties" => object! { "amount" => amount, "currency" => currency },
        "required" => vec!["amount", "currency"],
        "additionalProperties" => false,
    }
}

/// A stored file; a request contains the response of the upload, or only its identifier.
fn file(way: Way, null: bool) -> Json {
    let it = refer("schemas", if way == Way::Out { "StoredFile" } else { "GivenFile" });
    if null {
        object! { "anyOf" => Json::List(vec![it, object! { "type" => "null" }]) }
    } else {
        it
    }
}

/// The key of an entity.
pub(crate) fn key(api: &Api, entity: &Entity) -> Json {
    kind_schema(api, &entity.key().kind, Way::Out, false)
}

/// The value of a field in a response: a reference can be expanded, to null if the caller cannot see its row; relations are only present
/// if they are expanded.
pub(crate) fn answer_value(api: &Api, field: &Field) -> Json {
    let value = value(api, field, Way::Out);
    if field.kind.is_ref() {
        return object! { "anyOf" => Json::List(vec![value, object! { "type" => vec!["object", "null"] }]) };
    }
    value
}

/// The fields that callers can write.
pub(crate) fn writable<'e, 'a>(entity: &'e Entity<'a>) -> impl Iterator<Item = &'e Field<'a>> {
    let written = entity.fields.iter().enumerate().filter(|(at, field)| {
        let made = *at == entity.key && (field.kind == Kind::Uuid || field.kind == Kind::Int);
        // The tenant is the active one; only memberships can have another one, which administrators of the whole system set.
        let tenant = !entity.membership && entity.tenant == Some(*at);
        field.is_stored() && field.is_member() && !field.auto && !made && !tenant
    });
    written.map(|(_, field)| field)
}

/// True for a field that a new row requires.
pub(crate) fn needed(field: &Field) -> bool {
    field.required && !field.default && field.kind != Kind::Bool
}
