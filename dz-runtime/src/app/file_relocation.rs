//! `files move`: copies stored files to another folder or bucket, and compares each of them, while the application runs.
//!
//! A copied file is deleted from its former store only if the configuration names the other one as `dz.files`, because the application
//! then finds a file in either of them. A run continues after an interrupted one: it compares files that exist in both.

use std::{
    collections::HashSet,
    path::absolute,
    sync::Arc,
    time::{Duration, Instant},
};

use sha2::{Digest as _, Sha256};
use tokio::{
    io::AsyncReadExt as _,
    runtime::{Builder, Runtime},
    task::JoinSet,
};

use super::{App, serve};
use crate::{
    Error, Result,
    config::{Config, StoragePlace},
    db::Database,
    files::{PendingFile, Store, StoredBody, StoredEntry, cleanup::find_known},
};

/// The number of files that are copied at the same time.
const CONCURRENT: usize = 8;
/// The number of files between two reads of their rows.
const BATCH: usize = 100;
/// The time between two lines of progress.
const PROGRESS: Duration = Duration::from_secs(1);

/// An error for the operator: one sentence with the cause and the correction.
fn refusal(sentence: impl Into<String>) -> Error {
    Error::new(500, "FILES", sentence.into())
}

/// The result of a run.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Relocated {
    /// Files that were copied.
    pub copied: u64,
    /// Files that the target had from an earlier run.
    pub present: u64,
    /// The size of both.
    pub bytes: u64,
    /// Files without a row: the worker deletes them.
    pub without_row: u64,
    /// The files were deleted from the former store.
    pub is_removed: bool,
}

/// A relocation of files.
pub(super) struct FileRelocation {
    db: Database,
    /// The stores that are read.
    sources: Vec<Arc<Store>>,
    target: Arc<Store>,
    /// The application finds the files in the target, so that the sources can lose them.
    removes: bool,
    runtime: Runtime,
}

/// The place with an absolute path, so that two spellings of a folder are equal.
fn resolve(place: &StoragePlace) -> StoragePlace {
    match place {
        StoragePlace::Folder(folder) => {
            let existing = folder.canonicalize().or_else(|_| absolute(folder));
            StoragePlace::Folder(existing.unwrap_or_else(|_| folder.clone()))
        }
        StoragePlace::Bucket(address) => StoragePlace::Bucket(address.clone()),
    }
}

impl FileRelocation {
    /// Reads the configuration, and opens the database and the stores.
    ///
    /// # Errors
    /// An invalid configuration, or no other store than the target.
    pub fn new(mut app: App, to: &StoragePlace) -> Result<FileRelocation> {
        let figment = app.figment.clone().unwrap_or_else(super::figment);
        let config = Config::read(&figment, app.def, app.engine, app.url.take())?;
        let (to, own) = (resolve(to), resolve(&config.files_place(app.def)));
        let former = config.settings.files_before.as_ref().map(resolve);
        let removes = own == to;
        let sources: Vec<StoragePlace> = [Some(own), former].into_iter().flatten().filter(|place| *place != to).collect();
        if sources.is_empty() {
            return Err(refusal(format!("`{to}` has all files: set `dz.files_before` to the folder or bucket that has the other ones")));
        }
        let open = |place: &StoragePlace| Store::open(place, &config).map(Arc::new);
        Ok(FileRelocation {
            db: serve::open(&config, app.engine, app.def)?,
            sources: sources.iter().map(open).collect::<Result<_>>()?,
            target: open(&to)?,
            removes,
            runtime: Builder::new_current_thread().enable_all().build().map_err(Error::internal)?,
        })
    }

    /// The places that are read.
    pub fn describe_sources(&self) -> String {
        let names: Vec<String> = self.sources.iter().map(|it| it.describe()).collect();
        names.join(" and ")
    }

    /// Copies all files that have a row; `report` gets the result from time to time.
    ///
    /// # Errors
    /// A store or the database is unavailable, or a file differs after the copy.
    pub fn run(&self, report: &mut dyn FnMut(&Relocated) -> Result<()>) -> Result<Relocated> {
        let mut done = Relocated { is_removed: self.removes, ..Relocated::default() };
        let mut reported = Instant::now();
        for source in &self.sources {
            source.each_page(&mut |page| {
                for files in page.chunks(BATCH) {
                    self.relocate(source, files, &mut done)?;
                    if reported.elapsed() >= PROGRESS {
                        report(&done)?;
                        reported = Instant::now();
                    }
                }
                Ok(())
            })?;
        }
        Ok(done)
    }

    fn find_known_names(&self, names: &[String]) -> Result<HashSet<String>> {
        if names.is_empty() { Ok(HashSet::new()) } else { self.db.read(&mut |conn| find_known(conn, names)) }
    }

    fn relocate(&self, source: &Arc<Store>, files: &[StoredEntry], done: &mut Relocated) -> Result<()> {
        let names: Vec<String> = files.iter().map(|file| file.name.clone()).collect();
        let known = self.find_known_names(&names)?;
        done.without_row += files.iter().filter(|file| !known.contains(&file.name)).count() as u64;
        let wanted: Vec<StoredEntry> = files.iter().filter(|file| known.contains(&file.name)).cloned().collect();
        let copied = self.runtime.block_on(copy_all(source, &self.target, wanted))?;
        let names: Vec<String> = copied.iter().map(|it| it.name.clone()).collect();
        // The worker has deleted the files whose rows are gone, perhaps before the copy was complete.
        let known = self.find_known_names(&names)?;
        for file in copied {
            if !known.contains(&file.name) {
                self.target.remove(&file.name)?;
                continue;
            }
            match file.was_present {
                true => done.present += 1,
                false => done.copied += 1,
            }
            done.bytes += file.size;
            if self.removes {
                source.remove(&file.name)?;
            }
        }
        Ok(())
    }
}

/// A file that both stores have.
struct CopiedFile {
    name: String,
    size: u64,
    was_present: bool,
}

/// Copies some files at the same time.
async fn copy_all(source: &Arc<Store>, target: &Arc<Store>, files: Vec<StoredEntry>) -> Result<Vec<CopiedFile>> {
    let (mut copied, mut running) = (Vec::new(), JoinSet::new());
    let mut waiting = files.into_iter();
    loop {
        while running.len() < CONCURRENT
            && let Some(file) = waiting.next()
        {
            let (source, target) = (source.clone(), target.clone());
            running.spawn(async move { copy(&source, &target, file).await });
        }
        match running.join_next().await {
            Some(ended) => copied.extend(ended.map_err(Error::internal)??),
            None => return Ok(copied),
        }
    }
}

/// Copies a file, and compares the copy; `None` if the file is deleted in the meantime.
async fn copy(source: &Store, target: &Store, file: StoredEntry) -> Result<Option<CopiedFile>> {
    let StoredEntry { name, size, .. } = file;
    if let Some(present) = target.open_file(&name).await?
        && present.size == size
    {
        let Some(own) = source.open_file(&name).await? else { return Ok(None) };
        if digest(own, &name, None).await? == digest(present, &name, None).await? {
            return Ok(Some(CopiedFile { name, size, was_present: true }));
        }
    }
    let Some(own) = source.open_file(&name).await? else { return Ok(None) };
    let mut pending = target.begin_copy(&name, own.size).await?;
    let sent = digest(own, &name, Some(&mut pending)).await?;
    pending.end().await?;
    let stored = match target.open_file(&name).await? {
        Some(body) => digest(body, &name, None).await?,
        None => Vec::new(),
    };
    if stored != sent {
        return Err(refusal(format!(
            "the copy of the file {name} in {} differs from the file in {}: run the command again",
            target.describe(),
            source.describe()
        )));
    }
    pending.keep();
    Ok(Some(CopiedFile { name, size, was_present: false }))
}

/// The checksum of a file, which is written to a copy at the same time.
async fn digest(mut body: StoredBody, name: &str, mut copy: Option<&mut PendingFile>) -> Result<Vec<u8>> {
    let (mut hash, mut chunk) = (Sha256::new(), vec![0; 1 << 16]);
    loop {
        let read = body
            .read(&mut chunk)
            .await
            .map_err(|error| refusal(format!("the file {name} cannot be read: {error}; run the command again")))?;
        let Some(bytes) = chunk.get(..read).filter(|bytes| !bytes.is_empty()) else { return Ok(hash.finalize().to_vec()) };
        hash.update(bytes);
        if let Some(copy) = &mut copy {
            copy.push(bytes).await?;
        }
    }
}
