//! Indexes for the regions of workspaces: for the order of their rows, the days of calendars, the columns of boards and the groups of
//! charts.

use super::{
    Explained, add_index, alternatives, common_comparisons, compared_fields, has_no_index, is_ranged, key_order, ordered_keys, own_fields,
    plain_part, starts_with_columns, tenant_first,
};
use crate::{
    emit::schema::{Index, Part},
    model::{Entity, FieldId, GroupBy, Model, Path, SortKey, Source, Value},
};
use dz_vocabulary::Display;

/// Adds an index for each region of rows: the fields that its filter compares for equality, then the order of its rows. The first rows
/// are then read from the index, however many others there are. Those of groups follow, because they can be the start of another one.
pub(super) fn add(model: &Model, entity: &Entity, all: &mut Vec<Explained>) {
    if !own_fields(entity).is_empty() {
        // The rows of one caller are few.
        return;
    }
    let regions = || model.workspaces.iter().flat_map(|workspace| workspace.regions.iter().map(move |region| (workspace, region)));
    let sources = || {
        regions().flat_map(|(workspace, region)| {
            let name = format!("the region `{}` of the workspace `{}`", region.name, workspace.name);
            let own = region.sources.iter().filter(|source| model.entity(source.entity).table == entity.table);
            own.map(move |source| (source, region.display, name.clone()))
        })
    };
    for (source, display, name) in sources() {
        add_rows(model, entity, source, display, format!("has the order of {name}"), all);
    }
    for (source, _, name) in sources().filter(|(_, display, _)| is_grouped(*display)) {
        add_groups(entity, source, format!("has the groups of {name}"), all);
    }
}

/// True for a display of groups.
fn is_grouped(display: Display) -> bool {
    match display {
        Display::BarChart
        | Display::LineChart
        | Display::AreaChart
        | Display::PieChart
        | Display::Funnel
        | Display::Heatmap
        | Display::Pivot
        | Display::Progress => true,
        Display::List
        | Display::Table
        | Display::Grid
        | Display::Queue
        | Display::Timeline
        | Display::Detail
        | Display::ActivityFeed
        | Display::Calendar
        | Display::Kanban
        | Display::Metrics
        | Display::Summary
        | Display::Tree
        | Display::Graph => false,
    }
}

fn add_rows(model: &Model, entity: &Entity, source: &Source, display: Display, why: String, all: &mut Vec<Explained>) {
    let filter = filtered(entity, source);
    let (column, order) = match display {
        Display::List | Display::Table | Display::Grid | Display::Queue | Display::Timeline | Display::Detail => {
            (None, if source.sort.is_empty() { dated(source, false) } else { source.sort.clone() })
        }
        Display::ActivityFeed => (None, dated(source, true)),
        Display::Calendar => (None, dated(source, false)),
        Display::Kanban => (source.group_by.as_ref().and_then(|group| own(&group.path)), source.sort.clone()),
        Display::Metrics
        | Display::Summary
        | Display::BarChart
        | Display::LineChart
        | Display::AreaChart
        | Display::PieChart
        | Display::Funnel
        | Display::Heatmap
        | Display::Pivot
        | Display::Tree
        | Display::Progress
        | Display::Graph => return,
    };
    let Some(order) = key_order(model, entity, &order) else { return };
    let fixed: Vec<FieldId> = filter.into_iter().chain(column).collect();
    let first = fixed.first().copied().or_else(|| order.first().and_then(|part| position(entity, part)));
    // Rows in the order of their keys need no index.
    let is_useful = order.len() > 1 || !fixed.is_empty();
    if !is_useful || first.is_none_or(|at| has_no_index(entity, at)) {
        return;
    }
    let parts: Vec<Part> = fixed.iter().map(|FieldId(at)| plain_part(&entity.fields[*at])).chain(order.iter().cloned()).collect();
    let parts = tenant_first(entity, ordered_keys(entity, Vec::new(), &parts));
    // The other direction of an index needs only the rows of one value to be sorted.
    let sorted = order.first().filter(|part| position(entity, part).is_some_and(|FieldId(at)| is_ranged(&entity.fields[at])));
    if let Some(sorted) = sorted {
        let end = parts.iter().position(|part| part.column == sorted.column).map_or(parts.len(), |at| at + 1);
        let same = |known: &&mut Explained| known.index.rows.is_none() && starts_with_columns(&known.index.parts, &parts[..end]);
        if let Some(known) = all.iter_mut().find(same) {
            return known.add_reason(why);
        }
    }
    add_index(all, Index { parts, unique: false, rows: None, distinct: false }, why);
}

/// Adds an index that contains the groups and the values of all rows: they are then computed from the index alone, without sorting.
fn add_groups(entity: &Entity, source: &Source, why: String, all: &mut Vec<Explained>) {
    let groups: Vec<&GroupBy> = source.group_by.iter().chain(&source.across).collect();
    let field = |group: &&GroupBy| own(&group.path);
    let value = match &source.value {
        Some(Value::Field(path)) => Some(own(&path.it)),
        Some(Value::Metric(_)) | None => None,
    };
    let Some(mut fields) = groups.iter().map(field).chain(value).collect::<Option<Vec<_>>>() else { return };
    let is_indexable = |FieldId(at): &FieldId| entity.fields[*at].is_stored() && entity.fields[*at].ty.is_indexable();
    // A unit of time is computed from the date, so its rows are sorted in any case.
    let is_useful = groups.iter().any(|group| group.bucket.is_none()) && fields.iter().all(is_indexable);
    if !is_useful || fields.first().is_none_or(|at| has_no_index(entity, *at)) {
        return;
    }
    fields.splice(0..0, filtered(entity, source));
    let parts: Vec<Part> = fields.iter().map(|FieldId(at)| plain_part(&entity.fields[*at])).collect();
    let parts = tenant_first(entity, ordered_keys(entity, Vec::new(), &parts));
    let same = |known: &&mut Explained| known.index.rows.is_none() && starts_with_columns(&known.index.parts, &parts);
    match all.iter_mut().find(same) {
        Some(known) => known.add_reason(why),
        None => add_index(all, Index { parts, unique: false, rows: None, distinct: false }, why),
    }
}

/// The stored fields that the filter of a source compares for equality in every row that it selects.
fn filtered(entity: &Entity, source: &Source) -> Vec<FieldId> {
    source.filter.as_ref().map(|filter| compared_fields(&common_comparisons(alternatives(entity, &filter.it)))).unwrap_or_default()
}

/// The fields that have one value in all rows which a region shows in its order: those of its filter, and the column of a board.
pub(crate) fn compared_by_region(model: &Model, source: &Source, display: Display) -> Vec<FieldId> {
    let column = source.group_by.as_ref().filter(|_| display == Display::Kanban).and_then(|group| own(&group.path));
    filtered(model.entity(source.entity), source).into_iter().chain(column).collect()
}

/// The order by the date of a row.
fn dated(source: &Source, descending: bool) -> Vec<SortKey> {
    source.date.iter().map(|date| SortKey { path: date.clone(), descending, span: source.span }).collect()
}

fn own(path: &Path) -> Option<FieldId> {
    path.hops.is_empty().then_some(path.field)
}

fn position(entity: &Entity, part: &Part) -> Option<FieldId> {
    entity.fields.iter().position(|field| field.name == part.column).map(FieldId)
}
