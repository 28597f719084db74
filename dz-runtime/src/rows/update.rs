//! Changes to rows.

use super::{Row, create::now, read, write};
use crate::{
    Error, Result, Tx, Value,
    access::{Grant, Update},
    db::{BindKind, Statement},
    def::{Auto, EntityDef, FieldIx},
    entity::Given,
};

/// Changes the given fields of a row. `version` is the `If-Match`: another one stored is 412 `STALE`. The
/// answer is the row as the caller may see it then.
pub fn update(tx: &mut Tx<'_>, grant: &Grant<Update>, id: &Value, given: Vec<(FieldIx, Value)>, version: Option<i64>) -> Result<Option<Row>> {
    let entity = grant.entity();
    let locked = write::lock(tx, grant, id)?;
    let row = write::admit(locked, entity, write::action_word::<Update>(), version)?;
    let id = change(tx, grant, row, Given(given))?.value(entity.pk).clone();
    read::visible(tx, entity, &id)
}

/// As [`update`], for the application's own Rust: always gives the row as it is then.
pub(crate) fn changed(tx: &mut Tx<'_>, grant: &Grant<Update>, id: &Value, given: Given) -> Result<Row> {
    let locked = write::lock(tx, grant, id)?;
    let row = write::admit(locked, grant.entity(), write::action_word::<Update>(), None)?;
    change(tx, grant, row, given)
}

/// Replaces all that the caller can see and write: an optional field that is not given becomes null. Secret,
/// sensitive, key, automatic and identity fields stay.
pub fn replace(tx: &mut Tx<'_>, grant: &Grant<Update>, id: &Value, mut given: Vec<(FieldIx, Value)>, version: Option<i64>) -> Result<Option<Row>> {
    let entity = grant.entity();
    let locked = write::lock(tx, grant, id)?;
    let row = write::admit(locked, entity, write::action_word::<Update>(), version)?;
    for (at, field) in entity.fields.iter().enumerate() {
        let ix = at as FieldIx;
        let stays = field.secret || field.sensitive || field.identity || ix == entity.pk || field.auto != Auto::No || !field.kind.is_stored();
        if !stays && !given.iter().any(|(sent, _)| *sent == ix) {
            given.push((ix, Value::Null));
        }
    }
    let id = change(tx, grant, row, Given(given))?.value(entity.pk).clone();
    read::visible(tx, entity, &id)
}

fn change(tx: &mut Tx<'_>, grant: &Grant<Update>, row: Row, given: Given) -> Result<Row> {
    let entity = grant.entity();
    let id = row.value(entity.pk).clone();
    let mut given = Given(write::writable(tx, entity, Some(&row), given.0)?);
    let hooks = tx.hooks.clone();
    for hook in hooks.of(entity.ix).iter().flat_map(|hooks| &hooks.before_update) {
        hook(tx, &row, &mut given)?;
    }
    let mut changed = given.0;
    changed.retain(|(ix, value)| row.value(*ix) != value);
    if changed.is_empty() {
        return Ok(row);
    }
    write::check(entity, &changed)?;
    let sent = changed.clone();
    for (at, field) in entity.fields.iter().enumerate() {
        if field.auto == Auto::Update {
            changed.push((at as FieldIx, now(tx, field.kind)));
        }
    }
    let mut after = row.values.clone();
    for (ix, value) in &changed {
        after[usize::from(*ix)] = value.clone();
    }
    write::storable(tx, grant, &after, &sent)?;
    write::references(tx, entity, &sent)?;
    store(tx, entity, &id, row.version, &changed)?;
    let new = Row { values: after, version: row.version + 1, extra: Vec::new() };
    for hook in hooks.of(entity.ix).iter().flat_map(|hooks| &hooks.after_update) {
        hook(tx, &row, &new)?;
    }
    Ok(new)
}

/// Writes columns of a row whose version is known, and counts the version up.
pub(super) fn store(tx: &mut Tx<'_>, entity: &'static EntityDef, id: &Value, version: i64, changed: &[(FieldIx, Value)]) -> Result<()> {
    let mut statement = Statement::new();
    statement.push("UPDATE ").ident(entity.table).push(" SET \"dz_version\" = \"dz_version\" + 1");
    for (ix, value) in changed {
        let field = entity.field(*ix);
        let kind = BindKind::of(field.kind, tx.app).ok_or_else(|| Error::internal("a relation has no column"))?;
        statement.push(", ").ident(field.name).push(" = ").bind(value.clone(), kind);
    }
    let key_kind = BindKind::of(entity.key().kind, tx.app).unwrap_or(BindKind::Uuid);
    statement.push(" WHERE ").ident(entity.key().name).push(" = ").bind(id.clone(), key_kind);
    statement.push(" AND \"dz_version\" = ").bind(Value::Int(version), BindKind::Int);
    match tx.conn.execute(&statement)? {
        1 => Ok(()),
        _ => Err(Error::new(412, "STALE", "Somebody changed this row after you opened it")),
    }
}
