//! Phrases of the other dialect that a single word cannot replace, each with a line of that dialect and the line of dz.

use super::Meaning::{self, Likely, None, Same};
use crate::suggestion::{Replacement, same};

/// A phrase of another dialect.
#[derive(Debug, Clone, Copy)]
pub struct Phrase {
    /// Its name, by which findings refer to it.
    pub name: &'static str,
    /// The place, for readers of the reference.
    pub place: &'static str,
    /// A line of the other dialect.
    pub theirs: &'static str,
    /// The line of dz; empty if the line is deleted.
    pub ours: &'static str,
    /// Whether both have the same meaning.
    pub meaning: Meaning,
    /// The correction, as the help of a finding.
    pub help: &'static str,
}

/// Every phrase of the table.
pub const PHRASES: &[Phrase] = &[
    Phrase {
        name: "day-of-a-moment",
        place: "conditions",
        theirs: "created_at >= today",
        ours: "date(created_at) >= today",
        meaning: Same,
        help: "compare the day",
    },
    Phrase {
        name: "days-ago",
        place: "conditions",
        theirs: "due >= 7_days_ago",
        ours: "due >= today - 7d",
        meaning: Same,
        help: "subtract a duration from `today`, or from `now`",
    },
    Phrase {
        name: "days-from-now",
        place: "conditions",
        theirs: "due < 7_days_from_now",
        ours: "due < today + 7d",
        meaning: Same,
        help: "add a duration to `today`, or to `now`",
    },
    Phrase {
        name: "rows-over-a-junction",
        place: "`permit:` and `scope:`",
        theirs: "list: via Membership(member = current_user, team = id)",
        ours: "list: any(memberships where member = current_user)",
        meaning: Likely,
        help: "use the relation that contains the rows between the two: `any(relation where field = current_user)`",
    },
    Phrase {
        name: "field-of-the-source",
        place: "`aggregate:` of a region with one source",
        theirs: "mean: avg(hours)",
        ours: "mean: avg(Task.hours)",
        meaning: Same,
        help: "a figure names the entity first",
    },
    Phrase {
        name: "rows-of-an-entity",
        place: "`computed` fields and invariants",
        theirs: "total: computed sum(Item.price)",
        ours: "total: computed sum(items.price)",
        meaning: Same,
        help: "name the relation of this row, and not the entity",
    },
    Phrase {
        name: "no-audit",
        place: "entities",
        theirs: "audit: false",
        ours: "",
        meaning: Same,
        help: "remove the line: without `audit:` nothing is recorded",
    },
    Phrase {
        name: "audit-everything",
        place: "entities",
        theirs: "audit: true",
        ours: "audit: all",
        meaning: Same,
        help: "write `audit: all`",
    },
    Phrase {
        name: "equal-inline-enums",
        place: "conditions",
        theirs: "colour = current_user.colour",
        ours: "trim(colour) = trim(current_user.colour)",
        meaning: Likely,
        help: "compare their texts; or declare the values once, `enum Colour:` with a value a line, and give both fields that type",
    },
    Phrase {
        name: "pause-in-milliseconds",
        place: "`retry:`",
        theirs: "initial_delay_ms: 2000",
        ours: "interval: 2s",
        meaning: Same,
        help: "write a duration in seconds or more, such as `interval: 2s`",
    },
    Phrase {
        name: "longest-delay",
        place: "`retry:`",
        theirs: "max_delay_ms: 60000",
        ours: "",
        meaning: None,
        help: "remove the line: `max_attempts:` and `backoff:` limit how often it is tried again",
    },
];

impl Phrase {
    /// The replacement. It is certain if the phrase has the same meaning and this use of it is `plain`.
    pub(crate) fn replacement(&self, text: String, plain: bool) -> Replacement {
        if plain && self.meaning == Same { same(text) } else { text.into() }
    }
}

/// The phrase with a name. It must be in the table.
pub(crate) fn phrase(name: &str) -> &'static Phrase {
    let at = PHRASES.iter().position(|it| it.name == name);
    debug_assert!(at.is_some(), "no phrase is called {name}");
    &PHRASES[at.unwrap_or_default()]
}
