//! The rules that the blocks of an entity can break, with their examples.

use super::error;
use crate::diagnostic::Rule;

macro_rules! task {
    ($($line:literal),*) => {
        concat!("entity Task:\n  id: uuid pk\n", $($line,)* "  permit:\n    list: true\n    read: true\n    update: true\n")
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

const ROAD: &str = road!(
    "  graph_edge:\n    source: a\n    target: b\n    type: kind\n    weight: length\n",
    "  graph_node:\n    edges: Road\n    display: name\n"
);
const MOVES: &str = task!("  status: enum[open, done]\n", "  note: text\n", "  transitions:\n    open -> done: requires note\n");
const INVARIANTS: &str = task!(
    "  n: int\n",
    "  invariant: n > 0\n    message: \"Count\"\n    code: NONE\n",
    "  invariant: n < 9\n    message: \"Less\"\n    code: MANY\n"
);

/// Rules of moves, invariants, computed fields, graphs and archetypes.
pub const RULES: &[Rule] = &[
    error("no-state-field", "moves between states that no enum field has", task!("  transitions:\n    open -> done\n"), MOVES),
    error(
        "ambiguous-state-field",
        "moves between states that several enum fields have",
        task!("  a: enum[open, done]\n  b: enum[open, done]\n", "  transitions:\n    open -> done\n"),
        task!("  status: enum[open, done]\n  b: enum[open, done]\n", "  transitions:\n    open -> done\n"),
    ),
    error(
        "unknown-state",
        "a move names no value of the state field",
        task!("  status: enum[open, done]\n", "  transitions:\n    open -> dnoe\n"),
        MOVES,
    ),
    error(
        "duplicate-end",
        "a state is marked twice as one in which a row ends",
        task!("  status: enum[open, done]\n", "  transitions:\n    open -> done\n    final: done\n    failed: done\n"),
        task!("  status: enum[open, done]\n", "  transitions:\n    open -> done\n    final: done\n"),
    ),
    error(
        "label-cycle",
        "refs that name rows lead back to the row itself",
        task!("  parent: ref Task\n", "  display_field: parent\n"),
        task!("  number: int required unique\n  parent: ref Task\n", "  display_field: number\n"),
    ),
    error(
        "duplicate-transition",
        "one move is declared by two rows",
        task!("  status: enum[open, done]\n", "  transitions:\n    open -> done\n    open -> done: role(admin)\n"),
        MOVES,
    ),
    error(
        "requires-unknown-field",
        "a move requires a field that does not exist",
        task!("  status: enum[open, done]\n  note: text\n", "  transitions:\n    open -> done: requires notes\n"),
        MOVES,
    ),
    error(
        "bad-duration",
        "a length of time that is none",
        task!("  status: enum[open, done]\n", "  transitions:\n    open -> done: auto after soon\n"),
        task!("  status: enum[open, done]\n", "  transitions:\n    open -> done: auto after 3 days\n"),
    ),
    error("bad-code", "a code that is no upper-case identifier", task!("  n: int\n  invariant: n > 0\n    code: too_small\n"), INVARIANTS),
    error(
        "duplicate-code",
        "two invariants of one entity share a code",
        task!("  n: int\n  invariant: n > 0\n    code: COUNT\n  invariant: n < 9\n    code: COUNT\n"),
        INVARIANTS,
    ),
    error(
        "computed-cycle",
        "computed fields that stand on each other",
        task!("  a: computed b + 1\n  b: computed a + 1\n"),
        task!("  n: int\n  a: computed b + 1\n  b: computed n + 1\n"),
    ),
    error(
        "unknown-action",
        "`scope` or `audit` names an action that no permit has",
        task!("  audit: [upate]\n"),
        task!("  audit: [update]\n"),
    ),
    error(
        "missing-key",
        "a block lacks a key that it needs",
        task!("  since: date\n  temporal:\n    start: since\n"),
        task!("  since: date\n  till: date\n  temporal:\n    start: since\n    end: till\n"),
    ),
    error("unknown-currency", "a currency that ISO 4217 does not have", task!("  price: money(EUX)\n"), task!("  price: money(EUR)\n")),
    error("graph-edge-incomplete", "an edge without source or target", road!("  graph_edge:\n    source: a\n", ""), ROAD),
    error(
        "graph-unknown-field",
        "source or target of an edge does not exist",
        road!("  graph_edge:\n    source: a\n    target: c\n", ""),
        ROAD,
    ),
    error(
        "graph-end-not-a-ref",
        "source or target of an edge is no reference",
        road!("  graph_edge:\n    source: a\n    target: note\n", ""),
        ROAD,
    ),
    error("same-source-and-target", "one field is source and target", road!("  graph_edge:\n    source: a\n    target: a\n", ""), ROAD),
    error(
        "graph-type-field",
        "the type of an edge does not exist, or is neither enum nor str",
        road!("  graph_edge:\n    source: a\n    target: b\n    type: length\n", ""),
        ROAD,
    ),
    error(
        "graph-weight-field",
        "the weight of an edge does not exist, or is no number",
        road!("  graph_edge:\n    source: a\n    target: b\n    weight: note\n", ""),
        ROAD,
    ),
    error(
        "graph-node-incomplete",
        "a node without edges",
        road!("  graph_edge:\n    source: a\n    target: b\n", "  graph_node:\n    display: name\n"),
        ROAD,
    ),
    error(
        "graph-edges-without-edge",
        "the edges of a node are an entity without `graph_edge`",
        road!("", "  graph_node:\n    edges: Road\n"),
        ROAD,
    ),
    error(
        "graph-display-field",
        "the label of a node does not exist",
        road!("  graph_edge:\n    source: a\n    target: b\n", "  graph_node:\n    edges: Road\n    display: title\n"),
        ROAD,
    ),
    error(
        "edges-not-connected",
        "the edges of a node lead elsewhere",
        concat!(
            "entity Town:\n  id: uuid pk\n  graph_node:\n    edges: Road\n  permit:\n    read: true\n",
            "entity Place:\n  id: uuid pk\n  permit:\n    read: true\n",
            "entity Road:\n  id: uuid pk\n  a: ref Place required\n  b: ref Place required\n  graph_edge:\n    source: a\n    target: b\n  permit:\n    read: true\n"
        ),
        ROAD,
    ),
    error(
        "duplicate-archetype",
        "two entities are the tenant, or the account",
        "entity A:\n  archetype: tenant\n  id: uuid pk\nentity B:\n  archetype: tenant\n  id: uuid pk\n",
        "entity A:\n  archetype: tenant\n  id: uuid pk\nentity B:\n  id: uuid pk\n  permit:\n    read: true\n",
    ),
    error(
        "no-tenant",
        "an archetype needs a tenant, and no entity is one",
        "entity A:\n  archetype: tenant_settings\n  id: uuid pk\n",
        "entity Firm:\n  archetype: tenant\n  id: uuid pk\nentity A:\n  archetype: tenant_settings\n  id: uuid pk\n",
    ),
    error(
        "denied-tenant",
        "the application says that it has no tenants, and an entity is one",
        "app shop:\n  multi_tenant: false\nentity Firm:\n  id: uuid pk\n  archetype: tenant\nentity Member:\n  id: uuid pk\n  archetype: user_membership\n",
        "app shop:\n  multi_tenant: true\nentity Firm:\n  id: uuid pk\n  archetype: tenant\nentity Member:\n  id: uuid pk\n  archetype: user_membership\n",
    ),
    error(
        "archetype-field-type",
        "a declared field has not the type that the archetype needs",
        "entity Firm:\n  archetype: tenant\n  id: uuid pk\nentity Member:\n  archetype: user_membership\n  id: uuid pk\n  personas: text\n",
        "entity Firm:\n  archetype: tenant\n  id: uuid pk\nentity Member:\n  archetype: user_membership\n  id: uuid pk\n  personas: json = []\n",
    ),
];
