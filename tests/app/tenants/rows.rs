//! Rows: each tenant has its own, for every kind of access.

use super::*;

on_both! {
    every_user_sees_the_rows_of_one_tenant;
    rows_for_anonymous_callers_belong_to_a_tenant;
    unique_fields_are_unique_in_a_tenant;
    no_client_names_a_tenant;
    foreign_rows_are_not_visible;
    references_stay_in_the_tenant;
    computed_fields_count_visible_rows;
    an_idempotency_key_belongs_to_its_tenant;
    files_stay_in_the_tenant;
    deleted_rows_are_restored_in_their_tenant;
    typed_calls_use_the_tenant;
    deleting_an_account_deletes_its_rows_in_all_tenants;
}

#[track_caller]
fn create_row(client: &Client, title: &str) -> Value {
    client.send("POST", "/api/visits", &json!({ "title": title })).ok(201).json()
}

#[track_caller]
fn id(row: &Value) -> String {
    row["id"].as_str().expect("a key").to_owned()
}

fn every_user_sees_the_rows_of_one_tenant(base: &str) {
    let (ann, sue) = (Client::signed_in(base, ANN), Client::signed_in(base, SUE));
    let (north, south) = (visits(&ann), visits(&sue));
    assert!(north.contains(&"Northern hen".to_owned()) && !north.contains(&"Southern goat".to_owned()), "{north:?}");
    assert!(south.contains(&"Southern goat".to_owned()) && !south.contains(&"Northern hen".to_owned()), "{south:?}");
    for (search, found) in [("hen", 1), ("goat", 0), ("mule", 0)] {
        let list = ann.get(&format!("/api/visits?search={search}")).ok(200).json();
        assert_eq!(list["total"], found, "{search}");
    }
    // Without a tenant no row is visible, and nothing is revealed.
    let (root, cy) = (Client::signed_in(base, ROOT), Client::signed_in(base, CY));
    for nowhere in [&root, &cy] {
        nowhere.get("/api/visits").problem(403, "FORBIDDEN");
        nowhere.get("/api/rooms").problem(403, "FORBIDDEN");
        nowhere.send("POST", "/api/rooms", &json!({ "name": "Nowhere" })).problem(403, "FORBIDDEN");
    }
    Client::new(base).get("/api/visits").problem(401, "AUTHENTICATION_REQUIRED");
}

/// A rule that names `anonymous` permits callers without an account, but they have no current tenant.
fn rows_for_anonymous_callers_belong_to_a_tenant(base: &str) {
    let (ann, sue) = (Client::signed_in(base, ANN), Client::signed_in(base, SUE));
    let row = ann.send("POST", "/api/notices", &json!({ "text": fresh("Closed on Monday") })).ok(201).json();
    let path = format!("/api/notices/{}", id(&row));
    let anonymous = Client::new(base);
    anonymous.get("/api/notices").problem(401, "AUTHENTICATION_REQUIRED");
    anonymous.get("/api/notices?format=csv").problem(401, "AUTHENTICATION_REQUIRED");
    anonymous.get(&path).problem(401, "AUTHENTICATION_REQUIRED");
    assert_eq!(anonymous.get("/app/notice_list").ok(303).header("location"), Some("/login?next=%2Fapp%2Fnotice_list"));
    anonymous.send("POST", "/api/notices", &json!({ "text": "Open" })).problem(401, "AUTHENTICATION_REQUIRED");
    ann.get(&path).ok(200);
    sue.get(&path).problem(404, "NOT_FOUND");
}

fn unique_fields_are_unique_in_a_tenant(base: &str) {
    let (ann, sue) = (Client::signed_in(base, ANN), Client::signed_in(base, SUE));
    let name = json!({ "name": fresh("Unique") });
    ann.send("POST", "/api/rooms", &name).ok(201);
    sue.send("POST", "/api/rooms", &name).ok(201);
    let problem = ann.send("POST", "/api/rooms", &name).problem(409, "UNIQUE");
    assert!(problem["field_errors"]["name"].is_array(), "{problem}");
    assert!(problem["field_errors"]["practice"].is_null(), "no error is about the tenant: {problem}");
}

fn no_client_names_a_tenant(base: &str) {
    let (ann, sue) = (Client::signed_in(base, ANN), Client::signed_in(base, SUE));
    let (north, south) = (tenant_of(&ann, "North"), tenant_of(&sue, "South"));
    let problem = ann.send("POST", "/api/visits", &json!({ "title": "Smuggled", "practice": south })).problem(422, "VALIDATION");
    assert!(problem["field_errors"]["practice"].is_array(), "{problem}");
    let row = ann.send("POST", "/api/visits", &json!({ "title": fresh("Own"), "practice": north })).ok(201).json();
    assert_eq!(row["practice"], north);
    let path = format!("/api/visits/{}", id(&row));
    ann.send("PATCH", &path, &json!({ "practice": south })).problem(422, "VALIDATION");
    ann.send("PATCH", &path, &json!({ "practice": north, "fee": "1.00" })).ok(200);
    // The errors of other fields come without one of the tenant.
    let wrong = json!({ "practice": north, "title": fresh("Wrong"), "fee": "much" });
    for (method, path) in [("PATCH", path.as_str()), ("POST", "/api/visits")] {
        let problem = ann.send(method, path, &wrong).problem(422, "VALIDATION");
        let names: Vec<&String> = problem["field_errors"].as_object().into_iter().flatten().map(|(name, _)| name).collect();
        assert_eq!(names, ["fee"], "{method}: {problem}");
    }
    let whole = ann.get(&path).ok(200).json();
    ann.send("PUT", &path, &whole).ok(200);
    assert!(!visits(&sue).contains(&"Smuggled".to_owned()));
}

fn foreign_rows_are_not_visible(base: &str) {
    let (ann, sue) = (Client::signed_in(base, ANN), Client::signed_in(base, SUE));
    let row = create_row(&ann, &fresh("Foreign"));
    let path = format!("/api/visits/{}", id(&row));
    sue.get(&path).problem(404, "NOT_FOUND");
    sue.send("PATCH", &path, &json!({ "title": "Taken" })).problem(404, "NOT_FOUND");
    sue.send("PUT", &path, &row).problem(404, "NOT_FOUND");
    sue.delete(&path).problem(404, "NOT_FOUND");
    sue.send("POST", &format!("{path}/actions/remind"), &json!({})).problem(404, "NOT_FOUND");
    sue.send("POST", &format!("{path}/transitions/running"), &json!({})).problem(404, "NOT_FOUND");
    sue.send("POST", &format!("{path}/actions/restore"), &json!({})).problem(404, "NOT_FOUND");
    let bulk = sue.send("POST", "/api/visits/bulk", &json!({ "action": "delete", "ids": [row["id"]] })).ok(200).json();
    assert_eq!(bulk["results"][0]["status"], 404, "{bulk}");
    let bulk = sue.send("POST", "/api/visits/bulk", &json!({ "action": "update", "query": "", "set": { "fee": "2.00" } })).ok(200).json();
    assert!(bulk["results"].as_array().is_some_and(|all| all.iter().all(|it| it["id"] != row["id"])), "{bulk}");
    assert_eq!(ann.get(&path).ok(200).json(), row, "it is as it was");
    let reminded = ann.send("POST", &format!("{path}/actions/remind"), &json!({})).ok(200).json();
    assert!(reminded["in"].is_string(), "an action knows where it is: {reminded}");
}

fn references_stay_in_the_tenant(base: &str) {
    let (ann, sue) = (Client::signed_in(base, ANN), Client::signed_in(base, SUE));
    let rooms = sue.get("/api/rooms").ok(200).json();
    let foreign = &rooms["items"][0]["id"];
    let problem = ann.send("POST", "/api/visits", &json!({ "title": "x", "room": foreign })).problem(422, "REFERENCE");
    assert!(problem["field_errors"]["room"].is_array(), "{problem}");
    // Members can be chosen; an invited user is not a member yet.
    let me = |who| Client::signed_in(base, who).get("/auth/me").ok(200).json()["id"].clone();
    for (vet, status) in [(me(BO), 201), (me(WES), 422), (me(CY), 422)] {
        let sent = ann.send("POST", "/api/visits", &json!({ "title": fresh("By a vet"), "vet": vet }));
        assert_eq!(sent.status, status, "{}", sent.body);
    }
    let picked = ann.exchange("/app/-/pick/people?vet.q=&id=vet").ok(200).body;
    assert!(picked.contains("Bo") && !picked.contains("Wes") && !picked.contains("Cy"), "{picked}");
    // Expanded, shown and filtered values of paths are of the tenant.
    let list = ann.get("/api/visits?expand=room,vet,practice&room.name=One").ok(200).json();
    assert_eq!(list["items"][0]["practice"]["name"], "North", "a rule may ask for the tenant of the caller: {list}");
    assert!(list["items"].as_array().is_some_and(|rows| rows.iter().all(|row| row["room"]["name"] == "One")), "{list}");
}

fn computed_fields_count_visible_rows(base: &str) {
    let (ann, root) = (Client::signed_in(base, ANN), Client::signed_in(base, ROOT));
    let bo = Client::signed_in(base, BO).get("/auth/me").ok(200).json()["id"].clone();
    let room = ann.send("POST", "/api/rooms", &json!({ "name": fresh("Counted") })).ok(201).json();
    create_row(&ann, &fresh("Elsewhere"));
    ann.send("POST", "/api/visits", &json!({ "title": fresh("Here"), "room": room["id"] })).ok(201);
    let room = ann.get(&format!("/api/rooms/{}", id(&room))).ok(200).json();
    assert_eq!(room["booked"], 1);
    // The account is the same in all tenants; the counted visits are those of the current one.
    let north = working(base, BO, "North");
    let busy = |client: &Client| client.get(&format!("/api/people/{}", bo.as_str().expect("a key"))).ok(200).json()["busy"].clone();
    let all = north.get(&format!("/api/visits?vet={}&page_size=1", bo.as_str().expect("a key"))).ok(200).json()["total"].clone();
    assert_eq!(busy(&north), all);
    assert_eq!(busy(&root), 0, "who is nowhere counts nothing");
}

fn an_idempotency_key_belongs_to_its_tenant(base: &str) {
    let (north, south) = (working(base, BO, "North"), working(base, BO, "South"));
    let (title, key) = (fresh("Once"), fresh("key"));
    let headers = [("Content-Type", "application/json"), ("Sec-Fetch-Site", "same-origin"), ("Idempotency-Key", key.as_str())];
    let body = json!({ "title": title }).to_string();
    let send = |client: &Client| client.request("POST", "/api/visits", &headers, body.as_bytes()).ok(201).json();
    let (first, again, other) = (send(&north), send(&north), send(&south));
    assert_eq!(first["id"], again["id"]);
    assert_ne!(first["id"], other["id"], "another tenant is another write");
    assert_ne!(first["practice"], other["practice"]);
}

fn files_stay_in_the_tenant(base: &str) {
    let (ann, sue) = (Client::signed_in(base, ANN), Client::signed_in(base, SUE));
    let row = create_row(&ann, &fresh("In a file"));
    let (north, south) = (tenant_of(&ann, "North"), tenant_of(&sue, "South"));
    let practice = |key: &Value| format!("/api/practices/{}", key.as_str().expect("a key"));
    ann.get(&practice(&north)).ok(200);
    ann.get(&practice(&south)).problem(404, "NOT_FOUND");
    let file = sue.get("/api/visits?format=csv").ok(200).body;
    assert!(file.contains("Southern goat") && !file.contains("Northern hen") && !file.contains("In a file"), "{file}");
    let import = |client: &Client, text: String| {
        client.request("POST", "/api/visits/import", &[("Content-Type", "text/csv"), ("Sec-Fetch-Site", "same-origin")], text.as_bytes())
    };
    let changed = format!("id,title\n{},Stolen\n", id(&row));
    let refused = import(&sue, changed).ok(422).json();
    assert_eq!(refused["rows"][0]["row"], 2, "{refused}");
    let smuggled = format!("title,practice\nSmuggled by file,{}\n", south.as_str().expect("a key"));
    import(&ann, smuggled).ok(422);
    let title = fresh("From a file");
    import(&sue, format!("title\n{title}\n")).ok(200);
    assert!(visits(&sue).contains(&title) && !visits(&ann).contains(&title));
    assert_eq!(ann.get(&format!("/api/visits/{}", id(&row))).ok(200).json()["title"], row["title"]);
}

fn deleted_rows_are_restored_in_their_tenant(base: &str) {
    let (ann, sue) = (Client::signed_in(base, ANN), Client::signed_in(base, SUE));
    let row = create_row(&ann, &fresh("Gone"));
    let path = format!("/api/visits/{}", id(&row));
    ann.delete(&path).ok(204);
    sue.send("POST", &format!("{path}/actions/restore"), &json!({})).problem(404, "NOT_FOUND");
    ann.send("POST", &format!("{path}/actions/restore"), &json!({})).ok(200);
    ann.get(&path).ok(200);
}

fn typed_calls_use_the_tenant(base: &str) {
    let (ann, sue) = (Client::signed_in(base, ANN), Client::signed_in(base, SUE));
    let titles = ann.get("/typed/titles").ok(200).body;
    assert!(titles.contains("Northern hen") && !titles.contains("Southern goat"), "{titles}");
    let (north, south) = (tenant_of(&ann, "North"), tenant_of(&sue, "South"));
    let plan =
        |client: &Client, query: String| client.request("POST", &format!("/typed/plan{query}"), &[("Sec-Fetch-Site", "same-origin")], b"");
    assert_eq!(plan(&ann, String::new()).ok(200).body, north.as_str().expect("a key"));
    assert_eq!(plan(&ann, format!("?practice={}", south.as_str().expect("a key"))).status, 422);
    assert_eq!(Client::signed_in(base, CY).get("/typed/titles").status, 403);
}

fn deleting_an_account_deletes_its_rows_in_all_tenants(base: &str) {
    let root = Client::signed_in(base, ROOT);
    let account =
        root.send("POST", "/api/people", &json!({ "email": format!("{}@vets.example", fresh("gone").replace(' ', "")) })).ok(201).json();
    let sue = Client::signed_in(base, SUE);
    let south = tenant_of(&sue, "South");
    let joined = json!({ "user": account["id"], "practice": south, "personas": ["vet"], "accepted_at": "2026-01-01T00:00:00Z" });
    let member = root.send("POST", "/api/members", &joined).ok(201).json();
    let visit = sue.send("POST", "/api/visits", &json!({ "title": fresh("Vetted"), "vet": account["id"] })).ok(201).json();
    let path = format!("/api/people/{}", id(&account));
    root.delete(&path).problem(409, "REFERENCED");
    root.delete(&format!("/api/members/{}", id(&member))).ok(204);
    root.delete(&path).ok(204);
    let visit = sue.get(&format!("/api/visits/{}", id(&visit))).ok(200).json();
    assert!(visit["vet"].is_null(), "the visit stays, without its vet: {visit}");
}
