//! Lists that sort or filter without an index, and lists without an order.

use crate::{
    Diagnostic, Diagnostics,
    diagnostic::{Rule, Severity},
    model::{EntityId, FieldId, FieldType, Mode, Model, Path, Unique},
};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "list-without-ux",
        severity: Severity::Lint,
        summary: "a list says neither how it is sorted nor what can be searched",
        wrong: "entity Task:\n  id: uuid pk\n  permit:\n    list: true\n    read: true\nsurface tasks:\n  uses entity Task\n  mode: list\n",
        right: "entity Task:\n  id: uuid pk\n  permit:\n    list: true\n    read: true\nsurface tasks:\n  uses entity Task\n  mode: list\n  ux:\n    sort: id asc\n",
    },
    Rule {
        name: "unindexed-filter",
        severity: Severity::Lint,
        summary: "a list filters by a field without an index",
        wrong: "entity Task:\n  id: uuid pk\n  due: date\n  permit:\n    list: true\n    read: true\nsurface tasks:\n  uses entity Task\n  mode: list\n  ux:\n    sort: id asc\n    filter: due\n",
        right: "entity Task:\n  id: uuid pk\n  due: date indexed\n  permit:\n    list: true\n    read: true\nsurface tasks:\n  uses entity Task\n  mode: list\n  ux:\n    sort: id asc\n    filter: due\n",
    },
];

pub(super) fn check(model: &Model, out: &mut Diagnostics) {
    for surface in model.surfaces.iter().filter(|surface| surface.mode == Mode::List) {
        let ux = &surface.ux;
        if ux.sort.is_empty() && ux.filter.is_empty() && ux.search.is_empty() {
            out.push(
                Diagnostic::lint("list-without-ux", surface.span, format!("the list `{}` has no order, filter or search", surface.name))
                    .help("add `ux:` with `sort:`, `filter:` or `search:`"),
            );
        }
        for path in ux.filter.iter().filter(|path| path.hops.is_empty() && !indexed(model, path)) {
            let field = model.field(path.from, path.field);
            out.push(
                Diagnostic::lint(
                    "unindexed-filter",
                    surface.span,
                    format!("the list `{}` filters by `{}`, which has no index", surface.name, field.name),
                )
                .label(field.span, "declared here")
                .help("add `indexed` to the field, or an `index` line"),
            );
        }
    }
}

fn indexed(model: &Model, path: &Path) -> bool {
    let entity = model.entity(path.from);
    let field = model.field(path.from, path.field);
    let leads = |id: EntityId, field: FieldId| model.entity(id).indexes.iter().any(|index| index.columns[0].field == field);
    field.indexed
        || field.unique != Unique::No
        || matches!(field.ty, FieldType::Ref(_) | FieldType::Bool | FieldType::Enum(_))
        || entity.pk == path.field
        || leads(path.from, path.field)
}
