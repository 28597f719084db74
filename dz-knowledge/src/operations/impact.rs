//! `impact`: the places that refer to a name, which a rename or a removal breaks.

use dz_dsl_file::{
    Readable, Span,
    model::{Entity, EntityId, Model},
};
use serde_json::{Value, json};

use super::Operation;
use crate::{
    Failure, Host, Kind, Session,
    failure::nearest_or_some,
    parameters::{Arguments, Form, Parameter},
    places::{Affected, generated, uses_of},
};

pub(super) const OPERATION: Operation = Operation {
    name: "impact",
    summary: "places that a rename or removal breaks: of an entity, a field or state of it, a role, or a surface",
    parameters: &[
        Parameter::optional("entity", Form::Text),
        Parameter::optional("field", Form::Text),
        Parameter::optional("state", Form::Text),
        Parameter::optional("role", Form::Text),
        Parameter::optional("surface", Form::Text),
    ],
    run,
};

fn run(session: &mut Session, given: &Arguments<'_>, _: &mut dyn Host) -> Result<Value, Failure> {
    // The uses of one construct need few others.
    let kinds = [("entity", Kind::Entity), ("role", Kind::Persona), ("surface", Kind::Surface)];
    let mut named = kinds.into_iter().filter_map(|(parameter, kind)| Some(kind.id(bare(given.text(parameter)?))));
    let portion = named.next().filter(|_| !session.is_read()).and_then(|id| session.portion_around(&id));
    let read = portion.as_ref().unwrap_or_else(|| session.read());
    let model = &read.model;
    let mut result = json!({ "entity": null, "field": null });
    for name in ["entity", "field", "state", "role", "surface"] {
        if let Some(value) = given.text(name) {
            result[name] = value.into();
        }
    }
    let affected = match (given.text("entity"), given.text("role"), given.text("surface")) {
        (Some(name), None, None) => of_entity(read, given, find_entity(model, name)?)?,
        (None, Some(name), None) => {
            let name = bare(name);
            let declared = || model.personas.iter().filter(|it| it.span.is_some());
            let found = declared().find(|it| it.name == name).and_then(|it| it.span);
            uses_of(read, &[found.ok_or_else(|| unknown("role", name, declared().map(|it| it.name.as_str())))?])
        }
        (None, None, Some(name)) => {
            let name = bare(name);
            let found = model.surfaces.iter().find(|it| it.name == name).map(|it| it.span);
            uses_of(read, &[found.ok_or_else(|| unknown("surface", name, model.surfaces.iter().map(|it| it.name.as_str())))?])
        }
        _ => return Err(Failure::content("give exactly one of `entity`, `role` and `surface`")),
    };
    if let Some(ignored) = ["field", "state"].into_iter().find(|it| given.text("entity").is_none() && given.text(it).is_some()) {
        return Err(Failure::content(format!("`{ignored}` needs the parameter `entity`")));
    }
    result["count"] = affected.len().into();
    result["affected"] = affected.iter().map(Affected::json).collect::<Vec<_>>().into();
    Ok(result)
}

/// A name without the prefix of an id.
fn bare(name: &str) -> &str {
    let prefixes = [Kind::Entity, Kind::Persona, Kind::Surface].map(Kind::prefix);
    name.split_once(':').filter(|(prefix, _)| prefixes.contains(prefix)).map_or(name, |(_, name)| name)
}

fn unknown<'k>(parameter: &str, name: &str, known: impl Iterator<Item = &'k str>) -> Failure {
    Failure::content(format!("`{parameter}` names nothing of the project: `{name}`; {}", nearest_or_some(name, known)))
}

fn find_entity(model: &Model, name: &str) -> Result<EntityId, Failure> {
    let name = bare(name);
    let found = model.entities.iter().position(|it| it.name == name).map(EntityId);
    found.ok_or_else(|| unknown("entity", name, model.entities.iter().map(|it| it.name.as_str())))
}

fn of_entity(read: &Readable, given: &Arguments<'_>, id: EntityId) -> Result<Vec<Affected>, Failure> {
    let model = &read.model;
    let entity = model.entity(id);
    match (given.text("field"), given.text("state")) {
        (Some(_), Some(_)) => Err(Failure::content("give one of `field` and `state`")),
        (Some(field), None) => {
            let found = entity.fields.iter().find(|it| !it.secret && it.name == field);
            let known = entity.fields.iter().filter(|it| !it.secret).map(|it| it.name.as_str());
            let found = found.ok_or_else(|| unknown("field", field, known))?;
            Ok(uses_of(read, &[vec![found.span], values(model, entity, field)].concat()))
        }
        (None, Some(state)) => {
            let values = entity.states.as_ref().and_then(|it| entity.fields[it.field.0].ty.enumeration());
            let values = values.map(|it| model.enums[it.0].values.as_slice()).unwrap_or_default();
            let found = values.iter().find(|it| it.name == state).map(|it| it.span);
            let found = found.ok_or_else(|| unknown("state", state, values.iter().map(|it| it.name.as_str())))?;
            Ok(uses_of(read, &[found]))
        }
        (None, None) => Ok(whole_entity(read, id)),
    }
}

/// The values of a field whose enumeration is its own.
fn values(model: &Model, entity: &Entity, field: &str) -> Vec<Span> {
    let field = entity.fields.iter().find(|it| it.name == field);
    let own = field.and_then(|it| it.ty.enumeration()).map(|it| &model.enums[it.0]).filter(|it| it.owner.is_some());
    own.into_iter().flat_map(|it| &it.values).map(|value| value.span).collect()
}

/// The places that name an entity, those that name a field of it elsewhere, and the surfaces that its archetype generates.
fn whole_entity(read: &Readable, id: EntityId) -> Vec<Affected> {
    let model = &read.model;
    let entity = model.entity(id);
    let own_id = Kind::Entity.id(&entity.name);
    let fields: Vec<Span> = entity.fields.iter().map(|it| it.span).collect();
    let names = uses_of(read, &[entity.span]);
    let elsewhere = uses_of(read, &fields).into_iter().filter(|it| it.id() != own_id);
    let automatic = model.surfaces.iter().filter(|it| !it.declared && it.entity == id);
    let automatic =
        automatic.map(|it| generated(read, Kind::Surface, &it.name, it.span, "the archetype of the entity generates it".to_owned()));
    let mut all: Vec<Affected> = names.into_iter().chain(elsewhere).chain(automatic).collect();
    all.sort();
    all.dedup();
    all
}
