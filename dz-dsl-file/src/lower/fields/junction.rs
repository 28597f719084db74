//! `has_many E via J`: rows that a junction entity connects with this one.

use crate::{
    Diagnostic,
    cursor::Name,
    lower::Lowering,
    model::{EntityId, FieldId, FieldType, Junction},
    names,
    syntax::field as written,
};

/// The entity that `via` names, unless it names a ref of the listed rows.
pub(super) fn named<'f>(it: &Lowering<'_>, to: EntityId, field: &'f written::Field) -> Option<&'f Name> {
    let via = field.ty.via.as_ref()?;
    let is_field = it.field_names[to.0].contains_key(&via.text);
    let is_entity = it.entity_names.contains_key(&via.text) || via.text.starts_with(char::is_uppercase);
    (!is_field && (is_entity || field.ty.via_field.is_some())).then_some(via)
}

/// Finds the two refs of the junction `via`: the one to `from`, and the one to `to`.
pub(super) fn lower(it: &mut Lowering<'_>, from: EntityId, to: EntityId, field: &written::Field, via: &Name) -> Option<Junction> {
    if field.ty.name.text == "has_one" {
        it.out.push(
            Diagnostic::error("unexpected-token", via.span, "`has_one` follows a ref, and not the rows of an entity between the two")
                .help("write `has_many`")
                .replace(field.ty.name.span, "has_many"),
        );
        return None;
    }
    let entity = it.entity(via)?;
    let near = near(it, entity, from, to, field, via)?;
    let far: Vec<FieldId> = refs(it, entity, to).into_iter().filter(|at| *at != near).collect();
    match far.as_slice() {
        [far] => Some(Junction { entity, near, far: *far }),
        [] if it.unreadable.any_field(entity) => None,
        [] => missing(it, entity, to, via),
        _ => {
            let (junction, target) = (it.entities[entity.0].name.clone(), it.entities[to.0].name.clone());
            it.out.push(
                Diagnostic::error("ambiguous-inverse", via.span, format!("`{junction}` has several refs to `{target}`"))
                    .help(format!("list its own rows instead: `{}: has_many {junction}`", field.name.text)),
            );
            None
        }
    }
}

/// The ref to the row that owns the relation.
fn near(it: &mut Lowering<'_>, entity: EntityId, from: EntityId, to: EntityId, field: &written::Field, via: &Name) -> Option<FieldId> {
    let candidates = refs(it, entity, from);
    let junction = it.entities[entity.0].name.clone();
    let name_of = |it: &Lowering<'_>, at: FieldId| it.entities[entity.0].fields[at.0].name.clone();
    if let Some(said) = &field.ty.via_field {
        let found = candidates.iter().find(|at| name_of(it, **at) == said.text).copied();
        if let Some(found) = found {
            it.field_used(said.span, entity, found.0);
        } else if !it.unreadable.has_field(entity, &said.text) {
            let known: Vec<String> = candidates.iter().map(|at| name_of(it, *at)).collect();
            let parent = it.entities[from.0].name.clone();
            let message = format!("`{junction}` has no ref `{}` to `{parent}`", said.text);
            let otherwise = format!("add `{}: ref {parent}` to `{junction}`", said.text);
            it.unknown_among("unknown-field", message, said.span, &said.text, &known, &otherwise);
        }
        return found;
    }
    match candidates.as_slice() {
        [one] if from != to => Some(*one),
        [] if it.unreadable.any_field(entity) => None,
        [] => missing(it, entity, from, via),
        [first, ..] => {
            let (first, parent) = (name_of(it, *first), it.entities[from.0].name.clone());
            let said = format!("{}.{first}", via.text);
            it.out.push(
                Diagnostic::error(
                    "ambiguous-inverse",
                    via.span,
                    format!("`{junction}` has several refs to `{parent}`, and none is named as the one to this row"),
                )
                .help(format!("name one: `via {said}`"))
                .replace(via.span, said),
            );
            None
        }
    }
}

fn refs(it: &Lowering<'_>, entity: EntityId, to: EntityId) -> Vec<FieldId> {
    let fields = &it.entities[entity.0].fields;
    (0..fields.len()).filter(|at| fields[*at].ty == FieldType::Ref(to)).map(FieldId).collect()
}

fn missing<T>(it: &mut Lowering<'_>, entity: EntityId, to: EntityId, via: &Name) -> Option<T> {
    let (junction, target) = (&it.entities[entity.0].name, &it.entities[to.0].name);
    let help = format!("add `{}: ref {target} required` to `{junction}`", names::snake(target));
    it.out.push(Diagnostic::error("missing-inverse", via.span, format!("`{junction}` has no ref to `{target}`")).help(help));
    None
}
