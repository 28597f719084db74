//! The ER diagram.

use super::{Docs, Draft, escape::label, mermaid};
use crate::model::{Entity, EntityId, Field, FieldType, Unique};

impl Docs<'_> {
    pub(super) fn er_page(&self) -> Draft {
        let mut text = "# ER diagram\n\n".to_owned();
        mermaid(&mut text, &self.er_diagram());
        for at in 0..self.model.entities.len() {
            text.push_str(&format!("- {}\n", self.entity_link(EntityId(at), "er.md")));
        }
        Draft { title: "ER diagram".to_owned(), path: "er.md".to_owned(), text }
    }

    /// Each entity with its stored fields, and a line for each reference.
    fn er_diagram(&self) -> String {
        let mut diagram = "erDiagram\n".to_owned();
        for entity in &self.model.entities {
            diagram.push_str(&format!("    {} {{\n", quoted(&entity.name)));
            for (at, field) in entity.fields.iter().enumerate().filter(|(_, field)| field.is_stored() && !field.secret) {
                diagram.push_str(&format!("        {} {}{}\n", type_word(field.ty), field.name, keys(entity, at, field)));
            }
            diagram.push_str("    }\n");
        }
        for entity in &self.model.entities {
            for field in entity.fields.iter().filter(|field| field.computed.is_none()) {
                let Some(target) = field.ty.target() else { continue };
                let many = if field.unique == Unique::No { "}o" } else { "|o" };
                let one = if field.required { "||" } else { "o|" };
                let target = &self.model.entity(target).name;
                diagram.push_str(&format!("    {} {many}--{one} {} : \"{}\"\n", quoted(&entity.name), quoted(target), label(&field.name)));
            }
        }
        diagram
    }
}

/// A name, in quotes if Mermaid needs them.
fn quoted(name: &str) -> String {
    if name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') { name.to_owned() } else { format!("\"{name}\"") }
}

fn keys(entity: &Entity, at: usize, field: &Field) -> String {
    let keys: Vec<&str> = [
        (entity.pk.0 == at).then_some("PK"),
        field.ty.target().map(|_| "FK"),
        (field.unique != Unique::No && entity.pk.0 != at).then_some("UK"),
    ]
    .into_iter()
    .flatten()
    .collect();
    if keys.is_empty() { String::new() } else { format!(" {}", keys.join(", ")) }
}

/// The word of a type, without its arguments.
fn type_word(ty: FieldType) -> &'static str {
    match ty {
        FieldType::Uuid => "uuid",
        FieldType::Str(_) => "str",
        FieldType::Text => "text",
        FieldType::Int { .. } => "int",
        FieldType::Float => "float",
        FieldType::Decimal { .. } => "decimal",
        FieldType::Bool => "bool",
        FieldType::Date => "date",
        FieldType::DateTime => "datetime",
        FieldType::Enum(_) => "enum",
        FieldType::Json => "json",
        FieldType::Email => "email",
        FieldType::Url => "url",
        FieldType::Timezone => "timezone",
        FieldType::Slug => "slug",
        FieldType::Money(_) => "money",
        FieldType::Currency { .. } => "currency",
        FieldType::File { .. } => "file",
        FieldType::Ref(_) => "ref",
        FieldType::HasMany { .. } => "has_many",
        FieldType::HasOne { .. } => "has_one",
        FieldType::ManyToMany { .. } => "has_many",
    }
}
