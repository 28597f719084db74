//! An agent writes a helpdesk in an empty folder: with fifteen calls or fewer, each answer checked.

use std::fs;

use serde_json::{Value, json};

use crate::{
    agent::Agent,
    folder::{Folder, says},
};

/// Counts the calls.
pub struct Session {
    agent: Agent,
    pub calls: usize,
}

impl Session {
    /// Starts a server in a folder.
    pub fn start(folder: &Folder) -> Session {
        let mut agent = Agent::start(folder);
        agent.initialize();
        Session { agent, calls: 0 }
    }

    /// Ends the input, and returns the exit code.
    pub fn end(self) -> Option<i32> {
        self.agent.end()
    }

    #[track_caller]
    pub fn call(&mut self, arguments: Value) -> Value {
        self.calls += 1;
        let answer = self.agent.call(arguments);
        assert!(answer.get("error").is_none(), "{answer}");
        answer
    }
}

/// The errors and warnings of an answer.
pub fn errors(findings: &Value) -> Vec<&Value> {
    findings["diagnostics"].as_array().expect("a list").iter().filter(|it| it["severity"] != "lint").collect()
}

#[test]
fn a_helpdesk_is_written_in_fifteen_calls() {
    let folder = Folder::new("helpdesk", &[]);
    let mut session = Session::start(&folder);
    // What is there, and which patterns fit.
    assert_eq!(session.call(json!({ "operation": "topology" }))["entities"], 0);
    let wish = session.call(json!({ "operation": "inference", "text": "support tickets that agents pick up", "limit": 3 }));
    assert_eq!(wish["matches"][0]["name"], "take_work_from_a_queue", "{wish}");
    let proposed = session.call(
        json!({ "operation": "propose", "text": "a helpdesk where agents take tickets of customers", "entity": "Ticket", "limit": 1 }),
    );
    assert_eq!(proposed["proposals"][0]["name"], "assignment_queue", "{proposed}");
    let mut text = proposed["proposals"][0]["block"].as_str().expect("a block").to_owned();
    // Comments follow another pattern, whose parent is the ticket.
    let comments = session.call(json!({ "operation": "concept", "name": "discussion" }));
    assert_eq!(comments["id"], "concept:comments");
    assert!(comments["metadata"]["example"].as_str().is_some_and(|it| it.contains("entity Comment")));
    text.push_str(COMMENTS);
    // The first attempt has an error, and the answer says how to repair it.
    let wrong = text.replace("assigned_to: ref User", "assigned_to: ref Usr");
    let found = session.call(json!({ "operation": "validate", "text": wrong, "path": "app.dsl" }));
    let error = errors(&found)[0];
    assert_eq!((&error["rule"], &error["replacement"]["text"]), (&json!("unknown-entity"), &json!("User")), "{found}");
    let explained = session.call(json!({ "operation": "explain", "rule": error["rule"] }));
    assert!(explained["right"].is_string());
    let found = session.call(json!({ "operation": "validate", "text": text, "path": "app.dsl" }));
    assert!(errors(&found).is_empty(), "{found}");
    fs::write(folder.0.join("app.dsl"), &text).expect("a file");
    // The project as it is now.
    let topology = session.call(json!({ "operation": "topology", "entity": "Ticket" }));
    assert_eq!(
        (&topology["surfaces"], &topology["referenced_by"][0]["entity"]),
        (&json!(["ticket_create", "ticket_list", "ticket_view"]), &json!("Comment"))
    );
    let access = session.call(json!({ "operation": "access", "entity": "Ticket", "role": "customer" }));
    assert!(
        access["words"]
            .as_array()
            .is_some_and(|it| it.contains(&json!("the role customer may list each Ticket with reported_by = current_user"))),
        "{access}"
    );
    let comments = session.call(json!({ "operation": "access", "entity": "Comment", "role": "customer", "action": "list" }));
    assert_eq!(comments["rules"][0]["callers"]["customer"], "ticket.reported_by = current_user");
    let impact = session.call(json!({ "operation": "impact", "entity": "Ticket", "field": "subject" }));
    assert!(impact["affected"].as_array().is_some_and(|it| it.iter().any(|it| it["id"] == "surface:ticket_list")), "{impact}");
    let paths = session.call(json!({ "operation": "paths", "source_id": "surface:ticket_view", "target_id": "entity:Ticket" }));
    assert_eq!(paths["paths"][0]["length"], 1);
    let populated = session.call(json!({ "operation": "populate" }));
    assert!(errors(&populated).is_empty() && populated["counts"]["entity"] == 2, "{populated}");
    assert!(session.calls <= 15, "{} calls", session.calls);
    assert_eq!(session.end(), Some(0));
    says(&folder.dz(&["validate"]), 0, &["0 errors, 0 warnings"]);
}

const COMMENTS: &str = r#"
entity Comment "Comment":
  intent: "What customer and agent write to each other"
  id: uuid pk
  ticket: ref Ticket required cascade
  author: ref User required = current_user
  body: text required
  written_at: datetime auto_add
  permit:
    list: role(agent) or ticket.reported_by = current_user
    read: role(agent) or ticket.reported_by = current_user
    create: author = current_user and (role(agent) or ticket.reported_by = current_user)

surface ticket_view "Ticket":
  uses entity Ticket
  mode: view
  section main "Ticket":
    field subject
    field body
    field status
    field assigned_to
  section talk "Comments":
    uses entity Comment
    filter: ticket = this
    field author
    field body
    field written_at
"#;
