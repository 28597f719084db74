//! The contrast of the colours of the stylesheet, for every tenth hue, light and dark.

use std::collections::BTreeMap;

const CSS: &str = include_str!("../../../../assets/base.css");

/// A colour in OKLCH.
type Oklch = [f64; 3];

/// The light and the dark value of every colour token for one hue; tones also have a hue and a strength of their own.
struct Tokens {
    hue: f64,
    tone: (f64, f64),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Scheme {
    Light,
    Dark,
}

impl Tokens {
    fn colour(&self, name: &str, scheme: Scheme) -> Oklch {
        let start = CSS.find(&format!("--{name}: ")).unwrap_or_else(|| panic!("no token `{name}`"));
        let value = CSS[start..].split(';').next().expect("a value");
        let mut colours = value.split("oklch(").skip(1);
        let (light, dark) = (colours.next().expect("a colour"), colours.next());
        let text = match scheme {
            Scheme::Light => light,
            Scheme::Dark => dark.unwrap_or(light),
        };
        let text = text
            .replace("calc(", "")
            .replace(" * var(--c))", "*")
            .replace("var(--dz-hue)", &self.hue.to_string())
            .replace("var(--h)", &self.tone.0.to_string());
        let mut numbers = text.split([' ', ')', ',']).filter(|part| !part.is_empty()).map(|part| match part.strip_suffix('*') {
            Some(number) => number.parse::<f64>().expect("a number") * self.tone.1,
            None => part.parse().expect("a number"),
        });
        [(); 3].map(|()| numbers.next().expect("three numbers"))
    }
}

/// The relative luminance; colours outside of sRGB are clipped as in browsers.
fn luminance([l, c, h]: Oklch) -> f64 {
    let (a, b) = (c * h.to_radians().cos(), c * h.to_radians().sin());
    let x = (l + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
    let y = (l - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
    let z = (l - 0.089_484_177_5 * a - 1.291_485_548 * b).powi(3);
    let red = 4.076_741_662_1 * x - 3.307_711_591_3 * y + 0.230_969_929_2 * z;
    let green = -1.268_438_004_6 * x + 2.609_757_401_1 * y - 0.341_319_396_5 * z;
    let blue = -0.004_196_086_3 * x - 0.703_418_614_7 * y + 1.707_614_701 * z;
    0.2126 * red.clamp(0.0, 1.0) + 0.7152 * green.clamp(0.0, 1.0) + 0.0722 * blue.clamp(0.0, 1.0)
}

fn contrast(a: Oklch, b: Oklch) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Asserts that every pair reaches `least`, for all hues and both schemes.
#[track_caller]
fn check(least: f64, tone: (f64, f64), pairs: &[(&str, &str)]) {
    for hue in (0..360).step_by(10) {
        let tokens = Tokens { hue: f64::from(hue), tone };
        for scheme in [Scheme::Light, Scheme::Dark] {
            for (over, under) in pairs {
                let reached = contrast(tokens.colour(over, scheme), tokens.colour(under, scheme));
                assert!(reached >= least, "{over} on {under}, {scheme:?}, hue {hue}: {reached:.2}, not {least}");
            }
        }
    }
}

const GROUNDS: [&str; 7] = ["dz-canvas", "dz-sheet", "dz-raised", "dz-sunken", "dz-soft", "dz-hover", "dz-input"];

#[test]
fn text_has_enough_contrast() {
    for text in ["dz-ink", "dz-ink-2", "dz-link"] {
        for ground in GROUNDS {
            check(4.5, (0.0, 0.0), &[(text, ground)]);
        }
    }
    check(4.5, (0.0, 0.0), &[("dz-on-accent", "dz-accent"), ("dz-on-accent", "dz-accent-2")]);
    check(4.5, (0.0, 0.0), &[("dz-danger", "dz-sheet"), ("dz-danger", "dz-raised"), ("dz-danger", "dz-sunken")]);
}

#[test]
fn edges_of_controls_have_enough_contrast() {
    for ground in ["dz-canvas", "dz-sheet", "dz-raised", "dz-input"] {
        check(3.0, (0.0, 0.0), &[("dz-edge", ground), ("dz-invalid", ground), ("dz-link", ground)]);
    }
}

#[test]
fn tones_have_enough_contrast() {
    for (tone, strength) in tones() {
        let pairs = [("t-ink", "t-soft"), ("dz-ink", "t-soft"), ("dz-link", "t-soft")];
        check(4.5, (tone, strength), &pairs);
        let marks = ["dz-sheet", "dz-hover", "dz-raised", "t-soft"].map(|ground| ("t-mark", ground));
        check(3.0, (tone, strength), &marks);
    }
}

/// The hue and the strength of every tone in the stylesheet.
fn tones() -> Vec<(f64, f64)> {
    let mut tones = BTreeMap::new();
    for line in CSS.lines().filter(|line| line.trim_start().starts_with("[data-tone=")) {
        let number = |name: &str| line.split(name).nth(1)?.split([' ', ';', '}']).find(|part| !part.is_empty())?.parse::<f64>().ok();
        if let (Some(hue), Some(strength)) = (number("--h:"), number("--c:")) {
            tones.insert(hue as i64, (hue, strength));
        }
    }
    assert!(tones.len() >= 7, "{tones:?}");
    tones.insert(-1, (262.0, 0.12));
    tones.into_values().collect()
}
