//! `triggers`: the processes and intents that an event of an entity starts.

use serde_json::{Map, Value, json};

use super::{Operation, topology::entity};
use crate::{
    Failure, Host, Kind, Node, Session,
    parameters::{Arguments, Form, Parameter},
};

pub(super) const OPERATION: Operation = Operation {
    name: "triggers",
    summary: "LLM intents and processes that an event of an entity starts",
    parameters: &[Parameter::required("entity", Form::Text), Parameter::optional("event", Form::Word(&["created", "updated", "deleted"]))],
    run,
};

fn run(session: &mut Session, given: &Arguments<'_>, _: &mut dyn Host) -> Result<Value, Failure> {
    let graph = &session.graph;
    let entity = entity(graph, "entity", given.required("entity"))?;
    let event = given.text("event");
    let kinds = [Kind::LlmIntent.word(), Kind::Process.word()];
    let mut nodes: Vec<&Node> = graph.nodes().filter(|node| kinds.contains(&node.kind.as_str())).collect();
    nodes.sort_by(|a, b| a.id.cmp(&b.id));
    let triggers: Vec<Value> = nodes.into_iter().filter_map(|node| find_trigger(node, &entity.name, event)).collect();
    Ok(json!({ "entity": entity.name, "event": event, "trigger_count": triggers.len(), "triggers": triggers }))
}

/// The trigger of a node, if an event of the entity starts it.
fn find_trigger(node: &Node, entity: &str, event: Option<&str>) -> Option<Value> {
    let trigger = node.metadata.get("trigger")?.as_object()?;
    let says = |name: &str| trigger.get(name).and_then(Value::as_str);
    if says("entity") != Some(entity) || event.is_some_and(|event| says("event") != Some(event)) {
        return None;
    }
    let kind = if node.kind == Kind::Process.word() { "process" } else { "llm_intent" };
    let mut started = Map::from_iter([("type".to_owned(), kind.into()), ("name".to_owned(), node.name.as_str().into())]);
    started.insert("id".to_owned(), node.id.as_str().into());
    let rest = trigger.iter().filter(|(key, _)| !matches!(key.as_str(), "kind" | "entity"));
    started.extend(rest.map(|(key, value)| (key.clone(), value.clone())));
    Some(started.into())
}
