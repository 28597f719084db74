//! Rows that are sorted by a field without an index.

use crate::{
    Diagnostics, Severity,
    emit::schema,
    facts::indexed,
    model::{Mode, Model, Region, Source},
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
        // Only the first sort key needs an index of its own.
        if let Some(key) = surface.ux.sort.first() {
            super::report_unindexed(model, &RULE, &key.path, key.span, &format!("the list `{}` is sorted", surface.name), out);
        }
    }
    for region in model.workspaces.iter().flat_map(|workspace| &workspace.regions) {
        // Groups and figures read all rows, in any order.
        if !region.display.is_chart() && !region.display.is_figures() {
            region.sources.iter().for_each(|source| report_region(model, region, source, out));
        }
    }
}

fn report_region(model: &Model, region: &Region, source: &Source, out: &mut Diagnostics) {
    let Some(key) = source.sort.first().filter(|key| key.path.hops.is_empty()) else { return };
    let compared = schema::compared_by_region(model, source, region.display);
    if !indexed::is_indexed(model, &key.path, &compared) {
        out.push(super::unindexed(model, &RULE, &key.path, key.span, &format!("the region `{}` is sorted", region.name)));
    }
}
