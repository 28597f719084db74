//! A key that callers choose, of rows that belong to tenants.

use crate::{
    Diagnostics, Severity,
    model::{Entity, Model},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "key-across-tenants",
    severity: Severity::Warning,
    summary: "callers choose the key of rows that belong to a tenant, and keys are unique across tenants",
    wrong: concat!(firm!(), "entity Genre:\n  code: slug pk\n  permit:\n    read: true\n"),
    right: concat!(firm!(), "entity Genre:\n  id: uuid pk\n  code: slug required unique\n  permit:\n    read: true\n"),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    model.entities.iter().filter(|entity| entity.declared && entity.tenant.is_some()).for_each(|entity| report_key(entity, out));
}

fn report_key(entity: &Entity, out: &mut Diagnostics) {
    let Some(key) = entity.fields.get(entity.pk.0).filter(|key| key.ty.is_chosen_key()) else { return };
    let message = format!("callers choose the key `{}` of `{}`, and it is unique across tenants", key.name, entity.name);
    out.push(RULE.diagnostic(key.span, message).help(
        "a tenant cannot use a key that another tenant has, and the refusal (409) reveals that the key exists; use `id: uuid pk`, and \
         give this field another name, with `required unique`: that holds within each tenant",
    ));
}
