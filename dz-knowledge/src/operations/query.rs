//! `query`: the nodes that a text describes.

use serde_json::{Value, json};

use super::Operation;
use crate::{
    Failure, Host, Node, Session,
    parameters::{Arguments, Form, Parameter},
};

pub(super) const OPERATION: Operation = Operation {
    name: "query",
    summary: "nodes that a text describes, best first",
    parameters: &[
        Parameter::required("text", Form::Text),
        Parameter::optional("entity_types", Form::NodeTypes),
        Parameter::optional("limit", Form::Whole(1, 1000)),
    ],
    run,
};

fn run(session: &mut Session, given: &Arguments<'_>, _: &mut dyn Host) -> Result<Value, Failure> {
    let text = given.required("text");
    let types = given.texts("entity_types");
    let limit = given.whole("limit", 20);
    let wanted = |node: &Node| types.is_empty() || types.contains(&node.kind);
    let graph = &session.graph;
    let mut found: Vec<&Node> = if text.trim().is_empty() {
        let mut all: Vec<&Node> = graph.nodes().filter(|node| wanted(node)).collect();
        all.sort_by(|a, b| a.id.cmp(&b.id));
        all
    } else {
        let found = session.index().search(text, |id| graph.node(id).is_some_and(wanted));
        found.into_iter().filter_map(|(id, _)| graph.node(id)).collect()
    };
    found.truncate(limit);
    let entities: Vec<Value> = found.into_iter().map(Node::json).collect();
    Ok(json!({ "query": text, "count": entities.len(), "entities": entities }))
}
