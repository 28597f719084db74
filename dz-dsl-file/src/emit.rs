//! Texts that are generated from a model or from the tables of the language.

pub mod access;
pub mod expression;
#[cfg(feature = "tools")]
pub mod graphql;
#[cfg(feature = "tools")]
pub mod openapi;
pub mod phrase;
pub mod schema;
