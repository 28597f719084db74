//! `dependencies` and `dependents`: the targets of the relations of a node, and the sources of the relations to it.

use std::collections::{HashMap, VecDeque};

use petgraph::{Direction, stable_graph::NodeIndex};
use serde_json::{Value, json};

use super::Operation;
use crate::{
    Failure, Graph, Host, Node, Session,
    distance::{STEPS, nearest_first},
    parameters::{Arguments, Form, Parameter},
};

const PARAMETERS: &[Parameter] = &[Parameter::required("entity_id", Form::Text), Parameter::optional("transitive", Form::Flag)];

pub(super) const DEPENDENCIES: Operation = Operation {
    name: "dependencies",
    summary: "nodes that a node depends on",
    parameters: PARAMETERS,
    run: |session, given, _: &mut dyn Host| follow(session, given, Direction::Outgoing, "dependencies"),
};

pub(super) const DEPENDENTS: Operation = Operation {
    name: "dependents",
    summary: "nodes that depend on a node",
    parameters: PARAMETERS,
    run: |session, given, _: &mut dyn Host| follow(session, given, Direction::Incoming, "dependents"),
};

fn follow(session: &Session, given: &Arguments<'_>, direction: Direction, member: &str) -> Result<Value, Failure> {
    let id = given.required("entity_id");
    let transitive = given.flag("transitive");
    let start = session.node_at("entity_id", id)?;
    let found: Vec<Value> = closure(&session.graph, start, direction, transitive).into_iter().map(Node::json).collect();
    let mut result = json!({ "entity_id": id, "count": found.len(), "transitive": transitive });
    result[member] = found.into();
    Ok(result)
}

/// The nodes at the other ends of relations of one direction, nearest first. They contain the start only if it refers to itself.
fn closure(graph: &Graph, start: NodeIndex, direction: Direction, transitive: bool) -> Vec<&Node> {
    let mut distances: HashMap<NodeIndex, usize> = HashMap::new();
    let mut open = VecDeque::from([(start, 0)]);
    let limit = if transitive { STEPS } else { 1 };
    while let Some((at, distance)) = open.pop_front() {
        if distance == limit {
            continue;
        }
        for other in graph.inner().neighbors_directed(at, direction) {
            let direct_loop = other == start && at == start;
            if (other != start || direct_loop) && !distances.contains_key(&other) {
                distances.insert(other, distance + 1);
                if other != start {
                    open.push_back((other, distance + 1));
                }
            }
        }
    }
    nearest_first(graph, distances).into_iter().map(|(node, _)| node).collect()
}
