//! The tests of the frontend: schemas and hooks of each entity.

use dz_dsl_file::model::{Entity, Field, FieldType, Model};

use super::{code, response_fields, schemas, sent, types};
use crate::names;

/// The tests of the schemas of an entity: a row, and each declared limit.
pub(super) fn schema(model: &Model, entity: &Entity) -> String {
    let (name, variable, file) = (code::entity(entity), code::variable(entity), names::file(entity));
    let input: Vec<&Field> = sent(entity).collect();
    let mut cases = String::new();
    for field in &input {
        if field.required && types::type_of(model, field) != "unknown" {
            cases.push_str(&format!("  [{}, null, \"is required\"],\n", code::literal(&field.name)));
        }
        if let Some(limit) = limit(model, field) {
            let message = format!("must have at most {limit} characters");
            cases.push_str(&format!("  [{}, \"x\".repeat({}), {}],\n", code::literal(&field.name), limit + 1, code::literal(&message)));
        }
        if field.ty.enumeration().is_some() {
            cases.push_str(&format!("  [{}, \"no such value\", \"must be one of the list\"],\n", code::literal(&field.name)));
        }
        if let Some((_, scale)) = field.ty.digits().filter(|(_, scale)| *scale > 0 && !field.ty.is_money()) {
            let message = format!("may have at most {scale} decimals");
            let value = format!("0.{}1", "0".repeat(usize::from(scale)));
            cases.push_str(&format!("  [{}, {}, {}],\n", code::literal(&field.name), code::literal(&value), code::literal(&message)));
        }
    }
    let mut tests =
        format!("test(\"a row is read as the API sends it\", () => {{\n  expect({variable}Row.parse(row)).toEqual(row);\n}});\n");
    if !input.is_empty() {
        tests.push_str(&format!("\ntest(\"the values of a row can be sent\", () => {{\n  expect({variable}Input.safeParse(input).error).toBeUndefined();\n}});\n"));
    }
    if !cases.is_empty() {
        tests.push_str(&format!(
            "\nconst cases: [string, unknown, string][] = [\n{cases}];\n\ntest.each(cases)(\"%s is refused with a message\", (field, value, \
             message) => {{\n  const parsed = {variable}Input.safeParse({{ ...input, [field]: value }});\n  const issues = \
             parsed.error?.issues.filter((issue) => issue.path[0] === field);\n  expect(issues?.map((issue) => \
             issue.message)).toContain(message);\n}});\n"
        ));
    }
    let mut imports = vec![format!("{variable}Row")];
    let mut samples = format!("const row: {name} = {{\n{}}};\n", members(model, response_fields(entity)));
    if !input.is_empty() {
        imports.push(format!("{variable}Input"));
        samples.push_str(&format!("\nconst input: {name}Input = {{\n{}}};\n", sent_members(model, input.into_iter())));
    }
    let types = if imports.len() == 2 { vec![name.clone(), format!("{name}Input")] } else { vec![name] };
    format!(
        "import {{ expect, test }} from \"vitest\";\n{}{}\n{samples}\n{tests}",
        code::import("import type", types, &format!("../types/{file}")),
        code::import("import", imports, &format!("./{file}")),
    )
}

/// The tests of the hooks of an entity: what they send, and what they return.
pub(super) fn hooks(model: &Model, entity: &Entity) -> String {
    const TEST: &str = include_str!("../../template/frontend/hooks.test.tsx.txt");
    let key = entity.fields[entity.pk.0].name.clone();
    let held = format!("row.{key}");
    let id = if names::key_type(entity) == "i64" { format!("String({held})") } else { held };
    let replacements = [
        ("%ID%", id),
        ("%MEMBERS%", members(model, response_fields(entity))),
        ("%PLURAL%", code::plural(entity)),
        ("%NAME%", code::entity(entity)),
        ("%VARIABLE%", code::variable(entity)),
        ("%TABLE%", entity.table.clone()),
        ("%FILE%", names::file(entity)),
        ("%KEY%", key),
    ];
    replacements.iter().fold(TEST.to_owned(), |text, (word, value)| text.replace(word, value))
}

pub(super) fn members<'f>(model: &Model, fields: impl Iterator<Item = &'f Field>) -> String {
    fields.map(|field| format!("  {}: {},\n", code::member(&field.name), sample(model, field))).collect()
}

/// A key.
const KEY: &str = "\"0190b5f0-0000-7000-8000-000000000000\"";

/// The members of a request, in which a key names a file.
fn sent_members<'f>(model: &Model, fields: impl Iterator<Item = &'f Field>) -> String {
    let value = |field: &Field| if field.ty.is_file() { KEY.to_owned() } else { sample(model, field) };
    fields.map(|field| format!("  {}: {},\n", code::member(&field.name), value(field))).collect()
}

/// A valid value.
fn sample(model: &Model, field: &Field) -> String {
    match names::column_type(model, field.ty) {
        FieldType::Int { .. } | FieldType::Float => "1".to_owned(),
        FieldType::Bool => "true".to_owned(),
        FieldType::Enum(id) => code::literal(&model.enums[id.0].values[0].name),
        FieldType::Json => "{ note: \"x\" }".to_owned(),
        FieldType::Money(currency) => {
            format!("{{ amount: \"1\", currency: {} }}", code::literal(currency.as_ref().map_or("EUR", |it| it.code())))
        }
        FieldType::File { .. } => format!("{{ id: {KEY}, name: \"plan.pdf\", size: 1, type: \"application/pdf\", url: \"/files/plan\" }}"),
        FieldType::Decimal { precision, scale } => if precision > scale { "\"1\"" } else { "\"0\"" }.to_owned(),
        FieldType::Date => "\"2026-01-31\"".to_owned(),
        FieldType::DateTime => "\"2026-01-31T09:30:00Z\"".to_owned(),
        FieldType::Email => "\"ann@example.com\"".to_owned(),
        FieldType::Url => "\"https://example.com\"".to_owned(),
        FieldType::Timezone => "\"Europe/Lisbon\"".to_owned(),
        FieldType::Currency { .. } => "\"EUR\"".to_owned(),
        FieldType::Str(_) | FieldType::Text | FieldType::Slug => "\"x\"".to_owned(),
        FieldType::Uuid | FieldType::Ref(_) | FieldType::HasMany { .. } | FieldType::HasOne { .. } | FieldType::ManyToMany { .. } => {
            KEY.to_owned()
        }
    }
}

/// The most characters of a short text, as its schema has them.
fn limit(model: &Model, field: &Field) -> Option<u32> {
    let schema = schemas::entered(model, field);
    let (_, rest) = schema.split_once('(').filter(|_| names::column_type(model, field.ty).is_str())?;
    rest.trim_end_matches(')').parse().ok()
}
