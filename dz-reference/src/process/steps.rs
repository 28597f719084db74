//! Steps of processes.

use crate::{
    frames::flows as frames,
    page::{Entry, Piece, entry, entry_in, further, sound, text, words, wrong},
};

pub(super) fn pieces() -> Vec<Piece> {
    vec![
        text(STEPS),
        words("step of a process", "Key", frames::IN_CALL, STEP),
        text("### Where it goes on"),
        further("Target", frames::IN_CALL, TARGETS),
        wrong(
            "unreachable-step",
            "entity Bike:\n  id: uuid pk\n  permit:\n    read: true\nprocess p:\n  trigger: manual\n  steps:\n    - step one:\n      wait: 1h\n      goto: complete\n    - step two:\n      wait: 1h\n",
        ),
        text(VALUES),
        further("Value", frames::KNOWN, KNOWN),
        text("### Human tasks"),
        words("human_task", "Key", frames::IN_TASK, TASK),
        text("### Outcomes\n\nWhat the person may decide; each is a button."),
        words("outcome", "Key", frames::IN_OUTCOME, OUTCOME),
        text("### Effects\n\nWhat a step does to rows, as the system and within one transaction, after what it calls succeeded."),
        words("effect", "Effect", frames::EFFECT, EFFECTS),
        further("Word", frames::EFFECT, EFFECT_WORDS),
        text("### Retry\n\n`retry: 3` says how often; or with lines under it."),
        words("retry", "Key", frames::IN_RETRY, RETRY),
        words("backoff", "Backoff", frames::IN_RETRY, BACKOFFS),
        text("### Parallel\n\n`parallel NAME:` runs its steps beside each other and goes on when all have ended."),
        sound(
            frames::FLOW,
            "steps:\n  - parallel both:\n    on_any_failure: wait_all\n    - step pricing:\n      service: estimate\n      inputs: trigger.entity -> repair\n    - step pause:\n      wait: 2h",
        ),
        words("parallel", "Key", frames::IN_PARALLEL, PARALLEL),
        words("on_any_failure", "When a branch fails", frames::IN_PARALLEL, FAILURES),
        text("### Compensations\n\nThey run in the opposite order of the steps that ran, when the process fails."),
        words("compensation", "Key", frames::IN_COMPENSATION_CALL, COMPENSATION),
    ]
}

const STEPS: &str = "## Steps

`step NAME \"Title\":`, with a dash or without, does one thing, and goes on to the next step unless it says where.";

const STEP: &[Entry] = &[
    entry_in(frames::IN_STEP, "service", "Calls a [service](service.md).", "service: estimate\ninputs: trigger.entity -> repair"),
    entry_in(frames::IN_STEP, "subprocess", "Runs another process and waits for it.", "subprocess: reminding"),
    entry_in(frames::IN_STEP, "llm_intent", "Asks a [language model](llm.md).", "llm_intent: thank\ninputs: trigger.entity -> repair"),
    entry_in(
        frames::IN_STEP,
        "human_task",
        "Asks a person. See [human tasks](#human-tasks).",
        "human_task:\n  entity: Repair\n  assignee_role: mechanic\n  outcomes:\n    - done:\n      goto: complete",
    ),
    entry_in(frames::IN_STEP, "wait", "Waits for a time, or for a signal: `wait: signal NAME`.", "wait: 2 hours"),
    entry_in(
        frames::IN_STEP,
        "condition",
        "Chooses by a condition on the values known.",
        "condition: trigger.entity.express\non_true: later\non_false: complete",
    ),
    entry_in(frames::IN_CONDITION, "on_true", "Where a condition that holds goes on.", "on_true: complete"),
    entry_in(frames::IN_CONDITION, "on_false", "Where one that does not hold goes on.", "on_false: complete"),
    entry_in(
        frames::IN_STEP,
        "effects",
        "What it does to rows. See [effects](#effects).",
        "effects:\n  - create Part:\n    repair: trigger.entity\n    name: \"Small parts\"",
    ),
    entry_in(
        frames::IN_STEP,
        "inputs",
        "Values for what it calls: `value -> input`, on one line or several.",
        "service: estimate\ninputs:\n  trigger.entity -> repair",
    ),
    entry("output", "A name for its result, besides the name of the step.", "output: priced"),
    entry("timeout", "After how long it fails.", "timeout: 30s"),
    entry("retry", "How often it is tried again. See [retry](#retry).", "retry: 3"),
    entry("on_success", "Where it goes on.", "on_success: complete"),
    entry("on_failure", "Where it goes on after a failure; else the process fails.", "on_failure: later"),
    entry("compensate", "What undoes it. See [compensations](#compensations).", "compensate: undo"),
    entry("goto", "Where it goes on; another spelling of `on_success`.", "goto: later"),
];

const TARGETS: &[Entry] = &[
    entry("later", "The step of that name.", "goto: later"),
    entry("complete", "The process ends well.", "goto: complete"),
    entry("fail", "The process fails.", "goto: fail"),
];

const VALUES: &str = "### Values

What the steps know, in conditions, inputs and effects. A bare name is a field of the row that started the process.";

const KNOWN: &[Entry] = &[
    entry(
        "trigger",
        "What started the process: `trigger.entity` is the row, `trigger.payload` what came with a signal, `trigger.NAME` an output of the process that ended.",
        "trigger.entity.express",
    ),
    entry("input", "An input of the process.", "input.express"),
    entry("work", "The result of a step, by its name or by the name its `output` gives.", "work.fee > 500"),
    entry("outcome", "Behind a human task: what was decided.", "asking.outcome = done"),
    entry("by", "Behind a human task: who decided.", "asking.by.name = \"Ann\""),
    entry("at", "Behind a human task: when.", "asking.at < now - 2h"),
    entry("text", "Behind an intent without `output_schema`: the answer.", "contains(thanks.text, \"thank\")"),
    entry("payload", "Behind a wait for a signal: what came with it.", "paid.payload != null"),
];

const TASK: &[Entry] = &[
    entry_in(frames::TASK_OF, "surface", "The surface that shows what it is about.", "surface: repair_view"),
    entry_in(frames::TASK_OF, "entity", "The entity that it is about; it follows from the surface.", "entity: Repair"),
    entry_in(frames::ASSIGNEE, "assignee_role", "The persona that is asked.", "assignee_role: mechanic"),
    entry_in(frames::ASSIGNEE, "assignee", "The account that is asked.", "assignee: trigger.entity.mechanic"),
    entry("timeout", "After how long it fails.", "timeout: 2 days"),
    entry_in(
        frames::OUTCOMES,
        "outcomes",
        "What may be decided. It must be said.",
        "outcomes:\n  - agreed \"Agreed\":\n    goto: complete\n  - refused:\n    goto: fail",
    ),
];

const OUTCOME: &[Entry] = &[
    entry("goto", "Where it goes on.", "goto: complete"),
    entry("sets", "Fields of the row that it sets: `field -> value`.", "goto: complete\nsets:\n  notes -> \"seen\""),
    entry("confirm", "Whether the person is asked again, or with which words.", "goto: complete\nconfirm: \"Are you sure?\""),
];

const EFFECTS: &[Entry] = &[
    entry("create", "Adds a row.", "- create Part:\n  repair: trigger.entity\n  name: \"Small parts\""),
    entry("update", "Changes the row that started the process, or rows of an entity.", "- update trigger.entity:\n  hours: 2"),
    entry("delete", "Removes rows.", "- delete Part:\n  where: price = 0"),
    entry("emit", "Sends a signal.", "- emit repair_priced"),
];

const EFFECT_WORDS: &[Entry] = &[
    entry("where", "Which rows.", "- delete Part:\n  where: repair = trigger.entity"),
    entry(
        "set",
        "Values may also be written under it, each as `field -> value`.",
        "- update Part:\n  where: repair = trigger.entity\n  set:\n    count -> 2",
    ),
];

const RETRY: &[Entry] = &[
    entry_in(frames::ATTEMPTS, "max_attempts", "How often in all.", "max_attempts: 3"),
    entry("backoff", "How the pauses grow.", "backoff: exponential"),
    entry("interval", "The first pause.", "interval: 5s"),
];

const BACKOFFS: &[Entry] = &[
    entry("fixed", "Not at all.", "backoff: fixed"),
    entry("linear", "By the first pause each time.", "backoff: linear"),
    entry("exponential", "To twice the one before.", "backoff: exponential"),
];

const PARALLEL: &[Entry] = &[
    entry_in(frames::PARALLEL, "step", "A branch.", "- step one:\n  wait: 1h\n- step two:\n  wait: 2h"),
    entry_in(frames::PARALLEL, "steps", "Branches, in a block.", "steps:\n  - step one:\n    wait: 1h\n  - step two:\n    wait: 2h"),
    entry("on_any_failure", "What becomes of the others when one fails.", "on_any_failure: wait_all"),
    entry("effects", "What it does to rows when all have ended.", "effects:\n  - emit both_done"),
    entry("timeout", "After how long it fails.", "timeout: 1d"),
    entry("on_success", "Where it goes on.", "on_success: complete"),
    entry("on_failure", "Where it goes on after a failure.", "on_failure: later"),
    entry("compensate", "What undoes it.", "compensate: undo"),
    entry("goto", "Where it goes on; another spelling of `on_success`.", "goto: complete"),
];

const FAILURES: &[Entry] = &[
    entry("fail_fast", "They are cancelled.", "on_any_failure: fail_fast"),
    entry("wait_all", "They go on before the step fails.", "on_any_failure: wait_all"),
    entry("rollback", "They are cancelled and undone.", "on_any_failure: rollback"),
];

const COMPENSATION: &[Entry] = &[
    entry_in(frames::IN_COMPENSATION, "service", "Calls a service.", "service: refund\ninputs: trigger.entity -> repair"),
    entry_in(frames::IN_COMPENSATION, "subprocess", "Runs a process.", "subprocess: reminding"),
    entry_in(frames::IN_COMPENSATION, "llm_intent", "Asks a language model.", "llm_intent: thank\ninputs: trigger.entity -> repair"),
    entry_in(
        frames::IN_COMPENSATION,
        "effects",
        "Does something to rows.",
        "effects:\n  - delete Part:\n    where: repair = trigger.entity",
    ),
    entry_in(frames::IN_COMPENSATION, "inputs", "Values for what it calls.", "service: refund\ninputs:\n  trigger.entity -> repair"),
    entry("timeout", "After how long it fails.", "timeout: 1h"),
    entry("retry", "How often it is tried again.", "retry: 5"),
];
