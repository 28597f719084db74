//! LLM intents: requests to language models, whose answers are checked.

mod answer;
mod models;
#[cfg(feature = "adapters")]
mod network;
mod prompt;
mod provider;
mod redaction;
mod request;

pub(crate) use models::connect;
pub use provider::{LlmFailure, LlmMessage, LlmProvider, LlmRequest, LlmResponse};
