//! Hostile requests over HTTP: malformed ones, rows of other users, system fields, redirects to other sites.

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    time::{Duration, Instant},
};

use dz::serde_json::{Value, json};

use crate::client::{CUSTOMER, Client, MANAGER, SURVEYOR, encode};

crate::on_both_engines! {
    nothing_unexpected_is_a_server_error;
    rows_of_other_users_are_not_visible;
    clients_cannot_set_system_fields;
    sign_in_redirects_only_to_the_application;
    bodies_have_a_limit_everywhere;
    a_large_body_is_answered_when_all_of_it_is_sent;
    a_conflicting_form_shows_both_values;
}

/// A generator with the same numbers in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }

    fn pick<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len())]
    }
}

const METHODS: &[&str] = &["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "HEAD"];
const PARTS: &[&str] = &[
    "api",
    "app",
    "auth",
    "tasks",
    "users",
    "task_list",
    "task_view",
    "task_edit",
    "bulk",
    "import",
    "transitions",
    "delete",
    "move",
    "-",
    "pick",
    "account",
    "login",
    "me",
    "openapi.json",
    "..",
    "%2e%2e",
    "%2F",
    "%00",
    "%ff",
    "%C3%28",
    "9999999999999999999999",
    "-1",
    "1e999",
    "00000000-0000-7000-8000-000000000000",
    "assets",
    "dz.js",
    "%E2%80%AE",
    ";x=1",
    "a%0d%0aSet-Cookie:x",
    "~",
    "*",
];
const QUERIES: &[&str] = &[
    "",
    "?page=99999999999999999999",
    "?page_size=0",
    "?sort=%00",
    "?sort=-,-,-",
    "?format=csv",
    "?format=cytoscape",
    "?search=%ff",
    "?due__lt=0000-00-00",
    "?hours=1e400",
    "?hours=99999999999999999999999999999999999",
    "?expand=project,project,tasks",
    "?id__in=,,,",
    "?&&&===",
    "?due=+275760-09-13",
    "?created_at__gt=9999-12-31T23:59:59.999999999Z",
    "?next=//evil.example",
    "?project.company.name=%27",
    "?status__in=%22",
];
const HEADERS: &[(&str, &str)] = &[
    ("If-Match", "W/\"-9223372036854775809\""),
    ("If-Match", "\"\u{7f}\""),
    ("If-None-Match", "*"),
    ("Accept", "application/json;q=x, */*;q=-1"),
    ("Accept-Language", "xx-\u{fffd}"),
    ("Accept-Encoding", "gzip, br, identity;q=0"),
    ("Range", "bytes=9-1"),
    ("Content-Type", "multipart/form-data"),
    ("Content-Type", "multipart/form-data; boundary=\"\""),
    ("Content-Type", "multipart/form-data; boundary=x"),
    ("Content-Type", "application/json; charset=utf-7"),
    ("Content-Type", "text/csv; header=absent"),
    ("Content-Type", "application/vnd.api+json"),
    ("Content-Type", "\u{0}"),
    ("Authorization", "Bearer "),
    ("Authorization", "Bearer dz_\u{e9}"),
    ("Authorization", "Basic Og=="),
    ("Cookie", "dz_session=; dz_session=x"),
    ("Cookie", "dz_session=%00%ff"),
    ("Idempotency-Key", "\u{1}"),
    ("Idempotency-Key", "attack"),
    ("X-Forwarded-For", "127.0.0.1, ::1, \u{0}"),
    ("X-HTTP-Method-Override", "DELETE"),
    ("HX-Request", "true"),
    ("Origin", "null"),
    ("Sec-Fetch-Site", "same-origin"),
    ("Sec-Fetch-Site", "same-origin"),
    ("Sec-Fetch-Site", "cross-site"),
    ("Transfer-Encoding", "identity"),
    ("Expect", "100-continue"),
];
const BODIES: &[&str] = &[
    "",
    "{}",
    "[]",
    "null",
    "{\"title\":",
    "{\"title\":\"\\ud800\"}",
    "{\"title\":\"\\u0000\"}",
    "{\"hours\":1e999}",
    "{\"hours\":-0.0}",
    "{\"due\":\"0000-00-00\"}",
    "{\"project\":{}}",
    "{\"action\":\"delete\",\"ids\":[null,{},1e400]}",
    "{\"action\":\"update\",\"query\":\"%00=\",\"set\":{}}",
    "title=%ff&project=%00",
    "id=1&id=2&do=delete&sure=yes",
    "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n=1\r\n--x--",
    "title,project\n\"unclosed",
    "\u{feff}",
    "title\n\0\n",
];

fn nothing_unexpected_is_a_server_error(base: &str) {
    let manager = Client::signed_in(base, MANAGER);
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..600 {
        let method = numbers.pick(METHODS);
        let parts: Vec<&str> = (0..numbers.below(6)).map(|_| numbers.pick(PARTS)).collect();
        let path = format!("/{}{}", parts.join("/"), numbers.pick(QUERIES));
        let headers: Vec<(&str, &str)> = (0..numbers.below(5)).map(|_| HEADERS[numbers.below(HEADERS.len())]).collect();
        let body = numbers.pick(BODIES);
        // Writes to rows of other tests would make those fail.
        let harmless = !(parts.contains(&"bulk") && method == "POST") || body.starts_with('[');
        if !harmless {
            continue;
        }
        let answer = manager.request(method, &path, &headers, body.as_bytes());
        assert!(answer.status < 500, "{method} {path} {headers:?} {body:?}: {} {}", answer.status, answer.body);
        seen.insert(answer.status);
    }
    assert!(seen.len() >= 8, "all of it ends in the same few answers: {seen:?}");
}

fn rows_of_other_users_are_not_visible(base: &str) {
    let (manager, surveyor, customer) =
        (Client::signed_in(base, MANAGER), Client::signed_in(base, SURVEYOR), Client::signed_in(base, CUSTOMER));
    let me = manager.get("/auth/me").ok(200).json()["id"].clone();
    let company = manager.send("POST", "/api/companies", &json!({ "name": "Hidden Limited" })).ok(201).json();
    let project = manager.send("POST", "/api/projects", &json!({ "name": "Hidden project", "company": company["id"] })).ok(201).json();
    let task = json!({ "title": "Hidden treasure map", "project": project["id"], "assigned_to": me });
    let task = manager.send("POST", "/api/tasks", &task).ok(201).json();
    let id = task["id"].as_str().expect("an id");
    for client in [&surveyor, &customer, &Client::new(base)] {
        let reads = [
            format!("/api/tasks/{id}"),
            format!("/api/tasks/{id}?expand=project"),
            format!("/api/tasks?id={id}"),
            format!("/api/tasks?search={}", encode("Hidden treasure")),
            "/api/tasks?format=csv".to_owned(),
            format!("/api/projects/{}?expand=tasks", project["id"].as_str().expect("an id")),
            "/app/task_list?search=Hidden".to_owned(),
            "/app/task_list?format=csv".to_owned(),
            format!("/app/task_view/{id}"),
            format!("/app/task_edit/{id}"),
            format!("/app/task_view/{id}/delete"),
            format!("/app/project_view/{}", project["id"].as_str().expect("an id")),
        ];
        for path in reads {
            let answer = client.get(&path);
            assert!(!answer.body.contains("treasure map"), "{path}: {}", answer.body);
            assert!(answer.status < 500, "{path}: {}", answer.status);
        }
        let writes = [
            ("PATCH", format!("/api/tasks/{id}"), json!({ "title": "Stolen now" })),
            ("PUT", format!("/api/tasks/{id}"), json!({ "title": "Stolen now", "project": project["id"] })),
            ("DELETE", format!("/api/tasks/{id}"), Value::Null),
        ];
        for (method, path, body) in writes {
            let answer = client.send(method, &path, &body);
            assert!(matches!(answer.status, 401 | 403 | 404), "{method} {path}: {} {}", answer.status, answer.body);
            assert!(!answer.body.contains("treasure map"), "{}", answer.body);
        }
        let bulk = client.send("POST", "/api/tasks/bulk", &json!({ "action": "update", "ids": [id], "set": { "title": "Stolen now" } }));
        assert!(bulk.status != 200 || bulk.json()["results"][0]["status"] == 404, "{}", bulk.body);
        let text = format!("id,title\n{id},Stolen now\n");
        let import = client.request(
            "POST",
            "/api/tasks/import",
            &[("Content-Type", "text/csv"), ("Sec-Fetch-Site", "same-origin")],
            text.as_bytes(),
        );
        assert!(import.status >= 400 && !import.body.contains("treasure map"), "{}", import.body);
        for path in [format!("/app/task_edit/{id}"), format!("/app/task_view/{id}/delete"), "/app/task_list/bulk".to_owned()] {
            let answer = client.form(&path, &[("title", "Stolen now"), ("do", "delete"), ("sure", "yes"), ("id", id)]);
            assert!(!answer.body.contains("treasure map"), "{path}: {}", answer.body);
        }
    }
    let after = manager.get(&format!("/api/tasks/{id}")).ok(200);
    assert_eq!((after.json()["title"].as_str(), after.header("etag")), (Some("Hidden treasure map"), Some("\"1\"")));
}

fn clients_cannot_set_system_fields(base: &str) {
    let manager = Client::signed_in(base, MANAGER);
    let company = manager.send("POST", "/api/companies", &json!({ "name": "Assigned Limited" })).ok(201).json();
    let project = manager.send("POST", "/api/projects", &json!({ "name": "Assigned", "company": company["id"] })).ok(201).json();
    let task = manager.send("POST", "/api/tasks", &json!({ "title": "Mass assignment", "project": project["id"] })).ok(201).json();
    let path = format!("/api/tasks/{}", task["id"].as_str().expect("an id"));
    for (field, value) in [
        ("id", json!("00000000-0000-7000-8000-00000000beef")),
        ("created_at", json!("2001-01-01T00:00:00Z")),
        ("updated_at", json!("2001-01-01T00:00:00Z")),
        ("dz_version", json!(99)),
        ("dz_state_since", json!("2001-01-01T00:00:00Z")),
        ("rowid", json!(1)),
        ("project.company", json!(company["id"])),
        ("__proto__", json!({ "admin": true })),
    ] {
        let create = json!({ "title": "Mass assignment two", "project": project["id"], field: value });
        manager.send("POST", "/api/tasks", &create).problem(422, "VALIDATION");
        manager.send("PATCH", &path, &json!({ field: value })).problem(422, "VALIDATION");
        let mut whole = task.clone();
        whole[field] = value.clone();
        manager.send("PUT", &path, &whole).problem(422, "VALIDATION");
        let ids = json!([task["id"]]);
        let bulk = manager.send("POST", "/api/tasks/bulk", &json!({ "action": "update", "ids": ids, "set": { field: value } }));
        assert!(bulk.status == 422 || bulk.json()["results"][0]["status"] == 422, "{field}: {}", bulk.body);
        let text = value.as_str().map_or_else(|| value.to_string().replace('"', "\"\""), str::to_owned);
        let csv = format!("title,project,{field}\nMass assignment three,{},\"{text}\"\n", project["id"].as_str().expect("an id"));
        let import = manager.request(
            "POST",
            "/api/tasks/import",
            &[("Content-Type", "text/csv"), ("Sec-Fetch-Site", "same-origin")],
            csv.as_bytes(),
        );
        assert!(matches!(import.status, 400 | 422), "{field}: {}", import.body);
    }
    // A form accepts only its own fields.
    let edit = path.replace("/api/tasks", "/app/task_edit");
    let answer = manager
        .form(&edit, &[("title", "Mass assignment"), ("created_at", "2001-01-01T00:00"), ("id", "1"), ("rate", "1"), ("version", "1")]);
    assert!(answer.status < 500);
    let after = manager.get(&path).ok(200).json();
    assert_eq!((&after["id"], &after["created_at"], &after["rate"]), (&task["id"], &task["created_at"], &task["rate"]));
    let person = manager.get("/auth/me").ok(200).json()["id"].as_str().expect("an id").to_owned();
    for body in [json!({ "password_hash": "x" }), json!({ "is_active": false }), json!({ "roles": ["admin"] })] {
        let answer = manager.send("PATCH", &format!("/api/users/{person}"), &body);
        assert!(matches!(answer.status, 403 | 404 | 422), "{body}: {}", answer.body);
    }
}

fn sign_in_redirects_only_to_the_application(base: &str) {
    let anonymous = Client::new(base);
    let ways = [
        "//evil.example",
        "///evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "https://evil.example",
        "https:evil.example",
        "javascript:alert(1)",
        "/\tevil",
        "/%0d%0aLocation:https://evil.example",
        "/\r\nLocation: https://evil.example",
        " //evil.example",
        "/app/..//evil.example",
        "@evil.example",
    ];
    for way in ways {
        let answer = anonymous.form("/auth/login", &[("email", MANAGER.0), ("password", MANAGER.1), ("next", way)]).ok(303);
        let location = answer.header("location").expect("a location");
        let there = url::Url::parse("https://here.example").and_then(|here| here.join(location)).expect("an address");
        assert_eq!(there.host_str(), Some("here.example"), "{way:?} leads to {location}");
        let page = anonymous.get(&format!("/login?next={}", encode(way))).ok(200);
        assert!(!page.body.contains(&format!("value=\"{way}\"")) || there.host_str() == Some("here.example"), "{way:?}");
    }
}

fn bodies_have_a_limit_everywhere(base: &str) {
    let client = Client::signed_in(base, MANAGER);
    let large = vec![b'x'; (1 << 20) + 1];
    let some = "00000000-0000-7000-8000-000000000000";
    for (method, path, kind) in [
        ("POST", "/api/tasks".to_owned(), "application/json"),
        ("PATCH", format!("/api/tasks/{some}"), "application/json"),
        ("PUT", format!("/api/tasks/{some}"), "application/json"),
        ("DELETE", format!("/api/tasks/{some}"), "application/json"),
        ("POST", "/api/tasks/bulk".to_owned(), "application/json"),
        ("POST", "/api/tasks/import".to_owned(), "text/csv"),
        ("POST", "/auth/login".to_owned(), "application/json"),
        ("POST", "/auth/password".to_owned(), "application/json"),
        ("POST", "/app/task_create".to_owned(), "application/x-www-form-urlencoded"),
        ("POST", format!("/app/task_edit/{some}"), "application/x-www-form-urlencoded"),
        ("POST", "/app/task_list/bulk".to_owned(), "application/x-www-form-urlencoded"),
        ("POST", "/app/task_list/import".to_owned(), "multipart/form-data; boundary=x"),
    ] {
        let answer = client.request(method, &path, &[("Content-Type", kind), ("Sec-Fetch-Site", "same-origin")], &large);
        assert_eq!(answer.status, 413, "{method} {path}: {}", answer.body);
        if path.starts_with("/api") {
            answer.problem(413, "TOO_LARGE");
        }
    }
}

/// Sends everything before it reads, like simple clients; returns the response, or `None` if the connection is closed.
fn write_first(base: &str, head: &str, body: &[u8]) -> Option<String> {
    let host = base.trim_start_matches("http://");
    let mut stream = TcpStream::connect(host).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
    let head = format!("POST {head}\r\nHost: {host}\r\nConnection: close\r\nSec-Fetch-Site: same-origin\r\n\r\n");
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(body).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    Some(answer)
}

fn a_large_body_is_answered_when_all_of_it_is_sent(base: &str) {
    let large = vec![b'x'; 12 << 20];
    let chunked = [b"C00000\r\n".as_slice(), &large, b"\r\n0\r\n\r\n"].concat();
    let json = "Content-Type: application/json";
    for path in ["/api/tasks", "/auth/login", "/api/nothing"] {
        for (length, body) in [(format!("Content-Length: {}", large.len()), &large), ("Transfer-Encoding: chunked".to_owned(), &chunked)] {
            let answer = write_first(base, &format!("{path} HTTP/1.1\r\n{json}\r\n{length}"), body);
            let answer = answer.unwrap_or_else(|| panic!("{path}, {length}: the connection breaks before the answer"));
            assert!(answer.starts_with("HTTP/1.1 413 ") && answer.contains("\"code\":\"TOO_LARGE\""), "{path}, {length}: {answer}");
        }
    }
    // A request of another site is refused without its body being parsed, and gets a response.
    let elsewhere = format!("/api/tasks HTTP/1.1\r\n{json}\r\nOrigin: https://evil.example\r\nContent-Length: {}", large.len());
    assert!(write_first(base, &elsewhere, &large).is_some_and(|answer| answer.starts_with("HTTP/1.1 4")));
    // The rest of a body is read up to a limit, and the connection is closed.
    let endless = vec![b'x'; 64 << 20];
    let start = Instant::now();
    write_first(base, &format!("/api/tasks HTTP/1.1\r\n{json}\r\nContent-Length: {}", endless.len()), &endless);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

fn a_conflicting_form_shows_both_values(base: &str) {
    let client = Client::signed_in(base, MANAGER);
    let company = client.send("POST", "/api/companies", &json!({ "name": "Stale Limited", "city": "Before" })).ok(201).json();
    let id = company["id"].as_str().expect("an id");
    let path = format!("/app/company_edit/{id}");
    client.get(&path).ok(200).shows(&["name=\"version\" value=\"1\""]);
    client.send("PATCH", &format!("/api/companies/{id}"), &json!({ "city": "Somebody else's" })).ok(200);
    let mine = [("name", "Stale Limited"), ("city", "Mine alone"), ("website", ""), ("version", "1")];
    let stale = client.form(&path, &mine).ok(412);
    stale.shows(&["Another user saved this while you were editing", "Mine alone", "Somebody else&#39;s", "name=\"version\" value=\"2\""]);
    assert_eq!(client.get(&format!("/api/companies/{id}")).json()["city"], "Somebody else's", "nothing was overwritten");
    let mine = [("name", "Stale Limited"), ("city", "Mine alone"), ("website", ""), ("version", "2")];
    client.form(&path, &mine).ok(303);
    assert_eq!(client.get(&format!("/api/companies/{id}")).json()["city"], "Mine alone");
}
