//! The values of scalars: those of Juniper, whole numbers of 64 bits, and JSON.

use std::fmt;

use juniper::{InputValue, ScalarValue};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value as Json;

/// The value of a scalar.
#[derive(Debug, Clone, PartialEq, ScalarValue, Serialize)]
#[serde(untagged)]
pub(crate) enum Scalar {
    /// A whole number of 32 bits.
    #[value(to_int, to_float)]
    Int(i32),
    /// A whole number of 64 bits.
    Long(i64),
    /// A number.
    #[value(to_float)]
    Float(f64),
    /// Text.
    #[value(as_str, to_string)]
    Text(String),
    /// A truth value.
    #[value(to_bool)]
    Boolean(bool),
    /// JSON, which Juniper passes on as it is.
    Json(Json),
}

/// A value in a query.
pub(crate) type Input = InputValue<Scalar>;
/// A value in a response.
pub(crate) type Output = juniper::Value<Scalar>;

/// A response value that is text.
pub(super) fn text(text: impl Into<String>) -> Output {
    Output::Scalar(Scalar::Text(text.into()))
}

/// A response value that is JSON.
pub(super) fn json(value: Json) -> Output {
    Output::Scalar(Scalar::Json(value))
}

impl Scalar {
    fn from_number(number: &serde_json::Number) -> Scalar {
        match number.as_i64() {
            Some(whole) => i32::try_from(whole).map_or(Scalar::Long(whole), Scalar::Int),
            None => number.as_f64().map_or_else(|| Scalar::Text(number.to_string()), Scalar::Float),
        }
    }

    /// The value as JSON.
    pub fn to_json(&self) -> Json {
        match self {
            Scalar::Int(number) => Json::from(*number),
            Scalar::Long(number) => Json::from(*number),
            Scalar::Float(number) => Json::from(*number),
            Scalar::Text(text) => Json::from(text.as_str()),
            Scalar::Boolean(truth) => Json::from(*truth),
            Scalar::Json(json) => json.clone(),
        }
    }
}

/// Converts the JSON of a variable. JSON for the scalar `JSON` stays as it is, because Juniper accepts no lists and objects there.
pub(super) fn from_json(value: &Json) -> Input {
    match value {
        Json::Null => Input::Null,
        Json::Bool(truth) => Input::Scalar(Scalar::Boolean(*truth)),
        Json::Number(number) => Input::Scalar(Scalar::from_number(number)),
        Json::String(text) => Input::Scalar(Scalar::Text(text.clone())),
        Json::Array(items) => Input::list(items.iter().map(from_json).collect()),
        Json::Object(members) => Input::parsed_object(
            members
                .iter()
                .map(|(name, value)| (juniper::Spanning::unlocated(name.clone()), juniper::Spanning::unlocated(from_json(value))))
                .collect(),
        ),
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Text(text) => f.write_str(text),
            Scalar::Int(_) | Scalar::Long(_) | Scalar::Float(_) | Scalar::Boolean(_) | Scalar::Json(_) => write!(f, "{}", self.to_json()),
        }
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Scalar, D::Error> {
        Ok(match Json::deserialize(deserializer)? {
            Json::Bool(truth) => Scalar::Boolean(truth),
            Json::Number(number) => Scalar::from_number(&number),
            Json::String(text) => Scalar::Text(text),
            other @ (Json::Null | Json::Array(_) | Json::Object(_)) => Scalar::Json(other),
        })
    }
}

impl From<String> for Scalar {
    fn from(text: String) -> Scalar {
        Scalar::Text(text)
    }
}

impl From<bool> for Scalar {
    fn from(truth: bool) -> Scalar {
        Scalar::Boolean(truth)
    }
}

impl From<i32> for Scalar {
    fn from(number: i32) -> Scalar {
        Scalar::Int(number)
    }
}

impl From<f64> for Scalar {
    fn from(number: f64) -> Scalar {
        Scalar::Float(number)
    }
}

impl TryFrom<Scalar> for String {
    type Error = Scalar;

    fn try_from(value: Scalar) -> Result<String, Scalar> {
        if let Scalar::Text(text) = value { Ok(text) } else { Err(value) }
    }
}
