//! The application whose requests are measured, as a declaration and written by hand; and the measurement.

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

/// The result of a part of the bench.
pub type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// The number of rows that the caller sees, with any number of rows.
pub const SEEN: u32 = 1_000;
