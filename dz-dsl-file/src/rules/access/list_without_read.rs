//! Rows that callers can list but not open.

use crate::{
    Diagnostics, Severity,
    facts::access,
    model::{Action, Model},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "list-without-read",
    severity: Severity::Lint,
    summary: "rows can be listed but not opened",
    wrong: "entity Task:\n  id: uuid pk\n  permit:\n    list: true\nsurface tasks:\n  uses entity Task\n  mode: list\n  ux:\n    sort: id asc\n",
    right: "entity Task:\n  id: uuid pk\n  permit:\n    list: true\n    read: true\nsurface tasks:\n  uses entity Task\n  mode: list\n  ux:\n    sort: id asc\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for entity in &model.entities {
        let permits = |action: &Action| entity.access.permissions.iter().any(|it| it.action == *action && it.permit.is_some());
        if permits(&Action::List) && !permits(&Action::Read) {
            let span = access::permit_span(entity, &Action::List);
            out.push(
                RULE.diagnostic(span, format!("rows of `{}` can be listed but not opened", entity.name))
                    .help("add a `read:` line beside it"),
            );
        }
    }
}
