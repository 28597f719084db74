//! A persona that no rule mentions.

use std::collections::HashSet;

use crate::{
    Diagnostics, Severity,
    facts::conditions,
    model::{Audience, Expr, Model, RoleId},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "unused-persona",
    severity: Severity::Lint,
    summary: "no rule mentions the persona",
    wrong: "persona clerk\nentity Task:\n  id: uuid pk\n  permit:\n    list: true\n    read: true\nsurface tasks:\n  uses entity Task\n  mode: list\n  ux:\n    sort: id asc\n",
    right: "persona clerk\nentity Task:\n  id: uuid pk\n  permit:\n    list: role(clerk)\n    read: role(clerk)\nsurface tasks:\n  uses entity Task\n  mode: list\n  ux:\n    sort: id asc\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    let used = used(model);
    for (at, persona) in model.personas.iter().enumerate() {
        if let Some(span) = persona.span.filter(|_| !used.contains(&RoleId(at))) {
            out.push(
                RULE.diagnostic(span, format!("no rule mentions the persona `{}`", persona.name))
                    .help(format!("use it: `role({})`", persona.name)),
            );
        }
    }
}

fn used(model: &Model) -> HashSet<RoleId> {
    let pages = conditions::roles_of_pages(model).into_iter().enumerate().filter(|(_, used)| *used).map(|(at, _)| RoleId(at));
    let mut used: HashSet<RoleId> = pages.chain(model.mentions.roles.iter().copied()).collect();
    let mut see = |expr: &Expr| {
        expr.visit(&mut |it| {
            if let Expr::Role(roles) = it {
                used.extend(roles);
            }
        });
    };
    for entity in &model.entities {
        let access = &entity.access;
        access.permissions.iter().flat_map(|it| &it.lines).for_each(|line| see(&line.condition));
        access.scopes.iter().filter_map(|it| it.rows.as_ref()).for_each(&mut see);
        access.audits.iter().filter_map(|it| it.when.as_ref()).for_each(&mut see);
        access.scopes.iter().filter_map(|it| it.personas.clone()).for_each(|roles| see(&Expr::Role(roles)));
        entity.states.iter().flat_map(|machine| &machine.rows).for_each(|row| see(&Expr::Role(row.roles.clone())));
    }
    for step in model.experiences.iter().flat_map(|it| &it.steps) {
        step.when.iter().map(|when| &when.it).chain(step.prefill.iter().map(|(_, value)| value)).for_each(&mut see);
    }
    used.extend(model.stories.iter().filter_map(|story| story.actor).map(|actor| actor.it));
    used.extend(model.scenarios.iter().flat_map(|scenario| &scenario.personas).map(|it| it.persona.it));
    let steps = model.experiences.iter().flat_map(|it| &it.steps).filter_map(|step| step.access.as_ref());
    for audience in model.experiences.iter().filter_map(|it| it.access.as_ref()).chain(steps) {
        if let Audience::Personas(personas) = audience {
            used.extend(personas.iter().map(|persona| persona.it));
        }
    }
    used
}
