//! The table of a scoped query: the visible rows of the caller, with the visible values.
//!
//! It is written as a subquery with the name of the entity's table, so the rules apply wherever the query names it: in a selection,
//! a condition, an order or a group.

use std::{
    cell::RefCell,
    sync::{Arc, Weak},
};

use diesel::{QueryResult, result::Error::QueryBuilderError};

use crate::{
    Engine, Tx,
    access::{self, Action, Grant, List, Read, Update},
    db::{
        BindKind, Statement,
        emit::{Condition, Emit},
    },
    def::EntityDef,
    rows::ROW,
};

/// The reason for which a query does not run.
pub(super) const OTHER_UNIT: &str =
    "a scoped query runs only in the unit of work that made it, because its rules are those of one caller: call `scoped` again";

thread_local! {
    /// The units of work that run a query on this thread; a query that is read row by row can contain another one.
    static RUNNING: RefCell<Vec<Arc<()>>> = const { RefCell::new(Vec::new()) };
}

/// While it exists, this thread runs a query of a unit of work. The SQL of a query is written while it runs, and diesel passes no
/// context to the parts of a query.
pub(super) struct Running;

impl Running {
    /// Begins a query of this unit of work.
    pub(super) fn begin(tx: &Tx<'_>) -> Running {
        RUNNING.with_borrow_mut(|running| running.push(Arc::clone(&tx.unit)));
        Running
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        RUNNING.with_borrow_mut(|running| running.pop());
    }
}

/// The rows of an entity, for a `FROM`.
#[derive(Debug, Clone)]
pub(super) struct Source {
    /// `(SELECT … FROM … WHERE …`
    pub(super) rows: Statement,
    /// Its name in the query.
    pub(super) name: &'static str,
    /// The entity of the rows.
    pub(super) entity: &'static EntityDef,
    /// The key of a row as text, for the audit log.
    pub(super) key: String,
    /// The text that prevents the database from evaluating conditions of the query before the rules.
    pub(super) barrier: &'static str,
    /// The unit of work whose caller the rules are written for.
    unit: Weak<()>,
}

impl Source {
    /// The rows that `grant` covers, under a name of their table.
    pub(super) fn new<A: Action>(tx: &Tx<'_>, entity: &'static EntityDef, grant: &Grant<A>, name: &'static str) -> Source {
        let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
        let mut rows = Statement::new();
        rows.push("(SELECT ").append(columns(&emit, entity)).push(" FROM ").append(emit.visible_rows(entity)).push(" AS ").ident(ROW);
        let covered = grant.condition(tx.app, tx.engine(), &tx.caller, ROW);
        let seen = match A::NAME {
            List::NAME | Read::NAME => covered,
            // A row that the caller may write is visible only if the caller may read it.
            _ => covered.and(access::row_condition(&emit, entity, Read::NAME, ROW)),
        };
        match seen {
            Condition::Always => {}
            condition @ (Condition::Never | Condition::Rows(_)) => drop(rows.push(" WHERE ").append(condition.into_sql())),
        }
        // Only PostgreSQL pushes conditions that can fail into a subquery.
        let barrier = if tx.engine() == Engine::Postgres { " OFFSET 0" } else { "" };
        Source { rows, name, entity, key: key_text(tx.engine(), entity, name), barrier, unit: Arc::downgrade(&tx.unit) }
    }
}

impl Source {
    /// True if the rules are written for the caller of this unit of work.
    pub(super) fn is_of(&self, tx: &Tx<'_>) -> bool {
        self.unit.upgrade().is_some_and(|unit| Arc::ptr_eq(&unit, &tx.unit))
    }

    /// Refuses rows of another unit of work than the running one, wherever a query contains them: their rules are those of its caller.
    pub(super) fn check_unit(&self) -> QueryResult<()> {
        match RUNNING.with_borrow(|running| self.unit.upgrade().is_some_and(|unit| running.last().is_some_and(|it| Arc::ptr_eq(it, &unit))))
        {
            true => Ok(()),
            false => Err(QueryBuilderError(OTHER_UNIT.into())),
        }
    }

    /// The column of the key.
    pub(super) fn key_column(&self) -> Statement {
        let mut key = Statement::new();
        key.ident(self.name).push(".").ident(self.entity.key().name);
        key
    }
}

/// The SQL of the key of a row as text.
fn key_text(engine: Engine, entity: &'static EntityDef, name: &'static str) -> String {
    let mut key = Statement::new();
    key.ident(name).push(".").ident(entity.key().name);
    let key = key.text();
    match engine {
        // Stored as 16 bytes.
        Engine::Sqlite if entity.key().kind.is_uuid() => format!("lower(hex({key}))"),
        Engine::Sqlite | Engine::Postgres => format!("CAST({key} AS TEXT)"),
    }
}

/// The columns that queries can use. A sensitive column is null if the caller may not update the row, as in the API.
fn columns(emit: &Emit<'_>, entity: &'static EntityDef) -> Statement {
    let masked = entity.fields.iter().any(|field| field.sensitive);
    let seen = if masked { access::row_condition(emit, entity, Update::NAME, ROW) } else { Condition::Always };
    let mut columns = Statement::new();
    let stored =
        entity.fields.iter().filter(|field| field.is_stored() && !field.secret && BindKind::from_kind(field.kind, emit.app).is_some());
    for (at, field) in stored.enumerate() {
        columns.push(if at > 0 { ", " } else { "" });
        match &seen {
            Condition::Always => drop(columns.column(ROW, field.name)),
            _ if !field.sensitive => drop(columns.column(ROW, field.name)),
            seen @ (Condition::Never | Condition::Rows(_)) => {
                let may = seen.clone().into_sql();
                columns.push("CASE WHEN ").append(may).push(" THEN ").column(ROW, field.name).push(" END AS ").ident(field.name);
            }
        }
    }
    columns
}
