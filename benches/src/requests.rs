//! The application whose requests are measured, twice: as a declaration and by hand; and what measures it.

pub mod by_hand;
pub mod declared;
pub mod drive;
pub mod filtered;
pub mod grow;
pub mod kind;
pub mod page;
pub mod place;
pub mod probe;
pub mod served;
pub mod table;

/// What each part of the bench says of its end.
pub type Done<T> = Result<T, Box<dyn std::error::Error>>;

/// Rows that the caller sees, however many there are.
pub const SEEN: u32 = 1_000;
