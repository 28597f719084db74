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
    entry("permit", "Who may do what. See [access](#access).", "permit:\n  delete: role(counter) and status = booked"),
    entry("forbid", "Who may not, whatever is permitted. See [access](#access).", "forbid:\n  update: status = collected"),
    entry_in(
        BARE,
        "access",
        "A short form of `permit`: `read` and `write` mean several actions.",
        "access:\n  read: role(mechanic)\n  write: role(mechanic)",
    ),
    entry(
        "scope",
        "Which rows of those permitted a persona works with. See [access](#access).",
        "scope:\n  list: mechanic = current_user\n    for: mechanic\n  list: all\n    for: counter",
    ),
    entry("audit", "Which actions are written down. See [access](#access).", "audit: [update, delete]"),
    entry(
        "transitions",
        "The moves of the state machine. See [states](#states).",
        "transitions:\n  booked -> working: role(mechanic)\n  working -> ready: requires notes\n  ready -> collected",
    ),
    entry(
        "invariant",
        "What holds for every row that is stored. See [invariants](#invariants).",
        "invariant: status != ready or fee > 0\n  message: \"A finished repair has a fee\"\n  code: READY_WITHOUT_FEE",
    ),
    entry(
        "index",
        "An index over fields, each ascending unless `desc` follows it. With `where`, it holds only the rows that match the condition.",
        "index promised desc, bike where status = booked",
    ),
    entry(
        "unique",
        "No two rows agree in all these fields. With `where`, this applies to the rows that match the condition, \
         and an error names the condition. The condition compares stored fields of the row with each other and with literals.",
        "unique bike where status in [booked, working]",
    ),
    entry(
        "no_index",
        "Fields for which dz infers no index: each index costs every write. Otherwise it infers one for each reference, for what a rule \
         compares with the caller, and for the order and each filter of a list. `dz plan` lists them with what each is for.",
        "no_index mechanic, status",
    ),
    entry("intent", "What the entity is for, in a sentence; it becomes documentation.", "intent: \"One job on one bike\""),
    entry("domain", "The part of the business it belongs to; it becomes documentation.", "domain: workshop"),
    entry("patterns", "Names of patterns it follows; they become documentation.", "patterns: lifecycle, assignment"),
    entry(
        "display_field",
        "The field that names a row everywhere: a stored or computed one, or a ref, whose row then gives its name. Without it that is `title`, \
         `name`, `label`, or the first short text; without any of them a row is called by its title with a number or a date, such as \
         `Loan of 22 Nov 2026`.",
        "display_field: title",
    ),
    entry("plural", "The plural, for the table and the path.", "plural: repair_jobs"),
    entry("was", "The former name of the entity, so that a migration keeps its rows.", "was: Job"),
    entry_in(
        "archetype Dated:\n  created_at: datetime auto_add\nentity Bike:\n  id: uuid pk\n  …\n  permit:\n    read: true\n",
        "extends",
        "Takes over the fields, invariants and indexes of [archetypes](archetype.md), in order. A field of the entity's own wins.",
        "extends: Dated",
    ),
    entry(
        "examples",
        "Rows that show what the entity is for, for documentation and generated tests. They need not be whole.",
        "examples:\n  - title: \"New chain\", fee: 40\n  - {title: \"Flat tyre\", express: true}",
    ),
    entry_in(BARE, "archetype", "What the entity is to the application as a whole. See [kinds](#kinds).", "archetype: settings"),
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
        "Which fields say when a row is current. See [`temporal`](#temporal).",
        "temporal:\n  start: valid_from\n  end: valid_to",
    ),
    entry(
        "soft_delete",
        "Deleting a row marks it as deleted, and every read leaves it out. A caller with the action `restore` can restore it: \
         a write like any other, with the hooks of an update and the event `updated`.",
        "soft_delete",
    ),
];

const BARE: &str = "persona mechanic\nentity Bike:\n  id: uuid pk\n  label: str(60)\n  …\nentity Stand:\n  id: uuid pk\n  permit:\n    read: role(mechanic)\n";

const TEMPORAL_ENTITY: &str = "entity Price:\n  id: uuid pk\n  valid_from: date\n  valid_to: date\n  permit:\n    read: true\n  …\n";

const TEMPORAL: &str = "entity Price:\n  id: uuid pk\n  valid_from: date\n  valid_to: date\n  permit:\n    read: true\n  temporal:\n    start: valid_from\n    end: valid_to\n  …\n";

const TEMPORAL_KEYS: &[Entry] = &[
    entry_in(TEMPORAL_BLOCK_END, "start", "The date or datetime from which on a row is current.", "start: valid_from"),
    entry_in(
        TEMPORAL_BLOCK_START,
        "end",
        "The one from which on it is no longer; null means that it goes on. Both have one type.",
        "end: valid_to",
    ),
];

const TEMPORAL_BLOCK_END: &str = "entity Price:\n  id: uuid pk\n  valid_from: date\n  valid_to: date\n  permit:\n    read: true\n  temporal:\n    …\n    end: valid_to\n";

const TEMPORAL_BLOCK_START: &str = "entity Price:\n  id: uuid pk\n  valid_from: date\n  valid_to: date\n  permit:\n    read: true\n  temporal:\n    start: valid_from\n    …\n";

/// The semantic archetypes of entities.
pub(super) fn archetypes() -> Vec<Piece> {
    vec![
        text(
            "## Kinds\n\n`archetype: kind` gives an entity a part in the application. It brings fields, and access for administrators when no \
             rule is declared; `admin` and `tenant_admin` are roles that always exist. Declared fields of the same name are kept, and must \
             have the type that is meant. Where an entity is the tenant, every other one but `settings` and `user` gets a required \
             reference to it, set by the system. `docs/tenancy.md` describes memberships and their roles.",
        ),
        words("kind of entity", "Kind", KIND, KINDS),
        text(AUTOMATIC),
        wrong("no-tenant", "entity Prices:\n  id: uuid pk\n  currency_shown: bool\n  archetype: tenant_settings\n"),
    ]
}

const AUTOMATIC: &str = "They also bring surfaces. A declared surface of the same name takes the place of one; when it shows the same \
entity in the same mode it has the address too, and says itself whom it is for. Other constructs may name them, such as an `action:`.

| Kind | Surface | Mode | Address | For |
|---|---|---|---|---|
| `settings` | `ENTITY_settings` | `edit` | `/admin/settings/ENTITY` | accounts to which `admin` was granted for the whole system |
| `tenant` | `ENTITY_admin` | `list` | `/admin/tenants` | the same |
| `tenant_settings` | `ENTITY_settings` | `edit` | `/settings/ENTITY` | `admin` or `tenant_admin` of the active tenant |
| `user` | `user_list`, `user_view`, `user_create`, `user_edit` | as named | `/app/` and the name | `admin` for the whole system |
| `user_membership` | `user_membership_list`, `user_membership_edit` | as named | `/app/` and the name | `admin` for the whole system |

`ENTITY` is the name in snake case. An account entity that is one by its name alone, or that dz supplies, brings none.";

const KIND: &str = "entity Branch:\n  id: uuid pk\n  label: str(60)\n  …\n";

const WITH_TENANT: &str = "entity Branch:\n  id: uuid pk\n  archetype: tenant\nentity Config:\n  id: uuid pk\n  label: str(60)\n  …\n";

const KINDS: &[Entry] = &[
    entry("settings", "One row for the whole application, for admins; it belongs to no tenant.", "archetype: settings"),
    entry("tenant", "The root of what belongs to one tenant. At most one entity is it.", "archetype: tenant"),
    entry_in(WITH_TENANT, "tenant_settings", "One row for each tenant, for its administrators.", "archetype: tenant_settings"),
    entry(
        "user",
        "The accounts, with what signing in needs. An entity called `User` is it by itself, and without one dz supplies it.",
        "archetype: user",
    ),
    entry_in(WITH_TENANT, "user_membership", "Which account belongs to which tenant, and as which personas.", "archetype: user_membership"),
];

/// Property graphs.
pub(super) fn graph() -> Vec<Piece> {
    vec![
        text(
            "## Graphs\n\nEntities may be the nodes and the edges of a graph, which gets addresses for neighbours, shortest paths and components.",
        ),
        sound("", GRAPH),
        text("### Keys of `graph_edge`"),
        words("graph_edge", "Key", IN_EDGE, EDGE_KEYS),
        text("### Keys of `graph_node`"),
        words("graph_node", "Key", IN_NODE, NODE_KEYS),
        wrong(
            "graph-end-not-a-ref",
            "entity Place:\n  id: uuid pk\n  permit:\n    read: true\nentity Way:\n  id: uuid pk\n  a: ref Place required\n  b: str(20)\n  graph_edge:\n    source: a\n    target: b\n  permit:\n    read: true\n",
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
    list: true
    read: true

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
    list: true
    read: true";

const GRAPH_EDGE: &str = "entity Place:\n  id: uuid pk\n  permit:\n    read: true\nentity Way:\n  id: uuid pk\n  from_place: ref Place required\n  to_place: ref Place required\n  …\n  permit:\n    read: true\n";

const GRAPH_NODE: &str = "entity Place:\n  id: uuid pk\n  name: str(60)\n  …\n  permit:\n    read: true\nentity Way:\n  id: uuid pk\n  a: ref Place required\n  b: ref Place required\n  graph_edge:\n    source: a\n    target: b\n  permit:\n    read: true\n";

macro_rules! edge {
    ($lines:literal) => {
        concat!(
            "entity Place:\n  id: uuid pk\n  permit:\n    read: true\nentity Way:\n  id: uuid pk\n  from_place: ref Place required\n",
            "  to_place: ref Place required\n  kind: enum[road, path] = road\n  metres: int = 0\n  permit:\n    read: true\n  graph_edge:\n",
            $lines
        )
    };
}

const IN_EDGE: &str = edge!("    source: from_place\n    target: to_place\n    …\n");

const EDGE_KEYS: &[Entry] = &[
    entry_in(
        edge!("    target: to_place\n    …\n"),
        "source",
        "The reference to the node where the edge begins. It must be said.",
        "source: from_place",
    ),
    entry_in(
        edge!("    source: from_place\n    …\n"),
        "target",
        "The reference to the node where it ends. It must be said.",
        "target: to_place",
    ),
    entry("type", "An enum or `str` field that tells kinds of edges apart.", "type: kind"),
    entry("weight", "A number field by which paths are weighed.", "weight: metres"),
    entry("directed", "Whether an edge leads one way only, `true` or `false`; it does unless said.", "directed: false"),
    entry("acyclic", "A promise that there is no circle. `true` raises a warning, since no database keeps it.", "acyclic: false"),
];

macro_rules! node {
    ($lines:literal) => {
        concat!(
            "entity Place:\n  id: uuid pk\n  name: str(60)\n  permit:\n    read: true\n  graph_node:\n",
            $lines,
            "entity Way:\n  id: uuid pk\n  a: ref Place required\n  b: ref Place required\n  graph_edge:\n    source: a\n    target: b\n  permit:\n    read: true\n"
        )
    };
}

const IN_NODE: &str = node!("    edges: Way\n    …\n");

const NODE_KEYS: &[Entry] = &[
    entry_in(node!("    …\n"), "edges", "The entity whose rows are the edges. It must be said, and have `graph_edge`.", "edges: Way"),
    entry("display", "The field that labels a node.", "display: name"),
];
