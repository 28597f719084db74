//! The laws of the language, as the targets hold texts against them.

#[path = "../../dz-dsl-file/tests/laws/mod.rs"]
pub mod laws;
