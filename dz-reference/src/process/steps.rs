//! Steps of processes.

use crate::{
    frames::flows as frames,
    page::{Entry, Piece, entry, entry_in, further, sound, text, words, wrong},
};

pub(super) fn pieces() -> Vec<Piece> {
    vec![
        text(STEPS),
        words("step of a process", "Key", frames::IN_CALL, STEP),
        text("### Next steps"),
        further("Target", frames::IN_CALL, TARGETS),
        wrong(
            "unreachable-step",
            "entity Bike:\n  id: uuid pk\n  permit:\n    read: authenticated\nprocess p:\n  trigger: manual\n  steps:\n    - step one:\n        wait: 1h\n        goto: complete\n    - step two:\n        wait: 1h\n",
        ),
        text(VALUES),
        further("Value", frames::KNOWN, KNOWN),
        text("### Human tasks"),
        words("human_task", "Key", frames::IN_TASK, TASK),
        text("### Outcomes\n\nThe decisions of the user; each is a button."),
        words("outcome", "Key", frames::IN_OUTCOME, OUTCOME),
        text("### Effects\n\nChanges of rows, made by the system in one transaction after the call of the step has succeeded."),
        words("effect", "Effect", frames::EFFECT, EFFECTS),
        further("Word", frames::EFFECT, EFFECT_WORDS),
        text("### Retry\n\n`retry: 3` sets the number of attempts; further keys are lines under `retry:`."),
        words("retry", "Key", frames::IN_RETRY, RETRY),
        words("backoff", "Backoff", frames::IN_RETRY, BACKOFFS),
        text("### Parallel\n\n`parallel NAME:` runs its steps concurrently and continues when all have ended."),
        sound(
            frames::FLOW,
            "steps:\n  - parallel both:\n      on_any_failure: wait_all\n      - step pricing:\n          service: estimate\n          inputs: trigger.entity -> repair\n      - step pause:\n          wait: 2h",
        ),
        words("parallel", "Key", frames::IN_PARALLEL, PARALLEL),
        words("on_any_failure", "When a branch fails", frames::IN_PARALLEL, FAILURES),
        text("### Compensations\n\nIf the process fails, they run in the reverse order of the completed steps."),
        words("compensation", "Key", frames::IN_COMPENSATION_CALL, COMPENSATION),
    ]
}

const STEPS: &str = "## Steps

`step NAME \"Title\":`, with or without a dash, has one action, and continues with the next step unless it names another one.";

const STEP: &[Entry] = &[
    entry_in(frames::IN_STEP, "service", "Calls a [service](service.md).", "service: estimate\ninputs: trigger.entity -> repair"),
    entry_in(frames::IN_STEP, "subprocess", "Runs another process and waits for it.", "subprocess: reminding"),
    entry_in(
        frames::IN_STEP,
        "llm_intent",
        "Runs an intent of a [language model](llm.md).",
        "llm_intent: thank\ninputs: trigger.entity -> repair",
    ),
    entry_in(
        frames::IN_STEP,
        "human_task",
        "Creates a human task. See [human tasks](#human-tasks).",
        "human_task:\n  entity: Repair\n  assignee_role: mechanic\n  outcomes:\n    - done:\n        goto: complete",
    ),
    entry_in(frames::IN_STEP, "wait", "Waits for a time, or for a signal: `wait: signal NAME`.", "wait: 2 hours"),
    entry_in(
        frames::IN_STEP,
        "condition",
        "Chooses the next step by a condition on known values.",
        "condition: trigger.entity.express\non_true: later\non_false: complete",
    ),
    entry_in(frames::IN_CONDITION, "on_true", "The next step if the condition is true.", "on_true: complete"),
    entry_in(frames::IN_CONDITION, "on_false", "The next step if the condition is false.", "on_false: complete"),
    entry_in(
        frames::IN_STEP,
        "effects",
        "Changes of rows. See [effects](#effects).",
        "effects:\n  - create Part:\n      repair: trigger.entity\n      name: \"Small parts\"",
    ),
    entry_in(
        frames::IN_STEP,
        "inputs",
        "The inputs of the call: `value -> input`, on one line or several.",
        "service: estimate\ninputs:\n  trigger.entity -> repair",
    ),
    entry("output", "A name for its result, in addition to the name of the step.", "output: priced"),
    entry("timeout", "The timeout.", "timeout: 30s"),
    entry("retry", "Retries after a failure. See [retry](#retry).", "retry: 3"),
    entry("on_success", "The next step.", "on_success: complete"),
    entry("on_failure", "The next step after a failure; without it, the process fails.", "on_failure: later"),
    entry("compensate", "The compensation. See [compensations](#compensations).", "compensate: undo"),
    entry("goto", "The next step; another spelling of `on_success`.", "goto: later"),
];

const TARGETS: &[Entry] = &[
    entry("later", "The step with that name.", "goto: later"),
    entry("complete", "The process completes.", "goto: complete"),
    entry("fail", "The process fails.", "goto: fail"),
];

const VALUES: &str = "### Values

The values in conditions, inputs and effects. A bare name is a field of the row that started the process.";

const KNOWN: &[Entry] = &[
    entry(
        "trigger",
        "The trigger of the process: `trigger.entity` is the row, `trigger.payload` the payload of a signal, `trigger.NAME` an output of the completed process.",
        "trigger.entity.express",
    ),
    entry("input", "An input of the process.", "input.express"),
    entry("work", "The result of a step, by its name or by the name in its `output`.", "work.fee > 500"),
    entry("outcome", "After a human task: the outcome.", "asking.outcome = done"),
    entry("by", "After a human task: the account that decided.", "asking.by.name = \"Ann\""),
    entry("at", "After a human task: the time of the decision.", "asking.at < now - 2h"),
    entry("text", "After an intent without `output_schema`: the response.", "contains(thanks.text, \"thank\")"),
    entry("payload", "After a step that waits for a signal: the payload of the signal.", "paid.payload != null"),
];

const TASK: &[Entry] = &[
    entry_in(frames::TASK_OF, "surface", "The surface that shows the row of the task.", "surface: repair_view"),
    entry_in(frames::TASK_OF, "entity", "The entity of the row; it follows from the surface.", "entity: Repair"),
    entry_in(frames::ASSIGNEE, "assignee_role", "The persona that can do the task.", "assignee_role: mechanic"),
    entry_in(frames::ASSIGNEE, "assignee", "The account that must do the task.", "assignee: trigger.entity.mechanic"),
    entry("timeout", "The timeout.", "timeout: 2 days"),
    entry_in(
        frames::OUTCOMES,
        "outcomes",
        "The outcomes. Required.",
        "outcomes:\n  - agreed \"Agreed\":\n      goto: complete\n  - refused:\n      goto: fail",
    ),
];

const OUTCOME: &[Entry] = &[
    entry("goto", "The next step.", "goto: complete"),
    entry("sets", "The fields of the row that it sets: `field -> value`.", "goto: complete\nsets:\n  notes -> \"seen\""),
    entry("confirm", "Whether the user must confirm, or the text of the question.", "goto: complete\nconfirm: \"Are you sure?\""),
];

const EFFECTS: &[Entry] = &[
    entry("create", "Creates a row.", "- create Part:\n    repair: trigger.entity\n    name: \"Small parts\""),
    entry("update", "Updates the row that started the process, or rows of an entity.", "- update trigger.entity:\n    hours: 2"),
    entry("delete", "Deletes rows.", "- delete Part:\n    where: price = 0"),
    entry("emit", "Sends a signal.", "- emit repair_priced"),
];

const EFFECT_WORDS: &[Entry] = &[
    entry("where", "The condition on the rows.", "- delete Part:\n    where: repair = trigger.entity"),
    entry(
        "set",
        "Values can also be written under it, each as `field -> value`.",
        "- update Part:\n    where: repair = trigger.entity\n    set:\n      count -> 2",
    ),
];

const RETRY: &[Entry] = &[
    entry_in(frames::ATTEMPTS, "max_attempts", "The number of attempts.", "max_attempts: 3"),
    entry("backoff", "The growth of the delays; the default is `fixed`.", "backoff: exponential"),
    entry("interval", "The first delay; the default is one second.", "interval: 5s"),
];

const BACKOFFS: &[Entry] = &[
    entry("fixed", "Equal delays.", "backoff: fixed"),
    entry("linear", "Each delay is longer by the first one.", "backoff: linear"),
    entry("exponential", "Each delay is twice the previous one.", "backoff: exponential"),
];

const PARALLEL: &[Entry] = &[
    entry_in(frames::PARALLEL, "step", "A branch.", "- step one:\n    wait: 1h\n- step two:\n    wait: 2h"),
    entry_in(frames::PARALLEL, "steps", "Branches, in a block.", "steps:\n  - step one:\n      wait: 1h\n  - step two:\n      wait: 2h"),
    entry("on_any_failure", "What happens to the other branches if one fails.", "on_any_failure: wait_all"),
    entry("effects", "Changes of rows after all have ended.", "effects:\n  - emit both_done"),
    entry("timeout", "The timeout.", "timeout: 1d"),
    entry("on_success", "The next step.", "on_success: complete"),
    entry("on_failure", "The next step after a failure.", "on_failure: later"),
    entry("compensate", "The compensation.", "compensate: undo"),
    entry("goto", "The next step; another spelling of `on_success`.", "goto: complete"),
];

const FAILURES: &[Entry] = &[
    entry("fail_fast", "They are cancelled.", "on_any_failure: fail_fast"),
    entry("wait_all", "They finish before the step fails.", "on_any_failure: wait_all"),
    entry("rollback", "They are cancelled and compensated.", "on_any_failure: rollback"),
];

const COMPENSATION: &[Entry] = &[
    entry_in(frames::IN_COMPENSATION, "service", "Calls a service.", "service: refund\ninputs: trigger.entity -> repair"),
    entry_in(frames::IN_COMPENSATION, "subprocess", "Runs a process.", "subprocess: reminding"),
    entry_in(
        frames::IN_COMPENSATION,
        "llm_intent",
        "Runs an intent of a language model.",
        "llm_intent: thank\ninputs: trigger.entity -> repair",
    ),
    entry_in(frames::IN_COMPENSATION, "effects", "Changes rows.", "effects:\n  - delete Part:\n      where: repair = trigger.entity"),
    entry_in(frames::IN_COMPENSATION, "inputs", "The inputs of the call.", "service: refund\ninputs:\n  trigger.entity -> repair"),
    entry("timeout", "The timeout.", "timeout: 1h"),
    entry("retry", "Retries after a failure.", "retry: 5"),
];
