//! The folder of the bytes: random names, spread over subfolders, and no way from a name of a client's to one of them.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use tokio::{fs as async_fs, io::AsyncWriteExt};

use crate::{Error, Result};

/// Where files are.
#[derive(Debug, Clone)]
pub(crate) struct Storage {
    folder: PathBuf,
}

/// A file that is being written. Unless it is kept it goes when this is dropped.
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

    /// Where the file with this name is; a name that this module did not make has no place.
    pub fn path(&self, stored: &str) -> Option<PathBuf> {
        let is_own_name = stored.len() == 32 && stored.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
        is_own_name.then(|| self.folder.join(&stored[..2]).join(stored))
    }

    /// A name that nobody can guess.
    fn random_name() -> Result<String> {
        let mut bytes = [0_u8; 16];
        getrandom::fill(&mut bytes).map_err(Error::internal)?;
        Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Begins a file.
    ///
    /// # Errors
    /// 503 when the disk takes nothing.
    pub async fn begin(&self) -> Result<PendingFile> {
        let stored = Storage::random_name()?;
        let path = self.path(&stored).ok_or_else(|| Error::internal("a name that is none"))?;
        let file = match create(&path).await {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                make_folder(path.parent().unwrap_or(&self.folder)).map_err(storage_error)?;
                create(&path).await
            }
            made => made,
        };
        Ok(PendingFile { storage: self.clone(), stored, file: Some(file.map_err(storage_error)?), is_kept: false })
    }

    /// Writes a file whole.
    ///
    /// # Errors
    /// 503 when the disk takes nothing.
    pub async fn write(&self, bytes: &[u8]) -> Result<PendingFile> {
        let mut pending = self.begin().await?;
        pending.push(bytes).await?;
        pending.end().await?;
        Ok(pending)
    }

    /// Removes a file; one that is not there is removed already.
    pub fn remove(&self, stored: &str) -> io::Result<()> {
        let Some(path) = self.path(stored) else { return Ok(()) };
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Names of files that were last written before a moment, a subfolder at a time; `work` gets those of one.
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
    /// Its name in the folder.
    pub fn stored(&self) -> &str {
        &self.stored
    }

    /// Adds bytes.
    pub async fn push(&mut self, bytes: &[u8]) -> Result<()> {
        match &mut self.file {
            Some(file) => file.write_all(bytes).await.map_err(storage_error),
            None => Err(Error::internal("a file that is closed")),
        }
    }

    /// Ends it: what was written outlives a crash of the machine.
    pub async fn end(&mut self) -> Result<()> {
        let Some(mut file) = self.file.take() else { return Ok(()) };
        file.flush().await.map_err(storage_error)?;
        file.sync_all().await.map_err(storage_error)
    }

    /// Leaves it in the folder, since an object row names it now.
    pub fn keep(&mut self) {
        self.is_kept = true;
    }
}

impl Drop for PendingFile {
    fn drop(&mut self) {
        if !self.is_kept {
            // What cannot be removed now is swept up later.
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

/// A folder that nobody else on the machine looks into.
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
    fn only_names_of_its_own_have_a_place() {
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
