//! The page of entities: fields, modifiers, blocks.

mod access;
mod blocks;
mod states;

use super::{
    frames,
    page::{Entry, Page, entry, entry_in, sound, text, words},
};

pub(super) fn page() -> Page {
    let mut pieces = vec![text(INTRODUCTION), sound("", WHOLE), text(FIELDS)];
    pieces.push(words("modifier", "Modifier", frames::IN_REPAIR, MODIFIERS));
    pieces.push(text(DEFAULT));
    pieces.push(sound(frames::IN_REPAIR, "handed_out: date = today + 3d\nreceiver: ref User = current_user"));
    pieces.extend(blocks::pieces());
    pieces.extend(access::pieces());
    pieces.extend(states::pieces());
    pieces.extend(blocks::archetypes());
    pieces.extend(blocks::graph());
    Page {
        file: "entities.md",
        title: "Entities",
        summary: "Fields, modifiers, access rules, state machines, invariants, indexes, graphs.",
        constructs: &["entity"],
        pieces,
    }
}

const INTRODUCTION: &str = "An entity is a kind of row, with its fields and their conditions. dz generates a table, typed Rust and the addresses of the API from it; its rules are the permissions. Fields and blocks can be in any order. A word that begins a block is a field if a type follows it: `index: int`.";

const WHOLE: &str = "persona mechanic \"Mechanic\"
persona counter \"Front counter\"

entity Bike \"Bike\":
  id: uuid pk
  label: str(60) required searchable
  frame_number: str(40) unique
  kind: enum[city, road, cargo] = city
  owner: ref User
  bought: date
  permit:
    list: role(mechanic, counter) or owner = current_user
    read: role(mechanic, counter) or owner = current_user
    create: role(counter)
    update: role(counter)
  forbid:
    update: bought = null and role(mechanic)
  index kind, bought desc";

const FIELDS: &str = "## Modifiers

They follow the type, in any order. Without `required` or `optional`, a field is required if it is the key, is set by the system or has a default, and optional otherwise.";

const MODIFIERS: &[Entry] = &[
    entry_in(
        "entity Bike:\n  …\n  permit:\n    read: authenticated\n",
        "pk",
        "The key; exactly one field has it. A `uuid` is generated, an `int` is an auto-increment number (on PostgreSQL, a refused row also uses a number), a `str` or `slug` must be set.",
        "id: uuid pk",
    ),
    entry("required", "Null is not allowed.", "colour: str(40) required"),
    entry("optional", "Null is allowed, even if the field has a default.", "colour: str(40) = \"black\" optional"),
    entry(
        "unique",
        "No two rows have the same value. Rows with null are not compared; `unique?` says so for an optional field.",
        "code: slug unique?",
    ),
    entry("auto_add", "Set to the time or the date of creation; callers cannot write it.", "made_at: datetime auto_add"),
    entry("auto_update", "Set to the time or the date of every change; callers cannot write it.", "changed_at: datetime auto_update"),
    entry(
        "sensitive",
        "Lists cannot filter by it, sort by it, search it, group by it or add its values. Callers who cannot update the row get null, so it is an `Option` in Rust. Filters and sort orders of your own queries also use this null. A computed field that reads a sensitive field must be sensitive too: `double: computed pay * 2 sensitive`. The same applies to a field with a default that reads a sensitive field.",
        "pin: str(8) sensitive",
    ),
    entry("searchable", "Includes a text in searches.", "colour: str(40) searchable"),
    entry("indexed", "Gets an index.", "colour: str(40) indexed"),
    entry("was", "The former name, so that a migration renames the column.", "colour: str(40) was: paint"),
];

const DEFAULT: &str = "### `=`

The default: a literal, a value of the enum, `[]` or `{}` for json, `today` or `now`, with or without a duration, `current_user` or one of its fields. It must fit the type.";
