//! The same durable runs written by hand, and with another engine.

pub mod by_hand;
pub mod dbos;
