//! The only module that generated code uses. It is not a public interface and changes without notice.

pub use dz_runtime::{
    access::lock::check as check_lock, allow_tables_together, changes, def, engine, enumeration, new_row, reexport::askama, roles, row,
    table, typed_rows, values,
};

/// Generated code names the version of its macro, so that an error about a mismatch contains the version.
pub const VERSION_0_1_0: () = ();

const _: () = assert!(matches!(env!("CARGO_PKG_VERSION").as_bytes(), b"0.1.0"), "the version lock is out of date");
