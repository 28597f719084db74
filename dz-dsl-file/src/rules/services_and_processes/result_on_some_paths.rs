//! A required field that gets the result of a step that some runs leave out.

use crate::{
    Diagnostics, Severity,
    facts::{effects, results::Results, ways},
    model::{Expr, Model},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "result-on-some-paths",
    severity: Severity::Warning,
    summary: "a required field gets the result of a step that some runs leave out",
    wrong: priced_note!(""),
    right: priced_note!("        goto: complete\n"),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for work in effects::works(model) {
        let mut known = Results::new(work.flow);
        effects::writes(work.flow, &mut |write| {
            let Some(user) = write.step else { return };
            let entity = model.entity(write.entity.it);
            for (at, value) in write.values.iter().filter(|(at, _)| entity.fields[at.it.0].required) {
                let Expr::Data(data) = value else { continue };
                let Some(source) = data.root.step().filter(|source| *source != user && known.is_known(*source, user)) else { continue };
                if !ways::certainly_avoids(work.flow, source, user) {
                    continue;
                }
                let field = &entity.fields[at.it.0];
                let (source, user) = (work.flow.step(source), work.flow.step(user));
                let message = format!(
                    "a run can reach `{}` without the result of `{}`, and `{}` must not be null",
                    user.name, source.name, field.name
                );
                out.push(
                    RULE.diagnostic(data.span, message)
                        .label(source.span, "not every run passes this step")
                        .help("let every path to this step pass that one, or write `coalesce(…)` with another value"),
                );
            }
        });
    }
}
