//! Providers over HTTP: the API of OpenAI, which several providers share, and those of Anthropic and Google.

use std::time::Duration;

use serde_json::{Value as Json, json};

use super::{LlmFailure, LlmMessage, LlmProvider, LlmRequest, LlmResponse};
use crate::{
    adapter::{Adapter, AdapterConfig, AdapterError, RetryConfig},
    def::{LlmModelDef, Provider},
};

/// The version of Anthropic's API.
const ANTHROPIC_VERSION: &str = "2023-06-01";
/// Anthropic's API needs a limit.
const ANTHROPIC_MAX_TOKENS: u32 = 4_096;
/// The name of the tool whose input is the answer.
const TOOL: &str = "answer";

/// A provider over HTTP.
pub(super) struct Network {
    name: &'static str,
    api: Api,
    base_url: String,
    key: Option<String>,
}

#[derive(Clone, Copy)]
enum Api {
    Openai,
    Anthropic,
    Google,
}

impl Network {
    /// The provider of a model; `None` if its address is not known.
    pub fn new(model: &LlmModelDef, key: Option<String>) -> Option<Network> {
        let (api, default) = match model.provider {
            Provider::Openai => (Api::Openai, Some("https://api.openai.com/v1")),
            Provider::Mistral => (Api::Openai, Some("https://api.mistral.ai/v1")),
            Provider::Ollama => (Api::Openai, Some("http://localhost:11434/v1")),
            Provider::Azure | Provider::Local => (Api::Openai, None),
            Provider::Anthropic => (Api::Anthropic, Some("https://api.anthropic.com")),
            Provider::Google => (Api::Google, Some("https://generativelanguage.googleapis.com/v1beta")),
        };
        let base_url = model.base_url.or(default)?.to_owned();
        Some(Network { name: model.name, api, base_url, key })
    }

    fn adapter(&self, timeout: Duration) -> Adapter {
        let mut config = AdapterConfig::new(&self.base_url);
        config.timeout = timeout;
        // The intent says how often an attempt is repeated.
        config.retry = RetryConfig { max_retries: 0, ..RetryConfig::default() };
        let mut set = |name: &str, value: String| drop(config.headers.insert(name.to_owned(), value));
        match (self.api, &self.key) {
            (Api::Openai, Some(key)) => set("Authorization", format!("Bearer {key}")),
            (Api::Anthropic, Some(key)) => set("x-api-key", key.clone()),
            (Api::Google, Some(key)) => set("x-goog-api-key", key.clone()),
            (Api::Openai | Api::Anthropic | Api::Google, None) => {}
        }
        if let Api::Anthropic = self.api {
            set("anthropic-version", ANTHROPIC_VERSION.to_owned());
        }
        Adapter::new(self.name, config)
    }
}

impl LlmProvider for Network {
    fn complete(&self, request: &LlmRequest) -> Result<LlmResponse, LlmFailure> {
        let (path, body) = match self.api {
            Api::Openai => ("/chat/completions".to_owned(), openai_body(request)),
            Api::Anthropic => ("/v1/messages".to_owned(), anthropic_body(request)),
            Api::Google => (format!("/models/{}:generateContent", request.model), google_body(request)),
        };
        let answer = self.adapter(request.timeout).post::<Json>(&path, &body).into_result().map_err(|error| failure(&error))?;
        let response = match self.api {
            Api::Openai => openai_response(&answer),
            Api::Anthropic => anthropic_response(&answer),
            Api::Google => google_response(&answer),
        };
        response.ok_or_else(|| LlmFailure {
            code: "LLM_OUTPUT",
            detail: "The provider answered in an unknown form".to_owned(),
            is_temporary: true,
            retry_after: None,
        })
    }
}

fn failure(error: &AdapterError) -> LlmFailure {
    let (status, is_temporary) = (error.status_code(), error.is_temporary());
    let code = match (error.is_timeout(), is_temporary) {
        (true, _) => "TIMEOUT",
        (false, true) => "LLM_UNAVAILABLE",
        (false, false) => "LLM_REFUSED",
    };
    let detail = match status {
        Some(status) => format!("The provider of the language model answered with status {status}"),
        None => format!("The provider of the language model cannot be reached: {error}"),
    };
    LlmFailure { code, detail, is_temporary, retry_after: error.retry_after() }
}

fn messages(request: &LlmRequest, answers: &str) -> Json {
    let role = |it: &LlmMessage| if it.is_answer { answers.to_owned() } else { "user".to_owned() };
    request.messages.iter().map(|it| json!({ "role": role(it), "content": it.text })).collect()
}

fn openai_body(request: &LlmRequest) -> Json {
    let mut body = json!({ "model": request.model, "messages": messages(request, "assistant") });
    if let Some(tokens) = request.max_tokens {
        body["max_tokens"] = tokens.into();
    }
    if let Some(schema) = &request.schema {
        body["response_format"] = json!({ "type": "json_schema", "json_schema": { "name": request.intent, "schema": schema } });
    }
    body
}

fn openai_response(answer: &Json) -> Option<LlmResponse> {
    let text = answer.pointer("/choices/0/message/content")?.as_str()?.to_owned();
    Some(LlmResponse {
        text,
        input_tokens: count(answer, "/usage/prompt_tokens"),
        output_tokens: count(answer, "/usage/completion_tokens"),
    })
}

fn anthropic_body(request: &LlmRequest) -> Json {
    let tokens = request.max_tokens.unwrap_or(ANTHROPIC_MAX_TOKENS);
    let mut body = json!({ "model": request.model, "max_tokens": tokens, "messages": messages(request, "assistant") });
    if let Some(schema) = &request.schema {
        body["tools"] = json!([{ "name": TOOL, "description": "Gives the answer", "input_schema": schema }]);
        body["tool_choice"] = json!({ "type": "tool", "name": TOOL });
    }
    body
}

fn anthropic_response(answer: &Json) -> Option<LlmResponse> {
    let parts = answer.get("content")?.as_array()?;
    let text = match parts.iter().find(|part| part["type"] == "tool_use") {
        Some(tool) => tool.get("input")?.to_string(),
        None => parts.iter().filter_map(|part| part.get("text")?.as_str()).collect(),
    };
    Some(LlmResponse { text, input_tokens: count(answer, "/usage/input_tokens"), output_tokens: count(answer, "/usage/output_tokens") })
}

fn google_body(request: &LlmRequest) -> Json {
    let role = |it: &LlmMessage| if it.is_answer { "model" } else { "user" };
    let contents: Json = request.messages.iter().map(|it| json!({ "role": role(it), "parts": [{ "text": it.text }] })).collect();
    let mut config = json!({});
    if let Some(tokens) = request.max_tokens {
        config["maxOutputTokens"] = tokens.into();
    }
    if let Some(schema) = &request.schema {
        config["responseMimeType"] = "application/json".into();
        config["responseJsonSchema"] = schema.clone();
    }
    json!({ "contents": contents, "generationConfig": config })
}

fn google_response(answer: &Json) -> Option<LlmResponse> {
    let parts = answer.pointer("/candidates/0/content/parts")?.as_array()?;
    let text = parts.iter().filter_map(|part| part.get("text")?.as_str()).collect();
    let tokens = |name: &str| count(answer, &format!("/usageMetadata/{name}"));
    Some(LlmResponse { text, input_tokens: tokens("promptTokenCount"), output_tokens: tokens("candidatesTokenCount") })
}

fn count(answer: &Json, pointer: &str) -> u64 {
    answer.pointer(pointer).and_then(Json::as_u64).unwrap_or_default()
}
