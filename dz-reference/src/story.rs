//! The page of `story`.

use super::{
    frames,
    page::{Entry, Page, entry, sound, text, words, wrong},
};

pub(super) fn page() -> Page {
    Page {
        file: "story.md",
        title: "story",
        summary: "What a persona does and what comes of it, in sentences; documentation and tests come from it.",
        constructs: &["story"],
        pieces: vec![
            text(
                "`story ID \"Title\":` tells in sentences what happens. The id is a name that may hold hyphens, and the title must be there; \
                 a sentence in quotes may be under it. Personas, entities and quoted states are looked up, the rest is free text: it ends \
                 with its line, and nothing in it is a comment.",
            ),
            sound(frames::BESIDE, WHOLE),
            text("## Keys"),
            words("story", "Key", STORY, KEYS),
            text("### Triggers"),
            words("trigger of a story", "Trigger", STORY, TRIGGERS),
            text("### Status"),
            words("status of a story", "Status", STORY, STATUSES),
            wrong(
                "unknown-quoted-state",
                "entity Repair:\n  id: uuid pk\n  status: enum[booked, ready] = booked\n  permit:\n    read: true\nstory ST-1 \"A repair is finished\":\n  scope: [Repair]\n  then:\n    - the status becomes \"redy\"\n",
            ),
        ],
    }
}

const WHOLE: &str = "story ST-001 \"A repair is collected\":
  \"The customer gets the bike back.\"
  actor: counter
  trigger: user_click
  scope: [Repair]
  status: accepted
  given:
    - the repair's status is \"ready\"
  when:
    - the customer pays
  then:
    - the status becomes \"collected\"
  unless:
    - the fee is not known:
      then: the counter asks the mechanic";

const STORY: &str = frames::IN_STORY;

const KEYS: &[Entry] = &[
    entry("actor", "The persona that acts.", "actor: mechanic"),
    entry("persona", "Another spelling of `actor`.", "persona: mechanic"),
    entry("trigger", "What starts it.", "trigger: status_changed"),
    entry("scope", "The entities that it is about.", "scope: [Repair, Part]"),
    entry("entities", "Another spelling of `scope`.", "entities: [Repair]"),
    entry("status", "How far it is agreed on; `draft` unless said.", "status: accepted"),
    entry("given", "What holds before: a sentence, or lines with dashes.", "given:\n  - the bike is here\n  - a mechanic is free"),
    entry("when", "What happens.", "when:\n  - the mechanic begins"),
    entry("then", "What holds after.", "then:\n  - the status becomes \"working\""),
    entry(
        "unless",
        "What keeps it from happening, each with `then` for what comes instead.",
        "unless:\n  - a part is missing:\n    then: the part is ordered",
    ),
];

const TRIGGERS: &[Entry] = &[
    entry("form_submitted", "A form is submitted.", "trigger: form_submitted"),
    entry("status_changed", "A row moves to another state.", "trigger: status_changed"),
    entry("timer_elapsed", "A time has passed.", "trigger: timer_elapsed"),
    entry("external_event", "Another system says something.", "trigger: external_event"),
    entry("user_click", "A user presses a button.", "trigger: user_click"),
    entry("cron_daily", "A day begins.", "trigger: cron_daily"),
    entry("cron_hourly", "An hour begins.", "trigger: cron_hourly"),
];

const STATUSES: &[Entry] = &[
    entry("draft", "Not agreed on.", "status: draft"),
    entry("accepted", "Agreed on; a test is made from it.", "status: accepted"),
    entry("rejected", "Not wanted.", "status: rejected"),
];
