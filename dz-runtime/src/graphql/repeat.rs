//! Mutations that are sent twice with one idempotency key: what is stored of their results, and the response that repeats them.

use std::sync::Arc;

use dz_graphql::Source;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, value::RawValue};

use super::{
    data::{Data, Object},
    load::Loader,
    plan::Selection,
    write,
};
use crate::{Error, Result};

/// What a field of a mutation did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum MutationEffect {
    /// It wrote a row with this key, and shows it.
    Row(String),
    /// It wrote a row that the caller does not see.
    Hidden,
    /// It deleted a row.
    Deleted,
    /// It ran an action on the row with this key.
    Answer(String, Json),
    /// It was refused.
    Refused,
}

/// The stored result of a mutation. Rows are read again, so that only their keys are stored.
#[derive(Debug, Serialize, Deserialize)]
struct StoredMutation {
    fields: Vec<MutationEffect>,
    /// The errors of the refused fields.
    errors: Vec<Json>,
}

/// A response.
#[derive(Serialize, Deserialize)]
struct Body {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    data: Option<Box<RawValue>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    errors: Vec<Box<RawValue>>,
}

/// The text to store for a mutation; `None` if each of its fields was refused, because refusals are not stored alone.
///
/// # Errors
/// 500 for a body that is not a response.
pub(super) fn describe(plan: &Selection, fields: Vec<MutationEffect>, body: &[u8]) -> Result<Option<String>> {
    if fields.iter().all(|field| *field == MutationEffect::Refused) {
        return Ok(None);
    }
    let refused: Vec<&str> = plan
        .fields
        .iter()
        .zip(&fields)
        .filter(|(_, field)| **field == MutationEffect::Refused)
        .map(|(selected, _)| selected.key.as_str())
        .collect();
    let mut errors = Vec::new();
    if !refused.is_empty() {
        let mut body: Json = serde_json::from_slice(body).map_err(Error::internal)?;
        let all = body["errors"].as_array_mut().map(std::mem::take).unwrap_or_default();
        errors.extend(all.into_iter().filter(|error| error["path"][0].as_str().is_some_and(|key| refused.contains(&key))));
    }
    serde_json::to_string(&StoredMutation { fields, errors }).map(Some).map_err(Error::internal)
}

/// Loads the data of a stored mutation again, and lets `write` write the response.
///
/// # Errors
/// Those that end the unit of work.
pub(super) fn repeat(
    mut loader: Loader<'_, '_, '_>,
    plan: &Selection,
    stored: &str,
    write: impl FnOnce(Object) -> Result<Vec<u8>>,
) -> Result<Vec<u8>> {
    let stored: StoredMutation = serde_json::from_str(stored).map_err(Error::internal)?;
    let mut values = Vec::with_capacity(plan.fields.len());
    for (selected, written) in plan.fields.iter().zip(&stored.fields) {
        let source = selected.describe(loader.schema, plan.ty).map(|field| field.source.clone());
        let data = if let Some(Source::Root(entity, operation)) = source {
            let entity = loader.tx.app.entities[entity];
            write::repeat(&mut loader, entity, &operation, selected, written)
        } else {
            Ok(Data::null())
        };
        values.push(loader.or_refusal(data)?);
    }
    let body = write(Object { selection: Arc::new(plan.clone()), values })?;
    let mut body: Body = serde_json::from_slice(&body).map_err(Error::internal)?;
    for error in &stored.errors {
        body.errors.push(serde_json::value::to_raw_value(error).map_err(Error::internal)?);
    }
    serde_json::to_vec(&body).map_err(Error::internal)
}
