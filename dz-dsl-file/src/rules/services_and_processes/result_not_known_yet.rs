//! A step that uses the result of a later step.

use crate::{
    Diagnostics, Severity,
    facts::{flow, results::Results},
    model::{DataPath, Expr, Flow, Model, StepId},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "result-not-known-yet",
    severity: Severity::Error,
    summary: "a step uses the result of a step that has not run before it",
    wrong: price_steps!("    - step b:\n        service: book\n        inputs: a.total -> total\n    - step a:\n        service: price\n"),
    right: price_steps!("    - step a:\n        service: price\n    - step b:\n        service: book\n        inputs: a.total -> total\n"),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for flow in flow::flows(model) {
        let mut known = Results::new(flow);
        (0..flow.steps.len()).for_each(|at| report_early_uses(flow, &mut known, StepId(at), out));
    }
}

fn report_early_uses(flow: &Flow, known: &mut Results<'_>, user: StepId, out: &mut Diagnostics) {
    let mut uses: Vec<(&DataPath, bool)> = Vec::new();
    flow::expressions(flow, user, &mut |expr, own| {
        expr.visit(&mut |part| {
            if let Expr::Data(path) = part {
                uses.push((path, own));
            }
        });
    });
    for (path, own) in uses {
        let Some(source) = path.root.step() else { continue };
        if (own && source == user) || known.is_known(source, user) {
            continue;
        }
        let (source, user) = (flow.step(source), flow.step(user));
        let message = format!("`{}` does not run before `{}`, so its result is not known here", source.name, user.name);
        let message =
            if source.name == user.name { format!("the result of `{}` is not known before it has run", source.name) } else { message };
        out.push(
            RULE.diagnostic(path.span, message)
                .label(source.span, "declared here")
                .help("use the result of an earlier step, or let that step come first"),
        );
    }
}
