//! One row.

use super::{
    Extra, Row,
    columns::{self, column},
    joins::Joins,
};
use crate::{
    Error, Result, Tx, Value,
    access::{Grant, Read},
    db::{BindKind, Statement, emit::Condition},
    def::EntityDef,
};

/// One row; 404 when it does not exist or may not be read.
pub fn read(tx: &mut Tx<'_>, grant: &Grant<Read>, id: &Value, extra: &[Extra]) -> Result<Row> {
    let condition = grant.condition(tx.app, tx.engine(), &tx.caller, "t");
    one(tx, grant.entity(), id, condition, extra)?.ok_or_else(Error::not_found)
}

/// The row as the caller may see it, after a write.
pub(super) fn visible(tx: &mut Tx<'_>, entity: &'static EntityDef, id: &Value) -> Result<Option<Row>> {
    match tx.ask::<Read>(entity) {
        Ok(grant) => {
            let condition = grant.condition(tx.app, tx.engine(), &tx.caller, "t");
            one(tx, entity, id, condition, &[])
        }
        Err(_) => Ok(None),
    }
}

fn one(tx: &mut Tx<'_>, entity: &'static EntityDef, id: &Value, condition: Condition, extra: &[Extra]) -> Result<Option<Row>> {
    let key_kind = BindKind::of(entity.key().kind, tx.app).unwrap_or(BindKind::Uuid);
    let mut joins = Joins::new();
    let mut select = Statement::new();
    select.push("SELECT ");
    let columns = columns::write(tx, entity, "t", &mut select);
    let mut kinds = columns.kinds.clone();
    for extra in extra {
        let target = match extra {
            Extra::Field(path) => joins.follow(tx, path),
            Extra::Label(path) => joins.label(tx, path),
        };
        let target = target.ok_or_else(|| Error::internal("an extra column leads nowhere"))?;
        select.push(", ");
        column(&mut select, &target.alias, target.field.name);
        kinds.push(target.kind);
    }
    select.push(" FROM ").ident(entity.table).push(" AS \"t\"").append(joins.sql).push(" WHERE ");
    column(&mut select, "t", entity.key().name);
    select.push(" = ").bind(id.clone(), key_kind);
    match condition {
        Condition::Never => return Ok(None),
        Condition::Always => {}
        Condition::Rows(rows) => {
            select.push(" AND ").append(rows);
        }
    }
    Ok(tx.conn.rows(&select, &kinds)?.pop().map(|answer| columns.row(answer)))
}
