//! The requests to the tasks of the survey office, by callers of every role.

use serde_json::json;

use crate::pair::{Account, Pair, Requests, Rows};

const MANAGER: Account = ("mira@fieldwork.example", "manage the field");

/// All requests.
pub const TASKS: Requests = Requests {
    callers: &[None, Some(MANAGER), Some(("tomas@fieldwork.example", "walk the line")), Some(("sam@harbour.example", "watch the harbour"))],
    manager: MANAGER,
    tables: &["users", "companies", "projects", "tasks"],
    keys: &[],
    prepare: |_| {},
    send: |pair, rows| {
        pair.reads(rows);
        pair.writes(rows);
    },
    least: 300,
};

impl Pair<'_> {
    fn reads(&mut self, rows: &Rows) {
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

    fn writes(&mut self, rows: &Rows) {
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
        self.files(&tasks[0], &projects[0]);
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

    /// Files of rows.
    fn files(&mut self, task: &str, project: &str) {
        let files = [
            format!("id,title,hours,billable,status,details\n{task},From a file,2.25,yes,open,\"Two\nlines\"\n"),
            format!("id,title,billable\n{task},Ask them,perhaps\n"),
            format!("id,status\n{task},done\n"),
            format!("id,created_at\n{task},2020-01-01T00:00:00Z\n"),
            format!("title,project,hours\nScan it,{project},-1\n,{project},1\n"),
            format!("titel,project\nx,{project}\n"),
            "title\nWithout a project\n".to_owned(),
        ];
        self.import("tasks", &files.each_ref().map(String::as_str));
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
