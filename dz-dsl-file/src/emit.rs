//! What is made of a model, or of the tables of the language, as text.

pub mod reference;
pub mod schema;
