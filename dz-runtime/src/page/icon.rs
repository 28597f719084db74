//! Icons: one sprite, referred to by name.

use std::{fmt, sync::LazyLock};

use super::asset;

/// An icon of the sprite. Printed in a template it becomes an `svg` that is hidden from assistive
/// technology: the words beside it carry the meaning.
///
/// ```text
/// {{ crate::page::Icon("plus") }}New task
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Icon(pub &'static str);

static SPRITE: LazyLock<String> = LazyLock::new(|| asset::address("icons.svg", asset::ICONS.as_bytes()));

impl fmt::Display for Icon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, r##"<svg class="dz-i" aria-hidden="true"><use href="{}#{}"/></svg>"##, *SPRITE, self.0)
    }
}

impl askama::filters::HtmlSafe for Icon {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_icon_that_is_used_is_in_the_sprite() {
        let mut sources = vec![include_str!("cell.rs").to_owned(), include_str!("failure.rs").to_owned()];
        for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/templates")).expect("the templates") {
            let path = entry.expect("an entry").path();
            sources.push(std::fs::read_to_string(path).expect("a template"));
        }
        let mut seen = 0;
        for source in sources {
            for part in source.split("Icon(\"").skip(1) {
                let name = part.split('"').next().unwrap_or_default();
                assert!(asset::ICONS.contains(&format!("<symbol id=\"{name}\"")), "no icon `{name}`");
                seen += 1;
            }
        }
        assert!(seen > 10);
    }
}
