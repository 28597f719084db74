//! Texts that are generated from a model or from the tables of the language.

pub mod access;
#[cfg(feature = "tools")]
pub mod docs;
pub mod expression;
pub mod flow;
#[cfg(feature = "tools")]
pub mod graphql;
pub mod llm;
#[cfg(feature = "tools")]
pub mod openapi;
pub mod phrase;
pub mod schema;
pub mod services;
#[cfg(feature = "tools")]
pub mod stubs;
