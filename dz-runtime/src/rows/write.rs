//! What every write checks: who may write a field, whether values fit, whether references exist, whether
//! the row as it would be stored is one that the caller may store.

use super::{Row, columns::column};
use crate::{
    Engine, Error, Result, Tx, Value, access,
    access::{Action, Delete, Grant, Read, Update},
    db::{BindKind, Statement, emit::Condition},
    def::{Auto, EntityDef, FieldDef, FieldIx, Kind},
    field,
};

/// A row that is about to be changed, locked until the transaction ends.
pub(super) struct Locked {
    pub row: Row,
    /// The caller may read it.
    pub readable: bool,
    /// The action's own rule covers it.
    pub allowed: bool,
}

/// Loads and locks a row, with what the rules say of it as it is.
pub(super) fn lock<A: Action>(tx: &mut Tx<'_>, grant: &Grant<A>, id: &Value) -> Result<Option<Locked>> {
    let entity = grant.entity();
    let mut select = Statement::new();
    select.push("SELECT ");
    let mut kinds = Vec::new();
    let mut fields = Vec::new();
    for (at, field) in entity.fields.iter().enumerate() {
        let Some(kind) = BindKind::of(field.kind, tx.app).filter(|_| !field.secret) else { continue };
        column(&mut select, "t", field.name);
        select.push(", ");
        kinds.push(kind);
        fields.push(at);
    }
    column(&mut select, "t", "dz_version");
    kinds.push(BindKind::Int);
    let readable = tx.ask::<Read>(entity);
    let readable = readable.map_or(Condition::Never, |grant| grant.condition(tx.app, tx.engine(), &tx.caller, "t"));
    for condition in [readable, grant.condition(tx.app, tx.engine(), &tx.caller, "t")] {
        select.push(", ");
        flag(&mut select, condition);
        kinds.push(BindKind::Int);
    }
    let key_kind = BindKind::of(entity.key().kind, tx.app).unwrap_or(BindKind::Uuid);
    select.push(" FROM ").ident(entity.table).push(" AS \"t\" WHERE ");
    column(&mut select, "t", entity.key().name);
    select.push(" = ").bind(id.clone(), key_kind);
    if tx.engine() == Engine::Postgres {
        select.push(" FOR UPDATE OF \"t\"");
    }
    let Some(mut answer) = tx.conn.rows(&select, &kinds)?.pop() else { return Ok(None) };
    let allowed = answer.pop() == Some(Value::Int(1));
    let readable = answer.pop() == Some(Value::Int(1));
    let version = match answer.pop() {
        Some(Value::Int(version)) => version,
        _ => 0,
    };
    let mut values = vec![Value::Null; entity.fields.len()];
    for (at, value) in fields.into_iter().zip(answer) {
        values[at] = value;
    }
    Ok(Some(Locked { row: Row { values, version, extra: Vec::new() }, readable, allowed }))
}

fn flag(out: &mut Statement, condition: Condition) {
    match condition {
        Condition::Always => out.push("CAST(1 AS bigint)"),
        Condition::Never => out.push("CAST(0 AS bigint)"),
        Condition::Rows(rows) => out.push("CASE WHEN ").append(rows).push(" THEN CAST(1 AS bigint) ELSE CAST(0 AS bigint) END"),
    };
}

/// 404, 403 and 412, in this order.
pub(super) fn admit(locked: Option<Locked>, entity: &EntityDef, action: &str, version: Option<i64>) -> Result<Row> {
    let locked = locked.filter(|locked| locked.readable).ok_or_else(Error::not_found)?;
    if !locked.allowed {
        return Err(Error::forbidden(format!("You may see this {}, but not {action} it", entity.title.to_lowercase())));
    }
    if version.is_some_and(|version| version != locked.row.version) {
        return Err(Error::new(412, "STALE", "Somebody changed this row after you opened it"));
    }
    Ok(locked.row)
}

/// Keeps what really changes; a field that the caller may not write is accepted only when it equals what is stored.
pub(super) fn writable(tx: &Tx<'_>, entity: &'static EntityDef, stored: Option<&Row>, given: Vec<(FieldIx, Value)>) -> Result<Vec<(FieldIx, Value)>> {
    let mut kept = Vec::new();
    let mut problem: Option<Error> = None;
    for (ix, value) in given {
        let field = entity.field(ix);
        let same = stored.is_some_and(|row| *row.value(ix) == value);
        match closed(tx, entity, field, stored.is_some()) {
            Some(reason) if !same => {
                let error = problem.take().unwrap_or_else(|| Error::new(422, "VALIDATION", "Some fields cannot be set"));
                problem = Some(error.at(field.name, reason));
            }
            Some(_) => {}
            None => kept.push((ix, value)),
        }
    }
    problem.map_or(Ok(kept), Err)
}

/// Why a caller may not write a field.
fn closed(tx: &Tx<'_>, entity: &'static EntityDef, field: &'static FieldDef, exists: bool) -> Option<&'static str> {
    if tx.caller.system {
        return None;
    }
    let key = std::ptr::eq(field, entity.key());
    if field.secret || !field.kind.is_stored() {
        Some("cannot be set")
    } else if key && (exists || matches!(field.kind, Kind::Uuid | Kind::Int)) {
        Some("is given by the system")
    } else if field.auto != Auto::No {
        Some("is set by the system")
    } else if field.identity && !tx.caller.system_admin {
        Some("can be changed by an administrator only")
    } else {
        None
    }
}

/// Whether every value fits its field; all that do not are told at once.
pub(super) fn check(entity: &'static EntityDef, values: &[(FieldIx, Value)]) -> Result<()> {
    let mut problem: Option<Error> = None;
    for (ix, value) in values {
        let field = entity.field(*ix);
        let wrong = match value {
            Value::Null if field.required => Some("is required".to_owned()),
            Value::Null => None,
            value => field::check(field, value).err(),
        };
        if let Some(wrong) = wrong {
            let error = problem.take().unwrap_or_else(|| Error::new(422, "VALIDATION", "Some fields need a change"));
            problem = Some(error.at(field.name, wrong));
        }
    }
    problem.map_or(Ok(()), Err)
}

/// Whether the row as it would be stored is one that the caller may store: asked of a row made of
/// parameters, before anything is written, so that no constraint can tell what the rule hides.
pub(super) fn storable<A: Action>(tx: &mut Tx<'_>, grant: &Grant<A>, values: &[Value], sent: &[(FieldIx, Value)]) -> Result<()> {
    let entity = grant.entity();
    let rows = match grant.condition(tx.app, tx.engine(), &tx.caller, "t") {
        Condition::Always => return Ok(()),
        Condition::Never => return Err(refused(entity, sent)),
        Condition::Rows(rows) => rows,
    };
    let mut select = Statement::new();
    select.push("SELECT CAST(1 AS bigint) FROM (SELECT ");
    let mut first = true;
    for (field, value) in entity.fields.iter().zip(values) {
        let Some(kind) = BindKind::of(field.kind, tx.app).filter(|_| !field.secret) else { continue };
        if !std::mem::take(&mut first) {
            select.push(", ");
        }
        select.bind(value.clone(), kind);
        if tx.engine() == Engine::Postgres && kind == BindKind::Text {
            select.push(" COLLATE \"C\"");
        }
        select.push(" AS ").ident(field.name);
    }
    select.push(") AS \"t\" WHERE ").append(rows);
    if tx.conn.rows(&select, &[BindKind::Int])?.is_empty() { Err(refused(entity, sent)) } else { Ok(()) }
}

fn refused(entity: &'static EntityDef, sent: &[(FieldIx, Value)]) -> Error {
    let error = Error::forbidden(format!("You may not store a {} like this", entity.title.to_lowercase()));
    sent.iter().fold(error, |error, (ix, _)| error.at(entity.field(*ix).name, "is not allowed for you"))
}

/// Whether every reference that is set leads to a row that the caller may see.
pub(super) fn references(tx: &mut Tx<'_>, entity: &'static EntityDef, values: &[(FieldIx, Value)]) -> Result<()> {
    let mut problem: Option<Error> = None;
    for (ix, value) in values {
        let field = entity.field(*ix);
        let Kind::Ref(target) = field.kind else { continue };
        if value.is_null() || refers(tx, tx.app.entity(target), value)? {
            continue;
        }
        let error = problem.take().unwrap_or_else(|| Error::new(422, "REFERENCE", "A row that is referred to does not exist"));
        problem = Some(error.at(field.name, "does not exist, or you may not see it"));
    }
    problem.map_or(Ok(()), Err)
}

fn refers(tx: &mut Tx<'_>, target: &'static EntityDef, key: &Value) -> Result<bool> {
    let kind = BindKind::of(target.key().kind, tx.app).unwrap_or(BindKind::Uuid);
    let mut select = Statement::new();
    select.push("SELECT CAST(1 AS bigint) FROM ").ident(target.table).push(" AS \"t\" WHERE ");
    column(&mut select, "t", target.key().name);
    select.push(" = ").bind(key.clone(), kind);
    match access::shown(&tx.emit(), target, None, "t") {
        Condition::Never => return Ok(false),
        Condition::Always => {}
        Condition::Rows(rows) => {
            select.push(" AND ").append(rows);
        }
    }
    Ok(!tx.conn.rows(&select, &[BindKind::Int])?.is_empty())
}

/// The proofs that reading and writing rows in the system's own name need.
pub(super) fn action_word<A: Action>() -> &'static str {
    match A::NAME {
        name if name == Delete::NAME => "delete",
        name if name == Update::NAME => "change",
        name => name,
    }
}
