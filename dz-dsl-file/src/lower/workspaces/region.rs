//! Regions: resolves every key against every source.

use std::collections::HashMap;

use super::{display, metrics};
use crate::{
    Diagnostic, Span,
    cursor::Name,
    lower::{
        Lowering, collect,
        expr::{self, Position, type_of},
        opening, paths,
    },
    model::{Bucket, Display, EntityId, GroupBy, Metric, Path, Placed, Region, Source, Type, Value},
    syntax::{
        paths::{span_of, text_of},
        workspace::region as written,
    },
};

pub(super) fn lower(it: &mut Lowering<'_>, region: &written::Region) -> Option<Region> {
    let key = |word: &str| region.keys.iter().find(|name| name.text == word);
    let (has_source, has_metrics) = (key("source").is_some(), key("aggregate").is_some());
    let name = &region.name;
    if !has_source && !has_metrics && region.broken {
        return None;
    }
    if !has_source && !has_metrics {
        it.out.push(
            Diagnostic::error("region-without-source", name.span, format!("region `{}` has no source", name.text))
                .help("add `source: ENTITY`, or `aggregate:` with figures under it"),
        );
        return None;
    }
    if !has_source && !region.broken {
        sourceless(it, region);
    }
    let display = display::resolve(it, region, has_source);
    let mut sources = sources(it, region);
    let mut button = None;
    if let Some(action) = &region.action {
        let entities: Vec<EntityId> = sources.iter().map(|source| source.entity).collect();
        // A source that could not be resolved may be that of the surface.
        if entities.len() == region.source.len() {
            let opens = opening::from_region(it, action, &entities);
            button = opens.button;
            for (source, opens) in sources.iter_mut().zip(opens.rows) {
                source.action = opens;
            }
        } else {
            it.surface(action);
        }
    }
    let metrics = metrics::lower(it, region, &sources);
    value(it, region, &mut sources, &metrics);
    if let Some((display, span)) = display {
        display::complete(it, region, display, span, &mut sources, has_metrics);
    }
    let default = if has_source { Display::List } else { Display::Metrics };
    Some(Region {
        name: name.text.clone(),
        title: collect::title(&region.title, name),
        display: display.map_or(default, |(display, _)| display),
        sources,
        limit: it.limit(region.limit),
        empty: region.empty.as_ref().map(|it| it.text.clone()),
        button,
        metrics,
        span: name.span,
    })
}

/// Reports keys about rows in a region without a source.
fn sourceless(it: &mut Lowering<'_>, region: &written::Region) {
    let about_rows = ["filter", "sort", "limit", "empty", "group_by", "date_field", "title"];
    for name in region.keys.iter().filter(|name| about_rows.contains(&name.text.as_str())) {
        it.out.push(
            Diagnostic::error(
                "region-without-source",
                name.span,
                format!("`{}` is about rows, and this region has no `source`", name.text),
            )
            .label(region.name.span, "this region")
            .help("add `source: ENTITY`; a figure has a condition of its own: `count(Task where …)`"),
        );
    }
}

fn sources(it: &mut Lowering<'_>, region: &written::Region) -> Vec<Source> {
    let mut seen = HashMap::new();
    let mut sources = Vec::new();
    for name in &region.source {
        if let Some(entity) = it.entity(name)
            && collect::once(it, &mut seen, name, |name| format!("`{name}` is named twice"))
        {
            sources.push(source(it, region, entity, name.span));
        }
    }
    sources
}

fn source(it: &mut Lowering<'_>, region: &written::Region, entity: EntityId, span: Span) -> Source {
    let filter = region.filter.as_ref().and_then(|filter| {
        let (condition, _) = expr::condition(it, Position::Filter, entity, None, filter)?;
        Some(Placed { it: condition, span: filter.span })
    });
    Source {
        entity,
        filter,
        sort: paths::sort(it, entity, &region.sort),
        action: None,
        group_by: region.group_by.as_ref().and_then(|group| group_by(it, entity, group)),
        across: region.across.as_ref().and_then(|group| group_by(it, entity, group)),
        date: region.date_field.as_ref().and_then(|names| date(it, entity, names)),
        title: region.row_title.as_ref().and_then(|names| paths::displayed_path(it, entity, names)),
        value: None,
        span,
    }
}

fn group_by(it: &mut Lowering<'_>, entity: EntityId, group: &written::GroupBy) -> Option<GroupBy> {
    let bucket: Option<Bucket> = match &group.bucket {
        Some(name) => Some(it.word("unknown-value", "unit of time", name)?),
        None => None,
    };
    let path = paths::open(it, entity, &group.path, "grouped")?;
    let moment = paths::end(it, &path.it).ty.is_time();
    if bucket.is_some() && !moment {
        let found =
            Diagnostic::error("type-mismatch", path.span, format!("`{}` is not a date, so it has no such units", text_of(&group.path)));
        it.out.push(found.help(format!("write `group_by: {}`", text_of(&group.path))));
        return None;
    }
    Some(GroupBy { path: path.it, bucket, span: path.span })
}

fn date(it: &mut Lowering<'_>, entity: EntityId, names: &[Name]) -> Option<Path> {
    let path = paths::open(it, entity, names, "used as a date")?;
    if paths::end(it, &path.it).ty.is_time() {
        return Some(path.it);
    }
    let dates = display::dates(it, entity);
    let found = Diagnostic::error("type-mismatch", path.span, format!("`{}` is not a date", text_of(names)));
    it.out.push(if dates.is_empty() { found } else { found.help(format!("name one of {}", dates.join(", "))) });
    None
}

/// Resolves `value:`, a metric of the region or a numeric field of every source.
fn value(it: &mut Lowering<'_>, region: &written::Region, sources: &mut [Source], metrics: &[Metric]) {
    let Some(names) = &region.value else { return };
    let (Some(span), Some(first)) = (span_of(names), names.first()) else { return };
    if names.len() == 1
        && let Some(at) = metrics.iter().position(|metric| metric.name == first.text)
    {
        if !expr::is_number(&metrics[at].ty) {
            let found = Diagnostic::error("type-mismatch", span, format!("`{}` is not a number", first.text));
            it.out.push(found.label(metrics[at].span, "declared here").help("a value is drawn as a number"));
            return;
        }
        it.used(span, metrics[at].span);
        for source in sources {
            source.value = Some(Value::Metric(Placed { it: at, span }));
        }
        return;
    }
    let failed = it.unread_metrics.contains(&first.text);
    let metric_meant = names.len() == 1 && (sources.is_empty() || !region.metrics.is_empty());
    if sources.is_empty() && !region.source.is_empty() || failed && metric_meant {
        return;
    }
    let field = sources.iter().any(|source| it.field_names[source.entity.0].contains_key(&first.text));
    if metric_meant && !field {
        let known: Vec<String> = metrics.iter().map(|metric| metric.name.clone()).collect();
        it.unknown_among("unknown-metric", format!("unknown metric `{}`", first.text), span, &first.text, &known, "");
        return;
    }
    for source in sources {
        source.value = number(it, source.entity, names).map(Value::Field);
    }
}

fn number(it: &mut Lowering<'_>, entity: EntityId, names: &[Name]) -> Option<Placed<Path>> {
    let path = paths::open(it, entity, names, "added up")?;
    let ty = type_of(paths::end(it, &path.it).ty);
    if expr::is_number(&ty) {
        return Some(path);
    }
    if ty == Type::Money(None) {
        let found = Diagnostic::error("type-mismatch", path.span, format!("`{}` holds amounts of any currency", text_of(names)));
        it.out.push(found.help(expr::SEVERAL_CURRENCIES));
        return None;
    }
    let found = Diagnostic::error("type-mismatch", path.span, format!("`{}` is not a number", text_of(names)));
    it.out.push(found.help("name a number field, or a metric of this region"));
    None
}
