//! The page of `schedule`.

use super::{
    frames::flows as frames,
    page::{Entry, Page, entry, entry_in, further, sound, text, words, wrong},
};

pub(super) fn page() -> Page {
    Page {
        file: "schedule.md",
        title: "schedule",
        summary: "Work at certain times, or at a fixed interval.",
        constructs: &["schedule"],
        pieces: vec![
            text(
                "`schedule NAME \"Title\":` runs at the times of `cron` or `interval`. It runs a `process`, or [`steps`](process.md#steps) of its own. A schedule passes no inputs to the process. In an application with tenants its runs belong to no tenant: their conditions select the rows of all tenants, and a row that they create names its tenant.",
            ),
            sound(frames::BESIDE, WHOLE),
            words("schedule", "Key", frames::IN_SCHEDULE, KEYS),
            text(CRON),
            further("Cron", frames::SCHEDULE_WHEN, CRONS),
            wrong(
                "bad-cron",
                "entity Bike:\n  id: uuid pk\n  permit:\n    read: authenticated\nschedule nightly:\n  cron: \"0 25 * * *\"\n  steps:\n    - step pause:\n        wait: 1h\n",
            ),
        ],
    }
}

const WHOLE: &str = "schedule nightly \"Every night\":
  cron: \"0 3 * * *\"
  timezone: \"Europe/Lisbon\"
  catch_up: true
  steps:
    - step clear:
        effects:
          - delete Part:
              where: repair.status = collected and price = 0";

const KEYS: &[Entry] = &[
    entry_in(frames::SCHEDULE_WHEN, "cron", "At these times. See [cron](#cron).", "cron: \"30 6 * * mon-fri\""),
    entry_in(frames::SCHEDULE_WHEN, "interval", "At a fixed interval.", "interval: 90min"),
    entry("timezone", "The time zone of the times; default: that of the application.", "timezone: \"Europe/London\""),
    entry("catch_up", "Whether runs that were missed while the application did not run are caught up by one run.", "catch_up: true"),
    entry("overlap", "What happens if it is due while it runs. See [overlap](process.md#overlap).", "overlap: skip"),
    entry("timeout", "The timeout of a run.", "timeout: 2h"),
    entry_in(frames::WITH_STORY, "implements", "The stories that it implements.", "implements: ST-001"),
    entry_in(frames::SCHEDULE_WHAT, "process", "The process that it runs.", "process: reminding"),
    entry_in(frames::SCHEDULE_WHAT, "steps", "Steps of its own instead of a process.", "steps:\n  - step pause:\n      wait: 1h"),
];

const CRON: &str = "## Cron

Five fields: minute, hour, day of the month, month, weekday. A field is `*`, a number, a range, a list with commas, or a step after `/`; months and weekdays also have names. If both days are set, one of them is enough.";

const CRONS: &[Entry] = &[
    entry("30 6", "At half past six.", "cron: \"30 6 * * *\""),
    entry("*/15", "Every quarter of an hour.", "cron: \"*/15 * * * *\""),
    entry("mon-fri", "On working days at eight.", "cron: \"0 8 * * mon-fri\""),
    entry("1,15", "On the first and the fifteenth.", "cron: \"0 9 1,15 * *\""),
    entry("@daily", "A short form, like `@hourly`, `@weekly`, `@monthly`, `@yearly`.", "cron: \"@daily\""),
];
