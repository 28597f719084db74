//! The JSON API for programs.

use dz::serde_json::{Value, json};

use crate::client::{Client, MANAGER};

crate::on_both_engines! {
    a_row_is_created_read_updated_replaced_and_deleted;
    lists_page_sort_filter_search_and_expand;
    unknown_parameters_are_refused_with_the_nearest_name;
    invalid_values_are_reported_for_each_field;
    a_change_of_an_old_version_is_refused;
    unique_and_referenced_rows;
    methods_bodies_and_addresses;
    hooks_refuse_and_custom_routes_answer;
    nothing_a_client_sends_is_a_server_error;
}

/// A project of a new company.
fn project(client: &Client, name: &str) -> Value {
    let company = client.send("POST", "/api/companies", &json!({ "name": format!("Company of {name}") })).ok(201).json();
    client.send("POST", "/api/projects", &json!({ "name": name, "company": company["id"] })).ok(201).json()
}

fn a_row_is_created_read_updated_replaced_and_deleted(base: &str) {
    let client = Client::signed_in(base, MANAGER);
    let project = project(&client, "Whole life");
    let made = client.send("POST", "/api/tasks", &json!({ "title": "Paint the mark", "project": project["id"], "hours": "1.5" }));
    assert_eq!((made.status, made.header("etag")), (201, Some("\"1\"")), "{}", made.body);
    let row = made.json();
    let path = format!("/api/tasks/{}", row["id"].as_str().expect("an id"));
    assert_eq!(made.header("location"), Some(path.as_str()));
    assert_eq!(
        (&row["status"], &row["hours"], &row["priority"], &row["billable"]),
        (&json!("open"), &json!("1.50"), &json!("normal"), &json!(true))
    );
    assert!(row["due"].as_str().is_some_and(|due| due.len() == 10), "{row}");

    let changed = client.send("PATCH", &path, &json!({ "title": "Paint both marks", "details": "two\nlines" })).ok(200);
    assert_eq!(changed.header("etag"), Some("\"2\""));
    assert_eq!(changed.json()["details"], "two\nlines");
    let same = client.send("PATCH", &path, &json!({ "title": "Paint both marks" })).ok(200);
    assert_eq!(same.header("etag"), Some("\"2\""), "a change that alters nothing writes nothing");

    let mut whole = client.get(&path).ok(200).json();
    whole["title"] = json!("Paint all marks");
    whole.as_object_mut().expect("an object").remove("details");
    let replaced = client.send("PUT", &path, &whole).ok(200).json();
    assert_eq!(
        (&replaced["title"], &replaced["details"], &replaced["created_at"]),
        (&json!("Paint all marks"), &Value::Null, &row["created_at"])
    );

    client.delete(&path).ok(204);
    client.delete(&path).problem(404, "NOT_FOUND");
    client.get(&path).problem(404, "NOT_FOUND");
}

fn lists_page_sort_filter_search_and_expand(base: &str) {
    let client = Client::signed_in(base, MANAGER);
    let project = project(&client, "Lists");
    let id = project["id"].as_str().expect("an id");
    for (title, status, hours) in [("alpha one", "open", "3"), ("Beta Two", "doing", "1"), ("gamma ÜBER", "done", "2")] {
        client.task(&json!({ "title": title, "project": id, "hours": hours }), status);
    }
    let titles = |query: &str| -> Vec<String> {
        let list = client.get(&format!("/api/tasks?project={id}&{query}")).ok(200).json();
        list["items"].as_array().expect("items").iter().map(|it| it["title"].as_str().expect("a title").to_owned()).collect()
    };
    assert_eq!(titles("sort=title"), ["alpha one", "Beta Two", "gamma ÜBER"], "ASCII case does not count");
    assert_eq!(titles("sort=-hours"), ["alpha one", "gamma ÜBER", "Beta Two"]);
    assert_eq!(titles("sort=title&page=2&page_size=2"), ["gamma ÜBER"]);
    assert_eq!(titles("status__in=open,done&sort=title"), ["alpha one", "gamma ÜBER"]);
    assert_eq!(titles("status__ne=done&sort=title"), ["alpha one", "Beta Two"]);
    assert_eq!(titles("hours__gte=2&hours__lt=3"), ["gamma ÜBER"]);
    assert_eq!(titles("title__startswith=Beta"), ["Beta Two"]);
    assert_eq!(titles("title__contains=beta"), [] as [&str; 0]);
    assert_eq!(titles("title__icontains=%C3%BCber"), ["gamma ÜBER"], "letters beyond ASCII too");
    assert_eq!(titles("search=TWO"), ["Beta Two"]);
    assert_eq!(titles("details__isnull=true&sort=title").len(), 3);
    assert_eq!(titles("project.name=Lists&sort=title").len(), 3);
    let past = client.get(&format!("/api/tasks?project={id}&page=99")).ok(200).json();
    assert_eq!((&past["items"], &past["total"], &past["page"]), (&json!([]), &json!(3), &json!(99)));
    let nested = client.get(&format!("/api/tasks?project={id}&expand=project&page_size=1")).ok(200).json();
    assert_eq!(nested["items"][0]["project"]["name"], "Lists");
}

fn unknown_parameters_are_refused_with_the_nearest_name(base: &str) {
    let client = Client::signed_in(base, MANAGER);
    for (query, near) in [
        ("statu=open", "`status`"),
        ("sort=titel", "`title`"),
        ("title__contain=x", "`contains`"),
        ("due=soon", "a date"),
        ("expand=projct", "`project`"),
        ("status=opn", "open"),
    ] {
        let problem = client.get(&format!("/api/tasks?{query}")).problem(400, "BAD_REQUEST");
        assert!(problem["detail"].as_str().is_some_and(|it| it.contains(near)), "{problem}");
    }
    for query in ["page=0", "page=x", "page_size=0", "page_size=101"] {
        client.get(&format!("/api/tasks?{query}")).problem(422, "VALIDATION");
    }
    client.get("/api/tasks?rate=3").problem(400, "BAD_REQUEST");
    client.get("/api/users?password_hash__startswith=a").problem(400, "BAD_REQUEST");
}

fn invalid_values_are_reported_for_each_field(base: &str) {
    let client = Client::signed_in(base, MANAGER);
    let wrong = json!({ "title": 3, "hours": "1.234", "status": "opn", "due": "soon", "titel": "x", "project": "nobody" });
    let problem = client.send("POST", "/api/tasks", &wrong).problem(422, "VALIDATION");
    for field in ["title", "due", "titel", "project"] {
        assert!(problem["field_errors"][field].is_array(), "{field}: {problem}");
    }
    let project = project(&client, "Values");
    let of = |field: &str, value: Value| {
        let mut body = json!({ "title": "A title", "project": project["id"] });
        body[field] = value;
        client.send("POST", "/api/tasks", &body).problem(422, "VALIDATION")["field_errors"][field].clone()
    };
    for (field, value) in [
        ("title", json!("x".repeat(141))),
        ("title", Value::Null),
        ("hours", json!("1.234")),
        ("status", json!("opn")),
        ("title", json!("a\u{0}b")),
        ("id", json!("00000000-0000-7000-8000-000000000000")),
        ("created_at", json!("2020-01-01T00:00:00Z")),
    ] {
        assert!(of(field, value).is_array(), "{field}");
    }
    let lost = json!({ "title": "A title", "project": "00000000-0000-7000-8000-000000000000" });
    client.send("POST", "/api/tasks", &lost).problem(422, "REFERENCE");
    assert!(client.send("POST", "/api/tasks", &json!({})).problem(422, "VALIDATION")["field_errors"]["project"].is_array());
}

fn a_change_of_an_old_version_is_refused(base: &str) {
    let client = Client::signed_in(base, MANAGER);
    let project = project(&client, "Stale");
    let path = format!("/api/projects/{}", project["id"].as_str().expect("an id"));
    client.send_if("PATCH", &path, "\"1\"", &json!({ "notes": "first" })).ok(200);
    client.send_if("PATCH", &path, "\"1\"", &json!({ "notes": "second" })).problem(412, "STALE");
    client.send_if("PATCH", &path, "\"x\"", &json!({ "notes": "second" })).problem(412, "STALE");
    assert_eq!(client.get(&path).json()["notes"], "first");
    client.send_if("PATCH", &path, "\"2\"", &json!({ "notes": "second" })).ok(200);
}

fn unique_and_referenced_rows(base: &str) {
    let client = Client::signed_in(base, MANAGER);
    let company = client.send("POST", "/api/companies", &json!({ "name": "Only one" })).ok(201).json();
    let twin = client.send("POST", "/api/companies", &json!({ "name": "Only one" })).problem(409, "UNIQUE");
    assert!(twin["field_errors"]["name"].is_array(), "{twin}");
    let project = client.send("POST", "/api/projects", &json!({ "name": "Holds it", "company": company["id"] })).ok(201).json();
    let path = format!("/api/companies/{}", company["id"].as_str().expect("an id"));
    client.delete(&path).problem(409, "REFERENCED");
    let task = client.send("POST", "/api/tasks", &json!({ "title": "Goes along", "project": project["id"] })).ok(201).json();
    client.delete(&format!("/api/projects/{}", project["id"].as_str().expect("an id"))).ok(204);
    client.get(&format!("/api/tasks/{}", task["id"].as_str().expect("an id"))).problem(404, "NOT_FOUND");
    client.delete(&path).ok(204);
}

fn methods_bodies_and_addresses(base: &str) {
    let client = Client::signed_in(base, MANAGER);
    let refused = client.send("PUT", "/api/tasks", &json!({}));
    refused.problem(405, "METHOD_NOT_ALLOWED");
    assert_eq!(refused.header("allow"), Some("GET, POST"));
    let own = [("Sec-Fetch-Site", "same-origin")];
    let typed = |kind: &'static str| [own[0], ("Content-Type", kind)];
    client.request("POST", "/api/tasks", &typed("text/plain"), b"x").problem(415, "UNSUPPORTED_MEDIA_TYPE");
    client.request("POST", "/api/tasks", &typed("application/json"), b"{").problem(400, "BAD_REQUEST");
    client.request("POST", "/api/tasks", &typed("application/json"), b"[]").problem(400, "BAD_REQUEST");
    client.request("POST", "/api/tasks", &typed("application/json"), &vec![b' '; 1_100_000]).problem(413, "TOO_LARGE");
    for path in ["/api/nothing", "/api", "/api/tasks/not-an-id", "/api/tasks/a/b/c", "/api/tasks/00000000-0000-7000-8000-000000000000"] {
        client.get(path).problem(404, "NOT_FOUND");
    }
    // The address and the method are checked before the body.
    for kind in ["text/plain", "multipart/form-data; boundary=x", "image/png"] {
        client.request("POST", "/api/nothing", &typed(kind), b"x").problem(404, "NOT_FOUND");
        client.request("PUT", "/api/tasks", &typed(kind), b"x").problem(405, "METHOD_NOT_ALLOWED");
    }
}

fn hooks_refuse_and_custom_routes_answer(base: &str) {
    let client = Client::signed_in(base, MANAGER);
    let project = project(&client, "Hooks");
    let problem = client.send("POST", "/api/tasks", &json!({ "title": "Oneword", "project": project["id"] })).problem(422, "VALIDATION");
    assert!(problem["field_errors"]["title"].is_array(), "{problem}");
    let late = client.get("/reports/late").ok(200).json()["late"].as_i64().expect("a number");
    let task = json!({ "title": "Long ago", "project": project["id"], "due": "2020-01-01" });
    client.send("POST", "/api/tasks", &task).ok(201);
    assert_eq!(client.get("/reports/late").ok(200).json()["late"], late + 1);
    client.task(&json!({ "title": "Long gone", "project": project["id"], "due": "2020-01-01" }), "done");
    assert_eq!(client.get("/reports/late").ok(200).json()["late"], late + 1);
    // Only a browser is sent to the sign-in page.
    let nobody = Client::new(base);
    nobody.request("GET", "/reports/late", &[("Accept", "*/*")], b"").problem(401, "AUTHENTICATION_REQUIRED");
    nobody.get("/reports/late").problem(401, "AUTHENTICATION_REQUIRED");
    assert_eq!(nobody.request("GET", "/reports/late", &[("Accept", "text/html,*/*;q=0.8")], b"").status, 303);
}

fn nothing_a_client_sends_is_a_server_error(base: &str) {
    let client = Client::signed_in(base, MANAGER);
    let mut seed: u64 = 0x2545_f491_4f6c_dd1d;
    let mut random = |below: u64| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed % below
    };
    let words = [
        "title",
        "status",
        "due",
        "project.name",
        "page",
        "sort",
        "search",
        "__in",
        "__gt",
        "__isnull",
        "=",
        "&",
        "%00",
        "%FF",
        "-1",
        "9e999",
        ",",
        "'",
        "\"",
        "%",
        "id",
        "rate",
        "\u{1F600}",
    ];
    for round in 0..150 {
        let text: String = (0..random(8)).map(|_| words[random(words.len() as u64) as usize]).collect();
        let path = match round % 4 {
            0 => format!("/api/tasks?{}", text.replace(['"', '\u{1F600}'], "%22")),
            1 => format!("/api/tasks/{}", crate::client::encode(&text)),
            2 => format!("/app/task_list?{}", text.replace(['"', '\u{1F600}'], "%22")),
            _ => format!("/app/{}", crate::client::encode(&text)),
        };
        let answer = client.get(&path);
        assert!(answer.status < 500, "{path}: {} {}", answer.status, answer.body);
        let bytes: Vec<u8> = (0..random(200)).map(|_| random(256) as u8).collect();
        let kind = if round % 2 == 0 { "application/json" } else { "application/x-www-form-urlencoded" };
        for path in ["/api/tasks", "/app/task_create", "/auth/login", "/auth/password"] {
            let answer = client.request("POST", path, &[("Content-Type", kind), ("Sec-Fetch-Site", "same-origin")], &bytes);
            assert!(answer.status < 500, "{path}: {} {}", answer.status, answer.body);
        }
    }
}
