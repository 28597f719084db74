//! `paths`: the shortest paths between two nodes.

use std::{cmp::Ordering, collections::HashSet};

use petgraph::{Direction, stable_graph::NodeIndex};
use serde_json::{Value, json};

use super::Operation;
use crate::{
    Failure, Graph, Host, Session,
    distance::STEPS,
    parameters::{Arguments, Form, Parameter},
};

/// The maximum number of returned paths.
const PATHS: usize = 10;

pub(super) const OPERATION: Operation = Operation {
    name: "paths",
    summary: "up to 10 shortest paths from a node to another, of at most 5 relations",
    parameters: &[Parameter::required("source_id", Form::Text), Parameter::required("target_id", Form::Text)],
    run,
};

fn run(session: &mut Session, given: &Arguments<'_>, _: &mut dyn Host) -> Result<Value, Failure> {
    let (source_id, target_id) = (given.required("source_id"), given.required("target_id"));
    let source = session.node_at("source_id", source_id)?;
    let target = session.node_at("target_id", target_id)?;
    let graph = &session.graph;
    let id = |at: &NodeIndex| graph.inner()[*at].id.as_str();
    let shown = |path: &NodePath| {
        let relations = types_along(graph, path);
        json!({ "path": path.iter().map(id).collect::<Vec<_>>(), "length": relations.len(), "relations": relations })
    };
    let paths: Vec<Value> = find_paths(graph, source, target).iter().map(shown).collect();
    Ok(json!({ "source": source_id, "target": target_id, "count": paths.len(), "paths": paths }))
}

/// The nodes of a path, in order.
type NodePath = Vec<NodeIndex>;

/// The shortest paths between two nodes, shortest first, then by their ids.
fn find_paths(graph: &Graph, source: NodeIndex, target: NodeIndex) -> Vec<NodePath> {
    if source == target {
        return vec![vec![source]];
    }
    let ahead = layers(graph, target);
    let mut found: Vec<NodePath> = Vec::new();
    for length in (1..=STEPS).filter(|length| ahead[*length].contains(&source)) {
        let mut search = Search { graph, target, ahead: &ahead, wanted: PATHS - found.len(), found: Vec::new() };
        search.extend(&mut vec![source], length);
        found.extend(search.found);
        if found.len() == PATHS {
            break;
        }
    }
    found
}

/// For each number of relations, the nodes at this distance from the target: only these can be on a path of a length.
fn layers(graph: &Graph, target: NodeIndex) -> Vec<HashSet<NodeIndex>> {
    let mut layers = vec![HashSet::from([target])];
    for _ in 0..STEPS {
        let last = layers.last().into_iter().flatten();
        layers.push(last.flat_map(|at| graph.inner().neighbors_directed(*at, Direction::Incoming)).collect());
    }
    layers
}

/// A search for paths of one length.
struct Search<'g> {
    graph: &'g Graph,
    target: NodeIndex,
    ahead: &'g [HashSet<NodeIndex>],
    wanted: usize,
    found: Vec<NodePath>,
}

impl Search<'_> {
    /// Extends a path by so many relations, to nodes in the order of their ids.
    fn extend(&mut self, path: &mut NodePath, left: usize) {
        let Some(&at) = path.last() else { return };
        if left == 0 {
            if at == self.target {
                self.found.push(path.clone());
            }
            return;
        }
        // A path contains no node twice, so it ends at the target.
        if at == self.target {
            return;
        }
        let mut next: Vec<NodeIndex> = self.graph.inner().neighbors(at).collect::<HashSet<_>>().into_iter().collect();
        next.retain(|it| self.ahead[left - 1].contains(it) && !path.contains(it));
        next.sort_by(|a, b| self.by_id(*a, *b));
        for it in next {
            if self.found.len() == self.wanted {
                return;
            }
            path.push(it);
            self.extend(path, left - 1);
            path.pop();
        }
    }

    fn by_id(&self, a: NodeIndex, b: NodeIndex) -> Ordering {
        self.graph.inner()[a].id.cmp(&self.graph.inner()[b].id)
    }
}

/// The types of the relations along a path; if several relations connect two nodes, the first by name.
fn types_along<'g>(graph: &'g Graph, path: &[NodeIndex]) -> Vec<&'g str> {
    let between = |a: NodeIndex, b: NodeIndex| graph.inner().edges_connecting(a, b).map(|edge| edge.weight().kind.as_str()).min();
    path.windows(2).filter_map(|pair| between(pair[0], pair[1])).collect()
}
