//! Pages in a browser without script, and the htmx responses of lists.

use dz::serde_json::{Value, json};

use crate::client::{CUSTOMER, Client, MANAGER};

crate::on_both_engines! {
    a_list_pages_sorts_filters_and_searches;
    all_rows_of_a_query_change_together;
    the_exchange_is_the_interior_only;
    a_form_keeps_invalid_input_and_saves_valid_input;
    a_conflicting_submission_shows_both_values;
    a_row_is_deleted_after_a_confirmation;
    users_see_only_permitted_actions;
    user_input_is_shown_as_text;
    a_form_that_is_submitted_twice_saves_one_row;
    a_form_outlives_its_session;
}

/// A project with `count` tasks.
fn project(client: &Client, name: &str, tasks: usize) -> Value {
    let company = client.send("POST", "/api/companies", &json!({ "name": format!("{name} & Sons") })).ok(201).json();
    let project = client.send("POST", "/api/projects", &json!({ "name": name, "company": company["id"] })).ok(201).json();
    for n in 0..tasks {
        client.send("POST", "/api/tasks", &json!({ "title": format!("{name} number {n:02}"), "project": project["id"] })).ok(201);
    }
    project
}

fn a_list_pages_sorts_filters_and_searches(base: &str) {
    let client = Client::signed_in(base, MANAGER);
    project(&client, "Pagelist", 23);
    let first = client.get("/app/task_list?search=Pagelist&sort=title").ok(200);
    first.shows(&[
        "<h1>Tasks</h1>",
        "Pagelist number 00",
        "Pagelist number 19",
        "data-dz-grid-total=\"23\"",
        "id=\"task_list-body\"",
        "23 tasks",
        "of 23 selected",
    ]);
    assert!(!first.body.contains("Pagelist number 20"));
    client.get("/app/task_list?search=Pagelist&sort=title&page=2").ok(200).shows(&["Pagelist number 20", "Pagelist number 22"]);
    client.get("/app/task_list?search=Pagelist&sort=-title").ok(200).shows(&["Pagelist number 22", "aria-sort=\"descending\""]);
    client.get("/app/task_list?search=Pagelist&page=junk&nonsense=1&status__in=zzz").ok(200).shows(&["Pagelist number 00"]);
    let none = ["No tasks match", "No tasks yet. The first one appears here.", "Clear search and filters"];
    client.get("/app/task_list?search=no+such+thing").ok(200).shows(&none);
}

fn all_rows_of_a_query_change_together(base: &str) {
    let (manager, customer) = (Client::signed_in(base, MANAGER), Client::signed_in(base, CUSTOMER));
    project(&manager, "Wholesale", 23);
    project(&manager, "Retail", 1);
    manager.get("/app/task_list?search=Wholesale").ok(200).shows(&["data-dz-every=\"23\"", "All 23"]);
    manager.get("/app/task_list?search=Retail").ok(200).lacks(&["data-dz-every"]);
    let fields = [("do", "delete"), ("all", "yes"), ("query", "search=Wholesale&page=2")];
    let asked = manager.form("/app/task_list/bulk", &fields).ok(200);
    asked.shows(&["Delete 23 tasks?", "and 3 more"]);
    asked.lacks(&["Retail"]);
    // The confirmation names the rows, so that a row that is created afterwards stays.
    assert_eq!(asked.body.matches("name=\"id\"").count(), 23);
    let refused = customer.form("/app/task_list/bulk", &fields);
    assert!(refused.status == 403, "{}", refused.status);
    let done = manager.form("/app/task_list/bulk", &[("do", "delete"), ("sure", "yes"), ("all", "yes"), ("query", "search=Wholesale")]);
    assert_eq!(done.status, 303);
    assert_eq!(manager.get("/api/tasks?search=Wholesale").json()["total"], 0);
    assert_eq!(manager.get("/api/tasks?search=Retail").json()["total"], 1);
}

fn the_exchange_is_the_interior_only(base: &str) {
    let client = Client::signed_in(base, MANAGER);
    project(&client, "Exchange", 45);
    let fragment = client.exchange("/app/task_list?page=2&page_size=20&search=Exchange&sort=title").ok(200);
    fragment.shows(&[
        "Exchange number 20",
        "dz-pagination-page is-current",
        "aria-current=\"page\"",
        "hx-target=\"#task_list-body\"",
        "hx-swap=\"morph:innerHTML\"",
        "aria-label=\"Previous page\"",
        "aria-label=\"Next page\"",
        "data-dz-pagination",
        "data-dz-grid-pagination",
        "data-dz-grid-total=\"45\"",
        "dz-pagination-summary",
        "dz-pagination-pages",
        "data-dz-bulk-count-target",
        "of 45 selected",
        "45 tasks",
        "page=3&#38;page_size=20",
        "search=Exchange",
    ]);
    for never in ["id=\"task_list-body\"", "data-dz-region", "<html", "<table"] {
        assert!(!fragment.body.contains(never), "`{never}` in {}", fragment.body);
    }
    let last = client.exchange("/app/task_list?page=3&page_size=20&search=Exchange&sort=title").ok(200).body;
    let next = last.split("<button").find(|it| it.contains("Next page")).expect("a next button");
    assert!(next.contains("disabled"), "{next}");
}

fn a_form_keeps_invalid_input_and_saves_valid_input(base: &str) {
    let client = Client::signed_in(base, MANAGER);
    let project = project(&client, "Formed", 0);
    let id = project["id"].as_str().expect("an id");
    client.get("/app/task_create").ok(200).shows(&["<h1>New task</h1>", "name=\"title\"", "name=\"csrf\"", "One person can finish it"]);
    let refused =
        client.form("/app/task_create", &[("title", "Typed \"text\""), ("hours", "1.234"), ("priority", "normal"), ("due", "2026-01-31")]);
    refused.ok(422).shows(&[
        "value=\"Typed &#34;text&#34;\"",
        "value=\"1.234\"",
        "at most 2 decimals",
        "aria-invalid=\"true\"",
        "Not saved yet",
    ]);
    let hooked = client.form("/app/task_create", &[("title", "Oneword"), ("project", id), ("priority", "normal"), ("hours", "0")]);
    hooked.ok(422).shows(&["eeds a verb and an object"]);
    let saved = client.form(
        "/app/task_create",
        &[("title", "Saved by form"), ("project", id), ("priority", "high"), ("hours", "2"), ("due", "2026-01-31")],
    );
    let to = saved.ok(303).header("location").expect("an address").to_owned();
    client.get(&to).ok(200).shows(&["Saved by form", "31 Jan 2026", "2.00"]);
}

fn a_conflicting_submission_shows_both_values(base: &str) {
    let client = Client::signed_in(base, MANAGER);
    let project = project(&client, "Raced", 0);
    let id = project["id"].as_str().expect("an id");
    let edit = format!("/app/project_edit/{id}");
    client.get(&edit).ok(200).shows(&["name=\"version\" value=\"1\""]);
    client.send("PATCH", &format!("/api/projects/{id}"), &json!({ "notes": "written by another" })).ok(200);
    let company = project["company"].as_str().expect("an id");
    let form = [("version", "1"), ("name", "Raced"), ("company", company), ("stage", "planned"), ("notes", "written by me")];
    client.form(&edit, &form).ok(412).shows(&["written by another", "written by me"]);
    assert_eq!(client.get(&format!("/api/projects/{id}")).json()["notes"], "written by another");
}

fn a_row_is_deleted_after_a_confirmation(base: &str) {
    let client = Client::signed_in(base, MANAGER);
    let project = project(&client, "Doomed", 1);
    let task = client.get("/api/tasks?search=Doomed").json()["items"][0]["id"].as_str().expect("an id").to_owned();
    client.get(&format!("/app/task_view/{task}")).ok(200).shows(&["Delete", "Doomed number 00"]);
    client.get(&format!("/app/task_view/{task}/delete")).ok(200).shows(&["Doomed number 00", "method=\"post\"", "Keep it"]);
    client.get(&format!("/api/tasks/{task}")).ok(200);
    client.form(&format!("/app/task_view/{task}/delete"), &[("version", "1")]).ok(303);
    client.get(&format!("/app/task_view/{task}")).ok(404);
    client.get(&format!("/app/project_view/{}", project["id"].as_str().expect("an id"))).ok(200).shows(&["Doomed", "Tasks"]);
}

fn users_see_only_permitted_actions(base: &str) {
    let customer = Client::signed_in(base, CUSTOMER);
    let list = customer.get("/app/task_list").ok(200);
    assert!(!list.body.contains("New task") && !list.body.contains("task_edit"), "{}", list.body);
    assert_eq!(customer.get("/app/task_create").status, 403);
    assert_eq!(customer.get("/app/person_list").status, 403);
    customer.get("/app").ok(303);
    customer.get("/app/-/account").ok(200).shows(&["Sam Whitfield", "Client"]);
    customer.get("/app/no_such_page").ok(404);
}

fn user_input_is_shown_as_text(base: &str) {
    let client = Client::signed_in(base, MANAGER);
    let evil = "<script>alert(1)</script> \"quoted\" & more";
    let project = project(&client, "Escaped", 0);
    let task = client.send("POST", "/api/tasks", &json!({ "title": evil, "project": project["id"], "details": evil })).ok(201).json();
    let id = task["id"].as_str().expect("an id");
    for path in [
        format!("/app/task_view/{id}"),
        format!("/app/task_edit/{id}"),
        "/app/task_list?search=alert".to_owned(),
        format!("/app/task_list?search={}", crate::client::encode(evil)),
    ] {
        let page = client.get(&path).ok(200);
        assert!(!page.body.contains("<script>alert"), "{path}");
    }
}

/// The key in the form of a new row.
fn form_key(client: &Client) -> String {
    let page = client.get("/app/task_create").ok(200).body;
    let after = page.split("name=\"dz.once\" value=\"").nth(1).expect("a key");
    after.split('"').next().unwrap_or_default().to_owned()
}

fn a_form_that_is_submitted_twice_saves_one_row(base: &str) {
    let client = Client::signed_in(base, MANAGER);
    let project = project(&client, "Twice", 0);
    let (key, project) = (form_key(&client), project["id"].as_str().expect("an id"));
    let fields =
        |title: &'static str| [("dz.once", key.as_str()), ("title", title), ("project", project), ("hours", "1"), ("priority", "low")];
    let count = |title: &str| client.get(&format!("/api/tasks?title={title}")).ok(200).json()["total"].clone();
    // A refused form is not a submission.
    assert_eq!(client.form("/app/task_create", &[("dz.once", &key), ("title", "")]).status, 422);
    assert_eq!(client.form("/app/task_create", &fields("Submitted")).status, 422, "the hook requires two words");
    let answers: Vec<_> = std::thread::scope(|scope| {
        let sent: Vec<_> = (0..4).map(|_| scope.spawn(|| client.form("/app/task_create", &fields("Submit often")))).collect();
        sent.into_iter().map(|it| it.join().expect("an answer")).collect()
    });
    let to: Vec<_> = answers.iter().map(|it| (it.status, it.header("location").unwrap_or_default().to_owned())).collect();
    assert!(to.iter().all(|it| it.0 == 303 && it.1.starts_with("/app/task_view/") && *it == to[0]), "{to:?}");
    assert_eq!(count("Submit+often"), 1);
    // Other values in the same form are another row, and another form with the same values is too.
    assert_eq!(client.form("/app/task_create", &fields("Submit again")).status, 303);
    assert_eq!(count("Submit+again"), 1);
    let other = form_key(&client);
    assert_ne!(other, key);
    assert_eq!(client.form("/app/task_create", &[("dz.once", &other), ("title", "Submit often"), ("project", project)]).status, 303);
    assert_eq!(count("Submit+often"), 2);
}

fn a_form_outlives_its_session(base: &str) {
    let client = Client::signed_in(base, MANAGER);
    let project = project(&client, "Outlives", 0);
    let project = project["id"].as_str().expect("an id");
    let fields = [("csrf", "t"), ("title", "Outlive \"this\" & <that>"), ("project", project), ("details", "First\nsecond")];
    client.form("/auth/logout", &[]).ok(303);
    let kept = client.form("/app/task_create", &fields);
    assert_eq!(kept.status, 401, "{}", kept.body);
    kept.shows(&[
        "Your session has ended",
        "action=\"/app/task_create\"",
        "value=\"Outlive &#34;this&#34; &#38; &#60;that&#62;\"",
        "First\nsecond",
        "target=\"_blank\"",
    ]);
    // After the sign-in the same values open the form, and nothing is saved.
    let client = Client::signed_in(base, MANAGER);
    let back: Vec<_> = fields.into_iter().chain([("dz.find", "-")]).collect();
    client.form("/app/task_create", &back).ok(200).shows(&["<h1>New task</h1>", "value=\"Outlive &#34;this&#34;", "First\nsecond"]);
    assert_eq!(client.get("/api/tasks?title__startswith=Outlive").json()["total"], 0);
    // Only forms of rows are kept; other requests lead to the sign-in page.
    let nobody = Client::new(base);
    assert_eq!(nobody.form("/app/task_list/bulk", &[("csrf", "t"), ("do", "delete")]).status, 303);
    assert_eq!(nobody.form("/app/task_create", &[("title", "Without a page")]).status, 303);
}
