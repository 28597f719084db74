//! docs/tutorial.md: the declaration after each step is valid, the last one is the compiled application, and the requests that the
//! steps describe have the described results.

use std::fs;

use chrono::TimeDelta;
use dz::{serde_json::json, testing::TestApp};
use dz_dsl_file::{
    Severity, SourceMap, analyse,
    render::{Colour, human},
};

use crate::{first_helpdesk, helpdesk::application, page, root};

/// The constructs of a declaration, each with its keyword and its name.
fn constructs(text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for line in text.split_inclusive('\n') {
        if line.starts_with(|c: char| c.is_alphabetic()) {
            let head: Vec<&str> = line.split([' ', ':', '\n']).take(2).collect();
            found.push((head.join(" "), line.to_owned()));
        } else if let Some((_, text)) = found.last_mut() {
            text.push_str(line);
        }
    }
    found.into_iter().map(|(head, text)| (head, text.trim_end().to_owned() + "\n")).collect()
}

/// The declaration after each step: a construct replaces the one of the same name, or is added at the end.
fn steps() -> Vec<String> {
    let mut all: Vec<(String, String)> = Vec::new();
    let blocks = page("docs/tutorial.md").blocks().into_iter().filter(|block| block.language == "dz");
    blocks
        .map(|block| {
            for (head, text) in constructs(&block.code) {
                match all.iter_mut().find(|(known, _)| *known == head) {
                    Some((_, known)) => *known = text,
                    None => all.push((head, text)),
                }
            }
            all.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join("\n")
        })
        .collect()
}

#[test]
fn the_declaration_is_valid_after_each_step() {
    let steps = steps();
    assert_eq!(steps.len(), 5);
    for (number, text) in (1..).zip(&steps) {
        let analysis = analyse(SourceMap::single("app.dsl", text.as_str()));
        let found = analysis.diagnostics.iter().filter(|it| it.severity != Severity::Lint);
        let found: Vec<String> = found.map(|it| human(&analysis.files, it, Colour::Never)).collect();
        assert!(analysis.model.is_some() && found.is_empty(), "step {number}:\n{}", found.join("\n"));
    }
    let compiled = fs::read_to_string(root().join("tests/docs/helpdesk/app.dsl")).expect("a file");
    assert_eq!(steps.last(), Some(&compiled), "tests/docs/helpdesk/app.dsl is not the result of the steps");
}

#[test]
fn access_rules_hold() {
    dz::testing::prove_access!(application);
}

#[test]
fn customers_see_their_own_tickets() {
    let app = TestApp::new(application());
    let total = |email| app.sign_in(email).get("/api/tickets").member("total");
    assert_eq!(total("cem@example.com"), 1);
    assert_eq!(total("ann@example.com"), 2);
}

#[test]
fn tickets_move_as_the_tutorial_says() {
    let app = TestApp::new(application());
    let (ann, cem) = (app.sign_in("ann@example.com"), app.sign_in("cem@example.com"));
    let ticket = cem.get("/api/tickets").member("items")[0]["id"].as_str().expect("an id").to_owned();
    let agent = ann.get("/api/users?name=Ann").member("items")[0]["id"].clone();
    let to = |state: &str| format!("/api/tickets/{ticket}/transitions/{state}");
    cem.post(&to("taken"), json!({})).assert_problem(403, "TRANSITION_FORBIDDEN");
    ann.post(&to("taken"), json!({})).assert_problem(422, "TRANSITION_REQUIRES");
    ann.post(&to("closed"), json!({})).assert_problem(409, "TRANSITION_NOT_ALLOWED");
    ann.post(&to("taken"), json!({ "assigned_to": agent })).assert_status(200);
    ann.post(&to("solved"), json!({ "solution": "More paper" })).assert_status(200);
    cem.post(&to("open"), json!({})).assert_status(200);
    ann.post(&to("taken"), json!({})).assert_status(200);
    ann.post(&to("solved"), json!({})).assert_status(200);
    app.advance(TimeDelta::days(14));
    assert_eq!(app.sign_in("ann@example.com").get(&format!("/api/tickets/{ticket}")).member("status"), "closed");
}

#[test]
fn comments_belong_to_visible_tickets() {
    let app = TestApp::new(application());
    let (cem, cleo) = (app.sign_in("cem@example.com"), app.sign_in("cleo@example.com"));
    let ticket = cem.get("/api/tickets").member("items")[0]["id"].clone();
    let comment = json!({ "ticket": ticket, "body": "It is urgent" });
    cem.post("/api/comments", &comment).assert_status(201);
    assert!(cleo.post("/api/comments", &comment).status() >= 400);
    assert_eq!(cleo.get("/api/comments").member("total"), 0);
    assert_eq!(app.sign_in("ann@example.com").get("/api/comments").member("total"), 1);
}

#[test]
fn agents_begin_at_their_desk_and_see_late_tickets() {
    let app = TestApp::new(application());
    app.advance(TimeDelta::days(3));
    let (ann, cem) = (app.sign_in("ann@example.com"), app.sign_in("cem@example.com"));
    ann.get_page("/app/desk").assert_status(200).assert_contains("Waiting");
    assert!(cem.get_page("/app/desk").status() >= 400);
    ann.get_page("/app/ticket_list").assert_contains("No agent has taken this ticket").assert_contains("Reporter");
    cem.get_page("/app/ticket_list").assert_lacks("Reporter");
}

#[test]
fn the_hook_refuses_short_subjects() {
    let app = TestApp::new(application());
    let cem = app.sign_in("cem@example.com");
    let refused = cem.post("/api/tickets", json!({ "subject": "Help" }));
    refused.assert_problem(422, "VALIDATION").assert_field("subject", "describe the problem in two words or more");
    let before = TestApp::new(first_helpdesk::application());
    before.sign_in("cem@example.com").post("/api/tickets", json!({ "subject": "Help" })).assert_status(201);
}
