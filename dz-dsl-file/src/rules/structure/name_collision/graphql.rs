//! Two names that are equal in GraphQL.

use std::collections::HashMap;

use dz_vocabulary::graphql::{RESERVED_TYPES, enum_value, field_name, list_name, single_name};

use super::{collide, reserved};
use crate::{
    Diagnostics, Span,
    model::{Action, Entity, FieldType, Model},
};

pub(super) fn check(model: &Model, out: &mut Diagnostics) {
    check_types(model, out);
    check_operations(model, out);
    for entity in &model.entities {
        let shown = entity.fields.iter().filter(|field| !field.secret);
        report(out, "field", shown.map(|field| (field_name(&field.name), field.span)));
    }
    for of in &model.enums {
        report(out, "enum value", of.values.iter().map(|value| (enum_value(&value.name), value.span)));
    }
}

/// Reports each name that occurs twice.
fn report(out: &mut Diagnostics, what: &str, names: impl Iterator<Item = (String, Span)>) {
    let mut known: HashMap<String, Span> = HashMap::new();
    for (name, span) in names {
        // A name that is equal in the declaration too is reported by its own rule.
        if let Some(first) = known.insert(name.clone(), span).filter(|first| *first != span) {
            collide(out, span, first, &format!("the GraphQL {what} `{name}`"), "rename one of them");
        }
    }
}

fn check_types(model: &Model, out: &mut Diagnostics) {
    let has = |wanted: fn(FieldType) -> bool| model.entities.iter().flat_map(|entity| &entity.fields).any(|field| wanted(field.ty));
    let composites = [("File", has(FieldType::is_file)), ("Money", has(FieldType::is_money)), ("MoneyInput", has(FieldType::is_money))];
    let is_own = |name: &str| RESERVED_TYPES.contains(&name) || composites.iter().any(|(own, is_used)| *is_used && *own == name);
    let named = || {
        let entities = model.entities.iter().map(|entity| (entity.name.as_str(), entity.span));
        entities.chain(model.enums.iter().map(|of| (of.name.as_str(), of.span)))
    };
    for (name, span) in named().filter(|(name, _)| is_own(name)) {
        reserved(out, span, name);
    }
    let further = model.entities.iter().flat_map(|entity| {
        ["Input", "Filter", "Aggregate", "Connection", "Edge"].map(|suffix| (format!("{}{suffix}", entity.name), entity.span))
    });
    let compared = model.enums.iter().map(|of| (format!("{}Filter", of.name), of.span));
    report(out, "type", named().map(|(name, span)| (name.to_owned(), span)).chain(further).chain(compared));
}

fn check_operations(model: &Model, out: &mut Diagnostics) {
    let queries = model.entities.iter().flat_map(|entity| {
        let list = list_name(&entity.name, &entity.table);
        [single_name(&entity.name), format!("{list}Aggregate"), format!("{list}Connection"), list].map(|name| (name, entity.span))
    });
    report(out, "query", queries);
    report(out, "mutation", model.entities.iter().flat_map(mutations));
}

fn mutations(entity: &Entity) -> Vec<(String, Span)> {
    let custom = entity.access.permissions.iter().filter_map(|permission| match &permission.action {
        Action::Custom(name) if !matches!(name.as_str(), "transition" | "restore") => Some(field_name(name)),
        Action::Custom(_) | Action::List | Action::Read | Action::Create | Action::Update | Action::Delete => None,
    });
    let verbs = ["create", "update", "delete"].map(str::to_owned).into_iter();
    let verbs =
        verbs.chain(entity.states.is_some().then(|| "transition".to_owned())).chain(entity.soft_delete.then(|| "restore".to_owned()));
    verbs.chain(custom).map(|verb| (format!("{verb}{}", entity.name), entity.span)).collect()
}
