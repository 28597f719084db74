//! Tests of applications: [`prove_access!`].
//!
//! The rules of an application have two independent interpretations. One is the SQL of every statement of the application. The other one
//! is an oracle in this module, which knows no SQL: it evaluates the rules over rows in memory, as the language defines them. A proof
//! generates random worlds (rows, accounts and their roles; a fifth of the callers is anonymous, and fields of accounts are sometimes
//! null), sends requests to the running application, and compares the responses with the oracle.
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
//! The requests are lists with filters, sorts and searches over references, CSV, `expand`, single rows, pickers, the pages of surfaces
//! with their variants, creates, updates, deletes with dependent rows, transitions, custom actions, restores, bulk writes, forms, and
//! queries of Rust over scoped rows. Every response is also searched for texts that the caller cannot read, and after every refused write
//! all rows must be unchanged.
//!
//! Hooks can refuse more writes (409 and 422); the rules must hold with them too.
//!
//! # How long
//!
//! A proof sends 4,000 requests on each compiled engine, which takes some seconds. `DZ_PROOF_CASES=200000` sets another number, and
//! `DZ_PROOF_SEED` the first seed. A disagreement panics with the request, the caller, the smallest world that shows it, and its seed.
//! PostgreSQL needs `DZ_TEST_POSTGRES`, the address of a server on which databases can be created.
//!
//! [`Proof::undetected_removals`] is mutation testing of the proof: it removes every generated condition, one at a time, and returns
//! those whose removal no random world detects. It needs a build with debug assertions, for example that of `cargo test`.

mod check_audit;
mod check_leaks;
mod check_reads;
mod check_writes;
#[cfg(debug_assertions)]
mod conjuncts;
mod database;
mod environment;
mod evaluate;
mod fake;
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
mod response;
mod sensitive;
mod server;
mod store;
mod tenants;
mod test_app;
mod test_user;
mod typed;
mod undetected;
mod world;

pub use crate::prove_access;
pub use fake::fake;
pub use proof::{Proof, ProofReport};
pub use response::{Problem, TestResponse};
/// Signs the tokens of test providers. The feature `oidc` contains it anyway, so no other build depends on it.
#[cfg(feature = "oidc")]
#[doc(hidden)]
pub use ring;
pub use test_app::{TestApp, TestAppBuilder};
pub use test_user::{TestRequest, TestUser};

/// Proves the access rules of an application, see [`testing`](crate::testing): `prove_access!(app)` with the function that returns the
/// application.
///
/// # Panics
/// At the first response that violates the rules.
#[macro_export]
macro_rules! prove_access {
    ($app:expr) => {
        $crate::testing::Proof::new($app).run()
    };
}
