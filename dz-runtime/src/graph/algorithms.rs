//! Algorithms over the edges that a caller sees: paths, components, and metrics of nodes.
//!
//! [`Topology`] holds keys and weights only; rows are read for the result. petgraph computes on the positions of nodes and edges.

mod background;
mod bidirectional;
mod components;
mod figures;
mod links;
mod part;
mod path;
mod shared;
mod snapshots;
mod topology;
mod update;

pub(crate) use background::{refresh, want_graphs};
pub(crate) use components::components;
pub(crate) use figures::{Degree, cycles, degree, page_rank, reachable};
pub(crate) use path::{ShortestPath, shortest_path};
pub(crate) use snapshots::Snapshots;
pub(crate) use topology::Topology;

use std::sync::Arc;

use crate::hooks::Hooks;

/// Adds the graphs in memory to the application.
pub(crate) fn register(hooks: &mut Hooks) {
    hooks.manage(Arc::new(Snapshots::default()));
}
