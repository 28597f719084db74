//! The OpenAPI document of a whole application, as tools read it.

use dz_dsl_file::{SourceMap, analyse, emit::openapi};
use expect_test::expect_file;

#[test]
fn a_whole_application() {
    let text = include_str!("documents/openapi.dsl");
    let analysis = analyse(SourceMap::single("openapi.dsl", text));
    let model = analysis.model.unwrap_or_else(|| panic!("{:?}", analysis.diagnostics));
    expect_file!["documents/openapi.yaml"].assert_eq(&openapi::yaml(&model));
    let json = openapi::json(&model);
    assert!(json.starts_with(r#"{"openapi":"3.1.0","info":{"title":"Tiny""#) && json.ends_with("}\n"), "{json}");
    assert_eq!(json.lines().count(), 1);
    assert!(!json.contains("password_hash"), "secrets are nowhere");
}
