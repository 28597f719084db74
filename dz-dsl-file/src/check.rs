//! Rules over a whole model: one file each, in the order of [`run`]. They read; they change nothing.

mod access_rules;
mod conditions;
mod constant_condition;
mod dead;
mod dead_pages;
mod decide;
mod experiences;
mod fields;
mod flow;
mod graph;
mod imports;
mod indexes;
mod invariants;
mod labels;
mod name_collision;
mod naming;
mod never_triggered;
mod no_members;
mod process_cycle;
mod regions;
mod required_fields;
mod service_stub;
mod signals;
mod sizes;
mod states;
mod step_data;
mod stories;
mod unreachable_step;
mod unused_parts;
mod unused_persona;
mod variants;

use crate::{
    Diagnostics,
    diagnostic::Rule,
    model::{Expr, Model},
};

/// Runs every rule.
pub fn run(model: &Model, out: &mut Diagnostics) {
    name_collision::check(model, out);
    naming::check(model, out);
    sizes::check(model, out);
    required_fields::check(model, out);
    access_rules::check(model, out);
    constant_condition::check(model, out);
    fields::check(model, out);
    labels::check(model, out);
    states::check(model, out);
    invariants::check(model, out);
    graph::check(model, out);
    no_members::check(model, out);
    indexes::check(model, out);
    dead::check(model, out);
    dead_pages::check(model, out);
    regions::check(model, out);
    variants::check(model, out);
    service_stub::check(model, out);
    never_triggered::check(model, out);
    unreachable_step::check(model, out);
    step_data::check(model, out);
    process_cycle::check(model, out);
    signals::check(model, out);
    unused_parts::check(model, out);
    unused_persona::check(model, out);
    imports::check(model, out);
    stories::check(model, out);
    experiences::check(model, out);
}

/// The rules that checking can find broken.
pub(crate) fn rules() -> impl Iterator<Item = &'static Rule> {
    name_collision::RULES
        .iter()
        .chain(naming::RULES)
        .chain(sizes::RULES)
        .chain(required_fields::RULES)
        .chain(access_rules::RULES)
        .chain(constant_condition::RULES)
        .chain(fields::RULES)
        .chain(labels::RULES)
        .chain(states::RULES)
        .chain(invariants::RULES)
        .chain(graph::RULES)
        .chain(no_members::RULES)
        .chain(indexes::RULES)
        .chain(dead::RULES)
        .chain(dead_pages::RULES)
        .chain(regions::RULES)
        .chain(variants::RULES)
        .chain(service_stub::RULES)
        .chain(never_triggered::RULES)
        .chain(unreachable_step::RULES)
        .chain(step_data::RULES)
        .chain(process_cycle::RULES)
        .chain(signals::RULES)
        .chain(unused_parts::RULES)
        .chain(unused_persona::RULES)
        .chain(imports::RULES)
        .chain(stories::RULES)
        .chain(experiences::RULES)
}

/// Calls `see` with an expression and everything inside it.
pub(crate) fn walk<'e>(expr: &'e Expr, see: &mut dyn FnMut(&'e Expr)) {
    see(expr);
    match expr {
        Expr::List(items) | Expr::And(items) | Expr::Or(items) | Expr::Call(_, items, _) => items.iter().for_each(|it| walk(it, see)),
        Expr::Not(inner) | Expr::Negate(inner) => walk(inner, see),
        Expr::Compare(_, left, right) | Expr::In(left, right) | Expr::Arithmetic(_, left, right, _) => {
            walk(left, see);
            walk(right, see);
        }
        Expr::Aggregate { condition: Some(condition), .. } | Expr::EntityAggregate { condition: Some(condition), .. } => {
            walk(condition, see)
        }
        Expr::If(branches, rest) => {
            for (condition, value) in branches {
                walk(condition, see);
                walk(value, see);
            }
            walk(rest, see);
        }
        _ => {}
    }
}
