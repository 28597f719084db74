//! The rules that reading alone can break.

use crate::diagnostic::{Rule, Severity};

/// Rules of text and structure.
pub const RULES: &[Rule] = &[
    rule("unexpected-token", "a word or sign stands where it has no meaning", "persona desk \"Desk\" )\n", "persona desk \"Desk\"\n"),
    rule("unterminated-string", "a string is never closed", "persona desk \"Desk\n", "persona desk \"Desk\"\n"),
    rule(
        "bad-escape",
        "a backslash is followed by something that is no escape",
        "persona desk \"De\\qsk\"\n",
        "persona desk \"De\\nsk\"\n",
    ),
    rule("bad-number", "a number runs into letters that are no unit of time", "app a:\n  theme: 12x\n", "app a:\n  theme: 12\n"),
    rule(
        "number-out-of-range",
        "a number is beyond what can be stored",
        "app a:\n  limit: 99999999999999999999\n",
        "app a:\n  limit: 99\n",
    ),
    rule(
        "mixed-indentation",
        "a file is indented with tabs and with spaces",
        "persona a:\n  description: \"x\"\npersona b:\n\tdescription: \"x\"\n",
        "persona a:\n  description: \"x\"\npersona b:\n  description: \"x\"\n",
    ),
    rule(
        "inconsistent-indentation",
        "a line steps back to a column where no block stands",
        "persona a:\n    description: \"x\"\n  goals: \"y\"\n",
        "persona a:\n    description: \"x\"\n    goals: \"y\"\n",
    ),
    rule("empty-block", "a colon announces lines that do not come", "persona a:\n", "persona a\n"),
    rule(
        "missing-colon",
        "lines stand under a line that does not end in a colon",
        "persona a\n  description: \"x\"\n",
        "persona a:\n  description: \"x\"\n",
    ),
    rule(
        "unquoted-url",
        "an address without quotes loses its tail to a comment",
        "app a:\n  home: https://example.com\n",
        "app a:\n  home: \"https://example.com\"\n",
    ),
    rule("unknown-construct", "a top-level word is no construct", "persna a\n", "persona a\n"),
    rule("unknown-key", "a block has no such key", "persona a:\n  descripton: \"x\"\n", "persona a:\n  description: \"x\"\n"),
    rule(
        "duplicate-key",
        "a key stands twice where one is meant",
        "persona a:\n  description: \"x\"\n  description: \"y\"\n",
        "persona a:\n  description: \"x\"\n",
    ),
    Rule {
        name: crate::NOT_AVAILABLE,
        severity: Severity::Lint,
        summary: "a construct of the language that this version does not act on: sound, and refused by a build",
        wrong: "workspace home \"Home\":\n  purpose: \"x\"\n",
        right: "persona a\n",
    },
    Rule {
        name: "similar-key",
        severity: Severity::Warning,
        summary: "a key of `app` that is kept without effect is one letter beside one that has an effect",
        wrong: "app a:\n  timezon: \"Europe/Berlin\"\n",
        right: "app a:\n  timezone: \"Europe/Berlin\"\n",
    },
    Rule {
        name: "similar-action",
        severity: Severity::Warning,
        summary: "the name of a custom action differs from an action of the runtime by a letter",
        wrong: "entity Task:\n  id: uuid pk\n  permit:\n    read: true\n    updte: true\n",
        right: "entity Task:\n  id: uuid pk\n  permit:\n    read: true\n    update: true\n    approve: true\n",
    },
    Rule {
        name: "construct-not-supported",
        severity: Severity::Warning,
        summary: "a construct of the language family that has no meaning in dz",
        wrong: "webhook hook \"Hook\"\npersona a\n",
        right: "persona a\n",
    },
];

const fn rule(name: &'static str, summary: &'static str, wrong: &'static str, right: &'static str) -> Rule {
    Rule { name, severity: Severity::Error, summary, wrong, right }
}
