//! Stylesheets, scripts and icons: embedded, addressed by their content, and cached permanently by browsers.

use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError},
};

use crate::{
    template::{ICONS, asset_address},
    web::{Reply, page::Markup, response::compression},
};

const BASE: &str = include_str!("../../../../assets/base.css");
const LIST: &str = include_str!("../../../../assets/list.css");
const FORM: &str = include_str!("../../../../assets/form.css");
const RECORD: &str = include_str!("../../../../assets/record.css");
const WORKSPACE: &str = include_str!("../../../../assets/workspace.css");
const HTMX: &str = include_str!("../../../../assets/vendor/htmx.min.js");
const IDIOMORPH: &str = include_str!("../../../../assets/vendor/idiomorph-ext.min.js");
const GRAPH: &str = include_str!("../../../../assets/graph.css");
const CYTOSCAPE: &str = include_str!("../../../../assets/vendor/cytoscape.min.js");
const GRAPH_SCRIPT: &str = include_str!("../../../../assets/graph.js");
const SCRIPT: &str = include_str!("../../../../assets/dz.js");
const KEYS_SCRIPT: &str = include_str!("../../../../assets/keys.js");
const PALETTE_SCRIPT: &str = include_str!("../../../../assets/palette.js");
const SELECTION_SCRIPT: &str = include_str!("../../../../assets/selection.js");

/// The addresses of assets of one application.
#[derive(Debug)]
pub struct Assets {
    /// For all pages: frame, controls and messages.
    pub base: String,
    /// For tables.
    pub list: String,
    /// For forms.
    pub form: String,
    /// For a single row.
    pub record: String,
    /// For workspaces.
    pub workspace: String,
    /// htmx, idiomorph, and the script of dz.
    pub script: String,
    /// For the drawing of a graph.
    pub graph: String,
    /// Cytoscape.js, and the script that draws a graph.
    pub graph_script: String,
    /// The icon of the browser tab, with the initial of the application.
    pub icon: String,
    files: Vec<Asset>,
}

#[derive(Debug)]
struct Asset {
    address: String,
    content_type: &'static str,
    body: String,
    /// The compressed body, from the first request for it; `None` if it is not shorter.
    gzip: OnceLock<Option<Vec<u8>>>,
}

impl Assets {
    /// The assets for an accent hue, an initial and a dialect.
    pub fn for_app(hue: u16, mark: &str, markup: Markup) -> Arc<Assets> {
        type Cache = BTreeMap<(u16, String, Markup), Arc<Assets>>;
        static CACHE: LazyLock<Mutex<Cache>> = LazyLock::new(Mutex::default);
        let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
        cache.entry((hue, mark.to_owned(), markup)).or_insert_with(|| Arc::new(Assets::new(hue, mark, markup))).clone()
    }

    fn new(hue: u16, mark: &str, markup: Markup) -> Assets {
        let mut files = Vec::new();
        let mut add = |name: &str, content_type, body: String| {
            let address = asset_address(name, body.as_bytes());
            files.push(Asset { address: address.clone(), content_type, body, gzip: OnceLock::new() });
            address
        };
        let css = "text/css; charset=utf-8";
        let themed = BASE.replacen("--dz-hue: 262;", &format!("--dz-hue: {hue};"), 1);
        let assets = Assets {
            base: add("base.css", css, markup.apply_to_asset(&themed)),
            list: add("list.css", css, markup.apply_to_asset(LIST)),
            form: add("form.css", css, markup.apply_to_asset(FORM)),
            record: add("record.css", css, markup.apply_to_asset(RECORD)),
            workspace: add("workspace.css", css, markup.apply_to_asset(WORKSPACE)),
            script: add(
                "dz.js",
                "text/javascript; charset=utf-8",
                format!(
                    "{HTMX}\n{IDIOMORPH}\n{}",
                    [SCRIPT, SELECTION_SCRIPT, KEYS_SCRIPT, PALETTE_SCRIPT].map(|script| markup.apply_to_asset(script)).join("\n")
                ),
            ),
            graph: add("graph.css", css, markup.apply_to_asset(GRAPH)),
            graph_script: add(
                "graph.js",
                "text/javascript; charset=utf-8",
                format!("{CYTOSCAPE}\n{}", markup.apply_to_asset(GRAPH_SCRIPT)),
            ),
            icon: add("icon.svg", "image/svg+xml", icon(hue, mark)),
            files: Vec::new(),
        };
        add("icons.svg", "image/svg+xml", ICONS.to_owned());
        Assets { files, ..assets }
    }

    /// The asset at `/-/assets/{hash}/{name}`, compressed with `gzip`; `None` is a 404.
    pub fn get(&self, hash: &str, name: &str, gzip: bool) -> Option<Reply> {
        let address = format!("/-/assets/{hash}/{name}");
        let file = self.files.iter().find(|file| file.address == address)?;
        let headers = vec![("Cache-Control", "public, max-age=31536000, immutable".to_owned())];
        let mut reply = Reply { status: 200, content_type: file.content_type, headers, ..Reply::default() };
        compression::note_negotiation(&mut reply);
        let compressed = if gzip { file.gzip.get_or_init(|| compression::compress_asset(file.body.as_bytes())).clone() } else { None };
        Some(match compressed {
            Some(body) => compression::encoded(reply, body),
            None => Reply { body: file.body.clone().into_bytes(), ..reply },
        })
    }
}

/// The icon of the sidebar as an image.
fn icon(hue: u16, mark: &str) -> String {
    let mark: String = mark.chars().map(|c| format!("&#{};", u32::from(c))).collect();
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="oklch(.47 .17 {hue})"/><text x="16" y="22.5" text-anchor="middle" font-family="system-ui,sans-serif" font-size="19" font-weight="650" fill="white">{mark}</text></svg>"#
    )
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use sha2::{Digest, Sha256};

    use super::*;

    #[test]
    fn an_asset_is_served_at_its_address_only() {
        let assets = Assets::for_app(150, "F", Markup::Prefixed);
        let parts: Vec<&str> = assets.base.split('/').collect();
        let reply = assets.get(parts[3], parts[4], false).expect("the stylesheet");
        assert!(String::from_utf8_lossy(&reply.body).contains("--dz-hue: 150;"));
        assert_eq!(reply.headers[0].1, "public, max-age=31536000, immutable");
        let compressed = assets.get(parts[3], parts[4], true).expect("the stylesheet");
        assert!(compressed.body.len() < reply.body.len() / 2, "{}", compressed.body.len());
        assert!(assets.get("0000", "base.css", false).is_none());
        assert!(assets.get(parts[3], "list.css", false).is_none());
    }

    #[test]
    fn the_plain_dialect_has_its_own_files() {
        let plain = Assets::for_app(262, "<", Markup::Plain);
        let prefixed = Assets::for_app(262, "<", Markup::Prefixed);
        assert_ne!(plain.list, prefixed.list);
        for file in &plain.files {
            assert!(!file.body.contains("data-dz-") && !file.body.contains(".dz-"), "{}", file.address);
        }
    }

    #[test]
    fn vendored_files_match_their_notes() {
        let noted = include_str!("../../../../assets/vendor/README.md");
        for body in [HTMX, IDIOMORPH, CYTOSCAPE] {
            let mut hex = String::new();
            for byte in Sha256::digest(body) {
                let _ = write!(hex, "{byte:02x}");
            }
            assert!(noted.contains(&hex), "{hex}");
        }
    }
}
