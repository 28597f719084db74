//! An error in a setting.

use crate::Value;

/// An error in a setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// A table has a key that does not exist.
    UnknownKey {
        /// The path of the table, empty for the whole file.
        table: String,
        /// The key.
        key: String,
        /// The keys of the table.
        known: Vec<&'static str>,
    },
    /// A value is of another type, or out of range.
    WrongValue {
        /// The path of the key, or the variable.
        place: String,
        /// The value; `None` for a secret.
        value: Option<String>,
        /// The accepted values.
        accepted: String,
    },
    /// A value has the right type and cannot be used.
    Refused {
        /// The path of the key, or the variable.
        place: String,
        /// The value; `None` for a secret.
        value: Option<String>,
        /// The reason and the correction.
        reason: String,
    },
    /// A key without a default has no value.
    MissingKey {
        /// The path of the table.
        table: String,
        /// The key.
        key: String,
        /// The accepted values.
        accepted: String,
    },
}

impl Problem {
    /// A value that its key does not accept.
    pub fn wrong_value(place: &str, value: &Value, accepted: String) -> Problem {
        Problem::WrongValue { place: place.to_owned(), value: Some(value.to_string()), accepted }
    }

    /// The same problem without the value, which is a secret.
    #[must_use]
    pub fn hide_value(self) -> Problem {
        match self {
            Problem::WrongValue { place, accepted, .. } => Problem::WrongValue { place, value: None, accepted },
            Problem::Refused { place, reason, .. } => Problem::Refused { place, value: None, reason },
            known @ (Problem::UnknownKey { .. } | Problem::MissingKey { .. }) => known,
        }
    }

    /// The path of the key, or the name of the variable.
    pub fn place(&self) -> String {
        match self {
            Problem::WrongValue { place, .. } | Problem::Refused { place, .. } => place.clone(),
            Problem::UnknownKey { table, key, .. } | Problem::MissingKey { table, key, .. } => join(table, key),
        }
    }

    /// One sentence without its full stop, which names the key, the value and the correction. `nearest` finds the known name
    /// that is nearest to an unknown one.
    pub fn sentence(&self, nearest: impl Fn(&str, &[&'static str]) -> Option<String>) -> String {
        let place = self.place();
        match self {
            Problem::UnknownKey { key, known, .. } => match nearest(key, known) {
                Some(near) => format!("unknown key `{place}`; did you mean `{near}`?"),
                None => format!("unknown key `{place}`; known ones are {}", known.join(", ")),
            },
            Problem::WrongValue { value: Some(value), accepted, .. } => format!("`{place}` is `{value}`; write {accepted}"),
            Problem::WrongValue { value: None, accepted, .. } => format!("`{place}` has a wrong value; write {accepted}"),
            Problem::Refused { value: Some(value), reason, .. } => format!("`{place}` is `{value}`, {reason}"),
            Problem::Refused { value: None, reason, .. } => format!("`{place}`: {reason}"),
            Problem::MissingKey { table, key, accepted } => format!("`{table}` needs `{key}`, {accepted}"),
        }
    }
}

/// The path of a key in a table.
pub(crate) fn join(table: &str, key: &str) -> String {
    if table.is_empty() { key.to_owned() } else { format!("{table}.{key}") }
}
