//! The models of an application, each with its provider and its rate limit.

use std::sync::Arc;

use governor::DefaultDirectRateLimiter;

use super::{
    LlmProvider,
    limits::{self, Limits},
    request::Intents,
};
use crate::{
    Error, Result,
    config::Config,
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
/// 500 `CONFIGURATION`: the environment has no API key, a model has no address, or the configuration limits an unknown intent.
pub(crate) fn connect(app: &'static AppDef, provider: Option<Arc<dyn LlmProvider>>, config: &Config) -> Result<Option<Intents>> {
    let limits = Limits::read(app, config)?;
    if app.llm.models.is_empty() {
        return Ok(None);
    }
    let models = app.llm.models.iter().map(|def| {
        let provider = match &provider {
            Some(provider) => provider.clone(),
            None => network(def)?,
        };
        let limit = def.rate_limit.and_then(std::num::NonZeroU32::new);
        Ok(Model { def, provider, limiter: limit.map(limits::limiter) })
    });
    let models = models.collect::<Result<Vec<_>>>()?;
    Ok(Some(Intents { app, models, limits }))
}

/// The providers of the declaration as one, which sends each request to the provider of its intent's model.
///
/// # Errors
/// As [`connect`].
#[cfg(feature = "testing")]
pub(crate) fn declared(app: &'static AppDef) -> Result<impl LlmProvider> {
    let models = app.llm.models.iter().map(network).collect::<Result<Vec<_>>>()?;
    Ok(move |request: &super::LlmRequest| {
        let intent = app.llm.intents.iter().find(|it| it.name == request.intent);
        match intent.and_then(|it| models.get(usize::from(it.model))) {
            Some(model) => model.complete(request),
            None => Err(super::LlmFailure {
                code: "INTENT_GONE",
                detail: format!("The application has no intent `{}`", request.intent),
                is_temporary: false,
                retry_after: None,
            }),
        }
    })
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
