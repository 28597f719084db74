//! The knowledge graph of a project: reads its files, stores imports, and detects changes.

mod disk;

#[cfg(feature = "mcp")]
use std::time::Duration;
use std::{path::PathBuf, time::SystemTime};

use dz_knowledge::{Failure, Session};
use serde_json::Value;

use self::disk::Disk;
use crate::sources::Listing;

/// A file at the time of reading: its path, its size, and the time of its last change.
type Stamp = (PathBuf, u64, Option<SystemTime>);

/// The longest time between two changes that can have the same stamp.
#[cfg(feature = "mcp")]
const SHORT: Duration = Duration::from_secs(2);

/// A session over the files of a project.
pub struct Project {
    session: Session,
    disk: Disk,
    /// The declarations at the time of reading.
    stamps: Vec<Stamp>,
    /// A time before the reading.
    #[cfg(feature = "mcp")]
    read_at: SystemTime,
    /// The file of imports at the time of reading.
    imports: Option<Stamp>,
}

impl Project {
    /// Reads a project.
    ///
    /// # Errors
    /// One sentence that names the file that cannot be read.
    pub fn open(listing: Listing) -> Result<Project, String> {
        let disk = Disk::new(listing);
        #[cfg(feature = "mcp")]
        let read_at = SystemTime::now();
        let (stamps, imports) = (disk.stamps()?, disk.imports_stamp());
        let session = Session::new(disk.load_own()?, disk.read_stored());
        Ok(Project {
            session,
            disk,
            stamps,
            #[cfg(feature = "mcp")]
            read_at,
            imports,
        })
    }

    /// Refuses folders outside of the project.
    #[cfg(feature = "mcp")]
    pub fn confine(&mut self) {
        self.disk.confine();
    }

    /// Reads the files that changed since the last call.
    ///
    /// # Errors
    /// One sentence that names the file that cannot be read.
    #[cfg(feature = "mcp")]
    pub fn refresh(&mut self) -> Result<(), String> {
        self.read_changes(&self.stamps.clone())
    }

    /// Reads the files whose stamps are not `before`.
    #[cfg(feature = "mcp")]
    fn read_changes(&mut self, before: &[Stamp]) -> Result<(), String> {
        let now = SystemTime::now();
        let stamps = self.disk.stamps()?;
        if stamps != before {
            self.read_at = now;
            match self.disk.load_changed(self.session.loaded(), before, &stamps)? {
                Some(loaded) => {
                    self.session.reload(loaded);
                    self.stamps = stamps;
                }
                None => {
                    self.disk = self.disk.again()?;
                    self.stamps = self.disk.stamps()?;
                    self.session.forget_findings();
                    self.session.reload(self.disk.load_own()?);
                }
            }
        }
        self.refresh_imports();
        Ok(())
    }

    /// The stamps without those of files that changed shortly before they were read: a second change can have the same stamp.
    #[cfg(feature = "mcp")]
    fn certain_stamps(&self) -> Vec<Stamp> {
        let is_certain = |at: SystemTime| self.read_at.duration_since(at).is_ok_and(|age| age > SHORT);
        let is_setting = |path: &PathBuf| path.extension().is_some_and(|it| it == "toml");
        let stamp = |(path, size, at): &Stamp| (path.clone(), *size, at.filter(|at| is_setting(path) || is_certain(*at)));
        self.stamps.iter().map(stamp).collect()
    }

    /// Reads the imports again if another process changed them.
    fn refresh_imports(&mut self) {
        let imports = self.disk.imports_stamp();
        if imports != self.imports {
            self.imports = imports;
            self.session.set_imports(self.disk.read_stored());
        }
    }

    /// The files of the declaration, as absolute paths.
    ///
    /// # Errors
    /// One sentence that names the path that cannot be read.
    #[cfg(feature = "mcp")]
    pub fn files(&self) -> Result<Vec<PathBuf>, String> {
        self.disk.files()
    }

    /// Answers a call.
    ///
    /// # Errors
    /// The cause, with the nearest known word if there is one.
    pub fn call(&mut self, operation: &str, parameters: &Value) -> Result<Value, Failure> {
        if !matches!(operation, "populate" | "import") {
            return self.session.call(operation, parameters, &mut self.disk);
        }
        // The imports of other processes are read before new ones are stored, and no other process stores any in between.
        let _lock = self.disk.lock().map_err(Failure::content)?;
        self.refresh_imports();
        #[cfg(feature = "mcp")]
        if operation == "populate" && parameters.get("root_path").is_none() {
            self.read_changes(&self.certain_stamps()).map_err(Failure::content)?;
            self.disk.provide(self.session.loaded().clone());
        }
        let answer = self.session.call(operation, parameters, &mut self.disk);
        if parameters.get("root_path").is_some() {
            self.stamps = self.disk.stamps().unwrap_or_default();
        }
        self.imports = self.disk.imports_stamp();
        answer
    }
}
