//! Files are replaced completely or not at all.

use std::{fs, io::Write, path::Path};

/// Replaces the content of a file: a new file beside it takes its place, with its permissions. Messages use `name`.
pub fn replace(path: &Path, name: &str, text: &str) -> Result<(), String> {
    let write = || {
        let permissions = fs::metadata(path)?.permissions();
        let mut file = tempfile::Builder::new().prefix(".dz-").tempfile_in(path.parent().unwrap_or(Path::new(".")))?;
        file.write_all(text.as_bytes())?;
        file.as_file().set_permissions(permissions)?;
        file.as_file().sync_all()?;
        file.persist(path).map(drop).map_err(|error| error.error)
    };
    write().map_err(|error| format!("{name} cannot be written: {error}"))
}
