//! `ux:`: order, filters, search, attention, variants.

use crate::{
    frames,
    page::{Entry, Piece, entry, entry_in, sound, text, words, wrong},
};

pub(super) fn pieces() -> Vec<Piece> {
    vec![
        text("## `ux`\n\nThe behaviour of a surface. All keys except `purpose`, `attention` and the variants only apply to lists."),
        words("ux", "Key", frames::IN_UX, KEYS),
        wrong(
            "unsearchable-field",
            "entity Bike:\n  id: uuid pk\n  bought: date\n  permit:\n    list: authenticated\n    read: authenticated\nsurface bikes:\n  uses entity Bike\n  mode: list\n  ux:\n    search: bought\n",
        ),
        text(
            "### Attention\n\n`attention LEVEL:` shows a message on rows that require action. If several apply to a row, the most urgent is shown, and a list counts the rows of each level.",
        ),
        words("level", "Level", frames::IN_UX, LEVELS),
        words("attention", "Key", frames::IN_ATTENTION, ATTENTION),
        text(VARIANTS),
        words("variant", "Key", frames::IN_VARIANT, VARIANT),
        sound(frames::IN_UX, "for mechanic, counter:\n  scope: status != collected\n  hide: fee\n  empty: \"Nothing is waiting.\""),
        wrong(
            "hide-is-not-access",
            "persona mechanic\nentity Bike:\n  id: uuid pk\n  price: decimal(8, 2) = 0\n  permit:\n    list: role(mechanic)\n    read: role(mechanic)\nsurface bikes:\n  uses entity Bike\n  mode: list\n  ux:\n    for mechanic:\n      hide: price\n",
        ),
    ]
}

const KEYS: &[Entry] = &[
    entry("purpose", "The purpose of the surface, in a sentence.", "purpose: \"What to repair next\""),
    entry("show", "The columns instead of those of the sections.", "show: title, status"),
    entry("sort", "The order of the rows; the key is always the last sort key.", "sort: promised asc, fee desc"),
    entry(
        "filter",
        "Filter controls: a choice, a switch, a picker or a range, depending on the type.",
        "filter: status, mechanic, promised",
    ),
    entry("search", "The text fields that are searched, also through refs.", "search: title, bike.label"),
    entry("empty", "The text of an empty list.", "empty: \"Nothing to repair.\""),
    entry(
        "attention",
        "Shows a message on rows. See [attention](#attention).",
        "attention warning:\n  when: promised < today and status != collected\n  message: \"Late\"\n  action: repair_view",
    ),
    entry("for", "Differences for personas. See [variants](#variants).", "for mechanic:\n  scope: mechanic = current_user"),
    entry("as", "Another spelling of `for`.", "as mechanic:\n  read_only: true"),
];

const LEVELS: &[Entry] = &[
    entry("critical", "A user must act at once.", "attention critical:\n  when: promised < today - 7d\n  message: \"A week late\""),
    entry("warning", "A user must act.", "attention warning:\n  when: promised < today\n  message: \"Late\""),
    entry("notice", "A user should look.", "attention notice:\n  when: express\n  message: \"Express\""),
    entry("info", "Information for the user.", "attention info:\n  when: mechanic = null\n  message: \"No mechanic has it\""),
];

const ATTENTION: &[Entry] = &[
    entry_in(frames::ATTENTION_WITHOUT_WHEN, "when", "The condition on rows. Required.", "when: promised < today"),
    entry_in(frames::ATTENTION_WITHOUT_MESSAGE, "message", "The text on the row. Required.", "message: \"Late\""),
    entry("action", "The surface that the message opens.", "action: repair_edit"),
];

const VARIANTS: &str = "### Variants

`for PERSONA:`, or several personas separated by commas, sets differences for accounts with one of the personas. It only restricts this surface and is not an access rule: the API ignores it. An account with several personas gets the least restriction: its scopes are joined with `or`, a field is hidden or read-only if all of its personas have this, and a persona without a variant has no restriction. For texts and other single values, the first variant with a value counts.

A row outside of `scope` does not exist at any address of the surface: list, file, row, form, deletion, transition. A hidden field is in no column, filter, sort order, search, form, file or label of the surface, and in no label of a reference. A parameter with its name is ignored, like an unknown one; a form that contains it is refused with a message. Lists of other rows on the surface, and the choices of a \
reference, follow the rules of their own entities.";

const VARIANT: &[Entry] = &[
    entry("scope", "The rows that it shows; `all` for every row.", "scope: mechanic = current_user"),
    entry("purpose", "The purpose for these personas.", "purpose: \"My repairs\""),
    entry("show", "The fields that are shown, in this order.", "show: title, status"),
    entry("hide", "Hidden fields.", "hide: fee"),
    entry(
        "show_aggregate",
        "Metrics above the list, over all rows of the list: the sum of a number, the count of a bool. A metric of a workspace counts the rows of the list.",
        "show_aggregate: fee, express",
    ),
    entry(
        "action_primary",
        "The surface of the primary button; on a list, a surface of one row is the link of each row.",
        "action_primary: repair_edit",
    ),
    entry("read_only", "Nothing can be changed here: there are no buttons, and forms are refused.", "read_only: true"),
    entry_in(
        frames::IN_FORM_VARIANT,
        "defaults",
        "Initial values of a new row, also for fields that the form does not show.",
        "defaults:\n  express: true\n  promised: today + 1d",
    ),
    entry("focus", "The sections that come first.", "focus: more, main"),
    entry("empty", "The text of an empty list.", "empty: \"Nothing is waiting for you.\""),
];
