//! Folders that a backup writes: a file in each of them shows that it is one, and its lock, which ends with the process, that the backup
//! still runs.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::ErrorKind,
    path::{Path, PathBuf},
};

use super::{Manifest, at, create_private_folder, refusal, remove_folder};
use crate::{Error, Result, output::log_event};

/// The name of the file.
pub(super) const LOCK: &str = "backup.lock";

/// A folder that is being written.
pub(super) struct PartialFolder {
    lock: PathBuf,
    _file: File,
}

/// What a folder is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum State {
    Absent,
    /// A backup was interrupted in it.
    Interrupted,
    /// A backup runs in it.
    Running,
    /// It is not of a backup.
    Foreign,
}

/// Finds out what a folder is.
///
/// # Errors
/// The folder cannot be read.
pub(super) fn state(folder: &Path) -> Result<State> {
    match fs::symlink_metadata(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(State::Absent),
        Err(error) => return Err(at(folder)(error)),
        Ok(metadata) if !metadata.is_dir() => return Ok(State::Foreign),
        Ok(_) => {}
    }
    let lock = folder.join(LOCK);
    match OpenOptions::new().write(true).open(&lock) {
        Ok(file) => Ok(if is_locked(&file) { State::Running } else { State::Interrupted }),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let is_empty = fs::read_dir(folder).map_err(at(folder))?.next().is_none();
            // The file is removed before a complete backup gets its name.
            Ok(if is_empty || Manifest::read(folder).is_ok() { State::Interrupted } else { State::Foreign })
        }
        Err(error) => Err(at(&lock)(error)),
    }
}

/// Locks a file, unless another process has locked it. A file system without locks permits both.
fn is_locked(file: &File) -> bool {
    matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

impl PartialFolder {
    /// Creates a folder, in place of one in which a backup was interrupted.
    ///
    /// # Errors
    /// There is another folder of this name, or a backup runs in it.
    pub fn create(folder: &Path) -> Result<PartialFolder> {
        let name = folder.display();
        match state(folder)? {
            State::Absent => {}
            State::Interrupted => remove_folder(folder)?,
            State::Running => return Err(refusal(format!("another backup is being written to `{name}`: wait for its end"))),
            State::Foreign => return Err(refusal(format!("`{name}` is not the folder of a backup: rename it, or name another folder"))),
        }
        create_private_folder(folder)?;
        let lock = folder.join(LOCK);
        let file = OpenOptions::new().write(true).create_new(true).open(&lock).map_err(at(&lock))?;
        match is_locked(&file) {
            true => Err(refusal(format!("another backup is being written to `{name}`: wait for its end"))),
            false => Ok(PartialFolder { lock, _file: file }),
        }
    }

    /// Removes the file from a complete backup.
    pub fn complete(self) -> Result<()> {
        fs::remove_file(&self.lock).map_err(at(&self.lock))
    }
}

/// Runs `work` with a temporary folder that does not exist yet, and removes it. Folders that earlier runs of the application have left
/// are removed first.
pub(super) fn with_temporary_folder<T>(app: &str, work: impl FnOnce(&Path) -> Result<T>) -> Result<T> {
    let (all, prefix) = (std::env::temp_dir(), format!("dz-backup-{app}-"));
    remove_interrupted(&all, &prefix);
    let mut random = [0_u8; 8];
    getrandom::fill(&mut random).map_err(Error::internal)?;
    let folder = all.join(format!("{prefix}{:016x}", u64::from_le_bytes(random)));
    let _running = PartialFolder::create(&folder)?;
    let result = work(&folder.join("content"));
    remove_folder(&folder)?;
    result
}

/// Removes the temporary folders of backups that were interrupted. A backup does not fail because of another one.
fn remove_interrupted(all: &Path, prefix: &str) {
    for entry in fs::read_dir(all).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_named = entry.file_name().to_str().is_some_and(|name| name.starts_with(prefix));
        // Without the file, another process is about to create it.
        let is_left = is_named && path.join(LOCK).is_file() && state(&path).is_ok_and(|state| state == State::Interrupted);
        if is_left && let Err(error) = remove_folder(&path) {
            log_event!(warn, target: "dz", why = %error.detail, "the temporary folder of an earlier backup was not removed");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_of_interrupted_backups_are_replaced() {
        let root = std::env::temp_dir().join(format!("dz-partial-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(&root).expect("a folder");
        let (folder, what) = (root.join("dz-backup-shop-1"), |folder: &Path| state(folder).expect("a state"));
        assert_eq!(what(&folder), State::Absent);
        let running = PartialFolder::create(&folder).expect("a folder");
        assert_eq!(what(&folder), State::Running);
        let refused = PartialFolder::create(&folder).map(drop).expect_err("a running backup");
        assert!(refused.detail.contains("another backup"), "{}", refused.detail);
        remove_interrupted(&root, "dz-backup-shop-");
        assert!(folder.exists(), "it runs");
        drop(running);
        assert_eq!(what(&folder), State::Interrupted);
        remove_interrupted(&root, "dz-backup-market-");
        assert!(folder.exists(), "of another application");
        remove_interrupted(&root, "dz-backup-shop-");
        assert!(!folder.exists());
        let foreign = root.join("foreign");
        fs::create_dir_all(&foreign).expect("a folder");
        assert_eq!(what(&foreign), State::Interrupted, "an empty folder has nothing to lose");
        fs::write(foreign.join("letter"), "x").expect("a file");
        let refused = PartialFolder::create(&foreign).map(drop).expect_err("a folder of something else");
        assert!(refused.detail.contains("is not the folder of a backup") && foreign.join("letter").exists(), "{}", refused.detail);
        fs::remove_dir_all(&root).expect("removed");
    }
}
