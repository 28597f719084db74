//! Blocks of an entity: descriptions, indexes, examples, archetypes, graphs.

use crate::{
    frames,
    page::{Entry, Piece, entry, entry_in, sound, text, words, wrong},
};

/// Every block.
pub(super) fn pieces() -> Vec<Piece> {
    vec![
        text("## Blocks"),
        words("entity", "Block", frames::IN_REPAIR, BLOCKS),
        text("## `temporal`"),
        words("temporal", "Key", TEMPORAL, TEMPORAL_KEYS),
    ]
}

const BLOCKS: &[Entry] = &[
    entry("permit", "Permissions. See [access](#access).", "permit:\n  delete: role(counter) and status = booked"),
    entry("forbid", "Exclusions, which override permissions. See [access](#access).", "forbid:\n  update: status = collected"),
    entry_in(
        BARE,
        "access",
        "A short form of `permit`: `read` and `write` mean several actions.",
        "access:\n  read: role(mechanic)\n  write: role(mechanic)",
    ),
    entry(
        "scope",
        "Limits the permitted rows of a persona. See [access](#access).",
        "scope:\n  list: mechanic = current_user\n    for: mechanic\n  list: all\n    for: counter",
    ),
    entry("audit", "The actions that the audit log records. See [access](#access).", "audit: [update, delete]"),
    entry(
        "transitions",
        "The transitions of the state machine. See [states](#states).",
        "transitions:\n  booked -> working: role(mechanic)\n  working -> ready: requires notes\n  ready -> collected",
    ),
    entry(
        "invariant",
        "A condition on every stored row. See [invariants](#invariants).",
        "invariant: status != ready or fee > 0\n  message: \"A finished repair has a fee\"\n  code: READY_WITHOUT_FEE",
    ),
    entry(
        "index",
        "An index over fields, each ascending unless `desc` follows it. With `where`, it contains only the rows that meet the condition. A path over references, such as `bike.label`, means the reference, and an index of its field in the other entity.",
        "index promised desc, bike where status = booked",
    ),
    entry(
        "unique",
        "No two rows have the same values in all these fields; a row without a value in one of them does not count. With `where`, this applies to the rows that meet the condition, \
         and an error names the condition. The condition compares stored fields of the row with each other and with literals.",
        "unique bike where status in [booked, working]",
    ),
    entry(
        "no_index",
        "Fields for which dz infers no index, because each index costs time at every write. Otherwise dz infers one for each reference, for fields that a rule compares with the caller, for the order and each filter of a list, and for the first rows of the regions of workspaces. `dz plan` lists them with their reasons.",
        "no_index mechanic, status",
    ),
    entry("intent", "The purpose of the entity, in a sentence, as documentation.", "intent: \"One job on one bike\""),
    entry("domain", "The part of the business, as documentation.", "domain: workshop"),
    entry("patterns", "Names of patterns, as documentation.", "patterns: lifecycle, assignment"),
    entry(
        "display_field",
        "The field that labels a row: a stored or computed one, or a ref, whose row then provides the label. Default: `title`, `name`, `label`, or the first short text; without any of them, the title of the entity with a number or a date, such as \
         `Loan of 22 Nov 2026`.",
        "display_field: title",
    ),
    entry("plural", "The plural, for the table and the path.", "plural: repair_jobs"),
    entry("was", "The former name of the entity, so that a migration keeps its rows.", "was: Job"),
    entry_in(
        "archetype Dated:\n  created_at: datetime auto_add\nentity Bike:\n  id: uuid pk\n  …\n  permit:\n    read: authenticated\n",
        "extends",
        "Inherits the fields, invariants and indexes of [archetypes](archetype.md), in order. A field of the entity itself replaces one of the same name.",
        "extends: Dated",
    ),
    entry(
        "examples",
        "Example rows, for documentation and generated tests. They can be incomplete.",
        "examples:\n  - title: \"New chain\", fee: 40\n  - {title: \"Flat tyre\", express: true}",
    ),
    entry_in(BARE, "archetype", "The kind of entity in the application. See [kinds](#kinds).", "archetype: settings"),
    entry_in(
        GRAPH_EDGE,
        "graph_edge",
        "Makes each row an edge of a graph. See [graphs](#graphs).",
        "graph_edge:\n  source: from_place\n  target: to_place",
    ),
    entry_in(
        GRAPH_NODE,
        "graph_node",
        "Makes each row a node of a graph. See [graphs](#graphs).",
        "graph_node:\n  edges: Way\n  display: name",
    ),
    entry_in(
        TEMPORAL_ENTITY,
        "temporal",
        "The fields with the period in which a row is current. See [`temporal`](#temporal).",
        "temporal:\n  start: valid_from\n  end: valid_to",
    ),
    entry(
        "soft_delete",
        "A deleted row is kept and hidden from every read. A caller with the action `restore` can restore it: a normal write, with the hooks of an update and the event `updated`.",
        "soft_delete",
    ),
];

const BARE: &str = "persona mechanic\nentity Bike:\n  id: uuid pk\n  label: str(60)\n  …\nentity Stand:\n  id: uuid pk\n  permit:\n    read: role(mechanic)\n";

const TEMPORAL_ENTITY: &str =
    "entity Price:\n  id: uuid pk\n  valid_from: date\n  valid_to: date\n  permit:\n    read: authenticated\n  …\n";

const TEMPORAL: &str = "entity Price:\n  id: uuid pk\n  valid_from: date\n  valid_to: date\n  permit:\n    read: authenticated\n  temporal:\n    start: valid_from\n    end: valid_to\n  …\n";

const TEMPORAL_KEYS: &[Entry] = &[
    entry_in(TEMPORAL_BLOCK_END, "start", "The date or datetime from which a row is current.", "start: valid_from"),
    entry_in(
        TEMPORAL_BLOCK_START,
        "end",
        "The date or datetime from which it is no longer current; null means no end. Both fields have the same type. Lists show the rows without an end; `as_of` selects the rows of a date, and `include_closed` all rows.",
        "end: valid_to",
    ),
];

const TEMPORAL_BLOCK_END: &str = "entity Price:\n  id: uuid pk\n  valid_from: date\n  valid_to: date\n  permit:\n    read: authenticated\n  temporal:\n    …\n    end: valid_to\n";

const TEMPORAL_BLOCK_START: &str = "entity Price:\n  id: uuid pk\n  valid_from: date\n  valid_to: date\n  permit:\n    read: authenticated\n  temporal:\n    start: valid_from\n    …\n";

/// The semantic archetypes of entities.
pub(super) fn archetypes() -> Vec<Piece> {
    vec![
        text(
            "## Kinds\n\n`archetype: KIND` gives an entity a special purpose. It adds fields, pages and, if no rule is declared, rules for administrators; the roles `admin` and `tenant_admin` always exist. Declared fields of the same name are kept, and must have the required type. In an application with tenants, every other entity except `settings` and `user` gets a required reference to the tenant, which the system sets. `docs/tenancy.md` describes memberships and their roles.",
        ),
        words("kind of entity", "Kind", KIND, KINDS),
        text(AUTOMATIC),
        wrong("no-tenant", "entity Prices:\n  id: uuid pk\n  currency_shown: bool\n  archetype: tenant_settings\n"),
    ]
}

const AUTOMATIC: &str = "The kinds also add surfaces. A declared surface of the same name replaces the added one; if it shows the same entity in the same mode, it also gets its address, and its own access rule applies. Other constructs can name these surfaces, for example in `action:`.

| Kind | Surface | Mode | Address | For |
|---|---|---|---|---|
| `settings` | `ENTITY_settings` | `edit` | `/admin/settings/ENTITY` | accounts to which `admin` was granted for the whole system |
| `tenant` | `ENTITY_admin` | `list` | `/admin/tenants` | the same |
| `tenant_settings` | `ENTITY_settings` | `edit` | `/settings/ENTITY` | `admin` or `tenant_admin` of the active tenant |
| `user` | `user_list`, `user_view`, `user_create`, `user_edit` | as named | `/app/` and the name | `admin` for the whole system |
| `user_membership` | `user_membership_list`, `user_membership_edit` | as named | `/app/` and the name | `admin` for the whole system |

`ENTITY` is the name in snake case. An account entity without `archetype: user` adds none.";

const KIND: &str = "entity Branch:\n  id: uuid pk\n  label: str(60)\n  …\n";

const WITH_TENANT: &str = "entity Branch:\n  id: uuid pk\n  archetype: tenant\nentity Config:\n  id: uuid pk\n  label: str(60)\n  …\n";

const KINDS: &[Entry] = &[
    entry("settings", "One row for the whole application, for administrators; it belongs to no tenant.", "archetype: settings"),
    entry("tenant", "The tenants. At most one entity has this kind.", "archetype: tenant"),
    entry_in(WITH_TENANT, "tenant_settings", "One row for each tenant, for its administrators.", "archetype: tenant_settings"),
    entry(
        "user",
        "The accounts, with the fields for sign-in. Without this line it is the entity named `User`, or else an entity that dz supplies.",
        "archetype: user",
    ),
    entry_in(WITH_TENANT, "user_membership", "The memberships of accounts in tenants, with their personas.", "archetype: user_membership"),
];

/// Property graphs.
pub(super) fn graph() -> Vec<Piece> {
    vec![
        text(
            "## Graphs\n\nEntities can be the nodes and the edges of a graph, with addresses for neighbours, shortest paths and components.",
        ),
        sound("", GRAPH),
        text("### Keys of `graph_edge`"),
        words("graph_edge", "Key", IN_EDGE, EDGE_KEYS),
        text("### Keys of `graph_node`"),
        words("graph_node", "Key", IN_NODE, NODE_KEYS),
        wrong(
            "graph-end-not-a-ref",
            "entity Place:\n  id: uuid pk\n  permit:\n    read: authenticated\nentity Way:\n  id: uuid pk\n  a: ref Place required\n  b: str(20)\n  graph_edge:\n    source: a\n    target: b\n  permit:\n    read: authenticated\n",
        ),
    ]
}

const GRAPH: &str = "entity Place:
  id: uuid pk
  name: str(60) required
  graph_node:
    edges: Way
    display: name
  permit:
    list: authenticated
    read: authenticated

entity Way:
  id: uuid pk
  from_place: ref Place required
  to_place: ref Place required
  kind: enum[road, path] = road
  metres: int = 0
  graph_edge:
    source: from_place
    target: to_place
    type: kind
    weight: metres
  permit:
    list: authenticated
    read: authenticated";

const GRAPH_EDGE: &str = "entity Place:\n  id: uuid pk\n  permit:\n    read: authenticated\nentity Way:\n  id: uuid pk\n  from_place: ref Place required\n  to_place: ref Place required\n  …\n  permit:\n    read: authenticated\n";

const GRAPH_NODE: &str = "entity Place:\n  id: uuid pk\n  name: str(60)\n  …\n  permit:\n    read: authenticated\nentity Way:\n  id: uuid pk\n  a: ref Place required\n  b: ref Place required\n  graph_edge:\n    source: a\n    target: b\n  permit:\n    read: authenticated\n";

macro_rules! edge {
    ($lines:literal) => {
        concat!(
            "entity Place:\n  id: uuid pk\n  permit:\n    read: authenticated\nentity Way:\n  id: uuid pk\n  from_place: ref Place required\n",
            "  to_place: ref Place required\n  kind: enum[road, path] = road\n  metres: int = 0\n  permit:\n    read: authenticated\n  graph_edge:\n",
            $lines
        )
    };
}

const IN_EDGE: &str = edge!("    source: from_place\n    target: to_place\n    …\n");

const EDGE_KEYS: &[Entry] = &[
    entry_in(
        edge!("    target: to_place\n    …\n"),
        "source",
        "The reference to the node where the edge begins. Required.",
        "source: from_place",
    ),
    entry_in(edge!("    source: from_place\n    …\n"), "target", "The reference to the node where it ends. Required.", "target: to_place"),
    entry("type", "An enum or `str` field that distinguishes kinds of edges.", "type: kind"),
    entry("weight", "A number field with the weight of an edge.", "weight: metres"),
    entry("directed", "Whether an edge has a direction; default `true`.", "directed: false"),
    entry(
        "acyclic",
        "With `true`, dz refuses a write that closes a cycle. A warning reports that the database does not enforce it for other programs.",
        "acyclic: false",
    ),
];

macro_rules! node {
    ($lines:literal) => {
        concat!(
            "entity Place:\n  id: uuid pk\n  name: str(60)\n  permit:\n    read: authenticated\n  graph_node:\n",
            $lines,
            "entity Way:\n  id: uuid pk\n  a: ref Place required\n  b: ref Place required\n  graph_edge:\n    source: a\n    target: b\n  permit:\n    read: authenticated\n"
        )
    };
}

const IN_NODE: &str = node!("    edges: Way\n    …\n");

const NODE_KEYS: &[Entry] = &[
    entry_in(node!("    …\n"), "edges", "The entity whose rows are the edges. Required; it must have `graph_edge`.", "edges: Way"),
    entry("display", "The field that labels a node.", "display: name"),
];
