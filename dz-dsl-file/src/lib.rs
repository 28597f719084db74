//! The dz language: text, tokens, syntax (as written), model (as meant), checks. Pure: no I/O.

pub mod cursor;
pub mod diagnostic;
pub mod layout;
pub mod lexer;
pub mod model;
mod source;
mod span;
pub mod syntax;
pub mod token;

pub use diagnostic::{Diagnostic, Diagnostics, Rule, Severity};
pub use source::{SourceFile, SourceMap};
pub use span::{FileId, Span};
