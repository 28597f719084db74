//! The validation of responses and of form input.

use dz_dsl_file::model::{Entity, Field, FieldType, Model};

use super::{code, has_fallback, response_fields, sent, types};
use crate::names;

pub(super) fn write(model: &Model, entity: &Entity) -> String {
    let (name, variable) = (code::entity(entity), code::variable(entity));
    let key = &entity.fields[entity.pk.0].name;
    let rows: String = response_fields(entity)
        .map(|field| {
            let null = (!field.required || field.sensitive) && field.name != *key && types::type_of(model, field) != "unknown";
            format!("  {}: {}{},\n", code::member(&field.name), stored(model, field), if null { ".nullable()" } else { "" })
        })
        .collect();
    let input: String = sent(entity)
        .map(|field| {
            let null = if field.required || types::type_of(model, field) == "unknown" { "" } else { ".nullable()" };
            format!("  {}: {}{null},\n", code::member(&field.name), entered(model, field))
        })
        .collect();
    let optional: Vec<String> = sent(entity)
        .filter(|field| !field.required || has_fallback(field))
        .map(|field| format!("{}: true", code::member(&field.name)))
        .collect();
    let new = match optional.is_empty() {
        true => format!("export const new{name}: z.ZodType<New{name}> = {variable}Input;\n"),
        false => {
            let members: String = optional.iter().map(|member| format!("  {member},\n")).collect();
            format!("export const new{name}: z.ZodType<New{name}> = {variable}Input.partial({{\n{members}}});\n")
        }
    };
    let body = format!(
        "/** A row in a response. */\nexport const {variable}Row: z.ZodType<{name}> = z.object({{\n{rows}}});\n\n/** The fields that \
         a caller can enter. */\nexport const {variable}Input = z.object({{\n{input}}}) satisfies z.ZodType<{name}Input>;\n\n/** A new row. \
         */\n{new}"
    );
    let used = body.replace('.', ".\u{0}");
    let has = |word: &str| used.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '\u{0}')).any(|it| it == word);
    // A field can have the name of a function.
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let is_called = |kind: &str| body.match_indices(&format!("{kind}(")).any(|(at, _)| !body[..at].ends_with(is_part));
    let kinds = KINDS
        .iter()
        .filter(|kind| if kind.starts_with("stored") { has(kind) } else { is_called(kind) })
        .map(|kind| (*kind).to_owned())
        .collect();
    let values = model.enums.iter().map(|of| code::values(model, of)).filter(|values| has(values)).collect();
    let types = [name.clone(), format!("New{name}"), format!("{name}Input")].into();
    format!(
        "import {{ z }} from \"zod\";\n{}{}{}\n{body}",
        code::import("import", kinds, "../api/kinds"),
        code::import("import", values, "../choices"),
        code::import("import type", types, &format!("../types/{}", names::file(entity))),
    )
}

/// The functions and constants of `api/kinds.ts`.
const KINDS: &[&str] = &[
    "bool",
    "choice",
    "date",
    "decimal",
    "email",
    "float",
    "int",
    "json",
    "key",
    "money",
    "requiredJson",
    "requiredText",
    "slug",
    "storedFile",
    "storedMoney",
    "text",
    "timestamp",
    "timezone",
    "url",
];

fn stored(model: &Model, field: &Field) -> String {
    match names::column_type(model, field.ty) {
        FieldType::Int { .. } | FieldType::Float => "z.number()".to_owned(),
        FieldType::Bool => "z.boolean()".to_owned(),
        FieldType::Enum(id) => format!("z.enum({})", code::values(model, &model.enums[id.0])),
        FieldType::Json => "z.unknown()".to_owned(),
        FieldType::Money(_) => "storedMoney".to_owned(),
        FieldType::File { .. } => "storedFile".to_owned(),
        FieldType::Uuid
        | FieldType::Str(_)
        | FieldType::Text
        | FieldType::Decimal { .. }
        | FieldType::Date
        | FieldType::DateTime
        | FieldType::Email
        | FieldType::Url
        | FieldType::Timezone
        | FieldType::Slug
        | FieldType::Currency { .. }
        | FieldType::Ref(_)
        | FieldType::HasMany { .. }
        | FieldType::HasOne { .. }
        | FieldType::ManyToMany { .. } => "z.string()".to_owned(),
    }
}

pub(super) fn entered(model: &Model, field: &Field) -> String {
    let text = |limit: &str| match field.required {
        true => format!("requiredText({limit})"),
        false => format!("text({limit})"),
    };
    match names::column_type(model, field.ty) {
        FieldType::Str(limit) => text(&limit.to_string()),
        FieldType::Text => text(""),
        FieldType::Int { .. } => "int()".to_owned(),
        FieldType::Float => "float()".to_owned(),
        FieldType::Decimal { precision, scale } => format!("decimal({precision}, {scale})"),
        FieldType::Money(Some(currency)) => format!("money({}, {})", currency.digits(), code::literal(currency.code())),
        FieldType::Money(None) => "money(4)".to_owned(),
        FieldType::Bool => "bool()".to_owned(),
        FieldType::Date => "date()".to_owned(),
        FieldType::DateTime => "timestamp()".to_owned(),
        FieldType::Enum(id) => format!("choice({})", code::values(model, &model.enums[id.0])),
        FieldType::Json if field.required => "requiredJson()".to_owned(),
        FieldType::Json => "json()".to_owned(),
        FieldType::Email => "email()".to_owned(),
        FieldType::Url => "url()".to_owned(),
        FieldType::Timezone => "timezone()".to_owned(),
        FieldType::Slug => "slug()".to_owned(),
        FieldType::Uuid
        | FieldType::Ref(_)
        | FieldType::File { .. }
        | FieldType::Currency { .. }
        | FieldType::HasMany { .. }
        | FieldType::HasOne { .. }
        | FieldType::ManyToMany { .. } => "key()".to_owned(),
    }
}
