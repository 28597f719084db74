//! Relay connections: pages that start after a row, and not at a number of rows.

use std::sync::Arc;

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use dz_graphql::{Part, Source};
use serde_json::json;

use super::{
    data::{Data, Object},
    input::to_text,
    load::Loader,
    output,
    plan::{Selected, Selection},
    scalar::{self, Output, Scalar},
    select,
};
use crate::{
    Error, Result, Tx, Value,
    access::{Grant, List},
    def::{Comparison, EntityDef, FieldIx, Path},
    rows::{self, Counting, Filter, FilterOp, Query, Row, Total, parse_key},
};

/// The rows of a connection.
struct Page {
    rows: Vec<Row>,
    has_next: bool,
    has_previous: bool,
    total: Total,
}

/// Loads a connection.
///
/// # Errors
/// 400 for a cursor whose row is not visible; errors of the list.
pub(super) fn load(loader: &mut Loader<'_, '_, '_>, entity: &'static EntityDef, selected: &Selected) -> Result<Data> {
    let grant = loader.tx.ask::<List>(entity)?;
    let (_, first) = selected.page()?;
    let only = Some(columns(loader, entity, &selected.selection));
    let query = Query { offset: 0, limit: first.saturating_add(1), only, ..select::query(loader.tx, entity, selected)? };
    let after = match selected.argument("after").and_then(to_text) {
        Some(cursor) => find_place(loader.tx, &grant, &query, &cursor)?,
        None => Vec::new(),
    };
    let has_previous = !after.is_empty();
    let is_counted = parts(loader, &selected.selection).iter().any(|part| matches!(part, Some(Part::Total | Part::TotalCapped)));
    let total = match is_counted {
        true => rows::list(loader.tx, &grant, &Query { limit: 0, count: Counting::Limited, ..query.clone() })?.total,
        false => Total::default(),
    };
    let (mut rows, _) = rows::batch(loader.tx, &grant, &Query { after: Some(after), ..query })?;
    let most = usize::try_from(first).unwrap_or(usize::MAX);
    let has_next = rows.len() > most;
    rows.truncate(most);
    write(loader, entity, &Page { rows, has_next, has_previous, total }, &selected.selection)
}

/// The fields of the rows that are read: those of the nodes.
fn columns(loader: &Loader<'_, '_, '_>, entity: &'static EntityDef, selection: &Selection) -> Vec<FieldIx> {
    let mut all = Vec::new();
    for (part, selected) in parts(loader, selection).into_iter().zip(&selection.fields) {
        match part {
            Some(Part::Nodes | Part::Node) => all.extend(select::columns(loader.schema, entity, &selected.selection)),
            Some(Part::Edges) => all.extend(columns(loader, entity, &selected.selection)),
            Some(Part::Total | Part::TotalCapped | Part::PageInfo | Part::Cursor) | None => {}
        }
    }
    all
}

/// The sort values of the row that a cursor names.
fn find_place(tx: &mut Tx<'_>, grant: &Grant<List>, query: &Query, cursor: &str) -> Result<Vec<Value>> {
    let gone = || Error::bad_request("`after` is not the cursor of a row that you can see");
    let entity = grant.entity();
    let text = BASE64_URL_SAFE_NO_PAD.decode(cursor).ok().and_then(|bytes| String::from_utf8(bytes).ok()).ok_or_else(gone)?;
    let key = parse_key(tx, entity, &text).map_err(|_| gone())?;
    let filters = vec![Filter { path: Path::to_field(entity.ix, entity.pk), op: FilterOp::Compare(Comparison::Eq, key) }];
    let one = Query { filters, search: None, limit: 1, after: Some(Vec::new()), ..query.clone() };
    rows::batch(tx, grant, &one)?.1.ok_or_else(gone)
}

fn cursor(entity: &'static EntityDef, row: &Row) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(row.value(entity.pk).to_key_text().unwrap_or_default())
}

/// The meaning of each selected field of a connection or an edge.
fn parts(loader: &Loader<'_, '_, '_>, selection: &Selection) -> Vec<Option<Part>> {
    let part = |selected: &Selected| match selected.describe(loader.schema, selection.ty).map(|field| &field.source) {
        Some(Source::Part(part)) => Some(*part),
        _ => None,
    };
    selection.fields.iter().map(part).collect()
}

fn write(loader: &mut Loader<'_, '_, '_>, entity: &'static EntityDef, page: &Page, selection: &Selection) -> Result<Data> {
    let mut values = Vec::with_capacity(selection.fields.len());
    for (part, selected) in parts(loader, selection).into_iter().zip(&selection.fields) {
        values.push(match part {
            Some(Part::Total) => Data::Leaf(Output::Scalar(i32::try_from(page.total.rows).map_or(Scalar::Int(i32::MAX), Scalar::Int))),
            Some(Part::TotalCapped) => Data::Leaf(Output::Scalar(Scalar::Boolean(page.total.is_capped))),
            Some(Part::Nodes) => Data::List(loader.objects(entity, &page.rows, &selected.selection)?),
            Some(Part::Edges) => Data::List(edges(loader, entity, page, &selected.selection)?),
            Some(Part::PageInfo) => {
                let place = |row: Option<&Row>| row.map(|row| cursor(entity, row));
                let info = json!({
                    "hasNextPage": page.has_next,
                    "hasPreviousPage": page.has_previous,
                    "startCursor": place(page.rows.first()),
                    "endCursor": place(page.rows.last()),
                });
                output::composite(loader.schema, &info, &selected.selection)
            }
            Some(Part::Cursor | Part::Node) | None => Data::null(),
        });
    }
    Ok(Data::Object(Object { selection: Arc::new(selection.clone()), values }))
}

fn edges(loader: &mut Loader<'_, '_, '_>, entity: &'static EntityDef, page: &Page, selection: &Selection) -> Result<Vec<Data>> {
    let shared = Arc::new(selection.clone());
    let mut edges: Vec<Vec<Data>> = page.rows.iter().map(|_| Vec::with_capacity(selection.fields.len())).collect();
    for (part, selected) in parts(loader, selection).into_iter().zip(&selection.fields) {
        let column: Vec<Data> = match part {
            Some(Part::Node) => loader.objects(entity, &page.rows, &selected.selection)?,
            _ => page.rows.iter().map(|row| Data::Leaf(scalar::text(cursor(entity, row)))).collect(),
        };
        edges.iter_mut().zip(column).for_each(|(edge, value)| edge.push(value));
    }
    Ok(edges.into_iter().map(|values| Data::Object(Object { selection: shared.clone(), values })).collect())
}
