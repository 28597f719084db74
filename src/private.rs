//! The one door for generated code. Nothing here is for people; it changes without notice.

pub use dz_runtime::{
    IntoValue,
    access::lock::check as check_lock,
    def, engine, entity,
    entity::Given,
    enumeration,
    reexport::{askama, serde},
    rows::Row,
    scoped::scoped,
    table, tables_stand_together,
};

/// Generated code names the version it was made by, so that a mismatch fails with a name that says so.
pub const VERSION_0_1_0: () = ();

const _: () = assert!(matches!(env!("CARGO_PKG_VERSION").as_bytes(), b"0.1.0"), "the version lock is out of date");
