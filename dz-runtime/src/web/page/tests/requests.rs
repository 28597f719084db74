//! Requests to pages with a database: visible rows, forms, and htmx responses.

use chrono::{TimeZone, Utc};

use crate::{
    Account, Caller, Error, Result, Tx, Value,
    access::Create,
    db::{Database, schema, testing},
    rows,
    web::{
        Call, Reply,
        page::tests::app::{APP, NOTE, TASK, USER},
        routes::{self, Routes},
    },
};

/// A database with people and tasks.
struct Fixture<'a> {
    database: &'a Database,
    mira: Value,
    tom: Value,
    tasks: Vec<Value>,
}

const MANAGER: u64 = 1;
const MEMBER: u64 = 2;

fn caller(id: &Value, name: &str, roles: u64) -> Caller {
    let now = Utc.with_ymd_and_hms(2026, 3, 12, 8, 0, 0).unwrap();
    let account = Account {
        id: id.clone(),
        email: format!("{name}@example.com"),
        label: name.to_owned(),
        values: vec![id.clone(), Value::Text(format!("{name}@example.com")), Value::Text(name.to_owned())],
        path_values: Vec::new(),
    };
    Caller { account: Some(account), roles, ..Caller::anonymous(&APP, now, "01TEST") }
}

/// Runs `work` as the system, in a transaction.
fn as_system<T>(database: &Database, work: impl Fn(&mut Tx<'_>) -> Result<T>) -> T {
    let now = Utc.with_ymd_and_hms(2026, 3, 12, 8, 0, 0).unwrap();
    let done = database.write(&mut |conn| work(&mut Tx::system(conn, &APP, Default::default(), now)));
    done.expect("the system may do this")
}

fn make(tx: &mut Tx<'_>, entity: u16, given: Vec<(u16, Value)>) -> Result<Value> {
    let grant = tx.ask::<Create>(APP.entity(entity))?;
    Ok(rows::create(tx, &grant, given)?.0)
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

impl<'a> Fixture<'a> {
    fn new(database: &'a Database, count: usize) -> Fixture<'a> {
        database.write(&mut |conn| schema::prepare(conn, &APP).map(|_| ())).expect("a schema");
        let person =
            |name: &str| as_system(database, |tx| make(tx, USER, vec![(1, text(&format!("{name}@example.com"))), (2, text(name))]));
        let (mira, tom) = (person("Mira"), person("Tom"));
        let task = |at: usize| {
            let owner = if at.is_multiple_of(2) { &mira } else { &tom };
            as_system(database, |tx| make(tx, TASK, vec![(1, text(&format!("Task {at:03}"))), (3, owner.clone())]))
        };
        let tasks = (1..=count).map(task).collect();
        Fixture { database, mira, tom, tasks }
    }

    fn ask(&self, caller: Caller, call: Call) -> Result<Reply> {
        let found = Routes::for_app(&APP).find(call.method.parse().expect("a method"), &call.path);
        let call = Call { found, ..call };
        let mut answer = None;
        let done = self.database.write(&mut |conn| {
            let reply = routes::answer(&mut Tx::new(conn, &APP, Default::default(), caller.clone()), &call)?;
            let kept = reply.status < 400;
            answer = Some(reply);
            if kept { Ok(()) } else { Err(Error::internal("undone")) }
        });
        match (answer, done) {
            (Some(reply), _) => Ok(reply),
            (None, Err(error)) => Err(error),
            (None, Ok(())) => unreachable!("an answer or an error"),
        }
    }

    fn manager(&self, call: Call) -> Result<Reply> {
        self.ask(caller(&self.mira, "Mira", MANAGER), call)
    }

    fn member(&self, call: Call) -> Result<Reply> {
        self.ask(caller(&self.tom, "Tom", MEMBER), call)
    }

    fn task(&self, at: usize) -> String {
        match &self.tasks[at] {
            Value::Uuid(id) => id.to_string(),
            other => panic!("{other:?}"),
        }
    }
}

fn pairs(text: &str) -> Vec<(String, String)> {
    url::form_urlencoded::parse(text.as_bytes()).into_owned().collect()
}

fn get(uri: &str) -> Call {
    let (path, query) = uri.split_once('?').unwrap_or((uri, ""));
    Call {
        method: "GET".into(),
        path: path.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect(),
        uri: uri.into(),
        query: pairs(query),
        csrf: "token".into(),
        ..Call::default()
    }
}

fn exchange(uri: &str) -> Call {
    Call { htmx: true, ..get(uri) }
}

fn post(uri: &str, form: &str) -> Call {
    Call { method: "POST".into(), form: pairs(form), ..get(uri) }
}

#[track_caller]
fn html(reply: Result<Reply>, status: u16) -> String {
    let reply = reply.expect("an answer");
    let html = String::from_utf8(reply.body).expect("text");
    assert_eq!(reply.status, status, "{html}");
    html
}

#[track_caller]
fn location(reply: Result<Reply>) -> String {
    let reply = reply.expect("an answer");
    assert_eq!(reply.status, 303, "{}", String::from_utf8_lossy(&reply.body));
    reply.headers.into_iter().find(|(name, _)| *name == "Location").expect("a location").1
}

#[track_caller]
fn status(reply: Result<Reply>) -> u16 {
    reply.map_or_else(|error| error.status, |reply| reply.status)
}

#[test]
fn a_list_shows_visible_rows() {
    testing::each_engine(|database| {
        let fixture = Fixture::new(database, 45);
        assert_eq!(location(fixture.manager(get("/"))), "/app/task_list");
        let all = html(fixture.manager(get("/app/task_list")), 200);
        assert!(all.contains("45 tasks") && all.contains("data-dz-grid-total=\"45\""), "{all}");
        assert!(all.contains("New task") && all.contains(">Delete</a>") && all.contains("href=\"/app/user_list\""));
        let own = html(fixture.member(get("/app/task_list")), 200);
        assert!(own.contains("23 tasks") && own.contains(">Task 001<") && !own.contains(">Task 002<"), "{own}");
        assert!(!own.contains("New task") && !own.contains(">Delete</a>") && !own.contains("href=\"/app/user_list\""));
        assert_eq!(status(fixture.ask(Caller::anonymous(&APP, Utc::now(), ""), get("/app/task_list"))), 401);
        assert_eq!(status(fixture.member(get("/app/user_list"))), 403);
        assert_eq!(status(fixture.member(get("/app/task_create"))), 403);
        assert_eq!(status(fixture.manager(get("/app/nothing"))), 404);
        let nobody = html(fixture.ask(caller(&fixture.tom, "Tom", 0), get("/app")), 403);
        assert!(nobody.contains("Your account has no role yet"), "{nobody}");
    });
}

#[test]
fn an_exchange_returns_rows_and_an_out_of_band_footer() {
    testing::each_engine(|database| {
        let fixture = Fixture::new(database, 45);
        let html = html(fixture.manager(exchange("/app/task_list?page=2&page_size=20&sort=title&junk=1&status=")), 200);
        assert!(html.starts_with("<tr id=\"task_list-"), "{html}");
        assert_eq!(html.matches("<tr ").count(), 20);
        assert!(html.contains(">Task 021<") && html.contains(">Task 040<") && !html.contains(">Task 041<"));
        assert!(!html.contains("id=\"task_list-body\""));
        assert!(!html.contains("data-dz-region") && !html.contains("<html"));
        assert!(html.contains(r#"<div id="task_list-footer" hx-swap-oob="morph">"#), "{html}");
        assert!(html.contains("/app/task_list?page=3&#38;page_size=20&#38;sort=title\"") && !html.contains("junk"), "{html}");
        assert_eq!(html.matches("is-current").count(), 1);
        assert!(html.contains(r#"type="button" aria-current="page">2</button>"#), "{html}");
    });
}

#[test]
fn invalid_parameters_are_ignored_and_the_last_page_is_the_limit() {
    testing::each_engine(|database| {
        let fixture = Fixture::new(database, 25);
        for junk in ["page=x", "page=-1", "page_size=1000000", "sort=nothing", "nothing=1", "status=wrong", "hours__gte=x"] {
            let html = html(fixture.manager(get(&format!("/app/task_list?{junk}"))), 200);
            assert!(html.contains("25 tasks") && html.contains(">Task 001<"), "{junk}");
        }
        let last = html(fixture.manager(exchange("/app/task_list?page=99")), 200);
        assert!(last.contains(">Task 025<") && last.contains(r#"aria-current="page">2</button>"#), "{last}");
    });
}

#[test]
fn search_filters_and_sort_are_preserved() {
    testing::each_engine(|database| {
        let fixture = Fixture::new(database, 12);
        let found = html(fixture.manager(get("/app/task_list?search=TASK+01&sort=-title&status__in=open&status__in=done")), 200);
        assert!(found.contains("3 tasks") && found.contains("aria-sort=\"descending\""), "{found}");
        assert!(found.contains("Open +1") && found.contains("status__in=open%2Cdone"), "{found}");
        let none = html(fixture.manager(get("/app/task_list?search=nothing")), 200);
        assert!(
            none.contains("No tasks match") && none.contains("Clear search and filters") && !none.contains("data-dz-pagination"),
            "{none}"
        );
        assert!(none.contains("<p>No tasks yet. Plan the first one.</p>"), "{none}");
    });
}

#[test]
fn an_empty_list_offers_to_create_a_row() {
    testing::each_engine(|database| {
        let fixture = Fixture::new(database, 0);
        let manager = html(fixture.manager(get("/app/task_list")), 200);
        assert!(
            manager.contains("No tasks yet. Plan the first one.") && manager.matches("href=\"/app/task_create\"").count() == 2,
            "{manager}"
        );
        assert!(manager.contains("<div id=\"task_list-footer\"></div>"), "{manager}");
        let member = html(fixture.member(get("/app/task_list")), 200);
        assert!(!member.contains("/app/task_create"), "{member}");
    });
}

#[test]
fn a_new_row_by_form() {
    testing::each_engine(|database| {
        let fixture = Fixture::new(database, 0);
        let form = html(fixture.manager(get("/app/task_create?title=Given")), 200);
        assert!(form.contains("value=\"Given\"") && form.contains("<option value=\"open\" selected>Open</option>"), "{form}");
        assert!(form.contains("name=\"csrf\" value=\"token\"") && form.contains(">Mira</option>"), "{form}");

        let refused = html(fixture.manager(post("/app/task_create", "title=&status=open&hours=1.234&due=never&owner=")), 422);
        for part in
            ["3 fields need a change", "href=\"#title\"", "Fill this in.", "value=\"1.234\"", "value=\"never\"", "aria-invalid=\"true\""]
        {
            assert!(refused.contains(part), "{part}: {refused}");
        }
        let saved = location(fixture.manager(post("/app/task_create", "title=Fine&status=doing&hours=2.5&due=2026-03-12T09:30&owner=")));
        assert!(saved.starts_with("/app/task_view/") && saved.ends_with("?done=created"), "{saved}");
        let view = html(fixture.manager(get(&saved)), 200);
        for part in ["<h1>Fine</h1>", "In progress", "2.50", "09:30", "Saved."] {
            assert!(view.contains(part), "{part}: {view}");
        }
        let again = location(fixture.manager(post("/app/task_create", "title=Other&status=open&dz.then=new")));
        assert_eq!(again, "/app/task_create");
        assert_eq!(status(fixture.member(post("/app/task_create", "title=x"))), 403);
    });
}

#[test]
fn a_row_is_changed_by_permitted_callers() {
    testing::each_engine(|database| {
        let fixture = Fixture::new(database, 2);
        let (toms, miras) = (fixture.task(0), fixture.task(1));
        let form = html(fixture.member(get(&format!("/app/task_edit/{toms}"))), 200);
        assert!(
            form.contains("value=\"Task 001\"") && form.contains("name=\"version\" value=\"1\"") && form.contains("name=\"dz.was.title\""),
            "{form}"
        );
        assert_eq!(status(fixture.member(get(&format!("/app/task_edit/{miras}")))), 404);
        assert_eq!(status(fixture.member(post(&format!("/app/task_edit/{miras}"), "title=x"))), 404);
        let owner = match &fixture.tom {
            Value::Uuid(id) => id.to_string(),
            other => panic!("{other:?}"),
        };
        let body = format!("title=New&status=open&owner={owner}&hours=&due=&version=1");
        assert_eq!(location(fixture.member(post(&format!("/app/task_edit/{toms}"), &body))), format!("/app/task_view/{toms}?done=changed"));
        let stale = html(fixture.member(post(&format!("/app/task_edit/{toms}"), &body.replace("New", "Mine"))), 412);
        for part in [
            "Another user saved this while you were editing",
            "1 field differs",
            ">Mine<",
            ">New<",
            "value=\"Mine\"",
            "name=\"version\" value=\"2\"",
        ] {
            assert!(stale.contains(part), "{part}: {stale}");
        }
        let theirs = format!("{}&dz.keep.title=theirs", body.replace("New", "Mine").replace("version=1", "version=2"));
        location(fixture.member(post(&format!("/app/task_edit/{toms}"), &theirs)));
        let view = html(fixture.member(get(&format!("/app/task_view/{toms}"))), 200);
        assert!(view.contains("<h1>New</h1>"), "{view}");
    });
}

#[test]
fn a_row_is_deleted_after_confirmation() {
    testing::each_engine(|database| {
        let fixture = Fixture::new(database, 1);
        let id = fixture.task(0);
        let question = html(fixture.manager(get(&format!("/app/task_view/{id}/delete"))), 200);
        assert!(
            question.contains("Delete Task 001?") && question.contains("Its notes are deleted with it. This cannot be undone."),
            "{question}"
        );
        assert_eq!(status(fixture.member(get(&format!("/app/task_view/{id}/delete")))), 403);
        assert_eq!(status(fixture.member(post(&format!("/app/task_view/{id}/delete"), ""))), 403);
        let stale = html(fixture.manager(post(&format!("/app/task_view/{id}/delete"), "version=7")), 412);
        assert!(stale.contains("Not deleted"), "{stale}");
        assert_eq!(location(fixture.manager(post(&format!("/app/task_view/{id}/delete"), "version=1"))), "/app/task_list?done=deleted");
        assert_eq!(status(fixture.manager(get(&format!("/app/task_view/{id}")))), 404);
        assert_eq!(status(fixture.manager(get("/app/task_view/not-a-key"))), 404);
    });
}

#[test]
fn nested_rows_have_their_own_pages() {
    testing::each_engine(|database| {
        let fixture = Fixture::new(database, 1);
        for at in 0..13 {
            as_system(database, |tx| make(tx, NOTE, vec![(1, fixture.tasks[0].clone()), (2, text(&format!("Note {at:02}")))]));
        }
        let id = fixture.task(0);
        let view = html(fixture.manager(get(&format!("/app/task_view/{id}"))), 200);
        assert!(view.contains("id=\"task_view-notes-body\"") && view.contains("13 notes"), "{view}");
        assert!(view.contains(&format!("/app/note_create?task={id}")), "{view}");
        assert_eq!(view.matches("<tr id=\"task_view-notes-").count(), 10);
        let second = html(fixture.manager(exchange(&format!("/app/task_view/{id}?section=notes&page=2&page_size=10"))), 200);
        assert_eq!(second.matches("<tr id=\"task_view-notes-").count(), 3);
        assert!(second.contains("section=notes") && !second.contains("data-dz-region"), "{second}");
        assert_eq!(status(fixture.manager(exchange(&format!("/app/task_view/{id}?section=main")))), 404);
    });
}

#[test]
fn pickers_offer_visible_rows() {
    testing::each_engine(|database| {
        let fixture = Fixture::new(database, 3);
        let found = html(fixture.member(exchange("/app/-/pick/tasks?owner.q=task&id=owner")), 200);
        assert_eq!(found.matches("role=\"option\"").count(), 2, "{found}");
        assert!(found.contains("id=\"owner-o1\"") && found.contains(">Task 001<") && !found.contains("Task 002"), "{found}");
        assert_eq!(status(fixture.manager(get("/app/-/pick/nothing"))), 404);
    });
}
