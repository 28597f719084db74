//! Sessions as OWASP ASVS 5.0 requires: their tokens, who can end them, and what requires a recent sign-in.

use std::collections::BTreeSet;

use dz::serde_json::{Value, json};

use crate::{
    accounts::{Site, on_own_sites},
    client::{Client, MANAGER, SURVEYOR},
};

on_own_sites! {
    session_tokens_are_random_and_stored_as_hashes, json!({});
    every_page_has_a_sign_out_button, json!({});
    administrators_end_the_sessions_of_others, json!({});
    the_command_line_ends_sessions, json!({});
    ending_other_sessions_requires_a_recent_sign_in, json!({});
    every_sign_in_attempt_is_recorded, json!({});
    signed_in_users_are_not_delayed_by_others, json!({ "trusted_proxies": ["127.0.0.1"] });
    tls_sets_hsts_and_secure_cookies, json!({ "public_url": "https://fieldwork.example" });
}

/// The command line of the application.
#[test]
#[ignore = "a test runs it in a process of its own"]
fn program() {
    crate::server::obey(crate::fieldwork::fieldwork());
}

fn token_of(client: &Client) -> String {
    let cookie = client.cookie.as_deref().expect("a cookie");
    cookie.split_once('=').expect("a value").1.to_owned()
}

fn session_tokens_are_random_and_stored_as_hashes(site: Site) {
    let clients: Vec<Client> = (0..8).map(|_| Client::signed_in(&site.base, MANAGER)).collect();
    let tokens: BTreeSet<String> = clients.iter().map(token_of).collect();
    assert_eq!(tokens.len(), clients.len(), "no two are the same");
    for token in &tokens {
        // 43 characters of six bits: 256 bits.
        assert!(token.len() == 43 && token.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c)), "{token}");
    }
    // A token that differs from a valid one in one character.
    let token = token_of(&clients[0]);
    let other = if token.ends_with('A') { "B" } else { "A" };
    let mut forged = Client::new(&site.base);
    for value in [format!("{}{other}", &token[..42]), token[..42].to_owned(), format!("{token}A"), String::new()] {
        forged.cookie = Some(format!("dz_session={value}"));
        forged.get("/auth/me").problem(401, "AUTHENTICATION_REQUIRED");
    }
    clients[0].get("/auth/me").ok(200);
}

fn every_page_has_a_sign_out_button(site: Site) {
    let manager = Client::signed_in(&site.base, MANAGER);
    site.grant(MANAGER.0, "admin");
    for path in
        ["/app/task_list", "/app/task_create", "/app/-/account", "/app/-/factor", "/admin/access", "/admin/audit", "/admin/sessions"]
    {
        let page = manager.get(path).ok(200).body;
        assert!(page.contains("action=\"/auth/logout\""), "no way out of {path}");
    }
}

fn administrators_end_the_sessions_of_others(site: Site) {
    let (manager, surveyor) = (Client::signed_in(&site.base, MANAGER), Client::signed_in(&site.base, SURVEYOR));
    let end = |client: &Client, email: &str| client.send("POST", "/auth/sessions/end", &json!({ "email": email }));
    end(&surveyor, MANAGER.0).problem(403, "FORBIDDEN");
    end(&surveyor, "nobody@fieldwork.example").problem(403, "FORBIDDEN");
    end(&manager, SURVEYOR.0).problem(403, "FORBIDDEN");
    site.grant(MANAGER.0, "admin");
    end(&manager, "nobody@fieldwork.example").problem(404, "NOT_FOUND");
    surveyor.get("/auth/me").ok(200);
    end(&manager, SURVEYOR.0).ok(204);
    surveyor.get("/auth/me").problem(401, "AUTHENTICATION_REQUIRED");
    manager.get("/auth/me").ok(200);
    manager.get("/admin/audit?action=sign_out").ok(200).shows(&["all sessions", MANAGER.0]);
    // By a button on a page that only administrators see.
    let surveyor = Client::signed_in(&site.base, SURVEYOR);
    assert_eq!(surveyor.get("/admin/sessions").status, 403);
    let page = manager.get("/admin/sessions").ok(200);
    page.shows(&[SURVEYOR.0, MANAGER.0, "aria-label=\"End sessions of", "href=\"/admin/sessions\"", ">You</span>"]);
    let searched = manager.request("GET", &format!("/admin/sessions?account={}", SURVEYOR.0), &[("Accept", "application/json")], b"");
    assert_eq!(searched.ok(200).json()["items"][0]["sessions"], 1);
    manager.get("/admin/sessions?account=TOMAS%40").ok(200).shows(&[SURVEYOR.0]);
    manager.get("/admin/sessions?account=no.such.address").ok(200).shows(&["No account with this address is signed in"]);
    let ended = manager.form("/auth/sessions/end", &[("email", SURVEYOR.0)]);
    assert_eq!((ended.status, ended.header("location")), (303, Some("/admin/sessions?done=ended")));
    surveyor.get("/auth/me").problem(401, "AUTHENTICATION_REQUIRED");
    let page = manager.get("/admin/sessions?done=ended").ok(200);
    page.shows(&["The sessions have ended.", MANAGER.0]);
    assert!(!page.body.contains(SURVEYOR.0), "{}", page.body);
}

fn the_command_line_ends_sessions(site: Site) {
    let run = |whose: &str| site.command("sessions::program", &["user", "sign-out", whose]).output().expect("the program runs");
    let (manager, surveyor) = (Client::signed_in(&site.base, MANAGER), Client::signed_in(&site.base, SURVEYOR));
    assert!(!run("nobody@fieldwork.example").status.success());
    assert!(run(SURVEYOR.0).status.success());
    surveyor.get("/auth/me").problem(401, "AUTHENTICATION_REQUIRED");
    manager.get("/auth/me").ok(200);
    assert!(run("--all").status.success());
    manager.get("/auth/me").problem(401, "AUTHENTICATION_REQUIRED");
    site.grant(MANAGER.0, "admin");
    let audit = Client::signed_in(&site.base, MANAGER).get("/admin/audit?action=sign_out").ok(200);
    audit.shows(&["all sessions of all accounts"]);
}

fn ending_other_sessions_requires_a_recent_sign_in(site: Site) {
    let (mut here, there) = (Client::signed_in(&site.base, MANAGER), Client::signed_in(&site.base, MANAGER));
    site.passes(16);
    here.send("POST", "/auth/sessions/end", &json!({})).problem(403, "SIGN_IN_AGAIN");
    let page = here.form("/auth/sessions/end", &[]).ok(303);
    assert_eq!(page.header("location"), Some("/login?next=/app/-/account"));
    there.get("/auth/me").ok(200);
    let again = here.send("POST", "/auth/login", &json!({ "email": MANAGER.0, "password": MANAGER.1 })).ok(200);
    here.keep(&again);
    here.send("POST", "/auth/sessions/end", &json!({})).ok(204);
    there.get("/auth/me").problem(401, "AUTHENTICATION_REQUIRED");
    here.get("/auth/me").ok(200);
}

fn signed_in_users_are_not_delayed_by_others(site: Site) {
    let surveyor = Client::signed_in(&site.base, SURVEYOR);
    let body = json!({ "email": SURVEYOR.0, "password": "not this one" }).to_string();
    let attempt = || {
        let headers = [("Content-Type", "application/json"), ("Sec-Fetch-Site", "same-origin"), ("X-Forwarded-For", "203.0.113.7")];
        Client::new(&site.base).request("POST", "/auth/login", &headers, body.as_bytes())
    };
    (0..5).for_each(|_| drop(attempt().problem(401, "AUTHENTICATION_REQUIRED")));
    // For a time other clients cannot sign in to the account, but its sessions continue.
    let again = json!({ "email": SURVEYOR.0, "password": SURVEYOR.1 });
    Client::new(&site.base).send("POST", "/auth/login", &again).problem(429, "RATE_LIMIT");
    let change = |current: &str| surveyor.send("POST", "/auth/password", &json!({ "current": current, "new": "another long phrase" }));
    change("not mine").problem(422, "VALIDATION");
    change(SURVEYOR.1).ok(204);
}

fn every_sign_in_attempt_is_recorded(site: Site) {
    let nobody = Client::new(&site.base);
    let attempt = |email: &str| nobody.send("POST", "/auth/login", &json!({ "email": email, "password": "not this one" }));
    attempt(SURVEYOR.0).problem(401, "AUTHENTICATION_REQUIRED");
    attempt("my secret phrase").problem(401, "AUTHENTICATION_REQUIRED");
    let surveyor = Client::signed_in(&site.base, SURVEYOR);
    let id = surveyor.get("/auth/me").ok(200).json()["id"].as_str().expect("a key").to_owned();
    let manager = Client::signed_in(&site.base, MANAGER);
    site.grant(MANAGER.0, "admin");
    let log = manager.request("GET", "/admin/audit?action=sign_in", &[("Accept", "application/json")], b"").ok(200);
    // A user can have entered the password as the address.
    log.lacks(&["my secret phrase"]);
    let log = log.json();
    let told: Vec<(&str, &str, &Value)> = (log["items"].as_array().expect("records").iter())
        .map(|it| (it["decision"].as_str().expect("a decision"), it["rule"].as_str().expect("a rule"), &it["row_id"]))
        .collect();
    let key = Value::from(id);
    for (decision, row) in [("denied", &key), ("denied", &Value::Null), ("allowed", &key)] {
        assert!(told.contains(&(decision, "password", row)), "{decision} {row}: {told:?}");
    }
    assert_eq!(told.len(), 4, "{told:?}");
}

fn tls_sets_hsts_and_secure_cookies(site: Site) {
    let client = Client::new(&site.base);
    let body = json!({ "email": MANAGER.0, "password": MANAGER.1 }).to_string();
    let headers = [("Content-Type", "application/json"), ("Origin", "https://fieldwork.example")];
    let signed = client.request("POST", "/auth/login", &headers, body.as_bytes()).ok(200);
    let session = signed.header("set-cookie").expect("a session");
    for part in ["__Host-dz_session=", "; Secure", "; HttpOnly", "; SameSite=Lax", "; Path=/"] {
        assert!(session.contains(part), "no {part} in {session}");
    }
    for answer in [&signed, &client.get("/login").ok(200), &client.get("/api/nothing")] {
        assert_eq!(answer.header("strict-transport-security"), Some("max-age=31536000; includeSubDomains"));
    }
}
