//! Messages over standard input and output. The library ends its reader at the first malformed message, so this reader frames
//! messages itself and reports what it cannot read.

use std::{
    io::{self, BufRead, Read, Write, stdin, stdout},
    sync::mpsc::{Receiver, channel},
    thread,
};

use lsp_server::{ErrorCode, Message};
use serde_json::{Value, json};

use super::failure::Failure;

/// The longest message that is read, in bytes.
const LONGEST: usize = 256 << 20;

/// The longest line of a header, in bytes.
const LONGEST_HEADER: u64 = 8 << 10;

/// A message of the client.
pub enum Incoming {
    /// A message.
    Message(Message),
    /// Text that is not a message, with the id if it has one.
    Malformed(Value, Failure),
}

/// Reads messages until the end of standard input.
pub fn start() -> Receiver<Incoming> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut input = io::BufReader::new(stdin());
        while let Ok(Some(next)) = read(&mut input) {
            if sender.send(next).is_err() {
                return;
            }
        }
    });
    receiver
}

/// The next message; `None` at the end of the input.
fn read(input: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    let mut length: Option<usize> = None;
    let mut has_header = false;
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(LONGEST_HEADER).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.is_empty() {
            match (length, has_header) {
                (Some(length), _) => return body(input, length).map(Some),
                // Blank lines between messages are not a message.
                (None, false) => continue,
                (None, true) => return Ok(Some(malformed("the header has no `Content-Length`"))),
            }
        }
        has_header = true;
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().ok();
        }
    }
}

fn body(input: &mut impl BufRead, length: usize) -> io::Result<Incoming> {
    if length > LONGEST {
        io::copy(&mut input.by_ref().take(length as u64), &mut io::sink())?;
        return Ok(malformed(&format!("the message is longer than {} MB", LONGEST >> 20)));
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body)?;
    Ok(parse(&body))
}

/// The message of a body.
fn parse(body: &[u8]) -> Incoming {
    let value: Value = match serde_json::from_slice(body) {
        Ok(value) => value,
        Err(error) => return malformed(&format!("the message is not JSON: {error}")),
    };
    let id = value.get("id").filter(|id| id.is_string() || id.is_number()).cloned().unwrap_or_default();
    let invalid = |why: &str| Incoming::Malformed(id.clone(), Failure::new(ErrorCode::InvalidRequest, why));
    let has = |key: &str| value.get(key).is_some();
    let (has_id, has_result) = (has("id"), has("result") || has("error"));
    match serde_json::from_value(value) {
        // The library reads a request whose id is neither a number nor a text as a notification.
        Ok(Message::Notification(_)) if has_id => invalid("the id is neither a whole number nor a text"),
        Ok(Message::Response(_)) if !has_result => invalid("the message has no method and no result"),
        Ok(message) => Incoming::Message(message),
        Err(_) => invalid("the message is neither a request, a notification nor a response"),
    }
}

fn malformed(why: &str) -> Incoming {
    Incoming::Malformed(Value::Null, Failure::new(ErrorCode::ParseError, why))
}

/// Writes a message.
fn send(message: &Value) -> io::Result<()> {
    let body = message.to_string();
    let mut out = stdout().lock();
    write!(out, "Content-Length: {}\r\n\r\n{body}", body.len())?;
    out.flush()
}

/// Writes the result of a request.
pub fn respond(id: &Value, result: Result<Value, Failure>) -> io::Result<()> {
    send(&match result {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(Failure { code, message }) => json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } }),
    })
}

/// Writes a notification.
pub fn notify(method: &str, params: &Value) -> io::Result<()> {
    send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
}

/// Writes a request, whose response is not needed.
pub fn request(id: &str, method: &str, params: &Value) -> io::Result<()> {
    send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
}
