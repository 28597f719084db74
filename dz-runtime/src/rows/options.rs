//! Reference pickers: keys and labels of the rows that a caller may choose.

use super::{
    check,
    joins::label_field,
    list::from,
    read::key,
    select::{ROW, column, where_rows},
};
use crate::{
    Result, Tx, Value,
    access::{self, List},
    db::{
        BindKind, Statement,
        emit::{self, Emit},
    },
    def::{EntityDef, FieldDef, Function},
    field,
};

/// Keys and labels of at most `limit` rows that the caller may choose in a ref, by label; `search` narrows
/// by the label, or by the key where no label names the rows, whatever the case. Signed-in callers may choose among all active accounts.
///
/// # Errors
/// 401 or 403 when the caller may list none.
pub fn options(tx: &mut Tx<'_>, entity: &'static EntityDef, search: Option<&str>, limit: u64) -> Result<Vec<(Value, String)>> {
    if !(entity.account && tx.caller.account.is_some()) {
        tx.ask::<List>(entity)?;
    }
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let (key, label) = (entity.key(), entity.field(label_field(entity)));
    let shown = emit.held_by(entity, label, ROW);
    let mut condition = access::listable(&emit, entity, ROW).or(access::nameable(&emit, entity, ROW));
    if let Some(words) = search.filter(|words| !words.is_empty()) {
        let Some(text) = emit.searched(label, shown.clone()) else { return Ok(Vec::new()) };
        condition = condition.and(emit.text_test(Function::Contains, Some(Function::Lower), text, words));
    }
    let Some(rows_of) = where_rows(condition) else { return Ok(Vec::new()) };
    let Some(kinds) = kinds(tx, key, label) else { return Ok(Vec::new()) };
    let mut select = Statement::new();
    select.push("SELECT ").push(&column(ROW, key.name)).push(", ").append(shown.clone()).append(from(&emit, entity)).append(rows_of);
    select.push(" ORDER BY ");
    for by in emit::order_by(emit.engine, label, &shown, false) {
        select.append(by).push(", ");
    }
    select.push(&column(ROW, key.name));
    select.push(" LIMIT ").bind(Value::Int(i64::try_from(limit).unwrap_or(i64::MAX)), BindKind::Int);
    let answer = tx.conn.rows(&select, &kinds)?;
    Ok(answer.into_iter().filter_map(|row| named(tx, entity, label, row)).collect())
}

/// The label of one row; nothing when the caller may not see it.
///
/// # Errors
/// 503 when the database is away.
pub fn label(tx: &mut Tx<'_>, entity: &'static EntityDef, id: &Value) -> Result<Option<String>> {
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    if id.is_null() || !check::fits(tx.app, entity.key().kind, id) {
        return Ok(None);
    }
    let label = entity.field(label_field(entity));
    let condition = access::named(&emit, entity, ROW);
    let Some(kinds) = kinds(tx, entity.key(), label) else { return Ok(None) };
    let mut select = Statement::new();
    select
        .push("SELECT ")
        .push(&column(ROW, entity.key().name))
        .push(", ")
        .append(emit.held_by(entity, label, ROW))
        .append(from(&emit, entity));
    select.push(" WHERE ").append(key(&emit, entity, id)?).push(" AND ").append(condition.into_sql());
    let found = tx.conn.rows(&select, &kinds)?.into_iter().next();
    Ok(found.and_then(|row| named(tx, entity, label, row)).map(|(_, label)| label))
}

fn kinds(tx: &Tx<'_>, key: &'static FieldDef, label: &'static FieldDef) -> Option<[BindKind; 2]> {
    Some([BindKind::of(key.kind, tx.app)?, BindKind::of(label.kind, tx.app)?])
}

/// A key with what to call it: the label, else the key itself.
fn named(tx: &Tx<'_>, entity: &'static EntityDef, label: &'static FieldDef, row: Vec<Value>) -> Option<(Value, String)> {
    let [key, value] = <[Value; 2]>::try_from(row).ok()?;
    let zone = emit::constant::zone(tx.app);
    let text = match value {
        Value::Null => field::display(entity.key(), &key, zone),
        Value::Text(text) if label.kind.is_text() => text,
        value => field::display(label, &value, zone),
    };
    Some((key, text))
}
