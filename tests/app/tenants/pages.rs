//! Pages: their rows are of the current tenant, and forms are bound to it.

use super::*;

on_both! {
    the_navigation_switches_tenants;
    a_form_carries_its_tenant;
    a_saved_filter_belongs_to_its_tenant;
    pages_show_rows_of_the_tenant;
    archetypes_have_pages;
    a_caller_without_a_tenant_gets_an_explanation;
    chosen_columns_belong_to_a_tenant;
}

#[track_caller]
fn value(html: &str, name: &str) -> String {
    let at = format!("name=\"{name}\" value=\"");
    html.split(&at).nth(1).and_then(|it| it.split('"').next()).unwrap_or_else(|| panic!("no `{name}` in {html}")).to_owned()
}

fn the_navigation_switches_tenants(base: &str) {
    let bo = working(base, BO, "North");
    let page = bo.get("/app/visit_list").ok(200).body;
    assert!(page.contains("action=\"/auth/tenant\"") && page.contains(">South</option>") && !page.contains(">West</option>"), "{page}");
    assert!(page.contains("selected>North</option>"), "{page}");
    let south = tenant_of(&bo, "South");
    let went = bo.form("/auth/tenant", &[("csrf", &value(&page, "csrf")), ("tenant", south.as_str().expect("a key"))]);
    assert_eq!((went.status, went.header("location")), (303, Some("/app")));
    bo.get("/app/visit_list").ok(200).shows(&["selected>South</option>", "Southern goat"]);
}

fn a_form_carries_its_tenant(base: &str) {
    let bo = working(base, BO, "North");
    let form = bo.get("/app/visit_create").ok(200).body;
    let (csrf, title) = (value(&form, "csrf"), fresh("Form"));
    let south = tenant_of(&bo, "South");
    bo.send("POST", "/auth/tenant", &json!({ "tenant": south })).ok(200);
    let late = bo.form("/app/visit_create", &[("csrf", &csrf), ("title", &title), ("state", "planned")]);
    assert_eq!(late.status, 409, "{}", late.body);
    late.shows(&["Nothing was saved"]);
    assert!(!visits(&bo).contains(&title));
    let fresh_form = bo.get("/app/visit_create").ok(200).body;
    assert_eq!(bo.form("/app/visit_create", &[("csrf", &value(&fresh_form, "csrf")), ("title", &title), ("state", "planned")]).status, 303);
    assert!(visits(&bo).contains(&title));
    // The token is checked if no header states the origin of the request.
    let headers = [("Content-Type", "application/x-www-form-urlencoded")];
    let body = |token: &str| format!("csrf={token}&title=x&state=planned").into_bytes();
    let sent = |token: &str| bo.request("POST", "/app/visit_create", &headers, &body(token)).status;
    assert_eq!(sent(&value(&fresh_form, "csrf")), 303);
    assert_eq!(sent(&value(&fresh_form, "csrf").replace('.', "0.")), 403);
}

fn a_saved_filter_belongs_to_its_tenant(base: &str) {
    let bo = working(base, BO, "North");
    let save = |query: &str| bo.form("/app/visit_list/filters", &[("name", "Mine"), ("query", query)]).ok(303);
    let shown = |query: &str| bo.get("/app/visit_list").ok(200).body.contains(&format!("href=\"/app/visit_list?{query}\""));
    save("search=hen");
    bo.send("POST", "/auth/tenant", &json!({ "tenant": tenant_of(&bo, "South") })).ok(200);
    assert!(!shown("search=hen"));
    save("search=goat");
    save("search=goats");
    assert!(shown("search=goats") && !shown("search=goat"));
    bo.send("POST", "/auth/tenant", &json!({ "tenant": tenant_of(&bo, "North") })).ok(200);
    assert!(shown("search=hen") && !shown("search=goats"));
}

fn pages_show_rows_of_the_tenant(base: &str) {
    let (ann, sue) = (Client::signed_in(base, ANN), Client::signed_in(base, SUE));
    let room = ann.send("POST", "/api/rooms", &json!({ "name": fresh("Paged") })).ok(201).json();
    let visit = ann.send("POST", "/api/visits", &json!({ "title": fresh("Paged"), "room": room["id"] })).ok(201).json();
    let (room, visit) = (room["id"].as_str().expect("a key"), visit["id"].as_str().expect("a key"));
    let list = sue.get("/app/visit_list").ok(200).body;
    assert!(list.contains("Southern goat") && !list.contains("Northern hen"), "{list}");
    let exchange = sue.exchange("/app/visit_list?search=hen").ok(200).body;
    assert!(!exchange.contains("Northern hen"), "{exchange}");
    for page in [
        format!("/app/room_view/{room}"),
        format!("/app/visit_view/{visit}"),
        format!("/app/visit_edit/{visit}"),
        format!("/app/visit_view/{visit}/delete"),
    ] {
        ann.get(&page).ok(200);
        assert_eq!(sue.get(&page).status, 404, "{page}");
    }
    for post in [format!("/app/visit_edit/{visit}"), format!("/app/visit_view/{visit}/delete"), format!("/app/visit_view/{visit}/move")] {
        let answer = sue.form(&post, &[("title", "Taken"), ("version", "1"), ("to", "running")]);
        assert_eq!(answer.status, 404, "{post}: {}", answer.body);
    }
    let picked = sue.exchange("/app/-/pick/rooms?room.q=paged&id=room").ok(200).body;
    assert!(!picked.contains("Paged"), "{picked}");
    ann.get(&format!("/app/visit_view/{visit}")).ok(200).shows(&["Paged"]);
}

fn archetypes_have_pages(base: &str) {
    let (root, ann) = (Client::signed_in(base, ROOT), Client::signed_in(base, ANN));
    root.get("/admin/tenants").ok(200).shows(&["North", "South", "West", "href=\"/admin/tenants"]);
    assert!(root.exchange("/admin/tenants?search=nor").ok(200).body.contains("North"));
    let elsewhere = root.get("/app/practice_admin");
    assert_eq!((elsewhere.status, elsewhere.header("location")), (303, Some("/admin/tenants")));
    root.get("/app/user_list").ok(200).shows(&["ann@vets.example"]);
    root.get("/app/user_membership_list").ok(200).shows(&["Ann", "North"]);
    let members = root.get("/api/members?sort=invited_at").ok(200).json();
    let member = members["items"][0]["id"].as_str().expect("a key");
    root.get(&format!("/app/user_membership_edit/{member}")).ok(200).shows(&["name=\"personas\""]);
    for closed in ["/admin/tenants", "/app/user_list", "/app/user_membership_list", "/app/user_create"] {
        assert_eq!(ann.get(closed).status, 403, "{closed}");
    }
    let shell = ann.get("/app/visit_list").ok(200).body;
    assert!(shell.contains("href=\"/settings/office\"") && shell.contains("href=\"/admin/audit\""), "{shell}");
    assert!(!shell.replace("href=\"/admin/audit\"", "").contains("href=\"/admin/"), "{shell}");
    let shell = Client::signed_in(base, WES).get("/app/visit_list").ok(200).body;
    assert!(!shell.contains("href=\"/admin/"), "{shell}");
    let shell = root.get("/admin/tenants").ok(200).body;
    assert!(shell.contains("href=\"/admin/settings/platform\"") && shell.contains("href=\"/app/user_list\""), "{shell}");
    // Creates an account by the page of the archetype.
    let form = root.get("/app/user_create").ok(200).body;
    let email = format!("{}@vets.example", fresh("page").replace(' ', ""));
    let made = root
        .form("/app/user_create", &[("csrf", &value(&form, "csrf")), ("email", &email), ("is_active", "true"), ("auth_provider", "local")]);
    assert_eq!(made.status, 303, "{}", made.body);
}

fn a_caller_without_a_tenant_gets_an_explanation(base: &str) {
    let bo = Client::signed_in(base, BO);
    let page = bo.get("/app");
    assert_eq!(page.status, 403);
    page.shows(&["Choose a tenant in the navigation", ">North</option>", ">Choose one</option>"]);
    let cy = Client::signed_in(base, CY).get("/app");
    assert_eq!(cy.status, 403);
    cy.shows(&["not a member yet"]);
}

fn chosen_columns_belong_to_a_tenant(base: &str) {
    let (north, south) = (working(base, BO, "North"), working(base, BO, "South"));
    let columns = |client: &Client| client.get("/app/visit_list").ok(200).body.matches("<th scope=\"col\"").count();
    let before = columns(&south);
    assert_eq!(columns(&north), before);
    north.form("/app/visit_list/columns", &[("show.title", "on")]).ok(303);
    assert!(columns(&north) < before, "the choice of one tenant");
    assert_eq!(columns(&south), before);
    north.form("/app/visit_list/columns", &[("reset", "yes")]).ok(303);
}
