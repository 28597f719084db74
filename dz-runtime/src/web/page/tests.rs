//! Tests of pages: their HTML over made-up data, and requests over a database.

mod app;
mod contrast;
mod html;
mod requests;
