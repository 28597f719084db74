//! Stored rows, the values of a write, and the traits of the generated structs.

mod id;

pub use id::{Id, InvalidId, RawKey};

use crate::{
    Error, FromValue, IntoValue, Result, Value,
    def::{AppDef, EntityDef, FieldAt, FieldIx},
};

/// A row: one value for each field of the entity (`Null` for relations and secrets), and its version.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The values by [`FieldIx`].
    pub values: Vec<Value>,
    /// The column `dz_version`, which is the `ETag`.
    pub version: i64,
    /// The additional columns of the query, in order; `Null` if the caller may not read one.
    pub extra: Vec<Value>,
}

impl Row {
    /// The value of a field.
    pub fn value(&self, field: FieldIx) -> &Value {
        self.values.get(usize::from(field)).unwrap_or(&Value::Null)
    }

    /// The value of a field; null if the row belongs to another entity.
    pub(crate) fn value_at(&self, entity: &EntityDef, field: FieldAt) -> &Value {
        field.position_in(entity).map_or(&Value::Null, |at| self.value(at))
    }

    /// Takes the value of a field out of the row.
    ///
    /// # Errors
    /// 500 `INTERNAL` if it has another type.
    pub fn take<V: FromValue>(&mut self, field: FieldIx) -> Result<V> {
        V::from_value(self.values.get_mut(usize::from(field)).map(std::mem::take).unwrap_or_default())
    }
}

/// A generated row struct.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the row of an entity: write its struct, such as `task::Task`",
    label = "not a row struct of the declaration"
)]
pub trait Entity: Sized + 'static {
    /// The struct for a new row.
    type New: Draft;
    /// The struct for changes.
    type Changes: Draft;
    /// The stored type of the key.
    type RawKey: RawKey;
    /// The description of the entity.
    const DEF: &'static EntityDef;

    /// The description of the application.
    fn app() -> &'static AppDef;

    /// Converts a row to the struct.
    ///
    /// # Errors
    /// 500 `INTERNAL` if a value has another type than its field.
    fn from_row(row: Row) -> Result<Self>;

    /// The primary key.
    fn key(&self) -> Value;
}

/// A generated `New…` struct.
pub trait NewRow: Draft {
    /// The struct of the row.
    type Row: Entity<New = Self>;
}

/// A generated `New…` or `…Changes` struct.
pub trait Draft: Sized + 'static {
    /// The fields that have a value.
    fn into_values(self) -> FieldValues;

    /// Converts values to the struct; fields that it does not have are ignored.
    ///
    /// # Errors
    /// 422 `VALIDATION` if a required field is missing.
    fn from_values(values: FieldValues) -> Result<Self>;
}

/// The change of a field that can be null.
///
/// ```
/// use dz_runtime::Change;
/// assert_eq!(Change::default(), Change::<i64>::Keep);
/// assert_eq!(Change::from(7), Change::Set(7));
/// assert_eq!(Change::<i64>::from(None), Change::Clear);
/// assert_eq!(Change::Set(7).over(Some(1)), Some(7));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Change<T> {
    /// The field keeps its value.
    #[default]
    Keep,
    /// The field becomes null.
    Clear,
    /// The field gets this value.
    Set(T),
}

impl<T> Change<T> {
    /// The value of the field after the change, from its value before.
    pub fn over(self, before: Option<T>) -> Option<T> {
        match self {
            Change::Keep => before,
            Change::Clear => None,
            Change::Set(value) => Some(value),
        }
    }

    /// True if the field keeps its value.
    pub fn is_keep(&self) -> bool {
        matches!(self, Change::Keep)
    }

    /// The new value, if the field gets one.
    pub fn value(&self) -> Option<&T> {
        match self {
            Change::Set(value) => Some(value),
            Change::Keep | Change::Clear => None,
        }
    }
}

impl<T> From<T> for Change<T> {
    fn from(value: T) -> Self {
        Change::Set(value)
    }
}

impl From<&str> for Change<String> {
    fn from(text: &str) -> Self {
        Change::Set(text.to_owned())
    }
}

impl<T> From<Option<T>> for Change<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Change::Clear, Change::Set)
    }
}

/// The change of a field in a generated `…Changes` struct.
#[doc(hidden)]
pub trait FieldChange: Sized {
    /// Adds the new value, if there is one.
    fn write(self, values: &mut FieldValues, field: FieldIx);

    /// Takes the new value.
    ///
    /// # Errors
    /// 500 `INTERNAL` if it has another type.
    fn read(values: &mut FieldValues, field: FieldIx) -> Result<Self>;
}

/// Applies a change to the field of a row.
#[doc(hidden)]
pub trait ApplyChange<F> {
    /// Sets the field, unless it is kept.
    fn apply(&self, field: &mut F);
}

impl<T: FromValue + IntoValue> FieldChange for Option<T> {
    fn write(self, values: &mut FieldValues, field: FieldIx) {
        values.set_optional(field, self);
    }

    fn read(values: &mut FieldValues, field: FieldIx) -> Result<Self> {
        values.take_optional(field)
    }
}

impl<T: FromValue + IntoValue> FieldChange for Change<T> {
    fn write(self, values: &mut FieldValues, field: FieldIx) {
        match self {
            Change::Keep => {}
            Change::Clear => values.set(field, Value::Null),
            Change::Set(value) => values.set(field, value),
        }
    }

    fn read(values: &mut FieldValues, field: FieldIx) -> Result<Self> {
        if values.get(field).is_some_and(Value::is_null) {
            values.remove(field);
            return Ok(Change::Clear);
        }
        Ok(values.take_optional(field)?.map_or(Change::Keep, Change::Set))
    }
}

impl<T: Clone + Into<F>, F> ApplyChange<F> for Option<T> {
    fn apply(&self, field: &mut F) {
        if let Some(value) = self {
            *field = value.clone().into();
        }
    }
}

impl<T: Clone> ApplyChange<Option<T>> for Change<T> {
    fn apply(&self, field: &mut Option<T>) {
        *field = self.clone().over(field.take());
    }
}

/// Values of fields, for a write.
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
    /// Sets the value of a field.
    pub fn set(&mut self, field: FieldIx, value: impl IntoValue) {
        let value = value.into_value();
        match self.0.iter_mut().find(|(other, _)| *other == field) {
            Some((_, old)) => *old = value,
            None => self.0.push((field, value)),
        }
    }

    /// Sets the value of a field, if there is one.
    pub fn set_optional(&mut self, field: FieldIx, value: Option<impl IntoValue>) {
        if let Some(value) = value {
            self.set(field, value);
        }
    }

    /// Takes the value of a required field.
    ///
    /// # Errors
    /// 422 `VALIDATION` if it has none.
    pub fn take_required<V: FromValue>(&mut self, field: FieldIx) -> Result<V> {
        self.take_optional(field)?.ok_or_else(|| Error::new(422, "VALIDATION", "A required field is missing"))
    }

    /// Takes the value of a field, if it has one.
    ///
    /// # Errors
    /// 500 `INTERNAL` if it has another type.
    pub fn take_optional<V: FromValue>(&mut self, field: FieldIx) -> Result<Option<V>> {
        let Some(at) = self.0.iter().position(|(other, _)| *other == field) else { return Ok(None) };
        V::from_value(self.0.swap_remove(at).1).map(Some)
    }

    /// The value of a field.
    pub fn get(&self, field: FieldIx) -> Option<&Value> {
        self.0.iter().find(|(other, _)| *other == field).map(|(_, value)| value)
    }

    /// Removes the value of a field.
    pub fn remove(&mut self, field: FieldIx) {
        self.0.retain(|(other, _)| *other != field);
    }

    /// The fields that have a value.
    pub fn fields(&self) -> impl Iterator<Item = FieldIx> {
        self.0.iter().map(|(field, _)| *field)
    }
}
