//! Files in the application's own routes.

use std::sync::{Arc, Mutex, PoisonError};

use crate::{
    Entity, Error, Result,
    access::Read,
    def::FieldIx,
    field::{File, is_file},
    files, rows,
    web::{
        cx::Cx,
        files::upload::{self, field_limit},
    },
};

/// Finds the field for files with this name.
fn field_of<E: Entity>(name: &str) -> Result<FieldIx> {
    let found = E::DEF.find(name).filter(|(_, field)| is_file(field));
    found.map(|(at, _)| at).ok_or_else(|| Error::internal(format_args!("{} has no field `{name}` for files", E::DEF.name)))
}

impl Cx {
    /// Stores bytes as a file for `field` of a row of `E`; requires permission to create or update such rows. Assign it to a row within a
    /// day: `task::TaskChanges { scan: file.into(), .. }`.
    ///
    /// # Errors
    /// 413 if the file exceeds the limit of the field, 401 and 403 as for an upload, 503 if the storage fails; 500 if there is no such
    /// field.
    pub async fn keep_file<E: Entity>(&self, field: &str, name: &str, bytes: &[u8]) -> Result<File> {
        let at = field_of::<E>(field)?;
        let def = E::DEF.field(at);
        let (size, most) = (bytes.len() as u64, field_limit(def, self.state.config.settings.file_limit));
        if size > most {
            return Err(Error::new(413, "TOO_LARGE", format!("A file in `{field}` may have at most {}", files::size_text(most))));
        }
        let file = File { id: upload::random_id()?, name: files::clean_name(name), size, media_type: files::sniff(bytes).to_owned() };
        let writing = Arc::new(Mutex::new(self.state.storage.write(bytes).await?));
        let (facts, kept) = (file.clone(), writing.clone());
        self.run(move |tx| {
            upload::check_upload(tx, E::DEF)?;
            let stored = kept.lock().unwrap_or_else(PoisonError::into_inner).stored().to_owned();
            files::insert(tx, E::DEF, E::DEF.field(at), &stored, &facts)
        })
        .await?;
        writing.lock().unwrap_or_else(PoisonError::into_inner).keep();
        Ok(file)
    }

    /// Reads the file in a field of a row, if the caller can read the row and the field.
    ///
    /// # Errors
    /// 404 without access or without a file; 500 if there is no such field or the file is lost, 503 if the storage fails.
    pub async fn file<E: Entity>(&self, row: &E, field: &str) -> Result<(File, Vec<u8>)> {
        let (at, key) = (field_of::<E>(field)?, row.key());
        let found = self.read(move |tx| {
            let grant = tx.ask::<Read>(E::DEF)?;
            let row = rows::read(tx, &grant, &key, &[])?;
            let file = File::from_stored(row.value(at)).ok_or_else(Error::not_found)?;
            Ok((files::find_stored_name(tx.conn, file.id)?, file))
        });
        let (stored, file) = found.await?;
        let bytes = self.state.storage.read(&stored, file.size).await?;
        Ok((file, bytes))
    }
}
