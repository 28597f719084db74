//! `restore`: the files first and the database last, because an application can be started as soon as it has a database.
//!
//! While files are copied, a marker in their storage identifies the backup, so that the next run completes an interrupted one.

use std::{
    collections::BTreeMap,
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use super::{
    FILES, Manifest, Source, at, create_private_folder, database, list_files,
    manifest::Entry,
    refusal,
    remote::Remote,
    synchronise::{synchronise, synchronise_entry},
};
use crate::{
    Result,
    config::StoragePlace,
    db::{Database, DatabaseConfig, backup_lease},
    output::{log_event, show_step},
};

/// The name of the marker.
pub(super) const MARKER: &str = "restore.unfinished";
/// The end of the name of a file that is not copied completely.
const PARTIAL: &str = ".partial";

/// The stored files of a backup.
pub(super) struct StoredFiles<'m> {
    /// The folder in the backup.
    pub folder: PathBuf,
    /// By their paths relative to the folder.
    pub entries: BTreeMap<&'m str, &'m Entry>,
    /// The content of the marker.
    pub identity: String,
}

/// The storage to which files are restored.
enum Target {
    Folder(PathBuf),
    Bucket(Remote),
}

impl<'m> StoredFiles<'m> {
    fn new(folder: &Path, manifest: &'m Manifest) -> Result<StoredFiles<'m>> {
        let below = |entry: &'m Entry| Some((entry.path.strip_prefix(FILES)?.strip_prefix('/')?, entry));
        let mut entries: BTreeMap<&str, &Entry> = manifest.files.iter().filter_map(below).collect();
        // The storage of the backup had one itself.
        entries.remove(MARKER);
        Ok(StoredFiles { folder: folder.join(FILES), entries, identity: manifest.identity()? })
    }

    /// Removes a file that is in the storage already from the files that must be copied.
    ///
    /// # Errors
    /// The file is not part of the backup, or has another content.
    pub fn accept(&mut self, path: &str, found: impl FnOnce() -> Result<Entry>) -> Result<()> {
        let wrong = |how: &str| Err(refusal(format!("the stored file `{path}` {how}: restore the files to another place")));
        let Some(expected) = self.entries.get(path) else { return wrong("is not part of the backup") };
        let found = found()?;
        if (found.bytes, &found.sha256) != (expected.bytes, &expected.sha256) {
            return wrong("has another content than in the backup");
        }
        self.entries.remove(path);
        Ok(())
    }
}

impl Source {
    /// Restores a backup into an empty database and an empty storage of files. A run that was interrupted before the database was
    /// restored can be repeated.
    ///
    /// # Errors
    /// Those of [`check`](Source::check) except missing files; the database or the storage of files is not empty; the restored rows
    /// differ in number.
    pub fn restore(&self, place: &StoragePlace) -> Result<Manifest> {
        self.with_backup(place, |folder| self.restore_folder(folder))
    }

    fn restore_folder(&self, folder: &Path) -> Result<Manifest> {
        let manifest = self.check_folder(folder)?;
        self.log_missing_files(folder, &manifest)?;
        database::check_absent(self.engine, self.url())?;
        let files = StoredFiles::new(folder, &manifest)?;
        let target = match self.config.files_place(self.app) {
            StoragePlace::Folder(folder) => Target::Folder(folder),
            StoragePlace::Bucket(address) => Target::Bucket(Remote::open(&address, &self.config)?),
        };
        match &target {
            Target::Folder(folder) => restore_to_folder(files, folder)?,
            Target::Bucket(bucket) => bucket.restore_files(self.app, files)?,
        }
        show_step!("restoring the database");
        database::restore(self.engine, self.url(), &folder.join(database::file_name(self.engine)))?;
        match &target {
            Target::Folder(folder) => remove_file(&folder.join(MARKER))?,
            Target::Bucket(bucket) => bucket.remove_marker()?,
        }
        self.remove_leases();
        self.compare(&manifest)?;
        Ok(manifest)
    }

    /// Removes the lease of the backup from the restored database, which would delay deletions. It expires if this fails.
    fn remove_leases(&self) {
        let config = DatabaseConfig { url: self.url().to_owned(), size: 1, row_security: false, idle: DatabaseConfig::IDLE };
        if let Err(error) = Database::open(self.engine, &config).and_then(|db| backup_lease::remove_all(&db)) {
            let why = error.internal.as_deref().unwrap_or(&error.detail);
            log_event!(warn, target: "dz", why, "the lease of the backup was not removed; released files are deleted when it expires");
        }
    }
}

/// Copies the files of a backup to a folder, which is empty or has a part of them from an interrupted restore.
fn restore_to_folder(mut files: StoredFiles<'_>, folder: &Path) -> Result<()> {
    let marker = folder.join(MARKER);
    if fs::read_to_string(&marker).is_ok_and(|text| text == files.identity) {
        accept_files(&mut files, folder)?;
    } else if contains_files(folder) {
        return Err(refusal(format!("the folder of files `{}` is not empty: rename it first", folder.display())));
    } else if !files.entries.is_empty() {
        create_private_folder(folder)?;
        fs::write(&marker, &files.identity).map_err(at(&marker))?;
        fs::File::open(&marker).and_then(|file| file.sync_all()).map_err(at(&marker))?;
        synchronise_entry(Some(folder))?;
    }
    for (position, path) in files.entries.keys().enumerate() {
        show_step!("copying stored file {} of {}", position + 1, files.entries.len());
        copy_file(&files.folder.join(path), &folder.join(path))?;
    }
    if folder.is_dir() { synchronise(folder) } else { Ok(()) }
}

/// Accepts the files that an interrupted restore has copied, and removes those that it has not copied completely.
fn accept_files(files: &mut StoredFiles<'_>, folder: &Path) -> Result<()> {
    let mut found = Vec::new();
    list_files(folder, &PathBuf::new(), &mut found)?;
    for entry in found.into_iter().filter(|entry| entry.path != MARKER) {
        let path = entry.path.clone();
        let is_part = path.strip_suffix(PARTIAL).is_some_and(|whole| files.entries.contains_key(whole));
        if is_part && !files.entries.contains_key(path.as_str()) {
            remove_file(&folder.join(&path))?;
        } else {
            files.accept(&path, || Ok(entry))?;
        }
    }
    Ok(())
}

/// Copies a file. It gets its name when it is complete and on the disk.
fn copy_file(from: &Path, to: &Path) -> Result<()> {
    create_private_folder(to.parent().unwrap_or(to))?;
    let mut partial = to.as_os_str().to_owned();
    partial.push(PARTIAL);
    let partial = PathBuf::from(partial);
    fs::copy(from, &partial).map_err(at(&partial))?;
    fs::File::open(&partial).and_then(|file| file.sync_all()).map_err(at(&partial))?;
    fs::rename(&partial, to).map_err(at(to))
}

/// Removes a file, if it exists.
fn remove_file(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(at(path)(error)),
        _ => Ok(()),
    }
}

/// True for a folder with anything but a marker.
fn contains_files(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut files| files.any(|file| file.is_ok_and(|file| file.file_name() != MARKER)))
}
