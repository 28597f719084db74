//! The rules that services, processes, schedules and language models can break while they are resolved.

use super::error;
use crate::diagnostic::{Rule, Severity};

/// An entity, a service and a process with one step, into which the examples put their lines.
macro_rules! process {
    ($head:literal, $step:literal) => {
        concat!(
            "entity Order:\n  id: uuid pk\n  total: decimal(8,2) = 0\n  status: enum[open, done] = open\n  permit:\n    read: true\n",
            "service price:\n  input:\n    total: decimal(8,2)\n  output:\n    sum: decimal(8,2)\n  stub: rust\n",
            "process bill:\n  trigger: entity Order created\n",
            $head,
            "  steps:\n    - step work:\n",
            $step
        )
    };
}

macro_rules! entity {
    ($rest:literal) => {
        concat!("entity Order:\n  id: uuid pk\n  note: text\n  permit:\n    read: true\n", $rest)
    };
}

macro_rules! model {
    ($lines:literal, $rest:literal) => {
        concat!(
            "entity Order:\n  id: uuid pk\n  note: text\n  permit:\n    read: true\nllm_model haiku:\n  provider: anthropic\n",
            $lines,
            $rest
        )
    };
}

const PLAIN: &str = process!("", "        service: price\n");

/// Rules of services, processes, schedules and language models.
pub const RULES: &[Rule] = &[
    error("unknown-service", "a step calls no service that is declared", process!("", "        service: pice\n"), PLAIN),
    error(
        "unknown-process",
        "a step or a trigger names no process",
        process!("", "        subprocess: bil\n"),
        process!("", "        subprocess: other\nprocess other:\n  steps:\n    - step wait:\n        wait: 1h\n"),
    ),
    error(
        "unknown-story",
        "a process carries out no story that is declared",
        process!("  implements: ST-002\n", "        service: price\n"),
        process!("  implements: ST-001\n", "        service: price\nstory ST-001 \"An order is billed\"\n"),
    ),
    error(
        "unknown-step",
        "a process goes on at no step that is declared",
        process!("", "        service: price\n        goto: wrk\n"),
        process!("", "        service: price\n        goto: complete\n"),
    ),
    error(
        "unknown-compensation",
        "a step is undone by nothing that is declared",
        process!("", "        service: price\n        compensate: undo\n"),
        process!(
            "  compensations:\n    - compensate undo:\n        service: price\n",
            "        service: price\n        compensate: undo\n"
        ),
    ),
    error(
        "unknown-llm-model",
        "a language model is named that is not declared",
        model!("  model_id: claude-3-haiku\n", "llm_intent greet:\n  model: haiko\n  prompt: \"Say hello\"\n"),
        model!("  model_id: claude-3-haiku\n", "llm_intent greet:\n  model: haiku\n  prompt: \"Say hello\"\n"),
    ),
    error(
        "unknown-llm-intent",
        "a step asks no question that is declared",
        process!("", "        llm_intent: greet\n"),
        process!(
            "",
            "        llm_intent: greet\nllm_model haiku:\n  provider: anthropic\n  model_id: claude-3-haiku\nllm_intent greet:\n  model: haiku\n  prompt: \"Say hello\"\n"
        ),
    ),
    error(
        "input-mismatch",
        "what is called has no such input, needs another one, or one of another type",
        process!("", "        service: price\n        inputs: trigger.entity.status -> total\n"),
        process!("", "        service: price\n        inputs: trigger.entity.total -> total\n"),
    ),
    error(
        "missing-outcome",
        "a person is asked, and nothing can be decided",
        process!("", "        human_task:\n          entity: Order\n          assignee_role: admin\n"),
        process!(
            "",
            "        human_task:\n          entity: Order\n          assignee_role: admin\n          outcomes:\n            - approve:\n                goto: complete\n            - reject:\n                goto: fail\n"
        ),
    ),
    error(
        "duplicate-step",
        "two steps of a process share a name",
        process!("", "        service: price\n    - step work:\n        wait: 1h\n"),
        process!("", "        service: price\n    - step pause:\n        wait: 1h\n"),
    ),
    error("step-without-action", "a step does nothing", process!("", "        timeout: 30s\n"), PLAIN),
    error(
        "several-actions",
        "a step does two things",
        process!("", "        service: price\n        wait: 1h\n"),
        process!("", "        service: price\n    - step pause:\n        wait: 1h\n"),
    ),
    error(
        "bad-cron",
        "a cron that names no point in time",
        entity!("schedule nightly:\n  cron: \"0 25 * * *\"\n  steps:\n    - step a:\n        wait: 1h\n"),
        entity!("schedule nightly:\n  cron: \"0 3 * * *\"\n  steps:\n    - step a:\n        wait: 1h\n"),
    ),
    error(
        "bad-placeholder",
        "double braces in a prompt hold something that is no input",
        model!("  model_id: claude-3-haiku\n", "llm_intent sum_up:\n  model: haiku\n  prompt: \"Sum up {{ note }}\"\n"),
        model!("  model_id: claude-3-haiku\n", "llm_intent sum_up:\n  model: haiku\n  prompt: \"Sum up {{ input.note }}\"\n"),
    ),
    error(
        "key-in-text",
        "a key stands where the name of an environment variable is meant",
        model!("  model_id: claude-3-haiku\n  api_key_env: \"sk-12345\"\n", ""),
        model!("  model_id: claude-3-haiku\n  api_key_env: ANTHROPIC_API_KEY\n", ""),
    ),
    Rule {
        name: "task-for-nobody",
        severity: Severity::Warning,
        summary: "a human task does not say who is asked",
        wrong: process!("", "        human_task:\n          entity: Order\n          outcomes:\n            - ok\n"),
        right: process!(
            "",
            "        human_task:\n          entity: Order\n          assignee_role: admin\n          outcomes:\n            - ok\n"
        ),
    },
    Rule {
        name: "output-without-value",
        severity: Severity::Warning,
        summary: "an output of a process that no step gives",
        wrong: process!("  output:\n    amount: decimal(8,2)\n", "        service: price\n"),
        right: process!("  output:\n    amount: decimal(8,2) = work.sum\n", "        service: price\n"),
    },
    Rule {
        name: "ambiguous-duration",
        severity: Severity::Lint,
        summary: "`m` means minutes in processes, and months elsewhere",
        wrong: process!("  timeout: 5m\n", "        service: price\n"),
        right: process!("  timeout: 5 minutes\n", "        service: price\n"),
    },
    Rule {
        name: "retry-once",
        severity: Severity::Lint,
        summary: "one attempt is no retry",
        wrong: process!("", "        service: price\n        retry: 1\n"),
        right: process!("", "        service: price\n        retry: 3\n"),
    },
    Rule {
        name: "unused-input",
        severity: Severity::Lint,
        summary: "a prompt does not use an input that is declared for it",
        wrong: model!(
            "  model_id: claude-3-haiku\n",
            "llm_intent sum_up:\n  model: haiku\n  input:\n    note: text\n  prompt: \"Sum up\"\n"
        ),
        right: model!(
            "  model_id: claude-3-haiku\n",
            "llm_intent sum_up:\n  model: haiku\n  input:\n    note: text\n  prompt: \"Sum up {{ input.note }}\"\n"
        ),
    },
];
