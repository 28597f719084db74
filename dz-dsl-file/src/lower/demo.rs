//! Demo data: typed rows that can reference earlier ones.

mod reference;

use std::collections::HashMap;

use reference::KnownRows;

use super::{Lowering, collect, expr};
use crate::{
    Diagnostic,
    cursor::Name,
    diagnostic::near_word,
    dialect,
    model::{Archetype, Auto, Currency, DemoAccount, DemoRow, DemoValue, EntityId, Expr, Field, FieldId, FieldType, Type},
    suggestion::{Replacement, layout},
    syntax::{
        File, Item,
        demo::{Demo, Row, Value},
        expr::ExprKind,
    },
};

/// The rows in order, and the names by which later rows can reference them.
pub(super) struct Rows<'b> {
    rows: Vec<DemoRow>,
    known: KnownRows<'b>,
}

impl Rows<'_> {
    /// Only the rows.
    pub fn into_rows(self) -> Vec<DemoRow> {
        self.rows
    }
}

/// The rows outside of scenarios.
pub(super) fn lower<'b>(it: &mut Lowering<'_>, files: &[File]) -> Rows<'b> {
    let demos = files.iter().flat_map(|file| &file.items).filter_map(|item| match item {
        Item::Demo(demo) => Some(demo),
        _ => None,
    });
    lower_rows(it, demos, None)
}

/// The rows of a scenario. They follow the rows outside of scenarios and can reference them.
pub(super) fn scenario(it: &mut Lowering<'_>, demo: &Demo, before: &Rows<'_>) -> Vec<DemoRow> {
    lower_rows(it, std::iter::once(demo), Some(&before.known)).rows
}

fn lower_rows<'b, 'd>(it: &mut Lowering<'_>, demos: impl Iterator<Item = &'d Demo> + Clone, before: Option<&'b KnownRows<'b>>) -> Rows<'b> {
    let names = demos.clone().flat_map(|demo| &demo.rows).filter_map(|row| row.label.as_ref());
    let mut lowered = Rows { rows: Vec::new(), known: KnownRows::new(before, names, demos.clone().any(|demo| demo.broken)) };
    for row in demos.flat_map(|demo| &demo.rows) {
        let Some(entity) = it.entity(&row.entity) else {
            lowered.known.add_broken(row);
            continue;
        };
        let values = lower_row(it, entity, row, &lowered.known);
        lowered.known.add(it, row, &values);
        lowered.rows.push(values);
    }
    lowered
}

fn lower_row(it: &mut Lowering<'_>, entity: EntityId, row: &Row, known: &KnownRows<'_>) -> DemoRow {
    let mut lowered =
        DemoRow { entity, values: Vec::new(), account: it.entities[entity.0].account.then(DemoAccount::default), span: row.span };
    let mut seen = HashMap::new();
    for (name, value) in &row.values {
        if !collect::first(it, &mut seen, "field", name) || account_key(it, &mut lowered, name, value) {
            continue;
        }
        let Some(field) = settable(it, entity, name) else { continue };
        if let Some(value) = lower_value(it, entity, field, value, known) {
            lowered.values.push((field, value));
        }
    }
    missing(it, entity, &lowered, row);
    let given = |field: FieldId| {
        lowered.values.iter().find(|(at, _)| *at == field).map(|(_, value)| match value {
            DemoValue::Literal(value) => value,
            DemoValue::Row(_) => &Expr::Null,
        })
    };
    whole_amounts(it, entity, row, given);
    lowered
}

/// The fields of an example, which must be settable.
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
    whole_amounts(it, entity, row, |field| values.iter().find(|(at, _)| *at == field).map(|(_, value)| value));
    values
}

/// Checks that an amount and its currency are set together, and that the currency has as many digits.
fn whole_amounts<'v>(it: &mut Lowering<'_>, entity: EntityId, row: &Row, given: impl Fn(FieldId) -> Option<&'v Expr>) {
    let place = |field: &Field| row.values.iter().find(|(name, _)| name.text == field.name).map(|(name, _)| name.span);
    let mut found = Vec::new();
    for (at, currency) in it.entities[entity.0].fields.iter().enumerate() {
        let Some(of) = currency.ty.amount() else { continue };
        let amount = &it.entities[entity.0].fields[of.0];
        let (Some(amount_place), Some(currency_place)) = (place(amount), place(currency)) else {
            // Missing required fields have been reported.
            if let Some(span) = place(amount).or(place(currency)).filter(|_| !currency.required && !row.broken) {
                let message = format!("`{}` and `{}` are given together", amount.name, currency.name);
                found.push(
                    Diagnostic::error("missing-required-field", span, message)
                        .help(format!("write both: `{}: 12.50, {}: \"EUR\"`", amount.name, currency.name)),
                );
            }
            continue;
        };
        match (given(of), given(FieldId(at))) {
            (Some(Expr::Null), Some(Expr::Text(_))) | (Some(_), Some(Expr::Null)) if given(of) != given(FieldId(at)) => {
                let message = format!("`{}` and `{}` are null together", amount.name, currency.name);
                found.push(Diagnostic::error("type-mismatch", currency_place, message).help("write both, or neither"));
            }
            (Some(number), Some(Expr::Text(code))) => {
                let Some(known) = Currency::from_code(code) else { continue };
                // The column can store the digits of every currency.
                let whole = FieldType::Money(None).digits().map_or(0, |(precision, scale)| precision - scale);
                let scale = known.digits();
                if let Some(help) = expr::misfit(FieldType::Decimal { precision: whole + scale, scale }, number) {
                    let message = format!("this is not an amount of {code}");
                    found.push(Diagnostic::error("type-mismatch", amount_place, message).help(help));
                }
            }
            _ => {}
        }
    }
    for one in found {
        it.out.push(one);
    }
}

fn settable(it: &mut Lowering<'_>, entity: EntityId, name: &Name) -> Option<FieldId> {
    let at = it.field_names[entity.0].get(&name.text).copied();
    let fields = &it.entities[entity.0].fields;
    match at {
        Some(at) if fields[at].is_stored() && !fields[at].secret => {
            it.field_used(name.span, entity, at);
            Some(FieldId(at))
        }
        _ => {
            let key = it.entities[entity.0].account.then(|| near_word(&name.text, ["password", "roles"])).flatten();
            match key {
                Some(key) => {
                    let found = Diagnostic::error("unknown-field", name.span, format!("an account has no `{}`", name.text));
                    it.out.push(found.help(format!("did you mean `{key}`?")).replace(name.span, key));
                }
                None => it.unknown_field("unknown-field", entity, name, crate::model::Field::is_stored),
            }
            None
        }
    }
}

/// Reads `password:` and `roles:` of an account's row; true if the key was one of them.
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
                ExprKind::List(items) => items.iter().filter_map(|item| word(it, item)).collect(),
                _ => word(it, value).into_iter().collect(),
            };
            account.roles.extend(words.iter().filter_map(|word| it.role(word)));
            true
        }
        ("password" | "roles", Value::Row(label)) => {
            let found = Diagnostic::error("type-mismatch", label.span, "only a reference can name another row");
            it.out.push(found.help("write a value without `@`"));
            true
        }
        _ => false,
    }
}

/// The personas of a membership as JSON.
fn personas(it: &mut Lowering<'_>, value: &crate::syntax::expr::Expr) -> Expr {
    let words: Vec<Name> = match &value.kind {
        ExprKind::List(items) => items.iter().filter_map(|item| word(it, item)).collect(),
        _ => word(it, value).into_iter().collect(),
    };
    let names: Vec<String> = words.iter().filter_map(|word| it.role(word).map(|_| format!("\"{}\"", word.text))).collect();
    Expr::Typed(Type::Json, format!("[{}]", names.join(",")))
}

fn word(it: &mut Lowering<'_>, expr: &crate::syntax::expr::Expr) -> Option<Name> {
    match &expr.kind {
        ExprKind::Path(path) if path.len() == 1 => Some(path[0].clone()),
        ExprKind::Text(text) => Some(Name { text: text.clone(), span: expr.span }),
        _ => {
            it.out.push(Diagnostic::error("type-mismatch", expr.span, "roles are names of personas").help("write `roles: [a, b]`"));
            None
        }
    }
}

fn lower_value(it: &mut Lowering<'_>, entity: EntityId, field: FieldId, value: &Value, known: &KnownRows<'_>) -> Option<DemoValue> {
    let ty = it.entities[entity.0].fields[field.0].ty;
    let value = match (value, ty.target()) {
        (Value::Row(name), Some(target)) => return known.by_name(it, name, target).map(DemoValue::Row),
        (Value::Row(name), None) => {
            let found = Diagnostic::error("type-mismatch", name.span, "only a reference can name another row");
            it.out.push(found.help("write a value without `@`"));
            return None;
        }
        (Value::Expr(value), _) => value,
    };
    if it.entities[entity.0].kind == Some(Archetype::UserMembership) && it.entities[entity.0].fields[field.0].name == "personas" {
        return Some(DemoValue::Literal(personas(it, value)));
    }
    if let Some(target) = ty.target()
        && let Some(shown) = reference::written_text(value)
    {
        return known.by_label(it, &shown, value, target).map(DemoValue::Row);
    }
    if let ExprKind::Path(path) = &value.kind
        && let [one] = path.as_slice()
        && bare_word(it, ty, one)
    {
        return None;
    }
    let lowered = expr::entry(it, ty, value)?;
    let own = &it.entities[entity.0].fields[field.0];
    if own.required && lowered == Expr::Null {
        let found = Diagnostic::error("type-mismatch", value.span, format!("`{}` is required, so it cannot be null", own.name))
            .label(own.span, "required here");
        it.out.push(found.help("give it a value"));
        return None;
    }
    Some(DemoValue::Literal(lowered))
}

/// Reports a word in place of a text or a value; false if the word can be a value.
fn bare_word(it: &mut Lowering<'_>, ty: FieldType, word: &Name) -> bool {
    let special = ["true", "false", "today", "now", "current_user"].contains(&word.text.as_str());
    let found = |message: String| Diagnostic::error("type-mismatch", word.span, message);
    if ty.enumeration().is_some() {
        return false;
    }
    if ty.is_text() && word.text != "current_user" {
        let quoted = format!("\"{}\"", word.text);
        let text = found(format!("`{}` is a text, which needs quotes", word.text));
        it.out.push(text.help(format!("write {quoted}")).replace(word.span, layout(quoted)));
    } else if special {
        return false;
    } else if ty == FieldType::Bool {
        let flag = found(format!("`{}` is neither `true` nor `false`", word.text));
        let elsewhere = dialect::word("flag", &word.text).and_then(|row| row.replacement());
        let meant = elsewhere.or_else(|| near_word(&word.text, ["true", "false"]).map(Replacement::from));
        it.out.push(match meant {
            Some(meant) => flag.help(format!("write `{}`", meant.text())).replace(word.span, meant),
            None => flag.help("write one of them"),
        });
    } else {
        let found = found(format!("`{}` is a word, and no value of this field", word.text)).help("write the value itself");
        let words: &[&str] = if ty.is_time() { &["today", "now"] } else { &[] };
        it.out.push(found.suggest_near(word.span, &word.text, words.iter().copied()));
    }
    true
}

fn missing(it: &mut Lowering<'_>, entity: EntityId, lowered: &DemoRow, row: &Row) {
    let key = it.entities[entity.0].pk;
    let absent: Vec<&crate::model::Field> = it.entities[entity.0]
        .fields
        .iter()
        .enumerate()
        .filter(|(at, field)| {
            let generated = FieldId(*at) == key && field.ty.is_generated_key();
            let default = field.default.is_some() || it.unreadable.defaults.contains(&(entity, *at));
            field.required && field.is_stored() && !default && field.auto == Auto::No && !generated
        })
        .filter(|(at, field)| {
            !lowered.values.iter().any(|(given, _)| given.0 == *at) && !row.values.iter().any(|(name, _)| name.text == field.name)
        })
        .map(|(_, field)| field)
        .collect();
    // A misspelt or unreadable field name is reported once, and not also as a missing field.
    let account_key = |name: &Name| lowered.account.is_some() && matches!(name.text.as_str(), "password" | "roles");
    let misspelt = row.values.iter().any(|(name, _)| !it.field_names[entity.0].contains_key(&name.text) && !account_key(name));
    let Some(first) = absent.first().filter(|_| !misspelt && !row.broken) else { return };
    let names: Vec<String> = absent.iter().map(|field| format!("`{}`", field.name)).collect();
    let mut found = Diagnostic::error("missing-required-field", row.start, format!("this row lacks {}", names.join(", ")))
        .help(format!("add `{}: …`", first.name));
    for field in absent.iter().filter(|field| it.entities[entity.0].has_written(field)) {
        found = found.label(field.span, "required here");
    }
    it.out.push(found);
}
