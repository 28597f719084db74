//! Values that dz writes over those of stored rows without a write of the application.

use crate::{
    Engine, Result, Tx, Value,
    db::{BindKind, Statement},
    def::{EntityDef, FieldDef},
    field, files,
};

/// Stores values in all rows of an entity that a condition (` WHERE …`) selects, and releases the files that its fields had; returns
/// the number of rows. Rules, invariants, hooks, events and the audit log do not apply.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn overwrite(tx: &mut Tx<'_>, entity: &EntityDef, values: &[(&FieldDef, Value)], condition: &Statement) -> Result<usize> {
    release_files(tx, entity, values, condition)?;
    let mut update = Statement::new();
    update.push("UPDATE ").ident(entity.table).push(" SET dz_version = dz_version + 1");
    for (field, value) in values {
        if let Some(kind) = BindKind::from_kind(field.kind, tx.app) {
            update.push(", ").ident(field.name).push(" = ").bind(value.clone(), kind);
        }
    }
    update.append(condition.clone());
    tx.conn.execute(&update)
}

/// Releases the files of the file fields.
fn release_files(tx: &mut Tx<'_>, entity: &EntityDef, values: &[(&FieldDef, Value)], condition: &Statement) -> Result<()> {
    let fields: Vec<&FieldDef> = values.iter().map(|(field, _)| *field).filter(|field| field::is_file(field)).collect();
    if fields.is_empty() {
        return Ok(());
    }
    let mut select = Statement::new();
    select.push("SELECT ");
    for (at, field) in fields.iter().enumerate() {
        select.push(if at == 0 { "" } else { ", " }).ident(field.name);
    }
    select.push(" FROM ").ident(entity.table).append(condition.clone());
    if tx.engine() == Engine::Postgres {
        select.push(" FOR UPDATE");
    }
    let rows = tx.conn.rows(&select, &vec![BindKind::Json; fields.len()])?;
    files::release_values(tx, rows.iter().flatten())
}
