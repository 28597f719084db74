//! Rules of state machines.

macro_rules! machine {
    ($fields:literal, $rows:literal, $update:literal) => {
        concat!(
            "persona vet\npersona clerk\nentity Task:\n  id: uuid pk\n",
            $fields,
            "  transitions:\n",
            $rows,
            "  permit:\n    list: role(vet, clerk)\n    read: role(vet, clerk)\n    update: ",
            $update,
            "\n"
        )
    };
}

mod guard_contradiction;
mod left_end;
mod requires_always_set;
mod same_label;
mod shadowed_transition;
mod timed_never_starts;
mod transition_nobody;
mod trap_state;
mod unmarked_ends;
mod unreachable_state;

use super::{Area, Rule};

/// The rules of this area.
pub(super) const AREA: Area = Area {
    name: "states",
    rules: &[
        Rule::error(
            "ambiguous-state-field",
            "several enum fields have the states of the transitions",
            task!("  a: enum[open, done]\n  b: enum[open, done]\n", "  transitions:\n    open -> done\n"),
            task!("  status: enum[open, done]\n  b: enum[open, done]\n", "  transitions:\n    open -> done\n"),
        ),
        Rule::error(
            "bad-duration",
            "a duration is not valid",
            task!("  status: enum[open, done]\n", "  transitions:\n    open -> done: auto after soon\n"),
            task!("  status: enum[open, done]\n", "  transitions:\n    open -> done: auto after 3 days\n"),
        ),
        Rule::error(
            "duplicate-end",
            "a state is declared as final twice",
            task!("  status: enum[open, done]\n", "  transitions:\n    open -> done\n    final: done\n    failed: done\n"),
            task!("  status: enum[open, done]\n", "  transitions:\n    open -> done\n    final: done\n"),
        ),
        Rule::error(
            "duplicate-transition",
            "one transition is declared by two rows",
            task!("  status: enum[open, done]\n", "  transitions:\n    open -> done\n    open -> done: role(admin)\n"),
            MOVES,
        ),
        guard_contradiction::RULE,
        left_end::RULE,
        Rule::error(
            "no-state-field",
            "no enum field has the states of the transitions",
            task!("  transitions:\n    open -> done\n"),
            MOVES,
        ),
        Rule::warning(
            "or-between-conditions",
            "`or` joins conditions of which all must be met",
            concat!(
                "persona clerk\n",
                task!("  status: enum[open, done]\n  note: text\n", "  transitions:\n    open -> done: role(clerk) or requires note\n")
            ),
            concat!(
                "persona clerk\n",
                task!("  status: enum[open, done]\n  note: text\n", "  transitions:\n    open -> done: role(clerk) requires note\n")
            ),
        ),
        requires_always_set::RULE,
        Rule::error(
            "requires-unknown-field",
            "a transition requires a field that does not exist",
            task!("  status: enum[open, done]\n  note: text\n", "  transitions:\n    open -> done: requires notes\n"),
            MOVES,
        ),
        Rule::error(
            "role-without-manual",
            "a timed transition names roles, and without `manual` no caller can make it",
            concat!(
                "persona clerk\n",
                task!("  status: enum[open, done]\n", "  transitions:\n    open -> done: role(clerk) or auto after 3 days\n")
            ),
            concat!(
                "persona clerk\n",
                task!("  status: enum[open, done]\n", "  transitions:\n    open -> done: role(clerk) or auto after 3 days or manual\n")
            ),
        ),
        same_label::RULE,
        shadowed_transition::RULE,
        timed_never_starts::RULE,
        transition_nobody::RULE,
        trap_state::RULE,
        Rule::error(
            "unknown-state",
            "a transition names a value that the state field does not have",
            task!("  status: enum[open, done]\n", "  transitions:\n    open -> dnoe\n"),
            MOVES,
        ),
        unmarked_ends::RULE,
        unreachable_state::RULE,
    ],
};

const MOVES: &str = task!("  status: enum[open, done]\n", "  note: text\n", "  transitions:\n    open -> done: requires note\n");
