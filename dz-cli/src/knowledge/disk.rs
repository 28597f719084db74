//! The files of a project, for a session of the knowledge graph.

use std::{
    fs::{self, File, TryLockError},
    io::{Write, stderr},
    path::{Path, PathBuf},
    thread::sleep,
    time::{Duration, Instant},
};

use chrono::{SecondsFormat, Utc};
use dz_dsl_file::{Diagnostic, SourceMap, decode};
use dz_knowledge::{Host, Imports, Loaded};
use serde_json::Value;

use super::Stamp;
use crate::{
    findings::Findings,
    output::put,
    sources::{Listing, Sources},
};

/// The largest file that can be imported, in bytes.
const LARGEST: u64 = 64 << 20;

/// The time limit for the lock of the imports.
const PATIENCE: Duration = Duration::from_secs(5);

/// The pause between two attempts to lock the imports.
const PAUSE: Duration = Duration::from_millis(5);

/// The files of a project.
pub struct Disk {
    listing: Listing,
    root: PathBuf,
    /// True if only folders of the project can be indexed.
    confined: bool,
    /// The declarations, if they were read just before.
    provided: Option<Loaded>,
}

impl Disk {
    /// The files of a project.
    pub fn new(listing: Listing) -> Disk {
        let root = if listing.root.as_os_str().is_empty() { Path::new(".") } else { listing.root.as_path() };
        let root = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
        Disk { listing, root, confined: false, provided: None }
    }

    /// Refuses other folders: a program of another user of the machine can call the server, and must not read files of this user.
    #[cfg(feature = "mcp")]
    pub fn confine(&mut self) {
        self.confined = true;
    }

    /// Sets the declarations that the next call of `load` returns.
    #[cfg(feature = "mcp")]
    pub fn provide(&mut self, loaded: Loaded) {
        self.provided = Some(loaded);
    }

    /// The files that `dz.toml` names at present.
    pub fn again(&self) -> Result<Disk, String> {
        let again = self.listing.again().map(Disk::new)?;
        Ok(Disk { confined: self.confined, ..again })
    }

    /// Reads the declarations.
    pub fn load_own(&self) -> Result<Loaded, String> {
        let sources = self.listing.load()?;
        Ok(Loaded { root: self.root.display().to_string(), files: self.named(&sources) })
    }

    /// The declarations with the present texts of the files that changed; `None` if the files or the settings are others.
    #[cfg(feature = "mcp")]
    pub fn load_changed(&self, loaded: &Loaded, before: &[Stamp], now: &[Stamp]) -> Result<Option<Loaded>, String> {
        let is_declaration = |stamp: &&Stamp| stamp.0.extension().is_none_or(|it| it != "toml");
        let same_files = before.len() == now.len() && before.iter().zip(now).all(|(before, now)| before.0 == now.0);
        let same_settings = before.iter().filter(|it| !is_declaration(it)).eq(now.iter().filter(|it| !is_declaration(it)));
        if !same_files || !same_settings || loaded.files.files().count() != now.iter().filter(is_declaration).count() {
            return Ok(None);
        }
        let mut changed = Loaded { root: loaded.root.clone(), files: loaded.files.clone() };
        for ((id, file), (_, now)) in loaded.files.files().zip(before.iter().zip(now)).filter(|(_, (before, now))| before != now) {
            let bytes = fs::read(&now.0).map_err(|error| format!("{} cannot be read: {error}", file.name))?;
            changed.files.replace(id, decode(&file.name, bytes)?);
        }
        Ok(Some(changed))
    }

    /// The texts with names relative to the project. A project without a declaration has an empty one, so that every finding has a place.
    fn named(&self, sources: &Sources) -> SourceMap {
        let mut files = SourceMap::default();
        if sources.files.files().next().is_none() {
            files.add("app.dsl", "");
        }
        for (id, file) in sources.files.files() {
            let inside = sources.place(id).and_then(|path| path.strip_prefix(&self.root).ok());
            files.add(inside.map_or_else(|| file.name.clone(), |path| path.display().to_string()), file.text.as_str());
        }
        files
    }

    /// The present state of the declarations.
    pub fn stamps(&self) -> Result<Vec<Stamp>, String> {
        let files = self.listing.files()?.into_iter().map(|(_, real)| real);
        let settings = self.root.join("dz.toml");
        Ok(files.chain(settings.exists().then_some(settings)).filter_map(|path| stamp(&path)).collect())
    }

    /// The files of the declaration, as absolute paths.
    #[cfg(feature = "mcp")]
    pub fn files(&self) -> Result<Vec<PathBuf>, String> {
        Ok(self.listing.files()?.into_iter().map(|(_, real)| real).collect())
    }

    fn kept_file(&self) -> PathBuf {
        self.root.join(".dz").join("knowledge.json")
    }

    /// The present state of the file of imports.
    pub fn imports_stamp(&self) -> Option<Stamp> {
        stamp(&self.kept_file())
    }

    /// Locks the folder of the project against imports of other processes, until the file is dropped; `None` where folders have no locks.
    pub fn lock(&self) -> Result<Option<File>, String> {
        let Ok(folder) = File::open(&self.root) else { return Ok(None) };
        let start = Instant::now();
        loop {
            match folder.try_lock() {
                Ok(()) => return Ok(Some(folder)),
                Err(TryLockError::WouldBlock) if start.elapsed() < PATIENCE => sleep(PAUSE),
                Err(TryLockError::WouldBlock) => return Err("another process is importing data; try again later".to_owned()),
                Err(TryLockError::Error(_)) => return Ok(None),
            }
        }
    }

    /// Reads the imports. A file that cannot be read is reported, and adds no nodes.
    pub fn read_stored(&self) -> Imports {
        let path = self.kept_file();
        if !path.exists() {
            return Imports::default();
        }
        // Other kinds of files can have no end.
        let text = match path.is_file() {
            true => fs::read_to_string(&path).map_err(|error| error.to_string()),
            false => Err("it is not a file".to_owned()),
        };
        text.and_then(|text| Imports::read(&text)).unwrap_or_else(|error| {
            put(stderr(), &format!("warning: .dz/knowledge.json cannot be read: {error}; imported data is not loaded\n"));
            Imports::default()
        })
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = fs::metadata(path).ok()?;
    Some((path.to_path_buf(), metadata.len(), metadata.modified().ok()))
}

impl Host for Disk {
    fn load(&mut self, root: Option<&str>) -> Result<Loaded, String> {
        if let Some(root) = root {
            let path = self.root.join(root);
            if !path.is_dir() {
                return Err(format!("`root_path` is not a folder: {root}"));
            }
            let path = path.canonicalize().map_err(|error| format!("{root} cannot be read: {error}"))?;
            if self.confined && !path.starts_with(&self.root) {
                return Err(format!("`root_path` is outside the project: {root}; over HTTP, only folders of the project can be indexed"));
            }
            let listing = Listing::in_folder(&path)?;
            let other = Disk { root: path, listing, confined: self.confined, provided: None };
            let loaded = other.load_own()?;
            *self = other;
            return Ok(loaded);
        }
        self.provided.take().map_or_else(|| self.load_own(), Ok)
    }

    fn read(&mut self, path: &str) -> Result<String, String> {
        let real = self.root.join(path).canonicalize().map_err(|_| format!("there is no file `{path}` in the project"))?;
        if !real.starts_with(&self.root) {
            return Err(format!("`{path}` is outside the project"));
        }
        let metadata = fs::metadata(&real).map_err(|error| format!("`{path}` cannot be read: {error}"))?;
        if !metadata.is_file() {
            return Err(format!("`{path}` is not a file"));
        }
        if metadata.len() > LARGEST {
            return Err(format!("`{path}` is larger than {} MB", LARGEST >> 20));
        }
        let bytes = fs::read(&real).map_err(|error| format!("`{path}` cannot be read: {error}"))?;
        String::from_utf8(bytes).map_err(|_| format!("`{path}` is not UTF-8"))
    }

    fn read_imports(&mut self) -> Imports {
        self.read_stored()
    }

    fn store_imports(&mut self, imports: &Imports) -> Result<(), String> {
        let path = self.kept_file();
        let folder = self.root.join(".dz");
        let write = || {
            fs::create_dir_all(&folder)?;
            let mut file = tempfile::Builder::new().prefix(".knowledge-").tempfile_in(&folder)?;
            file.write_all(imports.text().as_bytes())?;
            file.as_file().sync_all()?;
            file.persist(&path).map(drop).map_err(|error| error.error)
        };
        write().map_err(|error: std::io::Error| format!(".dz/knowledge.json cannot be written: {error}"))
    }

    fn now(&self) -> String {
        Utc::now().to_rfc3339_opts(SecondsFormat::Secs, true)
    }

    fn findings(&self, files: &SourceMap, found: &[Diagnostic]) -> Value {
        Findings::new(files, found, &self.listing.settings, false).json(None)
    }
}
