//! Rows in memory, as the oracle reads them.

use std::collections::BTreeMap;

use crate::{
    Value,
    def::{AppDef, EntityDef, EntityIx, FieldIx},
};

/// A row that is also in the database.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Stored {
    /// By [`FieldIx`]; null for fields without a column.
    pub values: Vec<Value>,
    /// True if the row is soft-deleted.
    pub deleted: bool,
}

/// The rows of an application, and the roles that its accounts were granted.
#[derive(Debug, Clone)]
pub(super) struct World {
    pub app: &'static AppDef,
    pub rows: Vec<Vec<Stored>>,
    /// Masks of granted roles, by the key of the account as text.
    pub granted: BTreeMap<String, u64>,
    /// Tenants that sessions switched to, by the key of the account as text; the account is not always a member.
    pub entered: BTreeMap<String, Value>,
}

impl World {
    pub fn empty(app: &'static AppDef) -> World {
        World { app, rows: vec![Vec::new(); app.entities.len()], granted: BTreeMap::new(), entered: BTreeMap::new() }
    }

    /// The rows of an entity that are not deleted.
    pub fn stored_rows(&self, entity: EntityIx) -> impl Iterator<Item = &Stored> {
        self.rows.get(usize::from(entity)).into_iter().flatten().filter(|row| !row.deleted)
    }

    /// The row with a key, unless it is deleted.
    pub fn find(&self, entity: EntityIx, key: &Value) -> Option<&Stored> {
        let pk = self.app.entity(entity).pk;
        self.stored_rows(entity).find(|row| !key.is_null() && row.value(pk) == key)
    }

    /// The row that a reference points to.
    pub fn target(&self, entity: &'static EntityDef, field: FieldIx, values: &[Value]) -> Option<(&'static EntityDef, &Stored)> {
        let target = entity.field(field).kind.target()?;
        let row = self.find(target, values.get(usize::from(field))?)?;
        Some((self.app.entity(target), row))
    }

    /// Replaces the values of a row.
    pub fn replace(&mut self, entity: &'static EntityDef, key: &Value, values: &[Value]) {
        let rows = self.rows.get_mut(usize::from(entity.ix)).into_iter().flatten();
        for row in rows.filter(|row| row.value(entity.pk) == key) {
            row.values = values.to_vec();
        }
    }

    /// True if a reference of a row points to this one.
    pub fn is_referred_to(&self, entity: &'static EntityDef, key: &Value) -> bool {
        self.app.entities.iter().any(|other| {
            let refs = (0..).zip(other.fields).filter(|(_, field)| field.kind.target() == Some(entity.ix));
            let refs: Vec<FieldIx> = refs.map(|(at, _)| at).collect();
            self.rows[usize::from(other.ix)].iter().any(|row| refs.iter().any(|at| row.value(*at) == key))
        })
    }
}

impl Stored {
    pub fn value(&self, at: FieldIx) -> &Value {
        self.values.get(usize::from(at)).unwrap_or(&Value::Null)
    }
}

/// A key as in addresses.
pub(super) fn key_text(key: &Value) -> String {
    key.to_key_text().unwrap_or_default()
}
