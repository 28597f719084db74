//! `dz access`: who may do what, kept in a file, and what has changed since.

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
