//! The loaded data of an operation, in the form of its response.

use std::sync::Arc;

use serde_json::Value as Json;

use super::{
    plan::Selection,
    scalar::{Output, Scalar},
};
use crate::Error;

/// A loaded value.
#[derive(Debug, Clone)]
pub(super) enum Data {
    /// Null, a scalar or an enumeration value.
    Leaf(Output),
    /// A list.
    List(Vec<Data>),
    /// An object.
    Object(Object),
    /// The error of a field.
    Failed(Error),
}

/// A loaded object.
#[derive(Debug, Clone)]
pub(super) struct Object {
    /// The selected fields.
    pub selection: Arc<Selection>,
    /// Their values, in the same order.
    pub values: Vec<Data>,
}

impl Data {
    pub fn null() -> Data {
        Data::Leaf(Output::null())
    }

    /// The number of its values.
    pub fn value_count(&self) -> u64 {
        match self {
            Data::Leaf(_) | Data::Failed(_) => 1,
            Data::List(items) => items.iter().map(Data::value_count).sum(),
            Data::Object(object) => object.values.iter().map(Data::value_count).sum(),
        }
    }

    /// The number of bytes of its texts and JSON values.
    pub fn text_size(&self) -> usize {
        match self {
            Data::Leaf(Output::Scalar(Scalar::Text(text))) => text.len(),
            Data::Leaf(Output::Scalar(Scalar::Json(json))) => json_size(json),
            Data::Leaf(_) | Data::Failed(_) => 0,
            Data::List(items) => items.iter().map(Data::text_size).sum(),
            Data::Object(object) => object.values.iter().map(Data::text_size).sum(),
        }
    }
}

/// The approximate size of a JSON value in memory.
fn json_size(json: &Json) -> usize {
    match json {
        Json::Null | Json::Bool(_) | Json::Number(_) => size_of::<u64>(),
        Json::String(text) => text.len(),
        Json::Array(items) => items.iter().map(json_size).sum::<usize>() + size_of::<u64>(),
        Json::Object(members) => members.iter().map(|(name, value)| name.len() + json_size(value)).sum::<usize>() + size_of::<u64>(),
    }
}

impl Object {
    /// The value of a key of the response.
    pub fn field(&self, key: &str) -> Option<&Data> {
        self.values.get(self.selection.position(key)?)
    }
}
