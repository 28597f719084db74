//! Several rows by their keys, in one statement for each few hundred keys.

use std::collections::HashMap;

use super::{
    Row, audit,
    check::is_of_kind,
    list::from_clause,
    read::key_condition,
    select::{Columns, ROW, View, column},
};
use crate::{
    Engine, Result, Tx, Value,
    access::{Grant, Read},
    db::{
        BindKind, Statement,
        emit::{Condition, Emit},
    },
    def::{EntityDef, FieldIx},
};

/// The largest number of keys in one statement. SQLite and PostgreSQL bind at most 32,766 and 65,535 values.
const KEYS: usize = 500;

/// The rows with these keys that the caller may read, in the order of the keys, each once. Only the key and the fields of `only` are
/// read, if they are given; the others are null.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn read_many(tx: &mut Tx<'_>, grant: &Grant<Read>, keys: &[Value], only: Option<&[FieldIx]>) -> Result<Vec<Row>> {
    let entity = grant.entity;
    // The conditions of audit rules are about the whole row.
    let only = only.filter(|_| entity.audits.is_empty());
    let mut wanted: Vec<&Value> = Vec::with_capacity(keys.len());
    // A request can name tens of thousands of keys.
    let mut places: HashMap<Option<String>, usize> = HashMap::with_capacity(keys.len());
    for key in keys.iter().filter(|key| is_of_kind(tx.app, entity.key().kind, key)) {
        places.entry(key.to_key_text()).or_insert_with(|| {
            wanted.push(key);
            wanted.len()
        });
    }
    let mut rows = Vec::with_capacity(wanted.len());
    for part in wanted.chunks(KEYS) {
        rows.extend(read_part(tx, grant, part, only)?);
    }
    rows.sort_by_cached_key(|row| places.get(&row.value(entity.pk).to_key_text()).copied());
    rows.iter().try_for_each(|row| audit::record_read(tx, entity, row))?;
    Ok(rows)
}

fn read_part(tx: &mut Tx<'_>, grant: &Grant<Read>, keys: &[&Value], only: Option<&[FieldIx]>) -> Result<Vec<Row>> {
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let entity = grant.entity;
    let readable = match grant.condition(tx.app, emit.engine, &tx.caller, ROW) {
        Condition::Never => return Ok(Vec::new()),
        Condition::Always => None,
        Condition::Rows(readable) => Some(readable),
    };
    let mut name = Statement::new();
    name.push(&column(ROW, entity.key().name));
    let columns = Columns::with_fields(&emit, entity, ROW, View::Masked, only);
    let mut select = Statement::new();
    select.push("SELECT ").append(columns.sql.clone()).append(from_clause(&emit, entity)).push(" WHERE ");
    select.append(emit.compare_field_in(name, entity.key(), keys.iter().map(|key| (*key).clone()).collect()).into_sql());
    if let Some(readable) = readable {
        select.push(" AND ").append(readable);
    }
    select.cache_within_limit();
    let answer = tx.conn.rows(&select, &columns.kinds)?;
    Ok(answer.into_iter().map(|row| columns.row(row)).collect())
}

/// True if the row exists and the caller may read it. The audit log has no record of it: no value is shown.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn is_readable(tx: &mut Tx<'_>, grant: &Grant<Read>, id: &Value) -> Result<bool> {
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let Ok(key) = key_condition(&emit, grant.entity, id) else { return Ok(false) };
    let mut select = Statement::new();
    select.push("SELECT CAST(1 AS BIGINT)").append(from_clause(&emit, grant.entity)).push(" WHERE ").append(key);
    match grant.condition(tx.app, emit.engine, &tx.caller, ROW) {
        Condition::Never => return Ok(false),
        Condition::Always => {}
        Condition::Rows(readable) => {
            select.push(" AND ").append(readable);
        }
    }
    Ok(!tx.conn.rows(&select, &[BindKind::Int])?.is_empty())
}

/// The condition that a row of the entity has the key that a column contains as text, and that the caller may read it; `None` if the
/// caller can read no row. The text must be a key of the entity.
pub(crate) fn is_readable_key(tx: &Tx<'_>, entity: &'static EntityDef, text: &str) -> Option<Statement> {
    let grant = tx.ask::<Read>(entity).ok()?;
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let kind = BindKind::from_kind(entity.key().kind, tx.app)?;
    let key = match kind == BindKind::Uuid {
        true if emit.engine == Engine::Sqlite => format!("unhex(replace({text}, '-', ''))"),
        true => format!("CAST({text} AS UUID)"),
        false if kind == BindKind::Int => format!("CAST({text} AS BIGINT)"),
        false => text.to_owned(),
    };
    let mut exists = Statement::new();
    exists.push("EXISTS (SELECT 1").append(from_clause(&emit, entity)).push(" WHERE ");
    exists.push(&column(ROW, entity.key().name)).push(" = ").push(&key);
    match grant.condition(tx.app, emit.engine, &tx.caller, ROW) {
        Condition::Never => return None,
        Condition::Always => {}
        Condition::Rows(readable) => {
            exists.push(" AND ").append(readable);
        }
    }
    exists.push(")");
    Some(exists)
}
