//! `dz new`; that the project builds and passes its tests is a test of `dz-ui-tests`.

use std::fs;

use crate::folder::{Folder, out, says};

/// The files of a project, sorted.
fn files(folder: &Folder, project: &str) -> Vec<String> {
    let root = folder.0.join(project);
    let mut open = vec![root.clone()];
    let mut found = Vec::new();
    while let Some(path) = open.pop() {
        match path.is_dir() {
            true => open.extend(fs::read_dir(path).expect("a folder").map(|entry| entry.expect("an entry").path())),
            false => found.push(path.strip_prefix(&root).expect("a path inside").display().to_string()),
        }
    }
    found.sort();
    found
}

#[test]
fn a_project_is_valid_and_formatted_and_has_no_lint() {
    let folder = Folder::new("new", &[]);
    says(&folder.dz(&["new", "corner-Shop"]), 0, &["created corner-Shop", "cargo run"]);
    let written = [".gitignore", "Cargo.toml", "README.md", "app.dsl", "build.rs", "dz.toml", "src/lib.rs", "src/main.rs", "tests/app.rs"];
    assert_eq!(files(&folder, "corner-Shop"), written);
    for name in written {
        let text = folder.read(&format!("corner-Shop/{name}"));
        assert!(!text.contains("{{") || name == "tests/app.rs", "{name}: {text}");
        assert!(!["{{name", "{{app", "{{crate", "{{title", "{{dz", "{{rust"].iter().any(|mark| text.contains(mark)), "{name}: {text}");
    }
    let manifest = folder.read("corner-Shop/Cargo.toml");
    assert!(manifest.contains(&format!("dz = \"{}\"\n", env!("CARGO_PKG_VERSION"))), "{manifest}");
    // The lint of rustc about names of crates wants lower case.
    assert!(manifest.contains("name = \"corner-Shop\"\n") && manifest.contains("[lib]\nname = \"corner_shop\"\n"), "{manifest}");
    assert!(!manifest.contains("[patch") && !manifest.contains("[workspace]"), "{manifest}");
    assert!(folder.read("corner-Shop/app.dsl").starts_with("app corner_shop \"Corner Shop\"\n"));
    says(&folder.dz(&["lint", "--deny", "warnings", "corner-Shop"]), 0, &["0 errors, 0 warnings, 0 lints in 1 file"]);
    says(&folder.dz(&["fmt", "--check", "corner-Shop"]), 0, &["0 of 1 file would change"]);
}

#[test]
fn dz_comes_from_crates_io_or_from_where_an_option_says() {
    let checkout =
        Folder::new("new-checkout", &[("Cargo.toml", "[package]\nname = \"dz\"\n"), ("other/Cargo.toml", "[package]\nname = \"x\"\n")]);
    let folder = Folder::new("new-source", &[]);
    let place = checkout.0.canonicalize().expect("a path").display().to_string();
    says(&folder.dz(&["new", "one", "--path", &place]), 0, &[]);
    assert!(folder.read("one/Cargo.toml").ends_with(&format!("\n[patch.crates-io]\ndz = {{ path = \"{place}\" }}\n")));
    says(&folder.dz(&["new", "two", "--git", "https://example.com/dz.git"]), 0, &[]);
    assert!(folder.read("two/Cargo.toml").ends_with("\n[patch.crates-io]\ndz = { git = \"https://example.com/dz.git\" }\n"));
    let elsewhere = format!("{place}/other");
    says(&folder.dz(&["new", "three", "--path", &elsewhere]), 1, &["other is not a checkout of dz"]);
    says(&folder.dz(&["new", "three", "--path", "nowhere"]), 1, &["nowhere cannot be read"]);
    says(&folder.dz(&["new", "three", "--path", &place, "--git", "x"]), 2, &["cannot be used with"]);
    assert!(!folder.0.join("three").exists());
}

#[test]
fn a_project_below_another_package_is_a_workspace_of_its_own() {
    let folder = Folder::new("new-below", &[("Cargo.toml", "[workspace]\n")]);
    says(&folder.dz(&["new", "shop"]), 0, &[]);
    assert!(folder.read("shop/Cargo.toml").contains("\n[workspace]\n"));
}

#[test]
fn a_bad_name_and_an_existing_folder_are_refused_in_one_line() {
    let folder = Folder::new("new-refused", &[("full/note.txt", "mine"), ("file", "mine")]);
    fs::create_dir(folder.0.join("empty")).expect("a folder");
    for name in [
        "",
        "1shop",
        "-shop",
        "my shop",
        "shop/inner",
        "../shop",
        ".",
        "café",
        "match",
        "Self",
        "dz",
        "diesel",
        "std",
        "core",
        "test",
        "proc-macro",
    ] {
        let output = folder.dz(&["new", "--", name]);
        says(&output, 1, &["error: `", "cannot be the name of a package"]);
        assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1);
    }
    for arguments in [["new", "--"].as_slice(), &["new", "--", "--"], &["new", "--", "--shop"], &["new", "-x"]] {
        let output = folder.dz(arguments);
        says(&output, 1, &["error: `-", "cannot be the name of a package"]);
        assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1);
    }
    for name in ["full", "empty", "file"] {
        let output = folder.dz(&["new", name]);
        says(&output, 1, &[&format!("error: `{name}` exists; choose another name, or remove it")]);
        assert_eq!((out(&output).as_str(), String::from_utf8_lossy(&output.stderr).lines().count()), ("", 1));
    }
    assert_eq!(files(&folder, "."), ["file", "full/note.txt"]);
}
