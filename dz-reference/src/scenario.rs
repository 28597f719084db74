//! The page of `scenario`.

use super::{
    frames,
    page::{Entry, Page, entry, sound, text, words, wrong},
};

pub(super) fn page() -> Page {
    Page {
        file: "scenario.md",
        title: "scenario",
        summary: "A set of data for tests of the application.",
        constructs: &["scenario"],
        pieces: vec![
            text(
                "`scenario NAME \"Title\":` has rows of its own, in addition to those of `demo`, and the start pages of personas. The command `seed --scenario NAME` of an application loads its rows once, after those of `demo`, all or none. It prints the start page of each persona with the accounts that can sign in as this persona.",
            ),
            sound(frames::BESIDE, WHOLE),
            words("scenario", "Key", frames::IN_SCENARIO, KEYS),
            text("### Personas"),
            words("persona of a scenario", "Key", frames::IN_SCENARIO_PERSONA, PERSONA),
            wrong(
                "bad-route",
                "persona counter\nentity Bike:\n  id: uuid pk\n  permit:\n    list: role(counter)\n    read: role(counter)\nscenario busy:\n  for persona counter:\n    start_route: \"desk\"\n",
            ),
        ],
    }
}

const WHOLE: &str = "surface repair_list:
  uses entity Repair
  mode: list

scenario busy_day \"A busy day\":
  description: \"More repairs than hands\"
  for persona mechanic:
    start_route: \"/app/repair_list\"
  demo:
    Bike:
      - @cargo label: \"Cargo 1\"
    Repair:
      - title: \"Brakes\", bike: @cargo, express: true
      - title: \"New chain\", bike: @cargo";

const KEYS: &[Entry] = &[
    entry("description", "A description.", "description: \"More repairs than hands\""),
    entry("for", "The settings of a persona in it.", "for persona mechanic:\n  start_route: \"/app/repair_list\""),
    entry("demo", "Its rows; they can reference those of `demo`.", "demo:\n  Bike:\n    - label: \"Cargo 1\""),
];

const PERSONA: &[Entry] = &[entry("start_route", "The address of the start page.", "start_route: \"/app/repair_list\"")];
