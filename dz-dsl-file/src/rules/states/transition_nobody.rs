//! A transition that no persona is permitted to make.

use crate::{
    Diagnostics, Severity,
    facts::{decide::Caller, machine},
    model::{Action, Expr, Model, RoleId},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "transition-nobody",
    severity: Severity::Warning,
    summary: "no persona with the role for a transition is permitted to change the row",
    wrong: machine!("  status: enum[open, done]\n", "    open -> done: role(clerk)\n", "role(vet) and not role(clerk)"),
    right: machine!("  status: enum[open, done]\n", "    open -> done: role(vet)\n", "role(vet) and not role(clerk)"),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    machine::checked_rows(model, |found, row| report_row(model, found, row, out));
}

fn report_row(model: &Model, found: &machine::Machine<'_>, index: usize, out: &mut Diagnostics) {
    let (at, machine) = (found.at, found.machine);
    let (entity, row) = (found.entity, &machine.rows[index]);
    // An entity without rules has a warning of its own.
    if !row.manual || entity.access.permissions.is_empty() {
        return;
    }
    let by_name = |name: &Action| entity.access.permissions.iter().find(|it| it.action == *name);
    let own_rule = by_name(&Action::Custom("transition".to_owned()));
    let rule = own_rule.filter(|it| it.permit.is_some()).or_else(|| by_name(&Action::Update));
    let permit = rule.and_then(|it| it.permit.as_ref());
    let role = Expr::Role(row.roles.clone());
    let forbid = rule.and_then(|it| it.forbid.clone()).map(|forbid| Expr::Not(Box::new(forbid)));
    let possible = permit.is_some_and(|permit| {
        let mut conditions: Vec<&Expr> = vec![permit];
        conditions.extend(row.guard.as_ref());
        conditions.extend(forbid.as_ref());
        if !row.roles.is_empty() {
            conditions.push(&role);
        }
        let mut transitions = machine.transitions.iter().filter(|it| it.row == index);
        // Each persona alone, because a rule of one role and a rule of another are two personas.
        let callers = || (0..model.personas.len()).map(|at| Caller::Persona(Some(RoleId(at)))).chain([Caller::Persona(None)]);
        transitions.any(|it| {
            let can = |caller| machine::question(model, at, machine, row, it.from, caller).can_hold(&conditions);
            callers().any(can)
        })
    });
    if !possible {
        let action = if own_rule.is_some() { "transition" } else { "update" };
        out.push(
            RULE.diagnostic(row.span, format!("no persona can make this transition: `permit` allows none of them to {action} such a row"))
                .help(format!("permit `{action}` for the callers who make it, or remove the row")),
        );
    }
}
