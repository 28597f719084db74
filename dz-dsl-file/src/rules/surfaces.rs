//! Rules of surfaces.

mod dead_surface;
mod list_without_ux;
mod missing_required_field;
mod unindexed_filter;
mod unindexed_sort;
mod without_effect;

use super::{Area, Rule};
use crate::{
    Diagnostic, Diagnostics, Span,
    facts::indexed,
    model::{Model, Path},
};

/// The rules of this area.
pub(super) const AREA: Area = Area {
    name: "surfaces",
    rules: &[
        Rule::error(
            "attention-incomplete",
            "an attention needs a condition and a message",
            list!("    attention warning:\n      when: due < today\n"),
            list!("    attention warning:\n      when: due < today\n      message: \"Late\"\n"),
        ),
        dead_surface::RULE,
        list_without_ux::RULE,
        Rule::error(
            "missing-entity",
            "a surface has no line `uses entity`",
            "surface tasks:\n  mode: list\n",
            "entity Task:\n  id: uuid pk\n  permit:\n    read: true\nsurface tasks:\n  uses entity Task\n  mode: list\n",
        ),
        Rule::error(
            "missing-mode",
            "a surface has no mode",
            "entity Task:\n  id: uuid pk\n  permit:\n    read: true\nsurface tasks:\n  uses entity Task\n",
            "entity Task:\n  id: uuid pk\n  permit:\n    read: true\nsurface tasks:\n  uses entity Task\n  mode: list\n",
        ),
        missing_required_field::RULE,
        Rule::error(
            "surface-needs-row",
            "a surface of one row is opened at a place without a row",
            board!("    source: Note\n    action: task_view\n"),
            board!("    source: Task\n    action: task_view\n"),
        ),
        unindexed_filter::RULE,
        unindexed_sort::RULE,
        Rule::error(
            "unknown-path",
            "a surface names a field that does not exist",
            "entity Task:\n  id: uuid pk\n  permit:\n    read: true\nsurface tasks:\n  uses entity Task\n  mode: list\n  ux:\n    sort: idd asc\n",
            "entity Task:\n  id: uuid pk\n  permit:\n    read: true\nsurface tasks:\n  uses entity Task\n  mode: list\n  ux:\n    sort: id asc\n",
        ),
        Rule::error(
            "unknown-persona",
            "a page names a persona that does not exist",
            list!("    for clrk:\n      read_only: true\n"),
            list!("    for clerk:\n      read_only: true\n"),
        ),
        Rule::error(
            "unknown-surface",
            "no surface has this name",
            board!("    source: Task\n    action: task_vew\n"),
            board!("    source: Task\n    action: task_view\n"),
        ),
        Rule::warning(
            "unsearchable-field",
            "only text can be searched; other fields are ignored",
            "entity Task:\n  id: uuid pk\n  due: date\n  permit:\n    list: true\n    read: true\nsurface tasks:\n  uses entity Task\n  mode: list\n  ux:\n    search: due\n",
            "entity Task:\n  id: uuid pk\n  name: str(80)\n  permit:\n    list: true\n    read: true\nsurface tasks:\n  uses entity Task\n  mode: list\n  ux:\n    search: name\n",
        ),
        without_effect::RULE,
    ],
};

/// Reports a field of the entity itself that no index covers.
fn report_unindexed(model: &Model, rule: &Rule, path: &Path, span: Span, what: &str, out: &mut Diagnostics) {
    if path.hops.is_empty() && !indexed::is_indexed(model, path, &[]) {
        out.push(unindexed(model, rule, path, span, what));
    }
}

/// The finding about a field without an index.
fn unindexed(model: &Model, rule: &Rule, path: &Path, span: Span, what: &str) -> Diagnostic {
    let field = model.field(path.from, path.field);
    let help =
        if field.computed.is_some() { "use a stored field, which can have one" } else { "add `indexed` to the field, or an `index` line" };
    rule.diagnostic(span, format!("{what} by `{}`, which has no index", field.name)).label(field.span, "declared here").help(help)
}
