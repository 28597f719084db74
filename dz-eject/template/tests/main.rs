//! Tests of the backend: its addresses over a database of their own.

mod entities;

use std::sync::atomic::{AtomicU32, Ordering};

use backend::{accounts, auth::throttle::Attempt, client::Proxies, config::Config, db::Database, serve};
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
        let trusted_proxies = Proxies::read("10.0.0.0/28").expect("a network");
        let config = Config { database_url: url, registration: true, trusted_proxies, ..Config::default() };
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
fn sessions_and_tokens_are_listed_and_ended() {
    let server = Server::start();
    let (first, second) = (server.sign_in("fay@example.com", &[]), server.sign_in("fay@example.com", &[]));
    let items = |path: &str| -> Vec<Value> {
        let body: Value = server.get(path, Some(&second)).into_json().expect("JSON");
        body["items"].as_array().cloned().unwrap_or_default()
    };
    let current = |items: &[Value]| items.iter().filter(|item| item["current"] == true).count();
    let found = items("/auth/sessions");
    assert!(found.len() >= 2 && current(&found) == 1, "{found:?}");
    assert_eq!(server.post("/auth/sessions/end", Some(&second), &json!({})).status(), Status::NoContent);
    assert_eq!(server.get("/auth/me", Some(&first)).status(), Status::Unauthorized);
    assert_eq!(items("/auth/sessions").len(), 1);
    let (id, _) = accounts::create_token(&server.database, "fay@example.com", &[]).expect("a token");
    assert_eq!(items("/auth/tokens")[0]["id"], json!(id));
    let end = || server.post("/auth/tokens/end", Some(&second), &json!({ "id": id })).status();
    assert_eq!((end(), end()), (Status::NoContent, Status::NotFound));
}

#[test]
fn a_sign_in_needs_the_second_factor_of_the_account() {
    use backend::auth::factor;
    let server = Server::start();
    let cookie = server.sign_in("gil@example.com", &[]);
    let begun = server.post("/auth/factor/begin", Some(&cookie), &json!({ "current": PASSWORD }));
    let begun: Value = begun.into_json().expect("JSON");
    let secret = begun["secret"].as_str().expect("a secret");
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("a time").as_secs();
    let code_now = factor::code_at(secret, now).expect("a code");
    let confirmed = server.post("/auth/factor/confirm", Some(&cookie), &json!({ "code": code_now }));
    let codes: Value = confirmed.into_json().expect("JSON");
    let codes: Vec<&str> = codes["recovery_codes"].as_array().expect("codes").iter().filter_map(Value::as_str).collect();
    assert_eq!(codes.len(), 8);
    let sign_in = |code: Option<&str>| {
        let mut body = json!({ "email": "gil@example.com", "password": PASSWORD });
        if let Some(code) = code {
            body["code"] = json!(code);
        }
        server.post("/auth/login", None, &body)
    };
    assert_eq!(code(sign_in(None)), "SECOND_FACTOR");
    assert_eq!(sign_in(Some(codes[0])).status(), Status::Ok);
    assert_eq!(code(sign_in(Some(codes[0]))), "SECOND_FACTOR");
    let remove = json!({ "current": PASSWORD, "code": codes[1] });
    assert_eq!(server.post("/auth/factor/remove", Some(&cookie), &remove).status(), Status::NoContent);
    assert_eq!(sign_in(None).status(), Status::Ok);
}

/*IF REGISTRATION*/#[test]
fn a_new_account_is_inactive_and_a_known_address_gets_the_same_answer() {
    use backend::caller::{JSON_FIELDS, NEW_ACCOUNT};
    let server = Server::start();
    let mut account = json!({});
    for (name, text) in OPTIONS.iter().filter_map(|option| option.split_once('=')).filter(|(name, _)| NEW_ACCOUNT.contains(name)) {
        let is_json = JSON_FIELDS.contains(&name);
        account[name] = if is_json { serde_json::from_str(text).expect("JSON") } else { json!(text) };
    }
    let body = json!({ "email": "hal@example.com", "password": PASSWORD, "name": "Hal", "account": account });
    let register = || server.post("/auth/register", None, &body).status();
    assert_eq!((register(), register()), (Status::NoContent, Status::NoContent));
    let login = json!({ "email": "hal@example.com", "password": PASSWORD });
    assert_eq!(server.post("/auth/login", None, &login).status(), Status::Unauthorized);
    let weak = json!({ "email": "ida@example.com", "password": "short", "account": { "no_such_field": 1 } });
    let refused: Value = server.post("/auth/register", None, &weak).into_json().expect("JSON");
    let fields = refused["field_errors"].as_object().expect("fields");
    assert!(fields.contains_key("password") && fields.contains_key("account.no_such_field"), "{refused}");
}

/*END REGISTRATION*/#[test]
fn only_trusted_proxies_name_the_client() {
    let seen = |trusted: &str, socket: &str, headers: &[&str]| {
        let proxies = Proxies::read(trusted).expect("proxies");
        proxies.client(socket.parse().expect("an address"), headers.iter().copied()).to_string()
    };
    assert_eq!(seen("", "10.0.0.2", &["198.51.100.7"]), "10.0.0.2");
    assert_eq!(seen("10.0.0.0/28", "10.0.0.2", &["203.0.113.9, 198.51.100.7"]), "198.51.100.7");
    assert_eq!(seen("10.0.0.0/28", "10.0.0.2", &["203.0.113.9", "198.51.100.7, 10.0.0.1"]), "198.51.100.7");
    assert_eq!(seen("10.0.0.0/28", "10.0.0.16", &["198.51.100.7"]), "10.0.0.16");
    assert_eq!(seen("10.0.0.2, fd00::/8", "fd00::1", &["[2001:db8::1]:443"]), "2001:db8::1");
    assert_eq!(seen("0.0.0.0/0", "10.0.0.2", &["unknown"]), "10.0.0.2");
    for wrong in ["nginx", "10.0.0.0/33", "10.0.0.0/x"] {
        assert!(Proxies::read(wrong).is_err_and(|message| message.contains(wrong)));
    }
}

#[test]
fn failed_sign_ins_behind_a_proxy_delay_only_their_client() {
    let server = Server::start();
    server.sign_in("jo@example.com", &[]);
    let shared = server.client.rocket().state::<serve::Server>().expect("a server");
    // As many as delay the address for half a minute.
    for number in 0..120 {
        shared.throttle.count(&Attempt::new(format!("nobody-{number}@example.com"), "198.51.100.7".parse().ok()));
    }
    let sign_in = |socket: &str, forwarded: &str| {
        let body = json!({ "email": "jo@example.com", "password": PASSWORD }).to_string();
        let request = server.client.post("/auth/login").header(ContentType::JSON).body(body);
        let request = request.header(Header::new("Sec-Fetch-Site", "same-origin")).header(Header::new("X-Forwarded-For", forwarded.to_owned()));
        request.remote((socket.parse::<std::net::IpAddr>().expect("an address"), 40_000).into()).dispatch().status()
    };
    assert_eq!(sign_in("10.0.0.2", "198.51.100.7"), Status::TooManyRequests);
    assert_eq!(sign_in("10.0.0.2", "198.51.100.7, 203.0.113.9"), Status::Ok);
    assert_eq!(sign_in("10.0.0.2", "203.0.113.9, 198.51.100.7"), Status::TooManyRequests);
    // The header of a client that is not a proxy has no effect.
    assert_eq!(sign_in("203.0.113.9", "198.51.100.7"), Status::Ok);
    assert_eq!(sign_in("198.51.100.7", "203.0.113.9"), Status::TooManyRequests);
}

#[test]
fn events_reach_their_subscribers_in_order_and_again_after_a_failure() {
    use backend::{
        caller::Caller,
        events::{self, Event, Happened, Subscriber},
        types::Timestamp,
    };
    fn deliver(_: &Database, happened: &Happened) -> Result<(), String> {
        match (happened.attempt, happened.row["fails"].as_bool()) {
            (1, Some(true)) => Err("the other system is down".to_owned()),
            _ => Ok(()),
        }
    }
    let server = Server::start();
    let subscribers = [Event::Created, Event::Updated].map(|event| Subscriber { name: "a test", entity: "Thing", event, deliver });
    let now = Timestamp::new(std::time::SystemTime::now().into());
    let caller = Caller::new(None, Vec::new(), now);
    let record = |event: Event, row: &str, fails: bool| {
        let rows = || (None, json!({ "fails": fails }));
        let done = server.database.write(|it| events::record_for(&subscribers, it, &caller, ("Thing", event, row), rows));
        done.expect("an event");
    };
    record(Event::Created, "1", true);
    record(Event::Updated, "1", false);
    record(Event::Created, "2", false);
    record(Event::Deleted, "2", false);
    let waiting = || events::describe(&server.database).expect("events").iter().filter(|line| line.contains("a test")).count();
    assert_eq!(waiting(), 3);
    // The deletion has no subscriber, and the change of row 1 waits for its creation, which fails once.
    assert_eq!(events::deliver_due(&server.database, &subscribers, now), 2);
    assert_eq!(waiting(), 2);
    assert_eq!(events::deliver_due(&server.database, &subscribers, now), 0);
    let later = Timestamp(now.0 + std::time::Duration::from_secs(60));
    assert_eq!(events::deliver_due(&server.database, &subscribers, later), 2);
    assert_eq!(waiting(), 0);
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
