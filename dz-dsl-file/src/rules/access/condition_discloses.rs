//! A condition of a page that reveals which rows have certain values of a `sensitive` field.

use crate::{
    Diagnostics, Severity, Span,
    facts::sensitive::Sources,
    model::{Action, EntityId, Expr, Model, Region, SectionBody, Surface},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "condition-discloses",
    severity: Severity::Lint,
    summary: "a page reveals in which rows a condition on a `sensitive` field is true",
    wrong: "persona boss\nentity Task:\n  id: uuid pk\n  name: str(80)\n  pay: int sensitive\n  permit:\n    list: true\n    read: true\n    update: role(boss)\nsurface tasks:\n  uses entity Task\n  mode: list\n  ux:\n    sort: id asc\n    attention warning:\n      when: pay > 100\n      message: \"Expensive\"\n",
    right: "persona boss\nentity Task:\n  id: uuid pk\n  name: str(80)\n  pay: int sensitive\n  permit:\n    list: true\n    read: true\n    update: role(boss)\nsurface tasks:\n  uses entity Task\n  mode: list\n  ux:\n    sort: id asc\n    attention warning:\n      when: name = null\n      message: \"Nameless\"\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    let mut sources = Sources::new(model);
    let regions = model.workspaces.iter().flat_map(|workspace| &workspace.regions);
    let conditions = model.surfaces.iter().flat_map(conditions_of_surface).chain(regions.flat_map(conditions_of_region));
    for (condition, span) in conditions {
        let Some((entity, field)) = sources.find(condition).filter(|(entity, _)| has_other_readers(model, *entity)) else { continue };
        let hidden = model.field(entity, field);
        let named = format!("`{}` of `{}`", hidden.name, model.entity(entity).name);
        out.push(
            RULE.diagnostic(span, format!("this reveals in which rows a condition on {named} is true, and the field is sensitive"))
                .label(hidden.span, "`sensitive` here")
                .help("check that everybody who sees these rows may know it, or use another field"),
        );
    }
}

/// The conditions of a surface, with their places.
fn conditions_of_surface(surface: &Surface) -> Vec<(&Expr, Span)> {
    let mut all: Vec<(&Expr, Span)> = surface.attention.iter().map(|signal| (&signal.when.it, signal.when.span)).collect();
    all.extend(surface.variants.iter().filter_map(|variant| variant.scope.as_ref()).map(|scope| (&scope.it, scope.span)));
    let mut lists = Vec::new();
    for section in &surface.sections {
        match &section.body {
            SectionBody::Fields(columns) => {
                all.extend(columns.iter().filter_map(|column| column.when.as_ref()).map(|when| (&when.it, when.span)));
            }
            SectionBody::Nested(list) => lists.push(list),
        }
    }
    lists.extend(surface.related.iter().flat_map(|related| &related.lists));
    all.extend(lists.into_iter().filter_map(|list| Some((list.filter.as_ref()?, list.entity_span))));
    all
}

/// The conditions of a region, with their places.
fn conditions_of_region(region: &Region) -> Vec<(&Expr, Span)> {
    let filters = region.sources.iter().filter_map(|source| source.filter.as_ref()).map(|filter| (&filter.it, filter.span));
    filters.chain(region.metrics.iter().map(|metric| (&metric.expr, metric.span))).collect()
}

/// True if others than those who may update the rows see them.
fn has_other_readers(model: &Model, entity: EntityId) -> bool {
    let rule = |action: &Action| model.entity(entity).access.permissions.iter().find(|it| it.action == *action);
    let same = |action: Action| {
        let (seen, updated) = (rule(&action), rule(&Action::Update));
        seen.is_none_or(|seen| updated.is_some_and(|updated| (&seen.permit, &seen.forbid) == (&updated.permit, &updated.forbid)))
    };
    !(same(Action::List) && same(Action::Read))
}
