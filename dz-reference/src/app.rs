//! The page of `app`.

use super::{
    frames::ALONE,
    page::{Entry, Page, entry, entry_in, sound, text, words, wrong},
};

pub(super) fn page() -> Page {
    Page {
        file: "app.md",
        title: "app",
        summary: "Settings of the application as a whole.",
        constructs: &["app"],
        pieces: vec![
            text("`app NAME \"Title\":` is written at most once. Its keys are optional."),
            sound(
                ALONE,
                "app workshop \"Bicycle workshop\":\n  description: \"Repairs, from the counter to the stand and back\"\n  timezone: \"Europe/Lisbon\"\n  theme: teal",
            ),
            words("app", "Key", APP, KEYS),
            text(
                "Any other key with a value is kept as it is, for programs that read the declaration. A key that differs from a known one by one letter is a warning.",
            ),
            sound(ALONE, "app workshop:\n  cost_centre: 4711"),
            wrong("similar-key", "app workshop:\n  timezon: \"Europe/Lisbon\"\n"),
            text("### Themes\n\n`theme` is the hue of the accent colour, a number from 0 to 359 or one of these names."),
            words("theme", "Theme", APP, THEMES),
        ],
    }
}

const APP: &str =
    "app workshop \"Bicycle workshop\":\n  …\nentity Rack:\n  id: uuid pk\n  permit:\n    list: authenticated\n    read: authenticated\n";

const TENANTS: &str = "app workshop \"Bicycle workshop\":\n  …\nentity Branch:\n  id: uuid pk\n  archetype: tenant\n";

const KEYS: &[Entry] = &[
    entry("description", "A sentence about the application.", "description: \"Repairs and their parts\""),
    entry("default_locale", "The language of its pages; default `en`.", "default_locale: pt"),
    entry("timezone", "The time zone of `today`, `date(…)` and times in forms; default `UTC`.", "timezone: \"Europe/Lisbon\""),
    entry("theme", "The hue of the accent colour.", "theme: 210"),
    entry_in(
        TENANTS,
        "multi_tenant",
        "States that rows belong to tenants: without an entity of the tenants, the application has an error.",
        "multi_tenant: true",
    ),
    entry("registration", "Whether users can create their own accounts.", "registration: true"),
    entry("currency", "The currency of amounts without one.", "currency: EUR"),
];

const THEMES: &[Entry] = &[
    entry("blue", "Blue.", "theme: blue"),
    entry("teal", "Between green and blue.", "theme: teal"),
    entry("green", "Green.", "theme: green"),
    entry("amber", "Between yellow and orange.", "theme: amber"),
    entry("red", "Red.", "theme: red"),
    entry("violet", "Between blue and red.", "theme: violet"),
    entry("pink", "Between red and white.", "theme: pink"),
];
