//! A condition on a row's own fields as a phrase for users: "Status is Lent or Requested".

use crate::model::{Comparison, Entity, Expr, Function, Model};

/// The phrase, with the titles of fields and values.
pub fn text(model: &Model, entity: &Entity, condition: &Expr) -> String {
    match condition {
        Expr::And(parts) => join(parts.iter().map(|part| part_text(model, entity, part)), "and"),
        Expr::Or(parts) => join(parts.iter().map(|part| part_text(model, entity, part)), "or"),
        Expr::Not(inner) => match &**inner {
            Expr::In(item, list) => format!("{} is not {}", operand(model, entity, item), list_text(model, entity, list)),
            // words: allow(is no) because "no" is the value of the field
            Expr::Path(_) => format!("{} is no", operand(model, entity, inner)),
            inner => format!("it is not true that {}", text(model, entity, inner)),
        },
        Expr::In(item, list) => format!("{} is {}", operand(model, entity, item), list_text(model, entity, list)),
        Expr::Compare(how, left, right) => comparison_text(model, entity, *how, left, right),
        flag => format!("{} is yes", operand(model, entity, flag)),
    }
}

/// Writes a nested condition in brackets, unless it has the same operator.
fn part_text(model: &Model, entity: &Entity, part: &Expr) -> String {
    let text = text(model, entity, part);
    if matches!(part, Expr::And(_) | Expr::Or(_)) { format!("({text})") } else { text }
}

fn join(parts: impl Iterator<Item = String>, word: &str) -> String {
    parts.collect::<Vec<_>>().join(&format!(" {word} "))
}

fn list_text(model: &Model, entity: &Entity, list: &Expr) -> String {
    let Expr::List(items) = list else { return operand(model, entity, list) };
    let all: Vec<String> = items.iter().map(|item| operand(model, entity, item)).collect();
    match all.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => all.concat(),
    }
}

fn comparison_text(model: &Model, entity: &Entity, how: Comparison, left: &Expr, right: &Expr) -> String {
    if matches!(left, Expr::Null) || (is_literal(left) && !is_literal(right)) {
        return comparison_text(model, entity, mirror(how), right, left);
    }
    let subject = operand(model, entity, left);
    if matches!(right, Expr::Null) {
        return format!("{subject} is {}", if how == Comparison::Ne { "set" } else { "empty" });
    }
    let time = is_time(entity, left);
    let verb = match how {
        Comparison::Eq => "is",
        Comparison::Ne => "is not",
        Comparison::Lt if time => "is before",
        Comparison::Le if time => "is not after",
        Comparison::Gt if time => "is after",
        Comparison::Ge if time => "is not before",
        Comparison::Lt => "is less than",
        Comparison::Le => "is at most",
        Comparison::Gt => "is more than",
        Comparison::Ge => "is at least",
    };
    format!("{subject} {verb} {}", operand(model, entity, right))
}

fn is_literal(expr: &Expr) -> bool {
    !matches!(expr, Expr::Path(_) | Expr::Call(..))
}

fn mirror(how: Comparison) -> Comparison {
    match how {
        Comparison::Eq | Comparison::Ne => how,
        Comparison::Lt => Comparison::Gt,
        Comparison::Le => Comparison::Ge,
        Comparison::Gt => Comparison::Lt,
        Comparison::Ge => Comparison::Le,
    }
}

fn is_time(entity: &Entity, expr: &Expr) -> bool {
    let Expr::Path(path) = expr else { return false };
    entity.fields.get(path.field.0).is_some_and(|field| field.ty.is_time())
}

/// The title of a field, or a value as pages show it.
fn operand(model: &Model, entity: &Entity, expr: &Expr) -> String {
    match expr {
        Expr::Path(path) => entity.fields.get(path.field.0).map_or_else(String::new, |field| field.title.clone()),
        Expr::EnumValue(of, at) => model.enums[of.0].values.get(*at).map_or_else(String::new, |value| value.title.clone()),
        Expr::Bool(value) => if *value { "yes" } else { "no" }.to_owned(),
        Expr::Text(text) => format!("“{text}”"),
        Expr::Typed(_, text) => text.clone(),
        Expr::Call(Function::Length, arguments, _) => match arguments.as_slice() {
            [argument] => format!("the length of {}", operand(model, entity, argument)),
            _ => super::expression::text(model, crate::model::EntityId(0), expr),
        },
        other => super::expression::text(model, crate::model::EntityId(0), other),
    }
}
