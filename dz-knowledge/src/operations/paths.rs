//! `paths`: the shortest paths between two nodes.

use petgraph::stable_graph::NodeIndex;
use serde_json::{Value, json};

use super::Operation;
use crate::{
    Failure, Host, Session,
    parameters::{Arguments, Form, Parameter},
    walk,
};

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
    let shown = |path: &walk::Way| {
        let relations = walk::types_along(graph, path);
        json!({ "path": path.iter().map(id).collect::<Vec<_>>(), "length": relations.len(), "relations": relations })
    };
    let paths: Vec<Value> = walk::paths(graph, source, target).iter().map(shown).collect();
    Ok(json!({ "source": source_id, "target": target_id, "count": paths.len(), "paths": paths }))
}
