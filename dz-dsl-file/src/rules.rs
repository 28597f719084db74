//! Every rule of the language in one list, for documentation and for tests.

mod areas;

pub use areas::rules_by_area;

use crate::{check, diagnostic::Rule, lower_rules, syntax};

/// The rule about what the language has and a build refuses, because it would have no effect yet.
pub const NOT_AVAILABLE: &str = "not-available-yet";

/// True for a rule that looks at a whole model, and not at how one line reads.
pub fn is_about_the_whole(rule: &str) -> bool {
    check::rules().any(|it| it.name == rule)
}

/// Every rule with its examples: those of reading, of resolving, and of checking.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    syntax::rules::RULES
        .iter()
        .chain(lower_rules::RULES)
        .chain(lower_rules::blocks::RULES)
        .chain(lower_rules::pages::RULES)
        .chain(lower_rules::processes::RULES)
        .chain(lower_rules::guidance::RULES)
        .chain(check::rules())
}
