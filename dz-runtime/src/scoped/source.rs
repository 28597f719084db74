//! The table of a scoped query: the rows that the caller may see, with the values that the caller may see.
//!
//! It is written as a table of its own, under the name of the entity's table. What a query names therefore has the rules
//! inside, wherever it is named: in a selection, in a condition, in an order and in a group.

use crate::{
    Engine, Tx,
    access::{self, Action, Grant, List, Read, Update},
    db::{
        BindKind, Statement,
        emit::{Condition, Emit},
    },
    def::{EntityDef, Kind},
    rows::ROW,
};

/// The rows of an entity, as they appear in a `FROM`.
#[derive(Debug, Clone)]
pub(super) struct Source {
    /// `(SELECT … FROM … WHERE …`
    pub(super) rows: Statement,
    /// The name that the query knows them by.
    pub(super) name: &'static str,
    /// The entity whose rows they are.
    pub(super) entity: &'static EntityDef,
    /// The key of a row as text, for the audit log.
    pub(super) key: String,
    /// What keeps the database from judging a row by the query before it judged the row by the rules.
    pub(super) barrier: &'static str,
}

impl Source {
    /// The rows that `grant` covers.
    pub(super) fn new<A: Action>(tx: &Tx<'_>, entity: &'static EntityDef, grant: &Grant<A>) -> Source {
        let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
        let mut rows = Statement::new();
        rows.push("(SELECT ").append(columns(&emit, entity)).push(" FROM ").append(emit.visible_rows(entity)).push(" AS ").ident(ROW);
        let covered = grant.condition(tx.app, tx.engine(), &tx.caller, ROW);
        let seen = match A::NAME {
            List::NAME | Read::NAME => covered,
            // What may be written is shown where it may be read, as everywhere.
            _ => covered.and(access::row_condition(&emit, entity, Read::NAME, ROW)),
        };
        match seen {
            Condition::Always => {}
            condition => drop(rows.push(" WHERE ").append(condition.into_sql())),
        }
        // PostgreSQL alone moves conditions into a subquery where one of them can fail.
        let barrier = if tx.engine() == Engine::Postgres { " OFFSET 0" } else { "" };
        Source { rows, name: entity.table, entity, key: key_text(tx.engine(), entity), barrier }
    }
}

/// The key of a row as text, in the query itself.
fn key_text(engine: Engine, entity: &'static EntityDef) -> String {
    let mut key = Statement::new();
    key.ident(entity.table).push(".").ident(entity.key().name);
    let key = key.text();
    match (engine, entity.key().kind) {
        // Stored as 16 bytes.
        (Engine::Sqlite, Kind::Uuid) => format!("lower(hex({key}))"),
        _ => format!("CAST({key} AS TEXT)"),
    }
}

/// The columns that people may name. A sensitive one is null where the caller may not update the row, as it is in the API.
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
            seen => {
                let may = seen.clone().into_sql();
                columns.push("CASE WHEN ").append(may).push(" THEN ").column(ROW, field.name).push(" END AS ").ident(field.name);
            }
        }
    }
    columns
}
