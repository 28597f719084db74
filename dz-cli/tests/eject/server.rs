//! A program that serves an application, and requests to it.

use std::{
    fs,
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use serde_json::Value;

/// A database, with the folder in which programs over it run.
pub struct Database {
    url: String,
    folder: PathBuf,
    /// The folder of the contents of files.
    pub files: PathBuf,
}

impl Database {
    /// A database of SQLite in a folder.
    pub fn sqlite(folder: &Path) -> Database {
        fs::create_dir_all(folder).expect("a folder");
        let url = format!("sqlite://{}", folder.join("app.db").display());
        Database { url, folder: folder.to_owned(), files: folder.join("app.db.files") }
    }

    /// Copies what is in the folder to that of another one.
    pub fn copy_folder(&self, to: &Database) {
        let copied = Command::new("cp").arg("-r").arg(self.folder.join(".")).arg(&to.folder).status();
        assert!(copied.expect("cp runs").success());
    }

    /// Runs a statement.
    pub fn execute(&self, sql: &str) {
        open(&self.folder).execute(sql, []).expect("a statement");
    }

    /// The number that a query returns.
    pub fn count(&self, sql: &str) -> usize {
        let count: i64 = open(&self.folder).query_row(sql, [], |row| row.get(0)).expect("a number");
        usize::try_from(count).expect("a number of rows")
    }
}

/// The database of SQLite in a folder.
fn open(folder: &Path) -> rusqlite::Connection {
    let database = rusqlite::Connection::open(folder.join("app.db")).expect("the database");
    database.busy_timeout(Duration::from_secs(60)).expect("a setting");
    database
}

/// A program, which ends with the test.
pub struct Server {
    child: Child,
    port: u16,
    folder: PathBuf,
}

/// A response.
pub struct Reply {
    pub status: u16,
    pub etag: Option<String>,
    pub cookie: Option<String>,
    pub body: Value,
    /// The headers that say what browsers do with a file.
    pub file_headers: Vec<String>,
}

/// The headers of files that both servers send in the same form.
const FILE_HEADERS: [&str; 11] = [
    "accept-ranges",
    "cache-control",
    "content-disposition",
    "content-length",
    "content-range",
    "content-security-policy",
    "content-type",
    "cross-origin-resource-policy",
    "last-modified",
    "location",
    "x-content-type-options",
];

impl Server {
    /// Starts a program over a database, and waits until it answers.
    pub fn start(program: &Path, args: &[&str], database: &Database) -> Server {
        let port = TcpListener::bind("127.0.0.1:0").and_then(|socket| socket.local_addr()).expect("a port").port();
        let mut command = Command::new(program);
        command.args(args).current_dir(&database.folder).stdout(Stdio::null()).stderr(Stdio::null());
        command.env("ROCKET_PORT", port.to_string()).env("DATABASE_URL", &database.url);
        let server = Server { child: command.spawn().expect("the program runs"), port, folder: database.folder.clone() };
        for _ in 0..300 {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                // The demo rows are written before the first answer.
                assert_eq!(server.send("GET", "/auth/me", &[], None).status, 401);
                return server;
            }
            thread::sleep(Duration::from_millis(100));
        }
        panic!("{} does not answer", program.display());
    }

    /// Sends a request with headers and a body.
    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: Option<&str>) -> Reply {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        let mut request = format!("{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n", self.port);
        request.push_str("Sec-Fetch-Site: same-origin\r\nAccept: application/json\r\n");
        headers.iter().for_each(|(name, value)| request.push_str(&format!("{name}: {value}\r\n")));
        if let Some(body) = body {
            if !headers.iter().any(|(name, _)| *name == "Content-Type") {
                request.push_str("Content-Type: application/json\r\n");
            }
            request.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        request.push_str(&format!("\r\n{}", body.unwrap_or_default()));
        stream.write_all(request.as_bytes()).expect("a request");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("a response");
        let (head, body) = text.split_once("\r\n\r\n").expect("a head");
        let header = |name: &str| {
            let line = head.lines().find(|line| line.to_ascii_lowercase().starts_with(&format!("{name}: ")))?;
            line.split_once(": ").map(|(_, value)| value.to_owned())
        };
        Reply {
            status: head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status"),
            etag: header("etag"),
            cookie: header("set-cookie").and_then(|line| line.split(';').next().map(str::to_owned)),
            file_headers: FILE_HEADERS.iter().filter_map(|name| Some(format!("{name}: {}", header(name)?))).collect(),
            body: serde_json::from_str(body).unwrap_or_else(|_| if body.is_empty() { Value::Null } else { body.into() }),
        }
    }

    /// Gives the invitation of an address this token, because the mail with its own one is not delivered.
    pub fn set_invitation(&self, email: &str, token: &str) {
        use sha2::{Digest as _, Sha256};
        let hash = format!("{:x}", Sha256::digest(token));
        let database = open(&self.folder);
        database.execute("UPDATE dz_invitations SET token_hash = ?1 WHERE email = ?2", [hash.as_str(), email]).expect("an invitation");
    }

    /// Signs in and returns the cookie.
    pub fn sign_in(&self, email: &str, password: &str) -> String {
        let body = serde_json::json!({ "email": email, "password": password }).to_string();
        let reply = self.send("POST", "/auth/login", &[], Some(&body));
        assert_eq!(reply.status, 200, "{email}: {}", reply.body);
        reply.cookie.expect("a session")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A regular end, so that SQLite leaves one complete file.
        let _ = Command::new("kill").arg(self.child.id().to_string()).status();
        for _ in 0..100 {
            if self.child.try_wait().is_ok_and(|ended| ended.is_some()) {
                return;
            }
            thread::sleep(Duration::from_millis(50));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
