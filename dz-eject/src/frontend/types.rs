//! The types of rows, in the forms of the API.

use dz_dsl_file::model::{Entity, Field, FieldType, Model};

use super::{code, has_fallback, response_fields, sent};
use crate::names;

/// The enumerations.
pub(super) fn choices(model: &Model) -> String {
    let mut text = "/** The closed sets of values of fields, with their titles. */\n".to_owned();
    for of in &model.enums {
        let (name, values) = (code::choice(model, of), code::values(model, of));
        let titles = values.replace("_VALUES", "_TITLES");
        let items: Vec<String> = of.values.iter().map(|value| code::literal(&value.name)).collect();
        text.push('\n');
        text.push_str(&code::list(&format!("export const {values} = ["), &items, "] as const;"));
        text.push_str(&format!(
            "\nexport type {name} = (typeof {values})[number];\n\nexport const {titles}: {{ [Value in {name}]: string }} = {{\n"
        ));
        for value in &of.values {
            text.push_str(&format!("  {}: {},\n", code::member(&value.name), code::literal(&value.title)));
        }
        text.push_str("};\n");
    }
    if model.enums.is_empty() {
        text.push_str("export {};\n");
    }
    text
}

/// The types of an entity.
pub(super) fn write(model: &Model, entity: &Entity) -> String {
    let name = code::entity(entity);
    let enums =
        response_fields(entity).filter_map(|field| field.ty.enumeration()).map(|id| code::choice(model, &model.enums[id.0])).collect();
    let kinds = response_fields(entity).filter(|field| field.ty.is_money() || field.ty.is_file()).map(|field| type_of(model, field));
    let mut text = code::import("import type", kinds.collect(), "../api/kinds") + &code::import("import type", enums, "../choices");
    if !text.is_empty() {
        text.push('\n');
    }
    let rows: String = response_fields(entity).map(|field| line(model, entity, (field, &type_of(model, field)), false)).collect();
    let input: String = sent(entity).map(|field| line(model, entity, (field, &sent_type(model, field)), false)).collect();
    let new = sent(entity).map(|field| line(model, entity, (field, &sent_type(model, field)), !field.required || has_fallback(field)));
    let new: String = new.collect();
    text.push_str(&format!("/** A row of {}. */\nexport interface {name} {{\n{rows}}}\n", crate::backend::rows(entity)));
    text.push_str(&format!(
        "\n/** What a change can contain; a field that is not sent stays. */\nexport interface {name}Input {{\n{input}}}\n"
    ));
    text.push_str(&format!("\n/** A new row; a field that is not sent gets its default. */\nexport interface New{name} {{\n{new}}}\n"));
    text
}

fn line(model: &Model, entity: &Entity, (field, of): (&Field, &str), optional: bool) -> String {
    let is_key = entity.fields[entity.pk.0].name == field.name;
    let null = if (field.required && !field.sensitive) || is_key || of == "unknown" { "" } else { " | null" };
    let about = match field.ty.target() {
        Some(target) => format!("  /** {}: the key of a row of {}. */\n", field.title, crate::backend::rows(model.entity(target))),
        None => String::new(),
    };
    let (sign, missing) = if optional { ("?", " | undefined") } else { ("", "") };
    format!("{about}  {}{sign}: {of}{null}{missing};\n", code::member(&field.name))
}

/// The type of a field in a request: a file is named by its key.
fn sent_type(model: &Model, field: &Field) -> String {
    if field.ty.is_file() { "string".to_owned() } else { type_of(model, field) }
}

pub(super) fn type_of(model: &Model, field: &Field) -> String {
    match names::column_type(model, field.ty) {
        FieldType::Int { .. } | FieldType::Float => "number".to_owned(),
        FieldType::Bool => "boolean".to_owned(),
        FieldType::Enum(id) => code::choice(model, &model.enums[id.0]),
        FieldType::Json => "unknown".to_owned(),
        FieldType::Money(_) => "Money".to_owned(),
        FieldType::File { .. } => "StoredFile".to_owned(),
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
        | FieldType::ManyToMany { .. } => "string".to_owned(),
    }
}
