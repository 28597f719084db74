//! The application of a test, its services, and what tests ask of it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use dz::{
    Engine, Error, LlmFailure, LlmRequest, LlmResponse, ServiceCx,
    serde_json::{Value, json},
    testing::{TestApp, TestUser},
};

use super::AppServices as _;

/// What the services were asked: the name of the thing, the key, and the number of the attempt.
#[derive(Clone, Default)]
pub(super) struct Cranes {
    calls: Arc<Mutex<Vec<(String, String, u32)>>>,
    /// How often a thing still fails.
    failing: Arc<Mutex<HashMap<String, u32>>>,
}

impl Cranes {
    pub(super) fn ask(&self, cx: &ServiceCx, what: &str) -> dz::Result<()> {
        self.calls.lock().expect("no panic").push((what.to_owned(), cx.key().to_owned(), cx.attempt()));
        let mut failing = self.failing.lock().expect("no panic");
        let left = failing.get_mut(what).filter(|left| **left > 0);
        match left {
            Some(left) => {
                *left -= 1;
                Err(Error::new(409, "NO_CRANE", "There is no crane").at("what", "is too heavy"))
            }
            None if what.starts_with("broken") => Err(Error::new(409, "NO_CRANE", "There is no crane")),
            None => Ok(()),
        }
    }

    pub(super) fn fail(&self, what: &str, times: u32) {
        self.failing.lock().expect("no panic").insert(what.to_owned(), times);
    }

    /// The things in the order of the calls.
    pub(super) fn things(&self) -> Vec<String> {
        self.calls.lock().expect("no panic").iter().map(|(what, ..)| what.clone()).collect()
    }

    /// The keys and attempts of the calls about a thing.
    pub(super) fn calls_about(&self, what: &str) -> Vec<(String, u32)> {
        let calls = self.calls.lock().expect("no panic");
        calls.iter().filter(|(of, ..)| of == what).map(|(_, key, attempt)| (key.clone(), *attempt)).collect()
    }
}

struct Orders(Cranes);

impl super::services::Crane for Orders {
    fn call(&self, cx: &ServiceCx, input: super::services::CraneInput) -> dz::Result<super::services::CraneOutput> {
        self.0.ask(cx, &input.what)?;
        Ok(super::services::CraneOutput { order: format!("order of {}", input.what) })
    }
}

pub(super) struct Returns(pub(super) Cranes);

impl super::services::ReturnCrane for Returns {
    fn call(&self, cx: &ServiceCx, input: super::services::ReturnCraneInput) -> dz::Result<super::services::ReturnCraneOutput> {
        self.0.ask(cx, &format!("return {}", input.what))?;
        Ok(super::services::ReturnCraneOutput {})
    }
}

pub(super) fn answer(request: &LlmRequest) -> Result<LlmResponse, LlmFailure> {
    let prompt = &request.messages[0].text;
    if prompt.contains("unreachable") {
        return Err(LlmFailure { code: "LLM_UNAVAILABLE", detail: "It rests".to_owned(), is_temporary: true, retry_after: None });
    }
    let text = if prompt.contains("wordy") { "long ".repeat(60) } else { "in good order, mail me@wind.example".to_owned() };
    Ok(LlmResponse { text, input_tokens: 1_000, output_tokens: 500 })
}

pub(super) fn breeze(cranes: &Cranes) -> dz::App {
    super::app().service(Orders(cranes.clone())).service(Returns(cranes.clone())).llm_provider(answer)
}

/// The application of a test, with its services.
pub(super) struct Farm {
    pub(super) app: TestApp,
    pub(super) cranes: Cranes,
}

impl Farm {
    pub(super) fn new(engine: Engine) -> Farm {
        let cranes = Cranes::default();
        let builder = TestApp::builder(breeze(&cranes)).at("2026-11-02T08:00:00Z");
        let app = match engine {
            Engine::Sqlite => builder.start(),
            Engine::Postgres => builder.postgres(std::env::var("DZ_TEST_POSTGRES").expect("the address of a server")).start(),
        };
        let farm = Farm { app, cranes };
        farm.settle();
        farm
    }

    /// Does all work that is due, also work that other work causes.
    pub(super) fn settle(&self) {
        (0..8).for_each(|_| self.app.run_due());
    }

    pub(super) fn advance(&self, by: chrono::TimeDelta) {
        self.app.clock().advance(by);
        self.settle();
    }

    pub(super) fn admin(&self) -> TestUser<'_> {
        self.app.sign_in(super::ADA.0)
    }

    pub(super) fn engineer(&self) -> TestUser<'_> {
        self.app.sign_in(super::EDDA.0)
    }

    /// Starts a process as an administrator; returns the id of the run.
    #[track_caller]
    pub(super) fn start(&self, process: &str, input: Value) -> String {
        let started = self.admin().post(&format!("/api/-/processes/{process}"), json!({ "input": input }));
        started.assert_status(201);
        self.settle();
        text(&started.json()["id"])
    }

    /// The details of a run.
    #[track_caller]
    pub(super) fn run(&self, id: &str) -> Value {
        let shown = self.admin().get(&format!("/api/-/runs/{id}"));
        shown.assert_status(200);
        shown.json()
    }

    /// The runs of a process, the newest first.
    #[track_caller]
    pub(super) fn runs(&self, process: &str) -> Vec<Value> {
        let all = self.admin().get(&format!("/api/-/runs?process={process}"));
        all.json()["runs"].as_array().expect("runs").clone()
    }

    /// The number of entries with a text.
    pub(super) fn entries(&self, text: &str) -> usize {
        let all = self.engineer().get("/api/entries?page_size=100").json();
        all["items"].as_array().expect("rows").iter().filter(|entry| entry["text"] == text).count()
    }

    /// Creates a turbine without a report; returns its id.
    #[track_caller]
    pub(super) fn turbine(&self, name: &str) -> String {
        let made = self.engineer().post("/api/turbines", json!({ "name": name }));
        made.assert_status(201);
        self.settle();
        text(&made.json()["id"])
    }
}

pub(super) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is not a text")).to_owned()
}

/// The step of a run with this name.
#[track_caller]
pub(super) fn step<'r>(run: &'r Value, name: &str) -> &'r Value {
    let steps = run["steps"].as_array().expect("steps");
    steps.iter().find(|step| step["name"] == name).unwrap_or_else(|| panic!("no `{name}` in {run}"))
}

/// The names and statuses of the steps.
pub(super) fn statuses(run: &Value) -> Vec<(String, String)> {
    let steps = run["steps"].as_array().expect("steps");
    steps.iter().map(|step| (text(&step["name"]), text(&step["status"]))).collect()
}

/// Declares a test for each engine from each function.
macro_rules! on_both {
    ($($name:ident;)*) => {
        mod on_sqlite { $(#[test] fn $name() { super::$name(dz::Engine::Sqlite); })* }
        mod on_postgres { $(#[test] fn $name() { super::$name(dz::Engine::Postgres); })* }
    };
}
pub(super) use on_both;
