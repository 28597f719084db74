//! Stored files. A row of `dz_files` says what there is, whose it is and whether a row of an entity holds it; the bytes
//! lie in a folder, under a random name.
//!
//! The bytes come first and go last: an object row is made when they are on the disk, and removed when they are not
//! there any more. What a crash leaves between the two is swept up by the worker.

pub(crate) mod cleanup;
mod media_type;
mod name;
mod objects;
mod references;
mod storage;

pub(crate) use media_type::{SNIFFED_BYTES, is_image, is_inline, sniff};
pub(crate) use name::{clean_name, disposition, size_text};
pub(crate) use objects::{MAX_UNUSED, count_unused, find, find_stored_name, insert};
pub(crate) use references::{TakenUploads, keep_attached, release, take_uploads};
pub(crate) use storage::{PendingFile, Storage};

use crate::{
    def::{AppDef, EntityDef},
    field,
};

/// True for an application that stores files.
pub(crate) fn has_files(app: &AppDef) -> bool {
    app.entities.iter().any(|entity| has_file_fields(entity))
}

/// True for an entity that has fields for files.
pub(crate) fn has_file_fields(entity: &EntityDef) -> bool {
    entity.fields.iter().any(field::is_file)
}
