//! Whole expansions as a person reads them. `UPDATE_EXPECT=1 cargo test -p dz-macros` writes them anew.

mod lines;

use dz_dsl_file::{SourceMap, analyse, project::Project};
use expect_test::{ExpectFile, expect_file};

use crate::manifest::Package;

#[track_caller]
fn check(declaration: &str, expected: &ExpectFile) {
    let analysis = analyse(SourceMap::single("app.dsl", declaration));
    assert!(!analysis.has_errors(), "{:?}", analysis.diagnostics);
    let model = analysis.model.expect("a model");
    let package = Package { project: Project { database: Some("sqlite".to_owned()), ..Project::default() }, ..Package::default() };
    let tokens = super::expand(&model, &package);
    let text = lines::text(syn::parse2(tokens).expect("Rust"));
    // The documents have tests of their own where they are made.
    let (code, documents) = text.split_once("/// What is served or run as it stands here.\n").expect("documents at the end");
    assert!(documents.contains("\nCREATE TABLE ") && documents.contains("\"callers\""), "in lines of their own");
    expected.assert_eq(code);
}

#[test]
fn five_lines() {
    check(
        "entity Note \"Note\":\n  id: uuid pk\n  title: str(80) required\n  permit:\n    read: true\n",
        &expect_file!["../../goldens/five_lines.rs"],
    );
}

#[test]
fn refs_enums_rules_and_surfaces() {
    check(include_str!("../../goldens/shop.dsl"), &expect_file!["../../goldens/shop.rs"]);
}
