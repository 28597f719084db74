//! `neighbourhood`: the nodes around a node, in both directions.

use std::{
    collections::{HashMap, VecDeque, hash_map::Entry},
    sync::Arc,
};

use petgraph::{
    Direction,
    stable_graph::{EdgeReference, NodeIndex},
    visit::EdgeRef,
};
use serde_json::{Value, json};

use super::Operation;
use crate::{
    Failure, Graph, Host, Relation, Session,
    distance::{Reached, nearest_first},
    parameters::{Arguments, Form, Parameter},
};

pub(super) const OPERATION: Operation = Operation {
    name: "neighbourhood",
    summary: "nodes within a number of relations of a node, in both directions",
    parameters: &[
        Parameter::required("entity_id", Form::Text),
        Parameter::optional("depth", Form::Whole(1, u64::MAX)),
        Parameter::optional("relation_types", Form::RelationTypes),
    ],
    run,
};

fn run(session: &mut Session, given: &Arguments<'_>, _: &mut dyn Host) -> Result<Value, Failure> {
    let id = given.required("entity_id");
    let start = session.node_at("entity_id", id)?;
    let (reached, relations) = neighbourhood(&session.graph, start, given.whole("depth", 1), &given.texts("relation_types"));
    let with_distance = |(node, distance): &Reached<'_>| {
        let mut json = node.json();
        json["distance"] = (*distance).into();
        json
    };
    Ok(json!({
        "center": id,
        "entities": reached.iter().map(with_distance).collect::<Vec<_>>(),
        "relations": relations.iter().map(|it| Relation::json(it)).collect::<Vec<_>>(),
        "entity_count": reached.len(),
        "relation_count": relations.len(),
    }))
}

/// The nodes within a distance of a node, in both directions, nearest first; with no types every relation is followed.
fn neighbourhood<'g>(graph: &'g Graph, start: NodeIndex, depth: usize, types: &[String]) -> (Vec<Reached<'g>>, Vec<&'g Relation>) {
    let wanted = |kind: &str| types.is_empty() || types.iter().any(|it| it == kind);
    let mut distances = HashMap::from([(start, 0)]);
    let mut open = VecDeque::from([start]);
    while let Some(at) = open.pop_front() {
        let distance = distances[&at];
        if distance == depth {
            continue;
        }
        for direction in [Direction::Outgoing, Direction::Incoming] {
            for edge in graph.inner().edges_directed(at, direction).filter(|edge| wanted(&edge.weight().kind)) {
                let other = if direction == Direction::Outgoing { edge.target() } else { edge.source() };
                if let Entry::Vacant(entry) = distances.entry(other) {
                    entry.insert(distance + 1);
                    open.push_back(other);
                }
            }
        }
    }
    let inside = |edge: &EdgeReference<'_, Arc<Relation>>| distances.contains_key(&edge.target());
    let edges = distances.keys().flat_map(|at| graph.inner().edges(*at)).filter(inside).filter(|edge| wanted(&edge.weight().kind));
    let mut relations: Vec<&Relation> = edges.map(|edge| &**edge.weight()).collect();
    relations.sort_by(|a, b| (&a.source, &a.kind, &a.target).cmp(&(&b.source, &b.kind, &b.target)));
    (nearest_first(graph, distances), relations)
}
