//! A worker process: its start, its requests and responses, and its end.

use std::{
    io::{BufRead, BufReader, Read, Write},
    path::Path,
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    thread,
    time::{Duration, Instant},
};

use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::{Error, Result, output::log_event};

/// The program that loads the stub and answers requests.
const RUNNER: &str = include_str!("runner.py");
/// The largest response.
const MAX_LINE: u64 = 16 << 20;
/// A worker that was idle for longer is asked for a sign of life before its next call,
const PING_AFTER: Duration = Duration::from_secs(1);
/// which it must give within this time.
const PING_TIMEOUT: Duration = Duration::from_secs(2);
/// The longest line of the body's output in the log.
const MAX_LOG: u64 = 8 << 10;

/// A worker process. It ends when this value is dropped.
pub(super) struct Worker {
    service: &'static str,
    process: Child,
    requests: ChildStdin,
    /// Lines of responses; an error if a line is too long or no text.
    responses: Receiver<Result<String, String>>,
    /// The number of the last request.
    last: u64,
    /// The time of its start or of its last response.
    used_at: Instant,
}

/// The reason why a call has failed.
pub(super) enum Failure {
    /// The body raised an exception; the worker can run further calls.
    Exception(Error),
    /// The worker can no longer be used.
    Worker(Error),
}

/// The first message of a worker.
#[derive(Deserialize)]
struct Ready {
    ready: bool,
    error: Option<Exception>,
}

/// The response to a request.
#[derive(Deserialize)]
struct Response {
    id: u64,
    output: Option<Json>,
    error: Option<Exception>,
}

/// The response to a ping.
#[derive(Deserialize)]
struct Pong {
    pong: u64,
}

#[derive(Deserialize)]
struct Exception {
    #[serde(rename = "type")]
    name: String,
    message: String,
}

impl Worker {
    /// Starts a worker, and waits until it has loaded the stub.
    ///
    /// # Errors
    /// 500 `SERVICE_START`: the interpreter does not run, or the stub cannot be loaded; 504 `TIMEOUT`.
    pub fn start(service: &'static str, interpreter: &Path, description: &str, deadline: Instant) -> Result<Worker> {
        let failure = |why: String| Error::new(500, "SERVICE_START", format!("The Python worker of `{service}` does not start: {why}"));
        let mut process = Command::new(interpreter)
            .args(["-c", RUNNER, description])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| failure(format!("{}: {error}; `dz.python` names the interpreter", interpreter.display())))?;
        let (requests, output, log) = (process.stdin.take(), process.stdout.take(), process.stderr.take());
        let (Some(requests), Some(output), Some(log)) = (requests, output, log) else {
            return Err(Error::internal("a process without pipes"));
        };
        // A full channel stops a worker that writes without requests.
        let (send, responses) = sync_channel(2);
        let mut worker = Worker { service, process, requests, responses, last: 0, used_at: Instant::now() };
        start_thread(service, move || read_responses(output, &send))?;
        start_thread(service, move || log_lines(service, log))?;
        let ready: Ready = match worker.receive(deadline) {
            Ok(ready) => ready,
            Err(error) if error.code == "TIMEOUT" => return Err(error),
            Err(error) => return Err(failure(error.detail)),
        };
        match (ready.ready, ready.error) {
            (true, _) => Ok(worker),
            (false, Some(it)) => Err(failure(format!("{}: {}", it.name, it.message))),
            (false, None) => Err(failure("no reason was given".to_owned())),
        }
    }

    /// True if the process has not ended.
    pub fn is_running(&mut self) -> bool {
        matches!(self.process.try_wait(), Ok(None))
    }

    /// True if the worker can run a call: it was used within the last second, or it answers a ping. A process that was stopped, or whose
    /// interpreter is blocked by a thread of the body, does not answer.
    pub fn is_responsive(&mut self, deadline: Instant) -> bool {
        if self.used_at.elapsed() < PING_AFTER {
            return true;
        }
        self.last += 1;
        let request = json!({ "ping": self.last });
        let sent = writeln!(self.requests, "{request}").and_then(|()| self.requests.flush());
        let answer: Result<Pong> = match sent {
            Ok(()) => self.receive(deadline.min(Instant::now() + PING_TIMEOUT)),
            Err(_) => return false,
        };
        answer.is_ok_and(|it| it.pong == self.last)
    }

    /// Sends a request, and waits for its response.
    pub fn call(&mut self, mut request: Json, deadline: Instant) -> Result<Json, Failure> {
        self.last += 1;
        request["id"] = self.last.into();
        let sent = writeln!(self.requests, "{request}").and_then(|()| self.requests.flush());
        if sent.is_err() {
            return Err(Failure::Worker(self.end_error()));
        }
        let response: Response = self.receive(deadline).map_err(Failure::Worker)?;
        self.used_at = Instant::now();
        match response {
            Response { id, .. } if id != self.last => Err(Failure::Worker(self.protocol_error("it answered another request"))),
            Response { error: Some(it), .. } => {
                Err(Failure::Exception(Error::new(500, "SERVICE_EXCEPTION", format!("{}: {}", it.name, it.message))))
            }
            Response { output, .. } => Ok(output.unwrap_or_default()),
        }
    }

    fn receive<T: for<'de> Deserialize<'de>>(&mut self, deadline: Instant) -> Result<T> {
        match self.responses.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(Ok(line)) => serde_json::from_str(&line).map_err(|_| self.protocol_error("it wrote a line that is not a response")),
            Ok(Err(why)) => Err(self.protocol_error(&why)),
            Err(RecvTimeoutError::Timeout) => {
                Err(Error::new(504, "TIMEOUT", format!("The Python worker of `{}` did not answer in time and was ended", self.service)))
            }
            Err(RecvTimeoutError::Disconnected) => Err(self.end_error()),
        }
    }

    fn protocol_error(&self, what: &str) -> Error {
        Error::new(500, "SERVICE_PROTOCOL", format!("The Python worker of `{}` was ended, because {what}", self.service))
    }

    fn end_error(&mut self) -> Error {
        // The pipe is closed, so the process ends now or has ended.
        let _ = self.process.kill();
        let status = self.process.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
        Error::new(500, "SERVICE_ENDED", format!("The Python worker of `{}` ended during the call ({status})", self.service))
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn start_thread(service: &str, work: impl FnOnce() + Send + 'static) -> Result<()> {
    thread::Builder::new().name(format!("dz python {service}")).spawn(work).map(drop).map_err(Error::internal)
}

/// Passes each line on, until the process ends or the worker is dropped.
fn read_responses(source: impl Read, send: &SyncSender<Result<String, String>>) {
    let mut source = BufReader::new(source);
    loop {
        let mut line = Vec::new();
        let line = match source.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) if line.last() != Some(&b'\n') => Err("its response was incomplete or too long".to_owned()),
            Ok(_) => String::from_utf8(line).map_err(|_| "its response was no UTF-8".to_owned()),
        };
        let is_last = line.is_err();
        if send.send(line).is_err() || is_last {
            return;
        }
    }
}

/// Logs each line that the body prints.
fn log_lines(service: &str, source: impl Read) {
    let mut source = BufReader::new(source);
    loop {
        let mut line = Vec::new();
        match source.by_ref().take(MAX_LOG).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {
                let text = String::from_utf8_lossy(&line);
                log_event!(info, target: "dz::service", service, "{}", text.trim_end());
            }
        }
    }
}
