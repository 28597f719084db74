//! Kinds of display, and what each needs of a region.

use crate::{
    Diagnostic, Span,
    lower::{Lowering, expr::own, paths},
    model::{Auto, Display, EntityId, Field, FieldType, GroupBy, Path, Source, Word},
    syntax::{paths::span_of, workspace::region::Region},
};

/// Resolves the display of a region, with its place; `None` if there is none or it is unknown.
pub(super) fn resolve(it: &mut Lowering<'_>, region: &Region, has_source: bool) -> Option<(Display, Span)> {
    let name = region.display.as_ref()?;
    if name.text == "map" {
        it.out.push(
            Diagnostic::warning("construct-not-supported", name.span, "`map` has no meaning in dz; rows are shown as a list")
                .help("write another kind of display"),
        );
        return has_source.then_some((Display::List, name.span));
    }
    Some((it.word("unknown-display", "kind of display", name)?, name.span))
}

/// Reports the required parts of the display that the region lacks; adds defaults that follow from the entity.
pub(super) fn complete(it: &mut Lowering<'_>, region: &Region, display: Display, span: Span, sources: &mut [Source], has_metrics: bool) {
    let key = |word: &str| region.keys.iter().any(|name| name.text == word);
    if display.is_figures() {
        if !has_metrics {
            lacks(it, display, span, "figures", "add `aggregate:` with lines such as `open: count(Task where done = false)`");
        }
    } else if !key("source") {
        lacks(it, display, span, "rows", "add `source: ENTITY`");
    } else if display.is_chart() && display != Display::Funnel && !key("group_by") {
        lacks(it, display, span, "groups", "add `group_by: FIELD`, or `group_by: bucket(FIELD, month)` for a date");
    } else if display.is_cross_table() && region.across.is_none() {
        let has = if key("group_by") { "one field" } else { "none" };
        let message = format!("`{}` shows groups of two fields, and this region has {has}", display.word());
        let found = Diagnostic::error("display-needs", span, message);
        it.out.push(found.help("write two fields in brackets: `group_by: [FIELD, FIELD]`"));
    } else {
        for source in sources {
            of_source(it, region, display, span, source);
        }
    }
    useless(it, region, display);
    if let Some(second) = region.across.as_ref().filter(|_| !display.is_cross_table()) {
        let word = display.word();
        let span = span_of(&second.path).unwrap_or(span);
        let found = Diagnostic::warning("without-effect", span, format!("a second field has no effect on `{word}`"));
        it.out.push(found.help("remove it, or show the groups as a `heatmap` or a `pivot`"));
    }
}

fn lacks(it: &mut Lowering<'_>, display: Display, span: Span, what: &str, help: &str) {
    let found = Diagnostic::error("display-needs", span, format!("`{}` shows {what}, and this region has none", display.word()));
    it.out.push(found.help(help.to_owned()));
}

/// Checks the requirements of a display for one entity.
fn of_source(it: &mut Lowering<'_>, region: &Region, display: Display, span: Span, source: &mut Source) {
    let word = display.word();
    let entity = it.entities[source.entity.0].name.clone();
    let needs = |it: &mut Lowering<'_>, message: String, help: String| {
        it.out.push(Diagnostic::error("display-needs", span, message).help(help));
    };
    match display {
        Display::Timeline | Display::Calendar | Display::ActivityFeed if source.date.is_none() && region.date_field.is_none() => {
            source.date = inferred_date(it, source);
            if source.date.is_none() {
                needs(
                    it,
                    format!("`{word}` puts rows on dates, and `{entity}` has none"),
                    "show it as a `list`, or add a date to the entity".to_owned(),
                );
            }
        }
        Display::Kanban | Display::Funnel if region.group_by.is_some() => check_enum_group(it, word, source),
        Display::Kanban | Display::Funnel => {
            source.group_by = state(it, source.entity, span);
            if source.group_by.is_none() {
                let enums = named(it, source.entity, is_enum);
                let message = if enums.is_empty() {
                    format!("`{word}` groups rows by state, and `{entity}` has no enum")
                } else {
                    format!("`{word}` groups rows by state, and `{entity}` has several enums")
                };
                needs(it, message, one_of(&enums).unwrap_or_else(|| "show it as a `list`".to_owned()));
            }
        }
        Display::Progress if region.value.is_none() && region.group_by.is_none() && region.metrics.is_empty() => {
            source.group_by = state(it, source.entity, span);
            if source.group_by.is_none() {
                needs(
                    it,
                    format!("`{word}` shows the progress of something, and this region does not name it"),
                    "add `value:`, `group_by:` or `aggregate:`".to_owned(),
                );
            }
        }
        Display::Graph if it.entities[source.entity.0].node.is_none() && it.entities[source.entity.0].edge.is_none() => {
            let help = "declare `graph_node:` on it, or show it as a `list`".to_owned();
            needs(it, format!("`{word}` draws nodes and edges, and `{entity}` is neither"), help);
        }
        Display::Tree => tree(it, region, span, source),
        Display::List
        | Display::Table
        | Display::Grid
        | Display::Timeline
        | Display::Metrics
        | Display::Summary
        | Display::BarChart
        | Display::LineChart
        | Display::AreaChart
        | Display::PieChart
        | Display::Heatmap
        | Display::Pivot
        | Display::Detail
        | Display::Calendar
        | Display::Queue
        | Display::Progress
        | Display::ActivityFeed
        | Display::Graph => {}
    }
}

/// Reports a grouping whose field is not an enum.
fn check_enum_group(it: &mut Lowering<'_>, word: &str, source: &Source) {
    let Some(group) = &source.group_by else { return };
    if paths::end(it, &group.path).ty.enumeration().is_none() {
        let help = one_of(&named(it, source.entity, is_enum)).unwrap_or_else(|| "show it as a `list`".to_owned());
        let found = Diagnostic::error("display-needs", group.span, format!("`{word}` groups rows by the values of an enum"));
        it.out.push(found.help(help));
    }
}

/// A tree follows a ref from a row to another row of the same entity.
fn tree(it: &mut Lowering<'_>, region: &Region, span: Span, source: &mut Source) {
    let entity = source.entity;
    let up = |field: &Field| field.ty == FieldType::Ref(entity);
    let name = it.entities[entity.0].name.clone();
    if region.group_by.is_some() {
        let Some(group) = &source.group_by else { return };
        if group.path.hops.is_empty() && up(paths::end(it, &group.path)) {
            return;
        }
        let help = one_of(&named(it, entity, up)).unwrap_or_else(|| format!("add `parent: ref {name}` to the entity"));
        let found = Diagnostic::error("display-needs", group.span, format!("`tree` puts rows under each other by a ref to `{name}`"));
        it.out.push(found.help(help));
        return;
    }
    let refs = named(it, entity, up);
    let at = it.entities[entity.0].fields.iter().position(up);
    match (refs.len(), at) {
        (1, Some(at)) => source.group_by = Some(GroupBy { path: own(entity, at), bucket: None, span }),
        (0, _) | (_, None) => it.out.push(
            Diagnostic::error("display-needs", span, format!("`tree` puts rows under each other, and `{name}` has no ref to itself"))
                .help(format!("add `parent: ref {name}` to the entity, or show it as a `list`")),
        ),
        _ => {
            let found = Diagnostic::error("display-needs", span, format!("`{name}` has several refs to itself"));
            it.out.push(found.help(one_of(&refs).unwrap_or_default()));
        }
    }
}

/// Reports keys without an effect on the display.
fn useless(it: &mut Lowering<'_>, region: &Region, display: Display) {
    let dated = matches!(display, Display::Timeline | Display::Calendar | Display::ActivityFeed);
    for name in &region.keys {
        let help = match name.text.as_str() {
            "date_field" if !dated => "remove it, or show the region as a `timeline` or a `calendar`",
            "group_by" if !is_grouped(display) => "remove it, or show the groups as a `kanban`, a `bar_chart` or another chart",
            "title" | "value" if display.is_figures() => "remove it, or show the region's rows",
            _ => continue,
        };
        let found = Diagnostic::warning("without-effect", name.span, format!("`{}` has no effect on `{}`", name.text, display.word()));
        it.out.push(found.help(help));
    }
}

/// True for a display that uses `group_by`.
fn is_grouped(display: Display) -> bool {
    match display {
        Display::Kanban
        | Display::Tree
        | Display::Progress
        | Display::Metrics
        | Display::Summary
        | Display::BarChart
        | Display::LineChart
        | Display::AreaChart
        | Display::PieChart
        | Display::Funnel
        | Display::Heatmap
        | Display::Pivot => true,
        Display::List
        | Display::Table
        | Display::Grid
        | Display::Queue
        | Display::Timeline
        | Display::Detail
        | Display::Calendar
        | Display::ActivityFeed
        | Display::Graph => false,
    }
}

fn one_of(fields: &[String]) -> Option<String> {
    (!fields.is_empty()).then(|| format!("say by which: `group_by:` with one of {}", fields.join(", ")))
}

fn is_enum(field: &Field) -> bool {
    field.ty.enumeration().is_some()
}

/// The quoted names of the fields that fit.
fn named(it: &Lowering<'_>, entity: EntityId, fits: impl Fn(&Field) -> bool) -> Vec<String> {
    let fields = it.entities[entity.0].fields.iter();
    fields
        .filter(|field| !field.secret && !field.sensitive && !field.identity && fits(field))
        .map(|field| format!("`{}`", field.name))
        .collect()
}

/// The quoted names of the dates of an entity.
pub(super) fn dates(it: &Lowering<'_>, entity: EntityId) -> Vec<String> {
    named(it, entity, is_date)
}

fn is_date(field: &Field) -> bool {
    field.ty.is_time() && !field.sensitive
}

/// The first date of the sort order; else the first date that users set; else the first one.
fn inferred_date(it: &Lowering<'_>, source: &Source) -> Option<Path> {
    let sorted = source.sort.first().filter(|key| is_date(paths::end(it, &key.path)));
    if let Some(key) = sorted {
        return Some(key.path.clone());
    }
    let fields = &it.entities[source.entity.0].fields;
    let dates = || (0..fields.len()).filter(|at| is_date(&fields[*at]) && !fields[*at].secret && !fields[*at].identity);
    let at = dates().find(|at| fields[*at].auto == Auto::No).or_else(|| dates().next())?;
    Some(own(source.entity, at))
}

/// The field of the state machine; else the enum `status` or `state`, else the only enum.
fn state(it: &Lowering<'_>, entity: EntityId, span: Span) -> Option<GroupBy> {
    let fields = &it.entities[entity.0].fields;
    let machine = it.entities[entity.0].states.as_ref().map(|machine| machine.field.0);
    let mut enums = (0..fields.len()).filter(|at| is_enum(&fields[*at]) && !fields[*at].sensitive && !fields[*at].identity);
    let named = machine.or_else(|| enums.clone().find(|at| matches!(fields[*at].name.as_str(), "status" | "state")));
    let at = match (named, enums.next(), enums.next()) {
        (Some(at), ..) | (None, Some(at), None) => at,
        _ => return None,
    };
    Some(GroupBy { path: own(entity, at), bucket: None, span })
}
