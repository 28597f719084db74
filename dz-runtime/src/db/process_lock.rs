//! Locks between the processes that use one file of SQLite: files beside it, whose locks end with their process. PostgreSQL has locks
//! of its own.

use std::{
    fs::{File, OpenOptions, TryLockError},
    path::{Path, PathBuf},
};

use crate::{Error, Result};

/// A lock, which ends with this value; `None` for a database that needs none.
#[derive(Debug)]
pub(crate) struct ProcessLock {
    _file: Option<File>,
}

/// The files of the locks of a database.
#[derive(Debug, Clone)]
pub(super) struct LockFiles(Option<PathBuf>);

impl LockFiles {
    /// The files beside this database; a database in memory, or on a server, has none.
    pub(super) fn beside(database: Option<&Path>) -> LockFiles {
        LockFiles(database.map(|path| path.canonicalize().unwrap_or_else(|_| path.to_owned())))
    }

    fn open(&self, what: &str) -> Result<Option<File>> {
        let Some(database) = &self.0 else { return Ok(None) };
        let mut path = database.clone().into_os_string();
        path.push(format!("-{what}"));
        let opened = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        opened.map(Some).map_err(|error| refuse(Path::new(&path), &error))
    }

    /// The lock of this name; `None` while another process, or another thread of this one, holds it.
    pub(super) fn try_lock(&self, what: &str) -> Result<Option<ProcessLock>> {
        let Some(file) = self.open(what)? else { return Ok(Some(ProcessLock { _file: None })) };
        match file.try_lock() {
            Ok(()) => Ok(Some(ProcessLock { _file: Some(file) })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(refuse(Path::new(what), &error)),
        }
    }

    /// The lock of this name that any number of processes hold.
    pub(super) fn lock_shared(&self, what: &str) -> Result<ProcessLock> {
        let file = self.open(what)?;
        if let Some(file) = &file {
            file.lock_shared().map_err(|error| refuse(Path::new(what), &error))?;
        }
        Ok(ProcessLock { _file: file })
    }
}

fn refuse(path: &Path, error: &std::io::Error) -> Error {
    Error::new(500, "DATABASE", format!("cannot lock `{}` ({error}): check the directory of the database", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_ends_with_its_value_and_shared_locks_exclude_it() {
        let folder = std::env::temp_dir().join(format!("dz-locks-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let files = LockFiles::beside(Some(&folder.join("a.db")));
        let lock = |what: &str| files.try_lock(what).expect("no error");
        let first = lock("one");
        assert!(first.is_some() && lock("one").is_none() && lock("other").is_some());
        drop(first);
        let shared = [files.lock_shared("one").expect("a lock"), files.lock_shared("one").expect("a lock")];
        assert!(lock("one").is_none());
        drop(shared);
        assert!(lock("one").is_some());
        let none = LockFiles::beside(None);
        assert!(none.try_lock("one").is_ok_and(|lock| lock.is_some()));
    }
}
