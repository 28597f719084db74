//! Calls of LLM intents. The implementation is above this layer, because it reads rows.

use serde_json::Value as Json;
use uuid::Uuid;

use crate::{Error, Result, SystemCx};

/// A request to a language model.
#[derive(Debug)]
pub struct IntentCall<'c> {
    /// The name of the intent.
    pub intent: &'c str,
    /// The inputs, an object.
    pub input: Json,
    /// The run and the name of the step that asks.
    pub asked_by: Option<(Uuid, String)>,
}

/// Sends the requests of intents.
pub trait CallIntent: Send + Sync + 'static {
    /// Sends a request, and repeats it as the intent declares. The answer is a text, or an object with every field of the entity that
    /// describes it.
    ///
    /// # Errors
    /// A named failure.
    fn call(&self, system: &SystemCx, call: IntentCall<'_>) -> Result<Json>;
}

impl SystemCx {
    /// Asks a language model with the inputs of an intent. Waits for the answer, which is a text, or an object with the fields of
    /// `output_schema`.
    ///
    /// ```ignore
    /// let answer = cx.ask("summary", json!({ "notes": repair.notes }))?;
    /// ```
    ///
    /// # Errors
    /// * 422 `LLM_INPUT`: an input is missing, unknown or has the wrong type
    /// * 422 `PII`: the request contains personal data, and the intent has `pii: reject`
    /// * 502 `LLM_OUTPUT`: the answer does not have the declared fields
    /// * 504 `TIMEOUT`, 503 `LLM_UNAVAILABLE`, 502 `LLM_REFUSED`: the provider does not answer, or refuses the request
    /// * 410 `INTENT_GONE`: the application has no such intent
    pub fn ask(&self, intent: &str, input: Json) -> Result<Json> {
        self.ask_for(intent, input, None)
    }

    /// As [`ask`](SystemCx::ask), for a step of a run.
    pub(crate) fn ask_for(&self, intent: &str, input: Json, asked_by: Option<(Uuid, String)>) -> Result<Json> {
        match self.intents() {
            Some(intents) => intents.call(self, IntentCall { intent, input, asked_by }),
            None => Err(unknown_intent(intent)),
        }
    }
}

/// 410 for an intent that the application does not have.
pub(crate) fn unknown_intent(name: &str) -> Error {
    Error::new(410, "INTENT_GONE", format!("The application has no intent `{name}`"))
}
