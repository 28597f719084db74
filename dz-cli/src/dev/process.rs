//! The process of the application.

use std::{
    io::{Write as _, stderr, stdout},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    path::Path,
    process::{Child, ChildStdin, Command, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, channel},
    },
    thread,
    time::{Duration, Instant},
};

use serde_json::Value as Json;

use super::read_lines;
use crate::output::put;

/// The time limit for an application to accept connections.
const START: Duration = Duration::from_secs(60);

/// The variable that makes a debug build read edits of its declaration from standard input.
const EDITS: &str = "DZ_DEV_EDITS";
/// The start of the line with which the application answers edits.
const ANSWER: &str = "dz-dev-edits: ";
/// The answer of an application that can take edits over, when it starts.
const READY: &str = "ready";
/// The answer of an application that has taken edits over.
const TAKEN_OVER: &str = "taken over";
/// The time limit for an application to take edits over.
const TAKE_OVER: Duration = Duration::from_secs(10);

/// A running application. It ends when this value is dropped.
pub struct Running {
    child: Child,
    /// Where it reads edits, and its answers.
    edits: Option<ChildStdin>,
    answers: Receiver<String>,
    /// True if it can take edits over.
    is_ready: bool,
    /// Its port on this machine.
    pub port: u16,
}

impl Running {
    /// Starts a program and waits until it accepts connections. An error contains its output on standard error.
    pub fn start(program: &Path, root: &Path, shown: SocketAddr) -> Result<Running, String> {
        let port = free_port().map_err(|error| format!("there is no free port: {error}"))?;
        let mut command = Command::new(program);
        command.current_dir(root).env("ROCKET_ADDRESS", "127.0.0.1").env("ROCKET_PORT", port.to_string()).env(EDITS, "stdin");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("{} cannot be started: {error}", program.display()))?;
        let (sender, answers) = channel();
        let mut running = Running { edits: child.stdin.take(), child, answers, is_ready: false, port };
        let (own, public) = (format!("127.0.0.1:{port}"), shown.to_string());
        if let Some(lines) = running.child.stdout.take() {
            // Users open the address of the proxy.
            read_lines(lines, move |line| match line.strip_prefix(ANSWER) {
                // If there is no receiver, the process is ending.
                Some(answer) => drop(sender.send(answer.to_owned())),
                None => put(stdout(), &format!("{}\n", line.replace(&own, &public))),
            });
        }
        let printed = Arc::new(Mutex::new(String::new()));
        let reader = running.child.stderr.take().map(|lines| {
            let printed = printed.clone();
            read_lines(lines, move |line| {
                put(stderr(), &format!("{line}\n"));
                let mut printed = printed.lock().unwrap_or_else(PoisonError::into_inner);
                if printed.len() < 10_000 {
                    printed.push_str(&format!("{line}\n"));
                }
            })
        });
        let began = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            let ended = running.child.try_wait().map_err(|error| format!("the application cannot be waited for: {error}"))?;
            if ended.is_some() {
                // Its last lines may not be read yet.
                let _ = reader.map(thread::JoinHandle::join);
                return Err(printed.lock().unwrap_or_else(PoisonError::into_inner).clone());
            }
            if began.elapsed() > START {
                return Err(format!("the application accepts no connection on port {port} within {} seconds\n", START.as_secs()));
            }
            thread::sleep(Duration::from_millis(10));
        }
        Ok(running)
    }

    /// Sends edits of the declaration; true if the application has taken them over. An application that does not answer is built again.
    pub fn send(&mut self, edits: &Json) -> bool {
        self.is_ready |= self.answers.try_iter().any(|answer| answer == READY);
        let Some(pipe) = self.edits.as_mut().filter(|_| self.is_ready) else { return false };
        let sent = writeln!(pipe, "{edits}").and_then(|()| pipe.flush());
        let answer = sent.ok().and_then(|()| self.answers.recv_timeout(TAKE_OVER).ok());
        match answer {
            Some(answer) if answer == TAKEN_OVER => true,
            Some(answer) => {
                put(stderr(), &format!("the running application does not take the change over: {answer}\n"));
                false
            }
            None => {
                // A late answer must not be taken for that to later edits.
                self.edits = None;
                false
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // The error for a process that has already ended is ignored.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}
