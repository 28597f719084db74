//! The dz language: text, tokens, syntax (as written), model (as resolved), rules. The crate does no input or output.

mod allow_comments;
mod analyse;
pub mod cursor;
pub mod diagnostic;
pub mod dialect;
pub mod emit;
mod facts;
#[cfg(feature = "tools")]
mod format;
pub mod layout;
pub mod lexer;
pub mod locales;
pub mod lower;
pub mod model;
pub mod names;
pub mod project;
pub mod render;
mod repair;
mod rules;
mod source;
mod span;
mod spelling;
pub mod suggestion;
pub mod syntax;
pub mod token;
#[cfg(feature = "tools")]
mod tokens;
pub mod vocabulary;

pub use analyse::{Analysis, Readable, analyse, readable};
pub use diagnostic::{Diagnostic, Diagnostics, Severity};
#[cfg(feature = "tools")]
pub use format::format;
pub use lower::Use;
pub use repair::{Repaired, propose, repair, sketch};
pub use rules::{AREAS, Area, Check, ReportedBy, Rule, is_about_the_whole, rules};
pub use source::{SourceFile, SourceMap, decode};
pub use span::{FileId, Span};
pub use spelling::Near;
pub use suggestion::{Applicability, Suggestion};
#[cfg(feature = "tools")]
pub use tokens::lines;
