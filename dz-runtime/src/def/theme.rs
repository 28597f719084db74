//! The look of the pages, as the table `[theme]` of `dz.toml` sets it.

/// The look of the pages, besides the hue of the accent colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ThemeDef {
    /// The radii of corners in percent of the default ones.
    pub radius: u16,
    /// True for low rows and controls, for accounts that choose none.
    pub compact: bool,
    /// The logo as SVG; `None` for the initial of the application.
    pub logo: Option<&'static str>,
}

impl ThemeDef {
    /// The look without a table in `dz.toml`.
    pub const DEFAULT: ThemeDef = ThemeDef { radius: 100, compact: false, logo: None };
}
