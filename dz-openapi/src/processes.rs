//! The addresses of processes: runs, signals and human tasks.

use dz_vocabulary::RUN_STATUSES;

use crate::{
    Api,
    document::refer,
    entity::parameters,
    json::{Json, object},
    operation::{self, CHANGES, json, list, object_of, text},
};

/// The addresses, if the application has a process.
pub(crate) fn paths(api: &Api) -> Vec<(String, Json)> {
    if !api.processes {
        return Vec::new();
    }
    let run = || refer("schemas", "Run");
    let body = |required: &[&str], properties: Vec<(&str, Json)>| {
        Some((!required.is_empty(), object_of(required, properties).with("additionalProperties", false)))
    };
    let input = vec![("input", object! { "type" => "object" }), ("tenant", text())];
    let start = operation("startProcess", "Starts a process", body(&[], input), ("201", described("The run", run())), &["404", "409"]);
    let runs = object_of(&["runs"], vec![("runs", list(run()))]);
    let list_runs = operation("listRuns", "Lists runs, the newest first", None, json("Runs", runs), &[]);
    let show = operation("showRun", "Reads a run with its steps", None, json("The run", refer("schemas", "RunDetails")), &["404"]);
    let control = |id: &str, summary: &str| {
        object! {
            "parameters" => Json::List(vec![key("id", identifier())]),
            "post" => operation(id, summary, body(&[], Vec::new()), json("The run", run()), &["404", "409"]),
        }
    };
    let skip = operation(
        "skipStep",
        "Completes a step without its action",
        body(&["step"], vec![("step", text())]),
        json("The run", run()),
        &["404", "409"],
    );
    let signal = vec![("payload", object! {}), ("run", identifier())];
    let reached = object_of(&["signal", "runs"], vec![("signal", text()), ("runs", object! { "type" => "integer", "minimum" => 0 })]);
    let send =
        operation("sendSignal", "Sends a signal", body(&[], signal), json("The number of runs that it reached", reached), &["404", "409"]);
    let tasks = object_of(&["tasks"], vec![("tasks", list(refer("schemas", "Task")))]);
    let inbox = operation("listTasks", "Lists the tasks of the caller", None, json("Tasks", tasks), &[]);
    let decided = object_of(&["outcome", "by", "at"], vec![("outcome", text()), ("by", object! {}), ("at", timestamp())]);
    let decide = operation(
        "decideTask",
        "Decides a task",
        body(&["outcome"], vec![("outcome", text())]),
        json("The decision", decided),
        &["404", "409"],
    );
    let claim = |id: &str, summary: &str| {
        object! {
            "parameters" => Json::List(vec![key("id", identifier())]),
            "post" => operation(id, summary, body(&[], Vec::new()), json("The task", refer("schemas", "Task")), &["404", "409"]),
        }
    };
    let of =
        |name: &str, schema: Json, item: (&'static str, Json)| Json::object([("parameters", Json::List(vec![key(name, schema)])), item]);
    [
        ("processes/{name}", of("name", text(), ("post", start))),
        ("runs", object! { "parameters" => run_filters(), "get" => list_runs }),
        ("runs/{id}", of("id", identifier(), ("get", show))),
        ("runs/{id}/retry", control("retryRun", "Continues a failed run")),
        ("runs/{id}/cancel", control("cancelRun", "Cancels a run")),
        ("runs/{id}/skip", of("id", identifier(), ("post", skip))),
        ("signals/{name}", of("name", text(), ("post", send))),
        ("tasks", object! { "get" => inbox }),
        ("tasks/{id}", of("id", identifier(), ("post", decide))),
        ("tasks/{id}/claim", claim("claimTask", "Claims a task that several accounts can decide")),
        ("tasks/{id}/release", claim("releaseTask", "Releases the claim of a task")),
    ]
    .map(|(path, item)| (format!("/api/-/{path}"), item))
    .into()
}

/// The schemas of runs and tasks, if the application has a process.
pub(crate) fn schemas(api: &Api) -> Vec<(String, Json)> {
    if !api.processes {
        return Vec::new();
    }
    let run = || {
        vec![
            ("id", identifier()),
            ("process", text()),
            ("title", text()),
            ("status", object! { "type" => "string", "enum" => RUN_STATUSES.to_vec() }),
            ("version", text()),
            ("parent", nullable("string")),
            ("trigger", object! {}),
            ("started_at", timestamp()),
            ("ended_at", nullable("string")),
        ]
    };
    let in_run: &[&str] = &["id", "process", "title", "status", "version", "parent", "trigger", "started_at", "ended_at"];
    let objects = || list(object! { "type" => "object", "required" => vec!["name", "status", "attempts"] });
    let details =
        [("input", object! {}), ("output", object! {}), ("error", object! {}), ("steps", objects()), ("compensations", objects())];
    let in_details: Vec<&str> = in_run.iter().copied().chain(details.iter().map(|(name, _)| *name)).collect();
    let row = object_of(&["entity", "id", "label"], vec![("entity", text()), ("id", object! {}), ("label", nullable("string"))]);
    let claimer = object_of(&["id", "label"], vec![("id", object! {}), ("label", text())]);
    let outcome = object_of(&["name", "title"], vec![("name", text()), ("title", text())]);
    let task = vec![
        ("id", identifier()),
        ("run", identifier()),
        ("process", text()),
        ("step", text()),
        ("title", text()),
        ("row", object! { "anyOf" => Json::List(vec![row, object! { "type" => "null" }]) }),
        ("created_at", timestamp()),
        ("due_at", nullable("string")),
        ("outcomes", list(outcome)),
        ("claimed_by", object! { "anyOf" => Json::List(vec![claimer, object! { "type" => "null" }]) }),
        ("claimed_at", nullable("string")),
    ];
    let in_task: Vec<&str> = task.iter().map(|(name, _)| *name).collect();
    [
        ("Run", object_of(in_run, run())),
        ("RunDetails", object_of(&in_details, run().into_iter().chain(details).collect())),
        ("Task", object_of(&in_task, task)),
    ]
    .map(|(name, schema)| (name.to_owned(), schema))
    .into()
}

fn operation(id: &str, summary: &str, body: Option<(bool, Json)>, done: (&str, Json), also: &[&str]) -> Json {
    match body {
        Some(_) => {
            let refused: Vec<&str> = CHANGES.iter().chain(also).copied().collect();
            operation::operation("Processes", id, summary, body, done, &refused).with("parameters", parameters(&["IdempotencyKey"]))
        }
        None => {
            let refused: Vec<&str> = ["400", "401", "403"].iter().chain(also).copied().collect();
            operation::operation("Processes", id, summary, body, done, &refused)
        }
    }
}

fn described(text: &str, schema: Json) -> Json {
    json(text, schema).1
}

/// The filters of a list of runs.
fn run_filters() -> Json {
    let query =
        |name: &str, text: &str, schema: Json| object! { "name" => name, "in" => "query", "description" => text, "schema" => schema };
    Json::List(vec![
        query("process", "Only runs of this process", text()),
        query("status", "Only runs with this status", object! { "type" => "string", "enum" => RUN_STATUSES.to_vec() }),
        query("limit", "The largest number of runs", object! { "type" => "integer", "minimum" => 1, "maximum" => 1000, "default" => 100 }),
    ])
}

fn key(name: &str, schema: Json) -> Json {
    object! { "name" => name, "in" => "path", "required" => true, "schema" => schema }
}

fn identifier() -> Json {
    object! { "type" => "string", "format" => "uuid" }
}

fn timestamp() -> Json {
    object! { "type" => "string", "format" => "date-time" }
}

fn nullable(kind: &'static str) -> Json {
    object! { "type" => Json::List(vec![kind.into(), "null".into()]) }
}
