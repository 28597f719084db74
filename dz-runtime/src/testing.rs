//! Tests of applications: [`TestApp`], which answers requests without a socket, and [`prove_access!`], the property test of the access
//! rules.
//!
//! The property test compares two independent interpretations of the rules of an application. One is the SQL of every statement of the
//! application. The other is an oracle in this module, which evaluates the rules over rows in memory, as the language defines them, and
//! uses no SQL. The test generates random data sets: rows, accounts and their roles. It sends requests to the running application, and
//! compares the responses with the oracle. Some callers are anonymous, and fields of accounts are sometimes null.
//!
//! ```ignore
//! #[test]
//! fn the_rules_hold_everywhere() {
//!     dz::testing::prove_access!(app);
//! }
//! ```
//!
//! # Requests
//!
//! The requests are lists with filters, sorts and searches over references, CSV, `expand`, single rows, pickers, the pages of surfaces
//! with their variants, creates, updates, deletes with dependent rows, transitions, custom actions, restores, bulk writes, forms,
//! graphs, queries of Rust over scoped rows, and with the feature `graphql` the same reads and writes as documents of GraphQL. Every
//! response is also searched for texts that the caller cannot read, and after every refused write
//! all rows must be unchanged.
//!
//! A hook can refuse a write that the rules permit (409 or 422).
//!
//! # Settings
//!
//! The test sends 4,000 requests on each compiled engine, which takes some seconds. `DZ_PROOF_CASES=200000` sets another number, and
//! `DZ_PROOF_SEED` the first seed. At the first response that differs from the oracle, the test panics with the request, the caller, the
//! smallest data set with the same difference, and its seed. PostgreSQL needs `DZ_TEST_POSTGRES`, the address of a server on which the
//! test may create databases.
//!
//! [`Proof::undetected_removals`] is mutation testing of the property test: it removes every generated condition, one at a time, and
//! returns the conditions whose removal no random case detects. It needs a build with debug assertions, for example `cargo test`.

mod check_audit;
mod check_graph;
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
mod graphql;
mod invariants;
#[cfg(debug_assertions)]
mod mutation;
mod operation;
mod oracle;
mod pages;
mod plan;
mod proof;
mod query;
pub(crate) mod random;
mod recorded_llm;
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
#[doc(hidden)]
pub use ring;
pub use test_app::{TestApp, TestAppBuilder};
pub use test_user::{TestRequest, TestUser};

/// Runs the property test of the access rules of an application, see [`testing`](crate::testing). `prove_access!(app)` takes the function
/// that returns the application.
///
/// # Panics
/// At the first response that violates the rules.
#[macro_export]
macro_rules! prove_access {
    ($app:expr) => {
        $crate::testing::Proof::new($app).run()
    };
}
