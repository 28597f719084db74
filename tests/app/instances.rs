//! Two processes with one database: a session that ends in one of them ends in the other.

pub(crate) mod shared;

use dz::{Engine, serde_json::json};

use crate::{
    client::Client,
    jobs::{MILLER, Serving, check_output},
    server,
};

#[test]
fn an_ended_session_ends_in_every_process_on_sqlite() {
    check_session_ends_everywhere(Engine::Sqlite);
}

#[test]
fn an_ended_session_ends_in_every_process_on_postgres() {
    check_session_ends_everywhere(Engine::Postgres);
}

/// The same session, in another process.
fn client_at(serving: &Serving, client: &Client) -> Client {
    Client { cookie: client.cookie.clone(), ..Client::new(&serving.base) }
}

/// Used several times, so that a cache would contain it.
#[track_caller]
fn use_session(client: &Client) {
    for _ in 0..5 {
        client.get("/auth/me").ok(200);
    }
}

fn check_session_ends_everywhere(engine: Engine) {
    let url = server::new_url(engine, "mill_instances");
    let (one, other) = (Serving::start(&url, &[]), Serving::start(&url, &[]));

    // A session that its user ends elsewhere is refused at the next request.
    let here = Client::signed_in(&one.base, MILLER);
    let lost = Client::signed_in(&other.base, MILLER);
    use_session(&lost);
    use_session(&client_at(&one, &lost));
    let items = lost.get("/auth/sessions").ok(200).json()["items"].clone();
    let current = items.as_array().into_iter().flatten().find(|it| it["current"] == true).expect("the session that asks")["id"].clone();
    here.send("POST", "/auth/sessions/end", &json!({ "id": current })).ok(204);
    lost.get("/auth/me").problem(401, "AUTHENTICATION_REQUIRED");
    lost.get("/api/sacks").problem(401, "AUTHENTICATION_REQUIRED");
    client_at(&one, &lost).get("/auth/me").problem(401, "AUTHENTICATION_REQUIRED");

    // So is a session after a sign-out, and changes of roles take effect immediately.
    let there = client_at(&other, &here);
    use_session(&there);
    there.send("POST", "/api/sacks", &json!({ "name": "Rye" })).ok(201);
    check_output(&url, &format!("user revoke {} miller", MILLER.0), &[], &[]);
    there.send("POST", "/api/sacks", &json!({ "name": "Oat" })).problem(403, "FORBIDDEN");
    there.get("/auth/me").ok(200);
    here.send("POST", "/auth/logout", &json!({})).ok(204);
    there.get("/auth/me").problem(401, "AUTHENTICATION_REQUIRED");

    // A disabled account is refused in every process.
    let again = Client::signed_in(&other.base, MILLER);
    use_session(&again);
    use_session(&client_at(&one, &again));
    check_output(&url, &format!("user disable {}", MILLER.0), &[], &[]);
    again.get("/auth/me").problem(401, "AUTHENTICATION_REQUIRED");
    client_at(&one, &again).get("/auth/me").problem(401, "AUTHENTICATION_REQUIRED");
    assert!(one.end() && other.end());
}
