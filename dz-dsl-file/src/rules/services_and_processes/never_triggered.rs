//! A trigger of a process that cannot happen.

use crate::{
    Diagnostics, Severity, Span,
    model::{Model, Trigger},
    rules::{ReportedBy, Rule},
};

macro_rules! triggered {
    ($by:literal) => {
        concat!(
            "entity Task:\n  id: uuid pk\n  status: enum[open, done, shut] = open\n  transitions:\n    open -> done\n    done -> shut\n",
            "    shut -> open\n  permit:\n    read: true\n    update: true\nprocess p:\n  trigger: entity Task status ",
            $by,
            "\n  steps:\n    - step a:\n        wait: 1h\n"
        )
    };
}

pub(super) const RULE: Rule = Rule {
    name: "never-triggered",
    severity: Severity::Warning,
    summary: "the change that starts a process never happens",
    wrong: triggered!("open -> shut"),
    right: triggered!("done -> shut"),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for process in &model.processes {
        let Trigger::Change { entity, field, from, to } = &process.trigger else { continue };
        let place = from.map_or(to.span, |from| Span { end: to.span.end, ..from.span });
        if from.is_some_and(|from| from.it == to.it) {
            let found = RULE.diagnostic(place, "this is not a change, so it starts nothing");
            out.push(found.help("name two different values"));
            continue;
        }
        let declared = model.entity(entity.it);
        let Some(machine) = declared.states.as_ref().filter(|machine| machine.field == field.it) else { continue };
        let happens = machine.transitions.iter().any(|it| it.to == to.it && from.is_none_or(|from| from.it == it.from));
        let Some(values) = model.field(entity.it, field.it).ty.enumeration() else { continue };
        let name = |at: usize| model.enums[values.0].values.get(at).map_or("", |value| value.name.as_str());
        if !happens {
            let message = match from {
                Some(from) => format!("no transition of `{}` leads from `{}` to `{}`", declared.name, name(from.it), name(to.it)),
                None => format!("no transition of `{}` leads to `{}`", declared.name, name(to.it)),
            };
            let found = RULE.diagnostic(place, message);
            out.push(
                found.help(format!("declare the transition under `transitions:` of `{}`, or name one that is declared", declared.name)),
            );
        }
    }
}
