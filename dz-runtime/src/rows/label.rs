//! The names of the rows that refs lead to, among the extra columns of a query.

use super::{Extra, Row};
use crate::{
    Value,
    def::{AppDef, EntityDef, Path},
    label::RowLabel,
};

/// The name of the row to which a ref leads, among the extra columns of a query.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReferenceLabel {
    name: RowLabel,
    /// The place of the value that names it.
    value: usize,
    /// The place of its key, where a row may have no such value.
    key: Option<usize>,
}

impl ReferenceLabel {
    /// Asks for what names the row to which the ref at the end of a path leads.
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

    /// What the row is called; nothing where there is none that the caller may see.
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
