//! The command as users and editors run it.

mod access;
mod explain;
mod fmt;
mod folder;
mod lint;
mod migrate;
mod plan;
mod specs;
mod validate;
