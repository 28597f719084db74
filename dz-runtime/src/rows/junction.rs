//! Lists of the rows that a junction connects with one row.

use super::select::column;
use crate::{
    Error, Result, Tx, Value,
    access::{Grant, List},
    db::{
        BindKind, Statement,
        emit::{Condition, Emit},
    },
    def::Junction,
};

/// The alias of the junction.
const BETWEEN: &str = "between";

/// The rows that a junction connects with one row, restricted to the rows of the junction that the caller may list.
#[derive(Debug, Clone)]
pub struct Link {
    through: Junction,
    grant: Grant<List>,
    key: Value,
}

impl Link {
    /// The rows that are connected with the row `key`.
    ///
    /// # Errors
    /// 401 or 403 if the caller may list no row of the junction.
    pub fn new(tx: &Tx<'_>, through: Junction, key: Value) -> Result<Link> {
        let grant = tx.ask::<List>(through.entity(tx.app))?;
        Ok(Link { through, grant, key })
    }

    /// The condition on the column with the key of the other end. It tests whether a connection exists, so a duplicate connection
    /// has no effect.
    pub(super) fn condition(&self, emit: &Emit<'_>, key: &str) -> Result<Condition> {
        let junction = self.grant.entity();
        let (near, far) = (self.through.near().field(emit.app), self.through.far().field(emit.app));
        let kind = BindKind::from_kind(near.kind, emit.app).ok_or_else(|| Error::internal("a ref without a column"))?;
        let mut between = Statement::new();
        between.push(key).push(" IN (SELECT ").push(&column(BETWEEN, far.name)).push(" FROM ");
        between
            .append(emit.visible_rows(junction))
            .push(" AS ")
            .ident(BETWEEN)
            .push(" WHERE ")
            .push(&column(BETWEEN, near.name))
            .push(" = ");
        between.bind(self.key.clone(), kind).push(" AND ");
        between.append(self.grant.condition(emit.app, emit.engine, emit.caller, BETWEEN).into_sql()).push(")");
        Ok(Condition::Rows(between))
    }
}
