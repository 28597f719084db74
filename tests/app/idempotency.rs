//! `Idempotency-Key`: a repeated request is executed once.

use dz::serde_json::json;

use crate::{
    client::Client,
    depot::{CLERK, Depot, KEEPER, OTHER_CLERK, count, create_case, create_cases, id, send_with_key},
};

crate::depot::on_both_depots! {
    a_repeated_request_is_executed_once;
    a_key_belongs_to_its_account_and_address;
    another_body_is_refused;
    failures_are_not_kept;
    a_concurrent_duplicate_is_refused;
    a_replay_checks_access_again;
    a_transition_is_made_once;
    a_key_expires;
    idempotency_keys_without_a_session_are_ignored;
    invalid_keys_are_refused;
}

fn a_repeated_request_is_executed_once(depot: &Depot) {
    let client = depot.signed_in(KEEPER);
    let body = json!({ "name": "Once, of keys", "amount": 3 });
    let first = send_with_key(&client, "/api/cases", "once-1", &body).ok(201);
    let path = format!("/api/cases/{}", id(&first.json()));
    client.send("PATCH", &path, &json!({ "amount": 4 })).ok(200);
    let again = send_with_key(&client, "/api/cases", "once-1", &body).ok(201);
    assert_eq!(id(&again.json()), id(&first.json()));
    assert_eq!(again.json()["amount"], 4, "the row is read again");
    assert_eq!((again.header("etag"), again.header("location")), (Some("\"2\""), Some(path.as_str())));
    assert_eq!((first.header("idempotency-replayed"), again.header("idempotency-replayed")), (None, Some("true")));
    assert_eq!(count(&client, "Once, of keys"), 1);
    client.delete(&path).ok(204);
    let gone = send_with_key(&client, "/api/cases", "once-1", &body).ok(201).json();
    assert_eq!(gone, json!({ "id": first.json()["id"] }), "of what is gone the key is known");
}

fn a_key_belongs_to_its_account_and_address(depot: &Depot) {
    let (cleo, cora) = (depot.signed_in(CLERK), depot.signed_in(OTHER_CLERK));
    let of = |name: &str| json!({ "name": name });
    let first = send_with_key(&cleo, "/api/cases", "shared", &of("Shared by Cleo")).ok(201).json();
    let second = send_with_key(&cora, "/api/cases", "shared", &of("Shared by Cora")).ok(201).json();
    assert_ne!(first["id"], second["id"]);
    // Another session of the same account can use the key.
    let again = send_with_key(&depot.signed_in(CLERK), "/api/cases", "shared", &of("Shared by Cleo")).ok(201);
    assert_eq!(again.json()["id"], first["id"]);
    send_with_key(&cleo, "/api/wishes", "shared", &json!({ "text": "elsewhere" })).ok(201);
}

fn another_body_is_refused(depot: &Depot) {
    let client = depot.signed_in(KEEPER);
    send_with_key(&client, "/api/cases", "body", &json!({ "name": "Body one" })).ok(201);
    send_with_key(&client, "/api/cases", "body", &json!({ "name": "Body two" })).problem(422, "IDEMPOTENCY_KEY_REUSED");
    assert_eq!(count(&client, "Body "), 1);
}

fn failures_are_not_kept(depot: &Depot) {
    let client = depot.signed_in(KEEPER);
    send_with_key(&client, "/api/cases", "failure", &json!({ "name": "" })).problem(422, "VALIDATION");
    send_with_key(&client, "/api/cases", "failure", &json!({ "name": "After a failure" })).ok(201);
    send_with_key(&client, "/api/cases", "failed-twice", &json!({ "name": "After a failure" })).problem(409, "UNIQUE");
    send_with_key(&client, "/api/cases", "failed-twice", &json!({ "name": "After a failure" })).problem(409, "UNIQUE");
}

fn a_concurrent_duplicate_is_refused(depot: &Depot) {
    let client = depot.signed_in(KEEPER);
    let body = json!({ "name": "Slow twin" });
    let answers = std::thread::scope(|scope| {
        let send = || send_with_key(&client, "/api/cases", "twin", &body);
        let twins: Vec<_> = (0..4).map(|_| scope.spawn(send)).collect();
        twins.into_iter().map(|twin| twin.join().expect("an answer")).collect::<Vec<_>>()
    });
    let made = answers.iter().filter(|answer| answer.status == 201).count();
    assert!(made >= 1, "{answers:?}");
    for refused in answers.iter().filter(|answer| answer.status != 201) {
        refused.problem(409, "IDEMPOTENCY_KEY_IN_USE");
        assert_eq!(refused.header("retry-after"), Some("1"));
    }
    assert!(made < 4, "nobody met a twin: {answers:?}");
    assert_eq!(count(&client, "Slow twin"), 1);
    assert_eq!(send_with_key(&client, "/api/cases", "twin", &body).ok(201).header("idempotency-replayed"), Some("true"));
}

fn a_replay_checks_access_again(depot: &Depot) {
    let (client, keeper) = (depot.signed_in(OTHER_CLERK), depot.signed_in(KEEPER));
    let body = json!({ "name": "Taken away" });
    let row = send_with_key(&client, "/api/cases", "access", &body).ok(201).json();
    let kay = keeper.get("/auth/me").ok(200).json()["id"].clone();
    keeper.send("PATCH", &format!("/api/cases/{}", id(&row)), &json!({ "owner": kay })).ok(200);
    let replayed = send_with_key(&client, "/api/cases", "access", &body).ok(201);
    assert_eq!(replayed.json(), json!({ "id": row["id"] }), "a row that is out of sight is not shown");
    assert_eq!(replayed.header("etag"), None);
    // Without the role the replay is refused.
    let sql = |sql: &str| depot.sql(&format!("{sql} AND account = (SELECT id FROM users WHERE email = 'cora@depot.example')"));
    sql("UPDATE dz_roles SET role = 'admin' WHERE role = 'clerk'");
    send_with_key(&client, "/api/cases", "access", &body).problem(403, "FORBIDDEN");
    sql("UPDATE dz_roles SET role = 'clerk' WHERE role = 'admin'");
    send_with_key(&client, "/api/cases", "access", &body).ok(201);
}

fn a_transition_is_made_once(depot: &Depot) {
    let client = depot.signed_in(KEEPER);
    let path = format!("/api/cases/{}/transitions/packed", id(&create_case(&client, json!({ "name": "Moved once" }))));
    send_with_key(&client, &path, "move", &json!({ "amount": 7 })).ok(200);
    let again = send_with_key(&client, &path, "move", &json!({ "amount": 7 })).ok(200);
    assert_eq!((again.json()["status"].as_str(), again.header("etag")), (Some("packed"), Some("\"2\"")));
    let ids = create_cases(&client, &["Bulk once a", "Bulk once b"]);
    let body = json!({ "action": "delete", "ids": ids });
    let first = send_with_key(&client, "/api/cases/bulk", "bulk", &body).ok(200);
    let again = send_with_key(&client, "/api/cases/bulk", "bulk", &body).ok(200);
    assert_eq!(first.json(), again.json());
    assert_eq!(first.json()["results"][1]["status"], 204);
}

fn a_key_expires(depot: &Depot) {
    let client = depot.signed_in(KEEPER);
    let row = send_with_key(&client, "/api/cases", "expires", &json!({ "name": "Expires one" })).ok(201).json();
    // A past timestamp as the database writes it; keys of other tests are not changed.
    let own = format!("WHERE row_key LIKE '%{}%'", id(&row));
    depot.sql(&format!("UPDATE dz_idempotency SET expires_at = (SELECT min(created_at) FROM dz_sessions) {own}"));
    send_with_key(&client, "/api/cases", "expires", &json!({ "name": "Expires two" })).ok(201);
    assert_eq!(count(&client, "Expires "), 2);
}

fn idempotency_keys_without_a_session_are_ignored(depot: &Depot) {
    let (client, keeper) = (Client::new(&depot.base), depot.signed_in(KEEPER));
    let total = || keeper.get("/api/wishes").ok(200).json()["total"].as_i64().expect("a number");
    let before = total();
    for _ in 0..2 {
        send_with_key(&client, "/api/wishes", "anonymous", &json!({ "text": "a pony" })).ok(201);
    }
    assert_eq!(total(), before + 2);
}

fn invalid_keys_are_refused(depot: &Depot) {
    let client = depot.signed_in(KEEPER);
    let long = "k".repeat(256);
    for key in ["", long.as_str(), "schlüssel"] {
        send_with_key(&client, "/api/cases", key, &json!({ "name": "No key" })).problem(400, "BAD_REQUEST");
    }
    let twice = [("Content-Type", "application/json"), ("Idempotency-Key", "a"), ("Idempotency-Key", "b")];
    client.request("POST", "/api/cases", &twice, b"{}").problem(400, "BAD_REQUEST");
    assert_eq!(count(&client, "No key"), 0);
}
