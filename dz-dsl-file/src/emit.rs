//! What is made of a model, or of the tables of the language, as text.

mod json;
pub mod openapi;
pub mod reference;
pub mod schema;
