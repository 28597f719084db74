//! Rules of invariants.

macro_rules! readable_task {
    ($fields:literal) => {
        concat!("entity Task:\n  id: uuid pk\n", $fields, "  permit:\n    list: true\n    read: true\n")
    };
}

mod invariant_contradicts_default;
mod invariant_contradicts_initial_state;
mod invariant_over_others;
mod invariant_refuses_null;
mod invariant_without_message;

use super::{Area, Rule};

/// The rules of this area.
pub(super) const AREA: Area = Area {
    name: "invariants",
    rules: &[
        Rule::error(
            "bad-code",
            "a code is not an upper-case identifier",
            task!("  n: int\n  invariant: n > 0\n    code: too_small\n"),
            INVARIANTS,
        ),
        Rule::error(
            "duplicate-code",
            "two invariants of one entity share a code",
            task!("  n: int\n  invariant: n > 0\n    code: COUNT\n  invariant: n < 9\n    code: COUNT\n"),
            INVARIANTS,
        ),
        invariant_contradicts_default::RULE,
        invariant_contradicts_initial_state::RULE,
        invariant_over_others::RULE,
        invariant_refuses_null::RULE,
        invariant_without_message::RULE,
    ],
};

const INVARIANTS: &str = task!(
    "  n: int\n",
    "  invariant: n > 0\n    message: \"Count\"\n    code: NONE\n",
    "  invariant: n < 9\n    message: \"Less\"\n    code: MANY\n"
);
