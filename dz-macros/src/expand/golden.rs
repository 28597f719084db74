//! Whole expansions, formatted for reading. `UPDATE_EXPECT=1 cargo test -p dz-macros` writes them; `dz-ui-tests` compiles them.

mod lines;

use dz_dsl_file::{
    SourceMap, analyse,
    emit::schema::Engine,
    project::{Keys, Project, ProjectFile},
};
use expect_test::{ExpectFile, expect_file};

use crate::manifest::Package;

#[track_caller]
fn check(declaration: &str, expected: &ExpectFile) {
    check_with(Keys::Plain, declaration, expected);
}

#[track_caller]
fn check_with(keys: Keys, declaration: &str, expected: &ExpectFile) {
    let analysis = analyse(SourceMap::single("app.dsl", declaration));
    assert!(!analysis.has_errors(), "{:?}", analysis.diagnostics);
    let model = analysis.model.expect("a model");
    let project = Project { database: Some(Engine::Sqlite), keys, ..Project::default() };
    let package = Package { settings: ProjectFile { project, ..ProjectFile::default() }, ..Package::default() };
    let tokens = super::expand(&model, &package);
    let text = lines::text(syn::parse2(tokens).expect("Rust"));
    // The documents have tests of their own.
    let (code, documents) = text.split_once("/// Documents that are served or run unchanged.\n").expect("documents at the end");
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

#[test]
fn states_and_tenants() {
    check(include_str!("../../goldens/states_and_tenants.dsl"), &expect_file!["../../goldens/states_and_tenants.rs"]);
}

#[test]
fn computed_fields_and_variants() {
    check(include_str!("../../goldens/computed_and_variants.dsl"), &expect_file!["../../goldens/computed_and_variants.rs"]);
}

#[test]
fn files() {
    check(include_str!("../../goldens/files.dsl"), &expect_file!["../../goldens/files.rs"]);
}

#[test]
fn services() {
    check(include_str!("../../goldens/services.dsl"), &expect_file!["../../goldens/services.rs"]);
}

#[test]
fn typed_keys() {
    check_with(Keys::Typed, include_str!("../../goldens/typed_keys.dsl"), &expect_file!["../../goldens/typed_keys.rs"]);
}

/// `dz-ui-tests` compiles every golden without warnings.
#[test]
fn every_golden_is_compiled() {
    let compiled = include_str!("../../../ui-tests/src/lib.rs");
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/goldens")).expect("the folder of goldens") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        assert!(!name.ends_with(".rs") || compiled.contains(&format!("goldens/{name}\"")), "ui-tests/src/lib.rs lacks {name}");
    }
}
