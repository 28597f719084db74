//! A value of a file or a variable, independent of the format.

use std::{collections::BTreeMap, fmt};

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `true` or `false`.
    Bool(bool),
    /// A number without a fraction.
    Whole(i128),
    /// A text.
    Text(String),
    /// Values in brackets.
    List(Vec<Value>),
    /// Values by name.
    Table(BTreeMap<String, Value>),
    /// A value that no key accepts, such as a date, by its text.
    Other(String),
}

/// The maximum length of a value in a message.
const LONGEST: usize = 100;

/// As the value is written in TOML, on one line.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(f, "{value}"),
            Value::Whole(value) => write!(f, "{value}"),
            Value::Text(text) if text.chars().count() > LONGEST => {
                write!(f, "\"{}…\"", text.chars().take(LONGEST).collect::<String>().escape_debug())
            }
            Value::Text(text) => write!(f, "\"{}\"", text.escape_debug()),
            Value::List(values) => {
                let values: Vec<String> = values.iter().map(Value::to_string).collect();
                write!(f, "[{}]", values.join(", "))
            }
            Value::Table(_) => f.write_str("a table"),
            Value::Other(text) => write!(f, "{}", text.escape_debug()),
        }
    }
}
