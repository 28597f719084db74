//! Stores worlds in the database, without rules and hooks, and loads the stored rows.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};

use super::{
    generate::{creation_order, is_later},
    world::{Stored, World, key_text},
};
use crate::{
    Engine, Result, Value, accounts,
    db::{BindKind, Conn, DELETED_AT, Database, STATE_SINCE, Statement, graph_version},
    def::{AppDef, EntityDef, FieldIx},
};

/// Replaces all rows by a world, and starts a session for every account that can have one; returns their tokens by the keys of the
/// accounts.
pub(super) fn store_world(db: &Database, world: &World, now: DateTime<Utc>) -> Result<BTreeMap<String, String>> {
    db.write(&mut |conn| {
        delete_rows(conn, world.app)?;
        let order = creation_order(world.app);
        for ix in &order {
            insert(conn, world, world.app.entity(*ix), now)?;
        }
        for ix in &order {
            set_refs(conn, world, world.app.entity(*ix))?;
        }
        world
            .app
            .entities
            .iter()
            .filter(|edges| edges.edge.is_some())
            .try_for_each(|edges| graph_version::change(conn, edges, None, None, now))?;
        let account = world.app.account();
        let mut tokens = BTreeMap::new();
        for row in world.stored_rows(account.ix) {
            let key = row.value(account.pk);
            let roles = world.granted.get(&key_text(key)).copied().unwrap_or_default();
            accounts::grant_mask(conn, world.app, key, roles)?;
            let token = accounts::start(conn, world.app, key, None, "", now)?;
            if let Some(tenant) = world.entered.get(&key_text(key)) {
                accounts::switch_tenant(conn, world.app, &token, tenant)?;
            }
            tokens.insert(key_text(key), token);
        }
        Ok(tokens)
    })
}

fn delete_rows(conn: &mut Conn, app: &'static AppDef) -> Result<()> {
    for table in ["dz_sessions", "dz_roles"] {
        let mut delete = Statement::new();
        delete.push("DELETE FROM ").push(table);
        conn.execute(&delete)?;
    }
    match conn.engine() {
        Engine::Sqlite => {
            // A row without its references can violate an invariant, and rows in a cycle of references cannot be deleted with them.
            conn.execute(Statement::new().push("PRAGMA ignore_check_constraints = ON"))?;
            for entity in app.entities {
                clear_refs(conn, entity)?;
            }
            for ix in creation_order(app).into_iter().rev() {
                let mut delete = Statement::new();
                delete.push("DELETE FROM ").ident(app.entity(ix).table);
                conn.execute(&delete)?;
            }
            conn.execute(Statement::new().push("PRAGMA ignore_check_constraints = OFF"))?;
        }
        Engine::Postgres => {
            let mut truncate = Statement::new();
            truncate.push("TRUNCATE ");
            for (at, entity) in app.entities.iter().enumerate() {
                truncate.push(if at == 0 { "" } else { ", " }).ident(entity.table);
            }
            conn.execute(truncate.push(" CASCADE"))?;
        }
    }
    Ok(())
}

fn clear_refs(conn: &mut Conn, entity: &'static EntityDef) -> Result<()> {
    let free: Vec<&str> = refs(entity).filter(|at| !entity.field(*at).required).map(|at| entity.field(at).name).collect();
    if free.is_empty() {
        return Ok(());
    }
    let mut update = Statement::new();
    update.push("UPDATE ").ident(entity.table).push(" SET ");
    for (at, name) in free.into_iter().enumerate() {
        update.push(if at == 0 { "" } else { ", " }).ident(name).push(" = NULL");
    }
    conn.execute(&update).map(drop)
}

fn refs(entity: &'static EntityDef) -> impl Iterator<Item = FieldIx> {
    (0..).zip(entity.fields).filter(|(_, field)| field.kind.target().is_some() && field.is_stored()).map(|(at, _)| at)
}

fn columns(entity: &'static EntityDef, app: &'static AppDef) -> Vec<(FieldIx, BindKind)> {
    let stored = (0..).zip(entity.fields).filter(|(_, field)| field.is_stored() && !field.secret);
    stored.filter_map(|(at, field)| Some((at, BindKind::from_kind(field.kind, app)?))).collect()
}

/// Stores the rows of an entity, without references to rows that are stored later.
fn insert(conn: &mut Conn, world: &World, entity: &'static EntityDef, now: DateTime<Utc>) -> Result<()> {
    let rows = &world.rows[usize::from(entity.ix)];
    if rows.is_empty() {
        return Ok(());
    }
    let columns = columns(entity, world.app);
    let mut insert = Statement::new();
    insert.push("INSERT INTO ").ident(entity.table).push(" (");
    for (at, (field, _)) in columns.iter().enumerate() {
        insert.push(if at == 0 { "" } else { ", " }).ident(entity.field(*field).name);
    }
    if entity.states.is_some() {
        insert.push(", ").ident(STATE_SINCE);
    }
    if entity.soft_delete {
        insert.push(", ").ident(DELETED_AT);
    }
    insert.push(") VALUES ");
    for (at, row) in rows.iter().enumerate() {
        insert.push(if at == 0 { "(" } else { ", (" });
        for (at, (field, kind)) in columns.iter().enumerate() {
            let later = is_later(world.app, entity, *field);
            insert.push(if at == 0 { "" } else { ", " });
            insert.bind(if later { Value::Null } else { row.value(*field).clone() }, *kind);
        }
        if entity.states.is_some() {
            insert.push(", ").bind(Value::DateTime(now), BindKind::DateTime);
        }
        if entity.soft_delete {
            insert.push(", ").bind(if row.deleted { Value::DateTime(now) } else { Value::Null }, BindKind::DateTime);
        }
        insert.push(")");
    }
    conn.execute(insert.uncacheable()).map(drop)
}

fn set_refs(conn: &mut Conn, world: &World, entity: &'static EntityDef) -> Result<()> {
    let key_kind = BindKind::from_kind(entity.key().kind, world.app).unwrap_or(BindKind::Text);
    for row in &world.rows[usize::from(entity.ix)] {
        let free: Vec<_> = refs(entity).filter(|at| is_later(world.app, entity, *at) && !row.value(*at).is_null()).collect();
        if free.is_empty() {
            continue;
        }
        let mut update = Statement::new();
        update.push("UPDATE ").ident(entity.table).push(" SET ");
        for (at, field) in free.into_iter().enumerate() {
            let kind = BindKind::from_kind(entity.field(field).kind, world.app).unwrap_or(BindKind::Text);
            update.push(if at == 0 { "" } else { ", " }).ident(entity.field(field).name).push(" = ").bind(row.value(field).clone(), kind);
        }
        update.push(" WHERE ").ident(entity.key().name).push(" = ").bind(row.value(entity.pk).clone(), key_kind);
        conn.execute(&update)?;
    }
    Ok(())
}

/// Loads the rows of every entity, by entity and in the order of their keys.
pub(super) fn load_world(db: &Database, app: &'static AppDef) -> Result<Vec<Vec<Stored>>> {
    db.read(&mut |conn| app.entities.iter().map(|entity| rows(conn, app, entity)).collect())
}

fn rows(conn: &mut Conn, app: &'static AppDef, entity: &'static EntityDef) -> Result<Vec<Stored>> {
    let columns = columns(entity, app);
    let mut kinds: Vec<BindKind> = columns.iter().map(|(_, kind)| *kind).collect();
    let mut select = Statement::new();
    select.push("SELECT ");
    for (at, (field, _)) in columns.iter().enumerate() {
        select.push(if at == 0 { "" } else { ", " }).ident(entity.field(*field).name);
    }
    if entity.soft_delete {
        select.push(", ").ident(DELETED_AT);
        kinds.push(BindKind::DateTime);
    }
    select.push(" FROM ").ident(entity.table).push(" ORDER BY ").ident(entity.key().name);
    let answer = conn.rows(&select, &kinds)?;
    let row = |answer: Vec<Value>| {
        let deleted = entity.soft_delete && answer.last().is_some_and(|at| !at.is_null());
        let mut values = vec![Value::Null; entity.fields.len()];
        for ((field, _), value) in columns.iter().zip(answer) {
            values[usize::from(*field)] = value;
        }
        Stored { values, deleted }
    };
    Ok(answer.into_iter().map(row).collect())
}
