//! A client of `dz mcp` over pipes.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use serde_json::{Value, json};

use crate::folder::Folder;

/// A running server with its client.
pub struct Agent {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    next: u64,
}

impl Agent {
    /// Starts a server in a folder.
    pub fn start(folder: &Folder) -> Agent {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dz"));
        command.arg("mcp").current_dir(&folder.0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("dz runs");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Agent { input: child.stdin.take(), output, child, next: 0 }
    }

    /// Sends a line.
    pub fn send(&mut self, line: &[u8]) {
        let input = self.input.as_mut().expect("an open pipe");
        input.write_all(line).and_then(|()| input.write_all(b"\n")).expect("a line");
    }

    /// Reads the next message.
    pub fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("a line");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// Sends a request and reads its answer.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string().as_bytes());
        let answer = self.receive();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// Opens a session of the revision with a handshake.
    pub fn initialize(&mut self) -> Value {
        let client = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
        let answer = self.ask("initialize", client);
        self.send(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        answer
    }

    /// Calls the tool, and returns the structured content.
    #[track_caller]
    pub fn call(&mut self, arguments: Value) -> Value {
        let answer = self.ask("tools/call", json!({ "name": "graph", "arguments": arguments }));
        let result = &answer["result"];
        let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().expect("text")).expect("JSON");
        assert_eq!(text, result["structuredContent"], "{answer}");
        assert_eq!(result["isError"] == true, text.get("error").is_some(), "{answer}");
        text
    }

    /// Ends the input, and returns the exit code.
    pub fn end(mut self) -> Option<i32> {
        drop(self.input.take());
        self.child.wait().expect("an end").code()
    }
}
