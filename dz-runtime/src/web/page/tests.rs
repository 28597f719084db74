//! Tests of pages: their HTML with sample data, and requests to a database.

pub(crate) mod app;
mod contrast;
pub(crate) mod html;
mod requests;
