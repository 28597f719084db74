//! A condition that is written twice.

use crate::{
    Diagnostics, Severity, Span,
    facts::conditions,
    model::{Expr, Model, RuleLine},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "redundant-condition",
    severity: Severity::Warning,
    summary: "an `and` or `or` repeats a condition",
    wrong: "entity Task:\n  id: uuid pk\n  open: bool\n  permit:\n    read: open = true or open = true\n",
    right: "entity Task:\n  id: uuid pk\n  open: bool\n  permit:\n    read: open = true\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for entity in &model.entities {
        for permission in &entity.access.permissions {
            report_repeated_lines(&permission.lines, out);
        }
        for row in entity.states.iter().flat_map(|machine| &machine.rows) {
            if let Some(guard) = &row.guard {
                report_repeated_part(guard, row.span, "this guard", out);
            }
        }
    }
    conditions::visit_all(model, &mut |condition| report_repeated_part(condition.expr, condition.span, &condition.what, out));
}

/// Reports a line of an action that repeats an earlier one. Lines of one action are joined with `or`, so it has no effect.
fn report_repeated_lines(lines: &[RuleLine], out: &mut Diagnostics) {
    for (at, line) in lines.iter().enumerate() {
        let same = |other: &&RuleLine| other.forbids == line.forbids && other.condition == line.condition;
        if let Some(first) = lines[..at].iter().find(same) {
            out.push(
                RULE.diagnostic(line.condition_span, "this rule repeats a line above it")
                    .label(first.condition_span, "first written here")
                    .help("remove one of the two lines"),
            );
        }
    }
}

fn report_repeated_part(expr: &Expr, span: Span, what: &str, out: &mut Diagnostics) {
    if conditions::repeats_a_part(expr) {
        out.push(RULE.diagnostic(span, format!("{what} repeats a condition")).help("remove one of them"));
    }
}
