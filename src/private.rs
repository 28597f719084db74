//! The one door for generated code. Nothing here is for people; it changes without notice.

pub use dz_runtime::{
    access::lock::check as check_lock, changes, def, engine, entity, enumeration, new_row, reexport::askama, row, table,
    tables_stand_together,
};

/// Generated code names the version it was made by, so that a mismatch fails with a name that says so.
pub const VERSION_0_1_0: () = ();

const _: () = assert!(matches!(env!("CARGO_PKG_VERSION").as_bytes(), b"0.1.0"), "the version lock is out of date");
