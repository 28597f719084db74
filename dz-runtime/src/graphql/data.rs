//! The loaded data of an operation, in the form of its response.

use std::sync::Arc;

use super::{plan::Selection, scalar::Output};
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
}

impl Object {
    /// The value of a key of the response.
    pub fn field(&self, key: &str) -> Option<&Data> {
        self.values.get(self.selection.position(key)?)
    }
}
