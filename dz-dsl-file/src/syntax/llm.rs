//! `llm_model`, `llm_config` and `llm_intent`

pub(crate) mod config;
pub(crate) mod intent;
pub(crate) mod model;
mod prompt;

pub use config::Config;
pub use intent::{Binding, Intent, IntentTrigger, Pii};
pub use model::LlmModel;
pub use prompt::{Part, Placeholder, Prompt};

pub(super) use config::parse as parse_config;
pub(super) use intent::parse as parse_intent;
pub(super) use model::parse as parse_model;
