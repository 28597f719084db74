//! Removal of rows, with what their referrers' refs say.

use super::{Row, columns::column, update::store, write};
use crate::{
    Error, Result, Tx, Value,
    access::{self, Action, Delete, Grant, List},
    db::{BindKind, Statement, emit::Condition},
    def::{EntityDef, FieldIx, Kind, OnDelete},
};

/// Children are handled in batches of this many rows.
const BATCH: i64 = 200;

/// Cascades deeper than any real schema; a circle of cascades ends here instead of in a stack overflow.
const MAX_DEPTH: usize = 32;

/// Removes a row. Rows that refer to it refuse this (409 `REFERENCED`), go too, or lose the reference, as
/// their refs say; all in the caller's transaction.
pub fn delete(tx: &mut Tx<'_>, grant: &Grant<Delete>, id: &Value, version: Option<i64>) -> Result<()> {
    let entity = grant.entity();
    let locked = write::lock(tx, grant, id)?;
    let row = write::admit(locked, entity, write::action_word::<Delete>(), version)?;
    remove(tx, entity, &row, 0)
}

fn remove(tx: &mut Tx<'_>, entity: &'static EntityDef, row: &Row, depth: usize) -> Result<()> {
    if depth > MAX_DEPTH {
        return Err(Error::new(409, "REFERENCED", "Too many rows depend on each other to delete this one"));
    }
    let id = row.value(entity.pk).clone();
    let hooks = tx.hooks.clone();
    for hook in hooks.of(entity.ix).iter().flat_map(|hooks| &hooks.before_delete) {
        hook(tx, row)?;
    }
    let referrers: Vec<(&'static EntityDef, FieldIx)> = referrers(tx, entity).collect();
    for (child, via) in &referrers {
        if child.field(*via).on_delete == OnDelete::Restrict {
            restrict(tx, child, *via, &id)?;
        }
    }
    for (child, via) in &referrers {
        match child.field(*via).on_delete {
            OnDelete::Restrict => {}
            OnDelete::Cascade => cascade(tx, child, *via, &id, depth)?,
            OnDelete::Nullify => nullify(tx, child, *via, &id)?,
        }
    }
    let kind = BindKind::of(entity.key().kind, tx.app).unwrap_or(BindKind::Uuid);
    let mut statement = Statement::new();
    statement.push("DELETE FROM ").ident(entity.table).push(" WHERE ").ident(entity.key().name).push(" = ").bind(id, kind);
    tx.conn.execute(&statement)?;
    for hook in hooks.of(entity.ix).iter().flat_map(|hooks| &hooks.after_delete) {
        hook(tx, row)?;
    }
    Ok(())
}

fn referrers(tx: &Tx<'_>, entity: &'static EntityDef) -> impl Iterator<Item = (&'static EntityDef, FieldIx)> {
    let ix = entity.ix;
    tx.app.entities.iter().flat_map(move |child| {
        let refs = child.fields.iter().enumerate().filter(move |(_, field)| matches!(field.kind, Kind::Ref(target) if target == ix));
        refs.map(move |(at, _)| (*child, at as FieldIx))
    })
}

/// `FROM child AS t WHERE t.via = id`
fn of_parent(tx: &Tx<'_>, out: &mut Statement, child: &'static EntityDef, via: FieldIx, id: &Value) {
    let field = child.field(via);
    let kind = BindKind::of(field.kind, tx.app).unwrap_or(BindKind::Uuid);
    out.push(" FROM ").ident(child.table).push(" AS \"t\" WHERE ");
    column(out, "t", field.name);
    out.push(" = ").bind(id.clone(), kind);
}

fn restrict(tx: &mut Tx<'_>, child: &'static EntityDef, via: FieldIx, id: &Value) -> Result<()> {
    let mut any = Statement::new();
    any.push("SELECT CAST(1 AS bigint)");
    of_parent(tx, &mut any, child, via, id);
    any.push(" LIMIT 1");
    if tx.conn.rows(&any, &[BindKind::Int])?.is_empty() {
        return Ok(());
    }
    // Only what the caller can list is named.
    let visible = match tx.ask::<List>(child) {
        Ok(grant) => {
            let mut count = Statement::new();
            count.push("SELECT count(*)");
            of_parent(tx, &mut count, child, via, id);
            if let Condition::Rows(rows) = grant.condition(tx.app, tx.engine(), &tx.caller, "t") {
                count.push(" AND ").append(rows);
            }
            match tx.conn.rows(&count, &[BindKind::Int])?.pop().and_then(|mut row| row.pop()) {
                Some(Value::Int(count)) => count,
                _ => 0,
            }
        }
        Err(_) => 0,
    };
    let who = match visible {
        0 => "Other rows refer".to_owned(),
        1 => format!("One {} refers", child.title.to_lowercase()),
        n => format!("{n} {} refer", child.title_plural.to_lowercase()),
    };
    Err(Error::new(409, "REFERENCED", format!("{who} to this one, so it cannot be deleted")))
}

fn cascade(tx: &mut Tx<'_>, child: &'static EntityDef, via: FieldIx, id: &Value, depth: usize) -> Result<()> {
    let forbidden = access::forbidden(&tx.emit(), child, Delete::NAME, "t");
    if !matches!(forbidden, Condition::Never) {
        let mut any = Statement::new();
        any.push("SELECT CAST(1 AS bigint)");
        of_parent(tx, &mut any, child, via, id);
        if let Condition::Rows(rows) = forbidden {
            any.push(" AND ").append(rows);
        }
        any.push(" LIMIT 1");
        if !tx.conn.rows(&any, &[BindKind::Int])?.is_empty() {
            return Err(Error::new(409, "REFERENCED", format!("A {} that belongs to this row may not be deleted", child.title.to_lowercase())));
        }
    }
    loop {
        let rows = batch(tx, child, via, id)?;
        if rows.is_empty() {
            return Ok(());
        }
        for row in &rows {
            remove(tx, child, row, depth + 1)?;
        }
    }
}

/// Children of a row, read by the system: the declared cascade stands in for the child's own permit.
fn batch(tx: &mut Tx<'_>, child: &'static EntityDef, via: FieldIx, id: &Value) -> Result<Vec<Row>> {
    let mut select = Statement::new();
    select.push("SELECT ");
    let mut kinds = Vec::new();
    let mut fields = Vec::new();
    for (at, field) in child.fields.iter().enumerate() {
        let Some(kind) = BindKind::of(field.kind, tx.app).filter(|_| !field.secret) else { continue };
        column(&mut select, "t", field.name);
        select.push(", ");
        kinds.push(kind);
        fields.push(at);
    }
    column(&mut select, "t", "dz_version");
    kinds.push(BindKind::Int);
    of_parent(tx, &mut select, child, via, id);
    select.push(" LIMIT ").bind(Value::Int(BATCH), BindKind::Int);
    let rows = tx.conn.rows(&select, &kinds)?.into_iter().map(|mut answer| {
        let version = match answer.pop() {
            Some(Value::Int(version)) => version,
            _ => 0,
        };
        let mut values = vec![Value::Null; child.fields.len()];
        for (at, value) in fields.iter().zip(answer) {
            values[*at] = value;
        }
        Row { values, version, extra: Vec::new() }
    });
    Ok(rows.collect())
}

fn nullify(tx: &mut Tx<'_>, child: &'static EntityDef, via: FieldIx, id: &Value) -> Result<()> {
    let hooks = tx.hooks.clone();
    loop {
        let rows = batch(tx, child, via, id)?;
        if rows.is_empty() {
            return Ok(());
        }
        for row in rows {
            store(tx, child, row.value(child.pk), row.version, &[(via, Value::Null)])?;
            let mut after = row.clone();
            after.values[usize::from(via)] = Value::Null;
            after.version += 1;
            for hook in hooks.of(child.ix).iter().flat_map(|hooks| &hooks.after_update) {
                hook(tx, &row, &after)?;
            }
        }
    }
}
