//! The protocol over standard input and output, one message in a line.
//!
//! Two services of the library share the streams: one for requests that contain their protocol version, and one for the session that
//! `initialize` opens. This module answers messages that would end the session in the library.

use std::{
    io::{self, BufRead, Read, Write, stdin, stdout},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use rmcp::{
    RoleServer, ServiceExt,
    model::{ClientJsonRpcMessage, ServerJsonRpcMessage},
    transport::Transport,
};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::server::Server;

/// The longest line that is read, in bytes.
const LONGEST: usize = 64 << 20;

/// The text in place of a line that is too long; it is not JSON.
const TOO_LONG: &[u8] = b"{\0";

/// The time limit for open requests after the end of the input.
const PATIENCE: Duration = Duration::from_secs(4);

/// The member of `_meta` with the protocol version of a request.
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";

const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const INVALID_PARAMS: i64 = -32602;

/// Standard output, with the number of requests without a response.
#[derive(Clone, Default)]
struct Output {
    open: Arc<AtomicUsize>,
    line: Arc<Mutex<()>>,
}

impl Output {
    fn write(&self, message: &str) -> io::Result<()> {
        let _line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        let mut out = stdout().lock();
        writeln!(out, "{message}")?;
        out.flush()
    }

    /// Answers a message with an error.
    fn refuse(&self, id: Option<&Value>, code: i64, message: &str) -> io::Result<()> {
        let error = json!({ "jsonrpc": "2.0", "id": id.cloned().unwrap_or_default(), "error": { "code": code, "message": message } });
        self.write(&error.to_string())
    }
}

/// The messages of one service.
struct Pipe {
    messages: UnboundedReceiver<ClientJsonRpcMessage>,
    output: Output,
}

impl Transport<RoleServer> for Pipe {
    type Error = io::Error;

    fn send(&mut self, item: ServerJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let output = self.output.clone();
        async move {
            let is_answer = matches!(item, ServerJsonRpcMessage::Response(_) | ServerJsonRpcMessage::Error(_));
            let written = output.write(&serde_json::to_string(&item).map_err(io::Error::other)?);
            if is_answer {
                // An error without a request does not change the number.
                let _ = output.open.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |open| open.checked_sub(1));
            }
            written
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        self.messages.recv().await
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A service of the library; the first message starts it.
struct Lane {
    server: Server,
    output: Output,
    messages: Option<UnboundedSender<ClientJsonRpcMessage>>,
}

impl Lane {
    fn new(server: &Server, output: &Output) -> Lane {
        Lane { server: server.clone(), output: output.clone(), messages: None }
    }

    fn is_open(&self) -> bool {
        self.messages.as_ref().is_some_and(|it| !it.is_closed())
    }

    fn send(&mut self, message: ClientJsonRpcMessage) {
        if !self.is_open() {
            let (sender, messages) = unbounded_channel();
            let pipe = Pipe { messages, output: self.output.clone() };
            let server = self.server.clone();
            tokio::spawn(async move {
                if let Ok(service) = server.serve(pipe).await {
                    let _ = service.waiting().await;
                }
            });
            self.messages = Some(sender);
        }
        if let Some(messages) = &self.messages {
            // A service that has ended is started again with the next message.
            let _ = messages.send(message);
        }
    }
}

/// Serves until the end of the input.
pub async fn serve(server: Server) -> io::Result<()> {
    let (sender, mut lines) = unbounded_channel();
    thread::spawn(move || read_lines(&mut stdin().lock(), &sender));
    let output = Output::default();
    let (mut session, mut single) = (Lane::new(&server, &output), Lane::new(&server, &output));
    while let Some(line) = lines.recv().await {
        let Some(message) = accept(&line, &output)? else { continue };
        let is_request = matches!(message, ClientJsonRpcMessage::Request(_));
        if is_request {
            output.open.fetch_add(1, Ordering::SeqCst);
            let lane = if has_version(&line) { &mut single } else { &mut session };
            lane.send(message);
        } else {
            // A notification names a request of either service.
            [&mut session, &mut single].into_iter().filter(|lane| lane.is_open()).for_each(|lane| lane.send(message.clone()));
        }
    }
    let done = async {
        while output.open.load(Ordering::SeqCst) > 0 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    // A cancelled request has no answer.
    let _ = tokio::time::timeout(PATIENCE, done).await;
    Ok(())
}

/// Reads lines until the end of the input; a line that is too long is discarded.
fn read_lines(input: &mut impl BufRead, lines: &UnboundedSender<Vec<u8>>) {
    loop {
        let mut line = Vec::new();
        match input.by_ref().take(LONGEST as u64 + 1).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) if line.len() > LONGEST => {
                let _ = input.skip_until(b'\n');
                line = TOO_LONG.to_vec();
            }
            Ok(_) => {}
        }
        if lines.send(line).is_err() {
            return;
        }
    }
}

fn parsed(line: &[u8]) -> Option<Value> {
    serde_json::from_slice(line).ok()
}

fn has_version(line: &[u8]) -> bool {
    parsed(line).is_some_and(|it| it["params"]["_meta"].get(VERSION).is_some())
}

/// The message of a line for the library; `None` for a line that is answered here, or that needs no response.
fn accept(line: &[u8], output: &Output) -> io::Result<Option<ClientJsonRpcMessage>> {
    if line.iter().all(u8::is_ascii_whitespace) {
        return Ok(None);
    }
    let Some(value) = parsed(line) else {
        let message =
            if line == TOO_LONG { format!("the line is longer than {} MB", LONGEST >> 20) } else { "the line is not JSON".to_owned() };
        output.refuse(None, PARSE_ERROR, &message)?;
        return Ok(None);
    };
    let id = value.get("id").filter(|it| it.is_string() || it.is_number());
    let refused = match (&value["method"], id) {
        _ if value.is_array() => Some((INVALID_REQUEST, "batches are not part of the protocol")),
        // The server sends no requests, so responses are ignored.
        _ if value.get("result").is_some() || value.get("error").is_some() => return Ok(None),
        (Value::String(method), Some(_)) if method == "tools/call" => wrong_call(&value["params"]).map(|message| (INVALID_PARAMS, message)),
        (Value::String(method), Some(_)) => missing_parameter(method, &value["params"]).map(|message| (INVALID_PARAMS, message)),
        (Value::String(_), None) => None,
        _ => Some((INVALID_REQUEST, "the message is neither a request nor a notification")),
    };
    if let Some((code, message)) = refused {
        output.refuse(id, code, message)?;
        return Ok(None);
    }
    let id = id.cloned();
    match serde_json::from_value(value) {
        Ok(message) => Ok(Some(message)),
        Err(error) => {
            if id.is_some() {
                output.refuse(id.as_ref(), INVALID_PARAMS, &format!("the parameters are invalid: {error}"))?;
            }
            Ok(None)
        }
    }
}

/// The error of a request without a text that its method requires; the library would say that the method is unknown.
fn missing_parameter(method: &str, params: &Value) -> Option<&'static str> {
    match method {
        "resources/read" => (!params["uri"].is_string()).then_some("`uri` is missing"),
        "prompts/get" => (!params["name"].is_string()).then_some("`name` is missing"),
        _ => None,
    }
}

/// The error in the parameters of a call of the tool, or `None`.
fn wrong_call(params: &Value) -> Option<&'static str> {
    if !params["name"].is_string() {
        return Some("`name` is missing");
    }
    let arguments = params.get("arguments").unwrap_or(&Value::Null);
    (!arguments.is_null() && !arguments.is_object()).then_some("`arguments` must be an object")
}
