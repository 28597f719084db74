//! Parts of processes and language models that nothing uses.

use std::collections::HashSet;

use super::flow;
use crate::{
    Diagnostic, Diagnostics,
    diagnostic::{Rule, Severity},
    model::Model,
};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "unused-compensation",
        severity: Severity::Lint,
        summary: "no step is undone by this compensation",
        wrong: "entity Task:\n  id: uuid pk\n  permit:\n    read: true\nservice work:\n  stub: rust\nprocess p:\n  steps:\n    - step a:\n        service: work\n  compensations:\n    - compensate undo:\n        service: work\n",
        right: "entity Task:\n  id: uuid pk\n  permit:\n    read: true\nservice work:\n  stub: rust\nprocess p:\n  steps:\n    - step a:\n        service: work\n        compensate: undo\n  compensations:\n    - compensate undo:\n        service: work\n",
    },
    Rule {
        name: "dead-llm-model",
        severity: Severity::Lint,
        summary: "no intent asks this language model",
        wrong: "entity Task:\n  id: uuid pk\n  permit:\n    read: true\nllm_model haiku:\n  provider: anthropic\n  model_id: claude-3-haiku\n",
        right: "entity Task:\n  id: uuid pk\n  permit:\n    read: true\nllm_model haiku:\n  provider: anthropic\n  model_id: claude-3-haiku\nllm_intent greet:\n  model: haiku\n  prompt: \"Say hello\"\n",
    },
];

pub(super) fn check(model: &Model, out: &mut Diagnostics) {
    for flow in flow::all(model) {
        let used: HashSet<usize> = flow.steps.iter().filter_map(|step| step.compensate).map(|compensation| compensation.it.0).collect();
        for (_, compensation) in flow.compensations.iter().enumerate().filter(|(at, _)| !used.contains(at)) {
            let found = format!("no step is undone by `{}`", compensation.name);
            out.push(
                Diagnostic::lint("unused-compensation", compensation.span, found)
                    .help(format!("write `compensate: {}` on a step, or remove it", compensation.name)),
            );
        }
    }
    let default = model.llm_config.iter().filter_map(|config| config.default_model).map(|default| default.it.0);
    let used: HashSet<usize> = model.llm_intents.iter().map(|intent| intent.model.it.0).chain(default).collect();
    for (_, unused) in model.llm_models.iter().enumerate().filter(|(at, _)| !used.contains(at)) {
        out.push(
            Diagnostic::lint("dead-llm-model", unused.span, format!("no intent asks `{}`", unused.name))
                .help("name it as the `model` of an `llm_intent`, or remove it"),
        );
    }
}
