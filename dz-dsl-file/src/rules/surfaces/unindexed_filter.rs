//! A list that filters by a field without an index.

use crate::{
    Diagnostics, Severity,
    model::{Mode, Model},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "unindexed-filter",
    severity: Severity::Lint,
    summary: "a list filters by a field without an index",
    wrong: "entity Task:\n  id: uuid pk\n  due: date\n  age: computed days_since(due)\n  permit:\n    list: true\n    read: true\nsurface tasks:\n  uses entity Task\n  mode: list\n  ux:\n    sort: id asc\n    filter: age\n",
    right: "entity Task:\n  id: uuid pk\n  due: date\n  age: computed days_since(due)\n  permit:\n    list: true\n    read: true\nsurface tasks:\n  uses entity Task\n  mode: list\n  ux:\n    sort: id asc\n    filter: due\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for surface in model.surfaces.iter().filter(|surface| surface.declared && surface.mode == Mode::List) {
        for path in &surface.ux.filter {
            super::report_unindexed(model, &RULE, &path.it, path.span, &format!("the list `{}` filters", surface.name), out);
        }
    }
}
