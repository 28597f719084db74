//! `dz validate`: findings, places, formats and exit codes.

use std::fs;

use dz_dsl_file::{Severity, SourceMap, analyse, rules};

use crate::folder::{Folder, json, says};

const GOOD: &str = "persona desk\n\nentity Note:\n  id: uuid pk\n  title: str(80) required\n  permit:\n    read: role(desk)\n";

#[test]
fn a_good_declaration_is_fine() {
    let folder = Folder::new("good", &[("app.dsl", GOOD)]);
    says(&folder.dz(&["validate"]), 0, &["0 errors, 0 warnings in 1 file"]);
}

#[test]
fn a_mistake_is_shown_at_its_place_with_what_to_write() {
    let folder = Folder::new("bad", &[("app.dsl", &GOOD.replace("role(desk)", "role(dek)"))]);
    says(&folder.dz(&["validate"]), 1, &["error[unknown-role]", "app.dsl:7:16", "^^^", "did you mean `desk`?", "1 error,"]);
    says(&folder.dz(&["validate", "--format", "short"]), 1, &["app.dsl:7:16: error[unknown-role]: there is no persona `dek`"]);
    let json = folder.dz(&["validate", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(report["errors"], 1);
    assert_eq!(report["diagnostics"][0]["rule"], "unknown-role");
    assert_eq!((report["diagnostics"][0]["line"].as_i64(), report["diagnostics"][0]["end_column"].as_i64()), (Some(7), Some(19)));
}

#[test]
fn warnings_fail_only_when_they_are_denied() {
    let folder = Folder::new("warn", &[("app.dsl", "entity Note:\n  id: uuid pk\n")]);
    says(&folder.dz(&["validate"]), 0, &["warning[no-access-rules]"]);
    says(&folder.dz(&["validate", "--deny", "warnings"]), 1, &["1 warning"]);
    fs::write(folder.0.join("dz.toml"), "[lints]\nno-access-rules = \"allow\"\n").expect("a file");
    says(&folder.dz(&["validate", "--deny", "warnings"]), 0, &["0 warnings"]);
}

#[test]
fn folders_and_settings_name_the_files() {
    let rest = "entity Other:\n  id: uuid pk\n  note: ref Note\n  permit:\n    read: role(desk)\n";
    let folder = Folder::new("many", &[("dsl/a.dsl", GOOD), ("dsl/b/c.dsl", rest), ("dz.toml", "[project]\ndsl = \"dsl\"\n")]);
    says(&folder.dz(&["validate"]), 0, &["in 2 files"]);
    says(&folder.dz(&["validate", "dsl/b/c.dsl"]), 1, &["unknown-entity"]);
}

#[test]
fn names_are_written_as_in_the_declaration() {
    let bad = GOOD.replace("role(desk)", "role(dek)");
    let folder = Folder::new("names", &[("dsl/a.dsl", &bad), ("dz.toml", "[project]\ndsl = [\"dsl\"]\n")]);
    for args in [&["validate", "--format", "short"][..], &["validate", "--format", "short", "dsl", "dsl/a.dsl", "./dsl/a.dsl"]] {
        let output = folder.dz(args);
        says(&output, 1, &["dsl/a.dsl:7:16: error[unknown-role]"]);
        assert!(output.stdout.starts_with(b"dsl/a.dsl:7:16"), "a path from the working directory");
        assert_eq!(output.stdout.iter().filter(|byte| **byte == b'\n').count(), 1, "each file once");
    }
}

#[test]
fn a_level_of_the_settings_shows_in_every_form() {
    let folder =
        Folder::new("level", &[("app.dsl", "entity Note:\n  id: uuid pk\n"), ("dz.toml", "[lints]\nno-access-rules = \"deny\"\n")]);
    for format in ["human", "short"] {
        says(&folder.dz(&["validate", "--format", format]), 1, &["error[no-access-rules]"]);
    }
    says(&folder.dz(&["validate", "--format", "json"]), 1, &["\"errors\":1", "\"severity\":\"error\""]);
}

#[test]
fn an_application_of_a_workspace_has_the_settings_of_the_workspace() {
    let settings = "[lints]\nno-access-rules = \"deny\"\n";
    let workspace = Folder::new("workspace", &[("dz.toml", settings), ("app/app.dsl", "entity Note:\n  id: uuid pk\n")]);
    let app = Folder(workspace.0.join("app"));
    says(&app.dz(&["validate", "--format", "short"]), 1, &["app.dsl:1", "error[no-access-rules]"]);
    // The workspace itself has no declaration.
    says(&workspace.dz(&["validate"]), 1, &["there is no app.dsl"]);
}

#[test]
fn colours_are_written_when_they_are_wanted() {
    let folder = Folder::new("colour", &[("app.dsl", "entity Note:\n  id: uuid pk\n")]);
    let coloured = |args: &[&str]| folder.dz(args).stdout.contains(&0x1b);
    assert!(coloured(&["validate", "--color", "always"]));
    assert!(!coloured(&["validate", "--color", "never"]));
    assert!(!coloured(&["validate"]), "a pipe is not a terminal");
}

#[test]
fn the_version_is_that_of_the_package() {
    says(&Folder::new("version", &[]).dz(&["--version"]), 0, &[concat!("dz ", env!("CARGO_PKG_VERSION"))]);
}

#[cfg(unix)]
#[test]
fn a_folder_that_links_to_itself_is_read_once() {
    let folder = Folder::new("loop", &[("dsl/app.dsl", GOOD)]);
    std::os::unix::fs::symlink(folder.0.join("dsl"), folder.0.join("dsl/again")).expect("a link");
    says(&folder.dz(&["validate", "dsl"]), 0, &["in 1 file"]);
}

#[test]
fn settings_without_effect_are_refused() {
    let folder = Folder::new("settings", &[("app.dsl", GOOD)]);
    #[track_caller]
    fn check(folder: &Folder, settings: &str, words: &[&str]) {
        fs::write(folder.0.join("dz.toml"), settings).expect("a file");
        says(&folder.dz(&["validate"]), 1, words);
    }
    check(&folder, "[projct]\n", &["unknown key `projct`", "did you mean `project`?"]);
    check(&folder, "[project]\ndsn = \"x\"\n", &["unknown key `project.dsn`", "did you mean `dsl`?"]);
    check(&folder, "[project]\ndsl = [1]\n", &["`project.dsl` is `1`", "write a path"]);
    check(&folder, "[project]\ndatabase = \"mysql\"\n", &["`project.database` is `\"mysql\"`; write `sqlite` or `postgres`"]);
    check(&folder, "[lints]\nno-acces-rules = \"allow\"\n", &["there is no rule `no-acces-rules`; did you mean `no-access-rules`?"]);
    check(&folder, "[lints]\nno-access-rules = \"off\"\n", &["`lints.no-access-rules` is `\"off\"`; write `allow`, `warn` or `deny`"]);
    check(&folder, "[project]\nname = \n", &["dz.toml: line 2 is not TOML"]);
}

#[test]
fn unreadable_files_are_named() {
    let folder = Folder::new("lost", &[("empty/readme", "")]);
    says(&folder.dz(&["validate"]), 1, &["there is no app.dsl"]);
    says(&folder.dz(&["validate", "empty"]), 1, &["there is no *.dsl file below empty"]);
    fs::write(folder.0.join("app.dsl"), b"persona a\n  \xff\n").expect("a file");
    says(&folder.dz(&["validate"]), 1, &["app.dsl:2:3 is not UTF-8: byte 12"]);
    says(&folder.dz(&["validate", "--nonsense"]), 2, &["--nonsense"]);
    says(&folder.dz(&["validate", "--format", "xml"]), 2, &["xml"]);
    says(&folder.dz(&[]), 2, &["Usage"]);
}

#[test]
fn standard_input_is_a_file_too() {
    let folder = Folder::new("stdin", &[("app.dsl", "persona a\n"), ("dz.toml", "[lints]\nno-access-rules = \"deny\"\n")]);
    says(&folder.dz_with(&["validate", "-"], GOOD), 0, &["0 errors, 0 warnings in 1 file"]);
    let bad = folder.dz_with(&["validate", "-", "--format", "short"], "entity Note:\n  id: uuid pk\n");
    says(&bad, 1, &["<stdin>:1:8: error[no-access-rules]"]);
    says(&folder.dz_with(&["validate", "-", "app.dsl", "-"], "persona a\n"), 1, &["duplicate-name", "in 2 files"]);
    says(&folder.dz_with_bytes(&["validate", "-"], b"\xff"), 1, &["<stdin>:1:1 is not UTF-8"]);
}

#[test]
fn json_has_labels_and_replacements_with_their_places() {
    let text = "persona a:\n  descripton: \"x\"\npersona a\n";
    let folder = Folder::new("json", &[("app.dsl", text)]);
    let report = json(&folder.dz(&["validate", "--format", "json"]));
    let place = |it: &serde_json::Value| ["line", "column", "end_line", "end_column"].map(|key| it[key].as_u64());
    let of = |rule: &str| report["diagnostics"].as_array().and_then(|it| it.iter().find(|it| it["rule"] == rule)).expect(rule).clone();
    let key = of("unknown-key")["replacement"].clone();
    assert_eq!((place(&key), &key["text"], &key["file"]), ([2, 3, 2, 13].map(Some), &"description".into(), &"app.dsl".into()));
    let twin = of("duplicate-name")["labels"][0].clone();
    assert_eq!((place(&twin), &twin["file"]), ([1, 9, 1, 10].map(Some), &"app.dsl".into()));
    assert!(twin["text"].as_str().is_some_and(|text| !text.is_empty()));
}

#[test]
fn comments_allow_findings() {
    let text = "# dz: allow(no-access-rules) because it is a draft\nentity Note:\n  id: uuid pk\n";
    let folder = Folder::new("silence", &[("app.dsl", text)]);
    says(&folder.dz(&["validate", "--deny", "warnings"]), 0, &["0 warnings"]);
    fs::write(folder.0.join("app.dsl"), text.replace("no-access-rules", "no-acces-rules")).expect("a file");
    says(&folder.dz(&["lint"]), 0, &["there is no rule `no-acces-rules`", "did you mean `no-access-rules`?", "warning[no-access-rules]"]);
    says(&folder.dz(&["lint", "--fix", "--deny", "warnings"]), 0, &["1 repair made"]);
    assert_eq!(fs::read_to_string(folder.0.join("app.dsl")).expect("a file"), text);
}

#[test]
fn the_command_reports_the_findings_of_the_library() {
    let texts: Vec<&str> = rules().flat_map(|rule| [rule.wrong, rule.right]).collect();
    let folder = Folder::new("same", &[]);
    for text in texts {
        fs::write(folder.0.join("app.dsl"), text).expect("a file");
        let report = json(&folder.dz(&["validate", "--format", "json"]));
        let said: Vec<[String; 6]> = report["diagnostics"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|it| {
                let text = |key: &str| it[key].as_str().unwrap_or_default().to_owned();
                [
                    text("rule"),
                    text("severity"),
                    text("message"),
                    text("help"),
                    it["replacement"]["text"].as_str().or(it["proposal"]["text"].as_str()).unwrap_or_default().to_owned(),
                    format!("{}:{}-{}:{}", it["line"], it["column"], it["end_line"], it["end_column"]),
                ]
            })
            .collect();
        let analysis = analyse(SourceMap::single("app.dsl", text));
        let expected: Vec<[String; 6]> = analysis
            .diagnostics
            .iter()
            .filter(|it| it.severity != Severity::Lint)
            .map(|it| {
                let file = analysis.files.file(it.span.file);
                let ((line, column), (end_line, end_column)) = (file.line_column(it.span.start), file.line_column(it.span.end));
                let place = format!("{line}:{column}-{end_line}:{end_column}");
                let help = it.help.clone().unwrap_or_default();
                let replacement = it.suggestion.as_ref().map(|edit| edit.text.clone()).unwrap_or_default();
                [it.rule.to_owned(), it.severity.as_str().to_owned(), it.message.clone(), help, replacement, place]
            })
            .collect();
        assert_eq!(said, expected, "of\n{text}");
    }
}
