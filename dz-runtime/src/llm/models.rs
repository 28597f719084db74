//! The models of an application, each with its provider and its rate limit.

use std::sync::Arc;

use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};

use super::{LlmProvider, request::Intents};
use crate::{
    Error, Result,
    def::{AppDef, LlmModelDef},
};

/// A model that can be called.
pub(super) struct Model {
    pub def: &'static LlmModelDef,
    pub provider: Arc<dyn LlmProvider>,
    pub limiter: Option<DefaultDirectRateLimiter>,
}

/// Connects the models of an application; `None` without models. `provider` replaces those of the declaration.
///
/// # Errors
/// 500 `CONFIGURATION`: the environment has no API key, or a model has no address.
pub(crate) fn connect(app: &'static AppDef, provider: Option<Arc<dyn LlmProvider>>) -> Result<Option<Intents>> {
    if app.llm.models.is_empty() {
        return Ok(None);
    }
    let models = app.llm.models.iter().map(|def| {
        let provider = match &provider {
            Some(provider) => provider.clone(),
            None => network(def)?,
        };
        let limit = def.rate_limit.and_then(std::num::NonZeroU32::new);
        Ok(Model { def, provider, limiter: limit.map(|limit| RateLimiter::direct(Quota::per_minute(limit))) })
    });
    let models = models.collect::<Result<Vec<_>>>()?;
    Ok(Some(Intents { app, models }))
}

fn configuration(detail: String) -> Error {
    Error::new(500, "CONFIGURATION", detail)
}

#[cfg(feature = "adapters")]
fn network(def: &'static LlmModelDef) -> Result<Arc<dyn LlmProvider>> {
    let key = match def.api_key_env {
        None => None,
        Some(variable) => match std::env::var(variable) {
            Ok(key) if !key.trim().is_empty() => Some(key),
            _ => {
                let fix = format!("set the environment variable `{variable}`");
                return Err(configuration(format!("the language model `{}` has no API key; {fix}", def.name)));
            }
        },
    };
    match super::network::Network::new(def, key) {
        Some(network) => Ok(Arc::new(network)),
        None => Err(configuration(format!("the language model `{}` has no address; add `base_url:` to it", def.name))),
    }
}

#[cfg(not(feature = "adapters"))]
fn network(def: &'static LlmModelDef) -> Result<Arc<dyn LlmProvider>> {
    let fix = "turn on the feature `adapters` of dz, or use `app().llm_provider(…)`";
    Err(configuration(format!("the language model `{}` cannot be reached; {fix}", def.name)))
}
