//! Services in Python: worker processes that run the files of stubs.

mod worker;

use std::{
    path::PathBuf,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use serde_json::{Value as Json, json};

use super::{CallService, ServiceCx, WorkerFigures};
use crate::{
    Error, Result,
    def::{Kind, ServiceDef, ValueDef},
    output::log_event,
};

use worker::{Failure, Worker};

/// The delay before the start after the first worker that ended, which doubles with each further one,
const FIRST_DELAY: Duration = Duration::from_millis(200);
/// up to this maximum.
const MAX_DELAY: Duration = Duration::from_secs(30);

/// The configuration of worker processes.
#[derive(Debug, Clone)]
pub(crate) struct PythonSettings {
    /// The interpreter.
    pub interpreter: PathBuf,
    /// The folder of the stub files; `None` uses the default folders.
    pub folder: Option<PathBuf>,
    /// Worker processes for each service.
    pub workers: u32,
}

/// A service whose calls run in worker processes.
pub(super) struct PythonService {
    name: &'static str,
    interpreter: PathBuf,
    /// The description for the runner.
    description: String,
    max_workers: usize,
    pool: Mutex<Pool>,
    /// Notified when a worker becomes idle or ends.
    freed: Condvar,
}

/// The worker processes of a service.
#[derive(Default)]
struct Pool {
    idle: Vec<Worker>,
    /// The number of workers, idle and busy.
    count: usize,
    /// Workers that ended since the last successful call.
    ended: u32,
    /// No worker is started before.
    next_start: Option<Instant>,
    /// How often workers ended since the start of the application.
    figures: WorkerFigures,
}

impl PythonService {
    /// Finds the file of the stub.
    ///
    /// # Errors
    /// One sentence that names the missing file.
    pub(super) fn new(def: &'static ServiceDef, package: &str, settings: &PythonSettings) -> Result<PythonService> {
        let file_name = format!("{}.py", def.name);
        let folders = match &settings.folder {
            Some(folder) => vec![folder.clone()],
            None => vec![PathBuf::from("services"), PathBuf::from(package).join("services")],
        };
        let Some(file) = folders.iter().map(|folder| folder.join(&file_name)).find(|file| file.is_file()) else {
            let places: Vec<String> = folders.iter().map(|folder| folder.join(&file_name).display().to_string()).collect();
            let fix = "write it with `dz stubs generate`, or name its folder with `dz.services`";
            let detail = format!("the service `{}` has `stub: python`, and there is no file {}; {fix}", def.name, places.join(" or "));
            return Err(super::configuration(detail));
        };
        let description = json!({
            "name": def.name,
            "file": file.canonicalize().unwrap_or(file).to_string_lossy(),
            "input": def.input.iter().map(describe).collect::<Json>(),
            "output": def.output.iter().map(describe).collect::<Json>(),
        });
        Ok(PythonService {
            name: def.name,
            interpreter: settings.interpreter.clone(),
            description: description.to_string(),
            max_workers: usize::try_from(settings.workers).unwrap_or(1),
            pool: Mutex::default(),
            freed: Condvar::new(),
        })
    }

    fn pool(&self) -> MutexGuard<'_, Pool> {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An idle worker, or `None` for a place to start one. Waits while all workers are busy, and before a start after failures.
    fn acquire(&self, deadline: Instant) -> Result<Option<Worker>> {
        let mut pool = self.pool();
        loop {
            let now = Instant::now();
            if now >= deadline {
                let detail = format!("The {} Python workers of `{}` were busy until the timeout", self.max_workers, self.name);
                return Err(Error::new(504, "TIMEOUT", detail));
            }
            if let Some(mut worker) = pool.idle.pop() {
                if worker.is_running() {
                    return Ok(Some(worker));
                }
                pool.note_end();
                continue;
            }
            let start = pool.next_start.filter(|at| *at > now);
            if pool.count < self.max_workers && start.is_none() {
                pool.count += 1;
                return Ok(None);
            }
            let until = start.map_or(deadline, |at| at.min(deadline));
            pool = self.freed.wait_timeout(pool, until.saturating_duration_since(now)).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The numbers of its workers.
    pub(super) fn worker_figures(&self) -> WorkerFigures {
        let pool = self.pool();
        let idle = pool.idle.len();
        WorkerFigures { idle, busy: pool.count.saturating_sub(idle), ..pool.figures }
    }

    /// The worker, or `None` for a place to start another one if it does not respond.
    fn check(&self, mut worker: Worker, deadline: Instant) -> Option<Worker> {
        if worker.is_responsive(deadline) {
            return Some(worker);
        }
        log_event!(warn, target: "dz::service", service = self.name, "a Python worker did not respond, and is replaced");
        self.pool().figures.unresponsive += 1;
        None
    }

    /// Runs the call on the worker, or on a new one. Returns the worker if it can run another call.
    fn run(&self, worker: Option<Worker>, cx: &ServiceCx, input: &Json) -> (Option<Worker>, Result<Json>) {
        let started = match worker {
            Some(worker) => Ok(worker),
            None => Worker::start(self.name, &self.interpreter, &self.description, cx.deadline),
        };
        let mut worker = match started {
            Ok(worker) => worker,
            Err(error) => return (None, Err(error)),
        };
        let request = json!({ "key": cx.key(), "attempt": cx.attempt(), "input": input });
        match worker.call(request, cx.deadline) {
            Ok(output) => (Some(worker), Ok(output)),
            Err(Failure::Exception(error)) => (Some(worker), Err(error)),
            Err(Failure::Worker(error)) => (None, Err(error)),
        }
    }
}

impl Pool {
    /// Counts a worker that ended, and delays the next start if it is not the first one.
    fn note_end(&mut self) {
        self.count = self.count.saturating_sub(1);
        self.figures.ended += 1;
        self.ended = self.ended.saturating_add(1);
        let delay = self.ended.checked_sub(2).map(|doublings| FIRST_DELAY.saturating_mul(1 << doublings.min(16)).min(MAX_DELAY));
        self.next_start = delay.map(|delay| Instant::now() + delay);
    }
}

impl CallService for Arc<PythonService> {
    fn call(&self, cx: &ServiceCx, input: Json) -> Result<Json> {
        let worker = self.acquire(cx.deadline)?.and_then(|worker| self.check(worker, cx.deadline));
        let (worker, result) = self.run(worker, cx, &input);
        let is_late = result.as_ref().is_err_and(|error| error.code == "TIMEOUT");
        let mut pool = self.pool();
        match worker {
            Some(worker) => {
                pool.idle.push(worker);
                (pool.ended, pool.next_start) = (0, None);
            }
            // A worker that was ended after a timeout says nothing about the next one.
            None if is_late => {
                pool.count = pool.count.saturating_sub(1);
                pool.figures.timed_out += 1;
            }
            None => pool.note_end(),
        }
        drop(pool);
        self.freed.notify_one();
        result
    }
}

/// The name and the type of a value, for the runner.
fn describe(it: &ValueDef) -> Json {
    let ty = match it.field.kind {
        Kind::Decimal { .. } => "decimal",
        Kind::Date => "date",
        Kind::DateTime => "datetime",
        Kind::Uuid
        | Kind::Str(_)
        | Kind::Text
        | Kind::Int
        | Kind::Float
        | Kind::Bool
        | Kind::Enum(_)
        | Kind::Json
        | Kind::Email
        | Kind::Url
        | Kind::Timezone
        | Kind::Currency { .. }
        | Kind::Slug
        | Kind::File { .. }
        | Kind::Ref(_)
        | Kind::HasMany { .. }
        | Kind::HasOne { .. }
        | Kind::ManyToMany { .. } => "plain",
    };
    json!({ "name": it.name(), "type": ty, "lists": it.lists, "currency": it.field.currency })
}
