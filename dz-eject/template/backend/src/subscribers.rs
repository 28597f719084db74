//! The code that runs after a row was created, changed or deleted, and after the write was committed.
//!
//! The subscribers of the original application are Rust code, which is not part of its declaration. Add each to [`ALL`]: events of
//! the original application that were not delivered yet wait for the subscriber that has their name.
//!
//! ```text
//! pub const ALL: &[Subscriber] =
//!     &[Subscriber { name: "send the invoice", entity: "Order", event: Event::Updated, deliver: send_invoice }];
//!
//! fn send_invoice(database: &Database, happened: &Happened) -> Result<(), String> {
//!     // `happened.row` is the row as in a response; an error is a reason to try again later.
//! }
//! ```

use crate::events::Subscriber;

/// All subscribers. Those of an entity with one name get the events of a row in their order.
pub const ALL: &[Subscriber] = &[];
