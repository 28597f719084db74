//! Icons of the sprite, by name.

use std::{
    fmt::{self, Write as _},
    sync::LazyLock,
};

use sha2::{Digest, Sha256};

/// An icon of the sprite. In a template it becomes an `svg` that is hidden from assistive technology, because the text beside it
/// has the meaning.
///
/// ```text
/// {{ crate::template::Icon("plus") }}New task
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Icon(pub &'static str);

pub(crate) const ICONS: &str = include_str!("../../assets/icons.svg");

static SPRITE: LazyLock<String> = LazyLock::new(|| asset_address("icons.svg", ICONS.as_bytes()));

impl fmt::Display for Icon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, r##"<svg class="dz-i" aria-hidden="true"><use href="{}#{}"/></svg>"##, *SPRITE, self.0)
    }
}

impl askama::filters::HtmlSafe for Icon {}

/// `/-/assets/{hash of the content}/{name}`.
pub(crate) fn asset_address(name: &str, body: &[u8]) -> String {
    let mut address = "/-/assets/".to_owned();
    for byte in Sha256::digest(body).iter().take(8) {
        let _ = write!(address, "{byte:02x}");
    }
    address.push('/');
    address.push_str(name);
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_icon_that_is_used_is_in_the_sprite() {
        let mut sources = vec![include_str!("../web/page/cell.rs").to_owned(), include_str!("../web/page/shell/failure.rs").to_owned()];
        for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/templates")).expect("the templates") {
            let path = entry.expect("an entry").path();
            sources.push(std::fs::read_to_string(path).expect("a template"));
        }
        let mut seen = 0;
        for source in sources {
            for part in source.split("Icon(\"").skip(1) {
                let name = part.split('"').next().unwrap_or_default();
                assert!(ICONS.contains(&format!("<symbol id=\"{name}\"")), "no icon `{name}`");
                seen += 1;
            }
        }
        assert!(seen > 10);
    }
}
