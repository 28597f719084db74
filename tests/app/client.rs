//! A client with a session, which sends JSON and forms like programs and browsers.

use std::{
    io::{Read, Write},
    net::TcpStream,
};

use dz::serde_json::{self, Value};

/// A response.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    headers: Vec<(String, String)>,
    pub body: String,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// Name and value of each cookie that it sets.
    #[allow(dead_code, reason = "not all tests look at it")]
    pub fn cookies(&self) -> Vec<String> {
        let lines = self.headers.iter().filter(|(key, _)| key.eq_ignore_ascii_case("set-cookie"));
        lines.filter_map(|(_, line)| line.split(';').next()).map(str::to_owned).collect()
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// Checks the status and the code of a problem document.
    #[track_caller]
    pub fn problem(&self, status: u16, code: &str) -> Value {
        assert_eq!(self.status, status, "{}", self.body);
        assert_eq!(self.header("content-type"), Some("application/problem+json"));
        let problem = self.json();
        assert_eq!(problem["code"], code, "{problem}");
        assert_eq!(problem["status"], status, "{problem}");
        assert!(problem["request_id"].as_str().is_some_and(|id| id.len() == 32), "{problem}");
        problem
    }

    #[track_caller]
    pub fn ok(self, status: u16) -> Answer {
        assert_eq!(self.status, status, "{}", self.body);
        self
    }

    #[track_caller]
    pub fn shows(&self, words: &[&str]) {
        for word in words {
            assert!(self.body.contains(word), "`{word}` is not in:\n{}", self.body);
        }
    }

    /// Checks that it contains none of the words. Keys of rows, tokens and digests are ignored: they are random, and can contain any
    /// short number.
    #[allow(dead_code, reason = "not all tests look at it")]
    #[track_caller]
    pub fn lacks(&self, words: &[&str]) {
        let drawn = |part: &str| part.len() >= 16 && part.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f' | b'-'));
        let parts = self.body.split_inclusive(|it: char| !it.is_ascii_hexdigit() && it != '-');
        let body: String = parts.filter(|part| !drawn(part.trim_end_matches(|it: char| !it.is_ascii_hexdigit()))).collect();
        for word in words {
            assert!(!body.contains(word), "`{word}` is in:\n{}", self.body);
        }
    }
}

/// A client.
pub struct Client {
    pub host: String,
    pub cookie: Option<String>,
}

pub const MANAGER: (&str, &str) = ("mira@fieldwork.example", "manage the field");
pub const SURVEYOR: (&str, &str) = ("tomas@fieldwork.example", "walk the line");
pub const CUSTOMER: (&str, &str) = ("sam@harbour.example", "watch the harbour");

impl Client {
    pub fn new(base: &str) -> Client {
        Client { host: base.trim_start_matches("http://").to_owned(), cookie: None }
    }

    /// Signed in by JSON.
    #[track_caller]
    pub fn signed_in(base: &str, (email, password): (&str, &str)) -> Client {
        let mut client = Client::new(base);
        let body = serde_json::json!({ "email": email, "password": password });
        let answer = client.send("POST", "/auth/login", &body).ok(200);
        client.keep(&answer);
        client
    }

    /// Stores the session cookie of a response.
    pub fn keep(&mut self, answer: &Answer) {
        self.cookie = answer.header("set-cookie").and_then(|it| it.split(';').next()).map(str::to_owned);
    }

    pub fn get(&self, path: &str) -> Answer {
        self.request("GET", path, &[], b"")
    }

    pub fn exchange(&self, path: &str) -> Answer {
        self.request("GET", path, &[("HX-Request", "true")], b"")
    }

    pub fn send(&self, method: &str, path: &str, body: &Value) -> Answer {
        self.request(method, path, &[("Content-Type", "application/json"), ("Sec-Fetch-Site", "same-origin")], body.to_string().as_bytes())
    }

    /// A task of the example in a state, assigned to the caller and transitioned as a user would.
    #[track_caller]
    pub fn task(&self, task: &Value, state: &str) -> Value {
        let way: &[&str] = match state {
            "open" => &[],
            "doing" => &["doing"],
            "done" => &["doing", "done"],
            other => panic!("no way to {other}"),
        };
        let mut task = task.clone();
        task["assigned_to"] = self.get("/auth/me").ok(200).json()["id"].clone();
        let made = self.send("POST", "/api/tasks", &task).ok(201).json();
        let path = format!("/api/tasks/{}/transitions", made["id"].as_str().expect("an id"));
        way.iter().fold(made, |_, to| self.send("POST", &format!("{path}/{to}"), &serde_json::json!({})).ok(200).json())
    }

    /// As [`send`](Client::send); `None` if the server closes the connection.
    pub fn try_send(&self, method: &str, path: &str, body: &Value) -> Option<Answer> {
        let headers = [("Content-Type", "application/json"), ("Sec-Fetch-Site", "same-origin")];
        let bytes = self.exchange_bytes(method, path, &headers, body.to_string().as_bytes())?;
        bytes.windows(4).any(|it| it == b"\r\n\r\n").then(|| parse(&bytes))
    }

    pub fn send_if(&self, method: &str, path: &str, tag: &str, body: &Value) -> Answer {
        let headers = [("Content-Type", "application/json"), ("Sec-Fetch-Site", "same-origin"), ("If-Match", tag)];
        self.request(method, path, &headers, body.to_string().as_bytes())
    }

    pub fn delete(&self, path: &str) -> Answer {
        self.request("DELETE", path, &[("Sec-Fetch-Site", "same-origin")], b"")
    }

    pub fn form(&self, path: &str, pairs: &[(&str, &str)]) -> Answer {
        let body: Vec<String> = pairs.iter().map(|(key, value)| format!("{}={}", encode(key), encode(value))).collect();
        let headers = [("Content-Type", "application/x-www-form-urlencoded"), ("Sec-Fetch-Site", "same-origin")];
        self.request("POST", path, &headers, body.join("&").as_bytes())
    }

    /// Sends exactly this request: HTTP/1.1 without a library, so that nothing is corrected.
    #[track_caller]
    pub fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let bytes = self.exchange_bytes(method, path, headers, body).expect("a connection");
        parse(&bytes)
    }

    fn exchange_bytes(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Option<Vec<u8>> {
        let mut stream = TcpStream::connect(&self.host).ok()?;
        let mut head =
            format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: {}\r\n", self.host, body.len());
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if let Some(cookie) = &self.cookie {
            head.push_str(&format!("Cookie: {cookie}\r\n"));
        }
        head.push_str("\r\n");
        stream.write_all(head.as_bytes()).ok()?;
        // A server can respond before it has read a body above the limit.
        let _ = stream.write_all(body);
        let _ = stream.set_read_timeout(Some(std::time::Duration::from_secs(60)));
        let mut bytes = Vec::new();
        let mut part = [0; 16_384];
        // Some servers keep the connection open, so the length determines the end.
        while !is_whole(&bytes) {
            match stream.read(&mut part) {
                Ok(0) | Err(_) => break,
                Ok(read) => bytes.extend_from_slice(&part[..read]),
            }
        }
        Some(bytes)
    }
}

/// True if the response declares its length and is complete.
fn is_whole(bytes: &[u8]) -> bool {
    let Some(end) = bytes.windows(4).position(|it| it == b"\r\n\r\n") else { return false };
    let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
    if head.contains("transfer-encoding: chunked") {
        return bytes.ends_with(b"\r\n0\r\n\r\n");
    }
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:").and_then(|it| it.trim().parse::<usize>().ok()));
    length.is_some_and(|length| bytes.len() >= end + 4 + length)
}

/// A text in a query or form.
pub fn encode(text: &str) -> String {
    text.bytes().map(|b| if b.is_ascii_alphanumeric() { (b as char).to_string() } else { format!("%{b:02X}") }).collect()
}

#[track_caller]
fn parse(bytes: &[u8]) -> Answer {
    let end = bytes.windows(4).position(|it| it == b"\r\n\r\n").unwrap_or_else(|| panic!("no answer: {}", String::from_utf8_lossy(bytes)));
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.split(' ').nth(1)).and_then(|it| it.parse().ok()).expect("a status");
    let headers = lines.filter_map(|line| line.split_once(": ").map(|(key, value)| (key.to_owned(), value.to_owned()))).collect();
    let answer = Answer { status, headers, body: String::new() };
    let body = match answer.header("transfer-encoding") {
        Some(_) => decode_chunks(&bytes[end + 4..]),
        None => bytes[end + 4..].to_vec(),
    };
    Answer { body: String::from_utf8_lossy(&body).into_owned(), ..answer }
}

/// Decodes a chunked body; an incomplete body is marked.
fn decode_chunks(mut bytes: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    loop {
        let line = bytes.windows(2).position(|it| it == b"\r\n");
        let length = line.and_then(|line| usize::from_str_radix(std::str::from_utf8(&bytes[..line]).ok()?, 16).ok());
        match (line, length) {
            (Some(_), Some(0)) => return whole,
            (Some(line), Some(length)) if bytes.len() >= line + 4 + length => {
                whole.extend_from_slice(&bytes[line + 2..line + 2 + length]);
                bytes = &bytes[line + 4 + length..];
            }
            _ => {
                whole.extend_from_slice(b"<broken off>");
                return whole;
            }
        }
    }
}
