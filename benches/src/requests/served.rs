//! The two applications as processes, with the same rows.

use std::{
    fs, io,
    net::TcpListener,
    path::Path,
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant},
};

use dz::{Engine, serde_json::Value};

use super::{
    Outcome, SEEN, by_hand,
    drive::{Answer, Connection},
    place::{Part, Place},
};

/// The password of the accounts of a declared application.
pub const PASSWORD: &str = "a phrase for measuring";

/// A running application.
pub struct Served {
    child: Child,
    /// Its port.
    pub port: u16,
    /// Which of the applications it is.
    pub part: Part,
    cookie: String,
    /// The session of a user who sees every row.
    manager: String,
    /// The key of the caller.
    pub owner: String,
    /// Milliseconds from its start to its first response.
    pub ready_ms: f64,
}

impl Served {
    /// Starts an application without a session.
    ///
    /// # Errors
    /// If it does not respond.
    pub fn start(place: &Place, part: Part) -> Outcome<Served> {
        Served::start_process(part, place.command(part)?, 20)
    }

    /// Starts the same application under the command that `DZ_BENCH_UNDER` names, with the same sessions.
    ///
    /// # Errors
    /// If it does not respond.
    pub fn again(self, place: &Place) -> Outcome<Served> {
        let (part, cookie, manager, owner) = (self.part, self.cookie.clone(), self.manager.clone(), self.owner.clone());
        drop(self);
        let served = Served::start_process(part, place.measured_command(part)?, 120)?;
        Ok(served.with_cookies(cookie, manager, owner))
    }

    fn with_cookies(mut self, cookie: String, manager: String, owner: String) -> Served {
        (self.cookie, self.manager, self.owner) = (cookie, manager, owner);
        self
    }

    fn start_process(part: Part, mut command: std::process::Command, seconds: u64) -> Outcome<Served> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let start = Instant::now();
        let child = command.env("ROCKET_PORT", port.to_string()).stdin(Stdio::null()).stdout(Stdio::null()).spawn()?;
        let mut served = Served { child, port, part, cookie: String::new(), manager: String::new(), owner: String::new(), ready_ms: 0.0 };
        while served.ask("GET", "/api/items", "").is_err() {
            if start.elapsed() > Duration::from_secs(seconds) || served.child.try_wait()?.is_some() {
                return Err(format!("{part:?} does not answer").into());
            }
            thread::sleep(Duration::from_millis(1));
        }
        served.ready_ms = start.elapsed().as_secs_f64() * 1_000.0;
        Ok(served)
    }

    /// Signs in to an account of a declared application as the caller.
    ///
    /// # Errors
    /// If the sign-in is refused.
    pub fn sign_in(&mut self, email: &str) -> Outcome<()> {
        self.cookie.clear();
        let answer = self.ask("POST", "/auth/login", &format!(r#"{{"email":"{email}","password":"{PASSWORD}"}}"#))?;
        let cookie = answer.head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).ok_or_else(|| answer.head.clone())?;
        self.cookie = cookie.split(';').next().unwrap_or_default().to_owned();
        Ok(())
    }

    /// Starts the application again under the command that `DZ_BENCH_UNDER` names, with the sessions of a manager and of the caller.
    ///
    /// # Errors
    /// If a sign-in is refused.
    pub fn with_two_sessions(mut self, place: &Place, manager: &str, caller: &str) -> Outcome<Served> {
        self.sign_in(manager)?;
        self.manager = self.cookie.clone();
        self.sign_in(caller)?;
        self.again(place)
    }

    /// A request of the caller, as bytes.
    pub fn request(&self, method: &str, path: &str, body: &str) -> Vec<u8> {
        self.send_with_cookie(&self.cookie, method, path, "application/json", body)
    }

    /// A request of a user who sees every row.
    pub fn request_as_manager(&self, method: &str, path: &str, kind: &str, body: &str) -> Vec<u8> {
        self.send_with_cookie(&self.manager, method, path, kind, body)
    }

    fn send_with_cookie(&self, cookie: &str, method: &str, path: &str, kind: &str, body: &str) -> Vec<u8> {
        format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nCookie: {cookie}\r\nSec-Fetch-Site: same-origin\r\nHX-Request: true\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\r\n{body}",
            self.port,
            body.len()
        )
        .into_bytes()
    }

    /// Sends a request over a connection of its own.
    ///
    /// # Errors
    /// If there is no response.
    pub fn ask(&self, method: &str, path: &str, body: &str) -> io::Result<Answer> {
        Connection::open(self.port)?.ask(&self.request(method, path, body))
    }

    /// The JSON response to the caller.
    ///
    /// # Errors
    /// If the response is not JSON.
    pub fn json(&self, path: &str) -> Outcome<Value> {
        let answer = self.ask("GET", path, "")?;
        if answer.status != 200 {
            return Err(format!("{path}: {}{}", answer.head, String::from_utf8_lossy(&answer.body)).into());
        }
        Ok(dz::serde_json::from_slice(&answer.body)?)
    }

    /// The id of its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The resident memory in MB: the total, and without the pages of mapped files.
    ///
    /// # Errors
    /// If the process has ended.
    pub fn memory(&self) -> Outcome<(f64, f64)> {
        let text = fs::read_to_string(Path::new("/proc").join(self.child.id().to_string()).join("status"))?;
        let of = |name: &str| -> Outcome<f64> {
            let line = text.lines().find_map(|line| line.strip_prefix(name)).ok_or("no such line")?;
            Ok(line.trim().trim_end_matches(" kB").trim().parse::<f64>()? / 1_024.0)
        };
        Ok((of("VmRSS:")?, of("RssAnon:")?))
    }

    /// Ends the process regularly, so that a profiler can write its results.
    pub fn end(mut self) {
        let _ = std::process::Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        for _ in 0..300 {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(Duration::from_millis(100));
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The application written by hand, with its rows.
///
/// # Errors
/// Errors of the database.
pub fn start_by_hand(place: &Place) -> Outcome<Served> {
    let url = place.url(Part::ByHand);
    match place.engine {
        Engine::Sqlite => by_hand::sqlite::fill(&url, place.people(), place.rows)?,
        Engine::Postgres => by_hand::postgres::fill(&url, place.people(), place.rows)?,
    }
    let session = |n: u32| format!("session=session of person {n}");
    let mut served = Served::start(place, Part::ByHand)?.with_cookies(session(1), session(0), String::new());
    served.owner = served.json("/api/items")?["items"][0]["owner"].as_str().ok_or("no owner")?.to_owned();
    Ok(served)
}

/// The lean application, with the database of the one written by hand.
///
/// # Errors
/// If it does not respond.
pub fn lean(place: &Place, by_hand: &Served) -> Outcome<Served> {
    let (cookie, manager, owner) = (by_hand.cookie.clone(), by_hand.manager.clone(), by_hand.owner.clone());
    Ok(Served::start_process(Part::Lean, place.measured_command(Part::Lean)?, 120)?.with_cookies(cookie, manager, owner))
}

/// The declared application, with its rows.
///
/// # Errors
/// If a step fails.
pub fn start_declared(place: &Place) -> Outcome<Served> {
    let user = |args: &[&str]| place.user(Part::Dz, args);
    for n in 0..place.people().max(2) {
        let (email, name) = (format!("person{n}@example.com"), format!("name=Person {n}"));
        match n {
            0 | 1 => user(&["create", &email, "--set", &name, "--password", PASSWORD])?,
            _ => user(&["create", &email, "--set", &name])?,
        }
    }
    user(&["grant", "person0@example.com", "manager"])?;
    user(&["grant", "person1@example.com", "worker"])?;
    let mut served = Served::start(place, Part::Dz)?;
    served.sign_in("person0@example.com")?;
    for first in (0..place.rows).step_by(1_000) {
        let answer = served.ask("POST", &format!("/fill/{first}/1000"), "")?;
        if answer.status != 204 {
            return Err(format!("{}{}", answer.head, String::from_utf8_lossy(&answer.body)).into());
        }
    }
    served.manager = served.cookie.clone();
    served.sign_in("person1@example.com")?;
    let list = served.json("/api/items")?;
    if list["total"] != SEEN {
        return Err(format!("the worker sees {} rows", list["total"]).into());
    }
    served.owner = list["items"][0]["owner"].as_str().ok_or("no owner")?.to_owned();
    Ok(served)
}
