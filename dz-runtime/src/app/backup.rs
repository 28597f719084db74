//! `backup` and `restore`: copies of the database and of the stored files in one folder or bucket, with a checksum for each file.
//!
//! `scheduled` makes backups at configured times.
//!
//! The database is copied before the files, and the worker deletes no file until the files are copied, so that the backup contains every
//! file that the copied database names.

mod database;
mod manifest;
mod partial;
mod remote;
mod restore;
pub(super) mod scheduled;
mod stored_files;
mod synchronise;

use std::{
    cell::Cell,
    fs,
    path::{Path, PathBuf},
};

use chrono::{DateTime, Utc};

pub(super) use self::manifest::Manifest;
use self::{
    manifest::Entry,
    partial::PartialFolder,
    synchronise::{synchronise, synchronise_entry},
};
use super::{App, serve};
use crate::{
    Engine, Error, Result, Value,
    config::{Config, StoragePlace},
    db::{BindKind, Conn, Database, Statement, backup_lease::BackupLease, backup_time},
    def::AppDef,
    output::{log_event, show_step},
};

/// The folder of stored files inside a backup.
const FILES: &str = "files";

/// An application, and the parts of its backup.
pub(super) struct Source {
    app: &'static AppDef,
    engine: Engine,
    config: Config,
    now: DateTime<Utc>,
}

/// An error for the operator: one sentence with the cause and the correction.
fn refusal(sentence: impl Into<String>) -> Error {
    Error::new(500, "BACKUP", sentence.into())
}

/// An error of the file system, with the path.
fn at(path: &Path) -> impl FnOnce(std::io::Error) -> Error + '_ {
    move |error| refusal(format!("`{}`: {error}", path.display()))
}

impl Source {
    /// Reads the configuration. It opens no database, because `restore` works without one.
    pub fn new(mut app: App) -> Result<Source> {
        let figment = app.figment.clone().unwrap_or_else(super::figment);
        let config = Config::read(&figment, app.def, app.engine, app.url.take())?;
        Ok(Source { app: app.def, engine: app.engine, now: app.clock.now(), config })
    }

    /// The address of the database for copies: on PostgreSQL that of the role that owns the tables.
    fn url(&self) -> &str {
        self.config.settings.migrations_url.as_deref().filter(|_| self.engine == Engine::Postgres).unwrap_or(&self.config.database_url)
    }

    fn open(&self) -> Result<Database> {
        serve::open(&self.config, self.engine, self.app)
    }

    /// Writes a backup to a folder or a bucket, which must not contain one. A backup that fails leaves none.
    ///
    /// # Errors
    /// There is a backup, the database cannot be read, or a file cannot be written.
    pub fn back_up(&self, place: &StoragePlace) -> Result<Manifest> {
        match place {
            StoragePlace::Folder(folder) => {
                let manifest = self.back_up_to_folder(folder)?;
                self.record_time();
                Ok(manifest)
            }
            StoragePlace::Bucket(address) => {
                let bucket = remote::Remote::open(address, &self.config)?;
                bucket.check_empty()?;
                partial::with_temporary_folder(self.app.name, |folder| {
                    let manifest = self.back_up_to_folder(folder)?;
                    bucket.upload(folder, &manifest)?;
                    self.record_time();
                    Ok(manifest)
                })
            }
        }
    }

    fn back_up_to_folder(&self, folder: &Path) -> Result<Manifest> {
        if folder.exists() {
            return Err(refusal(format!("`{}` exists already: name a new folder", folder.display())));
        }
        let partial = partial_path(folder);
        let writing = PartialFolder::create(&partial)?;
        let manifest = self.write_parts(&partial).and_then(|manifest| {
            writing.complete()?;
            // A crash of the machine then leaves either no folder with this name, or a complete one.
            show_step!("writing the backup to the disk");
            synchronise(&partial)?;
            fs::rename(&partial, folder).map_err(at(folder))?;
            synchronise_entry(folder.parent())?;
            Ok(manifest)
        });
        if manifest.is_err() {
            remove_folder(&partial)?;
        }
        manifest
    }

    /// Records the time for the system page. The backup is valid without it, for example of a database that only permits reading.
    fn record_time(&self) {
        let recorded = self.open().and_then(|db| db.write(&mut |conn| backup_time::record(conn, self.now)));
        if let Err(error) = recorded {
            let why = error.internal.as_deref().unwrap_or(&error.detail);
            log_event!(warn, target: "dz", "the time of the backup was not recorded: {why}");
        }
    }

    fn write_parts(&self, folder: &Path) -> Result<Manifest> {
        let db = self.open()?;
        let lease = self.take_lease(&db)?;
        let copy = folder.join(database::file_name(self.engine));
        show_step!("copying the database");
        database::copy(self.engine, &db, self.url(), &copy)?;
        let tables = match self.engine {
            Engine::Sqlite => database::count_in_copy(self.app, &copy)?,
            Engine::Postgres => manifest::Tables::new(),
        };
        let copied = Cell::new(0_u64);
        self.copy_files(&folder.join(FILES), &|| {
            lease.iter().for_each(BackupLease::renew);
            copied.set(copied.get() + 1);
            show_step!("copying stored file {}", copied.get());
        })?;
        drop(lease);
        let manifest = Manifest::describe(self.app.name, self.engine, self.now, tables, folder)?;
        self.log_missing_files(folder, &manifest)?;
        manifest.write(folder)?;
        Ok(manifest)
    }

    /// Compares every file of a backup with its checksum.
    ///
    /// # Errors
    /// The backup is of another application or engine, a file is missing, changed or unknown, or the database names a file that the
    /// backup does not have.
    pub fn check(&self, place: &StoragePlace) -> Result<Manifest> {
        self.with_backup(place, |folder| {
            let manifest = self.check_folder(folder)?;
            self.check_stored_files(folder, &manifest)?;
            Ok(manifest)
        })
    }

    /// Runs `work` with the folder of a backup, which is copied from a bucket first.
    fn with_backup(&self, place: &StoragePlace, work: impl FnOnce(&Path) -> Result<Manifest>) -> Result<Manifest> {
        match place {
            StoragePlace::Folder(folder) => work(folder),
            StoragePlace::Bucket(address) => {
                let bucket = remote::Remote::open(address, &self.config)?;
                partial::with_temporary_folder(self.app.name, |folder| {
                    create_private_folder(folder)?;
                    bucket.download(folder)?;
                    work(folder)
                })
            }
        }
    }

    fn check_folder(&self, folder: &Path) -> Result<Manifest> {
        let manifest = Manifest::read(folder)?;
        if manifest.application != self.app.name {
            let own = self.app.name;
            return Err(refusal(format!(
                "`{}` is a backup of `{}`, and this application is `{own}`",
                folder.display(),
                manifest.application
            )));
        }
        if manifest.engine != manifest::engine_name(self.engine) {
            return Err(refusal(format!(
                "the backup is of {}, and this application is built for {}; build it for {}",
                manifest.engine,
                manifest::engine_name(self.engine),
                manifest.engine
            )));
        }
        manifest.verify(folder)?;
        Ok(manifest)
    }

    /// Compares the number of rows of each table with the manifest.
    fn compare(&self, manifest: &Manifest) -> Result<()> {
        if manifest.tables.is_empty() {
            return Ok(());
        }
        show_step!("counting the restored rows");
        let restored = self.open()?.read(&mut |conn| count_rows(conn, self.app))?;
        match manifest.tables.iter().find(|(table, rows)| restored.get(*table) != Some(rows)) {
            Some((table, rows)) => {
                let now = restored.get(table).copied().unwrap_or_default();
                Err(refusal(format!("the table `{table}` had {rows} rows in the backup, and has {now} after the restore")))
            }
            None => Ok(()),
        }
    }
}

/// The folder that is written before it gets its name.
fn partial_path(folder: &Path) -> PathBuf {
    let mut name = folder.file_name().unwrap_or_default().to_os_string();
    name.push(".partial");
    folder.with_file_name(name)
}

/// Creates a folder that other users of the machine cannot open.
fn create_private_folder(folder: &Path) -> Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(at(folder))
}

fn remove_folder(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(at(folder)(error)),
        _ => Ok(()),
    }
}

/// The number of rows of each entity.
fn count_rows(conn: &mut Conn, app: &'static AppDef) -> Result<manifest::Tables> {
    let mut tables = manifest::Tables::new();
    for entity in app.entities {
        let mut count = Statement::new();
        count.push("SELECT count(*) FROM ").ident(entity.table);
        let rows = conn.rows(&count, &[BindKind::Int])?;
        match rows.into_iter().flatten().next() {
            Some(Value::Int(rows)) => tables.insert(entity.table.to_owned(), rows.unsigned_abs()),
            _ => return Err(Error::internal(format!("the rows of {} cannot be counted", entity.table))),
        };
    }
    Ok(tables)
}

/// Every file below a folder, with its path relative to it.
fn list_files(root: &Path, below: &Path, found: &mut Vec<Entry>) -> Result<()> {
    let folder = root.join(below);
    for entry in fs::read_dir(&folder).map_err(at(&folder))? {
        let entry = entry.map_err(at(&folder))?;
        let path = below.join(entry.file_name());
        if entry.path().is_dir() {
            list_files(root, &path, found)?;
        } else {
            show_step!("computing the checksum of file {}", found.len() + 1);
            found.push(Entry::describe(root, &path)?);
        }
    }
    Ok(())
}
