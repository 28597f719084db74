//! `ux:`: order, filters, search, attention, variants.

use crate::{
    frames,
    page::{Entry, Piece, entry, entry_in, sound, text, words, wrong},
};

pub(super) fn pieces() -> Vec<Piece> {
    vec![
        text("## `ux`\n\nHow a surface behaves. All but `purpose`, `attention` and the variants is about lists."),
        words("ux", "Key", frames::IN_UX, KEYS),
        wrong(
            "unsearchable-field",
            "entity Bike:\n  id: uuid pk\n  bought: date\n  permit:\n    list: true\n    read: true\nsurface bikes:\n  uses entity Bike\n  mode: list\n  ux:\n    search: bought\n",
        ),
        text(
            "### Attention\n\n`attention LEVEL:` marks rows that need a user to act. Of several marks that hold, the most urgent is shown, and a list \
             counts the rows of each level.",
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
    entry("purpose", "What the surface is for, in a sentence.", "purpose: \"What to repair next\""),
    entry("show", "The columns, instead of those of the sections.", "show: title, status"),
    entry("sort", "The order of the rows; the key comes last by itself.", "sort: promised asc, fee desc"),
    entry(
        "filter",
        "Controls that narrow the list: a choice, a switch, a picker or a range, by the type.",
        "filter: status, mechanic, promised",
    ),
    entry("search", "The text fields that the search looks into, over refs too.", "search: title, bike.label"),
    entry("empty", "What an empty list says.", "empty: \"Nothing to repair.\""),
    entry(
        "attention",
        "Marks rows. See [attention](#attention).",
        "attention warning:\n  when: promised < today and status != collected\n  message: \"Late\"\n  action: repair_view",
    ),
    entry("for", "What differs for personas. See [variants](#variants).", "for mechanic:\n  scope: mechanic = current_user"),
    entry("as", "Another spelling of `for`.", "as mechanic:\n  read_only: true"),
];

const LEVELS: &[Entry] = &[
    entry("critical", "A user must act at once.", "attention critical:\n  when: promised < today - 7d\n  message: \"A week late\""),
    entry("warning", "A user must act.", "attention warning:\n  when: promised < today\n  message: \"Late\""),
    entry("notice", "A user should look.", "attention notice:\n  when: express\n  message: \"Express\""),
    entry("info", "Good to know.", "attention info:\n  when: mechanic = null\n  message: \"Nobody has it\""),
];

const ATTENTION: &[Entry] = &[
    entry_in(frames::ATTENTION_WITHOUT_WHEN, "when", "Which rows. It must be said.", "when: promised < today"),
    entry_in(frames::ATTENTION_WITHOUT_MESSAGE, "message", "What the mark tells. It must be said.", "message: \"Late\""),
    entry("action", "The surface that opens from the mark.", "action: repair_edit"),
];

const VARIANTS: &str = "### Variants

`for PERSONA:`, or several with commas, says what differs for accounts that have one of the personas. It narrows this surface alone and is no \
access rule: the API does not know it. An account with several personas gets the widest: its scopes add up, a field is hidden or read-only \
when it is so for all of them, and a persona without a variant narrows nothing. Of words, and of what else there can be only one of, the first \
variant that says it counts.

A row outside of `scope` is not there at any address of the surface: list, file, row, form, removal, transition. A hidden field is in no column, \
filter, order, search, form or file of it, nor in what a row is called, nor in a reference that would be shown by it. A parameter that names it is \
passed over like one that does not exist; a form that sends it is refused with a message. Lists of other rows on the surface, and the choices of a \
reference, follow the rules of their own entities.";

const VARIANT: &[Entry] = &[
    entry("scope", "Which rows it shows; `all` for every one.", "scope: mechanic = current_user"),
    entry("purpose", "What it is for, to them.", "purpose: \"My repairs\""),
    entry("show", "The fields that are shown, in this order.", "show: title, status"),
    entry("hide", "Fields that are nowhere on it.", "hide: fee"),
    entry(
        "show_aggregate",
        "Figures above the list, over the rows that it finds: a number is added up, a bool counted. A metric of a workspace is not available yet.",
        "show_aggregate: fee, express",
    ),
    entry(
        "action_primary",
        "The surface of the primary button; on a list, a surface of one row is the link of each row.",
        "action_primary: repair_edit",
    ),
    entry("read_only", "Nothing can be changed from here: no button, and no form is taken.", "read_only: true"),
    entry_in(
        frames::IN_FORM_VARIANT,
        "defaults",
        "Values that a new row begins with, also in fields that the form does not show.",
        "defaults:\n  express: true\n  promised: today + 1d",
    ),
    entry("focus", "The sections that come first.", "focus: more, main"),
    entry("empty", "What an empty list says.", "empty: \"Nothing is waiting for you.\""),
];
