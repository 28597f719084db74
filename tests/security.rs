//! The tests that SECURITY.md names exist and run.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// The number of items in the sections of OWASP ASVS 5.0.0, by chapter.
const ASVS: [&[u32]; 17] = [
    &[2, 10, 12, 3, 3],
    &[3, 3, 5, 2],
    &[1, 3, 5, 8, 8, 1, 5],
    &[5, 5, 2, 4],
    &[1, 6, 3, 3],
    &[3, 12, 8, 6, 8, 4, 2, 4],
    &[3, 4, 2, 5, 3, 2],
    &[4, 4, 3, 2],
    &[3, 4],
    &[2, 3, 5, 16, 5, 2, 3],
    &[4, 5, 5, 4, 2, 2, 2],
    &[5, 2, 5],
    &[4, 6, 4, 7],
    &[2, 8, 3],
    &[5, 5, 7, 4],
    &[1, 5, 4, 3, 4],
    &[2, 8, 2],
];

/// The root of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder").to_path_buf()
}

/// True for a function that is a test: it has the attribute, or is listed for a macro that declares tests.
fn is_test(text: &str, name: &str) -> bool {
    let Some(at) = text.find(&format!("fn {name}(")) else { return false };
    let marked = text[..at].trim_end().ends_with("#[test]");
    let listed = text.lines().any(|line| line.starts_with(&format!("    {name};")) || line.starts_with(&format!("    {name},")));
    marked || listed
}

#[test]
fn the_tests_that_security_md_names_are_there() {
    let page = fs::read_to_string(root().join("SECURITY.md")).expect("SECURITY.md");
    let mut named = 0;
    for line in page.lines().filter(|line| line.starts_with("| ")) {
        for quoted in line.split('`').skip(1).step_by(2) {
            let Some((file, name)) = quoted.split_once(".rs: ") else { continue };
            let path = format!("{file}.rs");
            let text = fs::read_to_string(root().join(&path)).unwrap_or_else(|error| panic!("{path}: {error}"));
            assert!(is_test(&text, name), "{path} has no test `{name}`");
            named += 1;
        }
    }
    assert!(named > 25, "{named} tests are too few for what the page says");
}

/// The items of a cell: `1.2.3`, `1.2.3 to 1.2.5`, a section as `4.3`, a chapter as `9`.
fn items(cell: &str) -> Vec<(u32, u32, u32)> {
    let all = || {
        (1..).zip(ASVS).flat_map(|(chapter, of)| (1..).zip(of).flat_map(move |(section, n)| (1..=*n).map(move |it| (chapter, section, it))))
    };
    let number =
        |text: &str| -> Vec<u32> { text.split('.').map(|part| part.trim().parse().unwrap_or_else(|_| panic!("{cell}"))).collect() };
    let covers = |text: &str, (chapter, section, item): (u32, u32, u32)| match text.split_once(" to ") {
        Some((from, to)) => (number(from)..=number(to)).contains(&vec![chapter, section, item]),
        None => [chapter, section, item].starts_with(&number(text)),
    };
    cell.split(", ")
        .flat_map(|text| {
            let found: Vec<_> = all().filter(|item| covers(text, *item)).collect();
            assert!(!found.is_empty(), "ASVS has no {text}");
            found
        })
        .collect()
}

#[test]
fn security_md_has_every_item_of_the_standard() {
    let page = fs::read_to_string(root().join("SECURITY.md")).expect("SECURITY.md");
    let (_, page) = page.split_once("## OWASP ASVS 5.0").expect("the standard");
    let (page, _) = page.split_once("## Cryptography").expect("what follows");
    let mut told = BTreeSet::new();
    let mut open = BTreeSet::new();
    for part in page.split("### ").skip(1) {
        let rows = part.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| Item"));
        let found: BTreeSet<_> = rows.flat_map(|line| items(line.split('|').nth(1).unwrap_or_default().trim())).collect();
        if !part.starts_with("With a test") {
            let twice: Vec<_> = found.intersection(&open).collect();
            assert!(twice.is_empty(), "in two tables: {twice:?}");
            open.extend(found.iter().copied());
        }
        told.extend(found);
    }
    let all: usize = ASVS.iter().flat_map(|of| of.iter()).map(|n| *n as usize).sum();
    let whole: BTreeSet<_> = (1..=17).flat_map(|chapter| items(&chapter.to_string())).collect();
    let missing: Vec<_> = whole.difference(&told).collect();
    assert_eq!((all, whole.len(), missing), (345, 345, vec![]));
}

#[test]
fn every_crate_forbids_unsafe_code() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("a manifest");
    assert!(manifest.contains("unsafe_code = \"forbid\""));
    for name in ["dz-dsl-file", "dz-macros", "dz-runtime", "dz-cli"] {
        let manifest = fs::read_to_string(root().join(name).join("Cargo.toml")).expect("a manifest");
        assert!(manifest.contains("[lints]\nworkspace = true"), "{name}");
    }
}
