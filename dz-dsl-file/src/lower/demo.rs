//! Demo data: typed rows that refer to earlier ones by name.

use std::collections::HashMap;

use super::{Lowering, collect, expr};
use crate::{
    Diagnostic,
    cursor::Name,
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
            let Some(entity) = it.entity(&row.entity) else {
                it.lost.labels.extend(row.label.iter().map(|label| label.text.clone()));
                continue;
            };
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
            it.unknown_field("unknown-field", entity, name, crate::model::Field::is_stored);
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
                _ => it.out.push(Diagnostic::error("type-mismatch", value.span, "a password is a string").help("write it in quotes")),
            }
            true
        }
        ("roles", Value::Expr(value)) => {
            let words: Vec<Name> = match &value.kind {
                ExprKind::List(items) => items.iter().filter_map(word).collect(),
                _ => word(value).into_iter().collect(),
            };
            account.roles.extend(words.iter().filter_map(|word| it.role(word)));
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
                let others = rows_of(labels, |(_, entity)| it.entities[entity.0].name == target);
                let found =
                    Diagnostic::error("type-mismatch", name.span, format!("`@{}` is a `{found}`, but a `{target}` is needed", name.text))
                        .suggest(name.span, &name.text, others)
                        .or_else_help(&format!("label a row of `{target}` above this one: `- @name …`"));
                it.out.push(found);
                None
            }
            None if it.lost.labels.contains(&name.text) => None,
            None => {
                let known = rows_of(labels, |(_, entity)| *entity == target);
                let target = &it.entities[target.0].name;
                let found = Diagnostic::error("unknown-value", name.span, format!("no row above this one is called `@{}`", name.text))
                    .suggest(name.span, &name.text, known)
                    .or_else_help(&format!("label a row of `{target}` above this one: `- @{} …`", name.text));
                it.out.push(found);
                None
            }
        },
        (Value::Row(name), _) => {
            it.out.push(
                Diagnostic::error("type-mismatch", name.span, "only a reference can name another row").help("write a value without `@`"),
            );
            None
        }
        (Value::Expr(value), ty) => expr::entry(it, ty, value).map(DemoValue::Literal),
    }
}

/// The labels of rows, in their order.
fn rows_of(labels: &HashMap<String, (usize, EntityId)>, wanted: impl Fn(&(usize, EntityId)) -> bool) -> Vec<&str> {
    let mut rows: Vec<(usize, &str)> = labels.iter().filter(|(_, row)| wanted(row)).map(|(name, row)| (row.0, name.as_str())).collect();
    rows.sort_unstable();
    rows.into_iter().map(|(_, name)| name).collect()
}

fn missing(it: &mut Lowering<'_>, entity: EntityId, lowered: &DemoRow, row: &Row) {
    let key = it.entities[entity.0].pk;
    let absent: Vec<&crate::model::Field> = it.entities[entity.0]
        .fields
        .iter()
        .enumerate()
        .filter(|(at, field)| {
            let generated = FieldId(*at) == key && matches!(field.ty, FieldType::Uuid | FieldType::Int { .. });
            let default = field.default.is_some() || it.lost.defaults.contains(&(entity, *at));
            field.required && field.is_stored() && !default && field.auto == Auto::No && !generated
        })
        .filter(|(at, field)| {
            !lowered.values.iter().any(|(given, _)| given.0 == *at) && !row.values.iter().any(|(name, _)| name.text == field.name)
        })
        .map(|(_, field)| field)
        .collect();
    // A misspelt name is one mistake, not a field too much and a field too few.
    let account_key = |name: &Name| lowered.account.is_some() && matches!(name.text.as_str(), "password" | "roles");
    let misspelt = row.values.iter().any(|(name, _)| !it.field_names[entity.0].contains_key(&name.text) && !account_key(name));
    let Some(first) = absent.first().filter(|_| row.whole && !misspelt) else { return };
    let names: Vec<String> = absent.iter().map(|field| format!("`{}`", field.name)).collect();
    let mut found = Diagnostic::error("missing-required-field", row.start, format!("this row lacks {}", names.join(", ")))
        .help(format!("add `{}: …`", first.name));
    for field in absent.iter().filter(|field| field.span != it.entities[entity.0].span) {
        found = found.label(field.span, "required here");
    }
    it.out.push(found);
}
