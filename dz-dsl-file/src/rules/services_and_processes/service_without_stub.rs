//! A service without a stub.

use crate::{
    Diagnostics, Severity,
    model::Model,
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "service-without-stub",
    severity: Severity::Lint,
    summary: "a service of the application has no stub",
    wrong: "entity Task:\n  id: uuid pk\n  permit:\n    read: true\nservice price:\n  output:\n    total: int\n",
    right: "entity Task:\n  id: uuid pk\n  permit:\n    read: true\nservice price:\n  output:\n    total: int\n  stub: rust\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for service in model.services.iter().filter(|service| service.stub.is_none() && service.adapter.is_none()) {
        out.push(
            RULE.diagnostic(service.span, format!("service `{}` has no stub", service.name))
                .help("add `stub: rust` or `stub: python`; or `spec:` when another system provides it"),
        );
    }
}
