//! The channel of GraphQL: requests of the JSON API as documents, and their responses in the form of the JSON API, so that the same
//! checks apply.

use dz_graphql::{enum_value, field_name, list_name, single_name};
use serde_json::{Value as Json, json};

use super::{
    check_reads::row_json,
    operation::{FieldPath, ListFilter, Operation, field_json},
    oracle::Oracle,
    server::{Answer, Request},
    world::{Stored, key_text},
};
use crate::{
    Value,
    def::{AppDef, Auto, EntityDef, FieldDef, FieldIx},
};

type Entity = &'static EntityDef;

/// The address.
pub(super) const PATH: &str = "/graphql";

/// The request as a document; `None` if the channel has no such request.
pub(super) fn request(app: &'static AppDef, ask: &Operation) -> Option<Request> {
    let document = match ask {
        Operation::List(entity, narrow) => {
            let arguments = arguments(app, entity, narrow)?;
            format!("{{ rows: {}{arguments} {{ {} }} }}", list_name(entity.name, entity.table), selected(app, entity))
        }
        Operation::Expanded(entity, at) => {
            let (field, closed) = (entity.field(*at), if entity.temporal.is_some() { ", includeClosed: true" } else { "" });
            let relation = field.kind.relation().filter(|relation| !relation.is_single)?;
            let key = app.entity(relation.entity).key().name;
            let inner = format!("{}: {}(limit: 100) {{ {key}: {} }}", field.name, field_name(field.name), field_name(key));
            let own = format!("{}: {}", entity.key().name, field_name(entity.key().name));
            format!("{{ rows: {}(limit: 1000{closed}) {{ {own} {inner} }} }}", list_name(entity.name, entity.table))
        }
        Operation::Read(entity, key) => {
            format!("{{ row: {}(id: {}) {{ {} }} }}", single_name(entity.name), text(&key_text(key)), selected(app, entity))
        }
        Operation::Create(entity, _, given) => {
            let (own, given): (Vec<_>, Vec<_>) = given.iter().cloned().partition(|(at, _)| *at == entity.pk);
            let chosen = own.iter().map(|(_, key)| format!("{}: {}, ", field_name(entity.key().name), text(&key_text(key))));
            let chosen: String = if entity.key().kind.is_generated_key() { String::new() } else { chosen.collect() };
            mutation(entity, "create", &format!("{chosen}input: {}", input(entity, &given)?))
        }
        Operation::Update(entity, key, given) => {
            mutation(entity, "update", &format!("id: {}, input: {}", text(&key_text(key)), input(entity, given)?))
        }
        Operation::Delete(entity, key) => format!("mutation {{ row: delete{}(id: {}) }}", entity.name, text(&key_text(key))),
        Operation::Transition(entity, key, state, given) => {
            let (key, input) = (text(&key_text(key)), input(entity, given)?);
            mutation(entity, "transition", &format!("id: {key}, to: {}, input: {input}", enum_value(state)))
        }
        Operation::Restore(entity, key) => mutation(entity, "restore", &format!("id: {}", text(&key_text(key)))),
        Operation::Act(entity, key, action) => {
            format!("mutation {{ row: {}{}(id: {}) }}", field_name(action), entity.name, text(&key_text(key)))
        }
        Operation::Csv(..)
        | Operation::Pick(..)
        | Operation::ListPage(..)
        | Operation::Region(..)
        | Operation::ViewPage(..)
        | Operation::EditPage(..)
        | Operation::BulkUpdate(..)
        | Operation::BulkQuery(..)
        | Operation::BulkTransition(..)
        | Operation::PageDelete(..)
        | Operation::PageTransition(..)
        | Operation::Typed(..)
        | Operation::Graph(..)
        | Operation::GraphQl(_) => return None,
    };
    Some(Request { method: "POST", path: PATH.to_owned(), body: json!({ "query": document }).to_string() })
}

fn mutation(entity: Entity, verb: &str, arguments: &str) -> String {
    format!("mutation {{ row: {verb}{}({arguments}) {{ {}: {} }} }}", entity.name, entity.key().name, field_name(entity.key().name))
}

/// The fields of a row, named as in the JSON API; a reference is the key of its row.
fn selected(app: &'static AppDef, entity: Entity) -> String {
    let shown = entity.fields.iter().filter(|field| field.has_value() && !field.secret && !field.is_currency_of_amount());
    let shown = shown.filter(|field| is_selected(app, field));
    let select = |field: &FieldDef| {
        let inner = match field.kind.target() {
            Some(target) => format!(" {{ key: {} }}", field_name(app.entity(target).key().name)),
            None if field.kind.is_file() => " { id name size type url }".to_owned(),
            None if field.currency.is_some() || field.currency_in.is_some() => " { amount currency }".to_owned(),
            None => String::new(),
        };
        format!("{}: {}{inner}", field.name, field_name(field.name))
    };
    shown.map(select).collect::<Vec<_>>().join(" ")
}

/// True for the fields that requests select: a reference is a read of its row, which the audit log can record.
fn is_selected(app: &'static AppDef, field: &FieldDef) -> bool {
    field.kind.target().is_none_or(|target| app.entity(target).audits.is_empty())
}

/// A text as a literal.
fn text(text: &str) -> String {
    Json::from(text).to_string()
}

fn arguments(app: &'static AppDef, entity: Entity, narrow: &ListFilter) -> Option<String> {
    let own = |reach: &FieldPath| if reach.refs.is_empty() { reach.end.position_in(entity) } else { None };
    let condition = |reach: &FieldPath, operator: &str, value: String| {
        let name = field_name(entity.field(own(reach)?).name);
        Some(format!("filter: {{ {name}: {{ {operator}: {value} }} }}"))
    };
    let value = |reach: &FieldPath, value: &Value| {
        let field = entity.field(own(reach)?);
        Some(match value {
            Value::Text(name) if field.kind.enumeration().is_some() => enum_value(name),
            Value::Text(text) => self::text(text),
            Value::Int(number) if field.kind.target().is_none() && own(reach)? != entity.pk => number.to_string(),
            Value::Bool(truth) => truth.to_string(),
            Value::Decimal(number) => self::text(&number.to_string()),
            Value::Date(day) => self::text(&day.to_string()),
            other => self::text(&key_text(other)),
        })
    };
    let narrowed = match narrow {
        ListFilter::Nothing => None,
        ListFilter::Equals(reach, wanted) => Some(condition(reach, "eq", value(reach, wanted)?)?),
        ListFilter::Differs(reach, wanted) => Some(condition(reach, "ne", value(reach, wanted)?)?),
        ListFilter::IsNull(reach) => {
            own(reach).filter(|at| entity.field(*at).kind.is_comparable())?;
            Some(condition(reach, "isNull", "true".to_owned())?)
        }
        ListFilter::Sort(reach, descending) => {
            let path: Vec<String> = reach.steps().map(|step| field_name(step.field(app).name)).collect();
            Some(format!("sort: \"{}{}\"", if *descending { "-" } else { "" }, path.join(".")))
        }
        ListFilter::Search(words) => Some(format!("search: {}", text(words))),
    };
    let closed = entity.temporal.map(|_| "includeClosed: true".to_owned());
    let all: Vec<String> = ["limit: 1000".to_owned()].into_iter().chain(closed).chain(narrowed).collect();
    Some(format!("({})", all.join(", ")))
}

/// The values of fields as an input object; `None` if a field is not part of the input type.
fn input(entity: Entity, given: &[(FieldIx, Value)]) -> Option<String> {
    let value = |at: FieldIx| given.iter().find(|(other, _)| *other == at).map_or(&Value::Null, |(_, value)| value);
    let mut members = Vec::new();
    for (at, _) in given.iter().filter(|(at, _)| !entity.field(*at).is_currency_of_amount()) {
        let field = entity.field(*at);
        let is_part = *at != entity.pk && entity.tenancy.tenant != Some(*at) && field.auto == Auto::No && field.computed.is_none();
        if !is_part || field.kind.is_file() {
            return None;
        }
        members.push(format!("{}: {}", field_name(field.name), literal(field, &field_json(entity, *at, value))));
    }
    Some(format!("{{ {} }}", members.join(", ")))
}

fn literal(field: &FieldDef, json: &Json) -> String {
    match json {
        Json::Null => "null".to_owned(),
        json if field.kind.is_json() => text(&json.to_string()),
        Json::String(name) if field.kind.enumeration().is_some() => enum_value(name),
        Json::Object(members) => {
            let members: Vec<String> = members.iter().map(|(name, value)| format!("{name}: {value}")).collect();
            format!("{{ {} }}", members.join(", "))
        }
        other => other.to_string(),
    }
}

/// The response in the form of the JSON API.
///
/// # Errors
/// A reference that shows a row that the caller may not read, or hides one that it may.
pub(super) fn to_api(oracle: &Oracle<'_>, ask: &Operation, answer: &Answer) -> Result<Answer, String> {
    let Ok(body) = serde_json::from_str::<Json>(&answer.body) else { return Ok(answer.clone()) };
    if answer.status != 200 {
        return Ok(answer.clone());
    }
    let with = |status: u16, body: Json| Answer { status, body: body.to_string(), ..answer.clone() };
    if let Some(error) = body["errors"].get(0) {
        let status = error["extensions"]["statusCode"].as_u64().and_then(|status| u16::try_from(status).ok());
        return Ok(with(status.ok_or_else(|| format!("an error without a status: {error}"))?, json!({ "detail": error["message"] })));
    }
    let row = &body["data"]["row"];
    Ok(match ask {
        Operation::List(entity, _) => {
            let items = rows(&body)?.iter().map(|item| plain_row(oracle, entity, item)).collect::<Result<Vec<Json>, String>>()?;
            with(200, json!({ "total": items.len(), "items": items }))
        }
        Operation::Expanded(..) => with(200, json!({ "items": rows(&body)? })),
        Operation::Read(..) if row.is_null() => with(404, Json::Null),
        Operation::Read(entity, _) => with(200, plain_row(oracle, entity, row)?),
        Operation::Delete(..) => with(204, Json::Null),
        // The key alone means that the caller cannot read the row.
        Operation::Create(entity, ..)
        | Operation::Update(entity, ..)
        | Operation::Transition(entity, ..)
        | Operation::Restore(entity, _) => {
            let status = if matches!(ask, Operation::Create(..)) { 201 } else { 200 };
            let key = entity.key().name;
            with(status, if row.is_null() { json!({ key: null }) } else { json!({ key: row[key], "is shown": true }) })
        }
        Operation::Act(..)
        | Operation::Csv(..)
        | Operation::Pick(..)
        | Operation::ListPage(..)
        | Operation::Region(..)
        | Operation::ViewPage(..)
        | Operation::EditPage(..)
        | Operation::BulkUpdate(..)
        | Operation::BulkQuery(..)
        | Operation::BulkTransition(..)
        | Operation::PageDelete(..)
        | Operation::PageTransition(..)
        | Operation::Typed(..)
        | Operation::Graph(..)
        | Operation::GraphQl(_) => with(200, row.clone()),
    })
}

fn rows(body: &Json) -> Result<&Vec<Json>, String> {
    body["data"]["rows"].as_array().ok_or_else(|| "no rows".to_owned())
}

/// A row as in the JSON API: enumeration values as declared, and references as keys.
fn plain_row(oracle: &Oracle<'_>, entity: Entity, item: &Json) -> Result<Json, String> {
    let mut item = item.clone();
    let key = item[entity.key().name].as_str().unwrap_or_default().to_owned();
    let Some(stored) = oracle.world.stored_rows(entity.ix).find(|row| key_text(row.value(entity.pk)) == key) else { return Ok(item) };
    let expected = row_json(oracle, entity, stored);
    for (at, field) in (0..).zip(entity.fields) {
        if field.kind.target().is_some() {
            if is_selected(oracle.app(), field) {
                check_reference(oracle, entity, at, stored, &item[field.name])?;
            }
            item[field.name] = expected.iter().find(|(name, _)| *name == field.name).map_or(Json::Null, |(_, value)| value.clone());
        } else if let Some(of) = field.kind.enumeration() {
            if item[field.name].is_null() {
                continue;
            }
            let declared = of.values.iter().find(|value| item[field.name] == enum_value(value.name).as_str());
            item[field.name] = declared.map_or(Json::Null, |value| Json::from(value.name));
        } else if at == entity.pk && field.kind.is_int() {
            item[field.name] = key.parse::<i64>().map_or(Json::Null, Json::from);
        }
    }
    Ok(item)
}

fn check_reference(oracle: &Oracle<'_>, entity: Entity, at: FieldIx, row: &Stored, shown: &Json) -> Result<(), String> {
    let name = entity.field(at).name;
    let target = oracle.world.target(entity, at, &row.values).filter(|(target, seen)| oracle.reads(target, &seen.values));
    let visible = !oracle.shown_value(entity, at, &row.values).is_null();
    match target.filter(|_| visible) {
        None if shown.is_null() => Ok(()),
        Some((target, seen)) if shown["key"].as_str() == Some(&key_text(seen.value(target.pk))) => Ok(()),
        None => Err(format!("`{name}` shows {shown}, which the caller may not read")),
        Some((target, _)) => Err(format!("`{name}` shows {shown}, and the {} may be read", target.name)),
    }
}
