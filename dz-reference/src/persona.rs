//! The page of `persona`.

use super::{
    frames::ALONE,
    page::{Entry, Page, entry, entry_in, sound, text, words, wrong},
};

pub(super) fn page() -> Page {
    Page {
        file: "persona.md",
        title: "persona",
        summary: "The kinds of users; their names are the roles in rules.",
        constructs: &["persona"],
        pieces: vec![
            text(
                "`persona NAME \"Title\":` declares a kind of user. Its name is the role in `role(…)`, which accounts are granted. `admin` and `tenant_admin` always exist. They give access to the pages of administration and to entities with a [kind](entities.md#kinds), and to no other rows. If a persona is declared, an undeclared role is an error; without any persona, a role is declared by its use. There are at most 64 roles.",
            ),
            sound(
                ALONE,
                "persona mechanic \"Mechanic\":\n  description: \"Repairs what the counter takes in\"\n  goals:\n    - know what comes next\n    - order parts in time\n  proficiency: expert",
            ),
            words("persona", "Key", PERSONA, KEYS),
            words("proficiency", "Proficiency", PERSONA, LEVELS),
            wrong(
                "unknown-role",
                "persona mechanic\nentity Bike:\n  id: uuid pk\n  permit:\n    list: role(mechanic)\n    read: role(mecanic)\n",
            ),
        ],
    }
}

const PERSONA: &str =
    "persona mechanic \"Mechanic\":\n  …\nentity Rack:\n  id: uuid pk\n  permit:\n    list: role(mechanic)\n    read: role(mechanic)\n";

const BESIDE_PAGES: &str = "persona mechanic \"Mechanic\":\n  …\nentity Rack:\n  id: uuid pk\n  permit:\n    list: role(mechanic)\n    read: role(mechanic)\nworkspace stand:\n  racks:\n    source: Rack\n";

const KEYS: &[Entry] = &[
    entry("description", "What the persona does.", "description: \"Repairs bikes\""),
    entry("goals", "The goals: a list, or dash lines.", "goals: \"know what comes next\", \"order parts in time\""),
    entry("proficiency", "How well the persona knows the application.", "proficiency: intermediate"),
    entry_in(BESIDE_PAGES, "default_workspace", "The start page, a workspace.", "default_workspace: stand"),
    entry_in(BESIDE_PAGES, "default_route", "The start page, an address.", "default_route: \"/app/stand\""),
];

const LEVELS: &[Entry] = &[
    entry("novice", "Uses it occasionally.", "proficiency: novice"),
    entry("intermediate", "Uses it often.", "proficiency: intermediate"),
    entry("expert", "Works in it all day.", "proficiency: expert"),
];
