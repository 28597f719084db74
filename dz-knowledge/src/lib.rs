//! The knowledge graph: the declarations of a project and the entries about the language, as a graph with operations.
//!
//! The crate does no input or output: a [`Host`] reads and writes files. [`Session`] is the entry point: it contains the graph and
//! executes calls.

mod changes;
mod distance;
mod exchange;
mod failure;
mod findings;
mod framework;
mod graph;
mod kinds;
mod node;
mod operations;
mod parameters;
mod places;
mod populate;
mod schema;
mod search;
mod session;
mod units;

pub use exchange::Imports;
pub use failure::{Failure, Fault};
pub use framework::{Entry, Part, entries};
pub use graph::Graph;
pub use kinds::{Kind, RELATIONS};
pub use node::{Node, Relation};
pub use operations::{OPERATIONS, Operation};
pub use parameters::{Form, Parameter};
pub use populate::{type_text, value_text};
pub use schema::{input_schema, output_schema};
pub use session::{Host, Loaded, Session};
