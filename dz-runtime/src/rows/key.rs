//! The key of a row as text.

use crate::{Error, Result, Tx, Value, def::EntityDef, field};

/// Parses the key in an address; 404 for an invalid key.
pub(crate) fn parse_key(tx: &Tx<'_>, entity: &'static EntityDef, text: &str) -> Result<Value> {
    let key = match field::stored_kind(tx.app, entity.key()) {
        // Text keys are compared exactly.
        kind if kind.holds_text() => Value::Text(text.to_owned()),
        _ => field::from_text(tx.app, entity.key(), text, field::zone(tx.app)).map_err(|_| Error::not_found())?,
    };
    let written_otherwise = matches!(key, Value::Int(number) if number.to_string() != text);
    if key.is_null() || text.contains('\0') || written_otherwise { Err(Error::not_found()) } else { Ok(key) }
}
