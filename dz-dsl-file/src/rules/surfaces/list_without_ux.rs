//! A list without order, filter and search.

use crate::{
    Diagnostics, Severity,
    model::{Mode, Model},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "list-without-ux",
    severity: Severity::Lint,
    summary: "a list has no order, filter or search",
    wrong: "entity Task:\n  id: uuid pk\n  permit:\n    list: true\n    read: true\nsurface tasks:\n  uses entity Task\n  mode: list\n",
    right: "entity Task:\n  id: uuid pk\n  permit:\n    list: true\n    read: true\nsurface tasks:\n  uses entity Task\n  mode: list\n  ux:\n    sort: id asc\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for surface in model.surfaces.iter().filter(|surface| surface.declared && surface.mode == Mode::List) {
        let ux = &surface.ux;
        if ux.sort.is_empty() && ux.filter.is_empty() && ux.search.is_empty() {
            out.push(
                RULE.diagnostic(surface.span, format!("the list `{}` has no order, filter or search", surface.name))
                    .help("add `ux:` with `sort:`, `filter:` or `search:`"),
            );
        }
    }
}
