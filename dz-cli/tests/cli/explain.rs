//! `dz explain`: every rule with its examples.

use dz_dsl_file::rules;

use crate::folder::{Folder, json, out, says};

#[test]
fn a_rule_is_explained_with_both_examples() {
    let folder = Folder::new("explain", &[]);
    let output = folder.dz(&["explain", "unknown-role"]);
    says(
        &output,
        0,
        &[
            "unknown-role (error, access): ",
            "Wrong:\n\n    persona clerk\n",
            "error[unknown-role]",
            "--> wrong.dsl:",
            "did you mean `clerk`?",
            "Right:\n\n    persona clerk\n",
        ],
    );
    assert!(!out(&output).contains("allow("), "an error cannot be allowed");
    says(&folder.dz(&["explain", "naming"]), 0, &["naming (lint, structure)", "# dz: allow(naming) because", "naming = \"allow\""]);
    assert!(out(&folder.dz(&["explain", "naming", "--color", "always"])).contains('\u{1b}'));
}

#[test]
fn all_rules_are_listed_once_by_area() {
    let list = out(&Folder::new("explain-all", &[]).dz(&["explain"]));
    for rule in rules() {
        let lines = list.lines().filter(|line| line.split_whitespace().next() == Some(rule.name) && line.starts_with("  ")).count();
        assert_eq!(lines, 1, "{}", rule.name);
    }
    assert!(list.starts_with("text ("), "{list}");
    assert!(list.contains(&format!("\n{} rules in ", rules().count())), "{list}");
}

#[test]
fn every_rule_can_be_explained() {
    let folder = Folder::new("explain-every", &[]);
    for rule in rules() {
        says(&folder.dz(&["explain", rule.name]), 0, &[rule.name, rule.summary]);
    }
}

#[test]
fn rules_are_also_written_for_programs() {
    let folder = Folder::new("explain-json", &[]);
    let one = json(&folder.dz(&["explain", "unknown-role", "--format", "json"]));
    assert_eq!((&one["rule"], &one["area"], &one["severity"]), (&"unknown-role".into(), &"access".into(), &"error".into()), "{one}");
    assert_eq!(one, json(&folder.dz(&["kg", "explain", r#"{"rule":"unknown-role"}"#])));
    let all = json(&folder.dz(&["explain", "--format", "json"]));
    assert_eq!((&all["count"], all["rules"].as_array().map(Vec::len)), (&rules().count().into(), Some(rules().count())));
}

#[test]
fn an_unknown_rule_is_reported_with_the_nearest_one() {
    let folder = Folder::new("explain-unknown", &[]);
    says(&folder.dz(&["explain", "unknown-roles"]), 1, &["there is no rule `unknown-roles`; did you mean `unknown-role`?"]);
    says(&folder.dz(&["explain", "x"]), 1, &["`dz explain` lists all rules"]);
    says(&folder.dz(&["explain", "permit"]), 1, &["there is no rule `permit`", "is a word of the language", "docs/language/entities.md"]);
    says(&folder.dz(&["explain", "process"]), 1, &["word of the language: see docs/language/process.md"]);
}

#[test]
fn errors_that_are_not_read_keep_their_exit_code() {
    for (words, code) in [(["explain", "--no-option"], 2), (["specs", "openapi"], 1)] {
        let folder = Folder::new(&format!("explain-closed-{code}"), &[]);
        let (_, closed) = std::io::pipe().expect("a pipe");
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
        for stderr in [std::process::Stdio::from(closed), full.into()] {
            let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_dz"));
            let status = command.args(words).current_dir(&folder.0).stderr(stderr).status().expect("dz runs");
            assert_eq!(status.code(), Some(code), "{words:?}");
        }
    }
}
