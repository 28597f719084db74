//! The access rules, the indexes, the hook and the route.

use std::{fs, path::Path};

use dz::rocket::{
    http::{ContentType, Header, Status},
    local::blocking::{Client, LocalResponse},
};

use {{crate}}::application;

/// The application over an empty database of its own, with the demo data.
fn over_empty_database(test: &str) -> dz::App {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    application().database_url(format!("sqlite://{}", folder.join("test.db").display()))
}

/// A client of the application with the session of a user.
struct User {
    client: Client,
    session: String,
}

impl User {
    fn sign_in(test: &str, email: &str, password: &str) -> User {
        let client = Client::untracked(over_empty_database(test).rocket().unwrap()).unwrap();
        let visitor = User {
            client,
            session: String::new(),
        };
        let credentials = format!(r#"{{"email": "{email}", "password": "{password}"}}"#);
        let response = visitor.post("/auth/login", &credentials);
        assert_eq!(response.status(), Status::Ok);
        let cookie = response.headers().get_one("Set-Cookie").unwrap();
        let session = cookie.split(';').next().unwrap().to_owned();
        drop(response);
        User { session, ..visitor }
    }

    fn get(&self, path: &str) -> String {
        let request = self.client.get(path.to_owned());
        let response = request
            .header(Header::new("Cookie", self.session.clone()))
            .dispatch();
        assert_eq!(response.status(), Status::Ok);
        response.into_string().unwrap()
    }

    fn post(&self, path: &str, body: &str) -> LocalResponse<'_> {
        let request = self
            .client
            .post(path.to_owned())
            .header(ContentType::JSON)
            .body(body);
        request
            .header(Header::new("Sec-Fetch-Site", "same-origin"))
            .header(Header::new("Cookie", self.session.clone()))
            .dispatch()
    }
}

#[test]
fn access_rules_hold() {
    dz::testing::prove_access!(application);
}

#[test]
fn indexes_are_sufficient() {
    let plan = over_empty_database("indexes").plan().unwrap();
    assert!(plan.is_fine(), "{plan}");
}

#[test]
fn a_new_task_is_not_due_in_the_past() {
    let mia = User::sign_in("hook", "mia@example.com", "one thing at a time");
    let past = r#"{"title": "Travel in time", "due": "2001-01-01"}"#;
    let refused = mia.post("/api/tasks", past);
    assert_eq!(refused.status(), Status::UnprocessableEntity);
    let problem = refused.into_string().unwrap();
    assert!(problem.contains("must be today or later"), "{problem}");
    let created = mia.post("/api/tasks", r#"{"title": "Take a break"}"#);
    assert_eq!(created.status(), Status::Created);
}

#[test]
fn the_report_counts_visible_tasks() {
    let member = User::sign_in("member", "mia@example.com", "one thing at a time");
    assert_eq!(member.get("/reports/open"), "2");
    let manager = User::sign_in("manager", "max@example.com", "plan the whole day");
    assert_eq!(manager.get("/reports/open"), "3");
}
