//! The page of `process`.

mod steps;

use super::{
    frames::flows as frames,
    page::{Entry, Page, entry, entry_in, further, sound, text, words, wrong},
};

pub(super) fn page() -> Page {
    let mut pieces = vec![text(INTRODUCTION), sound(frames::BESIDE, WHOLE), text("## Keys")];
    pieces.push(words("process", "Key", frames::IN_PROCESS, KEYS));
    pieces.push(text("## Triggers\n\nWhat starts it, behind `trigger:` or, under it, behind `when:`."));
    pieces.push(words("start of a process", "Start", frames::START, STARTS));
    pieces.push(words("trigger of a process", "Key", frames::START, WHEN));
    pieces.push(text(
        "### Events\n\nWhat happens to a row. A change of a field names the value after the arrow, and perhaps the one before it.",
    ));
    pieces.push(words("event of a row", "Event", frames::START, EVENTS));
    pieces.push(further("Change", frames::START, CHANGES));
    pieces.push(wrong("bad-cron", "entity Bike:\n  id: uuid pk\n  permit:\n    read: true\nprocess morning:\n  trigger: cron \"0 8 * *\"\n  steps:\n    - step pause:\n      wait: 1h\n"));
    pieces.push(text("### Overlap\n\nWhat happens when it is started while it runs."));
    pieces.push(words("overlap", "Overlap", frames::IN_PROCESS, OVERLAPS));
    pieces.push(text("### Signals\n\n`emits:` sends signals, all at the end, or at the moments said."));
    pieces.push(words("emits", "Moment", frames::IN_EMITS, MOMENTS));
    pieces.extend(steps::pieces());
    Page {
        file: "process.md",
        title: "process",
        summary: "Steps over services, people, time and rows, after something happened.",
        constructs: &["process"],
        pieces,
    }
}

const INTRODUCTION: &str = "`process NAME \"Title\":` runs steps after something happened. Every name in it is looked up, every value typed from \
the trigger to the last step, and a step that is never reached is reported. Lengths of time are written like elsewhere, but `m` means minutes \
here; a lint asks for `5 minutes` where both could be meant.";

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
    entry_in(frames::PROCESS_WITH_STORY, "implements", "The stories that it carries out.", "implements: [ST-001]"),
    entry_in(
        frames::START,
        "trigger",
        "What starts it; `manual` unless said. See [triggers](#triggers).",
        "trigger: entity Repair created",
    ),
    entry_in(
        frames::WITH_INPUT,
        "input",
        "What it takes, each with its type; a row or a process that starts it gives what has the same name.",
        "input:\n  title: str(120) required",
    ),
    entry_in(
        frames::WITH_OUTPUT,
        "output",
        "What it gives: the result of that name, or what is said behind `=`.",
        "output:\n  fee: decimal(8, 2) = work.fee",
    ),
    entry_in(frames::FLOW, "steps", "Its steps, in order. See [steps](#steps).", "steps:\n  - step pause:\n    wait: 1h"),
    entry_in(frames::FLOW, "step", "A step may also be written in it directly.", "step pause:\n  wait: 1h"),
    entry_in(
        frames::FLOW,
        "parallel",
        "So may steps that run beside each other. See [parallel](#parallel).",
        "parallel both:\n  - step one:\n    wait: 1h\n  - step two:\n    wait: 2h",
    ),
    entry_in(
        frames::FLOW,
        "compensations",
        "What undoes steps when it fails. See [compensations](#compensations).",
        "steps:\n  - step work:\n    service: estimate\n    inputs: trigger.entity -> repair\n    compensate: undo\ncompensations:\n  - undo:\n    service: refund\n    inputs: trigger.entity -> repair",
    ),
    entry("timeout", "After how long a run fails.", "timeout: 14d"),
    entry("overlap", "What happens when it is started while it runs. See [overlap](#overlap).", "overlap: queue"),
    entry("emits", "The signals that it sends. See [signals](#signals).", "emits: repair_done"),
];

const STARTS: &[Entry] = &[
    entry("entity", "Something happens to a row. See [events](#events).", "trigger: entity Repair created"),
    entry("manual", "A person or another process starts it.", "trigger: manual"),
    entry_in(frames::SIGNALLED, "signal", "A signal is sent.", "trigger: signal repair_done"),
    entry("process", "Another process has ended well.", "trigger: process reminding completed"),
    entry(
        "cron",
        "A time has come, in the time zone of the application. See [cron](schedule.md#cron).",
        "trigger: cron \"0 8 * * mon-fri\"",
    ),
];

const WHEN: &[Entry] = &[entry("when", "The same, on a line of its own.", "trigger:\n  when: entity Repair created")];

const EVENTS: &[Entry] = &[
    entry("created", "It was added.", "trigger: entity Repair created"),
    entry("updated", "It was changed.", "trigger: entity Repair updated"),
    entry("deleted", "It was removed.", "trigger: entity Repair deleted"),
];

const CHANGES: &[Entry] = &[
    entry("->", "A field got this value.", "trigger: entity Repair status -> ready"),
    entry("working", "It had that value before.", "trigger: entity Repair status working -> ready"),
    entry("*", "It had any other before.", "trigger: entity Repair status * -> ready"),
];

const OVERLAPS: &[Entry] = &[
    entry("skip", "The second start is dropped.", "overlap: skip"),
    entry("queue", "The second start waits.", "overlap: queue"),
    entry("cancel_previous", "The second start ends the first.", "overlap: cancel_previous"),
    entry("allow", "Both run.", "overlap: allow"),
];

const MOMENTS: &[Entry] = &[
    entry("on_start", "When it starts.", "on_start: repair_begun"),
    entry("on_complete", "When it ends well.", "on_complete: repair_done"),
    entry("on_failure", "When it fails.", "on_failure: repair_failed"),
];
