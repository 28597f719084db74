//! New rows.

use super::{Row, read, write};
use crate::{
    Caller, Engine, Error, Result, Tx, Value,
    access::{Create, Grant},
    db::{BindKind, Statement, emit},
    def::{AppDef, Auto, EntityDef, Expr, FieldIx, Kind},
    entity::Given,
};

/// Makes a row from the given fields; defaults, automatic fields and the key are filled in. Hooks run. The
/// row is `None` when the caller may not read what it made (then only the key may be told).
pub fn create(tx: &mut Tx<'_>, grant: &Grant<Create>, given: Vec<(FieldIx, Value)>) -> Result<(Value, Option<Row>)> {
    let made = made(tx, grant, Given(given))?;
    let key = made.value(grant.entity().pk).clone();
    let visible = read::visible(tx, grant.entity(), &key)?;
    Ok((key, visible))
}

/// As [`create`], for the application's own Rust: always gives the row that was made.
pub(crate) fn made(tx: &mut Tx<'_>, grant: &Grant<Create>, given: Given) -> Result<Row> {
    let entity = grant.entity();
    let sent = write::writable(tx, entity, None, given.0)?;
    let values = filled(tx, entity, &sent);
    let hooks = tx.hooks.clone();
    let mut given = Given(settable(entity, &values, &sent));
    for hook in hooks.of(entity.ix).iter().flat_map(|hooks| &hooks.before_create) {
        hook(tx, &mut given)?;
    }
    let given = given.0;
    let mut values = values;
    for (ix, value) in &given {
        values[usize::from(*ix)] = value.clone();
    }
    let pairs: Vec<(FieldIx, Value)> = stored(entity).map(|(ix, _)| (ix, values[usize::from(ix)].clone())).collect();
    let counted = matches!(entity.key().kind, Kind::Int) && values[usize::from(entity.pk)].is_null();
    let checked: Vec<_> = pairs.iter().filter(|(ix, _)| !(counted && *ix == entity.pk)).cloned().collect();
    write::check(entity, &checked)?;
    write::storable(tx, grant, &values, &sent)?;
    write::references(tx, entity, &given)?;
    let key = insert(tx, entity, &pairs, counted)?;
    let mut row = Row { values, version: 1, extra: Vec::new() };
    row.values[usize::from(entity.pk)] = key.clone();
    for hook in hooks.of(entity.ix).iter().flat_map(|hooks| &hooks.after_create) {
        hook(tx, &row)?;
    }
    Ok(row)
}

/// What a hook sees of a new row: what was sent, and the defaults.
fn settable(entity: &'static EntityDef, values: &[Value], sent: &[(FieldIx, Value)]) -> Vec<(FieldIx, Value)> {
    let is_sent = |ix: FieldIx| sent.iter().any(|(at, _)| *at == ix);
    stored(entity)
        .filter(|(ix, field)| is_sent(*ix) || (field.auto == Auto::No && !field.secret && field.default.is_some()))
        .map(|(ix, _)| (ix, values[usize::from(ix)].clone()))
        .collect()
}

fn stored(entity: &'static EntityDef) -> impl Iterator<Item = (FieldIx, &'static crate::def::FieldDef)> {
    entity.fields.iter().enumerate().filter(|(_, field)| field.kind.is_stored()).map(|(at, field)| (at as FieldIx, field))
}

/// A value for every field: what is given, else the default, else what the system sets.
fn filled(tx: &Tx<'_>, entity: &'static EntityDef, given: &[(FieldIx, Value)]) -> Vec<Value> {
    let mut values = vec![Value::Null; entity.fields.len()];
    for (at, field) in entity.fields.iter().enumerate() {
        let sent = given.iter().find(|(ix, _)| usize::from(*ix) == at).map(|(_, value)| value.clone());
        values[at] = match (sent, &field.default) {
            (Some(value), _) => value,
            (None, _) if at == usize::from(entity.pk) && matches!(field.kind, Kind::Uuid) => Value::Uuid(uuid::Uuid::now_v7()),
            (None, _) if field.auto != Auto::No => now(tx, field.kind),
            (None, Some(default)) => constant(default, field.kind, &tx.caller, tx.app),
            (None, None) => Value::Null,
        };
    }
    values
}

/// A constant expression as a value of a field: whole numbers widen where the field is wider.
pub(crate) fn constant(expr: &Expr, kind: Kind, caller: &Caller, app: &'static AppDef) -> Value {
    match (kind, emit::constant(expr, caller, app)) {
        (Kind::Decimal { .. }, Value::Int(number)) => Value::Decimal(number.into()),
        (Kind::Float, Value::Int(number)) => Value::Float(number as f64),
        (Kind::Date, Value::DateTime(moment)) => Value::Date(moment.date_naive()),
        (_, value) => value,
    }
}

/// This moment, as a date or a datetime.
pub(super) fn now(tx: &Tx<'_>, kind: Kind) -> Value {
    match kind {
        Kind::Date => Value::Date(tx.caller.today),
        _ => Value::DateTime(tx.caller.now),
    }
}

fn insert(tx: &mut Tx<'_>, entity: &'static EntityDef, pairs: &[(FieldIx, Value)], counted: bool) -> Result<Value> {
    let mut names = Statement::new();
    let mut values = Statement::new();
    let mut key = Value::Null;
    let mut first = true;
    for (ix, value) in pairs {
        if *ix == entity.pk {
            key = value.clone();
            if counted {
                continue;
            }
        }
        let field = entity.field(*ix);
        let kind = BindKind::of(field.kind, tx.app).ok_or_else(|| Error::internal("a relation has no column"))?;
        if !std::mem::take(&mut first) {
            names.push(", ");
            values.push(", ");
        }
        names.ident(field.name);
        values.bind(value.clone(), kind);
    }
    let mut statement = Statement::new();
    statement.push("INSERT INTO ").ident(entity.table).push(" (").append(names).push(") VALUES (").append(values).push(")");
    if !counted {
        tx.conn.execute(&statement)?;
        return Ok(key);
    }
    debug_assert!(matches!(tx.engine(), Engine::Sqlite | Engine::Postgres));
    statement.push(" RETURNING ").ident(entity.key().name);
    let mut answer = tx.conn.rows(&statement, &[BindKind::Int])?;
    answer.pop().and_then(|mut row| row.pop()).ok_or_else(|| Error::internal("an insert gave no key"))
}
