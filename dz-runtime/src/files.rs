//! Stored files. A row of `dz_files` says what there is, whose it is and whether a row of an entity holds it; the bytes
//! lie in a folder, under a random name.
//!
//! The bytes come first and go last: an object row is made when they are on the disk, and removed when they are not
//! there any more. What a crash leaves between the two is swept up by the worker.

mod kind;
mod name;
mod objects;
mod references;
mod storage;
pub(crate) mod sweep;

pub(crate) use kind::{LOOKED_AT, is_image, is_shown, sniff};
pub(crate) use name::{clean, disposition, size_text};
pub(crate) use objects::{WAITING_MOST, find, keep, place, waiting};
pub(crate) use references::{Held, release, same, settle};
pub(crate) use storage::{Storage, Writing};

use crate::{
    def::{AppDef, EntityDef},
    field,
};

/// True for an application that stores files.
pub(crate) fn has_files(app: &AppDef) -> bool {
    app.entities.iter().any(|entity| of_entity(entity))
}

/// True for an entity that has fields for files.
pub(crate) fn of_entity(entity: &EntityDef) -> bool {
    entity.fields.iter().any(field::is_file)
}
