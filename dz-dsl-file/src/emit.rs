//! What is made of a model, or of the tables of the language, as text.

pub mod access;
pub mod expression;
#[cfg(feature = "tools")]
pub mod openapi;
pub mod phrase;
pub mod schema;
