//! Writes files and folders to the disk, so that a crash of the machine cannot leave a backup with its name and without its content.

use std::{
    fs::{self, File},
    path::Path,
};

use super::at;
use crate::Result;

/// Writes every file below a folder, and the folder itself, to the disk.
///
/// # Errors
/// A file cannot be opened or written; the error names it.
pub(super) fn synchronise(folder: &Path) -> Result<()> {
    for entry in fs::read_dir(folder).map_err(at(folder))? {
        let path = entry.map_err(at(folder))?.path();
        if path.is_dir() {
            synchronise(&path)?;
        } else {
            File::open(&path).and_then(|file| file.sync_all()).map_err(at(&path))?;
        }
    }
    synchronise_entry(Some(folder))
}

/// Writes the names in a folder to the disk. Only Unix opens a folder like a file.
///
/// # Errors
/// The folder cannot be opened or written; the error names it.
pub(super) fn synchronise_entry(folder: Option<&Path>) -> Result<()> {
    let Some(folder) = folder.filter(|_| cfg!(unix)) else { return Ok(()) };
    // A relative path of one name has an empty parent.
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    File::open(folder).and_then(|file| file.sync_all()).map_err(at(folder))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_visited_and_named_in_an_error() {
        let root = std::env::temp_dir().join(format!("dz-synchronise-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(root.join("files/ab")).expect("a folder");
        fs::write(root.join("files/ab/photo"), "x").expect("a file");
        assert!(synchronise(&root).is_ok() && synchronise_entry(Some(Path::new(""))).is_ok());
        // A link without a target cannot be opened.
        std::os::unix::fs::symlink("nowhere", root.join("files/ab/broken")).expect("a link");
        let refused = synchronise(&root).expect_err("a file that cannot be opened");
        assert!(refused.detail.contains("files/ab/broken"), "{}", refused.detail);
        fs::remove_dir_all(&root).expect("removed");
    }
}
