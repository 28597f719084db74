//! The options of reference pickers: keys and labels of the rows that a caller may choose.

use super::{
    audit, check,
    joins::Joins,
    list::from_clause,
    read::key_condition,
    select::{ROW, column, where_rows},
};
use crate::{
    Result, Tx, Value,
    access::{self, List},
    db::{
        BindKind, Statement,
        emit::{self, Emit},
    },
    def::{AppDef, EntityDef, Function},
    label::RowLabel,
};

/// Keys and labels of at most `limit` rows that the caller may choose for a reference, sorted by label. `search` filters by the
/// label, or by the key of rows without a label, ignoring case. Signed-in callers may choose among all active accounts.
///
/// # Errors
/// 401 or 403 if the caller may list no row.
pub fn options(tx: &mut Tx<'_>, entity: &'static EntityDef, search: Option<&str>, limit: u64) -> Result<Vec<(Value, String)>> {
    if !(entity.account && tx.caller.account.is_some()) {
        tx.ask::<List>(entity)?;
    }
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let mut joins = Joins::new(&emit, entity);
    let (name, label_sql) = label_column(&mut joins, tx.app, entity);
    let mut condition = access::list_condition(&emit, entity, ROW).or(access::account_condition(&emit, entity, ROW));
    if let Some(words) = search.filter(|words| !words.is_empty()) {
        let Some(text) = emit.search_text(name.field, label_sql.clone()) else { return Ok(Vec::new()) };
        condition = condition.and(emit.match_text(Function::Contains, Some(Function::Lower), text, words));
    }
    let Some(rows_of) = where_rows(condition) else { return Ok(Vec::new()) };
    let Some(kinds) = option_kinds(tx, entity, &name) else { return Ok(Vec::new()) };
    let mut select = Statement::new();
    select.push("SELECT ").push(&column(ROW, entity.key().name)).push(", ").append(label_sql.clone());
    select.append(from_clause(&emit, entity)).append(joins.sql(joins.len())).append(rows_of).push(" ORDER BY ");
    for by in emit::order_by(emit.engine, name.field, &label_sql, false) {
        select.append(by).push(", ");
    }
    select.push(&column(ROW, entity.key().name));
    select.push(" LIMIT ").bind(Value::Int(i64::try_from(limit).unwrap_or(i64::MAX)), BindKind::Int);
    let answer = tx.conn.rows(&select, &kinds)?;
    let found: Vec<(Value, String)> = answer.into_iter().filter_map(|row| read_option(tx, &name, row)).collect();
    audit::record_keys(tx, entity, found.iter().map(|(key, _)| key))?;
    Ok(found)
}

/// The label of one row; `None` if the caller may not see it.
///
/// # Errors
/// 503 if the database is unavailable.
pub fn label(tx: &mut Tx<'_>, entity: &'static EntityDef, id: &Value) -> Result<Option<String>> {
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    if id.is_null() || !check::is_of_kind(tx.app, entity.key().kind, id) {
        return Ok(None);
    }
    let condition = key_condition(&emit, entity, id)?;
    Ok(select_labels(tx, entity, condition)?.into_iter().next().map(|(_, label)| label))
}

/// The keys and labels of the rows with these keys, without those that the caller may not see.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn labels(tx: &mut Tx<'_>, entity: &'static EntityDef, keys: Vec<Value>) -> Result<Vec<(Value, String)>> {
    let keys: Vec<Value> = keys.into_iter().filter(|key| check::is_of_kind(tx.app, entity.key().kind, key)).collect();
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let mut key = Statement::new();
    key.push(&column(ROW, entity.key().name));
    let condition = emit.compare_field_in(key, entity.key(), keys).into_sql();
    select_labels(tx, entity, condition)
}

fn select_labels(tx: &mut Tx<'_>, entity: &'static EntityDef, chosen: Statement) -> Result<Vec<(Value, String)>> {
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let visible = access::reference_condition(&emit, entity, ROW);
    let mut joins = Joins::new(&emit, entity);
    let (name, label_sql) = label_column(&mut joins, tx.app, entity);
    let Some(kinds) = option_kinds(tx, entity, &name) else { return Ok(Vec::new()) };
    let mut select = Statement::new();
    select.push("SELECT ").push(&column(ROW, entity.key().name)).push(", ").append(label_sql);
    select.append(from_clause(&emit, entity)).append(joins.sql(joins.len()));
    select.push(" WHERE ").append(chosen).push(" AND ").append(visible.into_sql());
    let found = tx.conn.rows(&select, &kinds)?;
    Ok(found.into_iter().filter_map(|row| read_option(tx, &name, row)).collect())
}

/// The label of the rows and its SQL; the key, if the label is at the end of references that the caller may not read.
fn label_column(joins: &mut Joins<'_>, app: &'static AppDef, entity: &'static EntityDef) -> (RowLabel, Statement) {
    let name = RowLabel::without_sensitive(app, entity);
    let joined = joins.join_field(name.path).map(|joined| (name, joined.sql));
    joined.unwrap_or_else(|| {
        let mut sql = Statement::new();
        sql.push(&column(ROW, entity.key().name));
        (RowLabel::from_key(entity), sql)
    })
}

fn option_kinds(tx: &Tx<'_>, entity: &'static EntityDef, name: &RowLabel) -> Option<[BindKind; 2]> {
    Some([BindKind::from_kind(entity.key().kind, tx.app)?, BindKind::from_kind(name.field.kind, tx.app)?])
}

/// Reads the key and the label of a row of the result.
fn read_option(tx: &Tx<'_>, name: &RowLabel, row: Vec<Value>) -> Option<(Value, String)> {
    let [key, value] = <[Value; 2]>::try_from(row).ok()?;
    let text = name.text(tx.app, &value, &key);
    Some((key, text))
}
