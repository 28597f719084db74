//! Rows on both engines: access of each caller, numbers of statements, and refusals.

pub(crate) mod app;
mod brute;
mod changes;
mod deletes;
mod lists;
mod people;
mod recovery;
mod typed;
mod world;
