//! The page of `story`.

use super::{
    frames,
    page::{Entry, Page, entry, sound, text, words, wrong},
};

pub(super) fn page() -> Page {
    Page {
        file: "story.md",
        title: "story",
        summary: "What a persona does, and the result, in sentences; a source of documentation and tests.",
        constructs: &["story"],
        pieces: vec![
            text(
                "`story ID \"Title\":` describes a use of the application in sentences. The id is a name that can contain hyphens, and the title is required; a sentence in quotes can be under it. Personas, entities and quoted states are resolved; the rest is free text, which ends with its line and contains no comments.",
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
                "entity Repair:\n  id: uuid pk\n  status: enum[booked, ready] = booked\n  permit:\n    read: authenticated\nstory ST-1 \"A repair is finished\":\n  scope: [Repair]\n  then:\n    - the status becomes \"redy\"\n",
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
    entry("trigger", "Its trigger.", "trigger: status_changed"),
    entry("scope", "Its entities.", "scope: [Repair, Part]"),
    entry("entities", "Another spelling of `scope`.", "entities: [Repair]"),
    entry("status", "The status; default `draft`.", "status: accepted"),
    entry("given", "The preconditions: a sentence, or dash lines.", "given:\n  - the bike is here\n  - a mechanic is free"),
    entry("when", "The action.", "when:\n  - the mechanic begins"),
    entry("then", "The results.", "then:\n  - the status becomes \"working\""),
    entry(
        "unless",
        "Exceptions, each with `then` for the alternative result.",
        "unless:\n  - a part is missing:\n    then: the part is ordered",
    ),
];

const TRIGGERS: &[Entry] = &[
    entry("form_submitted", "A form is submitted.", "trigger: form_submitted"),
    entry("status_changed", "A row gets another state.", "trigger: status_changed"),
    entry("timer_elapsed", "A time has passed.", "trigger: timer_elapsed"),
    entry("external_event", "Another system sends an event.", "trigger: external_event"),
    entry("user_click", "A user clicks a button.", "trigger: user_click"),
    entry("cron_daily", "A day begins.", "trigger: cron_daily"),
    entry("cron_hourly", "An hour begins.", "trigger: cron_hourly"),
];

const STATUSES: &[Entry] = &[
    entry("draft", "Not agreed on.", "status: draft"),
    entry("accepted", "Agreed on; a source of tests.", "status: accepted"),
    entry("rejected", "Not wanted.", "status: rejected"),
];
