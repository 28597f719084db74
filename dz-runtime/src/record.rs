//! Records: a row as it is stored, the given values of a write, and the traits of the generated structs.

use crate::{
    Error, FromValue, IntoValue, Result, Value,
    def::{EntityDef, FieldAt, FieldIx},
};

/// A row: a value per field of the entity (`Null` for relations and secrets), with its version.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// By [`FieldIx`].
    pub values: Vec<Value>,
    /// `dz_version`, the `ETag`.
    pub version: i64,
    /// The extra columns asked for, in order (what the caller may not read is `Null`).
    pub extra: Vec<Value>,
}

impl Row {
    /// The value of a field.
    pub fn value(&self, field: FieldIx) -> &Value {
        self.values.get(usize::from(field)).unwrap_or(&Value::Null)
    }

    /// The value of a field that carries its entity; null where the row is one of another entity.
    pub(crate) fn value_at(&self, entity: &EntityDef, field: FieldAt) -> &Value {
        field.position_in(entity).map_or(&Value::Null, |at| self.value(at))
    }

    /// Takes the value of a field.
    ///
    /// # Errors
    /// 500 `INTERNAL` when it is of another type.
    pub fn take<V: FromValue>(&mut self, field: FieldIx) -> Result<V> {
        V::from_value(self.values.get_mut(usize::from(field)).map(std::mem::take).unwrap_or_default())
    }
}

/// A generated row struct.
pub trait Entity: Sized + 'static {
    /// What a new row is made of.
    type New: Draft;
    /// What a change is made of.
    type Changes: Draft;
    /// The entity's description.
    const DEF: &'static EntityDef;

    /// The struct of a row.
    ///
    /// # Errors
    /// 500 `INTERNAL` when a value is not of its field's type.
    fn from_row(row: Row) -> Result<Self>;

    /// The primary key.
    fn key(&self) -> Value;
}

/// A generated `New…` or `…Changes` struct.
pub trait Draft: Sized + 'static {
    /// The fields that are given.
    fn into_values(self) -> FieldValues;

    /// The struct of given fields; fields that it does not have are left out.
    ///
    /// # Errors
    /// 422 `VALIDATION` when a field that it needs is missing.
    fn from_values(values: FieldValues) -> Result<Self>;
}

/// Fields that are given, each with its value.
///
/// ```
/// use dz_runtime::FieldValues;
/// let mut values = FieldValues::default();
/// values.set(1, "Paint");
/// values.set_optional(2, None::<i64>);
/// assert_eq!(values.take_optional::<String>(1).unwrap().as_deref(), Some("Paint"));
/// assert_eq!(values.take_optional::<i64>(2).unwrap(), None);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FieldValues(pub(crate) Vec<(FieldIx, Value)>);

impl FieldValues {
    /// Gives a field, in place of what was given for it before.
    pub fn set(&mut self, field: FieldIx, value: impl IntoValue) {
        let value = value.into_value();
        match self.0.iter_mut().find(|(other, _)| *other == field) {
            Some((_, old)) => *old = value,
            None => self.0.push((field, value)),
        }
    }

    /// Gives a field when there is a value.
    pub fn set_optional(&mut self, field: FieldIx, value: Option<impl IntoValue>) {
        if let Some(value) = value {
            self.set(field, value);
        }
    }

    /// Takes a field that must be there.
    ///
    /// # Errors
    /// 422 `VALIDATION` when it is not.
    pub fn take_required<V: FromValue>(&mut self, field: FieldIx) -> Result<V> {
        self.take_optional(field)?.ok_or_else(|| Error::new(422, "VALIDATION", "A required field is missing"))
    }

    /// Takes a field that may be there.
    ///
    /// # Errors
    /// 500 `INTERNAL` when it is of another type.
    pub fn take_optional<V: FromValue>(&mut self, field: FieldIx) -> Result<Option<V>> {
        let Some(at) = self.0.iter().position(|(other, _)| *other == field) else { return Ok(None) };
        V::from_value(self.0.swap_remove(at).1).map(Some)
    }

    /// What is given for a field.
    pub fn get(&self, field: FieldIx) -> Option<&Value> {
        self.0.iter().find(|(other, _)| *other == field).map(|(_, value)| value)
    }

    /// Takes a field back.
    pub fn remove(&mut self, field: FieldIx) {
        self.0.retain(|(other, _)| *other != field);
    }

    /// The fields that are given.
    pub fn fields(&self) -> impl Iterator<Item = FieldIx> {
        self.0.iter().map(|(field, _)| *field)
    }
}
