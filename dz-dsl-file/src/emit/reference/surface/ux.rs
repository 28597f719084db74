//! `ux:`: order, filters, search, attention, variants.

use crate::emit::reference::{
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
            "### Attention\n\n`attention LEVEL:` marks rows that need somebody. Of several marks that hold the worst is shown, and a list \
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
    entry("critical", "Somebody must act at once.", "attention critical:\n  when: promised < today - 7d\n  message: \"A week late\""),
    entry("warning", "Somebody must act.", "attention warning:\n  when: promised < today\n  message: \"Late\""),
    entry("notice", "Somebody should look.", "attention notice:\n  when: express\n  message: \"Express\""),
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
when it is so for all of them, and a persona without a variant narrows nothing.";

const VARIANT: &[Entry] = &[
    entry("scope", "Which rows it shows; `all` for every one.", "scope: mechanic = current_user"),
    entry("purpose", "What it is for, to them.", "purpose: \"My repairs\""),
    entry("show", "The columns.", "show: title, status"),
    entry("hide", "Columns left out.", "hide: fee"),
    entry(
        "show_aggregate",
        "Figures above the list: a number field is added up, a bool counted; or a metric of a workspace.",
        "show_aggregate: fee, express",
    ),
    entry("action_primary", "The surface whose button stands out.", "action_primary: repair_edit"),
    entry("read_only", "Nothing can be changed from here.", "read_only: true"),
    entry_in(
        frames::IN_FORM_VARIANT,
        "defaults",
        "Values that a form of mode `create` begins with.",
        "defaults:\n  express: true\n  promised: today + 1d",
    ),
    entry("focus", "The sections that come first.", "focus: more, main"),
    entry("empty", "What an empty list says.", "empty: \"Nothing is waiting for you.\""),
];
