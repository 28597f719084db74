//! The page of `persona`.

use super::{
    frames::ALONE,
    page::{Entry, Page, entry, entry_in, sound, text, words, wrong},
};

pub(super) fn page() -> Page {
    Page {
        file: "persona.md",
        title: "persona",
        summary: "The kinds of people; their names are the roles of the rules.",
        constructs: &["persona"],
        pieces: vec![
            text(
                "`persona NAME \"Title\":` declares a kind of person. Its name is the role that `role(…)` asks for, and that accounts are \
                 granted. `admin` and `tenant_admin` always exist and have no rights of their own. Once a persona is declared, a role that is \
                 not is an error; without any, roles exist by use. There are 64 at most.",
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
    entry("description", "What they do.", "description: \"Repairs bikes\""),
    entry(
        "goals",
        "What they want to get done: a list, or lines with dashes under it.",
        "goals: \"know what comes next\", \"order parts in time\"",
    ),
    entry("proficiency", "How well they know the application.", "proficiency: intermediate"),
    entry_in(BESIDE_PAGES, "default_workspace", "The workspace that they begin with.", "default_workspace: stand"),
    entry_in(BESIDE_PAGES, "default_route", "The address that they begin with.", "default_route: \"/app/stand\""),
];

const LEVELS: &[Entry] = &[
    entry("novice", "Uses it now and then.", "proficiency: novice"),
    entry("intermediate", "Uses it often.", "proficiency: intermediate"),
    entry("expert", "Works in it all day.", "proficiency: expert"),
];
