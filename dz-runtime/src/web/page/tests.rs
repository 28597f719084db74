//! Tests of pages: their HTML over made-up data, and requests over a database.

pub(crate) mod app;
mod contrast;
pub(crate) mod html;
mod requests;
