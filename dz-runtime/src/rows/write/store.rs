//! The statements that store a row. Each carries the rule, the invariants and the references as a condition (`guard`), and tells
//! whether the caller may read the row, where that depends on the row alone.

use super::{Kind, Next, Write};
use crate::{
    Error, Result, Tx, Value,
    access::{self, Action as _, Read},
    db::{
        BindKind, DELETED_AT, STATE_SINCE, Statement,
        emit::{Condition, Emit, constant, is_local},
    },
    def::{EntityDef, Expr, FieldIx, Kind as FieldKind},
    event::Event,
    rows::{
        Row,
        guard::{Asked, Gate},
        select::{Columns, View, stored},
        unique,
    },
};

/// The hidden column that counts the changes of a row.
const VERSION: &str = "dz_version";

/// Stores a new row.
pub(super) fn insert(tx: &mut Tx<'_>, write: &mut Write) -> Result<Next> {
    let entity = write.entity;
    let references: Vec<FieldIx> = stored(entity).filter(|at| refers(entity, *at, &write.values)).collect();
    write.is_shown |= is_read_by_dz(tx, entity, &write.values);
    let values = &write.values;
    let asked = Asked { action: write.action, ruled: values, stored: values, references: &references, sent: &write.sent, moved: None };
    let gate = Gate::of(tx, entity, &asked)?;
    let stored = if write.is_shown {
        insert_and_read(tx, entity, values, gate.condition())?
    } else {
        insert_only(tx, entity, values, gate.condition())?
    };
    let Some((row, readable)) = stored else {
        gate.refuse(tx, entity, &asked)?;
        return Err(Error::internal("an insert gave no row back"));
    };
    (write.after, write.readable) = (Some(row), readable);
    Ok(if write.is_shown { Next::Go } else { Next::Stop })
}

/// True for a reference that is set.
fn refers(entity: &'static EntityDef, at: FieldIx, values: &[Value]) -> bool {
    matches!(entity.field(at).kind, FieldKind::Ref(_)) && values.get(usize::from(at)).is_some_and(|value| !value.is_null())
}

/// True if dz or the application reads a new row after it is stored: for the audit log, an event or a hook, or because only the
/// database knows its key.
fn is_read_by_dz(tx: &Tx<'_>, entity: &'static EntityDef, values: &[Value]) -> bool {
    let key_is_known = values.get(usize::from(entity.pk)).is_some_and(|key| !key.is_null());
    let is_told = tx.hooks.of(entity.ix).is_some() || tx.hooks.subscribers(entity.ix, Event::Created).next().is_some();
    !key_is_known || is_told || !entity.audits.is_empty() || entity.states.is_some_and(|states| states.is_timed())
}

/// A row, and whether its writer may read it, where the statement tells that.
type Stored = (Row, Option<bool>);

fn insert_only(tx: &mut Tx<'_>, entity: &'static EntityDef, values: &[Value], gate: Option<Statement>) -> Result<Option<Stored>> {
    let insert = insert_statement(tx, entity, values, gate);
    let count = tx.conn.execute(&insert).map_err(|error| unique::explain(entity, error))?;
    Ok((count > 0).then(|| (Row { values: values.to_vec(), version: 1, extra: Vec::new() }, None)))
}

fn insert_and_read(tx: &mut Tx<'_>, entity: &'static EntityDef, values: &[Value], gate: Option<Statement>) -> Result<Option<Stored>> {
    let insert = insert_statement(tx, entity, values, gate);
    returning(tx, entity, insert)
}

/// `INSERT`, of a row that fulfils the condition.
fn insert_statement(tx: &Tx<'_>, entity: &'static EntityDef, values: &[Value], gate: Option<Statement>) -> Statement {
    let (mut names, mut binds) = (Statement::new(), Statement::new());
    let mut first = true;
    for at in stored(entity) {
        let (field, value) = (entity.field(at), values.get(usize::from(at)).cloned().unwrap_or_default());
        // The database counts.
        if at == entity.pk && value.is_null() {
            continue;
        }
        let Some(kind) = BindKind::of(field.kind, tx.app) else { continue };
        if !std::mem::take(&mut first) {
            names.push(", ");
            binds.push(", ");
        }
        names.ident(field.name);
        binds.bind(value, kind);
    }
    if entity.states.is_some() {
        let comma = if std::mem::take(&mut first) { "" } else { ", " };
        names.push(comma).ident(STATE_SINCE);
        binds.push(comma).bind(Value::DateTime(tx.caller.now), BindKind::DateTime);
    }
    let comma = if first { "" } else { ", " };
    names.push(comma).push(VERSION);
    binds.push(comma).push("1");
    let mut insert = Statement::new();
    insert.push("INSERT INTO ").ident(entity.table).push(" (").append(names);
    match gate {
        Some(gate) => insert.push(") SELECT ").append(binds).push(" WHERE ").append(gate),
        None => insert.push(") VALUES (").append(binds).push(")"),
    };
    insert
}

/// Stores what changes; nothing where the row is another one by now, or the condition does not hold.
pub(super) fn update(tx: &mut Tx<'_>, write: &mut Write) -> Result<Next> {
    let entity = write.entity;
    let before = write.before.as_ref().ok_or_else(|| Error::internal("a change of no row"))?;
    let ruled = write.ruled(&write.values);
    let references: Vec<FieldIx> = match (write.kind, write.action) {
        // Of what it refers to, something may have gone meanwhile.
        (Kind::Restore, _) => stored(entity).filter(|at| refers(entity, *at, &write.values)).collect(),
        (_, Some(_)) => write.given.fields().filter(|at| refers(entity, *at, &write.values)).collect(),
        (_, None) => Vec::new(),
    };
    let moved = write.transition.map(|(_, row)| row);
    let asked = Asked { action: write.action, ruled: &ruled, stored: &write.values, references: &references, sent: &write.sent, moved };
    let gate = Gate::of(tx, entity, &asked)?;
    let update = update_statement(tx, write, before, gate.condition())?;
    let Some((row, readable)) = returning(tx, entity, update)? else {
        gate.refuse(tx, entity, &asked)?;
        return Err(Error::new(412, "STALE", "This row has changed since you loaded it"));
    };
    (write.after, write.readable) = (Some(row), readable);
    Ok(Next::Go)
}

/// `UPDATE`, of a row that is as it was read and that will fulfil the condition.
fn update_statement(tx: &Tx<'_>, write: &Write, before: &Row, gate: Option<Statement>) -> Result<Statement> {
    let entity = write.entity;
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let key = entity.key();
    let kind = BindKind::of(key.kind, tx.app).ok_or_else(|| Error::internal("a key without a column"))?;
    let mut update = Statement::new();
    update.push("UPDATE ").ident(entity.table).push(" SET ");
    // In the order of the declaration, so that the same fields are the same text.
    let mut changed: Vec<_> = write.given.0.iter().collect();
    changed.sort_by_key(|(at, _)| *at);
    for (at, value) in changed {
        let field = entity.field(*at);
        if let Some(kind) = BindKind::of(field.kind, tx.app) {
            update.ident(field.name).push(" = ").bind(value.clone(), kind).push(", ");
        }
    }
    if write.kind == Kind::Restore {
        update.ident(DELETED_AT).push(" = NULL, ");
    }
    if write.transition.is_some() {
        update.ident(STATE_SINCE).push(" = ").bind(Value::DateTime(tx.caller.now), BindKind::DateTime).push(", ");
    }
    update.push(VERSION).push(" = ").push(VERSION).push(" + 1 WHERE ").ident(key.name).push(" = ");
    update.bind(before.value(entity.pk).clone(), kind);
    update.push(" AND ").push(VERSION).push(" = ").bind(Value::Int(before.version), BindKind::Int);
    if let Some(own) = emit.of_tenant(entity, None) {
        update.push(" AND ").append(own);
    }
    if let Some(gate) = gate {
        update.push(" AND ").append(gate);
    }
    // Which fields change is the client's choice: there are many sets of them, of which few are in use.
    update.one_of_few();
    Ok(update)
}

/// Runs a statement that writes a row; gives the row, if it was written.
fn returning(tx: &mut Tx<'_>, entity: &'static EntityDef, mut statement: Statement) -> Result<Option<Stored>> {
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let columns = Columns::of(&emit, entity, entity.table, View::Returned);
    statement.push(" RETURNING ").append(columns.sql.clone());
    let mut kinds = columns.kinds.clone();
    if let Some(readable) = readable_by_itself(&emit, entity) {
        statement.push(", ").append(readable.into_sql());
        kinds.push(BindKind::Bool);
    }
    let answer = tx.conn.rows(&statement, &kinds).map_err(|error| unique::explain(entity, error))?.into_iter().next();
    Ok(answer.map(|answer| {
        let mut row = columns.row(answer);
        let readable = std::mem::take(&mut row.extra).pop().map(|readable| readable == Value::Bool(true));
        (row, readable)
    }))
}

/// The rule for reading, where it asks nothing but the row's own columns and hides none of them: only then does it
/// hold for a row in the statement that writes it as it does afterwards.
fn readable_by_itself(emit: &Emit<'_>, entity: &'static EntityDef) -> Option<Condition> {
    let own = |expr: &Expr| {
        let mut own = true;
        constant::visit(expr, &mut |part| match part {
            Expr::Aggregate { .. } => own = false,
            Expr::Path(path) => {
                let computed = |at: FieldIx| entity.field(at).computed;
                own &= path.own_field().is_some_and(|at| computed(at).is_none_or(|expr| is_local(expr, emit.app)));
            }
            _ => {}
        });
        own
    };
    let rule = entity.rule(Read::NAME)?;
    let alone = rule.permit.iter().chain(&rule.scope).chain(&rule.forbid).all(own) && !entity.fields.iter().any(|field| field.sensitive);
    alone.then(|| access::rows(emit, entity, Read::NAME, entity.table))
}
