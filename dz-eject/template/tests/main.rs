//! Tests of the backend: its addresses over a database of their own.

mod entities;

use std::sync::atomic::{AtomicU32, Ordering};

use backend::{accounts, config::Config, db::Database, serve};
use rocket::{
    http::{ContentType, Cookie, Header, Status},
    local::blocking::{Client, LocalResponse},
};
use serde_json::{Value, json};

const EMAIL: &str = "ann@example.com";
const PASSWORD: &str = "moss and fern";

/// A server over an empty database.
struct Server {
    client: Client,
    database: Database,
    path: Option<std::path::PathBuf>,
}

impl Server {
    fn start() -> Server {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let (url, path) = match cfg!(feature = "postgres") {
            // All tests use one database, and accounts of their own.
            true => (std::env::var("DATABASE_URL").expect("DATABASE_URL names a PostgreSQL server"), None),
            false => {
                let path = std::env::temp_dir().join(format!("backend-test-{}-{number}.db", std::process::id()));
                (format!("sqlite://{}", path.display()), Some(path))
            }
        };
        let database = Database::open(&url).expect("a database");
        let config = Config { database_url: url, public_url: None };
        let quiet = rocket::Config { log_level: rocket::config::LogLevel::Off, ..rocket::Config::debug_default() };
        let rocket = serve::build(config, database.clone()).configure(quiet);
        let client = Client::untracked(rocket).expect("a server");
        Server { client, database, path }
    }

    /// Creates an account with roles and signs it in: the token of its session.
    fn sign_in(&self, email: &str, roles: &[&str]) -> String {
        let created = accounts::create(&self.database, email, OPTIONS);
        if let Err(message) = created {
            assert!(message.contains("taken"), "{message}");
        }
        for role in roles {
            accounts::grant(&self.database, email, role).expect("a role");
        }
        let reply = self.post("/auth/login", None, &json!({ "email": email, "password": PASSWORD }));
        assert_eq!(reply.status(), Status::Ok);
        reply.cookies().get("dz_session").expect("a cookie").value().to_owned()
    }

    fn get<'c>(&'c self, path: &'c str, cookie: Option<&str>) -> LocalResponse<'c> {
        let request = self.client.get(path);
        match cookie {
            Some(cookie) => request.cookie(session(cookie)).dispatch(),
            None => request.dispatch(),
        }
    }

    fn post<'c>(&'c self, path: &'c str, cookie: Option<&str>, body: &Value) -> LocalResponse<'c> {
        let request = self.client.post(path).header(ContentType::JSON).body(body.to_string());
        let request = request.header(Header::new("Sec-Fetch-Site", "same-origin"));
        match cookie {
            Some(cookie) => request.cookie(session(cookie)).dispatch(),
            None => request.dispatch(),
        }
    }
}

/// The cookie of a session.
fn session(token: &str) -> Cookie<'static> {
    Cookie::new("dz_session", token.to_owned())
}

impl Drop for Server {
    fn drop(&mut self) {
        for end in ["", "-wal", "-shm"] {
            if let Some(path) = &self.path {
                let _ = std::fs::remove_file(format!("{}{end}", path.display()));
            }
        }
    }
}

/// The options of new accounts.
const OPTIONS: &[&str] = &["--password", PASSWORD, %SETTINGS%];

fn code(reply: LocalResponse<'_>) -> String {
    let body: Value = reply.into_json().expect("JSON");
    body["code"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_caller_signs_in_and_out() {
    let server = Server::start();
    assert_eq!(server.get("/auth/me", None).status(), Status::Unauthorized);
    let cookie = server.sign_in(EMAIL, &[]);
    let me: Value = server.get("/auth/me", Some(&cookie)).into_json().expect("JSON");
    assert_eq!(me["email"], EMAIL);
    assert_eq!(server.post("/auth/logout", Some(&cookie), &json!({})).status(), Status::NoContent);
    assert_eq!(server.get("/auth/me", Some(&cookie)).status(), Status::Unauthorized);
}

#[test]
fn wrong_passwords_and_unknown_accounts_get_the_same_answer() {
    let server = Server::start();
    server.sign_in("bob@example.com", &[]);
    let attempt = |email: &str| {
        let reply = server.post("/auth/login", None, &json!({ "email": email, "password": "wrong password" }));
        let status = reply.status();
        let body: Value = reply.into_json().expect("JSON");
        (status, body["detail"].clone())
    };
    assert_eq!(attempt("bob@example.com"), attempt("nobody@example.com"));
    assert_eq!(attempt("bob@example.com").0, Status::Unauthorized);
}

#[test]
fn a_request_of_another_site_is_refused() {
    let server = Server::start();
    let cookie = server.sign_in("carol@example.com", &[]);
    for header in [("Sec-Fetch-Site", "cross-site"), ("Origin", "https://evil.example")] {
        let request = server.client.post("/auth/logout").header(ContentType::JSON).body("{}");
        let request = request.cookie(session(&cookie)).header(Header::new(header.0, header.1));
        let reply = request.dispatch();
        assert_eq!(reply.status(), Status::Forbidden);
        assert_eq!(code(reply), "CSRF");
    }
    assert_eq!(server.get("/auth/me", Some(&cookie)).status(), Status::Ok);
}

#[test]
fn a_changed_password_ends_the_other_sessions() {
    let server = Server::start();
    let (first, second) = (server.sign_in("dora@example.com", &[]), server.sign_in("dora@example.com", &[]));
    let change = |new: &str| server.post("/auth/password", Some(&second), &json!({ "current": PASSWORD, "new": new })).status();
    assert_eq!(change("short"), Status::UnprocessableEntity);
    assert_eq!(change("heath and ling"), Status::NoContent);
    for cookie in [first, second] {
        assert_eq!(server.get("/auth/me", Some(&cookie)).status(), Status::Unauthorized);
    }
}

#[test]
fn unknown_addresses_and_methods_are_refused() {
    let server = Server::start();
    let reply = server.get("/nothing", None);
    assert_eq!((reply.status(), reply.headers().get_one("X-Content-Type-Options")), (Status::NotFound, Some("nosniff")));
    let reply = server.post("/auth/me", None, &json!({}));
    assert_eq!((reply.status(), reply.headers().get_one("Allow")), (Status::MethodNotAllowed, Some("GET")));
    for (method, path) in backend::NOT_EJECTED.iter().filter(|(method, _)| *method == "GET") {
        let path = path.replace("<id>", "x");
        assert_eq!(server.get(&path, None).status(), Status::NotImplemented, "{method} {path}");
    }
}

#[test]
fn signed_in_callers_read_the_description_of_the_api() {
    let server = Server::start();
    assert_eq!(server.get("/api/openapi.json", None).status(), Status::Unauthorized);
    let cookie = server.sign_in("emil@example.com", &[]);
    let document: Value = server.get("/api/openapi.json", Some(&cookie)).into_json().expect("JSON");
    assert_eq!(document["openapi"], "3.1.0");
}
