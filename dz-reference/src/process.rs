//! The page of `process`.

mod steps;

use super::{
    frames::flows as frames,
    page::{Entry, Page, entry, entry_in, further, sound, text, words, wrong},
};

pub(super) fn page() -> Page {
    let mut pieces = vec![text(INTRODUCTION), sound(frames::BESIDE, WHOLE), text("## Keys")];
    pieces.push(words("process", "Key", frames::IN_PROCESS, KEYS));
    pieces.push(text("## Triggers\n\nThe event that starts it, after `trigger:` or, under it, after `when:`."));
    pieces.push(words("start of a process", "Start", frames::START, STARTS));
    pieces.push(words("trigger of a process", "Key", frames::START, WHEN));
    pieces.push(text(
        "### Events\n\nThe event of a row. The change of an enum field names the new value after the arrow, and optionally the old one before it.",
    ));
    pieces.push(words("event of a row", "Event", frames::START, EVENTS));
    pieces.push(further("Change", frames::START, CHANGES));
    pieces.push(wrong("bad-cron", "entity Bike:\n  id: uuid pk\n  permit:\n    read: authenticated\nprocess morning:\n  trigger: cron \"0 8 * *\"\n  steps:\n    - step pause:\n        wait: 1h\n"));
    pieces.push(text("### Overlap\n\nWhat happens if it is started while it runs."));
    pieces.push(words("overlap", "Overlap", frames::IN_PROCESS, OVERLAPS));
    pieces.push(text("### Signals\n\n`emits:` sends signals: all at the end, or at these events."));
    pieces.push(words("emits", "Time", frames::IN_EMITS, MOMENTS));
    pieces.extend(steps::pieces());
    Page {
        file: "process.md",
        title: "process",
        summary: "Steps that an event starts: calls of services, human tasks, delays, and changes of rows.",
        constructs: &["process"],
        pieces,
    }
}

const INTRODUCTION: &str = "`process NAME \"Title\":` runs steps after an event. dz resolves every name in it, checks the type of every value from the trigger to the last step, and reports unreachable steps. In its durations `m` means minutes. Because `m` means months elsewhere, a lint suggests the form `5 minutes`. In an application with tenants a run works in the tenant of the row, the user, the process or the signal that starts it, and a run that `cron` or a [schedule](schedule.md) starts belongs to no tenant.";

const WHOLE: &str = "process finishing \"Finishing a repair\":
  trigger: entity Repair status working -> ready
  timeout: 14d
  steps:
    - step pricing \"Work out the fee\":
        service: estimate
        inputs: trigger.entity -> repair
        retry: 3
        on_failure: asking
    - step large:
        condition: pricing.fee > 500
        on_true: asking
        on_false: telling
    - step asking \"Ask the counter\":
        human_task:
          surface: repair_view
          assignee_role: counter
          timeout: 2 days
          outcomes:
            - agreed:
                goto: telling
            - refused:
                goto: fail
    - step telling:
        llm_intent: thank
        inputs: trigger.entity -> repair";

const KEYS: &[Entry] = &[
    entry_in(frames::PROCESS_WITH_STORY, "implements", "The stories that it implements.", "implements: [ST-001]"),
    entry_in(frames::START, "trigger", "The trigger; default `manual`. See [triggers](#triggers).", "trigger: entity Repair created"),
    entry_in(
        frames::WITH_INPUT,
        "input",
        "The inputs, each with a type; a row or a process that starts it sets those with equal names.",
        "input:\n  title: str(120) required",
    ),
    entry_in(
        frames::WITH_OUTPUT,
        "output",
        "The outputs: the result of that name, or the value after `=`.",
        "output:\n  fee: decimal(8, 2) = work.fee",
    ),
    entry_in(frames::FLOW, "steps", "Its steps, in order. See [steps](#steps).", "steps:\n  - step pause:\n      wait: 1h"),
    entry_in(frames::FLOW, "step", "A step can also be written without `steps:`.", "step pause:\n  wait: 1h"),
    entry_in(
        frames::FLOW,
        "parallel",
        "Concurrent steps, with or without `steps:`. See [parallel](#parallel).",
        "parallel both:\n  - step one:\n      wait: 1h\n  - step two:\n      wait: 2h",
    ),
    entry_in(
        frames::FLOW,
        "compensations",
        "Actions that revert steps if the process fails. See [compensations](#compensations).",
        "steps:\n  - step work:\n      service: estimate\n      inputs: trigger.entity -> repair\n      compensate: undo\ncompensations:\n  - undo:\n      service: refund\n      inputs: trigger.entity -> repair",
    ),
    entry("timeout", "The timeout of a run.", "timeout: 14d"),
    entry("overlap", "What happens if it is started while it runs. See [overlap](#overlap).", "overlap: queue"),
    entry("emits", "The signals that it sends. See [signals](#signals).", "emits: repair_done"),
];

const STARTS: &[Entry] = &[
    entry("entity", "An event of a row. See [events](#events).", "trigger: entity Repair created"),
    entry(
        "manual",
        "Another process or a user starts it: a user with one of the roles in `role(…)`, or an administrator of the whole system.",
        "trigger: manual role(mechanic)",
    ),
    entry_in(frames::SIGNALLED, "signal", "A signal is sent.", "trigger: signal repair_done"),
    entry("process", "Another process has completed.", "trigger: process reminding completed"),
    entry("cron", "A time, in the time zone of the application. See [cron](schedule.md#cron).", "trigger: cron \"0 8 * * mon-fri\""),
];

const WHEN: &[Entry] = &[entry("when", "The same, on a line of its own.", "trigger:\n  when: entity Repair created")];

const EVENTS: &[Entry] = &[
    entry("created", "It was created.", "trigger: entity Repair created"),
    entry("updated", "It was updated.", "trigger: entity Repair updated"),
    entry("deleted", "It was deleted.", "trigger: entity Repair deleted"),
];

const CHANGES: &[Entry] = &[
    entry("->", "A field changes to this value.", "trigger: entity Repair status -> ready"),
    entry("working", "From this value.", "trigger: entity Repair status working -> ready"),
    entry("*", "From any other value.", "trigger: entity Repair status * -> ready"),
];

const OVERLAPS: &[Entry] = &[
    entry("skip", "The second start is dropped.", "overlap: skip"),
    entry("queue", "The second start waits.", "overlap: queue"),
    entry("cancel_previous", "The second start cancels the first run.", "overlap: cancel_previous"),
    entry("allow", "Both run.", "overlap: allow"),
];

const MOMENTS: &[Entry] = &[
    entry("on_start", "When it starts.", "on_start: repair_begun"),
    entry("on_complete", "When it completes.", "on_complete: repair_done"),
    entry("on_failure", "When it fails.", "on_failure: repair_failed"),
];
