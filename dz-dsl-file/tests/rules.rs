//! The table of rules: each wrong example raises its rule, each right one only lints, and the files match the table.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use dz_dsl_file::{AREAS, ReportedBy, SourceMap, analyse, rules};

fn found(text: &str) -> Vec<String> {
    analyse(SourceMap::of_example(text)).diagnostics.iter().map(|it| it.rule.to_owned()).collect()
}

#[test]
fn wrong_examples_raise_their_rule_and_right_ones_do_not() {
    let mut wrong = Vec::new();
    for rule in rules() {
        let raised = found(rule.wrong);
        if !raised.iter().any(|it| it == rule.name) {
            wrong.push(format!("{}: the wrong example raises {raised:?}", rule.name));
        }
        let right = found(rule.right);
        if right.iter().any(|it| it == rule.name) || analyse(SourceMap::of_example(rule.right)).has_errors() {
            wrong.push(format!("{}: the right example raises {right:?}", rule.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The fields of the rows of a relation are not those of the row with the invariant.
#[test]
fn conditions_of_aggregates_are_about_other_rows() {
    let text = |invariant: &str, demo: &str| {
        format!(
            "persona p\n\nentity Farm:\n  id: uuid pk\n  label: str(20)\n  size: int\n  plots: has_many Plot\n  invariant: {invariant}\n    \
             message: \"no\"\n  permit:\n    read: role(p)\n\nentity Plot:\n  id: uuid pk\n  farm: ref Farm required\n  a: int\n  b: int\n  \
             c: int\n  d: int\n  level: int required\n  permit:\n    read: role(p)\n{demo}"
        )
    };
    let is_reported = |invariant: &str| found(&text(invariant, "")).iter().any(|it| it == "invariant-refuses-null");
    assert!(!is_reported("all(plots where level <= 3)"));
    assert!(!is_reported("count(plots where d > 3) < 2"));
    assert!(is_reported("size > 0 and all(plots where level <= 3)"));
    let demo = "\ndemo:\n  Farm:\n    - _id: one, label: \"x\"\n  Plot:\n    - farm: @one, level: 5\n";
    assert!(!found(&text("all(plots where level <= 3)", demo)).iter().any(|it| it == "syntax"));
}

#[test]
fn sixty_five_roles_are_too_many() {
    let mut text: String = (0..63).map(|n| format!("persona p{n}\n")).collect();
    text.push_str("entity Task:\n  id: uuid pk\n  permit:\n    read: true\n");
    assert!(found(&text).iter().any(|it| it == "too-many-roles"));
}

#[test]
fn rules_have_unique_names_and_are_sorted() {
    let names: BTreeSet<&str> = rules().map(|rule| rule.name).collect();
    assert_eq!(names.len(), rules().count());
    for area in AREAS {
        assert!(area.rules.is_sorted_by_key(|rule| rule.name), "the rules of `{}` are not sorted", area.name);
    }
}

#[test]
fn every_rule_has_its_texts() {
    for rule in rules() {
        for text in [rule.summary, rule.wrong, rule.right] {
            assert!(!text.trim().is_empty(), "`{}` lacks a text", rule.name);
        }
        assert_ne!(rule.wrong, rule.right, "`{}`", rule.name);
    }
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Every Rust file below a folder, as a relative path.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => found.push(path),
        }
    }
    found
}

#[test]
fn a_rule_with_a_check_has_a_file_of_its_name_and_each_file_a_rule() {
    let folder = source().join("rules");
    let checked = |area: &'static dz_dsl_file::Area| {
        let rules = area.rules.iter().filter(|rule| !matches!(rule.reported_by, ReportedBy::Reading));
        rules.map(|rule| Path::new(&area.folder()).join(format!("{}.rs", rule.name.replace('-', "_"))))
    };
    let in_table: BTreeSet<PathBuf> = AREAS.iter().flat_map(checked).collect();
    let within = |path: PathBuf| path.strip_prefix(&folder).expect("a file of the folder").to_path_buf();
    let written: BTreeSet<PathBuf> = files(&folder).into_iter().map(within).filter(|path| path.components().count() > 1).collect();
    assert_eq!(in_table, written);
}

#[test]
fn what_the_code_reports_is_in_the_table() {
    let mut unknown = Vec::new();
    for path in files(&source()) {
        let code = fs::read_to_string(&path).expect("a source");
        for severity in ["error", "warning", "lint"] {
            for call in code.split(&format!("Diagnostic::{severity}(")).skip(1) {
                let Some(name) = call.trim_start().strip_prefix('"').and_then(|rest| rest.split('"').next()) else { continue };
                if !rules().any(|rule| rule.name == name && rule.severity.as_str() == severity) {
                    unknown.push(format!("{}: {severity} `{name}`", path.display()));
                }
            }
        }
    }
    assert!(unknown.is_empty(), "no area of src/rules has {unknown:#?}");
}
