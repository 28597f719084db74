//! The folder of file contents: random names in subfolders, which do not depend on names from clients.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use tokio::{fs as async_fs, io::AsyncWriteExt};

use crate::{Error, Result};

/// The folder of file contents.
#[derive(Debug, Clone)]
pub(crate) struct Storage {
    folder: PathBuf,
}

/// A file that is being written. It is deleted when this value is dropped, unless it is kept.
#[derive(Debug)]
pub(crate) struct PendingFile {
    storage: Storage,
    stored: String,
    file: Option<async_fs::File>,
    is_kept: bool,
}

impl Storage {
    pub fn new(folder: impl Into<PathBuf>) -> Storage {
        Storage { folder: folder.into() }
    }

    /// The path of a file; `None` for a name that this module did not create.
    pub fn path(&self, stored: &str) -> Option<PathBuf> {
        let is_own_name = stored.len() == 32 && stored.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
        is_own_name.then(|| self.folder.join(&stored[..2]).join(stored))
    }

    /// A random name, which cannot be guessed.
    fn random_name() -> Result<String> {
        let mut bytes = [0_u8; 16];
        getrandom::fill(&mut bytes).map_err(Error::internal)?;
        Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Creates a file.
    ///
    /// # Errors
    /// 503 if the disk cannot be written.
    pub async fn begin(&self) -> Result<PendingFile> {
        let stored = Storage::random_name()?;
        let path = self.path(&stored).ok_or_else(|| Error::internal("the name of a stored file is invalid"))?;
        let file = match create(&path).await {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                make_folder(path.parent().unwrap_or(&self.folder)).map_err(storage_error)?;
                create(&path).await
            }
            made => made,
        };
        Ok(PendingFile { storage: self.clone(), stored, file: Some(file.map_err(storage_error)?), is_kept: false })
    }

    /// Writes a complete file.
    ///
    /// # Errors
    /// 503 if the disk cannot be written.
    pub async fn write(&self, bytes: &[u8]) -> Result<PendingFile> {
        let mut pending = self.begin().await?;
        pending.push(bytes).await?;
        pending.end().await?;
        Ok(pending)
    }

    /// Deletes a file, if it exists.
    pub fn remove(&self, stored: &str) -> io::Result<()> {
        let Some(path) = self.path(stored) else { return Ok(()) };
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Calls `work` with the names of files that were last written before a time, once for each subfolder.
    pub fn each_folder(&self, before: SystemTime, work: &mut dyn FnMut(Vec<String>) -> Result<()>) -> Result<()> {
        let folders = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            folders => folders.map_err(Error::internal)?,
        };
        for folder in folders.flatten().filter(|it| it.file_type().is_ok_and(|kind| kind.is_dir())) {
            let Ok(files) = fs::read_dir(folder.path()) else { continue };
            let is_old = |file: &fs::DirEntry| file.metadata().and_then(|it| it.modified()).is_ok_and(|at| at < before);
            let names = files.flatten().filter(is_old).filter_map(|file| file.file_name().into_string().ok());
            let names: Vec<String> = names.filter(|name| self.path(name).is_some()).collect();
            if !names.is_empty() {
                work(names)?;
            }
        }
        Ok(())
    }
}

impl PendingFile {
    /// The name in the folder.
    pub fn stored(&self) -> &str {
        &self.stored
    }

    /// Appends bytes.
    pub async fn push(&mut self, bytes: &[u8]) -> Result<()> {
        match &mut self.file {
            Some(file) => file.write_all(bytes).await.map_err(storage_error),
            None => Err(Error::internal("a file that is closed")),
        }
    }

    /// Writes the file to the disk, so that it survives a crash of the machine.
    pub async fn end(&mut self) -> Result<()> {
        let Some(mut file) = self.file.take() else { return Ok(()) };
        file.flush().await.map_err(storage_error)?;
        file.sync_all().await.map_err(storage_error)
    }

    /// Keeps the file after the drop of this value, because `dz_files` has a row for it.
    pub fn keep(&mut self) {
        self.is_kept = true;
    }
}

impl Drop for PendingFile {
    fn drop(&mut self) {
        if !self.is_kept {
            // The worker deletes it if this fails.
            let _ = self.storage.remove(&self.stored);
        }
    }
}

async fn create(path: &Path) -> io::Result<async_fs::File> {
    let mut options = async_fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    options.mode(0o600);
    options.open(path).await
}

/// Creates a folder that other users of the machine cannot read.
fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn storage_error(error: io::Error) -> Error {
    let detail = "Files cannot be stored now; try again later";
    Error {
        retry_after: Some(30),
        internal: Some(format!("the folder of files: {error}").into()),
        ..Error::new(503, "UNAVAILABLE", detail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_generated_names_have_a_path() {
        let storage = Storage::new("/x");
        let name = Storage::random_name().unwrap();
        assert_eq!(storage.path(&name), Some(PathBuf::from(format!("/x/{}/{name}", &name[..2]))));
        assert_ne!(name, Storage::random_name().unwrap());
        for wrong in
            ["", "..", "../../etc/passwd", "/etc/passwd", &name[1..], &name.to_uppercase().replace(|c: char| c.is_ascii_digit(), "A")]
        {
            assert_eq!(storage.path(wrong), None, "{wrong}");
        }
    }
}
