//! The audit log: each record has the tenant of its action, and only administrators of that tenant or of the system see it.

use super::*;

on_both! {
    audit_records_have_the_tenant_of_the_action;
    administrators_of_a_tenant_see_only_its_records;
    refusals_have_the_tenant_too;
    uses_of_as_system_have_the_tenant;
    cross_tenant_records_are_visible_to_the_tenant_of_the_row;
    pages_show_the_tenant_to_system_administrators;
}

pub fn records(client: &Client, query: &str) -> Vec<Value> {
    let body = client.request("GET", &format!("/admin/audit?{query}"), &[("Accept", "application/json")], b"").ok(200).json();
    body["items"].as_array().expect("records").clone()
}

/// Creates a visit; returns its key.
fn visit(client: &Client) -> String {
    let row = client.send("POST", "/api/visits", &json!({ "title": fresh("Watched") })).ok(201).json();
    row["id"].as_str().expect("a key").to_owned()
}

fn audit_records_have_the_tenant_of_the_action(base: &str) {
    let root = Client::signed_in(base, ROOT);
    let (north, south) = (working(base, BO, "North"), working(base, BO, "South"));
    for (client, name) in [(&north, "North"), (&south, "South")] {
        let id = visit(client);
        client.send("PATCH", &format!("/api/visits/{id}"), &json!({ "fee": "3.00" })).ok(200);
        let found = records(&root, &format!("row_id={id}"));
        let said: Vec<(&Value, &Value)> = found.iter().map(|it| (&it["action"], &it["tenant"])).collect();
        let tenant = tenant_of(client, name);
        assert_eq!(said, [(&json!("update"), &tenant), (&json!("create"), &tenant)]);
        // By its name and by its key, but not by another one.
        let of = |tenant: &str| records(&root, &format!("row_id={id}&tenant={tenant}")).len();
        let other = if name == "North" { "South" } else { "North" };
        assert_eq!((of(name), of(tenant.as_str().expect("a key")), of(other), of("Nowhere")), (2, 2, 0, 0));
    }
    // Without a tenant the record has none.
    let email = format!("{}@vets.example", fresh("watched").replace(' ', ""));
    let person = root.send("POST", "/api/people", &json!({ "email": email })).ok(201).json()["id"].clone();
    let person = person.as_str().expect("a key");
    root.send("PATCH", &format!("/api/people/{person}"), &json!({ "name": "Watched" })).ok(200);
    let found = records(&root, &format!("row_id={person}"));
    assert_eq!((found.len(), &found[0]["tenant"]), (1, &Value::Null), "{found:?}");
}

fn administrators_of_a_tenant_see_only_its_records(base: &str) {
    let (ann, sue) = (Client::signed_in(base, ANN), Client::signed_in(base, SUE));
    let (hers, other) = (visit(&ann), visit(&sue));
    // One is `tenant_admin` there, the other one `admin`.
    for (client, own, foreign, name) in [(&ann, &hers, &other, "North"), (&sue, &other, &hers, "South")] {
        assert_eq!(records(client, &format!("row_id={own}")).len(), 1);
        assert_eq!(records(client, &format!("row_id={foreign}")).len(), 0);
        let tenant = tenant_of(client, name);
        let all = records(client, "");
        assert!(!all.is_empty() && all.iter().all(|it| it["tenant"] == tenant), "{all:?}");
        for lie in ["tenant=North", "tenant=South", "tenant=West", "tenant="] {
            assert!(records(client, lie).iter().all(|it| it["tenant"] == tenant), "{lie}");
        }
        let page = client.get(&format!("/admin/audit?row_id={foreign}")).ok(200).body;
        assert!(page.contains("No record matches") && !page.contains(">Practice</label>"), "{page}");
        client.get(&format!("/admin/audit?row_id={own}")).ok(200).shows(&["create Visit"]);
    }
    // A next page after a record of another tenant shows no such record.
    let last = records(&sue, &format!("row_id={other}"))[0]["id"].clone();
    let older = records(&ann, &format!("before={}", last.as_str().expect("a key")));
    let north = tenant_of(&ann, "North");
    assert!(older.iter().all(|it| it["tenant"] == north), "{older:?}");
    let sees = |client: &Client| client.request("GET", "/admin/audit", &[("Accept", "application/json")], b"").status;
    assert_eq!((sees(&working(base, BO, "North")), sees(&Client::signed_in(base, WES))), (403, 403), "members without the role");
    assert_eq!((sees(&Client::signed_in(base, BO)), sees(&Client::signed_in(base, CY)), sees(&Client::new(base))), (403, 403, 401));
    assert_eq!(ann.send("POST", "/admin/audit", &json!({})).status, 405);
}

fn refusals_have_the_tenant_too(base: &str) {
    let [root, wes, ann] = [ROOT, WES, ANN].map(|who| Client::signed_in(base, who));
    let wim = Client::signed_in(base, ("wim@vets.example", "looks at the west"));
    let id = visit(&wes);
    let path = format!("/api/visits/{id}");
    wes.send("POST", &format!("{path}/transitions/running"), &json!({})).problem(403, "TRANSITION_FORBIDDEN");
    Client::signed_in(base, PAM).delete(&path).problem(403, "FORBIDDEN");
    let denied = |client: &Client| records(client, &format!("row_id={id}&decision=denied"));
    let west = tenant_of(&wes, "West");
    let found = denied(&root);
    assert!(!found.is_empty() && found.iter().all(|it| it["tenant"] == west), "{found:?}");
    assert_eq!((denied(&wim), denied(&ann)), (found, Vec::new()));
    // A caller of another tenant does not find the row; the refusal is recorded in the caller's tenant, not in that of the row.
    ann.delete(&path).problem(404, "NOT_FOUND");
    let knocked = denied(&ann);
    assert_eq!((knocked.len(), &knocked[0]["tenant"]), (1, &tenant_of(&ann, "North")), "{knocked:?}");
    assert!(!denied(&wim).contains(&knocked[0]));
}

fn uses_of_as_system_have_the_tenant(base: &str) {
    let [root, ann, sue] = [ROOT, ANN, SUE].map(|who| Client::signed_in(base, who));
    let (inside, outside) = (fresh("inside").replace(' ', "-"), fresh("outside").replace(' ', "-"));
    working(base, BO, "North").send("POST", &format!("/typed/aside?reason={inside}"), &json!({})).ok(200);
    Client::signed_in(base, BO).send("POST", &format!("/typed/aside?reason={outside}"), &json!({})).ok(200);
    let of = |client: &Client, reason: &str| -> Vec<Value> {
        let found = records(client, "action=as_system").into_iter().filter(|it| it["rule"] == reason);
        found.map(|it| it["tenant"].clone()).collect()
    };
    assert_eq!((of(&root, &inside), of(&root, &outside)), (vec![tenant_of(&ann, "North")], vec![Value::Null]));
    assert_eq!((of(&ann, &inside).len(), of(&sue, &inside).len()), (1, 0));
    assert_eq!((of(&ann, &outside).len(), of(&sue, &outside).len()), (0, 0));
}

fn cross_tenant_records_are_visible_to_the_tenant_of_the_row(base: &str) {
    let [root, ann, sue] = [ROOT, ANN, SUE].map(|who| Client::signed_in(base, who));
    // An administrator of the system who is a member of the North.
    let email = format!("{}@vets.example", fresh("boss").replace(' ', ""));
    let account = root.send("POST", "/api/people", &json!({ "email": email })).ok(201).json()["id"].clone();
    let [north, south] = [(&ann, "North"), (&sue, "South")].map(|(client, name)| tenant_of(client, name));
    let joined = |tenant: &Value| json!({ "user": account, "practice": tenant, "accepted_at": "2026-01-01T00:00:00Z" });
    for (tenant, seen) in [(&north, [1, 0]), (&south, [0, 1])] {
        let member = root.send("POST", "/api/members", &joined(tenant)).ok(201).json();
        let row = format!("row_id={}&action=create", member["id"].as_str().expect("a key"));
        assert_eq!(records(&root, &row)[0]["tenant"], *tenant, "whose member somebody is, is what it is about");
        assert_eq!([&ann, &sue].map(|client| records(client, &row).len()), seen);
    }
    root.get("/api/members").ok(200);
    let listed = records(&root, &format!("entity=Member&action=list&account={}", ROOT.0));
    assert_eq!(listed[0]["tenant"], Value::Null, "a list of several tenants is of none");
    // Records of system-wide rows are not shown to administrators of a tenant.
    ann.send("PATCH", "/api/people/none", &json!({ "name": "x" })).problem(403, "FORBIDDEN");
    let told = |client: &Client| records(client, "entity=Person&decision=denied").len();
    assert!(told(&root) > 0);
    assert_eq!((told(&ann), told(&sue)), (0, 0));
}

fn pages_show_the_tenant_to_system_administrators(base: &str) {
    let (root, sue) = (Client::signed_in(base, ROOT), Client::signed_in(base, SUE));
    let id = visit(&sue);
    root.get(&format!("/admin/audit?row_id={id}&tenant=South")).ok(200).shows(&["<small class=\"dz-muted\">South</small>", "create Visit"]);
    root.get("/admin/audit").ok(200).shows(&[">Practice</label>"]);
    let page = sue.get(&format!("/admin/audit?row_id={id}")).ok(200).body;
    assert!(page.contains("create Visit") && !page.contains("<small class=\"dz-muted\">South</small>"), "{page}");
    sue.get("/admin/access").ok(403);
}
