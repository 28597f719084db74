//! SECURITY.md names tests; they are there, and they run.

use std::{fs, path::PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// True for a function of a file that is a test: marked so, or listed for a macro that makes tests.
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

#[test]
fn every_crate_forbids_unsafe_code() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("a manifest");
    assert!(manifest.contains("unsafe_code = \"forbid\""));
    for name in ["dz-dsl-file", "dz-macros", "dz-runtime", "dz-cli"] {
        let manifest = fs::read_to_string(root().join(name).join("Cargo.toml")).expect("a manifest");
        assert!(manifest.contains("[lints]\nworkspace = true"), "{name}");
    }
}
