//! Entities, enums and field groups.

use dz_dsl_file::{
    SourceMap, Span,
    model::{Entity, EnumType, Field, Model, Word},
};
use serde_json::{Value, json};

use super::{Populate, field::type_text};
use crate::Kind;

pub(super) fn add(it: &mut Populate<'_>) {
    let (model, files) = (it.model, it.files);
    for entity in model.entities.iter().filter(|entity| entity.declared) {
        it.node(Kind::Entity, &entity.name, &entity.title, entity.span, details(model, entity));
        let id = Kind::Entity.id(&entity.name);
        for field in &entity.fields {
            if let Some(target) = field.ty.target() {
                let target = it.entity_id(target);
                it.relate_by(&id, "references", target, "fields", &field.name);
            }
        }
    }
    for values in model.enums.iter().filter(|values| is_named(files, values)) {
        let title = values.title.clone().unwrap_or_else(|| values.name.clone());
        it.node(Kind::Enum, &values.name, &title, values.span, json!({ "values": names(values), "ordered": values.ordered }));
    }
    for group in &model.groups {
        let details = json!({ "extended": group.extended, "fields": fields_of_group(model, files, group.span) });
        it.node(Kind::Archetype, &group.name, &group.name, group.span, details);
    }
}

/// The fields of a group, which the model has as fields of the entities that extend it.
fn fields_of_group(model: &Model, files: &SourceMap, group: Span) -> Vec<Value> {
    let text = &files.file(group.file).text;
    let begins_construct = |line: &&str| line.starts_with(|c: char| c.is_alphabetic());
    let mut end = group.end as usize;
    for (at, line) in text[end..].split_inclusive('\n').enumerate() {
        if at > 0 && begins_construct(&line) {
            break;
        }
        end += line.len();
    }
    let is_inside = |span: Span| span.file == group.file && group.end <= span.start && (span.start as usize) < end;
    let mut fields: Vec<&Field> = model.entities.iter().flat_map(|entity| &entity.fields).filter(|field| is_inside(field.span)).collect();
    fields.sort_by_key(|field| field.span);
    fields.dedup_by_key(|field| field.span);
    fields.into_iter().map(|field| described(model, field)).collect()
}

/// True for an `enum` construct; outcomes of tasks, types of services and the account entity have enumerations too.
fn is_named(files: &SourceMap, values: &EnumType) -> bool {
    let is_written = values.owner.is_none() && values.span.start < values.span.end;
    is_written && files.file(values.span.file).lines_around(values.span.start, values.span.end).2.starts_with("enum")
}

fn details(model: &Model, entity: &Entity) -> Value {
    let fields: Vec<Value> = entity.fields.iter().filter(|field| !field.secret).map(|field| described(model, field)).collect();
    let states = entity.states.as_ref().and_then(|machine| entity.fields[machine.field.0].ty.enumeration());
    let states = states.map(|id| names(&model.enums[id.0]));
    let transitions = entity.states.as_ref().zip(states.as_ref()).map(|(machine, states)| {
        let moves = machine.in_order().into_iter().map(|it| format!("{} -> {}", states[it.from], states[it.to]));
        moves.collect::<Vec<_>>()
    });
    let actions: Vec<&str> = entity.states.iter().flat_map(|it| &it.rows).filter_map(|row| row.label.as_deref()).collect();
    json!({
        "intent": entity.intent,
        "domain": entity.domain,
        "patterns": entity.patterns,
        "archetype": entity.kind.map(Word::word),
        "soft_delete": entity.soft_delete,
        "fields": fields,
        "states": states.unwrap_or_default(),
        "transitions": transitions.unwrap_or_default(),
        "actions": actions,
    })
}

fn described(model: &Model, field: &Field) -> Value {
    let mut described = json!({ "name": field.name, "type": type_text(model, field.ty), "required": field.required });
    if let Some(id) = field.ty.enumeration() {
        described["values"] = json!(names(&model.enums[id.0]));
    }
    if field.computed.is_some() {
        described["computed"] = true.into();
    }
    described
}

fn names(values: &EnumType) -> Vec<&str> {
    values.values.iter().map(|value| value.name.as_str()).collect()
}
