//! Access: permit, forbid, access, scope, audit.

use crate::{
    frames,
    page::{Entry, Piece, entry, entry_in, further, sound, text, words, wrong},
};

pub(super) fn pieces() -> Vec<Piece> {
    vec![
        text(ACCESS),
        text("### Actions\n\nAny other name is an action of the application's own, which Rust code asks for."),
        words("action", "Action", IN_PERMIT, ACTIONS),
        wrong(
            "similar-action",
            "persona counter\nentity Bike:\n  id: uuid pk\n  permit:\n    list: role(counter)\n    read: role(counter)\n    updat: role(counter)\n",
        ),
        text("### `permit` and `forbid`\n\nA line is an action and a condition, or one of these words."),
        further("Condition", frames::CONDITION, WHO),
        text(ANONYMOUS),
        wrong("anonymous-write", "entity Bike:\n  id: uuid pk\n  permit:\n    create: anonymous\n"),
        text("### `access`\n\nThe short form. Each key means the actions that are listed with it."),
        words("access", "Key", BARE, KEYS),
        text(SCOPE),
        sound(
            frames::IN_REPAIR,
            "scope:\n  list: mechanic = current_user or mechanic = null\n    for: mechanic\n  list: all\n    for: counter\n  read: all\n    for: *",
        ),
        further("Word", frames::IN_REPAIR, SCOPE_WORDS),
        text(AUDIT),
        further("Form", frames::IN_REPAIR, AUDITS),
        wrong(
            "unknown-action",
            "persona counter\nentity Bike:\n  id: uuid pk\n  permit:\n    list: role(counter)\n    read: role(counter)\n  audit: [rename]\n",
        ),
    ]
}

const ACCESS: &str = "## Access

What no rule permits is denied. For each action the lines of `permit` add up with `or`; a line of `forbid` that holds wins over all of them. A condition \
that is about roles alone is decided before any row is read; anything else becomes part of the database query, for lists, single rows, \
writes and labels alike. An update is checked on the row as it is and on the row as it would be stored.

A rule holds for signed-in accounts only, unless it names `anonymous`. `list` is about rows in a collection, `read` about one row; they are \
permitted separately.";

const IN_PERMIT: &str = "persona mechanic\nentity Bike:\n  id: uuid pk\n  label: str(60)\n  owner: ref User\n  permit:\n    …\n";

const ACTIONS: &[Entry] = &[
    entry("list", "See rows in lists.", "list: role(mechanic)"),
    entry("read", "See one row, and its label elsewhere.", "read: owner = current_user"),
    entry("create", "Add a row.", "create: role(mechanic)"),
    entry("update", "Change a row.", "update: role(mechanic) and owner = null"),
    entry("delete", "Remove a row.", "delete: role(mechanic)"),
    entry("transition", "Move a row to another state. Without a line of its own, `update` decides.", "transition: role(mechanic)"),
    entry("restore", "Bring back a row that `soft_delete` marked.", "restore: role(mechanic)"),
];

const WHO: &[Entry] = &[
    entry("role", "Callers with one of these roles. A role is the name of a persona.", "role(mechanic, counter)"),
    entry("authenticated", "Every account. `true` means the same.", "authenticated"),
    entry("anonymous", "Every caller, signed in or not.", "anonymous"),
    entry("current_user", "Compares with the account of the caller.", "mechanic = current_user"),
];

const ANONYMOUS: &str = "`anonymous` does not mean \"callers without an account\": it means every caller. A rule that names it is the only kind \
that reaches callers who are not signed in.";

const BARE: &str = "persona mechanic\nentity Bike:\n  id: uuid pk\n  label: str(60)\n  access:\n    …\n";

const KEYS: &[Entry] = &[
    entry("read", "`list` and `read`.", "read: role(mechanic)"),
    entry("write", "`create`, `update` and `delete`.", "write: role(mechanic)"),
    entry("create", "`create`.", "create: role(mechanic)"),
    entry("update", "`update`.", "update: role(mechanic)"),
    entry("delete", "`delete`.", "delete: role(mechanic)"),
    entry("list", "`list`.", "list: role(mechanic)"),
];

const SCOPE: &str = "### `scope`

Narrows an action to some rows for a persona. It never widens what `permit` allows. An action that has scope lines, none of which is for a \
persona of the caller, is denied. Lines for several personas of the caller add up with `or`.";

const SCOPE_WORDS: &[Entry] = &[
    entry("all", "No narrowing: every row that is permitted.", "scope:\n  list: all\n    for: counter"),
    entry(
        "for",
        "The personas that the line is for; `*`, or no such line, means every caller.",
        "scope:\n  read: express\n    for: mechanic, counter",
    ),
    entry("as", "Another spelling of `for`.", "scope:\n  read: express\n    as: mechanic"),
];

const AUDIT: &str = "### `audit`

What is written down, with who did it and when.

`read` is written for every answer that shows a row whole outside a list of its entity: a view, an edit form, a reference that `expand` shows,
the answer to a write, and `find` in Rust. `list` is written for every list of the entity: `GET`, pages, sections of a page, a relation that
`expand` shows, CSV and scoped queries in Rust; a request has one record for each entity, with the keys of the rows.";

const AUDITS: &[Entry] = &[
    entry("all", "Every action.", "audit: all"),
    entry("[", "These actions.", "audit: [create, update, delete]"),
    entry_in(frames::IN_REPAIR, "read", "An action under it, with whose doing is written down.", "audit:\n  read: role(counter)\n  update"),
];
