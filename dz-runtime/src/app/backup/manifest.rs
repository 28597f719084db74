//! `backup.json`: the contents of a backup, with the size and the checksum of each file.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::Read as _,
    path::{Path, PathBuf},
};

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{at, list_files, partial::LOCK, refusal};
use crate::{Engine, Result};

/// The name of the file.
pub(super) const NAME: &str = "backup.json";

/// The version of the form of this file.
const VERSION: u32 = 1;

/// The number of rows of each table.
pub(super) type Tables = BTreeMap<String, u64>;

/// The content of a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    version: u32,
    pub application: String,
    pub engine: String,
    pub created_at: String,
    /// The rows of each entity; empty for PostgreSQL, whose dump is verified by `pg_restore`.
    pub tables: Tables,
    pub files: Vec<Entry>,
}

/// A file of a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// Relative to the folder, with `/` between folders.
    pub path: String,
    pub bytes: u64,
    /// In hexadecimal.
    pub sha256: String,
}

/// The name of an engine in a manifest.
pub(super) fn engine_name(engine: Engine) -> &'static str {
    match engine {
        Engine::Sqlite => "SQLite",
        Engine::Postgres => "PostgreSQL",
    }
}

impl Entry {
    /// Reads a file of a backup.
    pub(super) fn describe(root: &Path, path: &Path) -> Result<Entry> {
        let full = root.join(path);
        let mut file = File::open(&full).map_err(at(&full))?;
        let mut hash = Sha256::new();
        let mut buffer = vec![0; 1 << 16];
        let mut bytes = 0;
        loop {
            let read = file.read(&mut buffer).map_err(at(&full))?;
            if read == 0 {
                break;
            }
            bytes += read as u64;
            hash.update(&buffer[..read]);
        }
        let sha256 = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
        Ok(Entry { path: parts.join("/"), bytes, sha256 })
    }
}

impl Manifest {
    /// Describes the files of a folder.
    pub(super) fn describe(application: &str, engine: Engine, now: DateTime<Utc>, tables: Tables, folder: &Path) -> Result<Manifest> {
        Ok(Manifest {
            version: VERSION,
            application: application.to_owned(),
            engine: engine_name(engine).to_owned(),
            created_at: now.to_rfc3339_opts(SecondsFormat::Secs, true),
            tables,
            files: read_files(folder)?,
        })
    }

    /// The size of all files together.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }

    /// A text that only this backup has.
    pub(super) fn identity(&self) -> Result<String> {
        let text = serde_json::to_string(self).map_err(crate::Error::internal)?;
        Ok(Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Writes the manifest, last of all files.
    pub(super) fn write(&self, folder: &Path) -> Result<()> {
        let path = folder.join(NAME);
        let text = serde_json::to_string_pretty(self).map_err(crate::Error::internal)?;
        fs::write(&path, text + "\n").map_err(at(&path))
    }

    /// Reads the manifest of a backup.
    pub(super) fn read(folder: &Path) -> Result<Manifest> {
        let path = folder.join(NAME);
        let text = fs::read_to_string(&path)
            .map_err(|error| refusal(format!("`{}` is not a complete backup: `{NAME}`: {error}", folder.display())))?;
        let manifest: Manifest =
            serde_json::from_str(&text).map_err(|error| refusal(format!("`{}` cannot be parsed: {error}", path.display())))?;
        if manifest.version != VERSION {
            return Err(refusal(format!("the backup has version {}, and this application reads version {VERSION}", manifest.version)));
        }
        Ok(manifest)
    }

    /// Compares the files of a folder with the manifest.
    pub(super) fn verify(&self, folder: &Path) -> Result<()> {
        let found = read_files(folder)?;
        let differs = |path: &str, how: &str| Err(refusal(format!("the backup is damaged: `{path}` {how}; use another backup")));
        let mut unknown: BTreeMap<&str, &Entry> = found.iter().map(|file| (file.path.as_str(), file)).collect();
        for expected in &self.files {
            match unknown.remove(expected.path.as_str()) {
                None => return differs(&expected.path, "is missing"),
                Some(file) if file != expected => return differs(&expected.path, "has another content"),
                Some(_) => {}
            }
        }
        match unknown.keys().next() {
            Some(path) => differs(path, "is not part of it"),
            None => Ok(()),
        }
    }
}

/// The files of a backup except its manifest and its lock, sorted by path.
fn read_files(folder: &Path) -> Result<Vec<Entry>> {
    let mut files = Vec::new();
    list_files(folder, &PathBuf::new(), &mut files)?;
    files.retain(|file| file.path != NAME && file.path != LOCK);
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}
