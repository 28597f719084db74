//! Variants of a surface for personas.

use std::collections::HashMap;

use crate::{
    Diagnostic,
    cursor::Name,
    lower::{
        Lowering, collect, computed, entities,
        expr::{self, Position},
        opening, paths,
    },
    model::{AggregateOf, Auto, EntityId, Expr, FieldId, FieldType, Placed, Section, ShownAggregate, Variant},
    syntax::{
        paths::{Path, span_of},
        surface::{Surface, ux},
    },
};

pub(super) fn lower(it: &mut Lowering<'_>, entity: EntityId, surface: &Surface, sections: &[Section]) -> Vec<Variant> {
    let mut seen = HashMap::new();
    let mut variants = Vec::new();
    for variant in &surface.ux.variants {
        let personas = it.persona_list(&variant.personas, &mut seen, |name| format!("persona `{name}` has a variant already"));
        variants.push(lower_variant(it, entity, surface, sections, variant, personas));
    }
    variants
}

fn lower_variant(
    it: &mut Lowering<'_>,
    entity: EntityId,
    surface: &Surface,
    sections: &[Section],
    variant: &ux::Variant,
    personas: Vec<Placed<crate::model::RoleId>>,
) -> Variant {
    let text = |name: &Option<Name>| name.as_ref().map(|it| it.text.clone());
    let scope = variant.scope.as_ref().and_then(|scope| {
        let (condition, _) = expr::condition(it, Position::Scope, entity, None, scope)?;
        Some(Placed { it: condition, span: scope.span })
    });
    let column = |it: &mut Lowering<'_>, names: &[Name]| paths::displayed_path(it, entity, names);
    Variant {
        personas,
        scope,
        purpose: text(&variant.purpose),
        show: paths::list(it, &variant.show, column),
        hide: paths::list(it, &variant.hide, column),
        aggregates: variant.show_aggregate.iter().filter_map(|names| aggregate(it, entity, names)).collect(),
        action_primary: variant.action_primary.as_ref().and_then(|name| opening::from_row(it, name, Some(entity))),
        read_only: variant.read_only,
        defaults: defaults(it, entity, &variant.defaults),
        focus: focus(it, surface, sections, &variant.focus),
        empty: text(&variant.empty),
        span: variant.keyword.span,
    }
}

fn defaults(it: &mut Lowering<'_>, entity: EntityId, written: &[(Name, crate::syntax::expr::Expr)]) -> Vec<(Placed<FieldId>, Expr)> {
    let mut seen = HashMap::new();
    let mut defaults = Vec::new();
    for (name, value) in written {
        let Some(field) = entities::field(it, entity, name) else { continue };
        if !collect::once(it, &mut seen, name, |name| format!("`{name}` is named twice")) {
            continue;
        }
        let target = &it.entities[entity.0].fields[field.0];
        if target.auto != Auto::No || target.identity || target.secret || target.computed.is_some() {
            let found = Diagnostic::error("not-allowed-here", name.span, format!("`{}` cannot be set in a form", name.text));
            it.out.push(found.label(target.span, "declared here").help("remove this line"));
            continue;
        }
        let ty = target.ty;
        if let Some(value) = expr::default(it, entity, ty, value) {
            defaults.push((Placed { it: field, span: name.span }, value));
        }
    }
    defaults
}

/// Resolves the sections that come first, by position.
fn focus(it: &mut Lowering<'_>, surface: &Surface, sections: &[Section], names: &[Name]) -> Vec<Placed<usize>> {
    let places: HashMap<&str, usize> = sections.iter().enumerate().map(|(at, section)| (section.name.as_str(), at)).collect();
    let mut seen = HashMap::new();
    let mut focus = Vec::new();
    for name in names {
        if let Some(at) = places.get(name.text.as_str()) {
            if collect::once(it, &mut seen, name, |name| format!("`{name}` is named twice")) {
                // The automatic section has no place in the text.
                if sections[*at].span != surface.name.span {
                    it.used(name.span, sections[*at].span);
                }
                focus.push(Placed { it: *at, span: name.span });
            }
        } else if !surface.sections.iter().any(|section| section.name.text == name.text) {
            // A declared section that is missing here has been reported.
            let known: Vec<String> = sections.iter().map(|section| section.name.clone()).collect();
            it.unknown_among(
                "unknown-region",
                format!("unknown section of this surface `{}`", name.text),
                name.span,
                &name.text,
                &known,
                "",
            );
        }
    }
    focus
}

/// Resolves a figure above the list: a metric that counts only rows of this entity, or a field that can be added or counted.
fn aggregate(it: &mut Lowering<'_>, entity: EntityId, names: &Path) -> Option<ShownAggregate> {
    let span = span_of(names)?;
    let (workspace, region, metric) = match names.as_slice() {
        [metric] => (None, None, metric),
        [workspace, region, metric] => (Some(workspace), Some(region), metric),
        _ => {
            let found = Diagnostic::error("unknown-metric", span, "a figure is named by one word, or by workspace, region and metric");
            it.out.push(found.help("write `metric` or `workspace.region.metric`"));
            return None;
        }
    };
    let called = |name: Option<&Name>, found: &str| name.is_none_or(|name| name.text == found);
    let places = it.metrics.get(&metric.text).into_iter().flatten().filter_map(|(id, place, position)| {
        let workspace_found = it.workspaces.get(id.0)?;
        let region_found = workspace_found.regions.get(*place)?;
        let named = called(workspace, &workspace_found.name) && called(region, &region_found.name);
        let found = region_found.metrics.get(*position).filter(|_| named)?;
        Some((AggregateOf::Metric(*id, *place, *position), found))
    });
    let named: Vec<_> = places.collect();
    let fitting: Vec<_> = named.iter().filter(|(_, found)| found.entities == [entity]).collect();
    if let [(of, found), more @ ..] = fitting.as_slice() {
        if let Some((_, other)) = more.iter().find(|(_, other)| other.expr != found.expr) {
            let (first, second) = (found.span, other.span);
            it.out.push(
                Diagnostic::error("unknown-metric", span, format!("several metrics are called `{}`", metric.text))
                    .label(first, "one")
                    .label(second, "another")
                    .help("name one: `workspace.region.metric`"),
            );
            return None;
        }
        let (of, found) = (*of, ShownAggregate { of: *of, title: found.title.clone(), span });
        figure_used(it, workspace, region, metric, of);
        return Some(found);
    }
    if let Some((_, found)) = named.first() {
        let label = found.span;
        let entity = it.entities[entity.0].name.clone();
        it.out.push(
            Diagnostic::error("not-allowed-here", span, format!("metric `{}` does not count rows of `{entity}` alone", metric.text))
                .label(label, "declared here")
                .help(format!("name a metric over `{entity}`, or a field of it")),
        );
        return None;
    }
    if it.unread_metrics.contains(&metric.text) {
        return None;
    }
    if let (Some(workspace), Some(region)) = (workspace, region) {
        return report_missing_part(it, workspace, region, metric);
    }
    of_field(it, entity, metric)
}

/// Notes the uses of the names in a path to a metric.
fn figure_used(it: &mut Lowering<'_>, workspace: Option<&Name>, region: Option<&Name>, metric: &Name, of: AggregateOf) {
    let AggregateOf::Metric(id, place, position) = of else { return };
    let found = &it.workspaces[id.0];
    let (whole, part, figure) = (found.span, found.regions[place].span, found.regions[place].metrics[position].span);
    workspace.into_iter().for_each(|name| it.used(name.span, whole));
    region.into_iter().for_each(|name| it.used(name.span, part));
    it.used(metric.span, figure);
}

fn of_field(it: &mut Lowering<'_>, entity: EntityId, name: &Name) -> Option<ShownAggregate> {
    let at = it.field_names[entity.0].get(&name.text).copied().filter(|at| !it.entities[entity.0].fields[*at].secret);
    let Some(at) = at else { return unknown(it, entity, name) };
    if !computed::ensure(it, entity, FieldId(at)) {
        return None;
    }
    it.field_used(name.span, entity, at);
    let field = &it.entities[entity.0].fields[at];
    let of = if field.sensitive {
        Err(format!("`{}` is sensitive, and a metric would disclose its values", name.text))
    } else if expr::is_number(&expr::type_of(field.ty)) {
        Ok(AggregateOf::Sum(FieldId(at)))
    } else if field.ty == FieldType::Bool {
        Ok(AggregateOf::Count(FieldId(at)))
    } else {
        Err(format!("`{}` cannot be summed or counted", name.text))
    };
    match of {
        Ok(of) => Some(ShownAggregate { of, title: field.title.clone(), span: name.span }),
        Err(message) => {
            let label = field.span;
            let several = field.ty == FieldType::Money(None);
            let help = if several { expr::SEVERAL_CURRENCIES } else { "name a number, a yes-or-no field, or a metric of a workspace" };
            it.out.push(Diagnostic::error("not-allowed-here", name.span, message).label(label, "declared here").help(help));
            None
        }
    }
}

/// Reports the part of `workspace.region.metric` that does not exist.
fn report_missing_part<T>(it: &mut Lowering<'_>, workspace: &Name, region: &Name, metric: &Name) -> Option<T> {
    let Some(found) = it.workspaces.iter().find(|found| found.name == workspace.text) else {
        let known: Vec<String> = it.workspaces.iter().map(|found| found.name.clone()).collect();
        it.unknown_among("unknown-metric", format!("unknown workspace `{}`", workspace.text), workspace.span, &workspace.text, &known, "");
        return None;
    };
    let Some(found) = found.regions.iter().find(|found| found.name == region.text) else {
        let known: Vec<String> = found.regions.iter().map(|found| found.name.clone()).collect();
        it.unknown_among("unknown-metric", format!("unknown region `{}`", region.text), region.span, &region.text, &known, "");
        return None;
    };
    let known: Vec<String> = found.metrics.iter().map(|found| found.name.clone()).collect();
    it.unknown_among("unknown-metric", format!("unknown metric `{}`", metric.text), metric.span, &metric.text, &known, "");
    None
}

/// Reports a name that is neither a metric nor a field.
fn unknown<T>(it: &mut Lowering<'_>, entity: EntityId, name: &Name) -> Option<T> {
    let metrics = it.workspaces.iter().flat_map(|it| &it.regions).flat_map(|it| &it.metrics).map(|it| it.name.as_str());
    let counted = |ty| ty == FieldType::Bool || expr::is_number(&expr::type_of(ty));
    let fields = it.entities[entity.0].fields.iter().filter(|field| counted(field.ty) && !field.secret).map(|field| field.name.as_str());
    let known: Vec<String> = metrics.chain(fields).map(str::to_owned).collect();
    it.unknown_among("unknown-metric", format!("unknown metric `{}`", name.text), name.span, &name.text, &known, "");
    None
}
