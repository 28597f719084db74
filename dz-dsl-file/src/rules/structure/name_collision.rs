//! Two names that are equal in SQL, in Rust, in GraphQL or in an address.

use std::collections::HashMap;

use crate::{
    Diagnostics, Severity, Span,
    emit::services,
    facts::graphql_names,
    model::Model,
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "name-collision",
    severity: Severity::Error,
    summary: "two names become one in SQL, Rust, GraphQL or an address",
    wrong: "entity Data:\n  id: uuid pk\n  permit:\n    read: true\nentity Datum:\n  id: uuid pk\n  permit:\n    read: true\n",
    right: "entity Data:\n  id: uuid pk\n  permit:\n    read: true\nentity Point:\n  id: uuid pk\n  permit:\n    read: true\n",
    reported_by: ReportedBy::Model(check),
};

/// The prefix of dz's own tables.
const RESERVED_TABLES: &str = "dz_";
const RESERVED_FIELDS: &[&str] = &["dz_version"];

fn check(model: &Model, out: &mut Diagnostics) {
    let mut tables: HashMap<&str, Span> = HashMap::new();
    let mut modules: HashMap<&str, Span> = HashMap::new();
    for entity in &model.entities {
        if let Some(first) = tables.insert(&entity.table, entity.span) {
            collide(out, entity.span, first, &format!("the table and path `{}`", entity.table), "give one of them a `plural:`");
        } else if entity.table.starts_with(RESERVED_TABLES) {
            reserved(out, entity.span, &entity.table);
        }
        if let Some(first) = modules.insert(&entity.module, entity.span) {
            collide(out, entity.span, first, &format!("the Rust module `{}`", entity.module), "rename one of them");
        }
        if entity.module == "schema" {
            reserved(out, entity.span, "schema");
        }
        let mut fields: HashMap<String, Span> = HashMap::new();
        for field in &entity.fields {
            let rust = if field.ty.target().is_some() { format!("{}_id", field.name) } else { field.name.clone() };
            if let Some(first) = fields.insert(rust.clone(), field.span) {
                collide(out, field.span, first, &format!("the Rust field `{rust}`"), "rename one of them");
            }
            if RESERVED_FIELDS.contains(&field.name.as_str()) {
                reserved(out, field.span, &field.name);
            }
        }
    }
    let mut pages: HashMap<&str, Span> = HashMap::new();
    let (declared, automatic): (Vec<_>, Vec<_>) = model.surfaces.iter().partition(|it| it.declared);
    pages.extend(automatic.iter().map(|it| (it.name.as_str(), it.span)));
    let surfaces = declared.iter().map(|it| (it.name.as_str(), it.span));
    let mut named: Vec<(&str, Span)> = surfaces.chain(model.workspaces.iter().map(|it| (it.name.as_str(), it.span))).collect();
    named.sort_by_key(|(_, span)| (span.file, span.start));
    for (name, span) in named {
        if let Some(first) = pages.insert(name, span) {
            collide(out, span, first, &format!("the address `/app/{name}`"), "rename the surface or the workspace");
        }
    }
    check_services(model, out);
    let mut enums: HashMap<&str, Span> = HashMap::new();
    for it in &model.enums {
        if let Some(first) = enums.insert(&it.name, it.span) {
            collide(out, it.span, first, &format!("the Rust enum `{}`", it.name), "rename one of them");
        }
    }
    for conflict in graphql_names::conflicts(model) {
        // One correction removes all collisions of two declarations.
        if out.iter().any(|it| it.rule == RULE.name && it.span == conflict.span) {
            continue;
        }
        match conflict.first {
            Some(first) => collide(out, conflict.span, first, &format!("the GraphQL {}", conflict.name), "rename one of them"),
            None => reserved(out, conflict.span, &conflict.name),
        }
    }
}

/// The traits and structs of services are in one Rust module, which no entity can have.
fn check_services(model: &Model, out: &mut Diagnostics) {
    let of_entity = model.entities.iter().filter(|it| it.module == services::MODULE && !model.services.is_empty());
    of_entity.for_each(|it| reserved(out, it.span, services::MODULE));
    let mut items: HashMap<String, Span> = HashMap::new();
    for it in &model.services {
        for name in [services::trait_name(it), services::input_name(it), services::output_name(it)] {
            if let Some(first) = items.insert(name.clone(), it.span) {
                collide(out, it.span, first, &format!("the Rust name `{}::{name}`", services::MODULE), "rename one of the services");
            }
        }
        for fields in [&it.input, &it.output] {
            let mut names: HashMap<String, Span> = HashMap::new();
            for field in fields {
                let name = services::field_name(field);
                if let Some(first) = names.insert(name.clone(), field.span) {
                    collide(out, field.span, first, &format!("the Rust field `{name}`"), "rename one of them");
                }
            }
        }
    }
}

fn collide(out: &mut Diagnostics, span: Span, first: Span, what: &str, help: &str) {
    out.push(RULE.diagnostic(span, format!("two names become {what}")).label(first, "the other one").help(help));
}

fn reserved(out: &mut Diagnostics, span: Span, name: &str) {
    out.push(RULE.diagnostic(span, format!("`{name}` is a name that dz uses itself")).help("choose another name"));
}
