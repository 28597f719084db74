//! The words in the grammars of editors are those of the language: `UPDATE_EXPECT=1` writes them.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use dz_dsl_file::vocabulary::{vocabularies, words_of};
use dz_reference::reference;
use expect_test::expect_file;

/// Values that every condition can use.
const CONSTANTS: &[&str] = &["true", "false", "null", "today", "now", "current_user", "authenticated", "anonymous"];

/// Places whose words are values of a key, not keys.
const OF_VALUES: &[&str] = &[
    "construct",
    "construct without meaning",
    "theme",
    "proficiency",
    "type",
    "modifier",
    "relation",
    "kind of entity",
    "action",
    "mode",
    "priority",
    "field",
    "widget",
    "format",
    "event",
    "related display",
    "level",
    "display",
    "trigger of a story",
    "status of a story",
    "kind of step",
    "event of a step",
    "unit of time",
    "kind of service",
    "stub",
    "spec",
    "auth_profile",
    "start of a process",
    "event of a row",
    "overlap",
    "on_any_failure",
    "effect",
    "backoff",
    "provider",
    "tier",
    "action of pii",
    "function",
    "aggregate",
    "comparison",
];

fn editors(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../editors").join(path)
}

fn read(path: &str) -> String {
    fs::read_to_string(editors(path)).unwrap_or_else(|problem| panic!("{path}: {problem}"))
}

/// The words of a kind, in order.
fn words(kind: &str) -> BTreeSet<&'static str> {
    let found = match kind {
        "constructs" => words_of("construct"),
        "types" => words_of("type"),
        "modifiers" => [words_of("modifier"), words_of("relation")].concat(),
        "constants" => CONSTANTS.to_vec(),
        "keys" => vocabularies().into_iter().filter(|it| !OF_VALUES.contains(&it.place)).flat_map(|it| it.words).collect(),
        _ => panic!("no kind of words is called {kind}"),
    };
    let is_word = |word: &&str| word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    found.into_iter().filter(is_word).collect()
}

#[test]
fn each_place_of_values_exists() {
    for place in OF_VALUES {
        assert!(!words_of(place).is_empty(), "the language has no place `{place}`");
    }
}

#[test]
fn constants_are_in_the_reference() {
    let pages = reference();
    for constant in CONSTANTS {
        assert!(pages.iter().any(|(_, page)| page.contains(&format!("`{constant}`"))), "`{constant}` has no entry");
    }
}

#[test]
fn the_highlights_have_the_words_of_the_language() {
    let path = "tree-sitter-dz/queries/highlights.scm";
    let mut kind = None;
    let mut written = String::new();
    for line in read(path).lines() {
        let made = kind.take().map(|kind: String| {
            let start = &line[..line.find('"').unwrap_or_else(|| panic!("no words after `words: {kind}`"))];
            let list: Vec<String> = words(&kind).iter().map(|word| format!("\"{word}\"")).collect();
            format!("{start}{}))", list.join(" "))
        });
        written.push_str(made.as_deref().unwrap_or(line));
        written.push('\n');
        kind = line.trim().strip_prefix("; words: ").map(str::to_owned);
    }
    expect_file![editors(path)].assert_eq(&written);
}

#[test]
fn the_grammar_of_vs_code_has_the_words_of_the_language() {
    let path = "vscode/syntaxes/dz.tmLanguage.json";
    let mut text = read(path);
    let modifier = concat!(r#"storage.modifier.dz","#, "\n          ", r#""match": "\\b(?:"#);
    for (before, kind) in [(r"^(\\s*)(", "constructs"), (r"\\s*(:)\\s*(", "types"), (r"(?:(-)\\s+)?(", "keys"), (modifier, "modifiers")] {
        let start = text.find(before).unwrap_or_else(|| panic!("{path}: nothing has `{before}`")) + before.len();
        let end = start + text[start..].find(')').expect("the end of a list");
        let list: Vec<&str> = words(kind).into_iter().collect();
        text.replace_range(start..end, &list.join("|"));
    }
    expect_file![editors(path)].assert_eq(&text);
}

#[test]
fn the_grammar_reads_the_free_text_of_stories_and_the_lines_after_operators_as_the_language_does() {
    let grammar = read("tree-sitter-dz/grammar.js");
    for word in ["given", "when", "then", "unless"] {
        assert!(words_of("story").contains(&word) && grammar.contains(&format!("\"{word}\"")), "{word}");
    }
    for sign in words_of("comparison").into_iter().filter(|it| !it.chars().any(char::is_alphabetic)) {
        assert!(grammar.contains(&format!("\"{sign}\"")), "the grammar has no operator `{sign}`");
    }
}
