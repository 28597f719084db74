//! Rules and pages for callers without an account, over rows of tenants, which such a caller never sees.

use crate::{
    Diagnostics, Severity,
    model::{Audience, Entity, Expr, Model},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "anonymous-in-tenant",
    severity: Severity::Lint,
    summary: "callers without an account have no tenant, so `anonymous` and `access: public` show them no rows of tenants, and show members more",
    wrong: "entity Firm:\n  archetype: tenant\n  id: uuid pk\nentity Notice:\n  id: uuid pk\n  permit:\n    list: anonymous\n    read: anonymous\n",
    right: "entity Firm:\n  archetype: tenant\n  id: uuid pk\nentity Notice:\n  id: uuid pk\n  permit:\n    list: authenticated\n    read: authenticated\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for entity in model.entities.iter().filter(|entity| entity.tenant.is_some()) {
        report_lines(entity, out);
    }
    for surface in model.surfaces.iter().filter(|surface| surface.declared) {
        let entity = &model.entities[surface.entity.0];
        if surface.access == Some(Audience::Public) && entity.tenant.is_some() {
            let message =
                format!("`{}` is public, but a caller without an account has no tenant and sees no row of `{}`", surface.name, entity.name);
            out.push(RULE.diagnostic(surface.span, message).help("use `access: authenticated`, or remove the key"));
        }
    }
}

fn report_lines(entity: &Entity, out: &mut Diagnostics) {
    for permission in &entity.access.permissions {
        for line in permission.lines.iter().filter(|line| !line.forbids) {
            let mut is_open = false;
            line.condition.visit(&mut |it| is_open |= *it == Expr::Anyone);
            if is_open {
                let verb = permission.action.name();
                let message = format!(
                    "`anonymous` permits this to every member of the tenant, and to no caller without an account: the rows of `{}` belong to tenants",
                    entity.name
                );
                out.push(
                    RULE.diagnostic(line.span, message)
                        .help(format!("write `{verb}: authenticated` for every member of the tenant, or name roles")),
                );
            }
        }
    }
}
