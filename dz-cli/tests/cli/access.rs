//! `dz access`: the permissions, the lock file, and their differences.

use crate::folder::{Folder, json, says};

const DESK: &str = "persona desk\n\npersona boss\n\nentity Note:\n  id: uuid pk\n  title: str(80) required\n  author: ref User\n  permit:\n    \
                    read: role(boss) or (role(desk) and author = current_user)\n    delete: role(boss)\n";

#[test]
fn the_matrix_is_shown_and_written() {
    let folder = Folder::new("access", &[("app.dsl", DESK)]);
    says(&folder.dz(&["access"]), 0, &["Note\n  read\n", "    boss           every row\n", "    desk           author = current_user\n"]);
    let matrix = json(&folder.dz(&["access", "--format", "json"]));
    let read = matrix["rules"].as_array().and_then(|rules| rules.iter().find(|rule| rule["action"] == "read")).expect("a rule").clone();
    assert_eq!(read["callers"]["desk"], "author = current_user");
    assert_eq!((&read["callers"]["boss"], &read["callers"]["authenticated"]), (&true.into(), &false.into()));
    assert_eq!(read["permit"][0], "role(boss) or role(desk) and author = current_user");
}

#[test]
fn a_change_of_policy_fails_the_check_and_shows_what_changed() {
    let folder = Folder::new("locked", &[("app.dsl", DESK)]);
    says(&folder.dz(&["access", "--check", "access.lock"]), 1, &[]);
    says(&folder.dz(&["access", "--write", "access.lock"]), 0, &[]);
    says(&folder.dz(&["access", "--check", "access.lock"]), 0, &[]);
    std::fs::write(folder.0.join("app.dsl"), DESK.replace("delete: role(boss)", "delete: role(boss, desk)")).expect("a file");
    says(
        &folder.dz(&["access", "--check", "access.lock"]),
        1,
        &["-        \"desk\": false", "+        \"desk\": true", "dz access --write"],
    );
    std::fs::write(folder.0.join("app.dsl"), DESK.replace("role(boss)", "role(bos)")).expect("a file");
    says(&folder.dz(&["access"]), 1, &["unknown-role"]);
}

#[test]
fn entities_that_are_closed_to_everyone_are_listed() {
    let closed = "\nentity Vault:\n  id: uuid pk\n  word: str(20)\n\nentity Drawer:\n  id: uuid pk\n  permit:\n    read: role(boss)\n  forbid:\n    \
                  read: true\n";
    let folder = Folder::new("closed", &[("app.dsl", &format!("{DESK}{closed}"))]);
    let shown = folder.dz(&["access"]);
    says(
        &shown,
        0,
        &["Note\n  read\n", "Vault\n  no rule permits an action, so every caller is denied\n", "Drawer\n  no rule permits an action"],
    );
    let named = json(&folder.dz(&["access", "--format", "json"]))["closed"].clone();
    let named: Vec<&str> = named.as_array().expect("a list").iter().filter_map(|it| it.as_str()).collect();
    assert!(named.contains(&"Vault") && named.contains(&"Drawer") && !named.contains(&"Note"), "{named:?}");
    // A rule for an entity without permissions changes the matrix.
    says(&folder.dz(&["access", "--write", "access.lock"]), 0, &[]);
    std::fs::write(
        folder.0.join("app.dsl"),
        format!("{DESK}{closed}").replace("word: str(20)", "word: str(20)\n  permit:\n    read: true"),
    )
    .expect("a file");
    says(&folder.dz(&["access", "--check", "access.lock"]), 1, &["Vault"]);
}

#[test]
fn a_file_can_be_named_by_an_option() {
    let folder = Folder::new("named", &[("desk/main.dsl", DESK)]);
    for command in [&["validate"][..], &["lint"], &["fmt"], &["access"], &["specs", "openapi"], &["migrate", "diff", "first"]] {
        says(&folder.dz(command), 1, &["app.dsl"]);
        says(&folder.dz(&[command, &["--file", "desk/main.dsl"]].concat()), 0, &[]);
    }
}
