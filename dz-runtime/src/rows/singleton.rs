//! Singletons: entities with one row, in the system or in each tenant. The first permitted access creates the row.

use crate::{
    Caller, Error, Result, Tx, Value,
    access::Create,
    db::{BindKind, Statement, emit::Emit},
    def::EntityDef,
    error::Unresolved,
    record::FieldValues,
    rows::{create::create_row, list::from_clause, select::ROW},
};

/// The key of the row of a singleton, for a caller whose permission was checked. A missing row is created by the system with its
/// defaults.
///
/// # Errors
/// [`Unresolved::MissingSingleton`] on a connection that only reads: the caller of this function creates the row on another
/// connection and starts again. 503 if the database is unavailable.
pub(crate) fn find_or_create(tx: &mut Tx<'_>, entity: &'static EntityDef) -> Result<Value> {
    if let Some(key) = find(tx, entity)? {
        return Ok(key);
    }
    if tx.records.is_some() {
        return Err(Error {
            unresolved: Some(Box::new(Unresolved::MissingSingleton(entity.ix))),
            ..Error::new(409, "MISSING", say!("dz-the-row-does-not-exist-yet-try", "The row does not exist yet; try again"))
        });
    }
    let Caller { now, request_id, .. } = tx.caller.clone();
    let system = Caller { request_id, ..Caller::system(tx.app, now) }.for_tenant(tx.caller.tenant().cloned());
    let new = tx.for_caller(system, |tx| {
        tx.savepoint(|tx| {
            let grant = tx.ask::<Create>(entity)?;
            create_row(tx, &grant, FieldValues::default())
        })
    });
    match new {
        Ok(row) => Ok(row.value(entity.pk).clone()),
        // A concurrent request created the row.
        Err(error) if error.code == "UNIQUE" => find(tx, entity)?.ok_or(error),
        Err(error) => Err(error),
    }
}

fn find(tx: &mut Tx<'_>, entity: &'static EntityDef) -> Result<Option<Value>> {
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let kind = BindKind::from_kind(entity.key().kind, tx.app).ok_or_else(|| Error::internal("a key without a column"))?;
    let mut select = Statement::new();
    select.push("SELECT ").ident(ROW).push(".").ident(entity.key().name).append(from_clause(&emit, entity)).push(" LIMIT 1");
    Ok(tx.conn.rows(&select, &[kind])?.into_iter().flatten().next())
}
