//! Objects with names of their own, for backups.

use std::{
    fs::File,
    io::{Read as _, Write as _},
    path::Path,
    sync::Arc,
};

use futures_util::StreamExt as _;
use object_store::ObjectStoreExt as _;

use super::{Bucket, Upload, cause::Cause};
use crate::{Error, Result, files::storage::StoredEntry};

/// The bytes of a file that are read at once.
const CHUNK: usize = 1 << 20;

fn local_error(path: &Path) -> impl FnOnce(std::io::Error) -> Error + '_ {
    move |error| Error::internal(format_args!("`{}`: {error}", path.display()))
}

impl Bucket {
    /// The objects below the address, with their names relative to it.
    pub fn objects(&self) -> Result<Vec<StoredEntry>> {
        let mut found = Vec::new();
        self.each_object("", &mut |page| {
            found.extend(page);
            Ok(())
        })?;
        Ok(found)
    }

    /// Deletes an object, if it exists.
    pub fn remove_named(&self, name: &str) -> Result<()> {
        self.remove_object(self.path(name))
    }

    /// Copies a file to an object.
    pub fn upload_file(self: &Arc<Bucket>, name: &str, from: &Path) -> Result<()> {
        let mut file = File::open(from).map_err(local_error(from))?;
        let size = file.metadata().map_err(local_error(from))?.len();
        let mut upload = Upload::at(self, self.path(name), size);
        let mut chunk = vec![0; CHUNK];
        let sent = loop {
            let read = file.read(&mut chunk).map_err(local_error(from))?;
            match chunk.get(..read).filter(|bytes| !bytes.is_empty()) {
                Some(bytes) => {
                    if let Err(error) = self.block_on(upload.push(bytes)) {
                        break Err(error);
                    }
                }
                None => break self.block_on(upload.end()),
            }
        };
        if sent.is_err() {
            upload.discard(true);
        }
        sent
    }

    /// Copies an object to a file; false if it does not exist.
    pub fn download_file(&self, name: &str, to: &Path) -> Result<bool> {
        let mut file = File::create(to).map_err(local_error(to))?;
        let (store, path) = (self.store.clone(), self.path(name));
        let found = self.wait(async move { store.get(&path).await });
        let mut stream = match found {
            Err(error) if Cause::find(&error) == Cause::NoObject => return Ok(false),
            found => found.map_err(|error| self.error(&error))?.into_stream(),
        };
        while let Some(bytes) = self.block_on(stream.next()).transpose().map_err(|error| self.error(&error))? {
            file.write_all(&bytes).map_err(local_error(to))?;
        }
        file.sync_all().map_err(local_error(to))?;
        Ok(true)
    }
}
