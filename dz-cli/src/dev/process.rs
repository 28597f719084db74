//! The process of the application.

use std::{
    io::{stderr, stdout},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use super::read_lines;
use crate::output::put;

/// The time limit for an application to accept connections.
const START: Duration = Duration::from_secs(60);

/// A running application. It ends when this value is dropped.
pub struct Running {
    child: Child,
    /// Its port on this machine.
    pub port: u16,
}

impl Running {
    /// Starts a program and waits until it accepts connections. An error contains its output on standard error.
    pub fn start(program: &Path, root: &Path, shown: SocketAddr) -> Result<Running, String> {
        let port = free_port().map_err(|error| format!("there is no free port: {error}"))?;
        let mut command = Command::new(program);
        command.current_dir(root).env("ROCKET_ADDRESS", "127.0.0.1").env("ROCKET_PORT", port.to_string());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().map_err(|error| format!("{} cannot be started: {error}", program.display()))?;
        let mut running = Running { child, port };
        let (own, public) = (format!("127.0.0.1:{port}"), shown.to_string());
        if let Some(lines) = running.child.stdout.take() {
            // Users open the address of the proxy.
            read_lines(lines, move |line| put(stdout(), &format!("{}\n", line.replace(&own, &public))));
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
