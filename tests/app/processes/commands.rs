//! The command `process`, in a process of its own.

use std::process::Output;

use dz::{
    Engine,
    serde_json::{self, Value, json},
};

use crate::server;

/// The program that the tests run: the command line of the application.
#[test]
#[ignore = "the tests start it in a process of its own"]
fn child() {
    server::obey(super::app());
}

fn output(engine: Engine, url: &str, words: &[&str]) -> (bool, String, String) {
    let Output { status, stdout, stderr } = server::command("processes::commands::child", engine, url, words).output().expect("it runs");
    (status.success(), String::from_utf8_lossy(&stdout).into_owned(), String::from_utf8_lossy(&stderr).into_owned())
}

/// The JSON that a command prints.
#[track_caller]
fn printed(engine: Engine, url: &str, words: &[&str]) -> Value {
    let words: Vec<&str> = words.iter().copied().chain(["--format", "json"]).collect();
    let (success, out, error) = output(engine, url, &words);
    assert!(success, "{out}{error}");
    let line = out.lines().find(|line| line.starts_with('{')).unwrap_or_else(|| panic!("no JSON in {out}"));
    serde_json::from_str(line).expect("JSON")
}

#[track_caller]
fn refused(engine: Engine, url: &str, words: &[&str], why: &str) {
    let (success, out, error) = output(engine, url, words);
    assert!(!success && error.contains(why), "`{why}` is not in {out}{error}");
}

#[test]
fn runs_are_controlled_from_the_command_line_on_sqlite() {
    check_commands(Engine::Sqlite);
}

#[test]
fn runs_are_controlled_from_the_command_line_on_postgres() {
    check_commands(Engine::Postgres);
}

fn check_commands(engine: Engine) {
    let url = server::new_url(engine, "workshop_commands");
    assert_eq!(printed(engine, &url, &["process", "list"]), json!({ "runs": [] }));
    refused(engine, &url, &["process", "start", "writting"], "writing");
    refused(
        engine,
        &url,
        &["process", "start", "writing", "--input", "{\"times\":true}"],
        "`text` is required; `times` must be a whole number",
    );
    let run = printed(engine, &url, &["process", "start", "writing", "--input", "{\"text\":\"by hand\"}"]);
    assert_eq!((&run["status"], &run["process"], &run["trigger"]["kind"]), (&json!("running"), &json!("writing"), &json!("manual")));
    let id = run["id"].as_str().expect("an id");
    assert_eq!(run["version"].as_str().map(str::len), Some(12));

    // What is due is executed by `jobs run`.
    printed(engine, &url, &["jobs", "run"]);
    let shown = printed(engine, &url, &["process", "show", id]);
    assert_eq!((&shown["status"], &shown["steps"][0]["name"]), (&json!("waiting"), &json!("pause")));
    refused(engine, &url, &["process", "retry", id], "only failed runs are retried");
    assert_eq!(printed(engine, &url, &["process", "signal", "paid", "--run", id]), json!({ "signal": "paid", "runs": 1 }));
    refused(engine, &url, &["process", "signal", "paidd"], "paid");
    assert_eq!(printed(engine, &url, &["process", "cancel", id])["status"], "cancelled");
    refused(engine, &url, &["process", "cancel", id], "only runs that have not ended are cancelled");
    assert_eq!(printed(engine, &url, &["process", "list", "--status", "cancelled"])["runs"][0]["id"], id);
    assert_eq!(printed(engine, &url, &["process", "list", "--process", "closing"]), json!({ "runs": [] }));
    refused(engine, &url, &["process", "show", "7"], "process list");
    refused(engine, &url, &["process", "stop"], "`process` needs");
}
