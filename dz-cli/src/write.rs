//! Files are written completely or not at all.

use std::{
    fs,
    io::{ErrorKind, Write},
    path::Path,
};

/// Replaces the content of a file, or creates it: a new file beside it takes its place, with its permissions. Messages use `name`.
pub fn replace(path: &Path, name: &str, text: &str) -> Result<(), String> {
    let write = || {
        let permissions = match fs::metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            metadata => Some(metadata?.permissions()),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".dz-");
        // A new file gets the permissions that every program gives one.
        #[cfg(unix)]
        if permissions.is_none() {
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        }
        let mut file = builder.tempfile_in(path.parent().unwrap_or(Path::new(".")))?;
        file.write_all(text.as_bytes())?;
        if let Some(permissions) = permissions {
            file.as_file().set_permissions(permissions)?;
        }
        file.as_file().sync_all()?;
        file.persist(path).map(drop).map_err(|error| error.error)
    };
    write().map_err(|error| format!("{name} cannot be written: {error}"))
}
