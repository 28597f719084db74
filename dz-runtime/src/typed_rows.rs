//! Typed access to rows: the functions that the methods of generated structs call.

mod declare;

use std::{collections::HashMap, hash::Hash};

pub use crate::record::{Draft, Entity, FieldValues};

use crate::{
    Error, FromValue, IntoValue, Result, Tx, Value,
    access::{self, Action as _},
    def::{Comparison, FieldIx, Path},
    record::Row,
    rows::{self, Filter, FilterOp, Query},
};

/// Reads the row with this key.
///
/// # Errors
/// 404 if it does not exist or the caller may not read it.
pub fn find<E: Entity>(tx: &mut Tx<'_>, key: impl IntoValue) -> Result<E> {
    let grant = tx.ask::<access::Read>(E::DEF)?;
    E::from_row(rows::read(tx, &grant, &key.into_value(), &[])?)
}

/// The rows with these keys that the caller may read, in the order of the keys, each once.
///
/// # Errors
/// 401 and 403 if the caller may read no row.
pub fn find_many<E: Entity>(tx: &mut Tx<'_>, keys: impl IntoIterator<Item = impl IntoValue>) -> Result<Vec<E>> {
    let grant = tx.ask::<access::Read>(E::DEF)?;
    let keys: Vec<Value> = keys.into_iter().map(IntoValue::into_value).collect();
    rows::read_many(tx, &grant, &keys, None)?.into_iter().map(E::from_row).collect()
}

/// True if a row has this key and the caller may read it.
///
/// # Errors
/// 503 if the database is unavailable.
pub fn exists<E: Entity>(tx: &mut Tx<'_>, key: impl IntoValue) -> Result<bool> {
    match tx.ask::<access::Read>(E::DEF) {
        Ok(grant) => rows::is_readable(tx, &grant, &key.into_value()),
        Err(_) => Ok(false),
    }
}

/// The row that a reference points to; `None` if the reference is empty or the caller may not read the row.
///
/// # Errors
/// 503 if the database is unavailable.
pub fn reference<C: Entity>(tx: &mut Tx<'_>, key: impl IntoValue) -> Result<Option<C>> {
    let key = key.into_value();
    if key.is_null() {
        return Ok(None);
    }
    match find(tx, key) {
        Ok(row) => Ok(Some(row)),
        Err(error) if error.status < 500 => Ok(None),
        Err(error) => Err(error),
    }
}

/// The rows that references point to, as far as the caller may read them, by key.
///
/// # Errors
/// 503 if the database is unavailable.
pub fn references<C: Entity, K: Eq + Hash>(
    tx: &mut Tx<'_>,
    keys: impl IntoIterator<Item = impl IntoValue>,
    key_of: impl Fn(&C) -> K,
) -> Result<HashMap<K, C>> {
    let keys: Vec<Value> = keys.into_iter().map(IntoValue::into_value).filter(|key| !key.is_null()).collect();
    let Ok(grant) = tx.ask::<access::Read>(C::DEF) else { return Ok(HashMap::new()) };
    let rows = rows::read_many(tx, &grant, &keys, None)?.into_iter().map(C::from_row);
    rows.map(|row| row.map(|row| (key_of(&row), row))).collect()
}

/// Reads the row of a singleton, in the system or in the caller's current tenant. A missing row is created, except on a connection
/// that only reads.
///
/// # Errors
/// 401 and 403 if the caller may not read it; 409 `SINGLETON` if it is missing and the connection only reads.
pub fn singleton<E: Entity>(tx: &mut Tx<'_>) -> Result<E> {
    tx.ask::<access::Read>(E::DEF)?;
    let key = rows::singleton::find_or_create(tx, E::DEF)?;
    find(tx, key)
}

/// Evaluates a computed field of a row now; it can depend on the date and on other rows.
///
/// # Errors
/// 404 if the row no longer exists or the caller may not read it.
pub fn computed<E: Entity, V: FromValue>(tx: &mut Tx<'_>, row: &E, field: FieldIx) -> Result<V> {
    let grant = tx.ask::<access::Read>(E::DEF)?;
    rows::read_again(tx, &grant, &row.key(), &[])?.take(field)
}

/// Reads the rows that refer to a row in the field `via` and that the caller may list, sorted by key.
///
/// # Errors
/// 403 if the caller may list no row.
pub fn children<E: Entity, C: Entity>(tx: &mut Tx<'_>, row: &E, via: FieldIx) -> Result<Vec<C>> {
    let grant = tx.ask::<access::List>(C::DEF)?;
    let path = Path::to_field(C::DEF.ix, via);
    let filters = vec![Filter { path, op: FilterOp::Compare(Comparison::Eq, row.key()) }];
    let query = Query { filters, limit: u64::MAX, ..Query::default() };
    rows::list(tx, &grant, &query)?.rows.into_iter().map(C::from_row).collect()
}

/// Reads the single row of a relation, as [`children`].
///
/// # Errors
/// 403 if the caller may list no row.
pub fn child<E: Entity, C: Entity>(tx: &mut Tx<'_>, row: &E, via: FieldIx) -> Result<Option<C>> {
    children(tx, row, via).map(|rows| rows.into_iter().next())
}

/// Reads the rows that the junction of the relation `field` connects with a row, sorted by key. The caller must be able to list
/// both the rows and the junction.
///
/// # Errors
/// 403 if the caller may list no row.
pub fn linked<E: Entity, C: Entity>(tx: &mut Tx<'_>, row: &E, field: FieldIx) -> Result<Vec<C>> {
    let Some(through) = E::DEF.field(field).kind.junction() else {
        return Err(Error::internal("a relation without a junction"));
    };
    let grant = tx.ask::<access::List>(C::DEF)?;
    let link = Some(rows::Link::new(tx, through, row.key())?);
    let query = Query { link, limit: u64::MAX, ..Query::default() };
    rows::list(tx, &grant, &query)?.rows.into_iter().map(C::from_row).collect()
}

/// Runs a write, and returns the row for its writer, who does not see `sensitive` fields without permission to update the row.
///
/// The write has a savepoint: code that continues after an error continues without the refused write and what its hooks wrote.
fn write<E: Entity>(tx: &mut Tx<'_>, work: impl FnOnce(&mut Tx<'_>) -> Result<Row>) -> Result<E> {
    tx.savepoint(|tx| {
        let row = work(tx)?;
        masked(tx, row)
    })
}

fn masked<E: Entity>(tx: &mut Tx<'_>, row: Row) -> Result<E> {
    E::from_row(rows::mask(tx, E::DEF, row)?)
}

/// Creates a row and returns it.
///
/// # Errors
/// As [`rows::create`].
pub fn create<E: Entity>(tx: &mut Tx<'_>, new: E::New) -> Result<E> {
    let grant = tx.ask::<access::Create>(E::DEF)?;
    write(tx, |tx| rows::create_row(tx, &grant, new.into_values()))
}

/// Updates a row and returns it.
///
/// # Errors
/// As [`rows::update`].
pub fn update<E: Entity>(tx: &mut Tx<'_>, row: &E, changes: E::Changes) -> Result<E> {
    let grant = tx.ask::<access::Update>(E::DEF)?;
    write(tx, |tx| rows::update_row(tx, &grant, &row.key(), changes.into_values()))
}

/// Creates rows, all or none, and returns them.
///
/// # Errors
/// As [`rows::create`]; the error of the first row that is refused.
pub fn create_many<E: Entity>(tx: &mut Tx<'_>, new: impl IntoIterator<Item = E::New>) -> Result<Vec<E>> {
    let grant = tx.ask::<access::Create>(E::DEF)?;
    tx.savepoint(|tx| {
        let create = |new: E::New| {
            let row = rows::create_row(tx, &grant, new.into_values())?;
            masked(tx, row)
        };
        new.into_iter().map(create).collect()
    })
}

/// Makes the same changes to rows, all or none, and returns them.
///
/// # Errors
/// As [`rows::update`]; the error of the first row that is refused.
pub fn update_many<'r, E: Entity>(tx: &mut Tx<'_>, rows: impl IntoIterator<Item = &'r E>, changes: E::Changes) -> Result<Vec<E>> {
    let grant = tx.ask::<access::Update>(E::DEF)?;
    let values = changes.into_values();
    let rows: Vec<&E> = rows.into_iter().collect();
    tx.savepoint(|tx| {
        rows::lock_in_order(tx, E::DEF, access::Update::NAME, rows.iter().map(|row| row.key()).collect())?;
        let update = |row: &E| {
            let row = rows::update_row(tx, &grant, &row.key(), values.clone())?;
            masked(tx, row)
        };
        rows.into_iter().map(update).collect()
    })
}

/// Creates a row, or updates the row with the same value in the unique field `by`. The row must be one that the caller may list.
/// A value is unique within a tenant, so only a row of the tenant of the new row is found.
///
/// # Errors
/// As [`create`] and [`update`]; 409 `UNIQUE` if another row has the value; 500 if the field is not unique.
pub fn upsert<E: Entity>(tx: &mut Tx<'_>, new: E::New, by: &str) -> Result<E> {
    let mut values = new.into_values();
    let (at, field) = E::DEF.find(by).ok_or_else(|| Error::internal(format!("{} has no field `{by}`", E::DEF.name)))?;
    if !field.unique && at != E::DEF.pk {
        return Err(Error::internal(format!("`{by}` of {} is not unique: a row cannot be found by it", E::DEF.name)));
    }
    // Stored values are compared.
    let wanted = values.get(at).filter(|value| !value.is_null()).map(|value| rows::stored_form(E::DEF, field, value.clone()));
    let found = match (wanted, tx.ask::<access::List>(E::DEF)) {
        (Some(value), Ok(grant)) => {
            let equals = |at, value| Filter { path: Path::to_field(E::DEF.ix, at), op: FilterOp::Compare(Comparison::Eq, value) };
            let mut filters = vec![equals(at, value)];
            if let Some(tenant) = E::DEF.tenancy.tenant {
                // The system works on the rows of all tenants.
                let own = values.get(tenant).filter(|value| !value.is_null()).or(tx.tenant()).cloned();
                filters.push(equals(tenant, own.unwrap_or_default()));
            }
            let query = Query { filters, limit: 1, ..Query::default() };
            rows::list(tx, &grant, &query)?.rows.into_iter().next()
        }
        (None, _) | (_, Err(_)) => None,
    };
    let Some(found) = found else {
        let grant = tx.ask::<access::Create>(E::DEF)?;
        return write(tx, |tx| rows::create_row(tx, &grant, values));
    };
    values.remove(at);
    values.remove(E::DEF.pk);
    let grant = tx.ask::<access::Update>(E::DEF)?;
    write(tx, |tx| rows::update_row(tx, &grant, found.value(E::DEF.pk), values))
}

/// Makes a transition of a row and returns the row.
///
/// # Errors
/// As [`rows::transition`].
pub fn transition<E: Entity>(tx: &mut Tx<'_>, row: &E, state: impl IntoValue) -> Result<E> {
    write(tx, |tx| rows::make_transition(tx, E::DEF, &row.key(), state.into_value(), FieldValues::default(), None))
}

/// Makes a transition of a row and changes fields in the same write, under the rule of transitions.
///
/// # Errors
/// As [`rows::transition`].
pub fn transition_with<E: Entity>(tx: &mut Tx<'_>, row: &E, state: impl IntoValue, changes: E::Changes) -> Result<E> {
    write(tx, |tx| rows::make_transition(tx, E::DEF, &row.key(), state.into_value(), changes.into_values(), None))
}

/// Restores a soft-deleted row and returns it.
///
/// # Errors
/// As [`rows::restore`].
pub fn restore<E: Entity>(tx: &mut Tx<'_>, key: impl IntoValue) -> Result<E> {
    let grant = tx.ask::<access::Restore>(E::DEF)?;
    write(tx, |tx| rows::restore_row(tx, &grant, &key.into_value(), None))
}

/// Deletes a row.
///
/// # Errors
/// As [`rows::delete`].
pub fn delete<E: Entity>(tx: &mut Tx<'_>, row: E) -> Result<()> {
    let grant = tx.ask::<access::Delete>(E::DEF)?;
    tx.savepoint(|tx| rows::delete(tx, &grant, &row.key(), None))
}
