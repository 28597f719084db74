//! Which row holds which file: uploads are taken when a row is written, and files are let go with what held them.

use uuid::Uuid;

use crate::{
    Error, Result, Tx, Value,
    def::{EntityDef, FieldIx},
    field::File,
    files::{has_file_fields, objects},
    record::{FieldValues, Row},
};

/// What a field says to somebody who names an upload that is not there for it.
const UNKNOWN_UPLOAD: &str = "is not an unused upload of yours for this field; upload the file again";

/// Uploads that a write has taken.
#[derive(Default)]
pub(crate) struct TakenUploads(Vec<Uuid>);

/// Fields of an entity that hold files.
fn file_fields(entity: &'static EntityDef) -> impl Iterator<Item = FieldIx> {
    (0..).zip(entity.fields).filter(|(_, field)| crate::field::is_file(field)).map(|(at, _)| at)
}

/// What is given for files, as it will be stored: what the row holds already stays as it is, and uploads are taken.
///
/// # Errors
/// 422 at each field that names no upload of the caller's for it.
pub(crate) fn take_uploads(
    tx: &mut Tx<'_>,
    entity: &'static EntityDef,
    before: Option<&Row>,
    values: &mut FieldValues,
    taken: &mut TakenUploads,
) -> Result<()> {
    if !has_file_fields(entity) {
        return Ok(());
    }
    if let Some(before) = before {
        *values = keep_attached(entity, before, std::mem::take(values));
    }
    let mut wrong: Option<Error> = None;
    for at in file_fields(entity) {
        let Some(value) = values.get(at).filter(|value| !value.is_null()) else { continue };
        let field = entity.field(at);
        if before.is_some_and(|row| is_same_file(row.value(at), value)) {
            continue;
        }
        let id = File::stored_id(value);
        if id.is_some_and(|id| taken.0.contains(&id)) {
            continue;
        }
        let upload = match id {
            Some(id) => objects::take(tx, entity, field, id)?,
            None => None,
        };
        match upload {
            Some(file) => {
                taken.0.push(file.id);
                values.set(at, file);
            }
            None => {
                let error = wrong.take().unwrap_or_else(|| Error::new(422, "VALIDATION", "Some fields need a change"));
                wrong = Some(error.at(field.name, if id.is_some() { UNKNOWN_UPLOAD } else { crate::field::NO_FILE_IN_TABLES }));
            }
        }
    }
    wrong.map_or(Ok(()), Err)
}

/// What is given, with the files that the row holds already as it holds them.
pub(crate) fn keep_attached(entity: &'static EntityDef, before: &Row, mut values: FieldValues) -> FieldValues {
    if has_file_fields(entity) {
        for at in file_fields(entity) {
            let old = before.value(at);
            if values.get(at).is_some_and(|value| is_same_file(old, value)) {
                values.set(at, old.clone());
            }
        }
    }
    values
}

/// True when a value names the file that a row holds: by its identifier, or in a table by its name.
fn is_same_file(held: &Value, values: &Value) -> bool {
    let Some(held) = File::from_stored(held) else { return false };
    match (File::stored_id(values), values) {
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
    taken: &TakenUploads,
) -> Result<()> {
    if !has_file_fields(entity) {
        return Ok(());
    }
    let now: Vec<Uuid> = file_fields(entity).filter_map(|at| File::stored_id(after?.get(usize::from(at))?)).collect();
    let was = file_fields(entity).filter_map(|at| File::stored_id(before?.value(at)));
    let gone: Vec<Uuid> = was.chain(taken.0.iter().copied()).filter(|id| !now.contains(id)).collect();
    objects::release(tx, &gone)
}
