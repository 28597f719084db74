//! The upload of a file: one request for a small file, or parts of equal size, of which one is in memory.

use std::sync::Arc;

use object_store::{
    MultipartId, ObjectStoreExt as _,
    multipart::{MultipartStore as _, PartId},
    path::Path as ObjectPath,
};

use super::Bucket;
use crate::{Result, output::log_event};

/// The smallest part that services accept.
const SMALLEST_PART: u64 = 5 << 20;
/// The largest number of parts that services accept.
const PARTS: u64 = 10_000;

/// A file that is being written.
pub(crate) struct Upload {
    bucket: Arc<Bucket>,
    path: ObjectPath,
    part_size: usize,
    /// The bytes that are not sent yet.
    waiting: Vec<u8>,
    /// The identifier of the upload in parts, and what the service has of it.
    multipart: Option<(MultipartId, Vec<PartId>)>,
    /// The object can exist.
    is_sent: bool,
}

impl Upload {
    /// An upload of at most `most` bytes.
    pub fn new(bucket: &Arc<Bucket>, stored: &str, most: u64) -> Upload {
        Upload::at(bucket, bucket.object(stored), most)
    }

    /// As [`new`](Upload::new), with the name of the object.
    pub(super) fn at(bucket: &Arc<Bucket>, path: ObjectPath, most: u64) -> Upload {
        let part_size = usize::try_from(most.div_ceil(PARTS).max(SMALLEST_PART)).unwrap_or(usize::MAX);
        Upload { bucket: bucket.clone(), path, part_size, waiting: Vec::new(), multipart: None, is_sent: false }
    }

    /// Appends bytes, and sends the part that they complete.
    pub async fn push(&mut self, mut bytes: &[u8]) -> Result<()> {
        while !bytes.is_empty() {
            if self.waiting.len() == self.part_size {
                self.send_part().await?;
            }
            let (now, later) = bytes.split_at(bytes.len().min(self.part_size - self.waiting.len()));
            if self.waiting.capacity() - self.waiting.len() < now.len() {
                // The memory doubles up to the size of a part.
                let wanted = (self.waiting.capacity() * 2).max(self.waiting.len() + now.len()).min(self.part_size);
                self.waiting.reserve_exact(wanted - self.waiting.len());
            }
            self.waiting.extend_from_slice(now);
            bytes = later;
        }
        Ok(())
    }

    async fn send_part(&mut self) -> Result<()> {
        let (store, path) = (self.bucket.store.clone(), self.path.clone());
        if self.multipart.is_none() {
            let (store, path) = (store.clone(), path.clone());
            let id =
                self.bucket.send(async move { store.create_multipart(&path).await }).await.map_err(|error| self.bucket.error(&error))?;
            self.multipart = Some((id, Vec::new()));
        }
        let Some((id, parts)) = &mut self.multipart else { return Ok(()) };
        let (id, at, part) = (id.clone(), parts.len(), std::mem::take(&mut self.waiting));
        let sent = self.bucket.send(async move { store.put_part(&path, &id, at, part.into()).await }).await;
        parts.push(sent.map_err(|error| self.bucket.error(&error))?);
        Ok(())
    }

    /// Completes the object.
    pub async fn end(&mut self) -> Result<()> {
        self.is_sent = true;
        let (store, path) = (self.bucket.store.clone(), self.path.clone());
        if self.multipart.is_some() && !self.waiting.is_empty() {
            self.send_part().await?;
        }
        let sent = match &self.multipart {
            Some((id, parts)) => {
                let (id, parts) = (id.clone(), parts.clone());
                self.bucket.send(async move { store.complete_multipart(&path, &id, parts).await.map(drop) }).await
            }
            None => {
                let content = std::mem::take(&mut self.waiting);
                self.bucket.send(async move { store.put(&path, content.into()).await.map(drop) }).await
            }
        };
        sent.map_err(|error| self.bucket.error(&error))?;
        self.multipart = None;
        Ok(())
    }

    /// Aborts the upload in parts, and deletes the object if `deletes`. The worker deletes an object without a row after a day.
    pub fn discard(&mut self, deletes: bool) {
        let (store, path, is_sent) = (self.bucket.store.clone(), self.path.clone(), deletes && self.is_sent);
        let multipart = self.multipart.take();
        if multipart.is_none() && !is_sent {
            return;
        }
        drop(self.bucket.handle.spawn(async move {
            if let Some((id, _)) = multipart
                && let Err(error) = store.abort_multipart(&path, &id).await
            {
                let cause = super::Cause::find(&error);
                log_event!(warn, target: "dz", "an upload to the object storage was not aborted: it {}; {}", cause.describe(), cause.correction());
            }
            if is_sent {
                let _ = store.delete(&path).await;
            }
        }));
    }
}
