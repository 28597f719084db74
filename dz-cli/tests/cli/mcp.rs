//! `dz mcp`: the protocol over pipes and over HTTP.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Command, Stdio},
};

use serde_json::{Value, json};

use crate::{
    agent::Agent,
    folder::{Folder, json as answer},
};

const NOTES: &str = "entity Note:\n  id: uuid pk\n  title: str(80) required\n  permit:\n    list: authenticated\n    read: authenticated\n";

/// The metadata of a request of the revision without a handshake.
fn meta() -> Value {
    json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} })
}

#[test]
fn both_revisions_are_served_by_one_process() {
    let folder = Folder::new("mcp", &[("app.dsl", NOTES)]);
    let mut agent = Agent::start(&folder);
    let single = agent.ask("tools/call", json!({ "name": "graph", "arguments": { "operation": "topology" }, "_meta": meta() }));
    assert_eq!(single["result"]["structuredContent"]["entities"], 1, "{single}");
    let discovered = agent.ask("server/discover", json!({ "_meta": meta() }));
    assert!(discovered["result"]["supportedVersions"].to_string().contains("2026-07-28"), "{discovered}");
    let opened = agent.initialize();
    assert_eq!(opened["result"]["protocolVersion"], "2025-11-25", "{opened}");
    assert_eq!(opened["result"]["serverInfo"]["name"], "dz");
    assert_eq!(agent.call(json!({ "operation": "topology" }))["entities"], 1);
    let again = agent.ask("tools/list", json!({ "_meta": meta() }));
    assert_eq!(again["result"]["tools"].as_array().map(Vec::len), Some(1), "{again}");
    assert_eq!(agent.end(), Some(0));
}

#[test]
fn the_definition_of_the_tool_is_short() {
    let folder = Folder::new("mcp-tool", &[]);
    let mut agent = Agent::start(&folder);
    agent.initialize();
    let tools = agent.ask("tools/list", json!({}))["result"]["tools"].clone();
    assert_eq!((tools.as_array().map(Vec::len), &tools[0]["name"]), (Some(1), &json!("graph")));
    assert_eq!(tools[0]["inputSchema"]["required"], json!(["operation"]));
    assert!(tools[0]["inputSchema"]["properties"]["operation"]["enum"].as_array().is_some_and(|it| it.len() >= 18));
    assert_eq!(tools[0]["outputSchema"]["type"], "object");
    // A token of JSON is about three and a half characters.
    let tokens = tools[0].to_string().len() * 2 / 7;
    assert!(tokens <= 1500, "about {tokens} tokens");
}

#[test]
fn failures_of_operations_are_results_and_failures_of_the_protocol_are_errors() {
    let folder = Folder::new("mcp-errors", &[("app.dsl", NOTES)]);
    let mut agent = Agent::start(&folder);
    agent.initialize();
    for (arguments, words) in [
        (json!({ "operation": "querry" }), "did you mean `query`?"),
        (json!({}), "`operation` is missing"),
        (json!({ "operation": 1 }), "`operation` must be text"),
        (json!({ "operation": "query" }), "`text` is missing"),
        (json!({ "operation": "paths", "source_id": "Note", "target_id": "x" }), "did you mean `entity:Note`?"),
    ] {
        let error = agent.call(arguments)["error"].as_str().expect("an error").to_owned();
        assert!(error.contains(words), "{error}");
    }
    for params in [json!({ "name": "grahp", "arguments": {} }), json!({ "arguments": {} }), json!({ "name": "graph", "arguments": [1] })] {
        assert_eq!(agent.ask("tools/call", params)["error"]["code"], -32602);
    }
    for method in ["resources/read", "prompts/get"] {
        assert_eq!(agent.ask(method, json!({}))["error"]["code"], -32602, "{method}");
    }
    assert_eq!(agent.ask("tools/burn", json!({}))["error"]["code"], -32601);
    assert_eq!(agent.end(), Some(0));
}

#[test]
fn nothing_that_is_sent_ends_the_session() {
    let folder = Folder::new("mcp-noise", &[("app.dsl", NOTES)]);
    let mut agent = Agent::start(&folder);
    agent.initialize();
    let deep = [b"[".repeat(100_000), b"]".repeat(100_000)].concat();
    for (line, code) in
        [(&b"{ not json"[..], -32700), (b"\xff\xfe", -32700), (&deep, -32700), (b"[{}]", -32600), (b"{}", -32600), (b"7", -32600)]
    {
        agent.send(line);
        let error = agent.receive();
        assert_eq!((&error["error"]["code"], &error["id"]), (&json!(code), &Value::Null), "{error}");
    }
    for line in [&b""[..], b"   ", br#"{"jsonrpc":"2.0","id":9,"result":{}}"#, br#"{"jsonrpc":"2.0","method":"notifications/unknown"}"#] {
        agent.send(line);
    }
    agent.send(br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77,"reason":"test"}}"#);
    let long = format!("{{\"operation\":\"query\",\"text\":\"{}\"}}", "note ".repeat(200_000));
    let refused = agent.call(serde_json::from_str(&long).expect("JSON"));
    assert!(refused["error"].as_str().is_some_and(|it| it.contains("`text` has 1000000 bytes")), "{refused}");
    assert_eq!(agent.call(json!({ "operation": "topology" }))["entities"], 1);
    assert_eq!(agent.end(), Some(0));
}

#[test]
fn requests_in_a_pipe_are_answered_before_the_end() {
    let folder = Folder::new("mcp-pipe", &[("app.dsl", NOTES)]);
    let call = |id: u32| {
        let params = json!({ "name": "graph", "arguments": { "operation": "stats" }, "_meta": meta() });
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string() + "\n"
    };
    let output = folder.dz_with(&["mcp"], &(0..20).map(call).collect::<String>());
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 20);
}

#[test]
fn the_next_call_sees_a_change_on_disk() {
    let folder = Folder::new("mcp-fresh", &[]);
    let mut agent = Agent::start(&folder);
    agent.initialize();
    assert_eq!(agent.call(json!({ "operation": "topology" }))["entities"], 0);
    fs::write(folder.0.join("app.dsl"), NOTES).expect("a file");
    assert_eq!(agent.call(json!({ "operation": "topology" }))["entities"], 1);
    fs::write(folder.0.join("app.dsl"), NOTES.replace("Note", "Page")).expect("a file");
    assert_eq!(agent.call(json!({ "operation": "topology" }))["entity_graph"], json!({ "Page": [] }));
    // What another process imports is seen too.
    let data = json!({ "data": { "version": "1.0", "entities": [{ "id": "team:a", "type": "team", "name": "A" }], "relations": [] } });
    folder.dz(&["kg", "import", &data.to_string()]);
    assert_eq!(agent.call(json!({ "operation": "query", "text": "team:a", "limit": 1 }))["entities"][0]["id"], "team:a");
    agent.call(json!({ "operation": "import", "data": { "version": "1.0", "entities": [{ "id": "team:b", "type": "team", "name": "B" }], "relations": [] } }));
    assert_eq!(answer(&folder.dz(&["kg", "stats"]))["entity_types"]["team"], 2);
    assert_eq!(agent.end(), Some(0));
}

#[test]
fn resources_and_prompts_are_listed_and_read() {
    let folder = Folder::new("mcp-library", &[("app.dsl", NOTES)]);
    let mut agent = Agent::start(&folder);
    agent.initialize();
    let listed = agent.ask("resources/list", json!({}))["result"]["resources"].clone();
    let listed = listed.as_array().expect("a list");
    let uris: Vec<&str> = listed.iter().map(|it| it["uri"].as_str().expect("a URI")).collect();
    let file = uris.iter().find(|uri| uri.starts_with("file:///") && uri.ends_with("/app.dsl")).expect("the declaration");
    assert!(uris.contains(&"dz:language/entities") && uris.contains(&"dz:rules/unknown-role"), "{uris:?}");
    let mut read = |uri: &str| agent.ask("resources/read", json!({ "uri": uri }));
    assert_eq!(read(file)["result"]["contents"][0]["text"], NOTES);
    fs::write(folder.0.join("app.dsl"), "app other\n").expect("a file");
    assert_eq!(read(file)["result"]["contents"][0]["text"], "app other\n");
    assert!(read("dz:rules/unknown-role")["result"]["contents"][0]["text"].as_str().is_some_and(|it| it.contains("Wrong:")));
    assert!(read("dz:language/entities")["result"]["contents"][0]["text"].as_str().is_some_and(|it| it.starts_with("<!--")));
    for uri in ["file:///etc/passwd", "dz:rules/nothing", "dz:language/../../x", "https://example.com"] {
        let code = read(uri)["error"]["code"].clone();
        assert!(code == -32602 || code == -32002, "{uri}: {code}");
    }
    let prompts = agent.ask("prompts/list", json!({}))["result"]["prompts"].clone();
    assert!(
        prompts
            .as_array()
            .is_some_and(|it| it.iter().any(|it| it["name"] == "add_entity") && it.iter().any(|it| it["name"] == "review_access"))
    );
    let filled = agent.ask("prompts/get", json!({ "name": "add_entity", "arguments": { "description": "loans of books" } }));
    assert!(filled["result"]["messages"][0]["content"]["text"].as_str().is_some_and(|it| it.contains("loans of books")), "{filled}");
    assert_eq!(agent.ask("prompts/get", json!({ "name": "add_entity" }))["error"]["code"], -32602);
    assert_eq!(agent.end(), Some(0));
}

/// The status and the body of an answer.
fn http(port: u16, head: &str, body: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
    let request = format!("{head}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len());
    // A server that refuses a body may close the connection before it has all of it.
    let _ = stream.write_all(request.as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let status = answer.split(' ').nth(1).and_then(|it| it.parse().ok()).unwrap_or_default();
    (status, answer)
}

#[test]
fn http_is_served_on_loopback_to_its_own_origins() {
    let folder = Folder::new("mcp-http", &[("app.dsl", NOTES)]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_dz"));
    command.args(["mcp", "--http", "0"]).current_dir(&folder.0).stdin(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("dz runs");
    let mut line = String::new();
    BufReader::new(child.stderr.take().expect("a pipe")).read_line(&mut line).expect("an address");
    let port: u16 = line.trim().trim_end_matches("/mcp").rsplit(':').next().and_then(|it| it.parse().ok()).expect("a port");
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
                       "params": { "name": "graph", "arguments": { "operation": "topology" }, "_meta": meta() } })
    .to_string();
    let head = |more: &str| {
        format!(
            "POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nMCP-Protocol-Version: \
             2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: graph{more}"
        )
    };
    let host = format!("\r\nHost: 127.0.0.1:{port}");
    let (status, text) = http(port, &head(&host), &body);
    assert!(status == 200 && text.contains("\"entities\":1"), "{text}");
    let own = format!("{host}\r\nOrigin: http://localhost:{port}");
    assert_eq!(http(port, &head(&own), &body).0, 200);
    let near =
        [format!("http://u@127.0.0.1:{port}"), format!("http://127.0.0.1:{port}/x"), format!("http://127.0.0.1:{port}\r\nOrigin: null")];
    for origin in
        ["http://evil.example", "null", "http://localhost:1", "https://127.0.0.1"].into_iter().chain(near.iter().map(String::as_str))
    {
        assert_eq!(http(port, &head(&format!("{host}\r\nOrigin: {origin}")), &body).0, 403, "{origin}");
    }
    for other in ["evil.example", "evil@127.0.0.1", "127.0.0.1.evil.example", "localhost:x"] {
        assert_eq!(http(port, &head(&format!("\r\nHost: {other}")), &body).0, 403, "{other}");
    }
    for (wrong, status, code) in [
        ("{ not json".to_owned(), 400, -32700),
        ("[]".to_owned(), 400, -32600),
        (body.replace("{\"operation\":\"topology\"}", "[1]"), 200, -32602),
        (body.replace("\"name\":\"graph\"", "\"nam\":1"), 200, -32602),
    ] {
        let (found, answer) = http(port, &head(&host), &wrong);
        assert!(found == status && answer.contains(&format!("\"code\":{code}")), "{wrong}: {answer}");
    }
    assert_eq!(http(port, &format!("GET /mcp HTTP/1.1{host}\r\nAccept: text/event-stream"), "").0, 405);
    assert_eq!(http(port, &format!("GET / HTTP/1.1{host}"), "").0, 404);
    assert_eq!(http(port, &head(&host), &" ".repeat(9 << 20)).0, 413);
    // Another user of the machine could name files of this user in a `dz.toml` of its own.
    let foreign = Folder::new("mcp-foreign", &[("app.dsl", NOTES)]);
    let populate = |root: &str| body.replace("\"topology\"", &format!("\"populate\",\"root_path\":{}", json!(root)));
    let (_, refused) = http(port, &head(&host), &populate(&foreign.0.to_string_lossy()));
    assert!(refused.contains("outside the project") && refused.contains("\"isError\":true"), "{refused}");
    let (_, own) = http(port, &head(&host), &populate("."));
    assert!(own.contains("\"entity\":1"), "{own}");
    child.kill().and_then(|()| child.wait()).expect("an end");
}

#[test]
fn another_interface_is_refused() {
    let folder = Folder::new("mcp-interface", &[]);
    for address in ["0.0.0.0:8420", "example.com:80", "x"] {
        assert_eq!(folder.dz(&["mcp", "--http", address]).status.code(), Some(2), "{address}");
    }
}
