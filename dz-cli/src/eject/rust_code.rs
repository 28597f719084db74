//! The application's own Rust code, which the tree does not contain: where it adds hooks, subscribers, actions, jobs and routes.

use std::{fs, path::Path};

use dz_eject::Tree;

use super::add_note;

/// The methods of `dz::App` that add code, with what each adds.
const METHODS: &[(&str, &str)] = &[
    ("before_create", "hook"),
    ("after_create", "hook"),
    ("before_update", "hook"),
    ("after_update", "hook"),
    ("before_delete", "hook"),
    ("after_delete", "hook"),
    ("on", "subscriber"),
    ("on_async", "subscriber"),
    ("on_process", "subscriber of a process"),
    ("action", "action"),
    ("typed_action", "action"),
    ("implement", "service"),
    ("job", "job"),
    ("every", "job"),
    ("every_in", "job"),
    ("command", "command"),
    ("page", "page"),
    ("mount", "routes"),
    ("mount_instead", "routes"),
];

/// Names the files with such code in the notes of a tree, and in its list of missing parts.
pub fn note(root: &Path, tree: &mut Tree) {
    let mut found = Vec::new();
    search(&root.join("src"), root, &mut found);
    if found.is_empty() {
        return;
    }
    found.sort();
    let instead = format!("It stays in the application: {}.", found.join("; "));
    add_note(tree, "Rust code by file", &instead);
}

/// The files below a folder that add code; files that cannot be read have none.
fn search(folder: &Path, root: &Path, found: &mut Vec<String>) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    for path in entries {
        if path.is_dir() {
            search(&path, root, found);
        } else if path.extension().is_some_and(|end| end == "rs")
            && let Ok(text) = fs::read_to_string(&path)
        {
            let shown = path.strip_prefix(root).unwrap_or(&path).display().to_string().replace('\\', "/");
            let added = added(&text);
            found.extend((!added.is_empty()).then(|| format!("`{shown}` ({})", added.join(", "))));
        }
    }
}

/// What a file that uses dz adds, each once.
fn added(text: &str) -> Vec<&'static str> {
    let mut added = Vec::new();
    if !text.contains("dz::") {
        return added;
    }
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with("//")) {
        for (method, what) in METHODS {
            let is_call = ["(", "::<"].iter().any(|next| line.contains(&format!(".{method}{next}")));
            if is_call && !added.contains(what) {
                added.push(*what);
            }
        }
    }
    added
}
