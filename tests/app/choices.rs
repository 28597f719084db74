//! The choices of an account for its pages, and saved filters of lists.

use dz::serde_json::{Value, json};

use crate::client::{Client, MANAGER, SURVEYOR};

crate::on_both_engines! {
    choices_apply_to_every_session_of_the_account;
    unknown_choices_are_refused;
    a_saved_filter_belongs_to_its_account;
    a_filter_is_shared_with_a_role_of_its_owner;
    a_user_chooses_the_columns_of_a_list;
}

fn choices_apply_to_every_session_of_the_account(base: &str) {
    let first = Client::signed_in(base, SURVEYOR);
    first.get("/app/-/account").ok(200).shows(&[
        ">Surveyor</span>",
        "action=\"/auth/password\"",
        "name=\"timezone\"",
        "Without one, times are in the zone UTC",
        "name=\"density\"",
    ]);
    first.get("/app/task_list").ok(200).lacks(&["data-density"]);
    let stored = first.form("/app/-/account", &[("timezone", "Asia/Tokyo"), ("density", "compact")]).ok(303);
    assert_eq!(stored.header("location"), Some("/app/-/account?done=preferences"));
    let second = Client::signed_in(base, SURVEYOR);
    second.get("/app/-/account?done=preferences").ok(200).shows(&[
        "data-density=\"compact\"",
        "value=\"Asia/Tokyo\" list=",
        "<option value=\"compact\" selected>",
        "Your choices are saved.",
    ]);
    Client::signed_in(base, MANAGER).get("/app/task_list").ok(200).lacks(&["data-density"]);
    first.form("/app/-/account", &[("timezone", ""), ("density", "comfortable")]).ok(303);
    second.get("/app/-/account").ok(200).lacks(&["data-density", "Asia/Tokyo\" list="]);
}

fn unknown_choices_are_refused(base: &str) {
    let client = Client::signed_in(base, MANAGER);
    for wrong in [("timezone", "Mars/Base"), ("density", "tiny"), ("language", "tlh")] {
        client.form("/app/-/account", &[wrong]).ok(422);
    }
    let anonymous = Client::new(base).form("/app/-/account", &[("density", "compact")]).ok(303);
    assert!(anonymous.header("location").is_some_and(|to| to.starts_with("/login")));
}

/// Saves a filter of the list of tasks.
fn save(client: &Client, name: &str, query: &str, role: &str) -> crate::client::Answer {
    client.form("/app/task_list/filters", &[("name", name), ("query", query), ("role", role)])
}

/// The id of a filter on the page of the list.
#[track_caller]
fn id_on_page(page: &str, name: &str) -> String {
    let item = page.split("<li>").find(|item| item.contains(&format!("<span>{name}</span>"))).expect("the filter");
    item.split("name=\"id\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("its id").to_owned()
}

fn a_saved_filter_belongs_to_its_account(base: &str) {
    let (owner, other) = (Client::signed_in(base, MANAGER), Client::signed_in(base, SURVEYOR));
    let list = owner.get("/app/task_list?search=bridge").ok(200);
    list.shows(&["Saved filters", "name=\"query\" value=\"search=bridge\"", "Name of the current filter"]);
    let saved = save(&owner, "Own bridges", "search=bridge&page=3&done=created&search=", "").ok(303);
    assert_eq!(saved.header("location"), Some("/app/task_list?search=bridge&done=filter"));
    owner.get("/app/task_list?search=bridge").ok(200).shows(&["href=\"/app/task_list?search=bridge\" aria-current=\"true\""]);
    let page = owner.get("/app/task_list").ok(200).body;
    let id = id_on_page(&page, "Own bridges");
    other.get("/app/task_list").ok(200).lacks(&["Own bridges"]);
    other.form("/app/task_list/filters/delete", &[("id", &id)]).ok(404);
    // The same name replaces the filter.
    save(&owner, "Own bridges", "search=road", "").ok(303);
    let page = owner.get("/app/task_list").ok(200);
    page.shows(&["href=\"/app/task_list?search=road\""]);
    page.lacks(&["href=\"/app/task_list?search=bridge\""]);
    owner.form("/app/task_list/filters/delete", &[("id", &id_on_page(&page.body, "Own bridges"))]).ok(303);
    owner.get("/app/task_list").ok(200).lacks(&["Own bridges"]);
    for (name, query, role) in
        [("", "search=x", ""), ("x", "", ""), ("x", "page=2", ""), ("x", "search=x", "surveyor"), ("x", "search=x", "nobody")]
    {
        save(&owner, name, query, role).ok(422);
    }
    save(&Client::new(base), "x", "search=x", "").ok(303);
    let token: Value = json!({ "name": "x" });
    owner.send("POST", "/app/task_list/filters", &token).ok(422);
}

fn a_filter_is_shared_with_a_role_of_its_owner(base: &str) {
    let (owner, other) = (Client::signed_in(base, SURVEYOR), Client::signed_in(base, MANAGER));
    save(&owner, "Shared roads", "search=road", "surveyor").ok(303);
    owner.get("/app/task_list").ok(200).shows(&["Shared roads", "<span class=\"dz-tag\">Surveyor</span>"]);
    other.get("/app/task_list").ok(200).lacks(&["Shared roads"]);
    save(&other, "For managers", "status=done", "manager").ok(303);
    owner.get("/app/task_list").ok(200).lacks(&["For managers"]);
    let page = other.get("/app/task_list").ok(200).body;
    other.form("/app/task_list/filters/delete", &[("id", &id_on_page(&page, "For managers"))]).ok(303);
    let page = owner.get("/app/task_list").ok(200).body;
    owner.form("/app/task_list/filters/delete", &[("id", &id_on_page(&page, "Shared roads"))]).ok(303);
}

/// The headings of the columns of a list.
fn headings(page: &str) -> Vec<String> {
    let head = page.split("<thead").nth(1).and_then(|rest| rest.split("</thead>").next()).expect("a head");
    let cells = head.split("<th scope=\"col\"").skip(1).filter_map(|cell| cell.split("</th>").next());
    let text =
        |cell: &str| cell.split('>').filter_map(|part| part.split('<').next()).find(|text| !text.is_empty()).unwrap_or_default().to_owned();
    cells.filter(|cell| cell.contains("dz-sort")).map(text).collect()
}

fn a_user_chooses_the_columns_of_a_list(base: &str) {
    let (user, other) = (Client::signed_in(base, MANAGER), Client::signed_in(base, SURVEYOR));
    let declared = headings(&user.get("/app/project_list").ok(200).body);
    assert!(declared.len() > 2, "{declared:?}");
    let form = user.get("/app/project_list/columns").ok(200);
    form.shows(&["<h1>Columns</h1>", "Save columns", "name=\"at.", "name=\"width.", "checked"]);
    let names: Vec<String> = form.body.split("name=\"show.").skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect();
    assert_eq!(names.len(), form.body.matches("name=\"at.").count());
    // The last column comes first and is wide; the second one is hidden.
    let mut pairs: Vec<(String, String)> = Vec::new();
    for (at, name) in names.iter().enumerate() {
        let position = if at + 1 == names.len() { 0 } else { at + 1 };
        pairs.push((format!("at.{name}"), position.to_string()));
        pairs.push((format!("width.{name}"), if position == 0 { "wide" } else { "junk" }.to_owned()));
        if at != 1 {
            pairs.push((format!("show.{name}"), "yes".to_owned()));
        }
    }
    let pairs: Vec<(&str, &str)> = pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    user.form("/app/project_list/columns", &pairs).ok(303);
    let page = Client::signed_in(base, MANAGER).get("/app/project_list").ok(200);
    page.shows(&["data-width=\"wide\""]);
    assert_eq!(page.body.matches("data-width").count(), 1);
    user.exchange("/app/project_list?page=1").ok(200).shows(&["<tr"]);
    assert_eq!(other.get("/app/project_list").ok(200).body.matches("data-width").count(), 0);
    user.form("/app/project_list/columns", &[("reset", "yes")]).ok(303);
    assert_eq!(headings(&user.get("/app/project_list").ok(200).body), declared);
    // A choice without columns shows the declared ones.
    user.form("/app/project_list/columns", &[]).ok(303);
    assert_eq!(headings(&user.get("/app/project_list").ok(200).body), declared);
    user.form("/app/project_list/columns", &[("reset", "yes")]).ok(303);
    Client::new(base).get("/app/project_list/columns").ok(303);
}
