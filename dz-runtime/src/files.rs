//! Stored files. A row of `dz_files` contains the metadata and the owner of a file, and whether a row of an entity uses it. The
//! content is in a folder or in a bucket of object storage, under a random name.
//!
//! The content is written before the row of `dz_files` and deleted before it. The worker deletes files that remain after a crash in
//! between.

#[cfg(feature = "s3")]
mod bucket;
pub(crate) mod cleanup;
mod folder;
mod media_type;
mod name;
#[cfg(not(feature = "s3"))]
mod no_bucket;
mod objects;
mod references;
mod storage;

#[cfg(not(feature = "s3"))]
use no_bucket as bucket;

pub(crate) use bucket::Bucket;
pub(crate) use media_type::{SNIFFED_BYTES, is_image, is_inline, sniff};
pub(crate) use name::{clean_name, disposition, size_text};
#[cfg(feature = "sqlite")]
pub(crate) use objects::find_attached;
pub(crate) use objects::{MAX_UNUSED, count_unused, find, find_stored_name, insert, release_unused};
pub(crate) use references::{TakenUploads, keep_attached, release, release_values, take_uploads};
pub(crate) use storage::{PendingFile, Storage, Store, StoredBody, StoredEntry, relative_path};

use crate::{
    def::{AppDef, EntityDef},
    field,
};

/// True for an application with file fields.
pub(crate) fn has_files(app: &AppDef) -> bool {
    app.entities.iter().any(|entity| has_file_fields(entity))
}

/// True for an entity with file fields.
pub(crate) fn has_file_fields(entity: &EntityDef) -> bool {
    entity.fields.iter().any(field::is_file)
}
