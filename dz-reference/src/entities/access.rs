//! Access: permit, forbid, access, scope, audit.

use crate::{
    frames,
    page::{Entry, Piece, entry, entry_in, further, sound, text, words, wrong},
};

pub(super) fn pieces() -> Vec<Piece> {
    vec![
        text(ACCESS),
        text("### Actions\n\nAny other name is an action of the application, which its Rust code checks."),
        words("action", "Action", IN_PERMIT, ACTIONS),
        wrong(
            "similar-action",
            "persona counter\nentity Bike:\n  id: uuid pk\n  permit:\n    list: role(counter)\n    read: role(counter)\n    updat: role(counter)\n",
        ),
        text("### `permit` and `forbid`\n\nA line is an action and a condition, or one of these words."),
        further("Condition", frames::CONDITION, WHO),
        text(ANONYMOUS),
        wrong("anonymous-write", "entity Bike:\n  id: uuid pk\n  permit:\n    create: anonymous\n"),
        text(
            "### `access`\n\nA short form. Each key means the actions in its row. `write` exists here only: in the other blocks, each action has a line of its own.",
        ),
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

An action without a rule is denied; the exceptions are `transition`, which follows `update`, and entities with a [kind](#kinds). The lines of `permit` for one action are joined with `or`; a line of `forbid` that is true overrides all of them. A condition about roles only is decided before any row is read; every other condition becomes part of the database query, for lists, single rows, writes and labels. An update is checked for the row before and after it.

A rule only applies to signed-in accounts, unless it names `anonymous`. `list` is for rows in a collection, `read` for one row. A list shows a row only if its rule for `list` permits it and, if the entity has a rule for `read`, that rule too; without a rule for `read`, no caller can open the rows of the list.";

const IN_PERMIT: &str =
    "persona mechanic\nentity Bike:\n  id: uuid pk\n  label: str(60)\n  owner: ref User\n  soft_delete\n  permit:\n    …\n";

const ACTIONS: &[Entry] = &[
    entry("list", "See rows in lists.", "list: role(mechanic)"),
    entry("read", "See one row, and its label elsewhere.", "read: owner = current_user"),
    entry("create", "Create a row.", "create: role(mechanic)"),
    entry("update", "Update a row.", "update: role(mechanic) and owner = null"),
    entry("delete", "Delete a row.", "delete: role(mechanic)"),
    entry(
        "transition",
        "Make a transition. Without a `permit` line for `transition`, the `permit` and `forbid` lines for `update` apply, and `forbid` lines for `transition` are added to them; `scope` lines for `transition` replace those for `update`.",
        "transition: role(mechanic)",
    ),
    entry("restore", "Restore a soft-deleted row.", "restore: role(mechanic)"),
];

const WHO: &[Entry] = &[
    entry("role", "Callers with one of these roles. A role is the name of a persona.", "role(mechanic, counter)"),
    entry("authenticated", "Every signed-in account. `true` means the same.", "authenticated"),
    entry("anonymous", "Every caller, signed in or not. Rows of a tenant remain invisible outside it.", "anonymous"),
    entry("current_user", "Compares with the account of the caller.", "mechanic = current_user"),
];

const ANONYMOUS: &str = "`anonymous` does not mean \"callers without an account\": it means every caller. Only rules that name it apply to callers who are not signed in.";

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

Limits an action to some rows for a persona, in addition to `permit`. An action with scope lines is denied if none of them is for a persona of the caller. Lines for several personas of the caller are joined with `or`.";

const SCOPE_WORDS: &[Entry] = &[
    entry("all", "No limit: every permitted row.", "scope:\n  list: all\n    for: counter"),
    entry(
        "for",
        "The personas of the line; `*`, or no such line, means every caller.",
        "scope:\n  read: express\n    for: mechanic, counter",
    ),
    entry("as", "Another spelling of `for`.", "scope:\n  read: express\n    as: mechanic"),
];

const AUDIT: &str = "### `audit`

The actions that the audit log records, with the account and the time.

`read` is recorded for every response with a complete row outside of a list of its entity: a view, an edit form, a reference that `expand` shows,
the answer to a write, and `find` in Rust. `list` is recorded for every list of the entity: `GET`, pages, sections of a page, the options of a
picker, a relation that `expand` shows, CSV and scoped queries in Rust; a request has one record for each entity, with the keys of the rows.";

const AUDITS: &[Entry] = &[
    entry("all", "Every action.", "audit: all"),
    entry("[", "These actions.", "audit: [create, update, delete]"),
    entry_in(frames::IN_REPAIR, "read", "An action under it, with a condition on the caller.", "audit:\n  read: role(counter)\n  update"),
];
