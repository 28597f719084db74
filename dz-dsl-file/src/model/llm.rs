//! Language models, and the questions to them.

use super::{Duration, EntityEvent, EntityId, Expr, FieldId, LlmModelId, Path, Placed, Retry, ValueField, words::words};
use crate::Span;

/// A language model.
#[derive(Debug, Clone, PartialEq)]
pub struct LlmModel {
    /// Identifier.
    pub name: String,
    /// Title.
    pub title: String,
    /// The provider, which decides the interface.
    pub provider: Provider,
    /// The provider's name for it.
    pub model_id: String,
    /// Its tier; default `balanced`.
    pub tier: Tier,
    /// The longest answer.
    pub max_tokens: Option<u32>,
    /// Its address, if it is not the provider's own.
    pub base_url: Option<String>,
    /// The environment variable that contains the API key.
    pub api_key_env: Option<String>,
    /// US dollars per thousand tokens of the question, with the digits as written.
    pub cost_per_1k_input: Option<String>,
    /// US dollars per thousand tokens of the answer, with the digits as written.
    pub cost_per_1k_output: Option<String>,
    /// The name in the declaration.
    pub span: Span,
}

words! {
    /// The providers of language models, each with its interface.
    Provider {
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
    /// Whether questions are logged.
    pub log_prompts: bool,
    /// Whether answers are logged.
    pub log_completions: bool,
    /// Whether personal data is removed from the log; default true.
    pub redact_pii: bool,
    /// US dollars per month above which an alert is sent, with the digits as written.
    pub budget_alert_usd: Option<String>,
    /// The keyword.
    pub span: Span,
}

/// A question to a language model.
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
    /// The question.
    pub prompt: Vec<PromptPart>,
    /// The inputs: the declared ones, else the placeholders of the prompt.
    pub input: Vec<ValueField>,
    /// The entity whose fields describe the answer; without one, the answer is text.
    pub output_schema: Option<Placed<EntityId>>,
    /// The timeout.
    pub timeout: Option<Duration>,
    /// The longest answer.
    pub max_tokens: Option<u32>,
    /// The retry.
    pub retry: Option<Retry>,
    /// The treatment of personal data in the question; `None`: personal data is not searched.
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
    /// The treatment of personal data that is found in a question: the question is sent and a warning logged, the data is removed,
    /// or the question is not sent.
    PiiAction {
        Warn = "warn",
        Redact = "redact",
        Reject = "reject",
    }
}

/// The event that starts a question.
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
    /// Fields of the row, with the part of the answer that they get.
    pub write_back: Vec<(Placed<FieldId>, Answer)>,
}

/// A part of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// All of it: text, or JSON if an entity describes it.
    Whole,
    /// A field of the entity that describes it.
    Field(FieldId),
}
