//! The statements that store a row. Each contains the rule, the invariants and the references as a condition (`write_condition`), and
//! returns whether the caller may read the row, if this depends only on the row itself.

use super::{Kind, Next, Write};
use crate::{
    Error, Result, Tx, Value,
    access::{self, Action as _, Read},
    db::{
        BindKind, DELETED_AT, STATE_SINCE, Statement,
        emit::{Condition, Emit, is_local},
    },
    def::{EntityDef, Expr, FieldIx, Kind as FieldKind, Reads},
    event::Event,
    rows::{
        Row,
        select::{Columns, View, stored_fields},
        unique,
        write_condition::{Candidate, WriteCondition},
    },
};

/// The hidden column that counts the updates of a row.
const VERSION_COLUMN: &str = "dz_version";

/// Inserts a new row.
pub(super) fn insert(tx: &mut Tx<'_>, write: &mut Write) -> Result<Next> {
    let entity = write.entity;
    let references: Vec<FieldIx> = stored_fields(entity).filter(|at| has_reference(entity, *at, &write.values)).collect();
    write.returns_row |= is_read_by_dz(tx, entity, &write.values);
    let values = &write.values;
    let candidate = Candidate {
        action: write.action,
        rule_values: values,
        stored_values: values,
        references: &references,
        input_fields: &write.input_fields,
        transition: None,
        awaits_children: write.awaits_children,
    };
    let write_condition = WriteCondition::new(tx, entity, &candidate)?;
    let stored = if write.returns_row {
        insert_and_read(tx, entity, values, write_condition.condition())?
    } else {
        insert_only(tx, entity, values, write_condition.condition())?
    };
    let Some((row, readable)) = stored else {
        write_condition.explain_failure(tx, entity, &candidate)?;
        return Err(Error::internal("an insert gave no row back"));
    };
    (write.after, write.readable) = (Some(row), readable);
    Ok(Next::Go)
}

/// True for a reference field with a value.
fn has_reference(entity: &'static EntityDef, at: FieldIx, values: &[Value]) -> bool {
    matches!(entity.field(at).kind, FieldKind::Ref(_)) && values.get(usize::from(at)).is_some_and(|value| !value.is_null())
}

/// True if dz or the application reads a new row after it is stored: for the audit log, an event or a hook, or because only the
/// database knows its key. The stages that follow get the values of another row without reading it.
fn is_read_by_dz(tx: &Tx<'_>, entity: &'static EntityDef, values: &[Value]) -> bool {
    let key_is_known = values.get(usize::from(entity.pk)).is_some_and(|key| !key.is_null());
    let has_listener = tx.hooks.for_entity(entity.ix).is_some() || tx.hooks.subscribers(entity.ix, Event::Created).next().is_some();
    !key_is_known || has_listener || !entity.audits.is_empty() || entity.states.is_some_and(|states| states.is_timed())
}

/// A row, and whether its writer may read it, if the statement could decide this.
type Stored = (Row, Option<bool>);

fn insert_only(
    tx: &mut Tx<'_>,
    entity: &'static EntityDef,
    values: &[Value],
    write_condition: Option<Statement>,
) -> Result<Option<Stored>> {
    let insert = insert_statement(tx, entity, values, write_condition);
    let count = tx.conn.execute(&insert).map_err(|error| unique::explain(entity, error))?;
    Ok((count > 0).then(|| (Row { values: values.to_vec(), version: 1, extra: Vec::new() }, None)))
}

fn insert_and_read(
    tx: &mut Tx<'_>,
    entity: &'static EntityDef,
    values: &[Value],
    write_condition: Option<Statement>,
) -> Result<Option<Stored>> {
    let insert = insert_statement(tx, entity, values, write_condition);
    execute_returning(tx, entity, insert)
}

/// An `INSERT` that stores the row if the condition holds.
fn insert_statement(tx: &Tx<'_>, entity: &'static EntityDef, values: &[Value], write_condition: Option<Statement>) -> Statement {
    let (mut names, mut binds) = (Statement::new(), Statement::new());
    let mut first = true;
    for at in stored_fields(entity) {
        let (field, value) = (entity.field(at), values.get(usize::from(at)).cloned().unwrap_or_default());
        // The database generates the key.
        if at == entity.pk && value.is_null() {
            continue;
        }
        let Some(kind) = BindKind::from_kind(field.kind, tx.app) else { continue };
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
    names.push(comma).push(VERSION_COLUMN);
    binds.push(comma).push("1");
    let mut insert = Statement::new();
    insert.push("INSERT INTO ").ident(entity.table).push(" (").append(names);
    match write_condition {
        Some(write_condition) => insert.push(") SELECT ").append(binds).push(" WHERE ").append(write_condition),
        None => insert.push(") VALUES (").append(binds).push(")"),
    };
    insert
}

/// Updates the row, unless another transaction has changed it or the condition does not hold.
pub(super) fn update(tx: &mut Tx<'_>, write: &mut Write) -> Result<Next> {
    let entity = write.entity;
    let before = write.before.as_ref().ok_or_else(|| Error::internal("a change of no row"))?;
    let ruled = write.rule_values(&write.values);
    let references: Vec<FieldIx> = match (write.kind, write.action) {
        // A referenced row may have been deleted in the meantime.
        (Kind::Restore, _) => stored_fields(entity).filter(|at| has_reference(entity, *at, &write.values)).collect(),
        (_, Some(_)) => write.field_values.fields().filter(|at| has_reference(entity, *at, &write.values)).collect(),
        (_, None) => Vec::new(),
    };
    let moved = write.transition.map(|(_, row)| row);
    let candidate = Candidate {
        action: write.action,
        rule_values: &ruled,
        stored_values: &write.values,
        references: &references,
        input_fields: &write.input_fields,
        transition: moved,
        awaits_children: write.awaits_children,
    };
    let write_condition = WriteCondition::new(tx, entity, &candidate)?;
    let update = update_statement(tx, write, before, write_condition.condition())?;
    let Some((row, readable)) = execute_returning(tx, entity, update)? else {
        write_condition.explain_failure(tx, entity, &candidate)?;
        return Err(Error::outdated());
    };
    (write.after, write.readable) = (Some(row), readable);
    Ok(Next::Go)
}

/// An `UPDATE` that changes the row if its version is the one that was read and the condition holds.
fn update_statement(tx: &Tx<'_>, write: &Write, before: &Row, write_condition: Option<Statement>) -> Result<Statement> {
    let entity = write.entity;
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let key = entity.key();
    let kind = BindKind::from_kind(key.kind, tx.app).ok_or_else(|| Error::internal("a key without a column"))?;
    let mut update = Statement::new();
    update.push("UPDATE ").ident(entity.table).push(" SET ");
    // In the order of the declaration, so that equal sets of fields have equal texts.
    let mut changed: Vec<_> = write.field_values.0.iter().collect();
    changed.sort_by_key(|(at, _)| *at);
    for (at, value) in changed {
        let field = entity.field(*at);
        if let Some(kind) = BindKind::from_kind(field.kind, tx.app) {
            update.ident(field.name).push(" = ").bind(value.clone(), kind).push(", ");
        }
    }
    if write.kind == Kind::Restore {
        update.ident(DELETED_AT).push(" = NULL, ");
    }
    if write.transition.is_some() {
        update.ident(STATE_SINCE).push(" = ").bind(Value::DateTime(tx.caller.now), BindKind::DateTime).push(", ");
    }
    update.push(VERSION_COLUMN).push(" = ").push(VERSION_COLUMN).push(" + 1 WHERE ").ident(key.name).push(" = ");
    update.bind(before.value(entity.pk).clone(), kind);
    update.push(" AND ").push(VERSION_COLUMN).push(" = ").bind(Value::Int(before.version), BindKind::Int);
    if let Some(own) = emit.tenant_condition(entity, None) {
        update.push(" AND ").append(own);
    }
    if let Some(write_condition) = write_condition {
        update.push(" AND ").append(write_condition);
    }
    // The set of changed fields depends on the request: there are many possible texts, of which few are used.
    update.cache_within_limit();
    Ok(update)
}

/// Runs a statement that writes a row, and returns the row if it was written.
fn execute_returning(tx: &mut Tx<'_>, entity: &'static EntityDef, mut statement: Statement) -> Result<Option<Stored>> {
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let columns = Columns::all(&emit, entity, entity.table, View::Returned);
    statement.push(" RETURNING ").append(columns.sql.clone());
    let mut kinds = columns.kinds.clone();
    if let Some(readable) = local_read_condition(&emit, entity) {
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

/// The read rule, if it depends only on columns of the row and no column is sensitive. Only then its result inside the writing
/// statement is the same as afterwards.
fn local_read_condition(emit: &Emit<'_>, entity: &'static EntityDef) -> Option<Condition> {
    let computed = |at: FieldIx| entity.field(at).computed;
    let own = |expr: &Expr| {
        !expr.any(|part| match part.reads() {
            Reads::Relation(..) => true,
            Reads::Row(path) => path.own_field().is_none_or(|at| computed(at).is_some_and(|expr| !is_local(expr, emit.app))),
            Reads::Nothing | Reads::Outer(_) | Reads::Caller(_) => false,
        })
    };
    let rule = entity.rule(Read::NAME)?;
    let alone = rule.permit.iter().chain(&rule.scope).chain(&rule.forbid).all(own) && !entity.fields.iter().any(|field| field.sensitive);
    alone.then(|| access::row_condition(emit, entity, Read::NAME, entity.table))
}
