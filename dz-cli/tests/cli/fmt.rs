//! `dz fmt`: files rewritten, compared, refused.

use std::fs;

use crate::folder::{Folder, json, out, says};

const ROUGH: &str = "persona  desk :\n    description : 'x' # why\n";
const SMOOTH: &str = "persona desk:\n  description: \"x\" # why\n";

#[test]
fn files_are_rewritten() {
    let folder = Folder::new("fmt", &[("dsl/a.dsl", ROUGH), ("dsl/b/c.dsl", SMOOTH), ("dz.toml", "[project]\ndsl = \"dsl\"\n")]);
    says(&folder.dz(&["fmt"]), 0, &["dsl/a.dsl\n", "1 of 2 files rewritten"]);
    assert_eq!((folder.read("dsl/a.dsl"), folder.read("dsl/b/c.dsl")), (SMOOTH.to_owned(), SMOOTH.to_owned()));
    says(&folder.dz(&["fmt", "dsl"]), 0, &["0 of 2 files rewritten"]);
    assert_eq!(fs::read_dir(folder.0.join("dsl")).expect("a folder").count(), 2, "nothing is left behind");
}

#[test]
fn a_check_shows_a_diff_and_changes_nothing() {
    let folder = Folder::new("fmt-check", &[("app.dsl", ROUGH)]);
    let output = folder.dz(&["fmt", "--check"]);
    says(&output, 1, &["1 of 1 file would change"]);
    assert_eq!(
        out(&output),
        "--- app.dsl\n+++ app.dsl\n@@ -1,2 +1,2 @@\n-persona  desk :\n-    description : 'x' # why\n+persona desk:\n+  description: \"x\" # why\n"
    );
    assert_eq!(folder.read("app.dsl"), ROUGH);
    assert!(out(&folder.dz(&["fmt", "--check", "--color", "always"])).contains("\u{1b}[32m+persona desk:"));
    folder.dz(&["fmt"]);
    let clean = folder.dz(&["fmt", "--check"]);
    says(&clean, 0, &["0 of 1 file would change"]);
    assert_eq!(out(&clean), "");
}

#[test]
fn standard_input_goes_to_standard_output() {
    let folder = Folder::new("fmt-stdin", &[]);
    let output = folder.dz_with(&["fmt", "-"], ROUGH);
    says(&output, 0, &[]);
    assert_eq!(out(&output), SMOOTH);
    says(&folder.dz_with(&["fmt", "-", "--check"], ROUGH), 1, &["--- <stdin>"]);
}

#[test]
fn a_text_that_is_uncertain_is_refused_and_the_others_are_not() {
    let uncertain = "persona  a \"x\n";
    let folder = Folder::new("fmt-refuse", &[("a.dsl", uncertain), ("b.dsl", ROUGH)]);
    says(&folder.dz(&["fmt", "a.dsl", "b.dsl"]), 1, &["error[unterminated-string]", "a.dsl:1:12", "1 of 2 files rewritten, 1 refused"]);
    assert_eq!((folder.read("a.dsl"), folder.read("b.dsl")), (uncertain.to_owned(), SMOOTH.to_owned()));
    let piped = folder.dz_with(&["fmt", "-"], uncertain);
    says(&piped, 1, &["error[unterminated-string]"]);
    assert_eq!(out(&piped), "");
}

#[test]
fn a_file_with_an_unrelated_error_is_formatted() {
    let folder = Folder::new("fmt-mistake", &[("app.dsl", "entity  T:\n    id : uid pk\n")]);
    says(&folder.dz(&["fmt"]), 0, &["1 of 1 file rewritten"]);
    assert_eq!(folder.read("app.dsl"), "entity T:\n  id: uid pk\n");
}

#[test]
fn a_file_that_cannot_be_parsed_is_refused_as_in_editors() {
    let broken = "entity  T\n    id : uuid pk\n";
    let folder = Folder::new("fmt-parse", &[("app.dsl", broken)]);
    says(&folder.dz(&["fmt"]), 1, &["error[missing-colon]", "0 of 1 file rewritten, 1 refused"]);
    assert_eq!(folder.read("app.dsl"), broken);
}

#[test]
fn the_result_is_also_written_for_programs() {
    let folder = Folder::new("fmt-json", &[("a.dsl", "persona a \"x\n"), ("b.dsl", ROUGH), ("c.dsl", SMOOTH)]);
    let files = |statuses: [&str; 3]| {
        let names = ["a.dsl", "b.dsl", "c.dsl"].iter().zip(statuses);
        names.map(|(path, status)| serde_json::json!({ "path": path, "status": status })).collect::<Vec<_>>()
    };
    let check = folder.dz(&["fmt", "--check", "--format", "json", "a.dsl", "b.dsl", "c.dsl"]);
    says(&check, 1, &[]);
    assert_eq!(json(&check)["files"], serde_json::json!(files(["refused", "changed", "unchanged"])));
    assert_eq!(folder.read("b.dsl"), ROUGH);
    let written = json(&folder.dz(&["fmt", "--format", "json", "a.dsl", "b.dsl", "c.dsl"]));
    assert_eq!(written["diagnostics"][0]["rule"], "unterminated-string", "{written}");
    assert_eq!(folder.read("b.dsl"), SMOOTH);
    assert_eq!(json(&folder.dz_with(&["fmt", "--format", "json", "-"], ROUGH))["files"][0]["text"], SMOOTH);
}

#[test]
fn line_ends_are_kept() {
    let folder = Folder::new("fmt-crlf", &[("app.dsl", &ROUGH.replace('\n', "\r\n"))]);
    says(&folder.dz(&["fmt"]), 0, &[]);
    assert_eq!(folder.read("app.dsl"), SMOOTH.replace('\n', "\r\n"));
}

#[cfg(unix)]
#[test]
fn permissions_and_links_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new("fmt-mode", &[("real.dsl", ROUGH)]);
    let real = folder.0.join("real.dsl");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).expect("permissions");
    symlink(&real, folder.0.join("app.dsl")).expect("a link");
    says(&folder.dz(&["fmt"]), 0, &["app.dsl\n"]);
    assert_eq!(folder.read("real.dsl"), SMOOTH);
    assert_eq!(fs::metadata(&real).expect("a file").permissions().mode() & 0o777, 0o640);
    assert!(fs::symlink_metadata(folder.0.join("app.dsl")).expect("a link").is_symlink());
}
