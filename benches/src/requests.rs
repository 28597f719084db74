//! Requests per second: the same application twice, and what drives it.

pub mod by_hand;
pub mod declared;
pub mod drive;
pub mod page;
