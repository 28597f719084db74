//! The expressions that each position of a condition allows, found by analysis of an example.

use crate::{example::Example, frames};
use dz_dsl_file::{SourceMap, analyse};

/// A position of a condition.
struct Position {
    name: &'static str,
    frame: &'static str,
    /// The text of the condition in it.
    write: &'static str,
    row: Row,
}

/// The row in scope.
#[derive(Clone, Copy)]
enum Row {
    Repair,
    Part,
    None,
}

const fn position(name: &'static str, frame: &'static str) -> Position {
    Position { name, frame, write: "…", row: Row::Repair }
}

const POSITIONS: &[Position] = &[
    position("`permit`, `forbid`, `access`, `scope`, `audit`", frames::CONDITION),
    position("`guard` of a transition", frames::GUARD),
    position("`invariant`", frames::INVARIANT),
    position("`where` of `index` and `unique`", frames::INDEX),
    position("`computed`", frames::COMPUTED),
    Position { row: Row::None, ..position("default of a field", frames::DEFAULT) },
    position("`filter` of a region", frames::FILTER),
    Position { row: Row::Part, ..position("`filter` of a nested section", frames::NESTED_FILTER) },
    position("`when`", frames::WHEN),
    position("`scope` of a variant", frames::SCOPE),
    position("`condition` of a step", frames::flows::KNOWN),
    position("`when` of the trigger of an intent", frames::flows::INTENT_WHEN),
    Position { name: "metric", frame: frames::METRIC, write: "if …: 1 else: 0", row: Row::None },
];

/// The tested expressions: a name, and the text over a repair, over a part, and without a row.
const TRIED: &[(&str, [&str; 3])] = &[
    ("fields", ["express", "price > 0", "express"]),
    ("refs", ["bike.label = \"x\"", "repair.express", "bike.label = \"x\""]),
    ("`role(…)`", ["role(mechanic)"; 3]),
    ("`current_user`", ["mechanic = current_user", "repair.mechanic = current_user", "current_user != null"]),
    ("`today`, `now`", ["promised < today", "repair.promised < today", "today > \"2026-01-31\""]),
    ("`authenticated`, `anonymous`", ["anonymous"; 3]),
    ("`this`", ["this.express"; 3]),
    ("`any`, `count` of relations", ["any(parts)", "any(repair.parts)", "any(parts)"]),
    ("other aggregates", ["sum(parts.price) > 0", "sum(repair.parts.price) > 0", "sum(parts.price) > 0"]),
    ("rows of entities", ["count(Repair) > 0"; 3]),
];

/// The table, with notes about cases that it does not show.
pub(super) fn markdown() -> String {
    let heads: Vec<&str> = TRIED.iter().map(|(name, ..)| *name).collect();
    let mut written = format!("{ABOUT}\n\n| Position | {} |\n|---|{}\n", heads.join(" | "), "---|".repeat(heads.len()));
    for position in POSITIONS {
        let marks: Vec<&str> = TRIED.iter().map(|(_, written)| if allows(position, written) { "yes" } else { "" }).collect();
        written.push_str(&format!("| {} | {} |\n", position.name, marks.join(" | ")));
    }
    format!("{written}\n{NOTES}")
}

fn allows(position: &Position, written: &[&str; 3]) -> bool {
    let [of_repair, of_part, of_none] = written;
    let tried = match position.row {
        Row::Repair => of_repair,
        Row::Part => of_part,
        Row::None => of_none,
    };
    let text = Example::sound(&position.write.replace('…', tried), position.frame).text;
    !analyse(SourceMap::single("app.dsl", &text)).has_errors()
}

const ABOUT: &str = "## Positions

What an expression can contain depends on its position. The tests analyse an example for each cell of this table.";

const NOTES: &str = "An invariant holds for a stored row at any time and for any caller, so it cannot use `today`, `now` or the caller. \
A guard is evaluated when the transition is made, and can use all three. A computed field can use `today` and `now`, but not the caller; it has no index then. A default is a constant: a literal, `today`, `now`, a sum with a duration, `current_user` or one of its \
fields. A filter compares fields of the row itself; for a value over its children, declare a computed field.";
