//! A call of a service: checks of input, output and guarantees, the timeout, and panics.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
        mpsc::{RecvTimeoutError, channel},
    },
    time::{Duration, Instant},
};

use serde_json::Value as Json;

use super::{ServiceCx, Services};
use crate::{Error, Result, SystemCx, blocking::catch_panic, signature};

/// The largest number of calls of one service at the same time, also of calls that have exceeded their timeout and still run.
const MAX_RUNNING: u32 = 64;

/// An attempt to call a service.
#[derive(Debug)]
pub struct ServiceCall<'c> {
    /// The name of the service.
    pub service: &'c str,
    /// The idempotency key.
    pub key: String,
    /// The number of the attempt, from 1.
    pub attempt: u32,
    /// The inputs, an object.
    pub input: Json,
    /// The timeout; `None` is `dz.service_timeout`.
    pub timeout: Option<Duration>,
}

impl Services {
    /// Calls a service, and waits for its result, at most until the timeout. Returns its output, an object with every field.
    ///
    /// # Errors
    /// * those of the service, without change
    /// * 422 `SERVICE_INPUT` and `SERVICE_OUTPUT` with the errors of the fields
    /// * 500 `PANIC`, 504 `TIMEOUT`, 500 `GUARANTEE`
    /// * 503 `SERVICE_BUSY` if too many calls of the service run, for example because they hang
    /// * 410 `SERVICE_GONE`
    pub(crate) fn call(&self, system: &SystemCx, call: ServiceCall<'_>) -> Result<Json> {
        let service = self.find(call.service)?;
        let (app, def) = (system.app(), service.def);
        let input = signature::complete(app, def.input, &call.input, &system.caller()).map(Json::Object);
        let input = input.map_err(|error| rename(error, "SERVICE_INPUT", format!("The input of `{}` is wrong", def.name)))?;
        let timeout = call.timeout.unwrap_or(self.timeout);
        let deadline = Instant::now() + timeout;
        let cx = ServiceCx { key: call.key, attempt: call.attempt, system: system.clone(), deadline };
        let output = self.run(service, cx, input.clone(), timeout)?;
        let output = signature::complete(app, def.output, &output, &system.caller()).map(Json::Object);
        let output = output.map_err(|error| rename(error, "SERVICE_OUTPUT", format!("The output of `{}` is wrong", def.name)))?;
        match catch_panic(|| self.find_broken(def, &input, &output))? {
            Some(sentence) => Err(Error::new(500, "GUARANTEE", sentence)),
            None => Ok(output),
        }
    }

    /// Runs the implementation on a thread of its own: a call that hangs holds no thread of the worker.
    fn run(&self, service: &super::registry::Implemented, cx: ServiceCx, input: Json, timeout: Duration) -> Result<Json> {
        let name = service.def.name;
        let slot = Running::enter(&service.running).ok_or_else(|| {
            Error::new(503, "SERVICE_BUSY", format!("{MAX_RUNNING} calls of `{name}` already run, some perhaps beyond their timeout"))
        })?;
        let (done, result) = channel();
        let implementation = service.implementation.clone();
        // Futures that the service waits for run on the runtime of the application.
        let runtime = tokio::runtime::Handle::try_current().ok();
        let work = move || {
            let _entered = runtime.as_ref().map(tokio::runtime::Handle::enter);
            // After the timeout the caller no longer waits.
            let _ = done.send(catch_panic(|| implementation.call(&cx, input)));
            drop(slot);
        };
        self.threads.run(Box::new(work)).map_err(Error::internal)?;
        match result.recv_timeout(timeout) {
            Ok(answer) => answer.map_err(name_panic),
            Err(RecvTimeoutError::Timeout) => {
                Err(Error::new(504, "TIMEOUT", format!("The service `{name}` did not answer within {} s", timeout.as_secs_f64())))
            }
            Err(RecvTimeoutError::Disconnected) => Err(Error::internal(format_args!("the thread of the service `{name}` ended"))),
        }
    }
}

/// A running call, counted until it is dropped.
struct Running(Arc<AtomicU32>);

impl Running {
    fn enter(count: &Arc<AtomicU32>) -> Option<Running> {
        let next = |running: u32| (running < MAX_RUNNING).then_some(running + 1);
        count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).ok().map(|_| Running(count.clone()))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The same field errors under another code.
fn rename(error: Error, code: &'static str, detail: String) -> Error {
    let error = Error { code, detail, ..error };
    Error { detail: error.summary(), ..error }
}

/// The panic of a service has a code of its own; its text is only in the log.
fn name_panic(error: Error) -> Error {
    match error.internal.as_deref() {
        Some(text) if error.code == "INTERNAL" && text.starts_with("panic: ") => {
            Error { code: "PANIC", detail: "The service ended with a panic; the log has its message".to_owned(), ..error }
        }
        _ => error,
    }
}
