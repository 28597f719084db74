//! Builds without debug assertions do not contain the code that removes access conditions for mutation testing, with any features.

use std::{path::PathBuf, process::Command};

use dz::serde_json::Value;

/// Names that only the module of that code has, as in the metadata of a compiled crate. (The compiler keeps the names of items that a
/// `cfg` removes, for its messages, but not those inside a removed module.)
const SWITCHES: &[&str] = &["probe_removes", "unless_probe_removes", "INSTALLED_PROBES"];

/// The metadata of the runtime with the feature `testing`, compiled as in a release build or a debug build. Only the profile of the
/// runtime differs, so no dependency is compiled again.
fn metadata(debug_assertions: bool) -> Vec<u8> {
    let profile = format!("profile.dev.package.dz-runtime.debug-assertions={debug_assertions}");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(env!("CARGO_MANIFEST_DIR")).args(["check", "--quiet", "--message-format", "json", "--package", "dz-runtime"]);
    cargo.args(["--features", "sqlite,postgres,oidc,s3,testing", "--config", &profile]);
    let done = cargo.output().expect("cargo runs");
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{said}{}", String::from_utf8_lossy(&done.stderr));
    let mut built = said.lines().filter_map(|line| dz::serde_json::from_str::<Value>(line).ok());
    let of_runtime = |message: &Value| message["reason"] == "compiler-artifact" && message["target"]["name"] == "dz_runtime";
    let built = built.rfind(of_runtime).expect("the runtime is compiled");
    let files = built["filenames"].as_array().into_iter().flatten().filter_map(Value::as_str).map(PathBuf::from);
    let file = files.into_iter().find(|file| file.extension().is_some_and(|it| it == "rmeta")).expect("metadata");
    std::fs::read(file).expect("metadata")
}

fn find_names(metadata: &[u8]) -> Vec<&'static str> {
    let contains = |name: &&str| metadata.windows(name.len()).any(|part| part == name.as_bytes());
    SWITCHES.iter().copied().filter(contains).collect()
}

#[test]
fn a_build_without_debug_assertions_contains_no_switch() {
    // The names are found if the code is compiled.
    assert_eq!(find_names(&metadata(true)), SWITCHES);
    assert_eq!(find_names(&metadata(false)), Vec::<&str>::new());
}
