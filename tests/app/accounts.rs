//! Recovery, registration, sessions and rate limits, for browsers and programs.

use std::sync::{Arc, Mutex};

use diesel::{Connection as _, connection::SimpleConnection as _};

use dz::{
    Clock, Engine, Mail, MailKind,
    serde_json::{Value, json},
};

use crate::client::{CUSTOMER, Client, MANAGER, SURVEYOR};

/// An application of its own, with its clock and the mails that it sent.
pub struct Site {
    pub base: String,
    pub clock: Clock,
    pub mails: Arc<Mutex<Vec<Mail>>>,
    engine: Engine,
    url: String,
}

impl Site {
    pub fn new(engine: Engine, name: &str, settings: Value) -> Site {
        Site::for_app(crate::fieldwork::fieldwork(), engine, name, settings)
    }

    /// For another application than the example.
    pub fn for_app(app: dz::App, engine: Engine, name: &str, settings: Value) -> Site {
        Site::with_database(app, engine, crate::server::new_url(engine, name), settings)
    }

    /// The database.
    pub fn database(&self) -> (Engine, &str) {
        (self.engine, &self.url)
    }

    /// With an existing database.
    pub fn with_database(app: dz::App, engine: Engine, url: String, settings: Value) -> Site {
        let clock = Clock::stopped("2026-03-02T08:00:00Z".parse().expect("a moment"));
        let mails = Arc::new(Mutex::new(Vec::new()));
        let sent = mails.clone();
        let app = app.clock(clock.clone()).mailer(move |mail| {
            sent.lock().expect("mails").push(mail.clone());
            Ok(())
        });
        Site { base: crate::server::serve_with(app, engine, url.clone(), settings), clock, mails, engine, url }
    }

    /// The command line of the application with the same database; the ignored test `of` runs it.
    pub fn command(&self, of: &str, words: &[&str]) -> std::process::Command {
        crate::server::command(of, self.engine, &self.url, words)
    }

    /// Grants a role system-wide, directly in the database.
    pub fn grant(&self, email: &str, role: &str) {
        self.run(&format!("INSERT INTO dz_roles (account, role) SELECT id, '{role}' FROM users WHERE email = '{email}'"));
    }

    /// A truth value in SQL.
    pub fn literal(&self, value: bool) -> &'static str {
        match (self.engine, value) {
            (Engine::Sqlite, true) => "1",
            (Engine::Sqlite, false) => "0",
            (Engine::Postgres, true) => "TRUE",
            (Engine::Postgres, false) => "FALSE",
        }
    }

    /// Runs SQL directly in the database.
    pub fn run(&self, sql: &str) {
        let done = match self.engine {
            Engine::Postgres => diesel::pg::PgConnection::establish(&self.url).expect("the database").batch_execute(sql),
            Engine::Sqlite => {
                let path = self.url.trim_start_matches("sqlite://");
                // The application can be writing at the same time.
                let sql = format!("PRAGMA busy_timeout = 10000; {sql}");
                diesel::sqlite::SqliteConnection::establish(path).expect("the database").batch_execute(&sql)
            }
        };
        done.expect("done");
    }

    /// The next mail to this address.
    #[track_caller]
    pub fn mail(&self, to: &str) -> Mail {
        for _ in 0..200 {
            let mut mails = self.mails.lock().expect("mails");
            if let Some(at) = mails.iter().position(|mail| mail.to == to) {
                return mails.remove(at);
            }
            drop(mails);
            std::thread::sleep(std::time::Duration::from_millis(25));
        }
        panic!("no mail to {to}");
    }

    pub fn passes(&self, minutes: i64) {
        self.clock.advance(chrono::TimeDelta::minutes(minutes));
    }
}

/// Declares a test for each engine, with an application of its own.
macro_rules! on_own_sites {
    ($($name:ident, $settings:expr;)*) => {
        mod sqlite {
            use super::*;
            $(#[test] fn $name() { super::$name(crate::accounts::Site::new(dz::Engine::Sqlite, stringify!($name), $settings)); })*
        }
        mod postgres {
            use super::*;
            $(#[test] fn $name() { super::$name(crate::accounts::Site::new(dz::Engine::Postgres, stringify!($name), $settings)); })*
        }
    };
}
pub(crate) use on_own_sites;

on_own_sites! {
    a_forgotten_password, json!({});
    mails_to_one_address_are_limited, json!({});
    an_account_is_usable_after_its_confirmation, json!({ "registration": true });
    an_address_has_one_form, json!({ "registration": true });
    a_foreign_registration_keeps_no_password, json!({ "registration": true });
    sessions_are_listed_and_ended, json!({});
    failures_cause_a_delay, json!({});
    users_of_one_address_do_not_block_each_other, json!({ "trusted_proxies": ["127.0.0.1"], "rate_limits": { "auth": 0 } });
    rates_are_limited, json!({ "rate_limits": { "auth": 12, "read": 60 } });
}

fn mails_to_one_address_are_limited(site: Site) {
    let client = Client::new(&site.base);
    for _ in 0..14 {
        client.send("POST", "/auth/forgot", &json!({ "email": SURVEYOR.0 })).ok(204);
    }
    // A mail to another address comes after them.
    client.send("POST", "/auth/forgot", &json!({ "email": MANAGER.0 })).ok(204);
    site.mail(MANAGER.0);
    for _ in 0..10 {
        site.mail(SURVEYOR.0);
    }
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(site.mails.lock().expect("mails").is_empty());
    site.passes(2);
    client.send("POST", "/auth/forgot", &json!({ "email": SURVEYOR.0 })).ok(204);
    site.mail(SURVEYOR.0);
}

fn a_forgotten_password(site: Site) {
    let nobody = Client::new(&site.base);
    let known = Client::signed_in(&site.base, SURVEYOR);
    nobody.get("/login").ok(200).shows(&["href=\"/auth/forgot\""]);
    nobody.get("/auth/forgot").ok(200).shows(&["action=\"/auth/forgot\"", "type=\"email\""]);
    // The response does not depend on whether the address is known.
    let unknown = nobody.send("POST", "/auth/forgot", &json!({ "email": "nobody@fieldwork.example" })).ok(204);
    let asked = nobody.send("POST", "/auth/forgot", &json!({ "email": "TOMAS@fieldwork.example" })).ok(204);
    assert_eq!((unknown.body.as_str(), asked.body.as_str()), ("", ""));
    let first = site.mail(SURVEYOR.0);
    assert_eq!(first.kind, MailKind::Reset);
    assert!(first.link.starts_with(&format!("{}/auth/reset?token=", site.base)), "{}", first.link);
    assert!(first.text.contains(&first.link) && !first.text.contains(SURVEYOR.1));
    site.passes(61);
    let set = |token: &str, password: &str| nobody.send("POST", "/auth/reset", &json!({ "token": token, "password": password }));
    let late = set(&first.token, "a whole new phrase").problem(422, "VALIDATION");
    assert!(late["field_errors"]["token"].is_array(), "{late}");
    // In a browser without script.
    let sent = nobody.form("/auth/forgot", &[("email", SURVEYOR.0)]).ok(303);
    assert_eq!(sent.header("location"), Some("/login?done=forgot"));
    nobody.get("/login?done=forgot").ok(200).shows(&["it gets a mail with a link"]);
    let second = site.mail(SURVEYOR.0);
    let path = second.link.trim_start_matches(&site.base).to_owned();
    nobody.get(&path).ok(200).shows(&[&second.token, "type=\"password\"", "action=\"/auth/reset\""]);
    nobody.get(&path).ok(200);
    let weak = nobody.form("/auth/reset", &[("token", &second.token), ("password", "short")]).ok(422);
    weak.shows(&["at least 8 characters", &second.token]);
    known.get("/auth/me").ok(200);
    nobody.form("/auth/reset", &[("token", &second.token), ("password", "a whole new phrase")]).ok(303);
    known.get("/auth/me").problem(401, "AUTHENTICATION_REQUIRED");
    let told = site.mail(SURVEYOR.0);
    assert_eq!((told.kind, told.token.as_str()), (MailKind::PasswordChanged, ""));
    assert!(told.text.contains(&format!("{}/auth/forgot\n", site.base)), "{}", told.text);
    set(&second.token, "another new phrase").problem(422, "VALIDATION");
    nobody.send("POST", "/auth/login", &json!({ "email": SURVEYOR.0, "password": SURVEYOR.1 })).problem(401, "AUTHENTICATION_REQUIRED");
    let tomas = Client::signed_in(&site.base, (SURVEYOR.0, "a whole new phrase"));
    tomas.send("POST", "/auth/password", &json!({ "current": "not it", "new": "the next phrase" })).problem(422, "VALIDATION");
    tomas.send("POST", "/auth/password", &json!({ "current": "a whole new phrase", "new": "the next phrase" })).ok(204);
    assert_eq!(site.mail(SURVEYOR.0).kind, MailKind::PasswordChanged);
    assert!(site.mails.lock().expect("mails").is_empty(), "one mail for each that asked, and none for nobody");
}

fn an_account_is_usable_after_its_confirmation(site: Site) {
    let nobody = Client::new(&site.base);
    nobody.get("/login").ok(200).shows(&["href=\"/auth/register\""]);
    nobody.get("/auth/register").ok(200).shows(&["name=\"email\"", "name=\"password\""]);
    let new = ("nina@example.com", "a decent phrase");
    let register = |password: &str| nobody.send("POST", "/auth/register", &json!({ "email": new.0, "name": "Nina", "password": password }));
    register("password1").problem(422, "VALIDATION");
    let mut browser = Client::new(&site.base);
    browser.keep(&register(new.1).ok(204));
    let confirm = site.mail(new.0);
    assert_eq!(confirm.kind, MailKind::Confirm);
    nobody.send("POST", "/auth/login", &json!({ "email": new.0, "password": new.1 })).problem(401, "AUTHENTICATION_REQUIRED");
    // `GET` of the page confirms nothing, because mail programs open links.
    nobody.get(confirm.link.trim_start_matches(&site.base)).ok(200).shows(&["action=\"/auth/verify\""]);
    nobody.send("POST", "/auth/login", &json!({ "email": new.0, "password": new.1 })).problem(401, "AUTHENTICATION_REQUIRED");
    let confirmed = browser.form("/auth/verify", &[("token", &confirm.token)]).ok(303);
    assert_eq!(confirmed.header("location"), Some("/login?done=verify"));
    nobody.send("POST", "/auth/verify", &json!({ "token": confirm.token })).problem(422, "VALIDATION");
    let nina = Client::signed_in(&site.base, new);
    assert_eq!(nina.get("/auth/me").ok(200).json()["roles"], json!([]));
    assert_eq!(nina.get("/api/tasks").ok(200).json()["total"], 0);
    nina.get("/api/users").problem(403, "FORBIDDEN");
    // Only the owner of the account learns by mail that it exists.
    let taken = nobody.send("POST", "/auth/register", &json!({ "email": MANAGER.0, "name": "X", "password": "a decent phrase" })).ok(204);
    assert_eq!(taken.body, "");
    assert_eq!(site.mail(MANAGER.0).kind, MailKind::AccountExists);
    Client::signed_in(&site.base, MANAGER);
}

fn a_foreign_registration_keeps_no_password(site: Site) {
    let (stranger, owner) = (Client::new(&site.base), Client::new(&site.base));
    let (address, planned) = ("ida@example.com", "a planned phrase");
    stranger.send("POST", "/auth/register", &json!({ "email": address, "name": "Ida", "password": planned })).ok(204);
    let mail = site.mail(address);
    // The owner of the address opens the link in another browser, and sets a new password.
    let confirmed = owner.form("/auth/verify", &[("token", &mail.token)]).ok(303);
    let reset = confirmed.header("location").expect("a way on").to_owned();
    let token = reset.strip_prefix("/auth/reset?token=").unwrap_or_else(|| panic!("{reset}")).to_owned();
    stranger.send("POST", "/auth/login", &json!({ "email": address, "password": planned })).problem(401, "AUTHENTICATION_REQUIRED");
    owner.get(&reset).ok(200).shows(&["name=\"password\""]);
    owner.form("/auth/reset", &[("token", &token), ("password", "a phrase of my own")]).ok(303);
    Client::signed_in(&site.base, (address, "a phrase of my own"));
    stranger.send("POST", "/auth/login", &json!({ "email": address, "password": planned })).problem(401, "AUTHENTICATION_REQUIRED");
}

fn sessions_are_listed_and_ended(site: Site) {
    let firefox = ("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0");
    let mut here = Client::new(&site.base);
    let body = json!({ "email": MANAGER.0, "password": MANAGER.1 }).to_string();
    let headers = [("Content-Type", "application/json"), ("Origin", site.base.as_str()), firefox];
    here.keep(&here.request("POST", "/auth/login", &headers, body.as_bytes()).ok(200));
    site.passes(90);
    let (there, elsewhere) = (Client::signed_in(&site.base, MANAGER), Client::signed_in(&site.base, MANAGER));
    let sessions = here.get("/auth/sessions").ok(200).json();
    let items = sessions["items"].as_array().expect("a list").clone();
    assert_eq!(items.len(), 3, "{sessions}");
    assert_eq!(items.iter().filter(|it| it["current"] == true).count(), 1);
    let page = here.get("/app/-/account").ok(200);
    page.shows(&["Firefox on Linux", "This device", "Sign out everywhere else", "2 Mar 2026"]);
    // A user cannot end sessions of another user.
    let other = Client::signed_in(&site.base, SURVEYOR);
    let theirs = there.get("/auth/sessions").ok(200).json();
    let current = theirs["items"].as_array().and_then(|items| items.iter().find(|it| it["current"] == true)).expect("its own").clone();
    let id = current["id"].as_str().expect("an id");
    other.send("POST", "/auth/sessions/end", &json!({ "id": id })).problem(404, "NOT_FOUND");
    // A session older than an hour and a half cannot end other sessions.
    here.keep(&here.request("POST", "/auth/login", &headers, body.as_bytes()).ok(200));
    here.send("POST", "/auth/sessions/end", &json!({ "id": 5 })).problem(422, "VALIDATION");
    here.form("/auth/sessions/end", &[("id", id)]).ok(303);
    there.get("/auth/me").problem(401, "AUTHENTICATION_REQUIRED");
    elsewhere.get("/auth/me").ok(200);
    here.send("POST", "/auth/sessions/end", &json!({})).ok(204);
    elsewhere.get("/auth/me").problem(401, "AUTHENTICATION_REQUIRED");
    here.get("/auth/me").ok(200);
    other.get("/auth/me").ok(200);
    here.request("GET", "/auth/sessions/end", &[("Accept", "application/json")], b"").problem(405, "METHOD_NOT_ALLOWED");
    Client::new(&site.base).get("/auth/sessions").problem(401, "AUTHENTICATION_REQUIRED");
}

fn failures_cause_a_delay(site: Site) {
    let client = Client::new(&site.base);
    let attempt = |email: &str, password: &str| client.send("POST", "/auth/login", &json!({ "email": email, "password": password }));
    for email in [MANAGER.0, "nobody@fieldwork.example"] {
        for _ in 0..5 {
            assert_eq!(attempt(email, "not this one").status, 401);
        }
        // The correct password is delayed too, and the response contains the delay.
        let wait = attempt(email, MANAGER.1);
        let problem = wait.problem(429, "RATE_LIMIT");
        assert_eq!(problem["category"], "RATE_LIMIT");
        assert!(wait.header("retry-after").and_then(|it| it.parse::<u32>().ok()).is_some_and(|it| (1..=30).contains(&it)));
        site.passes(20);
    }
    Client::signed_in(&site.base, MANAGER);
}

/// The office has one address, which the trusted proxy forwards.
fn users_of_one_address_do_not_block_each_other(site: Site) {
    let client = Client::new(&site.base);
    let attempt = |address: &str, email: &str, password: &str| {
        let body = json!({ "email": email, "password": password }).to_string();
        let headers = [("Content-Type", "application/json"), ("Sec-Fetch-Site", "same-origin"), ("X-Forwarded-For", address)];
        client.request("POST", "/auth/login", &headers, body.as_bytes())
    };
    let office = "203.0.113.7";
    // One user fails as often as the delays permit.
    for _ in 0..12 {
        assert_eq!(attempt(office, CUSTOMER.0, "not this one").status, 401);
        site.clock.advance(chrono::TimeDelta::seconds(30));
    }
    // The next attempts of this user are delayed, those of other users of the office are not.
    assert_eq!(attempt(office, CUSTOMER.0, "not this one").status, 401);
    attempt(office, CUSTOMER.0, CUSTOMER.1).problem(429, "RATE_LIMIT");
    attempt(office, MANAGER.0, MANAGER.1).ok(200);
    attempt(office, SURVEYOR.0, SURVEYOR.1).ok(200);

    // A client that tries many accounts is delayed after its allowance.
    let outside = "198.51.100.9";
    let tried = (0..130).take_while(|n| attempt(outside, &format!("user{n}@fieldwork.example"), "not this one").status == 401);
    assert_eq!(tried.count(), 100);
    let wait = attempt(outside, MANAGER.0, MANAGER.1);
    wait.problem(429, "RATE_LIMIT");
    assert_eq!(wait.header("retry-after"), Some("15"));
    attempt(office, MANAGER.0, MANAGER.1).ok(200);
    site.clock.advance(chrono::TimeDelta::seconds(15));
    attempt(outside, MANAGER.0, MANAGER.1).ok(200);
}

fn rates_are_limited(site: Site) {
    let client = Client::new(&site.base);
    let attempts: Vec<_> = (0..12).map(|_| client.send("POST", "/auth/forgot", &json!({ "email": "x@y.example" }))).collect();
    assert_eq!(attempts.iter().filter(|it| it.status == 204).count(), 10);
    let refused = attempts.last().expect("an answer");
    refused.problem(429, "RATE_LIMIT");
    assert!(refused.header("retry-after").and_then(|it| it.parse::<u32>().ok()).is_some_and(|it| it >= 1));
    let looks: Vec<_> = (0..14).map(|_| client.get("/api/tasks").status).collect();
    assert!(looks.contains(&401) && looks.contains(&429), "{looks:?}");
    client.get("/login").ok(429).shows(&["Too many attempts", "/-/assets/"]);
    assert_eq!(client.get("/-/assets/x/y").status, 404, "what is embedded in the program is not counted");
}

fn an_address_has_one_form(site: Site) {
    // Composed in lower case, decomposed, and as the mail system writes it.
    let forms = ["j\u{f6}rg@b\u{fc}cher.example", "jo\u{308}rg@bu\u{308}cher.example", "J\u{f6}rg@XN--bcher-kva.example"];
    site.run(&format!("UPDATE users SET email = '{}' WHERE email = '{}'", forms[0], SURVEYOR.0));
    let client = Client::new(&site.base);
    for form in forms {
        let answer = client.send("POST", "/auth/login", &json!({ "email": form, "password": SURVEYOR.1 })).ok(200).json();
        assert_eq!(answer["account"]["email"], forms[0], "{form:?}");
        // A registration with another form of the address creates no account: its owner gets a mail.
        client.send("POST", "/auth/register", &json!({ "email": form, "name": "J", "password": "reads many books" })).ok(204);
        assert_eq!(site.mail(forms[0]).kind, MailKind::AccountExists, "{form:?}");
    }
}
