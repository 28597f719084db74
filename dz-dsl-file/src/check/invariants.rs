//! Invariants that say nothing to people, or that no new row obeys.

use super::decide::{Asker, Known, Question, own};
use crate::{
    Diagnostic, Diagnostics,
    diagnostic::{Rule, Severity},
    model::{ArchetypeKind, Auto, Entity, Expr, FieldId, FieldType, Model},
};

macro_rules! task {
    ($fields:literal) => {
        concat!("entity Task:\n  id: uuid pk\n", $fields, "  permit:\n    list: true\n    read: true\n")
    };
}

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "invariant-without-message",
        severity: Severity::Lint,
        summary: "people who break the invariant are not told what to do",
        wrong: task!("  a: int = 1\n  invariant: a > 0\n"),
        right: task!("  a: int = 1\n  invariant: a > 0\n    message: \"At least one\"\n"),
    },
    Rule {
        name: "invariant-contradicts-default",
        severity: Severity::Warning,
        summary: "a row with its defaults breaks the invariant whatever else it holds",
        wrong: task!("  a: int = 0\n  invariant: a > 0\n    message: \"At least one\"\n"),
        right: task!("  a: int = 1\n  invariant: a > 0\n    message: \"At least one\"\n"),
    },
    Rule {
        name: "invariant-contradicts-initial-state",
        severity: Severity::Warning,
        summary: "a row in its first state breaks the invariant whatever else it holds",
        wrong: task!("  status: enum[open, done]\n  transitions:\n    open -> done\n  invariant: status = done\n    message: \"Done\"\n"),
        right: task!(
            "  status: enum[open, done]\n  n: int\n  transitions:\n    open -> done\n  invariant: status = open or n > 0\n    message: \"Count\"\n"
        ),
    },
    Rule {
        name: "settings-with-required-field",
        severity: Severity::Error,
        summary: "a singleton that cannot be made by itself: a required field has no default",
        wrong: "entity Limits:\n  archetype: settings\n  id: uuid pk\n  most: int required\n",
        right: "entity Limits:\n  archetype: settings\n  id: uuid pk\n  most: int = 10\n",
    },
];

pub(super) fn check(model: &Model, out: &mut Diagnostics) {
    for (at, entity) in model.entities.iter().enumerate() {
        for invariant in &entity.invariants {
            if invariant.message.is_none() {
                out.push(
                    Diagnostic::lint("invariant-without-message", invariant.span, "this invariant says nothing to whoever breaks it")
                        .help("add an indented line `message: \"…\"` under it"),
                );
            }
            let conditions = [&invariant.condition];
            let holds_at_first = initial(model, at, entity).is_none_or(|question| question.can_hold(&conditions));
            if !holds_at_first {
                out.push(
                    Diagnostic::warning(
                        "invariant-contradicts-initial-state",
                        invariant.span,
                        "no row in its first state can obey this invariant",
                    )
                    .help("let the condition hold in the first state, for example `status = open or …`"),
                );
            } else if !with_defaults(model, at, entity).can_hold(&conditions) {
                out.push(
                    Diagnostic::warning(
                        "invariant-contradicts-default",
                        invariant.span,
                        "a row with its defaults can never obey this invariant",
                    )
                    .help("change the default that contradicts it"),
                );
            }
        }
        singleton(entity, out);
    }
}

fn initial<'m>(model: &'m Model, at: usize, entity: &Entity) -> Option<Question<'m>> {
    let machine = entity.states.as_ref()?;
    Some(Question::new(model, Asker::System).knowing(own(at, machine.field), Known::Value(machine.initial)))
}

fn with_defaults<'m>(model: &'m Model, at: usize, entity: &Entity) -> Question<'m> {
    let literal = |expr: &Expr| {
        matches!(expr, Expr::Int(_) | Expr::Decimal(_) | Expr::Float(_) | Expr::Text(_) | Expr::Bool(_) | Expr::EnumValue(..))
    };
    let mut question = Question::new(model, Asker::System);
    for (position, field) in entity.fields.iter().enumerate() {
        if let Some(default) = field.default.as_ref().filter(|default| literal(default)) {
            question = question.knowing(own(at, FieldId(position)), Known::Literal(default.clone()));
        }
    }
    question
}

fn singleton(entity: &Entity, out: &mut Diagnostics) {
    if !entity.kind.is_some_and(ArchetypeKind::is_singleton) {
        return;
    }
    for (at, field) in entity.fields.iter().enumerate() {
        let generated = FieldId(at) == entity.pk && matches!(field.ty, FieldType::Uuid | FieldType::Int { .. });
        let given = field.default.is_some() || field.auto != Auto::No || generated || entity.tenant == Some(FieldId(at));
        let beside = matches!(field.ty, FieldType::Currency { .. });
        if field.required && field.is_stored() && !given && !beside {
            out.push(
                Diagnostic::error(
                    "settings-with-required-field",
                    field.span,
                    format!("the one row of `{}` is made by itself, and `{}` has no default", entity.name, field.name),
                )
                .help("give it a default, or make it optional"),
            );
        }
    }
}
