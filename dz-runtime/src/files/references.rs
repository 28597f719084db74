//! The files of rows: uploads are attached when a row is written, and files are released with their row.

use uuid::Uuid;

use crate::{
    Error, Result, Tx, Value,
    def::{EntityDef, FieldIx},
    field::File,
    files::{has_file_fields, objects},
    record::{FieldValues, Row},
};

/// The error for an unknown or used upload.
fn unknown_upload() -> &'static str {
    say!("dz-is-not-an-unused-upload", "is not an unused upload of yours for this field; upload the file again")
}

/// The uploads that a write has attached, each with its field.
#[derive(Default)]
pub(crate) struct TakenUploads(Vec<(FieldIx, Uuid)>);

/// The file fields of an entity.
fn file_fields(entity: &'static EntityDef) -> impl Iterator<Item = FieldIx> {
    (0..).zip(entity.fields).filter(|(_, field)| crate::field::is_file(field)).map(|(at, _)| at)
}

/// Replaces the values of file fields by their stored form: files of the row stay as they are, and uploads are attached.
///
/// # Errors
/// 422 at each field whose value is not an unused upload of the caller for it.
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
        if id.is_some_and(|id| taken.0.contains(&(at, id))) {
            continue;
        }
        let upload = match id {
            Some(id) => objects::take(tx, entity, field, id)?,
            None => None,
        };
        match upload {
            Some(file) => {
                taken.0.push((at, file.id));
                values.set(at, file);
            }
            None => {
                let error = wrong
                    .take()
                    .unwrap_or_else(|| Error::new(422, "VALIDATION", say!("dz-some-fields-need-a-change", "Some fields need a change")));
                wrong = Some(error.at(field.name, if id.is_some() { unknown_upload() } else { crate::field::NO_FILE_IN_TABLES }));
            }
        }
    }
    wrong.map_or(Ok(()), Err)
}

/// Replaces values that name a file of the row by the stored value.
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

/// True if a value names the file of a row: by its identifier, or in CSV by its name.
fn is_same_file(held: &Value, values: &Value) -> bool {
    let Some(held) = File::from_stored(held) else { return false };
    match (File::stored_id(values), values) {
        (Some(id), _) => id == held.id,
        (None, Value::Json(json)) => json.get("name").and_then(|name| name.as_str()) == Some(held.name.as_str()),
        _ => false,
    }
}

/// Releases the files that a row no longer uses, and the uploads that were attached but are not used.
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
    let gone: Vec<Uuid> = was.chain(taken.0.iter().map(|(_, id)| *id)).filter(|id| !now.contains(id)).collect();
    objects::release(tx, &gone)
}

/// Releases the files that values of file fields name.
pub(crate) fn release_values<'v>(tx: &mut Tx<'_>, values: impl IntoIterator<Item = &'v Value>) -> Result<()> {
    let ids: Vec<Uuid> = values.into_iter().filter_map(File::stored_id).collect();
    objects::release(tx, &ids)
}
