//! `dz mcp`: progress, cancellation and the limits of the input.

use serde_json::{Value, json};

use crate::{agent::Agent, folder::Folder};

const NOTES: &str = "entity Note:\n  id: uuid pk\n  title: str(80) required\n  permit:\n    list: authenticated\n    read: authenticated\n";

fn request(id: u64, arguments: &Value, meta: &Value) -> Vec<u8> {
    let params = json!({ "name": "graph", "arguments": arguments, "_meta": meta });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string().into_bytes()
}

/// A declaration that takes a while to read.
fn large() -> String {
    let entity = |at: u32| format!("entity Thing{at}:\n  id: uuid pk\n  title: str(80) required\n  permit:\n    read: authenticated\n\n");
    (0..6000).map(entity).collect()
}

#[test]
fn a_call_reports_its_progress() {
    let folder = Folder::new("mcp-progress", &[("app.dsl", NOTES)]);
    let mut agent = Agent::start(&folder);
    agent.initialize();
    agent.send(&request(90, &json!({ "operation": "populate" }), &json!({ "progressToken": "p" })));
    let mut steps = Vec::new();
    let answer = loop {
        let message = agent.receive();
        if message["id"] == 90 {
            break message;
        }
        assert_eq!((&message["method"], &message["params"]["progressToken"]), (&json!("notifications/progress"), &json!("p")), "{message}");
        steps.push((message["params"]["progress"].as_f64(), message["params"]["total"].as_f64()));
    };
    assert_eq!(steps, [(Some(0.0), Some(1.0)), (Some(1.0), Some(1.0))]);
    assert_eq!(answer["result"]["structuredContent"]["counts"]["entity"], 1);
    // Without a token there is none.
    agent.send(&request(91, &json!({ "operation": "populate" }), &json!({})));
    assert_eq!(agent.receive()["id"], 91);
    assert_eq!(agent.end(), Some(0));
}

#[test]
fn a_cancelled_call_has_no_answer() {
    let folder = Folder::new("mcp-cancel", &[("app.dsl", NOTES)]);
    let mut agent = Agent::start(&folder);
    agent.initialize();
    for id in [70, 71, 72] {
        agent.send(&request(id, &json!({ "operation": "validate", "text": large() }), &json!({})));
    }
    for id in [70, 71, 72] {
        let cancelled = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id, "reason": "test" } });
        agent.send(cancelled.to_string().as_bytes());
    }
    agent.send(&request(73, &json!({ "operation": "topology" }), &json!({})));
    assert_eq!(agent.receive()["id"], 73);
    assert_eq!(agent.end(), Some(0));
}

#[test]
fn a_line_that_is_too_long_is_refused() {
    let folder = Folder::new("mcp-long", &[("app.dsl", NOTES)]);
    let mut agent = Agent::start(&folder);
    agent.initialize();
    agent.send(&vec![b' '; (64 << 20) + 10]);
    let refused = agent.receive();
    assert_eq!((&refused["error"]["code"], &refused["id"]), (&json!(-32700), &Value::Null), "{refused}");
    assert!(refused["error"]["message"].as_str().is_some_and(|it| it.contains("64 MB")), "{refused}");
    assert_eq!(agent.call(json!({ "operation": "topology" }))["entities"], 1);
    assert_eq!(agent.end(), Some(0));
}

#[test]
fn the_text_of_a_parameter_has_a_limit() {
    let folder = Folder::new("mcp-text", &[("app.dsl", NOTES)]);
    let mut agent = Agent::start(&folder);
    agent.initialize();
    let long = "x".repeat(10_001);
    for arguments in [
        json!({ "operation": "query", "text": long }),
        json!({ "operation": "topology", "entity": long }),
        json!({ "operation": "concept", "name": long }),
        json!({ "operation": "validate", "text": "x".repeat((4 << 20) + 1) }),
    ] {
        let operation = arguments["operation"].clone();
        let refused = agent.call(arguments);
        assert!(refused["error"].as_str().is_some_and(|it| it.contains("bytes; at most")), "{operation}: {refused}");
    }
    // A declaration can be longer than a question.
    assert!(agent.call(json!({ "operation": "validate", "text": format!("# {long}\n{NOTES}") }))["errors"] == 0);
    assert_eq!(agent.end(), Some(0));
}
