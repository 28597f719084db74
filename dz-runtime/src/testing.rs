//! Tests of applications: [`prove_access!`].
//!
//! The rules of an application are read twice. One reader makes SQL of them, and that SQL stands in every statement that
//! the application sends. The other one, which is here, knows nothing of SQL: it looks at rows in memory and decides as the
//! language defines the rules. A proof makes random worlds (rows, accounts and their roles; a fifth of the callers is
//! anonymous, and fields of accounts are null now and then), asks the running application for something on one of its
//! channels, and compares the answer with what the second reader says.
//!
//! ```ignore
//! #[test]
//! fn the_rules_hold_everywhere() {
//!     dz::testing::prove_access!(app);
//! }
//! ```
//!
//! # What it asks
//!
//! Lists with filters, sorts and searches over refs, CSV, `expand`, single rows, pickers, the pages of surfaces with their variants, creates,
//! two-sided updates, deletes with what goes with them, moves, actions of the application's own, restores, bulk writes and
//! the forms of pages, and queries of Rust over scoped rows. Of every answer it also looks whether a text stands in it that its reader may not see; of every write
//! that was refused, whether all rows are as they were.
//!
//! Where an entity has hooks, the application's own Rust may refuse more (409 and 422); the rules must hold all the same.
//!
//! # How long
//!
//! Four thousand requests on each engine that is compiled in: some seconds. `DZ_PROOF_CASES=200000` makes a long run of it, and
//! `DZ_PROOF_SEED` begins elsewhere. A disagreement panics with the request, the caller, the smallest world that shows it, and
//! the seed to begin with. PostgreSQL needs `DZ_TEST_POSTGRES`, the address of a server that may make databases.
//!
//! [`Proof::unnoticed`] is the reverse proof: it removes every condition that the rules put into statements, one at a time, and
//! returns those whose absence no random world shows. It needs a build with debug assertions, as `cargo test` makes it.

mod check_audit;
mod check_leaks;
mod check_reads;
mod check_writes;
#[cfg(debug_assertions)]
mod conjuncts;
mod database;
mod environment;
mod evaluate;
mod generate;
#[cfg(debug_assertions)]
mod mutation;
mod operation;
mod oracle;
mod pages;
mod plan;
mod proof;
mod query;
mod random;
mod sensitive;
mod server;
mod store;
mod tenants;
mod typed;
mod undetected;
mod world;

pub use crate::prove_access;
pub use proof::{Proof, ProofReport};
/// Signs what a provider in a test says; the connection to a real one brings it anyway, so that no other build pays for it.
#[cfg(feature = "oidc")]
#[doc(hidden)]
pub use ring;

/// Proves the access rules of an application, see [`testing`](crate::testing): `prove_access!(app)`, with the function that
/// makes it.
///
/// # Panics
/// At the first answer that is not what the rules say.
#[macro_export]
macro_rules! prove_access {
    ($app:expr) => {
        $crate::testing::Proof::new($app).run()
    };
}
