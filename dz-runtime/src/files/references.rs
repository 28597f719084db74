//! Which row holds which file: uploads are taken when a row is written, and files are let go with what held them.

use uuid::Uuid;

use crate::{
    Error, Result, Tx, Value,
    def::{EntityDef, FieldIx},
    field::File,
    files::{objects, of_entity},
    record::{Given, Row},
};

/// What a field says to somebody who names an upload that is not there for it.
const NO_UPLOAD: &str = "is not an unused upload of yours for this field; upload the file again";

/// Uploads that a write has taken.
#[derive(Default)]
pub(crate) struct Held(Vec<Uuid>);

/// Fields of an entity that hold files.
fn fields(entity: &'static EntityDef) -> impl Iterator<Item = FieldIx> {
    (0..).zip(entity.fields).filter(|(_, field)| crate::field::is_file(field)).map(|(at, _)| at)
}

/// What is given for files, as it will be stored: what the row holds already stays as it is, and uploads are taken.
///
/// # Errors
/// 422 at each field that names no upload of the caller's for it.
pub(crate) fn settle(tx: &mut Tx<'_>, entity: &'static EntityDef, before: Option<&Row>, given: &mut Given, held: &mut Held) -> Result<()> {
    if !of_entity(entity) {
        return Ok(());
    }
    if let Some(before) = before {
        *given = same(entity, before, std::mem::take(given));
    }
    let mut wrong: Option<Error> = None;
    for at in fields(entity) {
        let Some(value) = given.get(at).filter(|value| !value.is_null()) else { continue };
        let field = entity.field(at);
        if before.is_some_and(|row| is_same(row.value(at), value)) {
            continue;
        }
        let id = File::id_of(value);
        if id.is_some_and(|id| held.0.contains(&id)) {
            continue;
        }
        let taken = match id {
            Some(id) => objects::take(tx, entity, field, id)?,
            None => None,
        };
        match taken {
            Some(file) => {
                held.0.push(file.id);
                given.set(at, file);
            }
            None => {
                let error = wrong.take().unwrap_or_else(|| Error::new(422, "VALIDATION", "Some fields need a change"));
                wrong = Some(error.at(field.name, if id.is_some() { NO_UPLOAD } else { crate::field::NO_FILE_IN_TABLES }));
            }
        }
    }
    wrong.map_or(Ok(()), Err)
}

/// What is given, with the files that the row holds already as it holds them.
pub(crate) fn same(entity: &'static EntityDef, before: &Row, mut given: Given) -> Given {
    if of_entity(entity) {
        for at in fields(entity) {
            let old = before.value(at);
            if given.get(at).is_some_and(|value| is_same(old, value)) {
                given.set(at, old.clone());
            }
        }
    }
    given
}

/// True when a value names the file that a row holds: by its identifier, or in a table by its name.
fn is_same(held: &Value, given: &Value) -> bool {
    let Some(held) = File::of(held) else { return false };
    match (File::id_of(given), given) {
        (Some(id), _) => id == held.id,
        (None, Value::Json(json)) => json.get("name").and_then(|name| name.as_str()) == Some(held.name.as_str()),
        _ => false,
    }
}

/// Lets go of what a row held and does not hold as it is now, and of uploads that were taken for nothing.
pub(crate) fn release(
    tx: &mut Tx<'_>,
    entity: &'static EntityDef,
    before: Option<&Row>,
    after: Option<&[Value]>,
    held: &Held,
) -> Result<()> {
    if !of_entity(entity) {
        return Ok(());
    }
    let now: Vec<Uuid> = fields(entity).filter_map(|at| File::id_of(after?.get(usize::from(at))?)).collect();
    let was = fields(entity).filter_map(|at| File::id_of(before?.value(at)));
    let gone: Vec<Uuid> = was.chain(held.0.iter().copied()).filter(|id| !now.contains(id)).collect();
    objects::let_go(tx, &gone)
}
