//! The stored files of a backup: their copies, and the comparison with the names in the copied database.

use std::{collections::HashSet, fs, path::Path};

use super::{FILES, Source, at, database, manifest::Manifest, refusal, remote};
use crate::{
    Engine, Result,
    config::StoragePlace,
    db::{Database, accepts_no_changes, backup_lease::BackupLease},
    files::{self, has_files},
    output::log_event,
};

impl Source {
    /// Takes the lease during which the worker deletes no file. The database of a replica accepts none, and is copied without it.
    pub(super) fn take_lease(&self, db: &Database) -> Result<Option<BackupLease>> {
        if !has_files(self.app) {
            return Ok(None);
        }
        match BackupLease::take(db) {
            Err(error) if accepts_no_changes(&error) => {
                log_event!(warn, target: "dz", "the database accepts no changes, so files that are deleted during the backup can be missing in it");
                Ok(None)
            }
            taken => taken.map(Some),
        }
    }

    /// The places of stored files: during a relocation there are two.
    fn file_places(&self) -> Vec<StoragePlace> {
        [Some(self.config.files_place(self.app)), self.config.settings.files_before.clone()].into_iter().flatten().collect()
    }

    /// Copies the stored files to the folder of a backup. It calls `renew` before each file.
    pub(super) fn copy_files(&self, to: &Path, renew: &dyn Fn()) -> Result<()> {
        let copy = |place: StoragePlace| match place {
            StoragePlace::Folder(folder) => copy_folder(&folder, to, renew),
            StoragePlace::Bucket(address) => remote::Remote::open(&address, &self.config)?.download_files(to, renew),
        };
        // A file that is relocated in the meantime is in the first place at the end.
        let places = self.file_places();
        let again = if places.len() > 1 { places.first().cloned() } else { None };
        places.into_iter().chain(again).try_for_each(copy)
    }

    /// The files that the copied database names and the backup does not have. Only a copy of SQLite can be read.
    fn find_missing_files(&self, folder: &Path, manifest: &Manifest) -> Result<Vec<String>> {
        if self.engine != Engine::Sqlite || !has_files(self.app) {
            return Ok(Vec::new());
        }
        let present: HashSet<&str> = manifest.files.iter().map(|file| file.path.as_str()).collect();
        let named = database::find_attached_in_copy(&folder.join(database::file_name(self.engine)))?;
        let paths = named.into_iter().map(|stored| format!("{FILES}/{}", files::relative_path(&stored)));
        Ok(paths.filter(|path| !present.contains(path.as_str())).collect())
    }

    /// Logs the files that the copied database names and the backup does not have. The backup is kept: a file that was lost before must
    /// not prevent backups of the others.
    pub(super) fn log_missing_files(&self, folder: &Path, manifest: &Manifest) -> Result<()> {
        let missing = self.find_missing_files(folder, manifest)?;
        if let Some(first) = missing.first() {
            log_event!(warn, target: "dz", files = missing.len(), first, "the database names files that the backup does not have");
        }
        Ok(())
    }

    /// Refuses a backup without a file that its database names.
    pub(super) fn check_stored_files(&self, folder: &Path, manifest: &Manifest) -> Result<()> {
        let missing = self.find_missing_files(folder, manifest)?;
        let Some(first) = missing.first() else { return Ok(()) };
        let others = match missing.len() - 1 {
            0 => String::new(),
            others => format!(" and {others} more"),
        };
        Err(refusal(format!("the backup is incomplete: its database names `{first}`{others}, which it does not have; use another backup")))
    }
}

/// Copies a folder with its subfolders. A folder that does not exist has no files.
fn copy_folder(from: &Path, to: &Path, renew: &dyn Fn()) -> Result<()> {
    let entries = match fs::read_dir(from) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(at(from))?,
    };
    fs::create_dir_all(to).map_err(at(to))?;
    for entry in entries {
        let source = entry.map_err(at(from))?.path();
        let target = to.join(source.file_name().unwrap_or_default());
        if source.is_dir() {
            copy_folder(&source, &target, renew)?;
            continue;
        }
        renew();
        match fs::copy(&source, &target) {
            // It was deleted or relocated after its folder was read. `find_missing_files` finds it if the copied database names it.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            done => drop(done.map_err(at(&target))?),
        }
    }
    Ok(())
}
