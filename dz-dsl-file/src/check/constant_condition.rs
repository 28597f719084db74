//! Conditions that do not depend on anything.

use super::{
    conditions,
    decide::{Asker, Question},
    walk,
};
use crate::{
    Diagnostic, Diagnostics, Span,
    diagnostic::{Rule, Severity},
    model::{Expr, Model, RuleLine},
};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "always-false",
        severity: Severity::Warning,
        summary: "a condition can never hold",
        wrong: "entity Task:\n  id: uuid pk\n  state: enum[open, done]\n  permit:\n    read: state = open and state = done\n",
        right: "entity Task:\n  id: uuid pk\n  state: enum[open, done]\n  permit:\n    read: state = open\n",
    },
    Rule {
        name: "always-true",
        severity: Severity::Warning,
        summary: "a condition always holds",
        wrong: "entity Task:\n  id: uuid pk\n  state: enum[open, done]\n  permit:\n    read: state != open or state != done\n",
        right: "entity Task:\n  id: uuid pk\n  state: enum[open, done]\n  permit:\n    read: state != done\n",
    },
    Rule {
        name: "redundant-condition",
        severity: Severity::Warning,
        summary: "a condition stands twice in one `and` or `or`",
        wrong: "entity Task:\n  id: uuid pk\n  open: bool\n  permit:\n    read: open = true or open = true\n",
        right: "entity Task:\n  id: uuid pk\n  open: bool\n  permit:\n    read: open = true\n",
    },
];

pub(super) fn check(model: &Model, out: &mut Diagnostics) {
    for entity in &model.entities {
        let mut seen: Vec<Span> = Vec::new();
        for line in entity.access.permissions.iter().flat_map(|it| &it.lines) {
            // One line of `access:` stands behind several actions.
            if seen.contains(&line.span) {
                continue;
            }
            seen.push(line.span);
            judge(model, &line.condition, line.condition_span, "this rule", out);
        }
        for permission in &entity.access.permissions {
            repeated(&permission.lines, out);
        }
        for invariant in &entity.invariants {
            judge(model, &invariant.condition, invariant.span, "this invariant", out);
        }
        for index in &entity.indexes {
            if let Some(rows) = &index.rows {
                judge(model, rows, index.span, "the condition of this index", out);
            }
        }
        for row in entity.states.iter().flat_map(|machine| &machine.rows) {
            if let Some(guard) = &row.guard {
                twice(guard, row.span, "this guard", out);
            }
        }
    }
    conditions::of_pages(model, &mut |condition| {
        judge(model, condition.expr, condition.span, &condition.what, out);
    });
    conditions::of_experiences(model, &mut |condition| {
        judge(model, condition.expr, condition.span, &condition.what, out);
    });
    conditions::of_processes(model, &mut |condition| {
        judge_by(model, Asker::System, condition.expr, condition.span, &condition.what, out);
    });
}

/// Reports a line of an action that repeats a line above it: lines of one action add up, so it has no effect.
fn repeated(lines: &[RuleLine], out: &mut Diagnostics) {
    for (at, line) in lines.iter().enumerate() {
        let same = |other: &&RuleLine| other.forbids == line.forbids && other.condition == line.condition;
        if let Some(first) = lines[..at].iter().find(same) {
            out.push(
                Diagnostic::warning("redundant-condition", line.condition_span, "this rule repeats a line above it")
                    .label(first.condition_span, "first written here")
                    .help("remove one of the two lines"),
            );
        }
    }
}

/// Whether what a person wrote, in whole or in a part joined by `and` or `or`, is the same in every case.
fn judge(model: &Model, expr: &Expr, span: Span, what: &str, out: &mut Diagnostics) {
    judge_by(model, Asker::Account, expr, span, what, out);
}

fn judge_by(model: &Model, asker: Asker, expr: &Expr, span: Span, what: &str, out: &mut Diagnostics) {
    if twice(expr, span, what, out) {
        return;
    }
    let question = Question::new(model, asker);
    let mut constant = None;
    walk(expr, &mut |part| {
        if constant.is_none() && matches!(part, Expr::And(_) | Expr::Or(_)) && !stated(part) {
            if !question.can_hold(&[part]) {
                constant = Some(("always-false", "can never hold", part));
            } else if !question.can_fail(part) {
                constant = Some(("always-true", "always holds", part));
            }
        }
    });
    if let Some((rule, verdict, part)) = constant {
        let what = if part == expr { what.to_owned() } else { format!("a part of {what}") };
        let found = Diagnostic::warning(rule, span, format!("{what} {verdict}"));
        out.push(found.help("say what is meant, or remove it"));
    }
}

/// A condition that says itself that it is constant needs no warning.
fn stated(expr: &Expr) -> bool {
    match expr {
        Expr::And(parts) | Expr::Or(parts) => parts.iter().all(|part| matches!(part, Expr::Bool(_) | Expr::SignedIn | Expr::Anyone)),
        _ => false,
    }
}

fn twice(expr: &Expr, span: Span, what: &str, out: &mut Diagnostics) -> bool {
    let mut found = false;
    walk(expr, &mut |part| {
        if let Expr::And(parts) | Expr::Or(parts) = part {
            found |= parts.iter().enumerate().any(|(at, part)| parts[..at].contains(part));
        }
    });
    if found {
        out.push(
            Diagnostic::warning("redundant-condition", span, format!("{what} says the same condition twice")).help("remove one of them"),
        );
    }
    found
}
