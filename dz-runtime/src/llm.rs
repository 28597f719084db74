//! LLM intents: requests to language models, whose answers are checked.

mod answer;
mod limits;
mod models;
#[cfg(feature = "adapters")]
mod network;
mod prompt;
mod provider;
mod redaction;
mod request;

pub(crate) use models::connect;
#[cfg(feature = "testing")]
pub(crate) use models::declared;
pub use provider::{LlmFailure, LlmMessage, LlmProvider, LlmRequest, LlmResponse};
