//! HTTP: one handler per kind of route, over the static description.

mod call;
pub mod params;

pub use call::{Call, Reply};
