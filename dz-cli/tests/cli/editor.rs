//! A client of `dz lsp` over pipes.

use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use serde_json::{Value, json};

use crate::folder::Folder;

/// A running server with its client.
pub struct Editor {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    next: u64,
    root: String,
    /// The notifications that were received while an answer was expected.
    notes: Vec<Value>,
}

impl Editor {
    /// Starts a server in a folder.
    pub fn start(folder: &Folder) -> Editor {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dz"));
        command.args(["lsp", "--stdio"]).current_dir(&folder.0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("dz runs");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let root = format!("file://{}", folder.0.canonicalize().expect("a folder").display());
        Editor { input: child.stdin.take(), output, child, next: 0, root, notes: Vec::new() }
    }

    /// Starts a server and initialises it with the units of columns that the client knows.
    pub fn open(folder: &Folder, encodings: &[&str]) -> Editor {
        let mut editor = Editor::start(folder);
        editor.initialize(encodings);
        editor
    }

    /// Initialises the server, and returns its answer.
    pub fn initialize(&mut self, encodings: &[&str]) -> Value {
        let text = json!({ "documentSymbol": { "hierarchicalDocumentSymbolSupport": true } });
        let capabilities = json!({ "general": { "positionEncodings": encodings }, "textDocument": text });
        let root = self.root.clone();
        let answer = self.ask("initialize", json!({ "processId": null, "rootUri": root, "capabilities": capabilities }));
        self.tell("initialized", json!({}));
        answer
    }

    /// The address of a file.
    pub fn url(&self, name: &str) -> String {
        format!("{}/{name}", self.root)
    }

    /// Sends the bytes of a message with their length.
    pub fn send(&mut self, body: &[u8]) {
        let framed = [format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes(), body].concat();
        self.send_raw(&framed);
    }

    /// Sends bytes as they are.
    pub fn send_raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("an open pipe");
        input.write_all(bytes).and_then(|()| input.flush()).expect("a message");
    }

    /// Sends a notification.
    pub fn tell(&mut self, method: &str, params: Value) {
        self.send(json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string().as_bytes());
    }

    /// Reads the next message.
    pub fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).expect("a line") > 0, "the server has ended");
            match line.trim().split_once(": ") {
                Some(("Content-Length", value)) => length = value.parse().expect("a number"),
                Some(_) => {}
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).expect("a body");
        serde_json::from_slice(&body).expect("JSON")
    }

    /// Reads the next response, and keeps the notifications before it.
    pub fn response(&mut self) -> Value {
        loop {
            let message = self.receive();
            if message.get("method").is_none() {
                return message;
            }
            self.notes.push(message);
        }
    }

    /// Sends a request, and returns its id.
    pub fn request(&mut self, method: &str, params: Value) -> u64 {
        self.next += 1;
        let id = self.next;
        self.send(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string().as_bytes());
        id
    }

    /// Sends a request, and returns its response.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        let answer = self.response();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// Sends a request about a file, and returns the result.
    #[track_caller]
    pub fn result(&mut self, method: &str, name: &str, more: Value) -> Value {
        let answer = self.about(method, name, more);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Sends a request about a file, and returns the response.
    pub fn about(&mut self, method: &str, name: &str, more: Value) -> Value {
        let mut params = json!({ "textDocument": { "uri": self.url(name) } });
        for (key, value) in more.as_object().expect("an object") {
            params[key] = value.clone();
        }
        self.ask(&format!("textDocument/{method}"), params)
    }

    /// Opens a text in the editor.
    pub fn open_text(&mut self, name: &str, text: &str) {
        let language = if name.ends_with(".rs") { "rust" } else { "dz" };
        let item = json!({ "uri": self.url(name), "languageId": language, "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": item }));
    }

    /// Replaces a text in the editor.
    pub fn change_text(&mut self, name: &str, version: i32, text: &str) {
        self.change(name, version, json!([{ "text": text }]));
    }

    /// Changes a text in the editor.
    pub fn change(&mut self, name: &str, version: i32, changes: Value) {
        let document = json!({ "uri": self.url(name), "version": version });
        self.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    /// The next findings of a file that are published.
    pub fn findings(&mut self, name: &str) -> Value {
        let url = self.url(name);
        loop {
            let message = if self.notes.is_empty() { self.receive() } else { self.notes.remove(0) };
            if message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == url.as_str() {
                return message["params"].clone();
            }
        }
    }

    /// Ends the session as a client does, and returns the exit code.
    pub fn end(mut self) -> Option<i32> {
        assert_eq!(self.ask("shutdown", Value::Null)["result"], Value::Null);
        self.tell("exit", Value::Null);
        self.code()
    }

    /// Closes the input, and returns the exit code.
    pub fn code(mut self) -> Option<i32> {
        drop(self.input.take());
        self.child.wait().expect("an end").code()
    }
}

/// The position of `|` in a part of a text.
pub fn place(text: &str, part: &str) -> Value {
    let (before, after) = part.split_once('|').expect("a position");
    let found = text.find(&format!("{before}{after}")).unwrap_or_else(|| panic!("`{part}` is in no line"));
    let at = found + before.len();
    let line = text[..at].matches('\n').count();
    let start = text[..at].rfind('\n').map_or(0, |it| it + 1);
    json!({ "line": line, "character": text[start..at].encode_utf16().count() })
}
