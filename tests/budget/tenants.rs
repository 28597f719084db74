//! The example with tenants: the same kinds of requests in one of several practices, with rows in each.
//!
//! On PostgreSQL each transaction sets the session variables of the policies: once for loading the session as the system, and once for
//! the caller.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::Duration,
};

use chrono::{DateTime, TimeDelta, Utc};
use dz::{
    Engine,
    serde_json::{Value, json},
};

use crate::{
    client::{Answer, Client},
    server, statements,
    table::{Budget, Found, budgets, check, grows},
    vets,
};

const GLORIA: (&str, &str) = ("gloria@riverside.example", "keeps the houses");
const DORA: (&str, &str) = ("dora@riverside.example", "plans every day");
const VERA: (&str, &str) = ("vera@riverside.example", "listens to lungs");

const BUDGETS: &[Budget] = &[
    budgets("list", [4, 6]),
    budgets("list with filter, search and order over references", [4, 6]),
    budgets("list with references expanded", [4, 6]),
    budgets("list with relations expanded", [7, 9]),
    budgets("read", [3, 5]),
    budgets("read with everything expanded", [6, 8]),
    budgets("csv", [3, 5]),
    budgets("who am I", [2, 3]),
    budgets("members", [4, 6]),
    budgets("list page", [6, 8]),
    // One of them reads the history of the row.
    budgets("view page", [10, 12]),
    budgets("create form", [4, 6]),
    budgets("edit form", [5, 7]),
    budgets("question before a deletion", [3, 5]),
    budgets("picker", [3, 5]),
    budgets("members page", [6, 8]),
    budgets("form of a member", [3, 5]),
    budgets("page of the tenants", [4, 6]),
    budgets("account page", [4, 6]),
    budgets("exchange", [4, 6]),
    budgets("exchange of a section", [5, 7]),
    budgets("exchange of a related list", [5, 7]),
    budgets("create", [5, 7]),
    budgets("update", [8, 10]),
    budgets("replace", [8, 10]),
    budgets("move", [7, 9]),
    budgets("form that makes", [5, 7]),
    budgets("form that changes", [9, 11]),
    budgets("delete", [11, 13]),
    budgets("tenant switch", [4, 7]),
    budgets("tenant switch by a form", [3, 5]),
    budgets("invitations page", [3, 5]),
    budgets("invitation", [8, 12]),
    budgets("page of an invitation that is none", [1, 2]),
    budgets("new member", [3, 5]),
];

/// The number of sent mails.
static MAILS: AtomicU64 = AtomicU64::new(0);

struct Practice {
    /// An administrator of all practices.
    gloria: Client,
    /// The receptionist and administrator of one practice.
    dora: Client,
    /// A vet in both.
    vera: Client,
    vera_id: String,
    practices: [String; 2],
    /// Numbers names and hours, so that each is unique.
    made: i64,
}

fn id(row: &Value) -> String {
    row["id"].as_str().expect("an id").to_owned()
}

impl Practice {
    fn open(base: &str) -> Practice {
        let [gloria, dora, vera] = [GLORIA, DORA, VERA].map(|who| Client::signed_in(base, who));
        let me = vera.get("/auth/me").ok(200).json();
        let of =
            |name: &str| me["tenants"].as_array().and_then(|all| all.iter().find(|it| it["name"] == name)).map(id).expect("a practice");
        Practice { gloria, dora, vera, vera_id: id(&me), practices: [of("Riverside"), of("Hilltop")], made: 0 }
    }

    /// An hour without visits.
    fn hour(&mut self) -> DateTime<Utc> {
        self.made += 1;
        Utc::now() + TimeDelta::hours(24 * 30 + self.made)
    }

    #[track_caller]
    fn make(&mut self, table: &str, row: &Value) -> String {
        id(&self.dora.send("POST", &format!("/api/{table}"), row).ok(201).json())
    }

    /// A requested visit, with an animal and an owner of its own.
    fn visit(&mut self) -> String {
        let at = self.hour();
        let owner = self.make("owners", &json!({ "name": format!("Owner {:04}", self.made) }));
        let animal = self.make("animals", &json!({ "name": format!("Animal {:04}", self.made), "owner": owner }));
        let row = json!({ "animal": animal, "vet": self.vera_id, "planned_for": at, "reason": format!("Cough {}", self.made) });
        self.make("visits", &row)
    }

    /// A visit with `rows` treatments and medicines.
    fn full(&mut self, rows: usize) -> String {
        let visit = self.visit();
        for _ in 0..rows {
            self.made += 1;
            let made = |table: &str, row: Value| id(&self.vera.send("POST", &format!("/api/{table}"), &row).ok(201).json());
            made("treatments", json!({ "visit": visit, "what": "Look", "price": "5.00" }));
            let medicine = made("medicines", json!({ "name": format!("Medicine {}", self.made) }));
            made("prescriptions", json!({ "visit": visit, "medicine": medicine, "dosage": "twice" }));
        }
        visit
    }

    /// A user without a practice.
    fn person(&mut self) -> String {
        self.made += 1;
        let row = json!({ "email": format!("p{}@riverside.example", self.made), "name": format!("Person {}", self.made) });
        id(&self.gloria.send("POST", "/api/people", &row).ok(201).json())
    }

    /// A member of each practice.
    fn member(&mut self) -> String {
        let person = self.person();
        let [_, last] = self.practices.clone().map(|practice| {
            let row = json!({ "user": person, "practice": practice, "personas": ["vet"], "accepted_at": "2026-01-01T00:00:00Z" });
            id(&self.gloria.send("POST", "/api/members", &row).ok(201).json())
        });
        last
    }

    fn goes_on(&self, at: usize) {
        self.vera.send("POST", "/auth/tenant", &json!({ "tenant": self.practices[at] })).ok(200);
    }
}

/// Measures every request with few rows and with many.
pub fn keep(engine: Engine) {
    // Without a worker, whose statements would be counted.
    let app = vets::clinic().mailer(|_| {
        MAILS.fetch_add(1, Ordering::SeqCst);
        Ok(())
    });
    let base = server::serve_with(app, engine, server::fenced_url(engine, "budget_clinic"), json!({ "worker": false }));
    let mut practice = Practice::open(&base);
    practice.goes_on(0);
    // More rows than a select shows; the search takes one more statement.
    (0..20).for_each(|_| drop(practice.member()));
    let few = measure(&mut practice, 12);
    let many = measure(&mut practice, 40);
    check(engine, BUDGETS, &few, &many);
    bulk(&mut practice, engine);
}

/// The statements of each request with `rows` rows of each kind.
fn measure(practice: &mut Practice, rows: usize) -> Found {
    let visit = practice.full(rows);
    let member = practice.member();
    (0..rows).for_each(|_| {
        practice.full(1);
        practice.member();
    });
    let mut found = Found::new();
    for (name, path) in reads(practice, &visit) {
        found.push((name, statements(|| drop(practice.dora.get(&path).ok(200)))));
    }
    for (name, path) in [
        ("members page", "/app/user_membership_list?page_size=10".to_owned()),
        ("form of a member", format!("/app/user_membership_edit/{member}")),
        ("page of the tenants", "/admin/tenants".to_owned()),
        ("account page", "/app/-/account".to_owned()),
    ] {
        found.push((name, statements(|| drop(practice.gloria.get(&path).ok(200)))));
    }
    for (name, path) in [
        ("exchange", "/app/visit_list?page=1&page_size=10".to_owned()),
        ("exchange of a section", format!("/app/visit_view/{visit}?section=treatments&page_size=10")),
        ("exchange of a related list", format!("/app/visit_view/{visit}?section=related-medicines&page_size=10")),
    ] {
        found.push((name, statements(|| drop(practice.dora.exchange(&path).ok(200)))));
    }
    found.extend(writes(practice));
    found.extend(switches(practice));
    found
}

fn reads(practice: &Practice, visit: &str) -> Vec<(&'static str, String)> {
    let vera = &practice.vera_id;
    let page = |name, path: &str| (name, path.to_owned());
    vec![
        page("list", "/api/visits?page_size=10"),
        (
            "list with filter, search and order over references",
            format!("/api/visits?page_size=10&vet={vera}&animal.name__startswith=A&search=cough&sort=-animal.owner.name,planned_for"),
        ),
        page("list with references expanded", "/api/visits?page_size=10&expand=animal,vet"),
        page("list with relations expanded", "/api/visits?page_size=10&expand=treatments,medicines"),
        ("read", format!("/api/visits/{visit}")),
        ("read with everything expanded", format!("/api/visits/{visit}?expand=animal,vet,treatments,medicines")),
        page("csv", "/api/visits?format=csv"),
        page("who am I", "/auth/me"),
        page("members", "/api/members?page_size=10"),
        page("list page", "/app/visit_list?page_size=10"),
        ("view page", format!("/app/visit_view/{visit}")),
        page("create form", "/app/visit_create"),
        ("edit form", format!("/app/visit_edit/{visit}")),
        ("question before a deletion", format!("/app/visit_view/{visit}/delete")),
        page("picker", "/app/-/pick/animals?q=ani"),
    ]
}

/// Each try writes another row.
fn writes(practice: &mut Practice) -> Found {
    let visits: Vec<String> = (0..3).map(|_| practice.full(2)).collect();
    let animal = practice.dora.get(&format!("/api/visits/{}", visits[0])).ok(200).json()["animal"].as_str().expect("an animal").to_owned();
    let hours: Vec<DateTime<Utc>> = (0..15).map(|_| practice.hour()).collect();
    let (dora, vera) = (&practice.dora, practice.vera_id.as_str());
    let mut hours = hours.into_iter();
    let mut hour = move || hours.next().expect("an hour for each try");
    let each = |work: &dyn Fn(&str) -> Answer, status: u16| {
        let mut rows = visits.iter();
        statements(|| drop(work(rows.next().expect("a row for each try")).ok(status)))
    };
    let mut found = Found::new();
    let row = |at: DateTime<Utc>| json!({ "animal": animal, "vet": vera, "planned_for": at, "reason": "New" });
    found.push(("create", statements(|| drop(dora.send("POST", "/api/visits", &row(hour())).ok(201)))));
    let patch = |at: DateTime<Utc>| json!({ "planned_for": at });
    let path = format!("/api/visits/{}", visits[0]);
    found.push(("update", statements(|| drop(dora.send("PATCH", &path, &patch(hour())).ok(200)))));
    let mut whole = dora.get(&format!("/api/visits/{}", visits[1])).json();
    // It belongs to the system, and each try has another one.
    whole.as_object_mut().expect("a row").remove("updated_at");
    let path = format!("/api/visits/{}", visits[1]);
    found.push((
        "replace",
        statements(|| {
            whole["planned_for"] = json!(hour());
            drop(dora.send("PUT", &path, &whole).ok(200));
        }),
    ));
    found.push(("move", each(&|id| dora.send("POST", &format!("/api/visits/{id}/transitions/confirmed"), &json!({})), 200)));
    let typed = |at: DateTime<Utc>| at.format("%Y-%m-%dT%H:%M").to_string();
    found.push((
        "form that makes",
        statements(|| {
            let at = typed(hour());
            let fields = [("animal", animal.as_str()), ("planned_for", &at), ("reason", "Typed"), ("vet", vera)];
            assert_eq!(dora.form("/app/visit_create", &fields).status, 303);
        }),
    ));
    let row = |id: &String| dora.get(&format!("/api/visits/{id}")).ok(200);
    let versions: Vec<String> = visits.iter().map(|id| row(id).header("etag").expect("a tag").trim_matches('"').to_owned()).collect();
    let mut forms = visits.iter().zip(&versions);
    found.push((
        "form that changes",
        statements(|| {
            let (id, version) = forms.next().expect("a row for each try");
            let at = typed(hour());
            let fields = [("planned_for", at.as_str()), ("reason", "Changed"), ("vet", vera), ("findings", ""), ("version", version)];
            let answer = dora.form(&format!("/app/visit_edit/{id}"), &fields);
            assert_eq!(answer.status, 303, "{}", answer.body);
        }),
    ));
    found.push(("delete", each(&|id| dora.delete(&format!("/api/visits/{id}")), 204)));
    found
}

/// Switching to another practice, and a new user.
fn switches(practice: &mut Practice) -> Found {
    let people: Vec<String> = (0..3).map(|_| practice.person()).collect();
    let (vera, gloria) = (&practice.vera, &practice.gloria);
    let [river, hill] = &practice.practices;
    let mut there = [hill, river, hill].into_iter();
    let mut next = || json!({ "tenant": there.next().expect("a practice for each try") });
    let by_json = statements(|| drop(vera.send("POST", "/auth/tenant", &next()).ok(200)));
    let mut there = [river, hill, river].into_iter();
    let by_form = statements(|| {
        let tenant = there.next().expect("a practice for each try");
        drop(vera.form("/auth/tenant", &[("tenant", tenant)]).ok(303));
    });
    let (dora, mut asked) = (&practice.dora, 0);
    let page = statements(|| drop(dora.get("/app/-/invitations").ok(200)));
    // The lookup for the text of the mail runs after the response and counts too, so the test waits for the mail.
    let invited = statements(|| {
        asked += 1;
        let body = json!({ "email": format!("asked{asked}-{}@riverside.example", practice.made), "personas": ["desk"] });
        let before = MAILS.load(Ordering::SeqCst);
        drop(dora.send("POST", "/auth/invitations", &body).ok(204));
        while MAILS.load(Ordering::SeqCst) == before {
            thread::sleep(Duration::from_millis(1));
        }
    });
    let spent = statements(|| drop(Client::new(&format!("http://{}", dora.host)).get("/auth/invite?token=none").ok(422)));
    let mut people = people.iter();
    let new = statements(|| {
        let row = json!({ "user": people.next(), "practice": river, "personas": ["vet"], "accepted_at": "2026-01-01T00:00:00Z" });
        drop(gloria.send("POST", "/api/members", &row).ok(201));
    });
    vec![
        ("tenant switch", by_json),
        ("tenant switch by a form", by_form),
        ("invitations page", page),
        ("invitation", invited),
        ("page of an invitation that is none", spent),
        ("new member", new),
    ]
}

/// A bulk request takes at most as many statements for each row as a single request.
fn bulk(practice: &mut Practice, engine: Engine) {
    let alone = BUDGETS.iter().find(|it| it.is("update")).map_or(0, |it| it.most(engine));
    let ids: Vec<String> = (0..40).map(|_| practice.visit()).collect();
    let mut round = 0;
    let mut bulk = |rows: usize| {
        statements(|| {
            round += 1;
            let body = json!({ "action": "update", "ids": ids[..rows], "set": { "reason": format!("Bulk {round}") } });
            let answer = practice.dora.send("POST", "/api/visits/bulk", &body).ok(200).json();
            assert!(answer["results"].as_array().is_some_and(|all| all.iter().all(|it| it["status"] == 200)), "{answer}");
        })
    };
    grows("bulk", [bulk(4), bulk(40)], 36, alone, engine);
}
