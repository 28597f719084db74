//! Memberships: the current tenant, the personas in it, and who can change them.

use super::*;

on_both! {
    the_current_tenant_after_sign_in;
    switching_the_tenant;
    personas_are_the_roles_in_their_tenant;
    an_admin_of_a_tenant_is_admin_only_there;
    no_user_grants_a_role_that_they_lack;
    a_removed_member_has_no_tenant;
    administrators_of_the_system_name_the_tenant;
}

fn me(client: &Client) -> Value {
    client.get("/auth/me").ok(200).json()
}

fn the_current_tenant_after_sign_in(base: &str) {
    let is = |who| {
        let me = me(&Client::signed_in(base, who));
        let name = me["tenants"].as_array().and_then(|all| all.iter().find(|it| it["id"] == me["tenant"])).map(|it| it["name"].clone());
        (name.unwrap_or_default(), me["roles"].clone())
    };
    assert_eq!(is(ANN), (json!("North"), json!(["clerk", "tenant_admin"])), "the only one");
    assert_eq!(is(PAM), (json!("West"), json!(["vet"])), "the primary one");
    assert_eq!(is(BO), (Value::Null, json!([])), "none of several");
    assert_eq!(is(CY), (Value::Null, json!([])), "an invitation is not a membership");
    assert_eq!(is(ROOT), (Value::Null, json!(["admin"])));
    assert_eq!(me(&Client::signed_in(base, CY))["tenants"], json!([]));
    let bo = me(&Client::signed_in(base, BO));
    let names: Vec<&Value> = bo["tenants"].as_array().expect("tenants").iter().map(|it| &it["name"]).collect();
    assert_eq!(names, ["North", "South"]);
}

fn switching_the_tenant(base: &str) {
    let bo = Client::signed_in(base, BO);
    bo.get("/api/visits").problem(403, "FORBIDDEN");
    let (north, south) = (tenant_of(&bo, "North"), tenant_of(&bo, "South"));
    let entered = bo.send("POST", "/auth/tenant", &json!({ "tenant": north })).ok(200).json();
    assert_eq!((&entered["tenant"], &entered["roles"]), (&north, &json!(["vet"])));
    assert!(visits(&bo).contains(&"Northern hen".to_owned()));
    bo.send("POST", "/auth/tenant", &json!({ "tenant": south })).ok(200);
    assert!(visits(&bo).contains(&"Southern goat".to_owned()));
    assert_eq!(me(&bo)["tenant"], south);
    let west = tenant_of(&Client::signed_in(base, WES), "West");
    bo.send("POST", "/auth/tenant", &json!({ "tenant": west })).problem(403, "FORBIDDEN");
    bo.send("POST", "/auth/tenant", &json!({ "tenant": "nothing" })).problem(403, "FORBIDDEN");
    bo.send("POST", "/auth/tenant", &json!({})).problem(422, "VALIDATION");
    assert_eq!(bo.get("/auth/tenant").status, 405);
    Client::new(base).send("POST", "/auth/tenant", &json!({ "tenant": south })).problem(401, "AUTHENTICATION_REQUIRED");
    // A new session starts in the primary tenant.
    assert_eq!(me(&Client::signed_in(base, BO))["tenant"], Value::Null);
    assert_eq!(me(&bo)["tenant"], south);
}

fn personas_are_the_roles_in_their_tenant(base: &str) {
    let (north, south) = (working(base, BO, "North"), working(base, BO, "South"));
    let room = json!({ "name": fresh("Made by Bo") });
    north.send("POST", "/api/rooms", &room).problem(403, "FORBIDDEN");
    south.send("POST", "/api/rooms", &room).ok(201);
    let visit = south.send("POST", "/api/visits", &json!({ "title": fresh("Moved") })).ok(201).json();
    let path = |row: &Value| format!("/api/visits/{}/transitions/running", row["id"].as_str().expect("a key"));
    south.send("POST", &path(&visit), &json!({})).problem(403, "TRANSITION_FORBIDDEN");
    let visit = north.send("POST", "/api/visits", &json!({ "title": fresh("Moved") })).ok(201).json();
    north.send("POST", &path(&visit), &json!({})).ok(200);
}

fn an_admin_of_a_tenant_is_admin_only_there(base: &str) {
    let sue = Client::signed_in(base, SUE);
    assert_eq!(me(&sue)["roles"], json!(["admin", "clerk"]).as_array().map(|_| me(&sue)["roles"].clone()).unwrap());
    sue.get("/api/members").ok(200);
    for closed in ["/api/people", "/api/practices", "/api/platforms"] {
        sue.get(closed).problem(403, "FORBIDDEN");
    }
    for closed in ["/admin/access", "/admin/tenants", "/admin/settings/platform", "/app/user_list"] {
        assert_eq!(sue.get(closed).status, 403, "{closed}");
    }
    let root = Client::signed_in(base, ROOT);
    for open in ["/api/people", "/api/practices", "/api/platforms", "/api/members"] {
        root.get(open).ok(200);
    }
    // An administrator of a tenant sees only its members.
    let of = |client: &Client| client.get("/api/members?page_size=100").ok(200).json()["items"].as_array().expect("rows").clone();
    let south = tenant_of(&sue, "South");
    assert!(of(&sue).iter().all(|row| row["practice"] == south));
    assert!(of(&root).iter().any(|row| row["practice"] != south), "those of the system see all");
}

fn no_user_grants_a_role_that_they_lack(base: &str) {
    let (ann, root) = (Client::signed_in(base, ANN), Client::signed_in(base, ROOT));
    // A user that no other test uses.
    let email = format!("{}@vets.example", fresh("risen").replace(' ', ""));
    let account = root.send("POST", "/api/people", &json!({ "email": email })).ok(201).json()["id"].clone();
    let north = tenant_of(&ann, "North");
    let joined = json!({ "user": account, "practice": north, "personas": ["vet"], "accepted_at": "2026-01-01T00:00:00Z" });
    let member = root.send("POST", "/api/members", &joined).ok(201).json();
    let path = format!("/api/members/{}", member["id"].as_str().expect("a key"));
    ann.send("PATCH", &path, &json!({ "personas": ["vet", "clerk"] })).ok(200);
    let problem = ann.send("PATCH", &path, &json!({ "personas": ["vet", "admin"] })).problem(422, "VALIDATION");
    assert!(problem["field_errors"]["personas"].is_array(), "{problem}");
    ann.send("PATCH", &path, &json!({ "personas": ["vet", "wizard"] })).problem(422, "VALIDATION");
    ann.send("PATCH", &path, &json!({ "personas": "vet" })).problem(422, "VALIDATION");
    // A role that the membership already has is kept, and can be removed.
    ann.send("PATCH", &path, &json!({ "personas": ["vet"] })).ok(200);
    ann.send("PATCH", &path, &json!({ "practice": tenant_of(&Client::signed_in(base, SUE), "South") })).problem(422, "VALIDATION");
    root.send("PATCH", &path, &json!({ "personas": ["vet", "admin"] })).ok(200);
    root.send("PATCH", &path, &json!({ "personas": ["vet"] })).ok(200);
    // A caller without the role of an administrator cannot write personas.
    let pam = working(base, PAM, "North");
    pam.send("PATCH", &path, &json!({ "personas": [] })).problem(403, "FORBIDDEN");
    // An account has one membership in a tenant.
    let twice = json!({ "user": account, "practice": north });
    root.send("POST", "/api/members", &twice).problem(409, "UNIQUE");
}

fn a_removed_member_has_no_tenant(base: &str) {
    let root = Client::signed_in(base, ROOT);
    let west = tenant_of(&Client::signed_in(base, WES), "West");
    let email = format!("{}@vets.example", fresh("leaver").replace(' ', ""));
    let account = root.send("POST", "/api/people", &json!({ "email": email })).ok(201).json();
    let joined = json!({ "user": account["id"], "practice": west, "personas": ["clerk"], "accepted_at": "2026-01-01T00:00:00Z" });
    let member = root.send("POST", "/api/members", &joined).ok(201).json();
    let path = format!("/api/members/{}", member["id"].as_str().expect("a key"));
    // Pam's membership in the West is removed, and given again.
    let pam = Client::signed_in(base, PAM);
    let pams = root.get(&format!("/api/members?user={}&practice={}", me(&pam)["id"].as_str().unwrap(), west.as_str().unwrap()));
    let pams = format!("/api/members/{}", pams.ok(200).json()["items"][0]["id"].as_str().expect("a key"));
    assert!(visits(&pam).contains(&"Western mule".to_owned()));
    root.send("PATCH", &pams, &json!({ "accepted_at": null })).ok(200);
    pam.get("/api/visits").problem(403, "FORBIDDEN");
    assert_eq!(me(&pam)["tenant"], Value::Null, "not all of a sudden in the North");
    root.send("PATCH", &pams, &json!({ "accepted_at": "2026-01-01T00:00:00Z" })).ok(200);
    pam.get("/api/visits").ok(200);
    root.delete(&path).ok(204);
}

fn administrators_of_the_system_name_the_tenant(base: &str) {
    let root = Client::signed_in(base, ROOT);
    let name = fresh("Practice");
    let tenant = root.send("POST", "/api/practices", &json!({ "name": name })).ok(201).json();
    let ann = me(&Client::signed_in(base, ANN))["id"].clone();
    root.send("POST", "/api/members", &json!({ "user": ann })).problem(422, "VALIDATION");
    let member = root.send("POST", "/api/members", &json!({ "user": ann, "practice": tenant["id"], "personas": ["vet"] })).ok(201).json();
    assert_eq!((&member["practice"], &member["accepted_at"]), (&tenant["id"], &Value::Null));
    let path = format!("/api/members/{}", member["id"].as_str().expect("a key"));
    root.delete(&format!("/api/practices/{}", tenant["id"].as_str().expect("a key"))).problem(409, "REFERENCED");
    root.delete(&path).ok(204);
    root.delete(&format!("/api/practices/{}", tenant["id"].as_str().expect("a key"))).ok(204);
}
