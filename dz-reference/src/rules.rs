//! The page of rules: each with a text that violates it, its diagnostic, and the corrected text.

use super::page::{Page, Piece, right, text, wrong};
use dz_dsl_file::{AREAS, Rule, Severity};

pub(super) fn page() -> Page {
    let mut pieces = vec![text(format!("{INTRODUCTION}\n\n{}", contents()))];
    for area in AREAS {
        pieces.push(text(format!("## {}", heading(area.name))));
        pieces.extend(area.rules.iter().flat_map(describe));
    }
    Page {
        file: "rules.md",
        title: "Rules",
        summary: "Every rule: a text that violates it, and the corrected text.",
        constructs: &[],
        pieces,
    }
}

const INTRODUCTION: &str = "Each rule has a name, a severity, a text that violates it with the finding, and the corrected text. `dz explain NAME` shows the same in a terminal. An error stops the build. A warning is a warning of the compiler; its text begins with the name of the rule, because a macro cannot emit other warnings on stable Rust. `dz lint` shows lints, and a build does not; a line such as `dead-surface = \"warn\"` under `[lints]` in \
`dz.toml` makes one a warning of the build.";

fn contents() -> String {
    let mut written = "| Area | Errors | Warnings | Lints |\n|---|---|---|---|\n".to_owned();
    for area in AREAS {
        let of = |severity: Severity| {
            let found = area.rules.iter().filter(|rule| rule.severity == severity);
            found.map(|rule| format!("[`{0}`](#{0})", rule.name)).collect::<Vec<_>>().join(", ")
        };
        let (errors, warnings, lints) = (of(Severity::Error), of(Severity::Warning), of(Severity::Lint));
        written.push_str(&format!("| [{}](#{}) | {errors} | {warnings} | {lints} |\n", heading(area.name), area.name.replace(' ', "-")));
    }
    written
}

/// The name of an area with a capital letter.
fn heading(area: &str) -> String {
    let mut letters = area.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn describe(rule: &'static Rule) -> Vec<Piece> {
    vec![
        text(format!("### `{}`\n\n*{}*: {}.", rule.name, rule.severity.as_str(), rule.summary)),
        wrong(rule.name, rule.wrong),
        text("Right:"),
        right(rule.name, rule.right),
    ]
}
