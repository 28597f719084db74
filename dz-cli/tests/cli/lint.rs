//! `dz lint`: suggestions, and edits.

use crate::folder::{Folder, json, out, says};

/// Two edits at once, and one that is only found after them.
const MISTAKES: &str = "persona desk:\n  descripton: \"x\"\n\nentty Note:\n  id: uid pk\n  title: str(80)\n  permit:\n    list: role(desk)\n    read: role(desk)\n";

#[test]
fn suggestions_are_shown_and_do_not_fail() {
    let text = "entity Task:\n  id: uuid pk\n  name: str\n  permit:\n    read: true\n    list: true\n";
    let folder = Folder::new("lint", &[("app.dsl", text)]);
    let validated = out(&folder.dz(&["validate"]));
    assert!(!validated.contains("str-without-length"), "{validated}");
    let linted = folder.dz(&["lint", "--format", "short"]);
    says(&linted, 0, &["app.dsl:3:9: lint[str-without-length]"]);
    says(&folder.dz(&["lint", "--deny", "warnings"]), 0, &["lint[str-without-length]"]);
    says(&folder.dz(&["lint", "--format", "json"]), 0, &["\"severity\":\"lint\""]);
}

#[test]
fn levels_of_the_settings_count() {
    let text = "entity Task:\n  id: uuid pk\n  name: str\n  permit:\n    read: true\n    list: true\n";
    let folder = Folder::new("levels", &[("app.dsl", text), ("dz.toml", "[lints]\nstr-without-length = \"warn\"\n")]);
    says(&folder.dz(&["lint"]), 0, &["warning[str-without-length]"]);
    says(&folder.dz(&["lint", "--deny", "warnings"]), 1, &["warning[str-without-length]"]);
    says(&folder.dz(&["validate"]), 0, &["warning[str-without-length]"]);
    std::fs::write(folder.0.join("dz.toml"), "[lints]\nstr-without-length = \"allow\"\n").expect("a file");
    let allowed = out(&folder.dz(&["lint"]));
    assert!(!allowed.contains("str-without-length"), "{allowed}");
}

#[test]
fn repairs_are_made_until_there_are_none() {
    let folder = Folder::new("fix", &[("app.dsl", MISTAKES)]);
    says(&folder.dz(&["lint", "--fix"]), 0, &["0 errors", "3 repairs made"]);
    let text = folder.read("app.dsl");
    for word in ["  description: \"x\"", "entity Note:", "  id: uuid pk"] {
        assert!(text.contains(word), "`{word}` is not in:\n{text}");
    }
    let report = json(&folder.dz(&["lint", "--fix", "--format", "json"]));
    assert_eq!((&report["repairs"], folder.read("app.dsl")), (&0.into(), text));
}

#[test]
fn what_is_allowed_is_not_repaired() {
    let text = "entity Task:\n  id: uuid pk\n  name: str\n  permit:\n    read: true\n    list: true\n";
    let folder = Folder::new("fix-allow", &[("app.dsl", text), ("dz.toml", "[lints]\nstr-without-length = \"allow\"\n")]);
    says(&folder.dz(&["lint", "--fix"]), 0, &["0 repairs made"]);
    assert_eq!(folder.read("app.dsl"), text);
    says(&folder.dz_with(&["lint", "--fix", "-"], text), 0, &["0 repairs made"]);
    std::fs::remove_file(folder.0.join("dz.toml")).expect("a file");
    says(&folder.dz(&["lint", "--fix"]), 0, &["1 repair made"]);
}

#[test]
fn every_file_is_repaired_in_its_place() {
    let rest = "entity Other:\n  id: uuid pk\n  note: ref Nte\n  permit:\n    read: role(desk)\n";
    let folder = Folder::new("fix-many", &[("dsl/a.dsl", MISTAKES), ("dsl/b.dsl", rest)]);
    says(&folder.dz(&["lint", "--fix", "dsl"]), 0, &["0 errors", "in 2 files"]);
    assert!(folder.read("dsl/b.dsl").contains("ref Note"));
    assert!(folder.read("dsl/a.dsl").contains("description"));
    let names: Vec<_> = std::fs::read_dir(folder.0.join("dsl")).expect("a folder").map(|it| it.expect("an entry").file_name()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[test]
fn a_repair_that_leaves_more_errors_is_not_made() {
    let text = "persona desk:\n  descripton: \"x\"\n\nentity Person:\n  id: uuid pk\n  permit:\n    list: role(desk)\n    read: role(desk)\n\n\
        entity Task:\n  id: uuid pk\n  who: ref Persn\n  permit:\n    list: who.a and who.b and who.c\n    read: role(desk)\n";
    let folder = Folder::new("fix-worse", &[("app.dsl", text)]);
    let words = ["unknown-entity", "1 repair made", "not made, because the result would have more errors: 1 repair"];
    says(&folder.dz(&["lint", "--fix"]), 1, &words);
    assert_eq!(folder.read("app.dsl"), text.replace("descripton", "description"));
}

#[test]
fn a_text_from_standard_input_goes_to_standard_output() {
    let folder = Folder::new("fix-stdin", &[]);
    let output = folder.dz_with(&["lint", "--fix", "-"], "persona desk:\n  descripton: \"x\"\n");
    says(&output, 0, &["1 repair made"]);
    assert_eq!(out(&output), "persona desk:\n  description: \"x\"\n");
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_replaced_is_named() {
    use std::{fs, os::unix::fs::PermissionsExt};
    let folder = Folder::new("fix-read-only", &[("dsl/app.dsl", "persona desk:\n  descripton: \"x\"\n")]);
    let inner = folder.0.join("dsl");
    fs::set_permissions(&inner, fs::Permissions::from_mode(0o555)).expect("permissions");
    // The superuser can write everywhere.
    if fs::write(inner.join("probe"), "").is_err() {
        says(&folder.dz(&["lint", "--fix", "dsl"]), 1, &["app.dsl cannot be written"]);
    }
    fs::set_permissions(&inner, fs::Permissions::from_mode(0o755)).expect("permissions");
}

/// Proposals are printed, and the author decides.
#[test]
fn repairs_by_trying_are_proposed() {
    let text = "entity Task:\n  id: uuid pk\n  title: str(80)\n  permit:\n    list: true\n    read: true\n    create: role()\npersona desk\nsurface all:\n  entity uses Task\n  mode: list\n";
    let folder = Folder::new("tried", &[("app.dsl", text)]);
    says(&folder.dz(&["lint"]), 1, &["perhaps line 7 should be: create: role(desk)"]);
    let report = json(&folder.dz(&["lint", "--format", "json"]));
    let of = |key: &str| report["diagnostics"].as_array().into_iter().flatten().map(|it| it[key]["text"].clone()).collect::<Vec<_>>();
    assert!(of("proposal").contains(&"desk".into()), "{report}");
    assert!(of("proposal").contains(&"uses entity".into()), "{report}");
    says(&folder.dz(&["lint", "--fix"]), 1, &["perhaps line 7", "0 repairs made"]);
    assert_eq!(folder.read("app.dsl"), text);
}

/// Edits that changed the meaning in an earlier version.
#[test]
fn fix_changes_no_meaning() {
    let entity = "entity Task:\n  id: uuid pk\n  name: str(80)\n  number: str(20) auto_add\n  permit:\n    read: true\n    list: true\n";
    let texts = [
        format!("{entity}llm_intent summarise:\n  prompt: \"x\"\n  retry:\n    initial_delay_ms: 500\n"),
        format!("{entity}persona admin:\n  role: admin\n  session_style: deep_work\n"),
        format!(
            "{entity}surface task_list:\n  uses entity Task\n  mode: list\n  ux:\n    attention info:\n      when: name = \"\"\n      message: \"x\"\n      action: task_edit\n"
        ),
        format!("{entity}surface user_detail \"User Detail\":\nuses entity Task\n  mode: view\n"),
        format!("{entity}workspace home:\n  map:\n    source: Task\n    display: waterfall_chart\n"),
    ];
    for (at, text) in texts.iter().enumerate() {
        let folder = Folder::new(&format!("fix-meaning-{at}"), &[("app.dsl", text)]);
        says(&folder.dz(&["lint", "--fix"]), 1, &["0 repairs made"]);
        assert_eq!(&folder.read("app.dsl"), text);
    }
}
