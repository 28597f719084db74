//! Rules of services, processes, schedules and language models.

macro_rules! order {
    ($rest:literal) => {
        concat!("entity Order:\n  id: uuid pk\n  note: text\n  permit:\n    read: true\n", $rest)
    };
}

macro_rules! llm {
    ($lines:literal, $rest:literal) => {
        concat!(
            "entity Order:\n  id: uuid pk\n  note: text\n  permit:\n    read: true\nllm_model haiku:\n  provider: anthropic\n",
            $lines,
            $rest
        )
    };
}

macro_rules! price_steps {
    ($steps:literal) => {
        concat!(
            "entity Task:\n  id: uuid pk\n  permit:\n    read: true\n",
            "service price:\n  output:\n    total: int required\n    note: text\n  stub: rust\n",
            "service book:\n  input:\n    total: int required\n  stub: rust\nprocess p:\n  steps:\n",
            $steps
        )
    };
}

macro_rules! steps {
    ($steps:literal) => {
        concat!("entity Task:\n  id: uuid pk\n  permit:\n    read: true\nservice work:\n  stub: rust\nprocess p:\n  steps:\n", $steps)
    };
}

/// An entity of notes, and a process or schedule with effects.
macro_rules! noted_order {
    ($head:literal, $effect:literal) => {
        concat!(
            "entity Order:\n  id: uuid pk\n  note: text\n  permit:\n    read: true\n",
            "entity Note:\n  id: uuid pk\n  text: str(80) required\n  permit:\n    read: true\n",
            $head,
            "  steps:\n    - step a:\n        effects:\n      ",
            $effect
        )
    };
}

/// A process that creates notes with an author.
macro_rules! signed_note {
    ($effect:literal) => {
        concat!(
            "entity Order:\n  id: uuid pk\n  owner: ref User required\n  permit:\n    read: true\n",
            "entity Note:\n  id: uuid pk\n  text: str(80) required\n  author: ref User required = current_user\n  permit:\n    read: true\n",
            "process p:\n  trigger: entity Order created\n  steps:\n    - step a:\n        effects:\n",
            $effect
        )
    };
}

/// An entity with states.
macro_rules! state_order {
    ($rest:literal) => {
        concat!(
            "entity Order:\n  id: uuid pk\n  status: enum[open, done, filed] = open\n  transitions:\n    open -> done\n    done -> filed\n",
            "  permit:\n    read: true\n    update: true\n",
            $rest
        )
    };
}

/// A process that takes the price of large orders, and asks about small ones.
macro_rules! priced_note {
    ($after_ask:literal) => {
        concat!(
            "entity Order:\n  id: uuid pk\n  large: bool = false\n  permit:\n    read: true\n",
            "entity Note:\n  id: uuid pk\n  total: int required\n  permit:\n    read: true\n",
            "service price:\n  output:\n    total: int required\n  stub: rust\n",
            "process p:\n  trigger: entity Order created\n  steps:\n    - step first:\n        condition: trigger.entity.large\n",
            "        on_true: pricing\n        on_false: ask\n    - step pricing:\n        service: price\n        goto: store\n",
            "    - step ask:\n        wait: 1h\n",
            $after_ask,
            "    - step store:\n        effects:\n          - create Note:\n              total: pricing.total\n"
        )
    };
}

/// Tasks of tenants, and a process that creates one.
macro_rules! firm_process {
    ($process:literal, $effect:literal) => {
        concat!(
            "entity Firm:\n  id: uuid pk\n  archetype: tenant\nentity Member:\n  id: uuid pk\n  archetype: user_membership\n",
            "entity Task:\n  id: uuid pk\n  name: str(80)\n  permit:\n    read: true\n",
            "service pick:\n  output:\n    firm: ref Firm required\n  stub: rust\n",
            $process,
            "  steps:\n    - step work:\n        service: pick\n        effects:\n          - create Task:\n              name: \"One\"\n",
            $effect
        )
    };
}

/// Orders that clerks read, and a process with a human task about one.
macro_rules! asked_order {
    ($process:literal, $task:literal) => {
        concat!(
            "persona clerk\npersona cook\n",
            "entity Order:\n  id: uuid pk\n  name: str(80)\n  permit:\n    read: role(clerk)\n    create: role(clerk)\n",
            $process,
            "  steps:\n    - step ask:\n        human_task:\n",
            $task,
            "          outcomes:\n            - done:\n                goto: complete\n"
        )
    };
}

mod create_without_tenant;
mod dead_llm_model;
mod default_without_caller;
mod endless_trigger;
mod field_may_be_null;
mod impossible_state;
mod input_may_be_null;
mod model_without_address;
mod never_completes;
mod never_triggered;
mod null_in_required;
mod result_not_known_yet;
mod result_on_some_paths;
mod service_without_stub;
mod similar_signal;
mod subprocess_cycle;
mod task_without_row;
mod unreachable_step;
mod unseen_task;
mod unused_compensation;

use super::{Area, Rule};

/// The rules of this area.
pub(super) const AREA: Area = Area {
    name: "services and processes",
    rules: &[
        Rule::lint(
            "ambiguous-duration",
            "`m` means minutes in processes, and months elsewhere",
            process!("  timeout: 5m\n", "        service: price\n"),
            process!("  timeout: 5 minutes\n", "        service: price\n"),
        ),
        Rule::error(
            "bad-cron",
            "a cron expression is invalid or matches no time",
            order!("schedule nightly:\n  cron: \"0 25 * * *\"\n  steps:\n    - step a:\n        wait: 1h\n"),
            order!("schedule nightly:\n  cron: \"0 3 * * *\"\n  steps:\n    - step a:\n        wait: 1h\n"),
        ),
        Rule::error(
            "bad-placeholder",
            "a placeholder of a prompt is not a declared input",
            llm!("  model_id: claude-3-haiku\n", "llm_intent sum_up:\n  model: haiku\n  prompt: \"Sum up {{ note }}\"\n"),
            llm!("  model_id: claude-3-haiku\n", "llm_intent sum_up:\n  model: haiku\n  prompt: \"Sum up {{ input.note }}\"\n"),
        ),
        create_without_tenant::RULE,
        dead_llm_model::RULE,
        default_without_caller::RULE,
        Rule::error(
            "duplicate-step",
            "two steps of a process share a name",
            process!("", "        service: price\n    - step work:\n        wait: 1h\n"),
            process!("", "        service: price\n    - step pause:\n        wait: 1h\n"),
        ),
        endless_trigger::RULE,
        field_may_be_null::RULE,
        impossible_state::RULE,
        input_may_be_null::RULE,
        Rule::error(
            "input-mismatch",
            "the inputs of a call do not match the declared inputs",
            process!("", "        service: price\n        inputs: trigger.entity.status -> total\n"),
            process!("", "        service: price\n        inputs: trigger.entity.total -> total\n"),
        ),
        Rule::error(
            "key-in-text",
            "an API key is written in place of the name of an environment variable",
            llm!("  model_id: claude-3-haiku\n  api_key_env: \"sk-12345\"\n", ""),
            llm!("  model_id: claude-3-haiku\n  api_key_env: ANTHROPIC_API_KEY\n", ""),
        ),
        Rule::error(
            "missing-outcome",
            "a human task has no outcome",
            process!("", "        human_task:\n          entity: Order\n          assignee_role: admin\n"),
            process!(
                "",
                "        human_task:\n          entity: Order\n          assignee_role: admin\n          outcomes:\n            - approve:\n                goto: complete\n            - reject:\n                goto: fail\n"
            ),
        ),
        model_without_address::RULE,
        never_completes::RULE,
        never_triggered::RULE,
        null_in_required::RULE,
        Rule::warning(
            "output-without-value",
            "no step sets an output of a process",
            process!("  output:\n    amount: decimal(8,2)\n", "        service: price\n"),
            process!("  output:\n    amount: decimal(8,2) = work.sum\n", "        service: price\n"),
        ),
        result_not_known_yet::RULE,
        result_on_some_paths::RULE,
        Rule::lint(
            "retry-once",
            "a retry with one attempt repeats nothing",
            process!("", "        service: price\n        retry: 1\n"),
            process!("", "        service: price\n        retry: 3\n"),
        ),
        service_without_stub::RULE,
        Rule::error(
            "several-actions",
            "a step has several actions",
            process!("", "        service: price\n        wait: 1h\n"),
            process!("", "        service: price\n    - step pause:\n        wait: 1h\n"),
        ),
        similar_signal::RULE,
        Rule::error("step-without-action", "a step has no action", process!("", "        timeout: 30s\n"), PLAIN),
        subprocess_cycle::RULE,
        Rule::warning(
            "task-without-assignee",
            "a human task has no assignee",
            process!("", "        human_task:\n          entity: Order\n          outcomes:\n            - ok\n"),
            process!(
                "",
                "        human_task:\n          entity: Order\n          assignee_role: admin\n          outcomes:\n            - ok\n"
            ),
        ),
        task_without_row::RULE,
        Rule::error(
            "unknown-compensation",
            "a step names a compensation that is not declared",
            process!("", "        service: price\n        compensate: undo\n"),
            process!(
                "  compensations:\n    - compensate undo:\n        service: price\n",
                "        service: price\n        compensate: undo\n"
            ),
        ),
        Rule::error(
            "unknown-llm-intent",
            "a step names an intent that is not declared",
            process!("", "        llm_intent: greet\n"),
            process!(
                "",
                "        llm_intent: greet\nllm_model haiku:\n  provider: anthropic\n  model_id: claude-3-haiku\nllm_intent greet:\n  model: haiku\n  prompt: \"Say hello\"\n"
            ),
        ),
        Rule::error(
            "unknown-llm-model",
            "an intent names a language model that is not declared",
            llm!("  model_id: claude-3-haiku\n", "llm_intent greet:\n  model: haiko\n  prompt: \"Say hello\"\n"),
            llm!("  model_id: claude-3-haiku\n", "llm_intent greet:\n  model: haiku\n  prompt: \"Say hello\"\n"),
        ),
        Rule::error(
            "unknown-process",
            "a step or a trigger names a process that is not declared",
            process!("", "        subprocess: bil\n"),
            process!("", "        subprocess: other\nprocess other:\n  steps:\n    - step wait:\n        wait: 1h\n"),
        ),
        Rule::error("unknown-service", "a step names a service that is not declared", process!("", "        service: pice\n"), PLAIN),
        Rule::error(
            "unknown-step",
            "a process continues at a step that is not declared",
            process!("", "        service: price\n        goto: wrk\n"),
            process!("", "        service: price\n        goto: complete\n"),
        ),
        unreachable_step::RULE,
        unseen_task::RULE,
        unused_compensation::RULE,
        Rule::lint(
            "unused-input",
            "a prompt does not use an input that is declared for it",
            llm!("  model_id: claude-3-haiku\n", "llm_intent sum_up:\n  model: haiku\n  input:\n    note: text\n  prompt: \"Sum up\"\n"),
            llm!(
                "  model_id: claude-3-haiku\n",
                "llm_intent sum_up:\n  model: haiku\n  input:\n    note: text\n  prompt: \"Sum up {{ input.note }}\"\n"
            ),
        ),
    ],
};

const PLAIN: &str = process!("", "        service: price\n");
