//! Tests of pages: their HTML with sample data, and requests to a database.

pub(crate) mod app;
mod contrast;
#[cfg(debug_assertions)]
mod edits;
pub(crate) mod html;
mod requests;
