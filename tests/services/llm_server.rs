//! A server with the APIs of language models, which answers as the prompt says and records the requests.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Mutex, OnceLock},
    thread,
    time::Duration,
};

use dz::serde_json::{self, Value, json};

/// The address in the declaration.
pub const ADDRESS: &str = "127.0.0.1:47613";

/// A request that arrived.
#[derive(Debug, Clone)]
pub struct Arrived {
    /// The path of its address.
    pub path: String,
    /// The lines of its head.
    pub head: Vec<String>,
    /// Its body.
    pub body: Value,
}

fn arrived() -> &'static Mutex<Vec<Arrived>> {
    static ALL: OnceLock<Mutex<Vec<Arrived>>> = OnceLock::new();
    ALL.get_or_init(|| {
        let listener = TcpListener::bind(ADDRESS).expect("a free port");
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                thread::spawn(move || serve(stream));
            }
        });
        Mutex::default()
    })
}

/// Starts the server once.
pub fn start() {
    let _ = arrived();
}

/// The requests whose body contains a text.
pub fn requests_with(text: &str) -> Vec<Arrived> {
    let all = arrived().lock().expect("requests");
    all.iter().filter(|it| it.body.to_string().contains(text)).cloned().collect()
}

fn serve(stream: TcpStream) {
    let mut reader = BufReader::new(stream.try_clone().expect("a stream"));
    loop {
        let mut head = Vec::new();
        loop {
            let mut line = String::new();
            match reader.read_line(&mut line) {
                Ok(0) | Err(_) => return,
                Ok(_) if line.trim().is_empty() => break,
                Ok(_) => head.push(line.trim().to_owned()),
            }
        }
        let value = |name: &str| head.iter().find_map(|line| line.to_lowercase().strip_prefix(name).map(|it| it.trim().to_owned()));
        let length = value("content-length:").and_then(|it| it.parse().ok()).unwrap_or(0);
        let mut body = vec![0; length];
        reader.read_exact(&mut body).expect("a body");
        let body: Value = serde_json::from_slice(&body).expect("JSON");
        let path = head[0].split(' ').nth(1).expect("a path").to_owned();
        let number = {
            let mut all = arrived().lock().expect("requests");
            all.push(Arrived { path: path.clone(), head: head.clone(), body: body.clone() });
            let prompt = first_prompt(&body);
            all.iter().filter(|it| first_prompt(&it.body) == prompt).count()
        };
        let (status, more, answer) = respond(&path, &first_prompt(&body), number);
        let text = answer.to_string();
        let mut out = &stream;
        let _ = write!(out, "HTTP/1.1 {status} X\r\nContent-Length: {}\r\n{more}\r\n{text}", text.len());
    }
}

/// The prompt, before repetitions.
fn first_prompt(body: &Value) -> String {
    let openai = body.pointer("/messages/0/content");
    openai.or_else(|| body.pointer("/contents/0/parts/0/text")).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// The response to the request with this number among those with its prompt.
fn respond(path: &str, prompt: &str, number: usize) -> (u16, String, Value) {
    let good = json!({ "title": "Chain", "hours": 2, "size": "small" });
    let text = |text: &str| (200, String::new(), wrap(path, text, &good));
    let error = |status: u16, more: &str| (status, more.to_owned(), json!({ "error": "no" }));
    let word = prompt.split_whitespace().next().unwrap_or_default();
    match (word, number) {
        ("refuse", _) => error(400, ""),
        ("later", 1) => error(429, "Retry-After: 2\r\n"),
        ("broken", 1) => error(500, ""),
        ("hang", _) => {
            thread::sleep(Duration::from_millis(2_500));
            text("late")
        }
        ("block", _) => text(&format!("```json\n{good}\n```\n")),
        ("repair", 1) => text("{\"title\": \"Chain\", \"hours\": \"two\", \"size\": \"huge\", \"sise\": 1}"),
        ("prose", _) => text("It takes two hours."),
        ("strange", _) => (200, String::new(), json!({ "answer": 42 })),
        ("fields" | "repair", _) => text(&good.to_string()),
        _ => text(&format!("answer {number}")),
    }
}

fn wrap(path: &str, text: &str, good: &Value) -> Value {
    if path.starts_with("/anthropic") {
        let tool = json!({ "type": "tool_use", "name": "answer", "input": good });
        return json!({ "content": [{ "type": "text", "text": "Here:" }, tool], "usage": { "input_tokens": 10, "output_tokens": 5 } });
    }
    if path.starts_with("/google") {
        return json!({ "candidates": [{ "content": { "parts": [{ "text": text }] } }], "usageMetadata": { "promptTokenCount": 10 } });
    }
    json!({ "choices": [{ "message": { "content": text } }], "usage": { "prompt_tokens": 10, "completion_tokens": 5 } })
}
