//! The labels of referenced rows, as additional columns of a query.

use super::{Extra, Row};
use crate::{
    Value,
    def::{AppDef, EntityDef, Path},
    label::RowLabel,
};

/// The label of a referenced row, as additional columns of a query.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReferenceLabel {
    name: RowLabel,
    /// The position of its value among the additional columns.
    value: usize,
    /// The position of the key, if a row can have no label value.
    key: Option<usize>,
}

impl ReferenceLabel {
    /// Adds the columns for the label of the row that the reference at the end of a path refers to.
    pub fn select(app: &'static AppDef, path: Path, target: &'static EntityDef, extra: &mut Vec<Extra>) -> ReferenceLabel {
        let name = RowLabel::without_sensitive(app, target);
        let value = extra.len();
        extra.push(Extra::Label(path));
        let key = (!name.is_always_set()).then(|| {
            extra.push(Extra::Key(path));
            value + 1
        });
        ReferenceLabel { name, value, key }
    }

    /// The label of the row; `None` if no row is visible to the caller.
    pub fn text(&self, app: &'static AppDef, row: &Row) -> Option<String> {
        let at = |at: usize| row.extra.get(at).unwrap_or(&Value::Null);
        let value = at(self.value);
        match self.key.map(at) {
            None if value.is_null() => None,
            Some(Value::Null) => None,
            key => Some(self.name.text(app, value, key.unwrap_or(&Value::Null))),
        }
    }
}
