//! A language model of a server of its own without its address.

use crate::{
    Diagnostics, Severity,
    model::{Model, Provider},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "model-without-address",
    severity: Severity::Lint,
    summary: "a language model has no address, and its provider has no default",
    wrong: "entity Task:\n  id: uuid pk\n  permit:\n    read: true\nllm_model small:\n  provider: local\n  model_id: phi-3\nllm_intent greet:\n  model: small\n  prompt: \"Say hello\"\n",
    right: "entity Task:\n  id: uuid pk\n  permit:\n    read: true\nllm_model small:\n  provider: local\n  model_id: phi-3\n  base_url: \"http://localhost:8000/v1\"\nllm_intent greet:\n  model: small\n  prompt: \"Say hello\"\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for it in model.llm_models.iter().filter(|it| it.base_url.is_none()) {
        match it.provider {
            Provider::Azure | Provider::Local => out.push(
                RULE.diagnostic(it.span, format!("the application does not start: `{}` has no address", it.name))
                    .help("add `base_url:`, unless the program sets its own provider with `llm_provider`"),
            ),
            Provider::Anthropic | Provider::Openai | Provider::Google | Provider::Mistral | Provider::Ollama => {}
        }
    }
}
