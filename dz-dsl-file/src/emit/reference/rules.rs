//! The page of rules: each with a text that breaks it, what is said about it, and the text put right.

use super::page::{Page, Piece, right, text, wrong};
use crate::{Severity, diagnostic::Rule, rules};

/// A subject that rules are about.
struct Area {
    title: &'static str,
    about: &'static str,
    rules: &'static [&'static str],
}

pub(super) fn page() -> Page {
    let mut pieces = vec![text(format!("{INTRODUCTION}\n\n{}", contents()))];
    for area in AREAS {
        pieces.push(text(format!("## {}\n\n{}", area.title, area.about)));
        for name in area.rules {
            pieces.extend(rules().filter(|rule| rule.name == *name).flat_map(told));
        }
    }
    Page {
        file: "rules.md",
        title: "Rules",
        summary: "Every finding: a text that raises it, and the text put right.",
        constructs: &[],
        pieces,
    }
}

const INTRODUCTION: &str = "Each rule has a name, a severity, a text that breaks it with what is said about it, and the text put right. \
`dz explain NAME` shows the same in a terminal. An error stops the build, a warning does not, a lint is shown by `dz lint`.";

fn contents() -> String {
    let mut written = "| Area | Errors | Warnings | Lints |\n|---|---|---|---|\n".to_owned();
    for area in AREAS {
        let of = |severity: Severity| {
            let found = area.rules.iter().filter(|name| rules().any(|rule| rule.name == **name && rule.severity == severity));
            found.map(|name| format!("[`{name}`](#{name})")).collect::<Vec<_>>().join(", ")
        };
        written.push_str(&format!("| {} | {} | {} | {} |\n", area.title, of(Severity::Error), of(Severity::Warning), of(Severity::Lint)));
    }
    written
}

fn told(rule: &'static Rule) -> Vec<Piece> {
    vec![
        text(format!("### `{}`\n\n*{}*: {}.", rule.name, rule.severity.as_str(), rule.summary)),
        wrong(rule.name, rule.wrong),
        text("Right:"),
        right(rule.name, rule.right),
    ]
}

/// Rules that stand in no area or in several, and names that are no rule.
pub(super) fn gaps() -> Vec<String> {
    let mut gaps = Vec::new();
    for rule in rules() {
        match AREAS.iter().flat_map(|area| area.rules).filter(|name| **name == rule.name).count() {
            1 => {}
            0 => gaps.push(format!("the rule `{}` stands in no area", rule.name)),
            _ => gaps.push(format!("the rule `{}` stands in several areas", rule.name)),
        }
    }
    let unknown = AREAS.iter().flat_map(|area| area.rules).filter(|name| !rules().any(|rule| rule.name == **name));
    gaps.extend(unknown.map(|name| format!("`{name}` stands in an area and is no rule")));
    gaps
}

const AREAS: &[Area] = &[
    Area {
        title: "Text",
        about: "Signs, strings, numbers, indentation.",
        rules: &[
            "bad-escape",
            "bad-number",
            "empty-block",
            "inconsistent-indentation",
            "missing-colon",
            "mixed-indentation",
            "number-out-of-range",
            "unexpected-token",
            "unquoted-url",
            "unterminated-string",
        ],
    },
    Area {
        title: "Structure",
        about: "Constructs, keys, names, files.",
        rules: &[
            "unknown-construct",
            "unknown-key",
            "missing-key",
            "duplicate-key",
            "similar-key",
            "duplicate-name",
            "name-collision",
            "naming",
            "unknown-module",
            "construct-not-supported",
            "not-available-yet",
            "empty-app",
            "unused-silencer",
        ],
    },
    Area {
        title: "Types and fields",
        about: "Field types, modifiers, relations, archetypes.",
        rules: &[
            "unknown-type",
            "unknown-entity",
            "unknown-archetype",
            "unknown-currency",
            "bad-length",
            "large-length",
            "str-without-length",
            "bad-precision",
            "empty-enum",
            "dead-enum",
            "missing-primary-key",
            "duplicate-primary-key",
            "required-and-optional",
            "bad-default",
            "auto-on-wrong-type",
            "missing-inverse",
            "ambiguous-inverse",
            "overridden-field",
            "computed-cycle",
            "computed-discloses",
            "polymorphic-key",
            "required-ref-cycle",
            "too-many-fields",
            "wide-table",
            "duplicate-archetype",
            "no-tenant",
            "archetype-field-type",
            "settings-with-required-field",
        ],
    },
    Area {
        title: "Expressions",
        about: "Names, types and positions of expressions.",
        rules: &[
            "unknown-field",
            "unknown-value",
            "unknown-function",
            "wrong-arguments",
            "type-mismatch",
            "mixed-float-decimal",
            "not-a-condition",
            "not-allowed-here",
            "hop-through-non-ref",
            "chained-comparison",
            "ambiguous-word",
            "comparison-with-self",
            "always-true",
            "always-false",
            "redundant-condition",
        ],
    },
    Area {
        title: "Access",
        about: "Who may do what.",
        rules: &[
            "unknown-role",
            "unknown-action",
            "user-field-unknown",
            "too-many-roles",
            "no-access-rules",
            "anonymous-write",
            "list-without-read",
            "permit-without-scope",
            "redundant-forbid",
            "dead-permit",
            "similar-action",
            "unused-persona",
        ],
    },
    Area {
        title: "States",
        about: "State machines.",
        rules: &[
            "no-state-field",
            "ambiguous-state-field",
            "unknown-state",
            "requires-unknown-field",
            "bad-duration",
            "duplicate-transition",
            "unreachable-state",
            "trap-state",
            "shadowed-transition",
            "transition-nobody",
            "guard-contradiction",
            "requires-always-set",
            "timed-never-starts",
        ],
    },
    Area {
        title: "Invariants",
        about: "What holds for every stored row.",
        rules: &[
            "bad-code",
            "duplicate-code",
            "invariant-without-message",
            "invariant-contradicts-default",
            "invariant-contradicts-initial-state",
        ],
    },
    Area {
        title: "Graph",
        about: "Nodes and edges.",
        rules: &[
            "graph-edge-incomplete",
            "graph-node-incomplete",
            "graph-unknown-field",
            "graph-end-not-a-ref",
            "graph-type-field",
            "graph-weight-field",
            "graph-edges-without-edge",
            "graph-display-field",
            "same-source-and-target",
            "edges-not-connected",
            "heterogeneous-graph",
            "edge-without-access",
            "acyclic-not-enforced",
            "suggest-graph-edge",
            "suggest-graph-node",
            "node-without-display",
        ],
    },
    Area {
        title: "Surfaces",
        about: "Screens and what differs on them for personas.",
        rules: &[
            "missing-entity",
            "missing-mode",
            "unknown-path",
            "unknown-surface",
            "unknown-persona",
            "missing-required-field",
            "attention-incomplete",
            "surface-needs-row",
            "unsearchable-field",
            "without-effect",
            "hide-is-not-access",
            "list-without-ux",
            "unindexed-sort",
            "unindexed-filter",
            "dead-surface",
        ],
    },
    Area {
        title: "Workspaces",
        about: "Pages of regions.",
        rules: &[
            "region-without-source",
            "unknown-display",
            "display-needs",
            "unknown-metric",
            "metric-not-grouped",
            "unknown-region",
            "region-without-action",
            "dead-workspace",
        ],
    },
];
