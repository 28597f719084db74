//! The identity of a node: its entity and its key.

use uuid::Uuid;

use crate::{
    Value,
    def::{AppDef, EntityDef, EntityIx},
    field,
};

/// A key that can be compared and hashed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Key {
    /// A whole number.
    Int(i64),
    /// A UUID.
    Uuid(Uuid),
    /// A text.
    Text(String),
}

impl Key {
    /// The key of a row; `None` for a value that cannot be a key.
    pub fn from_value(value: &Value) -> Option<Key> {
        match value {
            Value::Int(number) => Some(Key::Int(*number)),
            Value::Uuid(id) => Some(Key::Uuid(*id)),
            Value::Text(text) => Some(Key::Text(text.clone())),
            Value::Null | Value::Bool(_) | Value::Float(_) | Value::Decimal(_) | Value::Date(_) | Value::DateTime(_) | Value::Json(_) => {
                None
            }
        }
    }

    /// The value of the key.
    pub fn to_value(&self) -> Value {
        match self {
            Key::Int(number) => Value::Int(*number),
            Key::Uuid(id) => Value::Uuid(*id),
            Key::Text(text) => Value::Text(text.clone()),
        }
    }
}

/// A node of a graph.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Vertex {
    /// The entity of its row.
    pub entity: EntityIx,
    /// The key of its row.
    pub key: Key,
}

impl Vertex {
    /// The node of a row; `None` without a key.
    pub fn new(entity: &EntityDef, key: &Value) -> Option<Vertex> {
        Key::from_value(key).map(|key| Vertex { entity: entity.ix, key })
    }

    /// Its id in answers.
    pub fn id(&self, app: &'static AppDef) -> String {
        id_text(app.entity(self.entity), &self.key.to_value())
    }
}

/// The key of a row in its text form; `None` for a text that is not a key of the entity.
pub(crate) fn parse_key(app: &'static AppDef, entity: &'static EntityDef, text: &str) -> Option<Key> {
    let key = match field::stored_kind(app, entity.key()) {
        kind if kind.holds_text() => Value::Text(text.to_owned()),
        _ => field::from_text(app, entity.key(), text, field::zone(app)).ok()?,
    };
    let key = Key::from_value(&key).filter(|_| !text.is_empty() && !text.contains('\0'))?;
    // A number has one text form only.
    (!matches!(key, Key::Int(number) if number.to_string() != text)).then_some(key)
}

/// The id of a row in answers about graphs: a UUID as it is, and another key after the name of its entity.
pub(crate) fn id_text(entity: &EntityDef, key: &Value) -> String {
    let text = key.to_key_text().unwrap_or_default();
    match key {
        Value::Uuid(_) => text,
        _ => format!("{}:{text}", entity.name),
    }
}
