//! A language model that no intent uses.

use std::collections::HashSet;

use crate::{
    Diagnostics, Severity,
    model::Model,
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "dead-llm-model",
    severity: Severity::Lint,
    summary: "no intent uses this language model",
    wrong: "entity Task:\n  id: uuid pk\n  permit:\n    read: true\nllm_model haiku:\n  provider: anthropic\n  model_id: claude-3-haiku\n",
    right: "entity Task:\n  id: uuid pk\n  permit:\n    read: true\nllm_model haiku:\n  provider: anthropic\n  model_id: claude-3-haiku\nllm_intent greet:\n  model: haiku\n  prompt: \"Say hello\"\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    let default = model.llm_config.iter().filter_map(|config| config.default_model).map(|default| default.it.0);
    let used: HashSet<usize> = model.llm_intents.iter().map(|intent| intent.model.it.0).chain(default).collect();
    for (_, unused) in model.llm_models.iter().enumerate().filter(|(at, _)| !used.contains(at)) {
        out.push(
            RULE.diagnostic(unused.span, format!("no intent asks `{}`", unused.name))
                .help("name it as the `model` of an `llm_intent`, or remove it"),
        );
    }
}
