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
            "### Rows\n\n`from -> to`. The left side is one state, several states, or `*` for every other state; a row that names the state replaces one with `*`.",
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
            "entity Bike:\n  id: uuid pk\n  status: enum[free, lent, lost] = free\n  permit:\n    read: authenticated\n    update: authenticated\n  transitions:\n    free -> lent\n    lent -> free\n",
        ),
        text(ENDS),
        words("transitions", "Line", frames::ENDS, MARKS),
        wrong(
            "trap-state",
            "entity Bike:\n  id: uuid pk\n  status: enum[free, lent, returned, lost] = free\n  permit:\n    read: authenticated\n    update: authenticated\n  \
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
            "entity Bike:\n  id: uuid pk\n  gears: int = 1\n  permit:\n    read: authenticated\n  invariant: gears > 0\n    message: \"A bike has a gear\"\n    code: noGears\n",
        ),
    ]
}

const STATES: &str = "## States

A state machine defines the allowed changes of an enum field. A transition without a row is refused. The field is the only enum with every named state; if there are several, the one with the name `status` or `state`. A new row has the field's default, else the first value. Setting the state to its current value is not a transition.

A transition requires the permission `transition` (without a rule of its own: `update`), one of the roles of its row, and all other conditions of its row.";

const LEFT: &[Entry] = &[
    entry("->", "From one state to another.", "booked -> working"),
    entry(",", "From several states.", "booked, collected -> working"),
    entry("*", "From every other state.", "* -> working"),
];

const LABELS: &str = "A text after the states is the label of the transition in buttons, menus and messages. Without it, the label is the title of the new state.";

const ENDS: &str = "### Final states

Two lines declare the final states. Pages show a final state by a full or a crossed shape, and the progress of other states by the number of remaining transitions; rules use the same declaration. The position of a value in the enum and its name have no effect. Without either line, a state without an outgoing transition is final. If there is one such state, it is a success; if there are several, none is a success or a failure.";

const MARKS: &[Entry] = &[
    entry("final", "States in which a row finished successfully.", "final: collected"),
    entry("failed", "States in which a row ended unsuccessfully.", "failed: ready"),
];

const CONDITIONS: &str = "### Conditions

They follow a colon, joined with `and`, `or`, commas or nothing. The joining word has no meaning: one of the roles is required, every field of `requires` must be set, and the guard must be true. A condition can also be on a line of its own under the row.";

const WITH_MOVE: &str = frames::MOVE;

const ITEMS: &[Entry] = &[
    entry("role", "One of these roles.", "booked -> working: role(mechanic, counter)"),
    entry("requires", "These fields must be set.", "booked -> working: requires mechanic, promised"),
    entry(
        "auto",
        "A timed transition, after a time in the state. Without `manual`, callers cannot make it, so that `role` also needs `manual`.",
        "booked -> working: auto after 7 days",
    ),
    entry("manual", "With `auto`: callers can make it too.", "booked -> working: auto after 7 days or manual"),
];

const UNDER_MOVE: &str = frames::UNDER_MOVE;

const KEYS: &[Entry] = &[
    entry("guard", "A condition on the row. It can use `today`, `now` and the caller.", "guard: promised >= today"),
    entry("message", "The message for a user when a condition is not met.", "message: \"Promise a day first\""),
];

const INVARIANTS: &str = "## Invariants

A condition on the row as it would be stored, which is checked at every creation, update and transition; a write that violates it is refused. It cannot use `today`, `now` or the caller, because a stored row could then violate it without a change.

An invariant is checked only when the row itself is written. It can read other rows, through refs and in aggregates, but a write of such a row does not check it. For example, with `invariant: places <= box.size` dz stores a smaller `size` of the box, and then refuses every change of an item that does not fit, until its `places` or the box are corrected. The lint `invariant-over-others` names these writes. To prevent this, declare the condition on the other entity as well (`invariant: all(items where places <= this.size)`).

**Totals of a referenced row** count the row that is written: `invariant: purse.balance >= 0` of an entry, with `balance: computed sum(entries.amount)`, keeps the balance from falling below zero, and `invariant: course.taken <= course.seats` of a booking keeps a course from being overbooked. Such an invariant is checked when the row is stored; if an entry gets another purse, also for the former one, unless it was violated there before. On PostgreSQL the row with the total is locked first, so that two entries at the same time are checked one after the other. A deletion checks no invariant: without `permit: delete`, entries stay.";

const UNDER_INVARIANT: &str = frames::UNDER_INVARIANT;

const INVARIANT_KEYS: &[Entry] = &[
    entry("message", "The message for a user. Without it, a lint reports the invariant.", "message: \"Hours are counted from zero\""),
    entry("code", "The code for programs: an upper-case identifier, unique in its entity.", "code: NEGATIVE_HOURS"),
];
