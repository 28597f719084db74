//! Any text gives diagnostics; none gives a panic.

use dz_dsl_file::{SourceMap, analyse, render};
use proptest::prelude::*;

fn survive(text: &str) {
    let analysis = analyse(SourceMap::single("app.dsl", text));
    for found in &analysis.diagnostics {
        render::short(&analysis.files, found);
        render::human(&analysis.files, found, render::Colour::Never);
    }
}

const WORDS: &[&str] = &[
    "entity",
    "Task",
    "surface",
    "persona",
    "permit",
    ":",
    "\n",
    "\n  ",
    "\n    ",
    "id",
    "uuid",
    "pk",
    "ref",
    "has_many",
    "read",
    "role",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "=",
    "and",
    "or",
    "not",
    "in",
    "is",
    "null",
    "if",
    "else",
    "\"",
    "'",
    "\"\"\"",
    "#",
    "//",
    "\t",
    "7d",
    "3.5",
    "-",
    "->",
    "@",
    "demo",
    "- ",
    "ux",
    "sort",
    "enum",
    "current_user",
    ".",
    ",",
    "this",
    "any",
    "where",
    "\u{0}",
    "é",
    "app",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text(text in ".{0,200}") {
        survive(&text);
    }

    #[test]
    fn any_words(words in proptest::collection::vec(proptest::sample::select(WORDS), 0..60)) {
        survive(&words.join(" "));
        survive(&words.concat());
    }
}

#[test]
fn deep_nesting_is_refused_not_recursed_into() {
    survive(&format!("entity T:\n  id: uuid pk\n  permit:\n    read: {}1{}\n", "(".repeat(5_000), ")".repeat(5_000)));
    survive(&format!("entity T:\n  id: uuid pk\n  permit:\n    read: {} true\n", "not ".repeat(5_000)));
    survive(&format!("entity T:\n  id: uuid pk\n  n: int = {}1\n", "-".repeat(5_000)));
    let stairs: String = (0..500).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
    survive(&stairs);
}
