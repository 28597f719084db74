//! Language models, their common configuration, and LLM intents.

mod intent;

pub(super) use intent::report_sensitive_argument;

use std::collections::HashMap;

use super::{
    Lowering, collect,
    process::find,
    services,
    values::{amount, whole},
};
use crate::{
    Diagnostic,
    cursor::Name,
    model::{LlmConfig, LlmIntentId, LlmModel, LlmModelId, Placed, Provider, Tier},
    syntax::{File, Item, llm as written},
};

pub(super) fn lower(it: &mut Lowering<'_>, files: &[File]) {
    let items = || files.iter().flat_map(|file| &file.items);
    let mut seen = HashMap::new();
    for item in items() {
        if let Item::LlmModel(model) = item
            && collect::first(it, &mut seen, "language model", &model.name)
        {
            let lowered = lower_model(it, model);
            it.callable.models.insert(lowered.name.clone(), LlmModelId(it.llm_models.len()));
            it.llm_models.push(lowered);
        }
    }
    for item in items() {
        if let Item::LlmConfig(config) = item {
            lower_config(it, config);
        }
    }
    let mut seen = HashMap::new();
    for item in items() {
        if let Item::LlmIntent(intent) = item
            && collect::first(it, &mut seen, "intent", &intent.name)
        {
            let lowered = intent::lower(it, intent);
            it.callable.intents.insert(intent.name.text.clone(), LlmIntentId(it.llm_intents.len()));
            it.llm_intents.push(lowered);
        }
    }
}

/// The largest value of `max_tokens`.
const MAX_TOKENS: u32 = 10_000_000;

fn lower_model(it: &mut Lowering<'_>, model: &written::LlmModel) -> LlmModel {
    if model.present.lacks("provider") {
        missing(it, &model.name, "language model", "`provider: anthropic`, or who else serves it");
    }
    if model.present.lacks("model_id") {
        missing(it, &model.name, "language model", "`model_id:` with the name that the provider has for it");
    }
    LlmModel {
        name: model.name.text.clone(),
        title: collect::title(&model.title, &model.name),
        provider: model.provider.as_ref().and_then(|word| it.word("unknown-value", "provider", word)).unwrap_or(Provider::Local),
        model_id: model.model_id.as_ref().map_or_else(String::new, |id| id.text.clone()),
        tier: model.tier.as_ref().and_then(|word| it.word("unknown-value", "tier", word)).unwrap_or(Tier::Balanced),
        max_tokens: model.max_tokens.as_ref().and_then(|number| whole(it, number, "`max_tokens`", 1..=MAX_TOKENS)),
        base_url: model.base_url.as_ref().and_then(|text| services::url(it, text)),
        api_key_env: model.api_key_env.as_ref().and_then(|name| variable(it, name)),
        cost_per_1k_input: model.cost_input.as_ref().and_then(|number| amount(it, number, "a cost")),
        cost_per_1k_output: model.cost_output.as_ref().and_then(|number| amount(it, number, "a cost")),
        span: model.name.span,
    }
}

/// The name of an environment variable. A declaration must not contain the API key itself.
fn variable(it: &mut Lowering<'_>, name: &Name) -> Option<String> {
    let fits = !name.text.starts_with(|c: char| c.is_ascii_digit())
        && !name.text.is_empty()
        && name.text.chars().all(|c| c == '_' || c.is_ascii_uppercase() || c.is_ascii_digit());
    if !fits {
        it.out.push(
            Diagnostic::error("key-in-text", name.span, "this is not the name of an environment variable")
                .help("write a name such as `ANTHROPIC_API_KEY`, and keep the key itself out of the declaration"),
        );
        return None;
    }
    Some(name.text.clone())
}

/// Reports a missing required key.
pub(super) fn missing(it: &mut Lowering<'_>, name: &Name, what: &str, add: &str) {
    let found = Diagnostic::error("missing-key", name.span, format!("{what} `{}` is incomplete", name.text));
    it.out.push(found.help(format!("add {add}")));
}

/// Resolves the name of a language model.
fn model(it: &mut Lowering<'_>, name: &Name) -> Option<Placed<LlmModelId>> {
    find(it, |callable| &callable.models, "unknown-llm-model", "language model", name)
}

fn lower_config(it: &mut Lowering<'_>, config: &written::Config) {
    if let Some(first) = &it.llm_config {
        let found =
            Diagnostic::error("duplicate-name", config.span, "`llm_config` is declared twice").label(first.span, "first declared here");
        it.out.push(found.help("keep one of them"));
        return;
    }
    let mut seen = HashMap::new();
    let mut rate_limits = Vec::new();
    for (name, limit) in &config.rate_limits {
        if !collect::first(it, &mut seen, "limit of", name) {
            continue;
        }
        let limit = whole(it, limit, "a limit per minute", 1..=1_000_000);
        rate_limits.extend(model(it, name).zip(limit));
    }
    let flag = |key: &str| config.logging.iter().find(|(name, _)| name.text == key).map(|(_, flag)| *flag);
    let default_model = config.default_model.as_ref().and_then(|name| model(it, name));
    let budget_alert_usd = config.budget_alert.as_ref().and_then(|number| amount(it, number, "a budget"));
    it.llm_config = Some(LlmConfig {
        default_model,
        rate_limits,
        log_prompts: flag("log_prompts").unwrap_or(false),
        log_completions: flag("log_completions").unwrap_or(false),
        redact_pii: flag("redact_pii").unwrap_or(true),
        budget_alert_usd,
        span: config.span,
    });
}
