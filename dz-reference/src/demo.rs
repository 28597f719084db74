//! The page of `demo`.

use super::{
    frames,
    page::{Entry, Page, entry, further, sound, text, wrong},
};

pub(super) fn page() -> Page {
    Page {
        file: "demo.md",
        title: "demo",
        summary: "Rows for an empty database.",
        constructs: &["demo"],
        pieces: vec![
            text(
                "`demo:` holds rows for an empty database, under their entities. They are typed like defaults and must meet every constraint; all of them are stored, or none. A value is a literal, `today` or `now`, with or without a duration; a day is a text: `\"2026-01-31\"`; a reference is the name, the label or the key of a row above.",
            ),
            sound(frames::BESIDE, WHOLE),
            further("Part", frames::BESIDE, PARTS),
            text(
                "In an application with tenants, each row that belongs to a tenant names it, under the tenant's entity in snake case: `branch: @north`. A membership with `personas` and `accepted_at: now` gives an account its roles in a tenant; `roles` of an account hold for the whole system. `docs/tenancy.md` has an example.",
            ),
            text("Rows of the account entity can have two more keys."),
            further("Key", frames::BESIDE, ACCOUNT),
            wrong(
                "unknown-row",
                "entity Bike:\n  id: uuid pk\n  twin: ref Bike\n  permit:\n    read: authenticated\ndemo:\n  Bike:\n    - @first twin: @second\n    - @second twin: @first\n",
            ),
        ],
    }
}

const WHOLE: &str = "demo:
  User:
    - @ann email: \"ann@example.com\", name: \"Ann\", password: \"change me soon\", roles: [mechanic]
  Bike:
    - @city label: \"City 1\", owner: @ann
  Repair:
    - title: \"New chain\", bike: @city, status: working, promised: today + 2d
    - {title: \"Flat tyre\", bike: @city, express: true}";

const PARTS: &[Entry] = &[
    entry("-", "A row: fields and values with commas. Lines under it continue it.", "demo:\n  Bike:\n    - label: \"Cargo 1\""),
    entry(
        "@",
        "The name of a row, by which rows below refer to it.",
        "demo:\n  Bike:\n    - @cargo label: \"Cargo 1\"\n  Repair:\n    - title: \"Brakes\", bike: @cargo",
    ),
    entry(
        "\"",
        "For a reference: the label of a row above, or its key.",
        "demo:\n  Bike:\n    - label: \"Cargo 1\"\n  Repair:\n    - title: \"Brakes\", bike: \"Cargo 1\"",
    ),
    entry("{", "A row in braces, with the dash or without.", "demo:\n  Bike:\n    {label: \"Cargo 1\"}"),
];

const ACCOUNT: &[Entry] = &[
    entry(
        "password",
        "The password of the account; without it, the account cannot sign in.",
        "demo:\n  User:\n    - email: \"bo@example.com\", password: \"change me soon\"",
    ),
    entry("roles", "The roles of the account.", "demo:\n  User:\n    - email: \"bo@example.com\", roles: [counter]"),
];
