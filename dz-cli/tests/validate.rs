//! The command as people and editors run it.

use std::{
    fs,
    path::PathBuf,
    process::{Command, Output},
};

const GOOD: &str = "persona desk\n\nentity Note:\n  id: uuid pk\n  title: str(80) required\n  permit:\n    read: role(desk)\n";

/// A folder of its own for a test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Folder {
        let path = std::env::temp_dir().join(format!("dz-validate-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        for (name, text) in files {
            let file = path.join(name);
            fs::create_dir_all(file.parent().expect("a parent")).expect("a folder");
            fs::write(file, text).expect("a file");
        }
        Folder(path)
    }

    fn dz(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_dz")).args(args).current_dir(&self.0).output().expect("dz runs")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[track_caller]
fn says(output: &Output, code: i32, words: &[&str]) {
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{text}");
    for word in words {
        assert!(text.contains(word), "`{word}` is not in:\n{text}");
    }
}

#[test]
fn a_good_declaration_is_fine() {
    let folder = Folder::new("good", &[("app.dsl", GOOD)]);
    says(&folder.dz(&["validate"]), 0, &["0 errors, 0 warnings in 1 file"]);
}

#[test]
fn a_mistake_is_shown_at_its_place_with_what_to_write() {
    let folder = Folder::new("bad", &[("app.dsl", &GOOD.replace("role(desk)", "role(dek)"))]);
    says(&folder.dz(&["validate"]), 1, &["error[unknown-role]", "app.dsl:7:16", "^^^", "did you mean `desk`?", "1 error,"]);
    says(&folder.dz(&["validate", "--format", "short"]), 1, &["app.dsl:7:16: error[unknown-role]: no persona is called `dek`"]);
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
fn names_are_those_that_people_wrote() {
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
fn colours_are_written_when_they_are_wanted() {
    let folder = Folder::new("colour", &[("app.dsl", "entity Note:\n  id: uuid pk\n")]);
    let coloured = |args: &[&str]| folder.dz(args).stdout.contains(&0x1b);
    assert!(coloured(&["validate", "--color", "always"]));
    assert!(!coloured(&["validate", "--color", "never"]));
    assert!(!coloured(&["validate"]), "a pipe is no terminal");
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
fn settings_that_say_nothing_are_refused() {
    let folder = Folder::new("settings", &[("app.dsl", GOOD)]);
    #[track_caller]
    fn check(folder: &Folder, settings: &str, words: &[&str]) {
        fs::write(folder.0.join("dz.toml"), settings).expect("a file");
        says(&folder.dz(&["validate"]), 1, words);
    }
    check(&folder, "[projct]\n", &["unknown section `projct`", "did you mean `project`?"]);
    check(&folder, "[project]\ndsn = \"x\"\n", &["unknown key `dsn`", "did you mean `dsl`?"]);
    check(&folder, "[project]\ndsl = [1]\n", &["`dsl` must be a path or a list of paths"]);
    check(&folder, "[project]\ndatabase = \"mysql\"\n", &["\"sqlite\" or \"postgres\", not \"mysql\""]);
    check(&folder, "[lints]\nno-acces-rules = \"allow\"\n", &["there is no rule `no-acces-rules`; did you mean `no-access-rules`?"]);
    check(&folder, "[lints]\nno-access-rules = \"off\"\n", &["must be \"allow\", \"warn\" or \"deny\""]);
    check(&folder, "[project]\nname = \n", &["dz.toml: line 2 is not TOML"]);
}

#[test]
fn what_cannot_be_read_is_named() {
    let folder = Folder::new("lost", &[("empty/readme", "")]);
    says(&folder.dz(&["validate"]), 1, &["there is no app.dsl"]);
    says(&folder.dz(&["validate", "empty"]), 1, &["there is no *.dsl file below empty"]);
    fs::write(folder.0.join("app.dsl"), b"persona a\n  \xff\n").expect("a file");
    says(&folder.dz(&["validate"]), 1, &["app.dsl:2:3 is not UTF-8: byte 12"]);
    says(&folder.dz(&["validate", "--nonsense"]), 2, &["--nonsense"]);
    says(&folder.dz(&["validate", "--format", "xml"]), 2, &["xml"]);
    says(&folder.dz(&[]), 2, &["Usage"]);
}
