//! The value of a field, for conversion between the database, JSON, forms and typed structs.

#[cfg_attr(not(feature = "sqlite"), allow(dead_code, reason = "PostgreSQL has its own types for most of it"))]
pub(crate) mod storage;

use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::Error;

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
    /// True for null.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// The type of the value, in one word.
    pub fn type_name(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "bool",
            Value::Int(_) => "int",
            Value::Float(_) => "float",
            Value::Decimal(_) => "decimal",
            Value::Text(_) => "text",
            Value::Uuid(_) => "uuid",
            Value::Date(_) => "date",
            Value::DateTime(_) => "datetime",
            Value::Json(_) => "json",
        }
    }

    /// The text of a key in addresses, forms, logs and the audit log; `None` for a value that cannot be a key.
    pub fn to_key_text(&self) -> Option<String> {
        match self {
            Value::Uuid(id) => Some(id.to_string()),
            Value::Int(id) => Some(id.to_string()),
            Value::Text(id) => Some(id.clone()),
            Value::Null | Value::Bool(_) | Value::Float(_) | Value::Decimal(_) | Value::Date(_) | Value::DateTime(_) | Value::Json(_) => {
                None
            }
        }
    }

    /// The text of a key in the tables of the framework; a UUID has no hyphens there.
    pub(crate) fn to_stored_key(&self) -> String {
        match self {
            Value::Uuid(id) => id.simple().to_string(),
            key => key.to_key_text().unwrap_or_default(),
        }
    }

    /// The percent-encoded key, as a segment of an address.
    pub(crate) fn to_path_segment(&self) -> String {
        let key = self.to_key_text().unwrap_or_default();
        let encoded: String = url::form_urlencoded::byte_serialize(key.as_bytes()).collect();
        encoded.replace('+', "%20")
    }
}

/// A Rust type to which the value of a field can be converted.
///
/// ```
/// use dz_runtime::{FromValue, Value};
/// assert_eq!(i64::from_value(Value::Int(3)).unwrap(), 3);
/// assert_eq!(Option::<i64>::from_value(Value::Null).unwrap(), None);
/// assert!(i64::from_value(Value::Null).is_err());
/// ```
pub trait FromValue: Sized {
    /// Converts a value; 500 `INTERNAL` if it has another type, which does not happen if the description matches the database.
    fn from_value(value: Value) -> Result<Self, Error>;
}

/// A Rust type that can be converted to the value of a field.
pub trait IntoValue {
    /// Converts to a value.
    fn into_value(self) -> Value;
}

macro_rules! conversions {
    ($($variant:ident $rust:ty;)*) => {$(
        impl FromValue for $rust {
            fn from_value(value: Value) -> Result<Self, Error> {
                match value {
                    Value::$variant(value) => Ok(value),
                    other => Err(Error::internal(format_args!(
                        concat!("expected ", stringify!($rust), ", found {}"), other.type_name()
                    ))),
                }
            }
        }

        impl IntoValue for $rust {
            fn into_value(self) -> Value {
                Value::$variant(self)
            }
        }
    )*};
}

conversions! {
    Bool bool;
    Int i64;
    Float f64;
    Decimal Decimal;
    Text String;
    Uuid Uuid;
    Date NaiveDate;
    DateTime DateTime<Utc>;
    Json serde_json::Value;
}

impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: Value) -> Result<Self, Error> {
        if value.is_null() { Ok(None) } else { T::from_value(value).map(Some) }
    }
}

impl<T: IntoValue> IntoValue for Option<T> {
    fn into_value(self) -> Value {
        self.map_or(Value::Null, T::into_value)
    }
}

impl FromValue for Value {
    fn from_value(value: Value) -> Result<Self, Error> {
        Ok(value)
    }
}

impl IntoValue for Value {
    fn into_value(self) -> Value {
        self
    }
}

impl IntoValue for &str {
    fn into_value(self) -> Value {
        Value::Text(self.to_owned())
    }
}
