//! Two names that are equal in SQL, in Rust, in GraphQL or in an address.

use std::collections::HashMap;

use crate::{
    Diagnostics, Severity, Span,
    emit::{schema::framework, services},
    facts::graphql_names,
    model::{Entity, Model, Process, Runs, Trigger},
    names::in_database,
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

/// The prefixes of the tables of dz, of SQLite and of diesel.
const RESERVED_TABLES: &[&str] = &["dz_", "sqlite_", "__diesel_"];

fn check(model: &Model, out: &mut Diagnostics) {
    let mut tables: HashMap<String, (&str, Span)> = HashMap::new();
    let mut modules: HashMap<&str, Span> = HashMap::new();
    for entity in &model.entities {
        let table = in_database(&entity.table);
        let is_reserved = RESERVED_TABLES.iter().any(|prefix| table.starts_with(prefix));
        match tables.insert(table, (&entity.table, entity.span)) {
            Some((name, first)) if name == entity.table => {
                collide(out, entity.span, first, &format!("the table and path `{name}`"), "give one of them a `plural:`");
            }
            Some((name, first)) => equal_in_database(out, (&entity.table, entity.span), (name, first), "table", "another `plural:`"),
            None if is_reserved => reserved(out, entity.span, &entity.table),
            None => {}
        }
        if let Some(first) = modules.insert(&entity.module, entity.span) {
            collide(out, entity.span, first, &format!("the Rust module `{}`", entity.module), "rename one of them");
        }
        if entity.module == "schema" {
            reserved(out, entity.span, "schema");
        }
        check_fields(entity, out);
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
    check_schedules(model, out);
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

/// Fields that are equal in Rust or as columns.
fn check_fields(entity: &Entity, out: &mut Diagnostics) {
    // The column of a soft deletion has a check of its own.
    let hidden = framework::hidden_columns(entity.states.is_some(), false);
    let mut fields: HashMap<String, Span> = HashMap::new();
    let mut columns: HashMap<String, (&str, Span)> = HashMap::new();
    for field in &entity.fields {
        let rust = if field.ty.target().is_some() { format!("{}_id", field.name) } else { field.name.clone() };
        if let Some(first) = fields.insert(rust.clone(), field.span) {
            collide(out, field.span, first, &format!("the Rust field `{rust}`"), "rename one of them");
        }
        let column = in_database(&field.name);
        if hidden.iter().any(|own| own.name == column) {
            reserved(out, field.span, &field.name);
        }
        if !field.is_stored() {
            continue;
        }
        if let Some((name, first)) = columns.insert(column, (&field.name, field.span))
            && name != field.name
        {
            equal_in_database(out, (&field.name, field.span), (name, first), "column", "another name");
        }
    }
}

/// The runs of a schedule with steps of its own have its name, and those of a process the name of the process. A schedule and a trigger
/// `cron` are jobs with such a name.
fn check_schedules(model: &Model, out: &mut Diagnostics) {
    for schedule in &model.schedules {
        let has_flow = matches!(schedule.runs, Runs::Flow(_));
        let collides = |process: &&Process| process.name == schedule.name && (has_flow || matches!(process.trigger, Trigger::Cron(_)));
        if let Some(process) = model.processes.iter().find(collides) {
            let mut places = [schedule.span, process.span];
            places.sort_by_key(|span| (span.file, span.start));
            collide(out, places[1], places[0], &format!("the name `{}` of runs", schedule.name), "rename one of them");
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

/// Reports two names that differ only in the case of letters.
fn equal_in_database(out: &mut Diagnostics, (name, span): (&str, Span), (other, first): (&str, Span), kind: &str, help: &str) {
    let what = format!("one {kind} in a database: `{other}` and `{name}` differ only in the case of letters");
    collide(out, span, first, &what, &format!("give one of them {help}: SQLite ignores the case of letters in names"));
}

fn reserved(out: &mut Diagnostics, span: Span, name: &str) {
    out.push(RULE.diagnostic(span, format!("`{name}` is a name that dz uses itself")).help("choose another name"));
}
