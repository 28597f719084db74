//! Demo data: typed rows that refer to earlier ones by name.

use std::collections::HashMap;

use super::{Lowering, collect, expr};
use crate::{
    Diagnostic,
    cursor::Name,
    diagnostic::nearest,
    model::{Auto, DemoAccount, DemoRow, DemoValue, EntityId, FieldId, FieldType},
    syntax::{
        File, Item,
        demo::{Row, Value},
        expr::ExprKind,
    },
};

pub(super) fn lower(it: &mut Lowering<'_>, files: &[File]) -> Vec<DemoRow> {
    let mut rows: Vec<DemoRow> = Vec::new();
    let mut labels: HashMap<String, (usize, EntityId)> = HashMap::new();
    let mut seen = HashMap::new();
    for item in files.iter().flat_map(|file| &file.items) {
        let Item::Demo(demo) = item else { continue };
        for row in &demo.rows {
            let Some(entity) = it.entity(&row.entity) else { continue };
            let lowered = lower_row(it, entity, row, &labels);
            if let Some(label) = &row.label
                && collect::first(it, &mut seen, "row", label)
            {
                labels.insert(label.text.clone(), (rows.len(), entity));
            }
            rows.push(lowered);
        }
    }
    rows
}

fn lower_row(it: &mut Lowering<'_>, entity: EntityId, row: &Row, labels: &HashMap<String, (usize, EntityId)>) -> DemoRow {
    let mut lowered =
        DemoRow { entity, values: Vec::new(), account: it.entities[entity.0].account.then(DemoAccount::default), span: row.span };
    let mut seen = HashMap::new();
    for (name, value) in &row.values {
        if !collect::first(it, &mut seen, "field", name) || account_key(it, &mut lowered, name, value) {
            continue;
        }
        let Some(field) = settable(it, entity, name) else { continue };
        if let Some(value) = lower_value(it, entity, field, value, labels) {
            lowered.values.push((field, value));
        }
    }
    missing(it, entity, &lowered, row);
    lowered
}

/// The fields of an example, each of which could be given to a row.
pub(super) fn example(it: &mut Lowering<'_>, entity: EntityId, row: &Row) -> Vec<(FieldId, crate::model::Expr)> {
    let mut seen = HashMap::new();
    let mut values = Vec::new();
    for (name, value) in &row.values {
        if !collect::first(it, &mut seen, "field", name) {
            continue;
        }
        let Some(field) = settable(it, entity, name) else { continue };
        match value {
            Value::Row(label) => {
                let found = Diagnostic::error("not-allowed-here", label.span, "an example refers to no other row");
                it.out.push(found.help("give the value itself, or leave the field out"));
            }
            Value::Expr(value) => {
                let ty = it.entities[entity.0].fields[field.0].ty;
                values.extend(expr::default(it, entity, ty, value).map(|value| (field, value)));
            }
        }
    }
    values
}

fn settable(it: &mut Lowering<'_>, entity: EntityId, name: &Name) -> Option<FieldId> {
    let at = it.field_names[entity.0].get(&name.text).copied();
    let fields = &it.entities[entity.0].fields;
    match at {
        Some(at) if fields[at].is_stored() && !fields[at].secret => Some(FieldId(at)),
        _ => {
            let near =
                nearest(&name.text, fields.iter().filter(|field| field.is_stored() && !field.secret).map(|field| field.name.as_str()))
                    .map(str::to_owned);
            let entity = it.entities[entity.0].name.clone();
            it.unknown("unknown-field", &format!("field of `{entity}`"), name.span, &name.text, near);
            None
        }
    }
}

/// `password:` and `roles:` of an account row; true when the key was one of them.
fn account_key(it: &mut Lowering<'_>, row: &mut DemoRow, name: &Name, value: &Value) -> bool {
    let declared = it.field_names[row.entity.0].contains_key(&name.text);
    let Some(account) = row.account.as_mut().filter(|_| !declared) else { return false };
    match (name.text.as_str(), value) {
        ("password", Value::Expr(value)) => {
            match &value.kind {
                ExprKind::Text(text) => account.password = Some(text.clone()),
                _ => it.out.push(Diagnostic::error("type-mismatch", value.span, "a password is a string")),
            }
            true
        }
        ("roles", Value::Expr(value)) => {
            let words: Vec<Name> = match &value.kind {
                ExprKind::List(items) => items.iter().filter_map(word).collect(),
                _ => word(value).into_iter().collect(),
            };
            for word in words {
                match it.roles.get(&word.text) {
                    Some(id) => account.roles.push(*id),
                    None => {
                        let near = nearest(&word.text, it.roles.keys().map(String::as_str)).map(str::to_owned);
                        it.unknown("unknown-role", "role", word.span, &word.text, near);
                    }
                }
            }
            true
        }
        _ => false,
    }
}

fn word(expr: &crate::syntax::expr::Expr) -> Option<Name> {
    match &expr.kind {
        ExprKind::Path(path) if path.len() == 1 => Some(path[0].clone()),
        ExprKind::Text(text) => Some(Name { text: text.clone(), span: expr.span }),
        _ => None,
    }
}

fn lower_value(
    it: &mut Lowering<'_>,
    entity: EntityId,
    field: FieldId,
    value: &Value,
    labels: &HashMap<String, (usize, EntityId)>,
) -> Option<DemoValue> {
    let ty = it.entities[entity.0].fields[field.0].ty;
    match (value, ty) {
        (Value::Row(name), FieldType::Ref(target)) => match labels.get(&name.text) {
            Some((at, found)) if *found == target => Some(DemoValue::Row(*at)),
            Some((_, found)) => {
                let (found, target) = (it.entities[found.0].name.clone(), it.entities[target.0].name.clone());
                it.out.push(Diagnostic::error(
                    "type-mismatch",
                    name.span,
                    format!("`@{}` is a `{found}`, but a `{target}` is needed", name.text),
                ));
                None
            }
            None => {
                let near = nearest(&name.text, labels.keys().map(String::as_str)).map(str::to_owned);
                it.unknown("unknown-value", "row", name.span, &name.text, near);
                None
            }
        },
        (Value::Row(name), _) => {
            it.out.push(Diagnostic::error("type-mismatch", name.span, "only a reference can name another row"));
            None
        }
        (Value::Expr(value), ty) => expr::default(it, entity, ty, value).map(DemoValue::Literal),
    }
}

fn missing(it: &mut Lowering<'_>, entity: EntityId, lowered: &DemoRow, row: &Row) {
    let key = it.entities[entity.0].pk;
    let absent: Vec<String> = it.entities[entity.0]
        .fields
        .iter()
        .enumerate()
        .filter(|(at, field)| {
            let generated = FieldId(*at) == key && matches!(field.ty, FieldType::Uuid | FieldType::Int { .. });
            field.required && field.is_stored() && field.default.is_none() && field.auto == Auto::No && !generated
        })
        .filter(|(at, field)| {
            !lowered.values.iter().any(|(given, _)| given.0 == *at) && !row.values.iter().any(|(name, _)| name.text == field.name)
        })
        .map(|(_, field)| format!("`{}`", field.name))
        .collect();
    if !absent.is_empty() {
        it.out.push(
            Diagnostic::error("missing-required-field", row.span, format!("this row lacks {}", absent.join(", ")))
                .help("give every required field a value"),
        );
    }
}
