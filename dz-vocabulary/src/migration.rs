//! What `dz migrate diff --online` writes into migrations and into the database, and the application reads there.

/// The line of a migration that can only be applied when no instance of the previous version runs: it drops what that version needs,
/// and adds rules that it does not have.
pub const CONTRACT: &str = "-- dz: contract";

/// The key in `dz_meta` of two fingerprints: that of the expanded schema, and that of the previous schema, whose instances can still run.
pub const PREVIOUS_SCHEMA: &str = "previous_schema";
