//! Global search and the palette: the rows that a caller can find, their order, and the rows that no search returns without access.

use dz::serde_json::json;

use crate::client::{CUSTOMER, Client, MANAGER};

crate::on_both_engines! {
    rows_of_all_lists_are_found_by_words;
    the_best_match_comes_first;
    rows_without_access_are_not_found;
    the_palette_offers_pages_and_actions_that_the_caller_may_open;
    one_list_shows_all_its_results;
    any_text_is_a_text;
}

/// A project with these tasks.
fn create(client: &Client, project: &str, tasks: &[&str]) {
    let company = client.send("POST", "/api/companies", &json!({ "name": format!("{project} Limited") })).ok(201).json();
    let project = client.send("POST", "/api/projects", &json!({ "name": project, "company": company["id"] })).ok(201).json();
    for title in tasks {
        client.send("POST", "/api/tasks", &json!({ "title": title, "project": project["id"] })).ok(201);
    }
}

fn rows_of_all_lists_are_found_by_words(base: &str) {
    let manager = Client::signed_in(base, MANAGER);
    create(&manager, "Searchable quarry", &["Blast the rim", "Sweep the rim & road"]);
    let page = manager.get("/app/-/search?q=quarry").ok(200);
    page.shows(&[
        "id=\"hits-task_list\"",
        "id=\"hits-project_list\"",
        "id=\"hits-company_list\"",
        "Searchable <mark>quarry</mark>",
        "Blast the rim",
        "value=\"quarry\"",
    ]);
    // Each word matches in a field of its own: the title, and the name of the project.
    let page = manager.get("/app/-/search?q=QUARRY+sweep").ok(200);
    page.shows(&["Sweep the rim &#38; road"]);
    page.lacks(&["Blast the rim", "hits-company_list"]);
    manager.get("/app/-/search?q=quarry+nothing").ok(200).shows(&["Nothing matches “quarry nothing”"]);
}

fn the_best_match_comes_first(base: &str) {
    let manager = Client::signed_in(base, MANAGER);
    create(&manager, "Ranking", &["An orderly zeugma", "Zeugma first", "Zeugma behind"]);
    let found = manager.get("/app/-/search?q=zeugma").ok(200).body;
    let at = |text: &str| found.find(text).unwrap_or_else(|| panic!("{text}: {found}"));
    assert!(at("</mark> first").max(at("</mark> behind")) < at("An orderly <mark>"), "{found}");
}

fn rows_without_access_are_not_found(base: &str) {
    let (manager, customer) = (Client::signed_in(base, MANAGER), Client::signed_in(base, CUSTOMER));
    create(&manager, "Concealed valley", &["Concealed survey"]);
    for path in ["/app/-/search?q=concealed", "/app/-/search?q=concealed&in=task_list", "/app/-/search?q=concealed&in=project_list"] {
        manager.get(path).ok(200).shows(&["oncealed", "hits-"]);
        let page = customer.get(path).ok(200);
        page.shows(&["Nothing matches"]);
        page.lacks(&["survey", "valley", "hits-task_list", "hits-project_list"]);
        customer.exchange(path).ok(200).lacks(&["survey", "valley"]);
    }
    // Hours are hidden from customers on this list, so results do not show them either.
    let own = customer.get("/app/-/search?q=a&in=task_list").ok(200);
    own.shows(&["hits-task_list"]);
    let guest = Client::new(base);
    let refused = guest.get("/app/-/search?q=concealed");
    assert!(!refused.body.contains("valley") && !refused.body.contains("survey"), "{}", refused.body);
}

fn the_palette_offers_pages_and_actions_that_the_caller_may_open(base: &str) {
    let (manager, customer) = (Client::signed_in(base, MANAGER), Client::signed_in(base, CUSTOMER));
    let all = manager.exchange("/app/-/search?q=").ok(200);
    all.shows(&["role=\"listbox\"", "href=\"/app/task_list\"", "href=\"/app/task_create\"", "New task", "href=\"/app/-/account\""]);
    all.lacks(&["<html", "hits-"]);
    let few = customer.exchange("/app/-/search?q=").ok(200);
    few.shows(&["href=\"/app/task_list\""]);
    few.lacks(&["task_create", "New task", "/app/field\"", "company_create"]);
    let matching = manager.exchange("/app/-/search?q=new+comp").ok(200);
    matching.shows(&["href=\"/app/company_create\""]);
    matching.lacks(&["task_create"]);
    manager.get("/app/-/shortcuts").ok(200).shows(&["<h1>Keyboard shortcuts</h1>", "<kbd>Ctrl K</kbd>"]);
    manager.exchange("/app/-/shortcuts").ok(200).lacks(&["<html"]);
}

fn one_list_shows_all_its_results(base: &str) {
    let manager = Client::signed_in(base, MANAGER);
    let titles: Vec<String> = (0..8).map(|n| format!("Plentiful harvest {n}")).collect();
    create(&manager, "Plenty", &titles.iter().map(String::as_str).collect::<Vec<_>>());
    let some = manager.get("/app/-/search?q=plentiful").ok(200);
    assert_eq!(some.body.matches("<mark>Plentiful</mark>").count(), 5, "{}", some.body);
    some.shows(&["/app/-/search?q=plentiful&#38;in=task_list", "More in Tasks"]);
    let all = manager.get("/app/-/search?q=plentiful&in=task_list").ok(200);
    assert_eq!(all.body.matches("<mark>Plentiful</mark>").count(), 8, "{}", all.body);
    all.lacks(&["More in Tasks"]);
}

fn any_text_is_a_text(base: &str) {
    let manager = Client::signed_in(base, MANAGER);
    for q in ["%25", "_", "%27%22%3Cscript%3E", "%00", "%5C", "*", "x&q=y&in=nothing", &"long+".repeat(300)] {
        manager.get(&format!("/app/-/search?q={q}")).ok(200).lacks(&["<script>alert", "'\"<script"]);
    }
}
