//! Rules of graphs.

macro_rules! graph {
    ($edge:literal, $more:literal, $node:literal) => {
        concat!(
            "entity Place:\n  id: uuid pk\n  name: str(40)\n",
            $node,
            "  permit:\n    list: true\n    read: true\nentity Road:\n  id: uuid pk\n  a: ref Place required\n  b: ref Place required\n",
            $edge,
            $more
        )
    };
}

macro_rules! road {
    ($edge:literal, $node:literal) => {
        concat!(
            "entity Place:\n  id: uuid pk\n  name: str(40)\n",
            $node,
            "  permit:\n    list: true\n    read: true\nentity Road:\n  id: uuid pk\n  a: ref Place required\n  b: ref Place required\n",
            "  kind: enum[path, street]\n  length: decimal(8,2)\n  note: text\n",
            $edge,
            "  permit:\n    list: true\n    read: true\n"
        )
    };
}

mod acyclic_not_enforced;
mod edge_without_access;
mod heterogeneous_graph;
mod node_without_display;
mod suggest_graph_edge;
mod suggest_graph_node;

use super::{Area, Rule};
use crate::model::{Entity, EntityId, FieldId};

/// The rules of this area.
pub(super) const AREA: Area = Area {
    name: "graph",
    rules: &[
        acyclic_not_enforced::RULE,
        edge_without_access::RULE,
        Rule::error(
            "edges-not-connected",
            "the edges of a node do not refer to it",
            concat!(
                "entity Town:\n  id: uuid pk\n  graph_node:\n    edges: Road\n  permit:\n    read: true\n",
                "entity Place:\n  id: uuid pk\n  permit:\n    read: true\n",
                "entity Road:\n  id: uuid pk\n  a: ref Place required\n  b: ref Place required\n  graph_edge:\n    source: a\n    target: b\n  permit:\n    read: true\n"
            ),
            ROAD,
        ),
        Rule::error(
            "graph-display-field",
            "the field that labels a node does not exist",
            road!("  graph_edge:\n    source: a\n    target: b\n", "  graph_node:\n    edges: Road\n    display: title\n"),
            ROAD,
        ),
        Rule::error("graph-edge-incomplete", "an edge lacks its source or target", road!("  graph_edge:\n    source: a\n", ""), ROAD),
        Rule::error(
            "graph-edges-without-edge",
            "the edges of a node are an entity without `graph_edge`",
            road!("", "  graph_node:\n    edges: Road\n"),
            ROAD,
        ),
        Rule::error(
            "graph-end-not-a-ref",
            "source or target of an edge is not a reference",
            road!("  graph_edge:\n    source: a\n    target: note\n", ""),
            ROAD,
        ),
        Rule::error(
            "graph-node-incomplete",
            "a node lacks its edges",
            road!("  graph_edge:\n    source: a\n    target: b\n", "  graph_node:\n    display: name\n"),
            ROAD,
        ),
        Rule::error(
            "graph-type-field",
            "the type of an edge does not exist, or is neither enum nor str",
            road!("  graph_edge:\n    source: a\n    target: b\n    type: length\n", ""),
            ROAD,
        ),
        Rule::error(
            "graph-unknown-field",
            "source or target of an edge does not exist",
            road!("  graph_edge:\n    source: a\n    target: c\n", ""),
            ROAD,
        ),
        Rule::error(
            "graph-weight-field",
            "the weight of an edge does not exist, or is not a number",
            road!("  graph_edge:\n    source: a\n    target: b\n    weight: note\n", ""),
            ROAD,
        ),
        heterogeneous_graph::RULE,
        node_without_display::RULE,
        Rule::error(
            "same-source-and-target",
            "one field is source and target",
            road!("  graph_edge:\n    source: a\n    target: a\n", ""),
            ROAD,
        ),
        suggest_graph_edge::RULE,
        suggest_graph_node::RULE,
    ],
};

const SOUND: &str = graph!(
    "  graph_edge:\n    source: a\n    target: b\n",
    "  permit:\n    list: true\n    read: true\n",
    "  graph_node:\n    edges: Road\n    display: name\n"
);

const ROAD: &str = road!(
    "  graph_edge:\n    source: a\n    target: b\n    type: kind\n    weight: length\n",
    "  graph_node:\n    edges: Road\n    display: name\n"
);

/// The entity that a ref references.
fn ref_target(entity: &Entity, field: FieldId) -> Option<EntityId> {
    entity.fields[field.0].ty.target()
}
