//! Language models and LLM intents.

use dz_vocabulary::{PiiAction, Provider};

use super::{Duration, EntityEvent, EntityId, Expr, FieldId, LlmModelId, Path, Placed, Retry, ValueField, words::words};
use crate::Span;

/// A language model.
#[derive(Debug, Clone, PartialEq)]
pub struct LlmModel {
    /// Identifier.
    pub name: String,
    /// Title.
    pub title: String,
    /// The provider, which determines the API.
    pub provider: Provider,
    /// The id of the model at the provider.
    pub model_id: String,
    /// Its tier; default `balanced`.
    pub tier: Tier,
    /// The maximum number of tokens of a response.
    pub max_tokens: Option<u32>,
    /// The address of the API, if it is not the provider's default.
    pub base_url: Option<String>,
    /// The environment variable that contains the API key.
    pub api_key_env: Option<String>,
    /// US dollars per thousand input tokens, with the digits as written.
    pub cost_per_1k_input: Option<String>,
    /// US dollars per thousand output tokens, with the digits as written.
    pub cost_per_1k_output: Option<String>,
    /// The name in the declaration.
    pub span: Span,
}

words! {
    for Provider {
        Anthropic = "anthropic",
        Openai = "openai",
        Google = "google",
        Azure = "azure",
        Mistral = "mistral",
        Ollama = "ollama",
        Local = "local",
    }
}

words! {
    /// The tiers of language models.
    Tier {
        Fast = "fast",
        Balanced = "balanced",
        Quality = "quality",
    }
}

/// The configuration of all language models.
#[derive(Debug, Clone, PartialEq)]
pub struct LlmConfig {
    /// The model of intents that name none.
    pub default_model: Option<Placed<LlmModelId>>,
    /// Requests per minute.
    pub rate_limits: Vec<(Placed<LlmModelId>, u32)>,
    /// Whether requests are logged.
    pub log_prompts: bool,
    /// Whether responses are logged.
    pub log_completions: bool,
    /// Whether personal data is removed from the log; default true.
    pub redact_pii: bool,
    /// US dollars per calendar month above which a warning is logged, with the digits as written.
    pub budget_alert_usd: Option<String>,
    /// The keyword.
    pub span: Span,
}

/// An LLM intent: a request to a language model.
#[derive(Debug, Clone, PartialEq)]
pub struct LlmIntent {
    /// Identifier.
    pub name: String,
    /// Title.
    pub title: String,
    /// Its purpose.
    pub description: Option<String>,
    /// The model: the named one, else the default.
    pub model: Placed<LlmModelId>,
    /// The prompt.
    pub prompt: Vec<PromptPart>,
    /// The inputs: the declared ones, else the placeholders of the prompt.
    pub input: Vec<ValueField>,
    /// The entity whose fields describe the response; without one, the response is text.
    pub output_schema: Option<Placed<EntityId>>,
    /// The timeout.
    pub timeout: Option<Duration>,
    /// The maximum number of tokens of a response.
    pub max_tokens: Option<u32>,
    /// The retry.
    pub retry: Option<Retry>,
    /// The treatment of personal data in the request; `None` does not search for personal data.
    pub pii: Option<PiiAction>,
    /// The event that starts it.
    pub trigger: Option<IntentTrigger>,
    /// The name in the declaration.
    pub span: Span,
}

/// A part of a prompt.
#[derive(Debug, Clone, PartialEq)]
pub enum PromptPart {
    /// Text.
    Text(String),
    /// An input, by position; for a reference, optionally a field of its row.
    Input(usize, Option<Path>),
}

words! {
    for PiiAction {
        Warn = "warn",
        Redact = "redact",
        Reject = "reject",
    }
}

/// The event that starts an LLM intent.
#[derive(Debug, Clone, PartialEq)]
pub struct IntentTrigger {
    /// The entity.
    pub entity: Placed<EntityId>,
    /// The event of its rows.
    pub event: EntityEvent,
    /// The condition on the row.
    pub when: Option<Placed<Expr>>,
    /// Inputs, by position, and fields of the row.
    pub input_map: Vec<(Placed<usize>, Path)>,
    /// Fields of the row, with the part of the response that they get.
    pub write_back: Vec<(Placed<FieldId>, Answer)>,
}

/// A part of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The whole response: text, or JSON if an entity describes it.
    Whole,
    /// A field of the entity that describes it.
    Field(FieldId),
}
