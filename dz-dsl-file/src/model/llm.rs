//! Language models, and the questions put to them.

use super::{Duration, EntityEvent, EntityId, Expr, FieldId, LlmModelId, Path, Placed, Retry, ValueField, words::words};
use crate::Span;

/// A language model.
#[derive(Debug, Clone, PartialEq)]
pub struct LlmModel {
    /// Identifier.
    pub name: String,
    /// Title.
    pub title: String,
    /// Who serves it.
    pub provider: Provider,
    /// Its name there.
    pub model_id: String,
    /// What it is good for; `balanced` unless said.
    pub tier: Tier,
    /// Longest answer.
    pub max_tokens: Option<u32>,
    /// Where it is served, when not at the provider's own address.
    pub base_url: Option<String>,
    /// The environment variable that holds the key.
    pub api_key_env: Option<String>,
    /// US dollars per thousand tokens of the question, digits as written.
    pub cost_per_1k_input: Option<String>,
    /// US dollars per thousand tokens of the answer, digits as written.
    pub cost_per_1k_output: Option<String>,
    /// The name in the declaration.
    pub span: Span,
}

words! {
    /// Who serves a language model: which interface is spoken.
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
    /// What a language model is good for.
    Tier {
        Fast = "fast",
        Balanced = "balanced",
        Quality = "quality",
    }
}

/// What holds for all language models.
#[derive(Debug, Clone, PartialEq)]
pub struct LlmConfig {
    /// The model of intents that name none.
    pub default_model: Option<Placed<LlmModelId>>,
    /// Requests per minute.
    pub rate_limits: Vec<(Placed<LlmModelId>, u32)>,
    /// Questions are logged.
    pub log_prompts: bool,
    /// Answers are logged.
    pub log_completions: bool,
    /// Personal data is taken out of what is logged; true unless said.
    pub redact_pii: bool,
    /// US dollars a month above which an alert is sent, digits as written.
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
    /// What it is for.
    pub description: Option<String>,
    /// Which model: the one named, else the default.
    pub model: Placed<LlmModelId>,
    /// The question.
    pub prompt: Vec<PromptPart>,
    /// What it takes: as declared, else what the prompt uses.
    pub input: Vec<ValueField>,
    /// The entity whose fields describe the answer; without one the answer is text.
    pub output_schema: Option<Placed<EntityId>>,
    /// After how long it fails.
    pub timeout: Option<Duration>,
    /// Longest answer.
    pub max_tokens: Option<u32>,
    /// How often it is tried again.
    pub retry: Option<Retry>,
    /// What becomes of personal data in the question; `None`: it is not looked for.
    pub pii: Option<PiiAction>,
    /// The event that asks it.
    pub trigger: Option<IntentTrigger>,
    /// The name in the declaration.
    pub span: Span,
}

/// A part of a prompt.
#[derive(Debug, Clone, PartialEq)]
pub enum PromptPart {
    /// Text.
    Text(String),
    /// An input, by position; of a reference, perhaps a field of its row.
    Input(usize, Option<Path>),
}

words! {
    /// What becomes of personal data that is found in a question: it is sent and logged as a warning, it is taken
    /// out, or the question is not sent.
    PiiAction {
        Warn = "warn",
        Redact = "redact",
        Reject = "reject",
    }
}

/// The event that asks a question.
#[derive(Debug, Clone, PartialEq)]
pub struct IntentTrigger {
    /// The entity.
    pub entity: Placed<EntityId>,
    /// What happens to a row of it.
    pub event: EntityEvent,
    /// Only for rows for which this holds.
    pub when: Option<Placed<Expr>>,
    /// Inputs, by position, and fields of the row.
    pub input_map: Vec<(Placed<usize>, Path)>,
    /// Fields of the row and the part of the answer they take.
    pub write_back: Vec<(Placed<FieldId>, Answer)>,
}

/// A part of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// All of it: text, or JSON when an entity describes it.
    Whole,
    /// A field of the entity that describes it.
    Field(FieldId),
}
