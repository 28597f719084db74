//! `[theme]` in `dz.toml`: the look of the pages.

use dz_settings::{kind, settings};

use crate::lower::app::find_hue;

settings! {
    /// The table `[theme]`: the look of the [pages](pages.md#theme).
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct Theme {
        /// The hue of the accent colour, in place of `theme:` in the declaration. Texts on it are readable for every hue.
        accent: Option<u16> as kind::optional(kind::parse_word(ACCENTS, find_hue)), default None, shown "`theme:` of the declaration, or 262";
        /// The rounding of corners.
        radius: Radius as radius(), default Radius::Medium;
        /// The height of rows and controls for accounts that choose none, except on touch screens.
        density: Density as density(), default Density::Comfortable;
        /// The logo in place of the initial of the application: a square SVG file of at most 64 kB, without scripts and styles.
        logo: Option<String> as kind::optional(logo()), default None, shown "none";
    }
}

/// The accepted accents.
const ACCENTS: &str = "a hue from 0 to 359, or `blue`, `teal`, `green`, `amber`, `red`, `violet` or `pink`";

/// The rounding of corners.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Radius {
    /// Square corners.
    None,
    /// Half of the default.
    Small,
    /// The default.
    #[default]
    Medium,
    /// Twice the default.
    Large,
}

impl Radius {
    /// The radii in percent of the default ones.
    pub fn percent(self) -> u16 {
        match self {
            Radius::None => 0,
            Radius::Small => 50,
            Radius::Medium => 100,
            Radius::Large => 200,
        }
    }
}

/// The height of rows and controls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Density {
    /// The default.
    #[default]
    Comfortable,
    /// More rows on a screen.
    Compact,
}

fn radius() -> kind::Choice<Radius> {
    kind::choice(&[("none", Radius::None), ("small", Radius::Small), ("medium", Radius::Medium), ("large", Radius::Large)])
}

fn density() -> kind::Choice<Density> {
    kind::choice(&[("comfortable", Density::Comfortable), ("compact", Density::Compact)])
}

fn logo() -> kind::Parse<String> {
    kind::parse("a path that ends with `.svg`", |text| text.ends_with(".svg").then(|| text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{lower::app::THEMES, project::read};

    #[test]
    fn keys_are_read() {
        let theme = |text: &str| read(&format!("[theme]\n{text}\n")).unwrap().theme;
        assert_eq!(theme("accent = \"green\"\nradius = \"none\"").accent, Some(150));
        assert_eq!((theme("accent = 210").accent, theme("accent = \"7\"").accent, theme("").accent), (Some(210), Some(7), None));
        let all = theme("radius = \"large\"\ndensity = \"compact\"\nlogo = \"brand/logo.svg\"");
        assert_eq!((all.radius.percent(), all.density, all.logo.as_deref()), (200, Density::Compact, Some("brand/logo.svg")));
        assert_eq!(theme("").radius.percent(), 100);
        assert!(THEMES.iter().all(|(name, _)| ACCENTS.contains(&format!("`{name}`"))), "{ACCENTS}");
    }

    #[test]
    fn errors_name_the_key_and_the_nearest_value() {
        let check = |text: &str, expected: &str| {
            assert_eq!(read(&format!("[theme]\n{text}\n")).unwrap_err(), format!("dz.toml: {expected}"));
        };
        check("accnt = 1", "unknown key `theme.accnt`; did you mean `accent`?");
        check("accent = \"grren\"", "`theme.accent` is `\"grren\"`; did you mean `green`?");
        check("accent = 360", &format!("`theme.accent` is `360`; write {ACCENTS}"));
        check("accent = \"#ff0000\"", &format!("`theme.accent` is `\"#ff0000\"`; write {ACCENTS}"));
        check("accent = true", &format!("`theme.accent` is `true`; write {ACCENTS}"));
        check("radius = \"larg\"", "`theme.radius` is `\"larg\"`; did you mean `large`?");
        check("radius = 4", "`theme.radius` is `4`; write `none`, `small`, `medium` or `large`");
        check("density = \"compct\"", "`theme.density` is `\"compct\"`; did you mean `compact`?");
        check("logo = \"logo.png\"", "`theme.logo` is `\"logo.png\"`; write a path that ends with `.svg`");
    }
}
