//! The page of `schedule`.

use super::{
    frames::flows as frames,
    page::{Entry, Page, entry, entry_in, further, sound, text, words, wrong},
};

pub(super) fn page() -> Page {
    Page {
        file: "schedule.md",
        title: "schedule",
        summary: "What runs at certain times, or every so often.",
        constructs: &["schedule"],
        pieces: vec![
            text(
                "`schedule NAME \"Title\":` says when, by `cron` or `interval`, and what, by `process` or [`steps`](process.md#steps) of its own. \
                 A schedule gives the process no values.",
            ),
            sound(frames::BESIDE, WHOLE),
            words("schedule", "Key", frames::IN_SCHEDULE, KEYS),
            text(CRON),
            further("Cron", frames::SCHEDULE_WHEN, CRONS),
            wrong(
                "bad-cron",
                "entity Bike:\n  id: uuid pk\n  permit:\n    read: true\nschedule nightly:\n  cron: \"0 25 * * *\"\n  steps:\n    - step pause:\n      wait: 1h\n",
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
    entry_in(frames::SCHEDULE_WHEN, "interval", "Every so often.", "interval: 90min"),
    entry("timezone", "The zone in which the times are meant; the application's unless said.", "timezone: \"Europe/London\""),
    entry("catch_up", "Whether a run that was missed while the application stood still is made up for, once.", "catch_up: true"),
    entry("overlap", "What happens when it is due while it runs. See [overlap](process.md#overlap).", "overlap: skip"),
    entry("timeout", "After how long a run fails.", "timeout: 2h"),
    entry_in(frames::WITH_STORY, "implements", "The stories that it carries out.", "implements: ST-001"),
    entry_in(frames::SCHEDULE_WHAT, "process", "The process that it runs.", "process: reminding"),
    entry_in(frames::SCHEDULE_WHAT, "steps", "Steps of its own, in the place of a process.", "steps:\n  - step pause:\n    wait: 1h"),
];

const CRON: &str = "## Cron

Five fields: minute, hour, day of the month, month, weekday. A field is `*`, a number, a range, a list with commas, or a step behind `/`; \
months and weekdays have names too. When both days are given, one of them is enough.";

const CRONS: &[Entry] = &[
    entry("30 6", "At half past six.", "cron: \"30 6 * * *\""),
    entry("*/15", "Every quarter of an hour.", "cron: \"*/15 * * * *\""),
    entry("mon-fri", "On working days at eight.", "cron: \"0 8 * * mon-fri\""),
    entry("1,15", "On the first and the fifteenth.", "cron: \"0 9 1,15 * *\""),
    entry("@daily", "A short form; so are `@hourly`, `@weekly`, `@monthly`, `@yearly`.", "cron: \"@daily\""),
];
