//! Language models and LLM intents.

use super::{Backoff, FieldIx, PiiAction, Provider, ValueDef};

/// The language models and intents of an application.
#[derive(Debug, Clone, Copy)]
pub struct LlmDef {
    /// The models.
    pub models: &'static [LlmModelDef],
    /// The intents.
    pub intents: &'static [LlmIntentDef],
    /// Whether prompts are logged.
    pub log_prompts: bool,
    /// Whether answers are logged.
    pub log_completions: bool,
    /// Whether personal data is removed from the log.
    pub redact_pii: bool,
    /// US dollars per calendar month above which a warning is logged.
    pub budget_alert_usd: Option<&'static str>,
}

impl LlmDef {
    /// No models and intents.
    pub const NONE: LlmDef =
        LlmDef { models: &[], intents: &[], log_prompts: false, log_completions: false, redact_pii: true, budget_alert_usd: None };
}

/// A language model.
#[derive(Debug)]
pub struct LlmModelDef {
    /// Identifier.
    pub name: &'static str,
    /// The provider, which determines the API.
    pub provider: Provider,
    /// The id of the model at the provider.
    pub model_id: &'static str,
    /// The maximum number of tokens of an answer.
    pub max_tokens: Option<u32>,
    /// The address of the API, if it is not the provider's default.
    pub base_url: Option<&'static str>,
    /// The environment variable with the API key.
    pub api_key_env: Option<&'static str>,
    /// US dollars per thousand input tokens.
    pub cost_per_1k_input: Option<&'static str>,
    /// US dollars per thousand output tokens.
    pub cost_per_1k_output: Option<&'static str>,
    /// Requests per minute.
    pub rate_limit: Option<u32>,
}

/// A request to a language model.
#[derive(Debug)]
pub struct LlmIntentDef {
    /// Identifier.
    pub name: &'static str,
    /// Its purpose.
    pub description: Option<&'static str>,
    /// The position of its model.
    pub model: u16,
    /// The prompt.
    pub prompt: &'static [PromptPart],
    /// The inputs.
    pub input: &'static [ValueDef],
    /// The fields of the answer; without them, the answer is text.
    pub output: Option<&'static [ValueDef]>,
    /// The timeout of one attempt, in seconds.
    pub timeout: Option<u64>,
    /// The maximum number of tokens of an answer.
    pub max_tokens: Option<u32>,
    /// The repetition of failed attempts.
    pub retry: RetryDef,
    /// The treatment of personal data in the request; `None` does not search for it.
    pub pii: Option<PiiAction>,
}

/// A part of a prompt.
#[derive(Debug)]
pub enum PromptPart {
    /// Text.
    Text(&'static str),
    /// An input, by position; with the fields that lead from the row of a reference to a value.
    Input(u16, &'static [FieldIx]),
}

/// The repetition of failed attempts.
#[derive(Debug, Clone, Copy)]
pub struct RetryDef {
    /// The number of attempts, at least 1.
    pub max_attempts: u32,
    /// The growth of the delays.
    pub backoff: Backoff,
    /// The first delay, in seconds.
    pub interval: u64,
}

impl RetryDef {
    /// A single attempt.
    pub const NONE: RetryDef = RetryDef { max_attempts: 1, backoff: Backoff::Fixed, interval: 1 };
}
