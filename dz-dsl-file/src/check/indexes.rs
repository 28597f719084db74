//! Lists that sort or filter without an index, lists without an order, and conditions of indexes.

use crate::{
    Diagnostic, Diagnostics, Span,
    diagnostic::{Rule, Severity},
    model::{Entity, FieldType, Index, Mode, Model, Path, SortKey, Unique},
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
        wrong: "entity Task:\n  id: uuid pk\n  due: date\n  age: computed days_since(due)\n  permit:\n    list: true\n    read: true\nsurface tasks:\n  uses entity Task\n  mode: list\n  ux:\n    sort: id asc\n    filter: age\n",
        right: "entity Task:\n  id: uuid pk\n  due: date\n  age: computed days_since(due)\n  permit:\n    list: true\n    read: true\nsurface tasks:\n  uses entity Task\n  mode: list\n  ux:\n    sort: id asc\n    filter: due\n",
    },
    Rule {
        name: "unindexed-sort",
        severity: Severity::Lint,
        summary: "rows are sorted by a field without an index",
        wrong: "entity Task:\n  id: uuid pk\n  due: date\n  age: computed days_since(due)\n  permit:\n    list: true\n    read: true\nsurface tasks:\n  uses entity Task\n  mode: list\n  ux:\n    sort: age desc\n",
        right: "entity Task:\n  id: uuid pk\n  due: date\n  age: computed days_since(due)\n  permit:\n    list: true\n    read: true\nsurface tasks:\n  uses entity Task\n  mode: list\n  ux:\n    sort: due asc\n",
    },
    Rule {
        name: "index-condition",
        severity: Severity::Error,
        summary: "the database cannot keep an index of the rows with this condition",
        wrong: "entity Loan:\n  id: uuid pk\n  copy: int\n  days: int\n  permit:\n    list: true\n    read: true\n  unique copy where days + 1 > 2\n",
        right: "entity Loan:\n  id: uuid pk\n  copy: int\n  days: int\n  permit:\n    list: true\n    read: true\n  unique copy where days > 1\n",
    },
    Rule {
        name: "redundant-index",
        severity: Severity::Lint,
        summary: "a line keeps unique what another line or field keeps unique already",
        wrong: "entity Loan:\n  id: uuid pk\n  copy: int unique\n  days: int\n  permit:\n    list: true\n    read: true\n  unique copy where days > 1\n",
        right: "entity Loan:\n  id: uuid pk\n  copy: int\n  days: int\n  permit:\n    list: true\n    read: true\n  unique copy where days > 1\n",
    },
];

pub(super) fn check(model: &Model, out: &mut Diagnostics) {
    for entity in &model.entities {
        conditional(model, entity, out);
    }
    for surface in model.surfaces.iter().filter(|surface| surface.declared && surface.mode == Mode::List) {
        let ux = &surface.ux;
        if ux.sort.is_empty() && ux.filter.is_empty() && ux.search.is_empty() {
            out.push(
                Diagnostic::lint("list-without-ux", surface.span, format!("the list `{}` has no order, filter or search", surface.name))
                    .help("add `ux:` with `sort:`, `filter:` or `search:`"),
            );
        }
        for path in &ux.filter {
            unindexed(model, "unindexed-filter", &path.it, path.span, &format!("the list `{}` filters", surface.name), out);
        }
        sorted(model, &ux.sort, &format!("the list `{}` is sorted", surface.name), out);
    }
    for region in model.workspaces.iter().flat_map(|workspace| &workspace.regions) {
        for source in &region.sources {
            sorted(model, &source.sort, &format!("the region `{}` is sorted", region.name), out);
        }
    }
}

/// What the conditions of `index` and `unique` lines say.
fn conditional(model: &Model, entity: &Entity, out: &mut Diagnostics) {
    for (at, index) in entity.indexes.iter().enumerate() {
        let Some(rows) = &index.rows else { continue };
        if crate::emit::schema::rows(model, entity, rows).is_none() {
            out.push(
                Diagnostic::error("index-condition", index.span, "the database cannot keep an index of the rows with this condition")
                    .help("compare stored fields with each other, with literals or with null, by `=`, `<`, `in` and the like"),
            );
        } else if index.unique && (is_alone(entity, index) || entity.indexes[..at].iter().any(|other| covers(other, index))) {
            out.push(
                Diagnostic::lint(
                    "redundant-index",
                    index.span,
                    "these fields are unique among all rows, or under the same condition, already",
                )
                .help("remove this line, or the other one"),
            );
        }
    }
}

/// True when the one field of an index is unique by itself.
fn is_alone(entity: &Entity, index: &Index) -> bool {
    let all = |other: &Index| other.rows.is_none() && covers(other, index);
    matches!(index.columns.as_slice(), [one] if entity.fields[one.field.0].unique != Unique::No || entity.pk == one.field)
        || entity.indexes.iter().any(all)
}

/// True when one index keeps unique what the other does, among the same rows or all.
fn covers(other: &Index, index: &Index) -> bool {
    let fields = |index: &Index| index.columns.iter().map(|column| column.field.0).collect::<std::collections::BTreeSet<_>>();
    other.unique && (other.rows.is_none() || other.rows == index.rows) && fields(other).is_subset(&fields(index))
}

/// Only the first key of an order needs an index of its own.
fn sorted(model: &Model, sort: &[SortKey], what: &str, out: &mut Diagnostics) {
    if let Some(key) = sort.first() {
        unindexed(model, "unindexed-sort", &key.path, key.span, what, out);
    }
}

fn unindexed(model: &Model, rule: &'static str, path: &Path, span: Span, what: &str, out: &mut Diagnostics) {
    if !path.hops.is_empty() || indexed(model, path) {
        return;
    }
    let field = model.field(path.from, path.field);
    let help =
        if field.computed.is_some() { "use a stored field, which can have one" } else { "add `indexed` to the field, or an `index` line" };
    out.push(
        Diagnostic::lint(rule, span, format!("{what} by `{}`, which has no index", field.name))
            .label(field.span, "declared here")
            .help(help),
    );
}

/// True when the schema has an index for it, or few values tell its rows apart.
fn indexed(model: &Model, path: &Path) -> bool {
    let (entity, field) = (model.entity(path.from), model.field(path.from, path.field));
    matches!(field.ty, FieldType::Bool | FieldType::Enum(_))
        || entity.pk == path.field
        || field.unique != Unique::No
        || entity.no_index.contains(&path.field)
        || crate::emit::schema::finds(model, entity, field)
}
