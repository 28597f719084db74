//! Stylesheets, scripts and icons: embedded, addressed by their content, and cached permanently by browsers.

use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError},
};

use crate::{
    def::ThemeDef,
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
const REFRESH_SCRIPT: &str = include_str!("../../../../assets/refresh.js");
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
    /// The logo, if the application has one.
    pub logo: Option<String>,
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
    /// The assets for an accent hue, a theme, an initial and a dialect.
    pub fn for_app(hue: u16, theme: ThemeDef, mark: &str, markup: Markup) -> Arc<Assets> {
        type Cache = BTreeMap<(u16, ThemeDef, String, Markup), Arc<Assets>>;
        static CACHE: LazyLock<Mutex<Cache>> = LazyLock::new(Mutex::default);
        let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
        cache.entry((hue, theme, mark.to_owned(), markup)).or_insert_with(|| Arc::new(Assets::new(hue, theme, mark, markup))).clone()
    }

    fn new(hue: u16, theme: ThemeDef, mark: &str, markup: Markup) -> Assets {
        let mut files = Vec::new();
        let mut add = |name: &str, content_type, body: String| {
            let address = asset_address(name, body.as_bytes());
            files.push(Asset { address: address.clone(), content_type, body, gzip: OnceLock::new() });
            address
        };
        let css = "text/css; charset=utf-8";
        let themed = BASE.replacen("--dz-hue: 262;", &format!("--dz-hue: {hue};"), 1).replacen(RADII, &radii(theme), 1);
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
                    [SCRIPT, SELECTION_SCRIPT, KEYS_SCRIPT, PALETTE_SCRIPT, REFRESH_SCRIPT]
                        .map(|script| markup.apply_to_asset(script))
                        .join("\n")
                ),
            ),
            graph: add("graph.css", css, markup.apply_to_asset(GRAPH)),
            graph_script: add(
                "graph.js",
                "text/javascript; charset=utf-8",
                format!("{CYTOSCAPE}\n{}", markup.apply_to_asset(GRAPH_SCRIPT)),
            ),
            icon: add("icon.svg", "image/svg+xml", icon(hue, theme, mark)),
            logo: theme.logo.map(|logo| add("logo.svg", "image/svg+xml", logo.to_owned())),
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

/// The radii of corners in the stylesheet, as they are without a theme.
const RADII: &str = "--dz-r1: .25rem; --dz-r2: .375rem; --dz-r3: .625rem;";

/// The radii of a theme.
fn radii(theme: ThemeDef) -> String {
    let of = |default: f64| default * f64::from(theme.radius) / 100.0;
    format!("--dz-r1: {}rem; --dz-r2: {}rem; --dz-r3: {}rem;", of(0.25), of(0.375), of(0.625))
}

/// The icon of the sidebar as an image.
fn icon(hue: u16, theme: ThemeDef, mark: &str) -> String {
    let radius = (7 * theme.radius / 100).min(16);
    let mark: String = mark.chars().map(|c| format!("&#{};", u32::from(c))).collect();
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="{radius}" fill="oklch(.47 .17 {hue})"/><text x="16" y="22.5" text-anchor="middle" font-family="system-ui,sans-serif" font-size="19" font-weight="650" fill="white">{mark}</text></svg>"#
    )
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use sha2::{Digest, Sha256};

    use super::*;
    use crate::{
        def::AppDef,
        web::page::{Frame, Shell},
    };

    #[test]
    fn an_asset_is_served_at_its_address_only() {
        let assets = Assets::for_app(150, ThemeDef::DEFAULT, "F", Markup::Prefixed);
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
    fn a_theme_sets_radii_and_a_logo() {
        assert!(BASE.contains(RADII), "the radii of the stylesheet");
        let text = |assets: &Assets, address: &str| {
            let parts: Vec<&str> = address.split('/').collect();
            let reply = assets.get(parts[3], parts[4], false).expect("an asset");
            (reply.content_type, String::from_utf8(reply.body).expect("text"))
        };
        let plain = Assets::for_app(20, ThemeDef::DEFAULT, "T", Markup::Prefixed);
        assert!(text(&plain, &plain.base).1.contains("--dz-r1: 0.25rem; --dz-r2: 0.375rem; --dz-r3: 0.625rem;"));
        assert!(plain.logo.is_none() && text(&plain, &plain.icon).1.contains("rx=\"7\""));
        let logo = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>";
        let theme = ThemeDef { radius: 200, compact: true, logo: Some(logo) };
        let themed = Assets::for_app(20, theme, "T", Markup::Prefixed);
        assert!(text(&themed, &themed.base).1.contains("--dz-r1: 0.5rem; --dz-r2: 0.75rem; --dz-r3: 1.25rem;"));
        assert_eq!(text(&themed, themed.logo.as_deref().expect("a logo")), ("image/svg+xml", logo.to_owned()));
        assert!(text(&themed, &themed.icon).1.contains("rx=\"14\""));
        let square = Assets::for_app(20, ThemeDef { radius: 0, ..ThemeDef::DEFAULT }, "T", Markup::Prefixed);
        assert!(text(&square, &square.base).1.contains("--dz-r1: 0rem;"));
    }

    #[test]
    fn a_logo_replaces_the_initial() {
        static PLAIN: AppDef = AppDef { title: "Quay", ..AppDef::EMPTY };
        static THEMED: AppDef =
            AppDef { title: "Quay", theme: ThemeDef { radius: 100, compact: true, logo: Some("<svg/>") }, ..AppDef::EMPTY };
        let page = |app| Shell::standalone(app, Markup::Prefixed, "A page", Frame::Standalone { wide: false }).render("").expect("a page");
        let (plain, themed) = (page(&PLAIN), page(&THEMED));
        assert!(plain.contains(">Q</span>") && !plain.contains("dz-logo") && !plain.contains("data-density"), "{plain}");
        assert!(themed.contains("<img class=\"dz-logo\" src=\"/-/assets/") && themed.contains("alt=\"\""), "{themed}");
        assert!(!themed.contains("dz-brand-mark") && themed.contains("data-density=\"compact\""), "{themed}");
    }

    #[test]
    fn the_plain_dialect_has_its_own_files() {
        let plain = Assets::for_app(262, ThemeDef::DEFAULT, "<", Markup::Plain);
        let prefixed = Assets::for_app(262, ThemeDef::DEFAULT, "<", Markup::Prefixed);
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
