//! Rules of expressions and conditions.

mod always_false;
mod always_true;
mod redundant_condition;

use super::{Area, Rule};

/// The rules of this area.
pub(super) const AREA: Area = Area {
    name: "expressions",
    rules: &[
        always_false::RULE,
        always_true::RULE,
        Rule::warning(
            "ambiguous-word",
            "a word is the name of a value and of a field",
            entity!("  state: enum[open, done]\n  open: bool\n", "state = open"),
            entity!("  state: enum[open, done]\n  open: bool\n", "state = \"open\""),
        ),
        Rule::error(
            "chained-comparison",
            "comparisons cannot be chained",
            entity!("  n: int\n", "1 < n < 3"),
            entity!("  n: int\n", "1 < n and n < 3"),
        ),
        Rule::warning(
            "comparison-with-self",
            "a field is compared with itself",
            entity!("  due: date\n", "due = due"),
            entity!("  due: date\n", "due = today"),
        ),
        Rule::error(
            "hop-through-non-ref",
            "a path follows a field that is not a reference",
            entity!("  name: str(80)\n", "name.size = 3"),
            entity!("  owner: ref User\n", "owner.name = \"x\""),
        ),
        Rule::error(
            "mixed-float-decimal",
            "an expression combines a float and a decimal",
            entity!("  a: float\n  b: decimal(8,2)\n", "a + b > 3"),
            entity!("  a: decimal(8,2)\n  b: decimal(8,2)\n", "a + b > 3"),
        ),
        Rule::error(
            "not-a-condition",
            "a value is written in place of a condition",
            entity!("  name: str(80)\n", "name"),
            entity!("  name: str(80)\n", "name != null"),
        ),
        Rule::error(
            "not-allowed-here",
            "a word is not allowed at this position",
            entity!("  due: date\n", "this = null"),
            entity!("  due: date\n", "due = null"),
        ),
        redundant_condition::RULE,
        Rule::error(
            "type-mismatch",
            "the types of two values do not match",
            entity!("  due: date\n", "due = 3"),
            entity!("  due: date\n", "due = today"),
        ),
        Rule::error(
            "unknown-field",
            "an expression names a field that does not exist",
            entity!("  open: bool\n", "opn"),
            entity!("  open: bool\n", "open"),
        ),
        Rule::error(
            "unknown-function",
            "no function has this name",
            entity!("  due: date\n", "day_since(due) > 3"),
            entity!("  due: date\n", "days_since(due) > 3"),
        ),
        Rule::error(
            "unknown-value",
            "an enum has no such value",
            entity!("  state: enum[open, done]\n", "state = opn"),
            entity!("  state: enum[open, done]\n", "state = open"),
        ),
        Rule::error(
            "wrong-arguments",
            "a function is called with arguments of a wrong type or number",
            entity!("  name: str(80)\n", "days_since(name) > 3"),
            entity!("  name: str(80)\n", "length(name) > 3"),
        ),
    ],
};
