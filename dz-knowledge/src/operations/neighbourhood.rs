//! `neighbourhood`: the nodes around a node, in both directions.

use serde_json::{Value, json};

use super::Operation;
use crate::{
    Failure, Host, Relation, Session,
    parameters::{Arguments, Form, Parameter},
    walk,
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
    let (reached, relations) = walk::neighbourhood(&session.graph, start, given.whole("depth", 1), &given.texts("relation_types"));
    let with_distance = |(node, distance): &walk::Reached<'_>| {
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
