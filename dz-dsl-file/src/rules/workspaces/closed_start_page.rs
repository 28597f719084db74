//! A start page that its persona cannot open.

use crate::{
    Diagnostics, Severity,
    model::{Audience, Model, RoleId},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "closed-start-page",
    severity: Severity::Warning,
    summary: "a persona cannot open its `default_workspace`",
    wrong: concat!(
        "persona clerk:\n  default_workspace: home\npersona boss\n",
        pages!(
            "    list: role(clerk, boss)\n    read: role(clerk, boss)\n",
            "workspace home:\n  access: persona(boss)\n  recent:\n    source: Task\n"
        )
    ),
    right: concat!(
        "persona clerk:\n  default_workspace: home\npersona boss\n",
        pages!(
            "    list: role(clerk, boss)\n    read: role(clerk, boss)\n",
            "workspace home:\n  access: persona(boss, clerk)\n  recent:\n    source: Task\n"
        )
    ),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for (at, persona) in model.personas.iter().enumerate() {
        let Some(start) = persona.default_workspace else { continue };
        let workspace = &model.workspaces[start.it.0];
        let Some(Audience::Personas(admitted)) = &workspace.access else { continue };
        if admitted.iter().all(|role| role.it != RoleId(at)) {
            let message = format!("`{}` cannot open the workspace `{}`", persona.name, workspace.name);
            let found = RULE.diagnostic(start.span, message).label(workspace.span, "this has an `access:` without the persona");
            out.push(found.help(format!("add `{}` to the `access:` of the workspace, or name another one", persona.name)));
        }
    }
}
