//! What is made of a model, or of the tables of the language, as text.

pub mod access;
pub mod expression;
pub mod openapi;
pub mod phrase;
pub mod reference;
pub mod schema;
