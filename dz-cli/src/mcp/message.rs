//! Messages of clients: those that the library would not answer, or would answer with another error, are answered here.

use rmcp::model::ClientJsonRpcMessage;
use serde_json::{Value, json};

/// The code of an error for a text that is not JSON.
pub const PARSE_ERROR: i64 = -32700;

/// The code of an error for JSON that is not a message.
pub const INVALID_REQUEST: i64 = -32600;

/// The code of an error in the parameters of a request.
pub const INVALID_PARAMS: i64 = -32602;

/// The answer to a message that is refused.
pub struct Refusal {
    id: Option<Value>,
    /// The code of the error.
    pub code: i64,
    message: String,
}

impl Refusal {
    /// The refusal of a message without an id that can be read.
    pub fn without_id(code: i64, message: impl Into<String>) -> Refusal {
        Refusal { id: None, code, message: message.into() }
    }

    /// As JSON.
    pub fn json(&self) -> Value {
        json!({ "jsonrpc": "2.0", "id": self.id, "error": { "code": self.code, "message": self.message } })
    }
}

/// A checked message.
pub enum Checked {
    /// A message for the library, and true if it contains the version of its protocol.
    Message(Box<ClientJsonRpcMessage>, bool),
    /// A message that needs no answer, such as a response: the server sends no requests.
    Ignored,
    /// A message that is refused.
    Refused(Refusal),
}

/// The member of `_meta` with the protocol version of a request.
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// Checks the text of a message.
pub fn check(text: &[u8]) -> Checked {
    let Ok(value) = serde_json::from_slice::<Value>(text) else {
        return Checked::Refused(Refusal::without_id(PARSE_ERROR, "the message is not JSON"));
    };
    let id = value.get("id").filter(|it| it.is_string() || it.is_number()).cloned();
    let refused = match (&value["method"], &id) {
        _ if value.is_array() => Some((INVALID_REQUEST, "batches are not part of the protocol")),
        _ if value.get("result").is_some() || value.get("error").is_some() => return Checked::Ignored,
        (Value::String(_), None) if value.get("id").is_some() => Some((INVALID_REQUEST, "`id` must be text or a number")),
        (Value::String(method), Some(_)) => wrong_parameter(method, &value["params"]).map(|message| (INVALID_PARAMS, message)),
        (Value::String(_), None) => None,
        _ => Some((INVALID_REQUEST, "the message is neither a request nor a notification")),
    };
    if let Some((code, message)) = refused {
        return Checked::Refused(Refusal { id, code, message: message.to_owned() });
    }
    let has_version = value["params"]["_meta"].get(VERSION).is_some();
    match serde_json::from_value(value) {
        Ok(message) => Checked::Message(Box::new(message), has_version),
        Err(error) if id.is_some() => {
            let message = format!("the parameters are invalid: {error}");
            Checked::Refused(Refusal { id, code: INVALID_PARAMS, message })
        }
        Err(_) => Checked::Ignored,
    }
}

/// The error of a request without a text that its method requires; the library would say that the method is unknown.
fn wrong_parameter(method: &str, params: &Value) -> Option<&'static str> {
    let is_missing = |name: &str| !params[name].is_string();
    match method {
        "resources/read" => is_missing("uri").then_some("`uri` is missing"),
        "prompts/get" => is_missing("name").then_some("`name` is missing"),
        "tools/call" if is_missing("name") => Some("`name` is missing"),
        "tools/call" => (!params["arguments"].is_null() && !params["arguments"].is_object()).then_some("`arguments` must be an object"),
        _ => None,
    }
}
