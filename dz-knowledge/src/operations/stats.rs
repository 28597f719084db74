//! `stats`: the numbers of nodes and relations.

use serde_json::{Value, json};

use super::Operation;
use crate::{Failure, Host, Session, parameters::Arguments};

pub(super) const OPERATION: Operation =
    Operation { name: "stats", summary: "numbers of nodes and relations by type", parameters: &[], run };

fn run(session: &mut Session, _: &Arguments<'_>, _: &mut dyn Host) -> Result<Value, Failure> {
    let (nodes, relations) = (session.graph.node_counts(), session.graph.relation_counts());
    Ok(json!({
        "entity_count": nodes.values().sum::<usize>(),
        "relation_count": relations.values().sum::<usize>(),
        "entity_types": nodes,
        "relation_types": relations,
    }))
}
