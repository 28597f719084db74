//! `dz plan`: the indexes and their reasons.

use crate::folder::{Folder, json, says};

const DESK: &str = "entity Note:\n  id: uuid pk\n  title: str(80) required unique\n  state: enum[open, shut]\n  author: ref User\n  \
                    permit:\n    list: author = current_user\n    read: author = current_user\n\nsurface notes:\n  uses entity Note\n  mode: list\n  \
                    ux:\n    sort: title\n    filter: state\n";

#[test]
fn each_index_has_its_reasons() {
    let folder = Folder::new("plan", &[("app.dsl", DESK)]);
    says(
        &folder.dz(&["plan"]),
        0,
        &[
            "notes\n  notes_title_key\n    keeps `title` unique\n",
            "  notes_author_title_idx\n    finds the rows of a caller by `author`, in the order of the list `notes`\n",
            "    finds the rows that refer to another one by `author`\n",
            "  notes_author_state_title_idx\n    finds the rows of the list `notes` by its filter `state`\n",
        ],
    );
    let listed = json(&folder.dz(&["plan", "--format", "json"]));
    assert_eq!((&listed[0]["table"], &listed[0]["index"]), (&"notes".into(), &"notes_title_key".into()), "{listed}");
    std::fs::write(folder.0.join("app.dsl"), DESK.replace("  permit:", "  no_index state\n  permit:")).expect("a file");
    let refused = folder.dz(&["plan"]);
    assert!(!String::from_utf8_lossy(&refused.stdout).contains("state"), "{refused:?}");
    std::fs::write(folder.0.join("app.dsl"), DESK.replace("ref User", "ref Usr")).expect("a file");
    says(&folder.dz(&["plan"]), 1, &["unknown-entity"]);
}
