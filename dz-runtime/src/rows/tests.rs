//! Rows on both engines: who sees and changes what, in how many statements, and what is refused.

pub(crate) mod app;
mod brute;
mod changes;
mod deletes;
mod lists;
mod people;
mod recovery;
mod typed;
mod world;
