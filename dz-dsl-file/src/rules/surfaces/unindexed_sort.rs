//! Rows that are sorted by a field without an index.

use crate::{
    Diagnostics, Severity,
    model::{Mode, Model, SortKey},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "unindexed-sort",
    severity: Severity::Lint,
    summary: "rows are sorted by a field without an index",
    wrong: "entity Task:\n  id: uuid pk\n  due: date\n  age: computed days_since(due)\n  permit:\n    list: true\n    read: true\nsurface tasks:\n  uses entity Task\n  mode: list\n  ux:\n    sort: age desc\n",
    right: "entity Task:\n  id: uuid pk\n  due: date\n  age: computed days_since(due)\n  permit:\n    list: true\n    read: true\nsurface tasks:\n  uses entity Task\n  mode: list\n  ux:\n    sort: due asc\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for surface in model.surfaces.iter().filter(|surface| surface.declared && surface.mode == Mode::List) {
        report_order(model, &surface.ux.sort, &format!("the list `{}` is sorted", surface.name), out);
    }
    for region in model.workspaces.iter().flat_map(|workspace| &workspace.regions) {
        for source in &region.sources {
            report_order(model, &source.sort, &format!("the region `{}` is sorted", region.name), out);
        }
    }
}

/// Only the first sort key needs an index of its own.
fn report_order(model: &Model, sort: &[SortKey], what: &str, out: &mut Diagnostics) {
    if let Some(key) = sort.first() {
        super::report_unindexed(model, &RULE, &key.path, key.span, what, out);
    }
}
