//! `inference`: suggestions for a need that is described in words.

use serde_json::{Value, json};

use super::Operation;
use crate::{
    Failure, Host, Node, Session,
    parameters::{Arguments, Form, Parameter},
};

pub(super) const OPERATION: Operation = Operation {
    name: "inference",
    summary: "suggestions for a described need such as \"a manager must approve\", best first",
    parameters: &[Parameter::required("text", Form::Text), Parameter::optional("limit", Form::Whole(1, 1000))],
    run,
};

fn run(session: &mut Session, given: &Arguments<'_>, _: &mut dyn Host) -> Result<Value, Failure> {
    let text = given.required("text");
    let mut found = session.index().search(text, |id| id.starts_with("inference:"));
    found.truncate(given.whole("limit", 10));
    let shown = |(id, score): (&str, f32)| session.graph.node(id).map(|node| match_json(node, score));
    let matches: Vec<Value> = found.into_iter().filter_map(shown).collect();
    Ok(json!({ "query": text, "count": matches.len(), "matches": matches }))
}

fn match_json(node: &Node, score: f32) -> Value {
    let part = |name: &str| node.metadata.get(name).cloned().unwrap_or_default();
    json!({
        "id": node.id,
        "name": node.name,
        "triggers": part("triggers"),
        "suggests": part("suggests"),
        "example": part("example"),
        "score": (f64::from(score) * 1000.0).round() / 1000.0,
    })
}
