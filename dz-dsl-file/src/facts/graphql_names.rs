//! Names that are equal in GraphQL, or that its schema uses itself.

use std::collections::HashMap;

use dz_vocabulary::graphql::{RESERVED_TYPES, enum_value, field_name, list_name, single_name};

use crate::{
    Span,
    model::{Action, Entity, FieldType, Model},
};

/// A declared name that cannot be in the schema.
pub(crate) struct Conflict {
    /// The declared name.
    pub span: Span,
    /// The earlier one that becomes the same; without one, the schema uses the name itself.
    pub first: Option<Span>,
    /// The name in the schema, with its kind for two declared names.
    pub name: String,
}

/// All conflicts, in the order of the declaration within each kind of name.
pub(crate) fn conflicts(model: &Model) -> Vec<Conflict> {
    let mut found = Vec::new();
    check_types(model, &mut found);
    check_operations(model, &mut found);
    for entity in &model.entities {
        let shown = entity.fields.iter().filter(|field| !field.secret);
        add_equal(&mut found, "field", shown.map(|field| (field_name(&field.name), field.span)));
    }
    for of in &model.enums {
        add_equal(&mut found, "enum value", of.values.iter().map(|value| (enum_value(&value.name), value.span)));
    }
    found
}

/// Adds each name that occurs twice.
fn add_equal(found: &mut Vec<Conflict>, what: &str, names: impl Iterator<Item = (String, Span)>) {
    let mut known: HashMap<String, Span> = HashMap::new();
    for (name, span) in names {
        // A name that is equal in the declaration too is reported by its own rule.
        if let Some(first) = known.insert(name.clone(), span).filter(|first| *first != span) {
            found.push(Conflict { span, first: Some(first), name: format!("{what} `{name}`") });
        }
    }
}

fn check_types(model: &Model, found: &mut Vec<Conflict>) {
    let has = |wanted: fn(FieldType) -> bool| model.entities.iter().flat_map(|entity| &entity.fields).any(|field| wanted(field.ty));
    let composites = [("File", has(FieldType::is_file)), ("Money", has(FieldType::is_money)), ("MoneyInput", has(FieldType::is_money))];
    let is_own = |name: &str| RESERVED_TYPES.contains(&name) || composites.iter().any(|(own, is_used)| *is_used && *own == name);
    let named = || {
        let entities = model.entities.iter().map(|entity| (entity.name.as_str(), entity.span));
        entities.chain(model.enums.iter().map(|of| (of.name.as_str(), of.span)))
    };
    found.extend(named().filter(|(name, _)| is_own(name)).map(|(name, span)| Conflict { span, first: None, name: name.to_owned() }));
    // Other types that the schema adds have another name if theirs is declared.
    let inputs = model.entities.iter().map(|entity| (format!("{}Input", entity.name), entity.span));
    add_equal(found, "type", named().map(|(name, span)| (name.to_owned(), span)).chain(inputs));
}

fn check_operations(model: &Model, found: &mut Vec<Conflict>) {
    let queries = model.entities.iter().flat_map(|entity| {
        let list = list_name(&entity.name, &entity.table);
        [single_name(&entity.name), format!("{list}Aggregate"), format!("{list}Connection"), list].map(|name| (name, entity.span))
    });
    add_equal(found, "query", queries);
    add_equal(found, "mutation", model.entities.iter().flat_map(mutations));
}

fn mutations(entity: &Entity) -> Vec<(String, Span)> {
    let custom = entity.access.permissions.iter().filter_map(|permission| match &permission.action {
        Action::Custom(name) if !matches!(name.as_str(), "transition" | "restore") => Some(field_name(name)),
        Action::Custom(_) | Action::List | Action::Read | Action::Create | Action::Update | Action::Delete => None,
    });
    let verbs = ["create", "update", "delete"].map(str::to_owned).into_iter();
    let verbs =
        verbs.chain(entity.states.is_some().then(|| "transition".to_owned())).chain(entity.soft_delete.then(|| "restore".to_owned()));
    let with_children =
        entity.fields.iter().any(|field| field.ty.relation().is_some()).then(|| format!("create{}WithChildren", entity.name));
    verbs.chain(custom).map(|verb| format!("{verb}{}", entity.name)).chain(with_children).map(|name| (name, entity.span)).collect()
}
