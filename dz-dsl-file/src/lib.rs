//! The dz language: text, tokens, syntax (as written), model (as meant), checks. Pure: no I/O.

mod analyse;
mod check;
pub mod cursor;
pub mod diagnostic;
pub mod emit;
mod format;
pub mod layout;
pub mod lexer;
pub mod lower;
mod lower_rules;
pub mod model;
pub mod names;
pub mod project;
pub mod render;
mod repair;
mod rules;
mod silence;
mod source;
mod span;
pub mod syntax;
pub mod token;
pub mod vocabulary;

pub use analyse::{Analysis, analyse};
pub use diagnostic::{Diagnostic, Diagnostics, Rule, Severity};
pub use format::format;
pub use lower::Use;
pub use repair::propose;
pub use rules::{NOT_AVAILABLE, is_about_the_whole, rules, rules_by_area};
pub use source::{SourceFile, SourceMap, decode};
pub use span::{FileId, Span};
