//! `expand`: referenced and related rows inside a response.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::{
    caller::Caller,
    db::Connection,
    names::did_you_mean,
    problem::{Problem, Result},
    request::Call,
};

/// The most related rows of a response.
const MOST_ROWS: usize = 1_000;

/// Loads the rows of an entity whose column is one of these keys: those of its list, or those that the caller may read.
pub type Load = fn(&mut Connection, &Caller, &str, &[Value], bool) -> Result<Vec<Value>>;

/// The rows that a name means.
pub enum Source {
    /// The row to which a field refers.
    Reference {
        /// Loads the row.
        load: Load,
        /// The field with its key.
        key: &'static str,
        /// The fields that are left out.
        sensitive: &'static [&'static str],
    },
    /// The rows that refer to this one.
    Children {
        /// Loads the rows.
        load: Load,
        /// The table of the rows.
        table: &'static str,
        /// Their reference.
        column: &'static str,
        /// True for at most one row.
        is_single: bool,
    },
    /// The rows that are connected to this one by those of another table.
    Junction {
        /// Loads the rows of the other table.
        between: Load,
        /// Their reference to this row.
        near: &'static str,
        /// Their reference to the connected row.
        far: &'static str,
        /// Loads the connected rows.
        load: Load,
        /// The field with the key of a connected row.
        key: &'static str,
    },
}

/// A name that `expand` accepts.
pub struct Expansion {
    /// The name.
    pub name: &'static str,
    /// The rows.
    pub source: Source,
}

/// The expansions that a request asks for.
pub fn parse(call: &Call, known: &'static [Expansion]) -> Result<Vec<&'static Expansion>> {
    let names = call.query.iter().filter(|(name, _)| name == "expand").flat_map(|(_, value)| value.split(','));
    let mut found: Vec<&'static Expansion> = Vec::new();
    for name in names.map(str::trim).filter(|name| !name.is_empty()) {
        let expansion = known.iter().find(|it| it.name == name).ok_or_else(|| {
            let near = did_you_mean(name, known.iter().map(|it| it.name));
            Problem::bad_request(format!("`{}` is not a reference or relation that can be expanded{near}", name.escape_default()))
        })?;
        if !found.iter().any(|it| it.name == name) {
            found.push(expansion);
        }
    }
    Ok(found)
}

/// Adds the rows to a response whose rows have their keys in the field `key`.
pub fn apply(connection: &mut Connection, caller: &Caller, wanted: &[&Expansion], key: &str, rows: &mut [Value]) -> Result<()> {
    for Expansion { name, source } in wanted {
        let own = keys(rows, key);
        match source {
            Source::Reference { load, key, sensitive } => {
                let mut found = load_some(*load, connection, caller, (key, &keys(rows, name), false))?;
                found.iter_mut().filter_map(Value::as_object_mut).for_each(|row| {
                    row.retain(|field, _| !sensitive.contains(&field.as_str()));
                });
                rows.iter_mut().for_each(|row| row[*name] = with(&found, key, &row[*name]).into_iter().next().unwrap_or(Value::Null));
            }
            Source::Children { load, table, column, is_single } => {
                let found = load_some(*load, connection, caller, (column, &own, true))?;
                if found.len() > MOST_ROWS {
                    return Err(Problem::bad_request(format!(
                        "these rows have more than {MOST_ROWS} `{name}`; read them page by page at `/api/{table}?{column}=`"
                    )));
                }
                for row in rows.iter_mut() {
                    let children = with(&found, column, &row[key]);
                    row[*name] = match is_single {
                        true => children.into_iter().next().unwrap_or(Value::Null),
                        false => json!(children),
                    };
                }
            }
            Source::Junction { between, near, far, load, key: far_key } => {
                let pairs = load_some(*between, connection, caller, (near, &own, true))?;
                let found = load_some(*load, connection, caller, (far_key, &keys(&pairs, far), true))?;
                for row in rows.iter_mut() {
                    let own = with(&pairs, near, &row[key]);
                    let is_connected = |other: &&Value| own.iter().any(|pair| pair[*far] == other[*far_key]);
                    row[*name] = found.iter().filter(is_connected).cloned().collect();
                }
            }
        }
    }
    Ok(())
}

fn load_some(
    load: Load,
    connection: &mut Connection,
    caller: &Caller,
    (column, keys, is_collection): (&str, &[Value], bool),
) -> Result<Vec<Value>> {
    if keys.is_empty() { Ok(Vec::new()) } else { load(connection, caller, column, keys, is_collection) }
}

/// The different keys in a field of rows.
fn keys(rows: &[Value], field: &str) -> Vec<Value> {
    let keys = rows.iter().map(|row| &row[field]).filter(|key| !key.is_null());
    let keys: BTreeMap<String, &Value> = keys.map(|key| (key.to_string(), key)).collect();
    keys.into_values().cloned().collect()
}

/// The rows with a value in a field.
fn with(rows: &[Value], field: &str, value: &Value) -> Vec<Value> {
    rows.iter().filter(|row| !value.is_null() && row[field] == *value).cloned().collect()
}
