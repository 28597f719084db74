//! Object storage in a program without it: no bucket can be opened, so no value of these types exists.

use std::{
    convert::Infallible,
    io,
    path::Path,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use chrono::{DateTime, Utc};
use tokio::io::{AsyncRead, ReadBuf};

use super::storage::StoredEntry;
use crate::{
    Error, Result,
    config::{BucketAddress, Config},
};

/// A bucket.
pub(crate) struct Bucket(Infallible);

/// A file that is being written.
pub(super) struct Upload(Infallible);

/// An open file.
pub(crate) struct Body {
    pub size: u64,
    none: Infallible,
}

impl Bucket {
    /// Refuses every address.
    pub fn open(address: &BucketAddress, _config: &Config) -> Result<Bucket> {
        Err(missing_feature(address))
    }

    pub async fn open_file(&self, _stored: &str) -> Result<Option<Body>> {
        match self.0 {}
    }

    pub async fn link(&self, _stored: &str, _content_type: &str, _disposition: &str) -> Result<Option<String>> {
        match self.0 {}
    }

    pub fn remove(&self, _stored: &str) -> Result<()> {
        match self.0 {}
    }

    pub fn each_page(&self, _work: &mut dyn FnMut(Vec<StoredEntry>) -> Result<()>) -> Result<()> {
        match self.0 {}
    }

    pub fn abort_unfinished(&self, _before: DateTime<Utc>, _is_own: &dyn Fn(&str) -> bool) -> Result<u64> {
        match self.0 {}
    }

    pub fn abort_unfinished_files(&self, _before: DateTime<Utc>) -> Result<u64> {
        match self.0 {}
    }

    pub fn each_object(&self, _below: &str, _work: &mut dyn FnMut(Vec<StoredEntry>) -> Result<()>) -> Result<()> {
        match self.0 {}
    }

    pub fn objects(&self) -> Result<Vec<StoredEntry>> {
        match self.0 {}
    }

    pub fn remove_named(&self, _name: &str) -> Result<()> {
        match self.0 {}
    }

    pub fn upload_file(&self, _name: &str, _from: &Path) -> Result<()> {
        match self.0 {}
    }

    pub fn download_file(&self, _name: &str, _to: &Path) -> Result<bool> {
        match self.0 {}
    }

    pub fn is_available(&self) -> bool {
        match self.0 {}
    }

    pub fn describe(&self) -> String {
        match self.0 {}
    }
}

impl Upload {
    pub fn new(bucket: &Arc<Bucket>, _stored: &str, _most: u64) -> Upload {
        match bucket.0 {}
    }

    pub async fn push(&mut self, _bytes: &[u8]) -> Result<()> {
        match self.0 {}
    }

    pub async fn end(&mut self) -> Result<()> {
        match self.0 {}
    }

    pub fn discard(&mut self, _deletes: bool) {
        match self.0 {}
    }
}

impl AsyncRead for Body {
    fn poll_read(self: Pin<&mut Self>, _cx: &mut Context<'_>, _buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        match self.none {}
    }
}

fn missing_feature(address: &BucketAddress) -> Error {
    let detail = format!("`{address}` needs the cargo feature `s3`: `dz = {{ version = \"0.1\", features = [\"s3\"] }}`");
    Error::new(500, "CONFIGURATION", detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_refusal_names_the_feature() {
        let address = BucketAddress { bucket: "shop-files".to_owned(), prefix: "uploads".to_owned() };
        let refused = missing_feature(&address);
        assert!(refused.detail.contains("`s3://shop-files/uploads` needs the cargo feature `s3`"), "{}", refused.detail);
    }
}
