//! `/api/-/…`: processes, runs, signals and human tasks, in applications with processes.

use rocket::http::Method::{self, Get, Post};

use super::{Form, Route, Run};
use crate::{
    def::AppDef,
    web::api::{Operation, processes::ProcessOperation},
};

pub(crate) fn routes(app: &'static AppDef) -> Vec<Route> {
    if app.processes.is_empty() {
        return Vec::new();
    }
    let route = |method: Method, path: &str, about: &'static str, operation: ProcessOperation| Route {
        form: Form::Json,
        ..Route::new(method, path, about, Run::Api(Operation::Process(operation)))
    };
    vec![
        route(Post, "/api/-/processes/{name}", "Start a process", ProcessOperation::Start),
        route(Get, "/api/-/runs", "List runs of processes", ProcessOperation::ListRuns),
        route(Get, "/api/-/runs/{id}", "Show a run with its steps", ProcessOperation::ShowRun),
        route(Post, "/api/-/runs/{id}/retry", "Continue a failed run", ProcessOperation::Retry),
        route(Post, "/api/-/runs/{id}/cancel", "Cancel a run", ProcessOperation::Cancel),
        route(Post, "/api/-/runs/{id}/skip", "Complete a step without its action", ProcessOperation::Skip),
        route(Post, "/api/-/signals/{name}", "Send a signal to processes", ProcessOperation::Signal),
        route(Get, "/api/-/tasks", "List the tasks of the inbox", ProcessOperation::ListTasks),
        route(Post, "/api/-/tasks/{id}", "Decide a task", ProcessOperation::Decide),
        route(Post, "/api/-/tasks/{id}/claim", "Claim a task", ProcessOperation::Claim),
        route(Post, "/api/-/tasks/{id}/release", "Release the claim of a task", ProcessOperation::Release),
    ]
}
