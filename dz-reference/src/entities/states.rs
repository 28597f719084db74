//! State machines and invariants.

use crate::{
    frames,
    page::{Entry, Piece, entry, further, sound, text, words, wrong},
};

pub(super) fn pieces() -> Vec<Piece> {
    vec![
        text(STATES),
        sound(
            frames::IN_REPAIR,
            "transitions:\n  booked -> working: role(mechanic) and requires mechanic\n  working -> ready: requires notes, promised\n    guard: fee > 0\n    \
             message: \"Enter the fee first\"\n  ready -> collected: role(counter) or auto after 30 days or manual\n  working, ready -> booked: role(counter)",
        ),
        text(
            "### Rows\n\n`from -> to`. The left side is a state, several, or `*` for every other state; the row that names the state wins over `*`.",
        ),
        further("Row", WITH_MOVE, LEFT),
        text(LABELS),
        sound(
            frames::IN_REPAIR,
            "transitions:\n  booked -> working \"Start\": role(mechanic)\n  working -> ready \"Finish\"\n  ready -> collected",
        ),
        text(CONDITIONS),
        further("Condition", WITH_MOVE, ITEMS),
        text("### Under a row"),
        words("transition", "Key", UNDER_MOVE, KEYS),
        wrong(
            "unreachable-state",
            "entity Bike:\n  id: uuid pk\n  status: enum[free, lent, lost] = free\n  permit:\n    read: true\n    update: true\n  transitions:\n    free -> lent\n    lent -> free\n",
        ),
        text(ENDS),
        words("transitions", "Line", frames::ENDS, MARKS),
        wrong(
            "trap-state",
            "entity Bike:\n  id: uuid pk\n  status: enum[free, lent, returned, lost] = free\n  permit:\n    read: true\n    update: true\n  \
             transitions:\n    free -> lent\n    lent -> returned\n    lent -> lost\n    final: returned\n",
        ),
        text(INVARIANTS),
        sound(
            frames::IN_REPAIR,
            "invariant: all(parts where price >= 0) and hours >= 0\n  message: \"Nothing costs less than nothing\"\n  code: NEGATIVE_AMOUNT",
        ),
        words("invariant", "Key", UNDER_INVARIANT, INVARIANT_KEYS),
        wrong(
            "bad-code",
            "entity Bike:\n  id: uuid pk\n  gears: int = 1\n  permit:\n    read: true\n  invariant: gears > 0\n    message: \"A bike has a gear\"\n    code: noGears\n",
        ),
    ]
}

const STATES: &str = "## States

A state machine says which values of an enum field may follow which. A move that no row declares is refused. The field is the only enum that \
has every state named; of several, the one called `status` or `state`. A new row begins with the field's default, else with the first value. \
Setting a state to what it is already is no move.

A move needs the action `transition` (without a rule of its own: `update`), one of the roles of its row, and all its other conditions.";

const LEFT: &[Entry] = &[
    entry("->", "From one state to another.", "booked -> working"),
    entry(",", "From several states.", "booked, collected -> working"),
    entry("*", "From every other state.", "* -> working"),
];

const LABELS: &str = "A text behind the states is what the button and the menu entry of the move say, and what messages call it. Without it \
they say the title of the state to which the move leads.";

const ENDS: &str = "### Ends

Two lines mark the states in which a row ends. Pages show such a state by a full or a crossed shape, and how far along the others are by the \
number of moves that are left; checks follow the same marks. The place of a value in the enum and its name decide nothing. Without either line, \
a state that no move leaves is an end: a single one is the successful one, and of several none is called a success or a failure.";

const MARKS: &[Entry] = &[
    entry("final", "States in which a row finished successfully.", "final: collected"),
    entry("failed", "States in which a row ended unsuccessfully.", "failed: ready"),
];

const CONDITIONS: &str = "### Conditions

They follow a colon, joined with `and`, `or`, commas or nothing. The joining word changes nothing: roles are alternatives, every field \
required must be set, and the guard must hold.";

const WITH_MOVE: &str = frames::MOVE;

const ITEMS: &[Entry] = &[
    entry("role", "One of these roles.", "booked -> working: role(mechanic, counter)"),
    entry("requires", "These fields are set.", "booked -> working: requires mechanic, promised"),
    entry(
        "auto",
        "Taken by itself after a time in the state. Callers cannot take it without `manual`, so that `role` beside it needs `manual`.",
        "booked -> working: auto after 7 days",
    ),
    entry("manual", "With `auto`: people may take it too.", "booked -> working: auto after 7 days or manual"),
];

const UNDER_MOVE: &str = frames::UNDER_MOVE;

const KEYS: &[Entry] = &[
    entry("guard", "A condition on the row. It may speak of `today`, `now` and the caller.", "guard: promised >= today"),
    entry("message", "The message for a user when a condition is not met.", "message: \"Promise a day first\""),
];

const INVARIANTS: &str = "## Invariants

A condition on the row that is checked on the row as it would be stored, whenever one is created, updated or moved; a write that violates it \
is refused. It cannot speak of `today`, `now` or the caller: what is stored would otherwise become wrong by itself.

An invariant is checked only when the row itself is written. It can read other rows, over refs and in aggregates, and a write of such a row does \
not check it: with `invariant: places <= box.size`, a smaller `size` of the box is stored, and from then on every change of an item that no longer \
fits is refused, until its places or the box are corrected. The lint `invariant-over-others` names these writes. Where that must not happen, \
declare the condition on the other entity as well (`invariant: all(items where places <= this.size)`).";

const UNDER_INVARIANT: &str = frames::UNDER_INVARIANT;

const INVARIANT_KEYS: &[Entry] = &[
    entry("message", "The message for a user. Without it there is a lint.", "message: \"Hours are counted from zero\""),
    entry("code", "The code for programs: an upper-case identifier, unique in its entity.", "code: NEGATIVE_HOURS"),
];
