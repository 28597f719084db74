//! `dependencies` and `dependents`: the targets of the relations of a node, and the sources of the relations to it.

use petgraph::Direction;
use serde_json::{Value, json};

use super::Operation;
use crate::{
    Failure, Host, Node, Session,
    parameters::{Arguments, Form, Parameter},
    walk,
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
    let found: Vec<Value> = walk::closure(&session.graph, start, direction, transitive).into_iter().map(Node::json).collect();
    let mut result = json!({ "entity_id": id, "count": found.len(), "transitive": transitive });
    result[member] = found.into();
    Ok(result)
}
