//! The folder of file contents: random names in subfolders, which do not depend on names from clients.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use tokio::{fs as async_fs, io::AsyncWriteExt};

use super::storage::{StoredEntry, is_stored_name};
use crate::{Error, Result};

/// The folder of file contents.
#[derive(Debug, Clone)]
pub(crate) struct Folder {
    path: PathBuf,
}

/// A file that is being written.
#[derive(Debug)]
pub(super) struct FolderFile {
    file: Option<async_fs::File>,
    /// The name that a copy gets when it is complete, so that no reader finds a part of it.
    complete: Option<(PathBuf, PathBuf)>,
}

impl Folder {
    pub fn new(path: impl Into<PathBuf>) -> Folder {
        Folder { path: path.into() }
    }

    /// The path of the folder.
    pub fn root(&self) -> &Path {
        &self.path
    }

    /// The path of a file; `None` for a name that dz did not create.
    pub fn path(&self, stored: &str) -> Option<PathBuf> {
        is_stored_name(stored).then(|| self.path.join(&stored[..2]).join(stored))
    }

    fn own_path(&self, stored: &str) -> Result<PathBuf> {
        self.path(stored).ok_or_else(|| Error::internal("the name of a stored file is invalid"))
    }

    /// Creates a file with a new name.
    pub(super) async fn begin(&self, stored: &str) -> Result<FolderFile> {
        let path = self.own_path(stored)?;
        let mut options = private_file();
        options.create_new(true);
        Ok(FolderFile { file: Some(self.open(&options, &path).await?), complete: None })
    }

    /// Creates the copy of a file of another storage, which replaces the rest of an interrupted one.
    pub(super) async fn begin_copy(&self, stored: &str) -> Result<FolderFile> {
        let path = self.own_path(stored)?;
        let partial = path.with_extension("partial");
        let mut options = private_file();
        options.create(true).truncate(true);
        Ok(FolderFile { file: Some(self.open(&options, &partial).await?), complete: Some((partial, path)) })
    }

    async fn open(&self, options: &async_fs::OpenOptions, path: &Path) -> Result<async_fs::File> {
        let file = match options.open(path).await {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                make_folder(path.parent().unwrap_or(&self.path)).map_err(storage_error)?;
                options.open(path).await
            }
            opened => opened,
        };
        file.map_err(storage_error)
    }

    /// Opens a file; `None` if it does not exist.
    pub(super) async fn open_file(&self, stored: &str) -> Result<Option<(async_fs::File, u64)>> {
        let path = self.own_path(stored)?;
        let unreadable = |error: io::Error| Error::internal(format_args!("the file {} cannot be read: {error}", path.display()));
        match async_fs::File::open(&path).await {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(unreadable(error)),
            Ok(file) => {
                let size = file.metadata().await.map_err(unreadable)?.len();
                Ok(Some((file, size)))
            }
        }
    }

    /// Deletes a file, if it exists.
    pub fn remove(&self, stored: &str) -> io::Result<()> {
        let Some(path) = self.path(stored) else { return Ok(()) };
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Calls `work` with the files of each subfolder.
    pub(super) fn each_page(&self, work: &mut dyn FnMut(Vec<StoredEntry>) -> Result<()>) -> Result<()> {
        let unreadable = |error: io::Error| Error::internal(format_args!("the folder {} cannot be read: {error}", self.path.display()));
        let folders = match fs::read_dir(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            folders => folders.map_err(unreadable)?,
        };
        for folder in folders.flatten().filter(|it| it.file_type().is_ok_and(|kind| kind.is_dir())) {
            let Ok(files) = fs::read_dir(folder.path()) else { continue };
            let entry = |file: fs::DirEntry| {
                let (name, metadata) = (file.file_name().into_string().ok()?, file.metadata().ok()?);
                self.path(&name)?;
                Some(StoredEntry { name, size: metadata.len(), changed: metadata.modified().ok()?.into() })
            };
            let page: Vec<StoredEntry> = files.flatten().filter_map(entry).collect();
            if !page.is_empty() {
                work(page)?;
            }
        }
        Ok(())
    }
}

impl FolderFile {
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
        file.sync_all().await.map_err(storage_error)?;
        match self.complete.take() {
            Some((partial, path)) => async_fs::rename(partial, path).await.map_err(storage_error),
            None => Ok(()),
        }
    }
}

impl Drop for FolderFile {
    fn drop(&mut self) {
        if let Some((partial, _)) = &self.complete {
            // The next run of the command replaces it if this fails.
            let _ = fs::remove_file(partial);
        }
    }
}

fn private_file() -> async_fs::OpenOptions {
    let mut options = async_fs::OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    options.mode(0o600);
    options
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
    use crate::files::storage::random_name;

    #[test]
    fn only_generated_names_have_a_path() {
        let folder = Folder::new("/x");
        let name = random_name().unwrap();
        assert_eq!(folder.path(&name), Some(PathBuf::from(format!("/x/{}/{name}", &name[..2]))));
        assert_ne!(name, random_name().unwrap());
        for wrong in
            ["", "..", "../../etc/passwd", "/etc/passwd", &name[1..], &name.to_uppercase().replace(|c: char| c.is_ascii_digit(), "A")]
        {
            assert_eq!(folder.path(wrong), None, "{wrong}");
        }
    }
}
