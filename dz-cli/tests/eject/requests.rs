//! The same requests to the application and to the ejected one, by callers of every role: the status and the body are the same.

use serde_json::{Value, json};

use crate::server::{Reply, Server};

/// The accounts of the example; `None` is a caller who is not signed in.
const CALLERS: [Option<(&str, &str)>; 4] = [
    None,
    Some(("mira@fieldwork.example", "manage the field")),
    Some(("tomas@fieldwork.example", "walk the line")),
    Some(("sam@harbour.example", "watch the harbour")),
];

/// The keys of rows that were created in each server by any caller, in the order of their creation. Only managers can delete
/// tasks, so those of a surveyor stay in the lists of later callers.
type Created = [Vec<String>; 2];

/// Both servers, with the sessions of one caller, and the keys of rows that this caller created in each.
struct Pair<'s> {
    servers: [&'s Server; 2],
    cookies: [Option<String>; 2],
    created: [Vec<String>; 2],
    known: &'s mut Created,
    differences: Vec<String>,
    sent: usize,
}

/// Sends every request to both.
pub fn compare(application: &Server, ejected: &Server) {
    let servers = [application, ejected];
    let (mut differences, mut sent) = (Vec::new(), 0);
    let mut known = Created::default();
    for caller in CALLERS {
        let cookies = servers.map(|server| caller.map(|(email, password)| server.sign_in(email, password)));
        // Requests name a created row of each server by the key that it has there, so these rows are not among the common ones.
        let rows = keys(application, &known[0]);
        let created = [Vec::new(), Vec::new()];
        let mut pair = Pair { servers, cookies, created, known: &mut known, differences: Vec::new(), sent: 0 };
        pair.reads(&rows);
        pair.writes(&rows);
        let who = caller.map_or("nobody", |(email, _)| email);
        differences.extend(pair.differences.into_iter().map(|it| format!("{who}: {it}")));
        sent += pair.sent;
    }
    assert!(sent > 300, "only {sent} requests were sent");
    assert!(differences.is_empty(), "{} of {sent} answers differ:\n{}", differences.len(), differences.join("\n"));
}

/// The keys of some rows of each table that both servers have, as an administrator of the data sees them.
fn keys(server: &Server, created: &[String]) -> Vec<(&'static str, Vec<String>)> {
    let cookie = server.sign_in("mira@fieldwork.example", "manage the field");
    let keys = |table: &str| {
        let reply = server.send("GET", &format!("/api/{table}?page_size=8&sort=id"), &[("Cookie", &cookie)], None);
        let items = reply.body["items"].as_array().cloned().unwrap_or_default();
        let keys = items.iter().filter_map(|row| row["id"].as_str().map(str::to_owned));
        keys.filter(|key| !created.contains(key)).collect::<Vec<_>>()
    };
    ["users", "companies", "projects", "tasks"].map(|table| (table, keys(table))).into()
}

impl Pair<'_> {
    /// Sends a request to both, and compares the answers. A body that is a JSON text is sent without its quotation marks.
    fn send(&mut self, method: &str, path: &str, version: Option<&str>, body: Option<&Value>) -> [Reply; 2] {
        let replies = [0, 1].map(|at| {
            let fill = |text: &str| {
                self.created[at].iter().enumerate().fold(text.to_owned(), |text, (n, id)| text.replace(&format!("NEW{n}"), id))
            };
            let mut headers: Vec<(&str, &str)> = version.map(|version| ("If-Match", version)).into_iter().collect();
            headers.extend(self.cookies[at].as_deref().map(|cookie| ("Cookie", cookie)));
            let body = body.map(|body| fill(&body.as_str().map_or_else(|| body.to_string(), str::to_owned)));
            self.servers[at].send(method, &fill(path), &headers, body.as_deref())
        });
        self.sent += 1;
        if replies.iter().all(|reply| reply.status == 201) {
            for (known, reply) in self.known.iter_mut().zip(&replies) {
                known.push(reply.body["id"].as_str().expect("the key of a new row").to_owned());
            }
        }
        let [one, other] = [0, 1].map(|at| {
            let reply = &replies[at];
            (reply.status, reply.etag.clone(), normalise(&reply.body, &self.known[at]))
        });
        if one != other {
            let body = body.map(ToString::to_string).unwrap_or_default();
            self.differences.push(format!("{method} {path} {body}\n  application: {one:?}\n  ejected:     {other:?}"));
        }
        replies
    }

    fn get(&mut self, path: &str) {
        self.send("GET", path, None, None);
    }

    fn reads(&mut self, rows: &[(&str, Vec<String>)]) {
        self.get("/auth/me");
        for (table, keys) in rows {
            for key in keys {
                self.get(&format!("/api/{table}/{key}"));
            }
            for query in ["", "?page_size=3&page=2", "?page=0", "?page_size=101", "?nonsense=1", "?sort=-id", "?sort=nme", "?page=1&page=2"]
            {
                self.get(&format!("/api/{table}{query}"));
            }
            self.get(&format!("/api/{table}/not-a-key"));
            self.get(&format!("/api/{table}/{}?nonsense=1", keys.first().map_or("x", String::as_str)));
        }
        for query in [
            "status=open",
            "status=opn",
            "status__ne=done",
            "status__in=open,done",
            "status__gt=doing",
            "priority__gte=high",
            "priority__lt=normal",
            "hours__gte=4",
            "hours=3.25",
            "hours=3.255",
            "hours__lt=x",
            "due__isnull=false",
            "billable=no",
            "billable=perhaps",
            "title__contains=Scan",
            "title__icontains=scan",
            "title__startswith=Monitor",
            "hours__contains=3",
            "details__isnull=true",
            "photo__isnull=true",
            "photo=x",
            "rate=85.00",
            "project.name=Viaduct%20scan",
            "project.nme=x",
            "project.company.city=Leeds",
            "assigned_to.name__icontains=PRIYA",
            "title.x=1",
            "search=drain",
            "search=HARBOUR",
            "search=%00",
            "sort=-due,title",
            "sort=project",
            "sort=assigned_to",
            "sort=-assigned_to,due",
            "sort=project.company",
            "sort=-priority,status",
            "sort=rate",
            "sort=project,-rate",
            "sort=nme&page=0",
            "sort=id,id,id,id,id,id,id,id,id,id,id",
            "rate__gte=1",
            "rate.x=1",
            "status__contains=op",
            "page=18446744073709551",
            "page=18446744073709552",
            "sort=photo",
            "sort=details",
            "sort=-hours",
            "title__foo=1",
            "due__gte=2026-02-30",
            "assigned_to__isnull=true&sort=title&page_size=100",
            "id__in=x",
            "created_at__lt=2020-01-01T00:00:00Z",
            "title=",
            "project=",
        ] {
            self.get(&format!("/api/tasks?{query}"));
        }
        for query in [
            "company.name=Harbour%20Works",
            "email__contains=%40harbour",
            "sort=company",
            "search=lind",
            "is_active=true",
            "password_hash=x",
        ] {
            self.get(&format!("/api/users?{query}"));
        }
        for query in
            ["stage=on%20hold", "budget__gt=50000", "lead.name__startswith=M", "search=WORKS", "sort=lead,-budget", "ends_on__isnull=true"]
        {
            self.get(&format!("/api/projects?{query}"));
        }
    }

    fn writes(&mut self, rows: &[(&str, Vec<String>)]) {
        let of = |table: &str| rows.iter().find(|(name, _)| *name == table).map(|(_, keys)| keys.clone()).unwrap_or_default();
        let (users, companies, projects, tasks) = (of("users"), of("companies"), of("projects"), of("tasks"));
        let missing = "0190b5f0-0000-7000-8000-000000000000";
        self.create(
            "companies",
            &[
                json!({}),
                json!({ "name": "  " }),
                json!({ "name": "Harbour Works" }),
                json!({ "nam": "x" }),
                json!({ "name": 3, "website": "ftp://x" }),
                json!({ "name": "x".repeat(121), "city": "y".repeat(81) }),
                json!({ "id": missing, "name": "With a key" }),
                json!({ "name": "Quarry", "website": "https://quarry.example" }),
            ],
        );
        self.create(
            "projects",
            &[
                json!({ "name": "Without a company" }),
                json!({ "name": "P", "company": missing }),
                json!({ "name": "P", "company": "x" }),
                json!({ "name": "P", "company": companies[0], "budget": "1.005", "starts_on": "2026-02-30" }),
                json!({ "name": "P", "company": companies[0], "stage": "actve" }),
                json!({ "name": "P", "company": companies[0], "budget": 12.5, "lead": users[0] }),
            ],
        );
        self.create(
            "tasks",
            &[
                json!({}),
                json!({ "title": "Scan it" }),
                json!({ "title": "Scan it", "project": missing }),
                json!({ "title": "Scan it", "project": projects[0], "hours": -1 }),
                json!({ "title": "Scan it", "project": projects[0], "status": "done" }),
                json!({ "title": "Scan it", "project": projects[0], "rate": "12.345" }),
                json!({ "title": "Scan it", "project": projects[0], "assigned_to": users[1] }),
                json!({ "title": "Scan it", "project": projects[0], "billable": "yes" }),
                json!({ "title": "Scan it", "project": projects[0], "created_at": "2020-01-01T00:00:00Z" }),
                json!({ "title": null, "project": projects[0] }),
                json!({ "title": 3, "project": projects[0], "status": "op\u{0}en", "due": "2026\u{0}" }),
                json!({ "title": "Scan\u{0} it", "project": projects[0] }),
                json!({ "title": "Scan it", "project": projects[0], "due": null }),
                json!({ "title": "Written by both", "project": projects[0], "hours": "1.50", "details": "A line" }),
            ],
        );
        self.create("users", &[json!({}), json!({ "email": "x", "name": "X" })]);
        for id in ["NEW0", &tasks[0], &tasks[1], &tasks[2], missing] {
            self.changes(id, &projects, &users);
        }
        for (table, key) in [("companies", &companies[0]), ("projects", &projects[0]), ("projects", &projects[1]), ("users", &users[0])] {
            self.send("DELETE", &format!("/api/{table}/{key}"), None, None);
        }
        self.send("POST", "/api/tasks", None, None);
        self.texts(&tasks[0]);
        self.send("PUT", "/api/tasks", None, Some(&json!({})));
        self.send("PATCH", &format!("/api/users/{}", users[0]), None, Some(&json!({ "name": "Other" })));
        let gone: Vec<String> = (0..self.created[0].len()).map(|n| format!("NEW{n}")).collect();
        for id in gone.iter().rev() {
            for table in ["tasks", "projects", "companies"] {
                self.send("DELETE", &format!("/api/{table}/{id}"), None, None);
            }
        }
    }

    /// Bodies that are wrong as JSON, whatever they say.
    fn texts(&mut self, task: &str) {
        for text in ["{", "[]", r#"{"title":"a","title":"b"}"#, r#"{"title":{"a":1,"\u0061":2}}"#, r#"{"title":1e999}"#, r#"{"hours":1e9}"#]
        {
            for (method, path) in [("POST", "/api/tasks".to_owned()), ("PATCH", format!("/api/tasks/{task}"))] {
                self.send(method, &path, None, Some(&text.into()));
            }
        }
    }

    fn create(&mut self, table: &str, bodies: &[Value]) {
        for body in bodies {
            let replies = self.send("POST", &format!("/api/{table}"), None, Some(body));
            if let [Some(one), Some(other)] =
                replies.map(|it| (it.status == 201).then(|| it.body["id"].as_str().unwrap_or_default().to_owned()))
            {
                self.created[0].insert(0, one);
                self.created[1].insert(0, other);
            }
        }
    }

    fn changes(&mut self, id: &str, projects: &[String], users: &[String]) {
        let path = format!("/api/tasks/{id}");
        self.get(&path);
        for body in [
            json!({ "title": "Change it" }),
            json!({ "title": null }),
            json!({ "titel": "x" }),
            json!({}),
            json!({ "hours": -2 }),
            json!({ "hours": "4.25" }),
            json!({ "details": null }),
            json!({ "project": projects[1] }),
            json!({ "assigned_to": users[0] }),
            json!({ "assigned_to": null }),
            json!({ "status": "blocked" }),
            json!({ "status": "doing" }),
            json!({ "status": "opn" }),
            json!({ "rate": "10.00" }),
            json!({ "rate": "10.005" }),
            json!({ "title": "Scan\u{0} it" }),
            json!({ "status": "opn", "due": "x" }),
            json!({ "id": "x" }),
            json!({ "id": projects[0] }),
            json!({ "updated_at": "2020-01-01T00:00:00Z" }),
            json!({ "photo": null }),
            json!({ "priority": "urgent", "due": "2026-05-01" }),
        ] {
            self.send("PATCH", &path, None, Some(&body));
        }
        self.send("PATCH", &path, Some("\"0\""), Some(&json!({ "title": "Come late" })));
        for (state, body) in [
            ("doing", json!({})),
            ("opn", json!({})),
            ("doing", json!({ "assigned_to": users[0] })),
            ("blocked", json!({})),
            ("done", json!({})),
            ("doing", json!({ "title": "Resume it" })),
            ("done", json!({ "hours": -1 })),
            ("done", json!({})),
            ("dropped", json!({})),
            ("open", json!({})),
        ] {
            self.send("POST", &format!("{path}/transitions/{state}"), None, Some(&body));
        }
        self.send("PUT", &path, None, Some(&json!({ "title": "Keep it whole" })));
        self.send("PUT", &path, None, Some(&json!({ "title": "Keep it whole", "project": projects[0] })));
        self.send("DELETE", &path, Some("\"0\""), None);
    }
}

/// An answer in which both servers agree on what must differ: of request ids and times only the form counts, and the keys of created
/// rows are replaced by their position.
fn normalise(body: &Value, created: &[String]) -> Value {
    match body {
        Value::Object(members) => {
            let form = |name: &str, value: &Value| match (name, value) {
                ("request_id", Value::String(id)) => Value::String(format!("{} characters", id.len())),
                ("created_at" | "updated_at" | "last_login", Value::String(time)) => Value::String(time_form(time)),
                _ => normalise(value, created),
            };
            members.iter().map(|(name, value)| (name.clone(), form(name, value))).collect()
        }
        Value::Array(items) => items.iter().map(|item| normalise(item, created)).collect(),
        Value::String(text) => match created.iter().position(|id| id == text) {
            Some(at) => Value::String(format!("created row {at}")),
            None => body.clone(),
        },
        _ => body.clone(),
    }
}

/// The form of a time: its digits are zeros, and microseconds are left out where they are written, because whole seconds have none.
fn time_form(time: &str) -> String {
    let form: String = time.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    form.replacen(".000000Z", "Z", 1)
}
