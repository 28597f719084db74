//! The storage of file contents: a folder or a bucket, and during a relocation of the files also the former one.

use std::{
    io::{self, SeekFrom},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use chrono::{DateTime, Utc};
use tokio::{
    fs as async_fs,
    io::{AsyncRead, AsyncReadExt as _, AsyncSeek, ReadBuf},
};

use super::{
    bucket::{Body, Bucket, Upload},
    folder::{Folder, FolderFile},
};
use crate::{
    Error, Result,
    config::{Config, StoragePlace},
    def::AppDef,
};

/// True for a name that [`random_name`] can create.
pub(super) fn is_stored_name(stored: &str) -> bool {
    stored.len() == 32 && stored.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

/// A random name, which cannot be guessed.
pub(super) fn random_name() -> Result<String> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(Error::internal)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The path of a file below its folder or prefix: its name, in a subfolder of its first two characters.
pub(crate) fn relative_path(stored: &str) -> String {
    format!("{}/{stored}", stored.get(..2).unwrap_or_default())
}

/// A place of file contents.
#[derive(Clone)]
pub(crate) enum Store {
    Folder(Folder),
    Bucket(Arc<Bucket>),
}

/// A file in a list of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoredEntry {
    pub name: String,
    pub size: u64,
    /// The time of its last change.
    pub changed: DateTime<Utc>,
}

/// The storage of an application.
#[derive(Clone)]
pub(crate) struct Storage {
    /// The store of new files.
    store: Store,
    /// The store from which files are relocated.
    former: Option<Store>,
}

/// A file that is being written. When this value is dropped, a new file is deleted, unless it is kept. Of a copy only the parts that are
/// not complete are deleted, because another relocation can have completed it, and deleted the original.
pub(crate) struct PendingFile {
    stored: String,
    writing: Writing,
    is_kept: bool,
    is_copy: bool,
}

enum Writing {
    Folder(Folder, FolderFile),
    Bucket(Upload),
}

/// An open file.
pub(crate) struct StoredBody {
    /// The number of bytes.
    pub size: u64,
    content: Content,
}

enum Content {
    Folder(async_fs::File),
    Bucket(Body),
}

impl Store {
    /// # Errors
    /// The program has no object storage, or its settings are incomplete.
    pub fn open(place: &StoragePlace, config: &Config) -> Result<Store> {
        Ok(match place {
            StoragePlace::Folder(folder) => Store::Folder(Folder::new(folder)),
            StoragePlace::Bucket(address) => Store::Bucket(Arc::new(Bucket::open(address, config)?)),
        })
    }

    /// Creates a file with this name, of at most `most` bytes.
    ///
    /// # Errors
    /// 503 if the storage fails.
    async fn begin(&self, stored: String, most: u64) -> Result<PendingFile> {
        let writing = match self {
            Store::Folder(folder) => Writing::Folder(folder.clone(), folder.begin(&stored).await?),
            Store::Bucket(bucket) => Writing::Bucket(Upload::new(bucket, &stored, most)),
        };
        Ok(PendingFile { stored, writing, is_kept: false, is_copy: false })
    }

    /// Creates the copy of a file of another store.
    ///
    /// # Errors
    /// 503 if the storage fails.
    pub async fn begin_copy(&self, stored: &str, size: u64) -> Result<PendingFile> {
        let writing = match self {
            Store::Folder(folder) => Writing::Folder(folder.clone(), folder.begin_copy(stored).await?),
            Store::Bucket(bucket) => Writing::Bucket(Upload::new(bucket, stored, size)),
        };
        Ok(PendingFile { stored: stored.to_owned(), writing, is_kept: false, is_copy: true })
    }

    /// Opens a file; `None` if it does not exist.
    ///
    /// # Errors
    /// 503 if the storage fails.
    pub async fn open_file(&self, stored: &str) -> Result<Option<StoredBody>> {
        Ok(match self {
            Store::Folder(folder) => {
                folder.open_file(stored).await?.map(|(file, size)| StoredBody { size, content: Content::Folder(file) })
            }
            Store::Bucket(bucket) => {
                bucket.open_file(stored).await?.map(|body| StoredBody { size: body.size, content: Content::Bucket(body) })
            }
        })
    }

    /// Deletes a file, if it exists.
    ///
    /// # Errors
    /// The storage fails.
    pub fn remove(&self, stored: &str) -> Result<()> {
        match self {
            Store::Folder(folder) => {
                folder.remove(stored).map_err(|error| Error::internal(format_args!("a file cannot be removed: {error}")))
            }
            Store::Bucket(bucket) => bucket.remove(stored),
        }
    }

    /// Calls `work` with all files, page by page.
    ///
    /// # Errors
    /// The storage fails, or `work` does.
    pub fn each_page(&self, work: &mut dyn FnMut(Vec<StoredEntry>) -> Result<()>) -> Result<()> {
        match self {
            Store::Folder(folder) => folder.each_page(work),
            Store::Bucket(bucket) => bucket.each_page(work),
        }
    }

    /// Aborts uploads that began before a time and have not ended, because an instance crashed; returns their number.
    ///
    /// # Errors
    /// The storage fails.
    pub fn abort_unfinished(&self, before: DateTime<Utc>) -> Result<u64> {
        match self {
            // The parts of a file are the file, which has no row.
            Store::Folder(_) => Ok(0),
            Store::Bucket(bucket) => bucket.abort_unfinished_files(before),
        }
    }

    /// Its path or address.
    pub fn describe(&self) -> String {
        match self {
            Store::Folder(folder) => folder.root().display().to_string(),
            Store::Bucket(bucket) => bucket.describe(),
        }
    }
}

impl Storage {
    /// Opens the storage of a configuration. No request is sent to a bucket yet.
    ///
    /// # Errors
    /// The program has no object storage, or its settings are incomplete.
    pub fn open(config: &Config, app: &AppDef) -> Result<Storage> {
        let store = Store::open(&config.files_place(app), config)?;
        let former = config.settings.files_before.as_ref().map(|place| Store::open(place, config)).transpose()?;
        Ok(Storage { store, former })
    }

    /// The stores, first that of new files.
    pub fn stores(&self) -> impl Iterator<Item = &Store> {
        [&self.store].into_iter().chain(&self.former)
    }

    /// Creates a file of at most `most` bytes.
    ///
    /// # Errors
    /// 503 if the storage fails.
    pub async fn begin(&self, most: u64) -> Result<PendingFile> {
        self.store.begin(random_name()?, most).await
    }

    /// Writes a complete file.
    ///
    /// # Errors
    /// 503 if the storage fails.
    pub async fn write(&self, bytes: &[u8]) -> Result<PendingFile> {
        let mut pending = self.begin(bytes.len() as u64).await?;
        pending.push(bytes).await?;
        pending.end().await?;
        Ok(pending)
    }

    /// Opens a file.
    ///
    /// # Errors
    /// 503 if the storage fails, 500 if the file is lost.
    pub async fn open_file(&self, stored: &str) -> Result<StoredBody> {
        // A file that is relocated after the first attempt is in the store of new files at the last one.
        let attempts = [Some(&self.store), self.former.as_ref(), self.former.as_ref().map(|_| &self.store)];
        for store in attempts.into_iter().flatten() {
            if let Some(body) = store.open_file(stored).await? {
                return Ok(body);
            }
        }
        Err(Error::internal(format_args!("the file {stored} is not in {}", self.store.describe())))
    }

    /// Reads a file that has this number of bytes.
    ///
    /// # Errors
    /// 503 if the storage fails, 500 if the file is lost or has another size.
    pub async fn read(&self, stored: &str, size: u64) -> Result<Vec<u8>> {
        let mut body = self.open_file(stored).await?;
        let mut bytes = Vec::new();
        let read = body.read_to_end(&mut bytes).await;
        read.map_err(|error| Error::internal(format_args!("the file {stored} cannot be read: {error}")))?;
        match bytes.len() as u64 == size {
            true => Ok(bytes),
            false => Err(Error::internal(format_args!("the file {stored} has another size than its row"))),
        }
    }

    /// The signed address of a file at the bucket; `None` if the application sends the file itself.
    ///
    /// # Errors
    /// 503 if the storage fails.
    pub async fn link(&self, stored: &str, content_type: &str, disposition: &str) -> Result<Option<String>> {
        match &self.store {
            Store::Folder(_) => Ok(None),
            Store::Bucket(bucket) => bucket.link(stored, content_type, disposition).await,
        }
    }

    /// Deletes a file, if it exists, in every store.
    ///
    /// # Errors
    /// A store fails.
    pub fn remove(&self, stored: &str) -> Result<()> {
        self.stores().try_for_each(|store| store.remove(stored))
    }

    /// Whether the bucket answers; `None` for a folder.
    pub fn is_available(&self) -> Option<bool> {
        let of = |store: &Store| match store {
            Store::Folder(_) => None,
            Store::Bucket(bucket) => Some(bucket.is_available()),
        };
        self.stores().filter_map(of).reduce(|one, other| one && other)
    }
}

impl PendingFile {
    /// The stored name.
    pub fn stored(&self) -> &str {
        &self.stored
    }

    /// Appends bytes.
    ///
    /// # Errors
    /// 503 if the storage fails.
    pub async fn push(&mut self, bytes: &[u8]) -> Result<()> {
        match &mut self.writing {
            Writing::Folder(_, file) => file.push(bytes).await,
            Writing::Bucket(upload) => upload.push(bytes).await,
        }
    }

    /// Completes the file, so that it survives a crash of the machine.
    ///
    /// # Errors
    /// 503 if the storage fails.
    pub async fn end(&mut self) -> Result<()> {
        match &mut self.writing {
            Writing::Folder(_, file) => file.end().await,
            Writing::Bucket(upload) => upload.end().await,
        }
    }

    /// Keeps the file after the drop of this value, because `dz_files` has a row for it.
    pub fn keep(&mut self) {
        self.is_kept = true;
    }
}

impl Drop for PendingFile {
    fn drop(&mut self) {
        if self.is_kept {
            return;
        }
        match &mut self.writing {
            // The worker deletes it if this fails.
            Writing::Folder(folder, _) if !self.is_copy => drop(folder.remove(&self.stored)),
            // The incomplete copy is deleted with its value.
            Writing::Folder(..) => {}
            Writing::Bucket(upload) => upload.discard(!self.is_copy),
        }
    }
}

impl AsyncRead for StoredBody {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        match &mut self.content {
            Content::Folder(file) => Pin::new(file).poll_read(cx, buffer),
            Content::Bucket(body) => Pin::new(body).poll_read(cx, buffer),
        }
    }
}

/// A body whose size is known is never sought, but its type must permit it.
impl AsyncSeek for StoredBody {
    fn start_seek(mut self: Pin<&mut Self>, position: SeekFrom) -> io::Result<()> {
        match &mut self.content {
            Content::Folder(file) => Pin::new(file).start_seek(position),
            Content::Bucket(_) => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    fn poll_complete(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<u64>> {
        match &mut self.content {
            Content::Folder(file) => Pin::new(file).poll_complete(cx),
            Content::Bucket(_) => Poll::Ready(Ok(0)),
        }
    }
}
