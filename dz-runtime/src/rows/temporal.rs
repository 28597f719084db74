//! `include_closed` and `as_of`: parameters of temporal entities.

use crate::{
    Error, Result, Value,
    def::{AppDef, Comparison, EntityDef, Path},
    field,
    rows::{Filter, FilterOp},
};

/// The names of the parameters.
pub(crate) const NAMES: &[&str] = &["include_closed", "as_of"];

/// Parses `include_closed`.
pub(crate) fn parse_include_closed(value: &str) -> Result<bool> {
    match value {
        "true" | "1" | "yes" => Ok(true),
        "false" | "0" | "no" | "" => Ok(false),
        _ => Err(Error::bad_request("`include_closed` must be true or false")),
    }
}

/// Parses `as_of`: a date, or for entities with timestamps a timestamp; a date means its start.
pub(crate) fn parse_as_of(app: &'static AppDef, entity: &'static EntityDef, value: &str) -> Result<Option<Value>> {
    let Some(temporal) = entity.temporal.filter(|_| !value.is_empty()) else { return Ok(None) };
    let start = entity.field(temporal.start);
    let read = |text: &str| field::from_text(app, start, text, field::zone(app));
    let read = match start.kind.is_date() {
        true => read(value),
        false => read(value).or_else(|_| read(&format!("{value}T00:00"))),
    };
    read.map(Some).map_err(|wrong| Error::bad_request(format!("`as_of` {wrong}")))
}

/// Filters for current rows: those without an end, or those that are current at a time.
pub(crate) fn build_filters(entity: &'static EntityDef, closed: bool, as_of: Option<Value>) -> Vec<Filter> {
    let Some(temporal) = entity.temporal else { return Vec::new() };
    let path = |field| Path::to_field(entity.ix, field);
    let filter = |field, op| Filter { path: path(field), op };
    match as_of {
        Some(then) => vec![
            filter(temporal.start, FilterOp::Compare(Comparison::Le, then.clone())),
            filter(temporal.end, FilterOp::CompareOrNull(Comparison::Gt, then)),
        ],
        None if closed => Vec::new(),
        None => vec![filter(temporal.end, FilterOp::IsNull(true))],
    }
}
