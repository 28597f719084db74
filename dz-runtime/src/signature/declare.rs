//! Structs of inputs and outputs, which the macros generate: one implementation for all of them.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value as Json, json};

use super::{complete, write};
use crate::{
    Caller, Clock, Error, FromValue, IntoValue, Result, Value,
    def::{AppDef, ValueDef},
    field,
};

/// A struct of inputs or outputs.
pub trait Values: Sized + Send + 'static {
    /// The description of its fields.
    fn describe() -> (&'static AppDef, &'static [ValueDef]);

    /// Reads the fields of a complete object.
    ///
    /// # Errors
    /// 422 for a value of another type.
    fn read(members: Members) -> Result<Self>;

    /// The JSON of each field, in declared order.
    fn write(&self) -> Vec<Json>;
}

/// The members of a complete object.
#[derive(Debug)]
pub struct Members {
    app: &'static AppDef,
    fields: &'static [ValueDef],
    members: Map<String, Json>,
}

impl Members {
    /// The value of the field with this name.
    ///
    /// # Errors
    /// 422 for a value of another type.
    pub fn take_named<T: Member>(&mut self, name: &str) -> Result<T> {
        let at = self.fields.iter().position(|it| it.name() == name);
        self.take(at.ok_or_else(|| Error::internal(format!("no field `{name}`")))?)
    }

    /// The value of the field at this position.
    ///
    /// # Errors
    /// 422 for a value of another type.
    pub fn take<T: Member>(&mut self, at: usize) -> Result<T> {
        let it = &self.fields[at];
        let json = self.members.remove(it.name()).unwrap_or_default();
        T::from_json(self.app, it, json)
    }
}

/// The type of a field of such a struct.
pub trait Member: Sized {
    /// Converts the JSON of a field.
    ///
    /// # Errors
    /// 422 for a value of another type.
    fn from_json(app: &'static AppDef, it: &'static ValueDef, json: Json) -> Result<Self>;

    /// Converts to the JSON of a field.
    fn to_json(&self, it: &'static ValueDef) -> Json;
}

impl<T: FromValue + IntoValue + Clone> Member for T {
    fn from_json(app: &'static AppDef, it: &'static ValueDef, json: Json) -> Result<T> {
        let value = field::from_json(app, &it.field, &json).map_err(|message| Error::validation(it.name(), message))?;
        T::from_value(value)
    }

    fn to_json(&self, it: &'static ValueDef) -> Json {
        match self.clone().into_value() {
            // The form of the field would round it, so that no check could refuse it.
            Value::Decimal(number) if field::check(&it.field, &Value::Decimal(number)).is_err() => match it.field.currency {
                Some(currency) => json!({ "amount": number.to_string(), "currency": currency }),
                None => Json::String(number.to_string()),
            },
            value => write(it, &value),
        }
    }
}

impl<T: Member> Member for Vec<T> {
    fn from_json(app: &'static AppDef, it: &'static ValueDef, json: Json) -> Result<Vec<T>> {
        match json {
            Json::Array(items) => items.into_iter().map(|item| T::from_json(app, it, item)).collect(),
            Json::Null => Ok(Vec::new()),
            Json::Bool(_) | Json::Number(_) | Json::String(_) | Json::Object(_) => Err(Error::validation(it.name(), "must be a list")),
        }
    }

    fn to_json(&self, it: &'static ValueDef) -> Json {
        self.iter().map(|item| item.to_json(it)).collect()
    }
}

/// Checks an object, and returns its members.
pub(crate) fn check(app: &'static AppDef, fields: &'static [ValueDef], given: &Json, caller: &Caller) -> Result<Members> {
    Ok(Members { app, fields, members: complete(app, fields, given, caller)? })
}

/// Reads a struct from an object that is checked first.
pub(crate) fn read<V: Values>(given: &Json, caller: &Caller) -> Result<V> {
    let (app, fields) = V::describe();
    V::read(check(app, fields, given, caller)?)
}

/// The object of a struct.
pub(crate) fn to_object<V: Values>(values: &V) -> Json {
    let (_, fields) = V::describe();
    fields.iter().map(|it| it.name().to_owned()).zip(values.write()).collect()
}

/// Serializes a struct with the names and the JSON forms of the declaration.
///
/// # Errors
/// Those of the serializer.
pub fn serialize<V: Values, S: Serializer>(values: &V, serializer: S) -> Result<S::Ok, S::Error> {
    to_object(values).serialize(serializer)
}

/// Deserializes a struct, and checks every field.
///
/// # Errors
/// Those of the deserializer; the errors of all fields in one sentence.
pub fn deserialize<'de, V: Values, D: Deserializer<'de>>(deserializer: D) -> Result<V, D::Error> {
    let given = Json::deserialize(deserializer)?;
    let (app, _) = V::describe();
    read(&given, &Caller::system(app, Clock::default().now())).map_err(|error| serde::de::Error::custom(error.summary()))
}

/// Declares a struct of inputs or outputs.
#[doc(hidden)]
#[macro_export]
macro_rules! values {
    (
        $(#[$meta:meta])*
        pub struct $name:ident ($app:expr, $fields:expr) {
            $($(#[$doc:meta])* $field:ident: $ty:ty = $at:literal,)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $name {
            $($(#[$doc])* pub $field: $ty,)*
        }

        impl $crate::signature::Values for $name {
            fn describe() -> (&'static $crate::def::AppDef, &'static [$crate::def::ValueDef]) {
                (&$app, $fields)
            }

            #[allow(unused_mut, unused_variables, reason = "a struct can have no field")]
            fn read(mut members: $crate::signature::Members) -> $crate::Result<Self> {
                ::core::result::Result::Ok($name { $($field: members.take($at)?,)* })
            }

            fn write(&self) -> ::std::vec::Vec<$crate::__serde_json::Value> {
                let (_, _fields) = <Self as $crate::signature::Values>::describe();
                ::std::vec![$($crate::signature::Member::to_json(&self.$field, &_fields[$at]),)*]
            }
        }

        impl $crate::__serde::Serialize for $name {
            fn serialize<S: $crate::__serde::Serializer>(&self, serializer: S) -> ::core::result::Result<S::Ok, S::Error> {
                $crate::signature::serialize(self, serializer)
            }
        }

        impl<'de> $crate::__serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::__serde::Deserializer<'de>>(deserializer: D) -> ::core::result::Result<Self, D::Error> {
                $crate::signature::deserialize(deserializer)
            }
        }
    };
}
