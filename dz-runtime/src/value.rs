//! A value of any field, between the database, JSON, forms and typed structs.

use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use uuid::Uuid;

/// A value of any field.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Value {
    /// No value.
    #[default]
    Null,
    /// `bool`
    Bool(bool),
    /// `int`
    Int(i64),
    /// `float`; always finite.
    Float(f64),
    /// `decimal`
    Decimal(Decimal),
    /// Every text-like type, and the name of an enumeration's value.
    Text(String),
    /// `uuid`, and refs to entities with a uuid key.
    Uuid(Uuid),
    /// `date`
    Date(NaiveDate),
    /// `datetime`, to the microsecond.
    DateTime(DateTime<Utc>),
    /// `json`
    Json(serde_json::Value),
}

impl Value {
    /// True for no value.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }
}
