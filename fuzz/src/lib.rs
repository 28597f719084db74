//! The properties of every text, as functions for the fuzz targets.

#[path = "../../dz-dsl-file/tests/laws/mod.rs"]
pub mod laws;
