//! The rows that the arguments of a list select.

use dz_graphql::{Schema, Source, field_name};

use super::{
    input::{self, find_field, to_text},
    limits::DEFAULT_LIMIT,
    plan::{Selected, Selection},
    scalar::{Input, Scalar},
};
use crate::{
    Error, Result, Tx,
    def::{Comparison, EntityDef, FieldAt, FieldDef, FieldIx, Path},
    rows::{Filter, FilterOp, MAX_HOPS, MAX_SORTS, MAX_VALUES, Query, temporal},
    suggest::did_you_mean,
};

/// The arguments that are read together, after the others.
const PAGE: [&str; 7] = ["limit", "offset", "first", "after", "sort", "includeClosed", "asOf"];

/// The query of a list or an aggregate.
///
/// # Errors
/// 422 for an argument that is out of bounds or of another form; 400 for a search without searched fields.
pub(super) fn query(tx: &Tx<'_>, entity: &'static EntityDef, selected: &Selected) -> Result<Query> {
    let (offset, limit) = selected.page()?;
    let mut query = Query { offset, limit, dynamic: true, ..Query::default() };
    for (name, value) in selected.arguments.iter().filter(|(name, value)| !PAGE.contains(&name.as_str()) && !value.is_null()) {
        match name.as_str() {
            "search" => query.search = search(tx, entity, value)?,
            "filter" => add_conditions(tx, entity, value, &mut query.filters)?,
            name => {
                let (path, field) = find_path(tx, entity, name)?;
                let value = input::compared_value(tx.app, field, name, value)?;
                query.filters.push(Filter { path, op: FilterOp::Compare(Comparison::Eq, value) });
            }
        }
    }
    query.sort = match selected.argument("sort").and_then(to_text).filter(|text| !text.trim().is_empty()) {
        Some(text) => sort(tx, entity, &text)?,
        None => default_sort(tx, entity),
    };
    let closed = matches!(selected.argument("includeClosed"), Some(Input::Scalar(Scalar::Boolean(true))));
    let as_of = match selected.argument("asOf").and_then(to_text) {
        Some(text) => temporal::parse_as_of(tx.app, entity, &text)?,
        None => None,
    };
    query.filters.extend(temporal::build_filters(entity, closed, as_of));
    Ok(query)
}

/// The rows of a relation: `limit` rows of each parent after `offset`, in the order of the list of their entity.
pub(super) fn children(tx: &Tx<'_>, entity: &'static EntityDef) -> Query {
    Query { sort: default_sort(tx, entity), limit: DEFAULT_LIMIT, dynamic: true, ..Query::default() }
}

/// The fields of a row that a selection needs, in addition to its key: a row can have long texts that are not selected.
pub(super) fn columns(schema: &Schema, entity: &'static EntityDef, selection: &Selection) -> Vec<FieldIx> {
    let needed = |selected: &Selected| match selected.describe(schema, selection.ty).map(|field| &field.source) {
        Some(Source::Value(at) | Source::Reference(at)) => FieldIx::try_from(*at).ok(),
        _ => None,
    };
    let own = selection.fields.iter().filter_map(needed);
    own.flat_map(|at| entity.field(at).currency_in.into_iter().chain([at])).collect()
}

fn default_sort(tx: &Tx<'_>, entity: &'static EntityDef) -> Vec<(Path, bool)> {
    let surface = tx.app.list_surface(entity);
    surface.map_or(&[][..], |surface| surface.ux.sort).iter().map(|key| (key.path, key.descending)).collect()
}

fn search(tx: &Tx<'_>, entity: &'static EntityDef, value: &Input) -> Result<Option<(String, Vec<Path>)>> {
    let text = to_text(value).unwrap_or_default();
    let words = text.trim();
    let paths = tx.app.list_surface(entity).map_or(&[][..], |surface| surface.ux.search);
    match words {
        "" => Ok(None),
        _ if paths.is_empty() => Err(Error::bad_request("these rows cannot be searched: no list surface of them declares `search:`")),
        _ if words.contains('\0') => Err(Error::validation("search", "must not contain the character U+0000")),
        _ => Ok(Some((words.to_owned(), paths.to_vec()))),
    }
}

fn sort(tx: &Tx<'_>, entity: &'static EntityDef, text: &str) -> Result<Vec<(Path, bool)>> {
    let keys: Vec<&str> = text.split(',').map(str::trim).collect();
    if keys.len() > MAX_SORTS {
        return Err(Error::validation("sort", format!("takes at most {MAX_SORTS} fields")));
    }
    let read = |key: &str| {
        let (name, descending) = key.strip_prefix('-').map_or((key, false), |name| (name, true));
        let (path, field) = find_path(tx, entity, name)?;
        match field.kind.is_comparable() {
            true => Ok((path, descending)),
            false => Err(Error::validation("sort", format!("cannot sort by `{name}`"))),
        }
    };
    keys.into_iter().map(read).collect()
}

fn is_open(field: &FieldDef) -> bool {
    field.has_value() && !field.secret && !field.sensitive
}

/// Resolves a dotted name to a path.
fn find_path(tx: &Tx<'_>, entity: &'static EntityDef, name: &str) -> Result<(Path, &'static FieldDef)> {
    let (mut at, mut steps) = (entity, Vec::new());
    let mut parts = name.split('.').peekable();
    while let Some(part) = parts.next() {
        let (ix, field) = find_field(at, part).filter(|(_, field)| is_open(field)).ok_or_else(|| unknown(at, part))?;
        steps.push(FieldAt::new(at.ix, ix));
        match (field.kind.target(), parts.peek()) {
            (_, None) => return Path::from_fields(&steps).map(|path| (path, field)).ok_or_else(|| unknown(entity, name)),
            (Some(next), Some(_)) if steps.len() <= MAX_HOPS => at = tx.app.entity(next),
            (_, Some(_)) => return Err(unknown(at, part)),
        }
    }
    Err(unknown(entity, name))
}

fn unknown(entity: &'static EntityDef, name: &str) -> Error {
    let names: Vec<String> = entity.fields.iter().filter(|field| is_open(field)).map(|field| field_name(field.name)).collect();
    let near = did_you_mean(name, names.iter().map(String::as_str).collect());
    Error::bad_request(format!("unknown field `{}`{near}", name.escape_default()))
}

/// Adds the comparisons of `filter`.
fn add_conditions(tx: &Tx<'_>, entity: &'static EntityDef, filter: &Input, filters: &mut Vec<Filter>) -> Result<()> {
    let Input::Object(fields) = filter else { return Ok(()) };
    for (name, comparisons) in fields {
        let (path, field) = find_path(tx, entity, &name.item)?;
        let Input::Object(comparisons) = &comparisons.item else { continue };
        for (operator, value) in comparisons.iter().filter(|(_, value)| !value.item.is_null()) {
            filters.push(Filter { path, op: operation(tx, field, &name.item, &operator.item, &value.item)? });
        }
    }
    Ok(())
}

fn operation(tx: &Tx<'_>, field: &'static FieldDef, name: &str, operator: &str, value: &Input) -> Result<FilterOp> {
    let one = |value: &Input| input::compared_value(tx.app, field, name, value);
    let compare = |comparison| one(value).map(|value| FilterOp::Compare(comparison, value));
    let text = || match to_text(value) {
        Some(text) if !text.contains('\0') => Ok(text),
        _ => Err(Error::validation(name, "must not contain the character U+0000")),
    };
    match operator {
        "eq" => compare(Comparison::Eq),
        "ne" => compare(Comparison::Ne),
        "gt" => compare(Comparison::Gt),
        "gte" => compare(Comparison::Ge),
        "lt" => compare(Comparison::Lt),
        "lte" => compare(Comparison::Le),
        "isNull" => Ok(FilterOp::IsNull(matches!(value, Input::Scalar(Scalar::Boolean(true))))),
        "contains" => text().map(FilterOp::Contains),
        "icontains" => text().map(FilterOp::IContains),
        "startswith" => text().map(FilterOp::StartsWith),
        _ => {
            let items = if let Input::List(items) = value { items.iter().map(|item| &item.item).collect() } else { vec![value] };
            if items.len() > MAX_VALUES {
                return Err(Error::validation(name, format!("takes at most {MAX_VALUES} values")));
            }
            items.into_iter().map(one).collect::<Result<_>>().map(FilterOp::In)
        }
    }
}
