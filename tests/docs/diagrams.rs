//! Drawings of the documentation are small, have a text for readers who do not see them, and colours for dark pages.

use std::fs;

use crate::{pages, root};

#[test]
fn every_drawing_has_a_description_and_dark_colours() {
    let mut found = 0;
    for entry in fs::read_dir(root().join("docs/diagrams")).expect("a folder") {
        let path = entry.expect("an entry").path();
        let text = fs::read_to_string(&path).expect("a drawing");
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for part in ["<title id=\"title\">", "<desc id=\"desc\">", "aria-labelledby=\"title desc\"", "prefers-color-scheme: dark"] {
            assert!(text.contains(part), "{name} has no `{part}`");
        }
        assert!(text.len() < 6_000, "{name} has {} bytes", text.len());
        let link = format!("](diagrams/{name})");
        assert!(pages().iter().any(|page| page.text.contains(&link)), "no page shows {name}");
        found += 1;
    }
    assert!(found > 0, "no drawing");
}
