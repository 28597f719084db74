//! The interface of providers.

use std::time::Duration;

use serde_json::Value as Json;

/// A request to a language model.
#[derive(Debug, Clone, PartialEq)]
pub struct LlmRequest {
    /// The name of the intent.
    pub intent: String,
    /// The id of the model at the provider.
    pub model: String,
    /// The messages, alternating between the application and the model. The first one is the prompt.
    pub messages: Vec<LlmMessage>,
    /// The maximum number of tokens of the answer.
    pub max_tokens: Option<u32>,
    /// The JSON schema of the answer; without one, the answer is text.
    pub schema: Option<Json>,
    /// The maximum duration.
    pub timeout: Duration,
}

/// A message of a conversation.
#[derive(Debug, Clone, PartialEq)]
pub struct LlmMessage {
    /// True for an earlier answer of the model.
    pub is_answer: bool,
    /// The text.
    pub text: String,
}

/// The answer of a language model.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LlmResponse {
    /// The text; JSON if the request has a schema.
    pub text: String,
    /// The number of tokens of the request.
    pub input_tokens: u64,
    /// The number of tokens of the answer.
    pub output_tokens: u64,
}

impl LlmResponse {
    /// An answer without a count of tokens.
    pub fn text(text: impl Into<String>) -> LlmResponse {
        LlmResponse { text: text.into(), ..LlmResponse::default() }
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq)]
pub struct LlmFailure {
    /// The upper-case identifier of the failure.
    pub code: &'static str,
    /// One sentence.
    pub detail: String,
    /// True if a repetition can succeed.
    pub is_temporary: bool,
    /// The delay that the provider asks for.
    pub retry_after: Option<Duration>,
}

/// Sends requests to language models. A closure from a request to a response is a provider, for tests of an application:
///
/// ```ignore
/// app().llm_provider(|request: &LlmRequest| Ok(LlmResponse::text(format!("a summary of {}", request.messages[0].text))))
/// ```
pub trait LlmProvider: Send + Sync + 'static {
    /// Sends one request, and waits for its answer.
    ///
    /// # Errors
    /// There is no answer.
    fn complete(&self, request: &LlmRequest) -> Result<LlmResponse, LlmFailure>;
}

impl<F> LlmProvider for F
where
    F: Fn(&LlmRequest) -> Result<LlmResponse, LlmFailure> + Send + Sync + 'static,
{
    fn complete(&self, request: &LlmRequest) -> Result<LlmResponse, LlmFailure> {
        self(request)
    }
}
