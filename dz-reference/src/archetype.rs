//! The page of `archetype`.

use super::page::{Entry, Page, entry, sound, text, words, wrong};

pub(super) fn page() -> Page {
    Page {
        file: "archetype.md",
        title: "archetype",
        summary: "Fields that several entities share.",
        constructs: &["archetype"],
        pieces: vec![
            text(
                "`archetype NAME \"Title\":` is a group of fields, indexes and invariants. An entity inherits it with \
                 [`extends`](entities.md#blocks): its fields come first, in order, and a field of the entity itself replaces one of the same name. An archetype has no table. The key `archetype:` of an entity has another meaning: a [kind](entities.md#kinds).",
            ),
            sound(
                "",
                "archetype Dated:\n  created_at: datetime auto_add\n  updated_at: datetime auto_update\n  index created_at desc\n\nentity Bike:\n  extends: Dated\n  id: uuid pk\n  permit:\n    list: authenticated\n    read: authenticated",
            ),
            words("archetype", "Block", ARCHETYPE, BLOCKS),
            wrong(
                "unknown-archetype",
                "archetype Dated:\n  created_at: datetime auto_add\nentity Bike:\n  extends: Datd\n  id: uuid pk\n  permit:\n    read: authenticated\n",
            ),
        ],
    }
}

const ARCHETYPE: &str = "archetype Dated:\n  made_on: date\narchetype Priced:\n  code: str(20)\n  price: decimal(8, 2) = 0\n  …\nentity Bike:\n  extends: Priced\n  id: uuid pk\n  permit:\n    read: authenticated\n";

const BLOCKS: &[Entry] = &[
    entry("extends", "Other archetypes, whose fields, indexes and invariants come first. A cycle is an error.", "extends: Dated"),
    entry("index", "An index of each entity that extends it.", "index price desc"),
    entry("unique", "A constraint of each entity that extends it.", "unique code"),
    entry(
        "invariant",
        "An invariant of each entity that extends it, typed there.",
        "invariant: price >= 0\n  message: \"A price is not below zero\"\n  code: NEGATIVE_PRICE",
    ),
];
