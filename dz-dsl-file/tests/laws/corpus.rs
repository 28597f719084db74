//! Correct texts, and texts with known mistakes.

use std::{fs, path::Path};

use dz_dsl_file::rules;

/// The example, the examples of every rule, and every fixture; sorted, without duplicates.
pub fn corpus() -> Vec<String> {
    let mut texts = vec![include_str!("../../../examples/tasks/app.dsl").to_owned()];
    texts.extend(rules().flat_map(|rule| [rule.wrong.to_owned(), rule.right.to_owned()]));
    texts.extend(fixtures(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures"))));
    texts.sort();
    texts.dedup();
    texts
}

/// Every `*.dsl` below a folder.
fn fixtures(folder: &Path) -> Vec<String> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            texts.extend(fixtures(&path));
        } else if path.extension().is_some_and(|it| it == "dsl") {
            texts.push(fs::read_to_string(&path).expect("a text"));
        }
    }
    texts
}
