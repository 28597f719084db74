//! What a picker offers: keys and labels of rows that the caller may refer to.

use super::columns::column;
use crate::{
    Engine, Result, Tx, Value, access,
    access::List,
    db::{
        BindKind, Statement,
        emit::{self, Condition},
    },
    def::EntityDef,
};

/// Rows of `entity` that the caller may refer to and list, whose label contains `search`, in the order of labels.
pub fn options(tx: &mut Tx<'_>, entity: &'static EntityDef, search: Option<&str>, limit: u64) -> Result<Vec<(Value, String)>> {
    let search = search.unwrap_or_default().trim();
    let mut condition = access::shown(&tx.emit(), entity, None, "t");
    if !entity.account {
        let listed = tx.ask::<List>(entity);
        condition = condition.and(listed.map_or(Condition::Never, |grant| grant.condition(tx.app, tx.engine(), &tx.caller, "t")));
    }
    let label = entity.field(entity.label.unwrap_or(entity.pk));
    let (Some(key_kind), Some(label_kind)) = (BindKind::of(entity.key().kind, tx.app), BindKind::of(label.kind, tx.app)) else {
        return Ok(Vec::new());
    };
    let mut select = Statement::new();
    select.push("SELECT ");
    column(&mut select, "t", entity.key().name);
    select.push(", ");
    column(&mut select, "t", label.name);
    select.push(" FROM ").ident(entity.table).push(" AS \"t\" WHERE ");
    match condition {
        Condition::Never => return Ok(Vec::new()),
        Condition::Always => {
            select.push("1 = 1");
        }
        Condition::Rows(rows) => {
            select.append(rows);
        }
    }
    if !search.is_empty() && label.kind.is_text() {
        let text = search.to_lowercase();
        match tx.engine() {
            Engine::Sqlite => {
                select.push(" AND instr(dz_lower(\"t\".").ident(label.name).push("), ").bind(Value::Text(text), BindKind::Text).push(") > 0");
            }
            Engine::Postgres => {
                select.push(" AND strpos(lower(\"t\".").ident(label.name).push(" COLLATE \"und-x-icu\"), ").bind(Value::Text(text), BindKind::Text).push(") > 0");
            }
        }
    }
    let order = emit::order(tx.engine(), label.kind, &format!("\"t\".\"{}\"", label.name), false).join(", ");
    select.push(" ORDER BY ").push(&order).push(", ");
    column(&mut select, "t", entity.key().name);
    select.push(" LIMIT ").bind(Value::Int(i64::try_from(limit).unwrap_or(i64::MAX)), BindKind::Int);
    let rows = tx.conn.rows(&select, &[key_kind, label_kind])?;
    Ok(rows.into_iter().filter_map(|row| chosen(tx, entity, row)).collect())
}

/// The label of one row; nothing when the caller may not see it.
pub fn label(tx: &mut Tx<'_>, entity: &'static EntityDef, id: &Value) -> Result<Option<String>> {
    let label = entity.field(entity.label.unwrap_or(entity.pk));
    let (Some(key_kind), Some(label_kind)) = (BindKind::of(entity.key().kind, tx.app), BindKind::of(label.kind, tx.app)) else {
        return Ok(None);
    };
    let mut select = Statement::new();
    select.push("SELECT ");
    column(&mut select, "t", entity.key().name);
    select.push(", ");
    column(&mut select, "t", label.name);
    select.push(" FROM ").ident(entity.table).push(" AS \"t\" WHERE ");
    column(&mut select, "t", entity.key().name);
    select.push(" = ").bind(id.clone(), key_kind);
    match access::shown(&tx.emit(), entity, None, "t") {
        Condition::Never => return Ok(None),
        Condition::Always => {}
        Condition::Rows(rows) => {
            select.push(" AND ").append(rows);
        }
    }
    let row = tx.conn.rows(&select, &[key_kind, label_kind])?.pop();
    Ok(row.and_then(|row| chosen(tx, entity, row)).map(|(_, label)| label))
}

/// Key and label; the key when there is no label.
fn chosen(tx: &Tx<'_>, entity: &'static EntityDef, row: Vec<Value>) -> Option<(Value, String)> {
    let [id, label] = <[Value; 2]>::try_from(row).ok()?;
    let zone = crate::field::zone(tx.app);
    let text = match &label {
        Value::Null => crate::field::display(entity.key(), &id, zone),
        label => crate::field::display(entity.field(entity.label.unwrap_or(entity.pk)), label, zone),
    };
    Some((id, text))
}
