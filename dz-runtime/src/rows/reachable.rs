//! The rows that a page can link to: the caller can perform the action of the target on them.

use super::{
    check::is_of_kind,
    list::from_clause,
    select::{ROW, column},
};
use crate::{
    Result, Tx, Value,
    access::{self, Action as _, Read, SurfaceScope},
    db::{
        BindKind, Statement,
        emit::{Condition, Emit},
    },
    def::EntityDef,
};

/// The keys of the rows that the caller can read, that the rule of `action` covers, and that are on a surface: one statement. The audit
/// log has no record of it, because no value is shown.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn reachable_keys(
    tx: &mut Tx<'_>,
    entity: &'static EntityDef,
    action: &'static str,
    surface_scope: &SurfaceScope,
    keys: Vec<Value>,
) -> Result<Vec<Value>> {
    let keys: Vec<Value> = keys.into_iter().filter(|key| is_of_kind(tx.app, entity.key().kind, key)).collect();
    let Some(kind) = BindKind::from_kind(entity.key().kind, tx.app).filter(|_| !keys.is_empty()) else { return Ok(Vec::new()) };
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let name = column(ROW, entity.key().name);
    let mut select = Statement::new();
    select.push("SELECT ").push(&name).append(from_clause(&emit, entity)).push(" WHERE ");
    let mut own = Statement::new();
    own.push(&name);
    select.append(emit.compare_field_in(own, entity.key(), keys).into_sql());
    let rules = access::row_condition(&emit, entity, Read::NAME, ROW).and(access::row_condition(&emit, entity, action, ROW));
    match rules.and(surface_scope.condition(&emit, entity, ROW)) {
        Condition::Never => return Ok(Vec::new()),
        Condition::Always => {}
        Condition::Rows(covered) => {
            select.push(" AND ").append(covered);
        }
    }
    select.cache_within_limit();
    Ok(tx.conn.rows(&select, &[kind])?.into_iter().flatten().collect())
}

/// True if the rule of `action` depends on the row.
pub(crate) fn depends_on_row(tx: &Tx<'_>, entity: &'static EntityDef, action: &'static str) -> bool {
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    !matches!(access::row_condition(&emit, entity, action, ROW), Condition::Always)
}
