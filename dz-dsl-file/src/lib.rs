//! The dz language: text, tokens, syntax (as written), model (as meant), checks. Pure: no I/O.

pub mod model;
mod span;

pub use span::{FileId, Span};
