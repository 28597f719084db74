//! The Rust code beside a declaration: shared values, names of hooks and subscribers, asynchronous subscribers, own commands.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use diesel::{Connection, RunQueryDsl, pg::PgConnection, sql_query, sqlite::SqliteConnection};
use dz::{
    Cx, Engine, Error, Event, Happened, Result, SystemCx,
    rocket::State,
    serde_json::{Value, json},
};

use crate::{client::Client, jobs::check_output_of, server, timed_transitions::eventually};

dz::dz! {
    app smithy "Smithy"

    persona smith "Smith"

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Nail "Nail":
      id: uuid pk
      name: str(60) required
      permit:
        list: true
        read: true
        create: true
        update: true
        delete: true

    entity Heard "Heard":
      id: int pk
      text: str(90) required
      permit:
        list: true
        read: true
        create: true

    demo:
      User:
        - name: "Sid", email: "sid@smithy.example", password: "strikes the iron", roles: [admin]
}

const SID: (&str, &str) = ("sid@smithy.example", "strikes the iron");

/// A client of another system, such as one for mail.
#[derive(Default)]
struct Post {
    sent: AtomicU32,
}

impl Post {
    fn send(&self) -> u32 {
        self.sent.fetch_add(1, Ordering::SeqCst) + 1
    }

    async fn send_later(&self) -> u32 {
        rocket::tokio::task::yield_now().await;
        self.send()
    }
}

fn hear(cx: &SystemCx, event: &Happened<nail::Nail>) -> Result<()> {
    write(cx, &format!("{} {}", event.event, event.row.name))
}

fn ignore(_: &SystemCx, _: &Happened<nail::Nail>) -> Result<()> {
    Ok(())
}

fn write(cx: &SystemCx, text: &str) -> Result<()> {
    cx.run(|tx| heard::NewHeard { id: None, text: text.to_owned() }.create(tx)).map(drop)
}

async fn mail(cx: SystemCx, event: Happened<nail::Nail>) -> Result<()> {
    let number = cx.state::<Post>()?.send_later().await;
    write(&cx, &format!("mail {number} about {}", event.row.name))
}

#[rocket::get("/sent")]
async fn sent(cx: Cx, post: &State<Arc<Post>>) -> Result<String> {
    Ok(format!("{} {}", cx.state::<Post>()?.sent.load(Ordering::SeqCst), post.sent.load(Ordering::SeqCst)))
}

fn heard(client: &Client) -> Vec<String> {
    let found = client.get("/api/heards?page_size=100&sort=id").ok(200).json();
    found["items"].as_array().into_iter().flatten().filter_map(|row| row["text"].as_str().map(str::to_owned)).collect()
}

fn texts(all: &[&str]) -> Vec<String> {
    all.iter().map(|text| (*text).to_owned()).collect()
}

macro_rules! on_both {
    ($($name:ident;)*) => {
        mod on_sqlite { $(#[test] fn $name() { super::$name(dz::Engine::Sqlite); })* }
        mod on_postgres { $(#[test] fn $name() { super::$name(dz::Engine::Postgres); })* }
    };
}

on_both! {
    shared_values_reach_hooks_subscribers_and_routes;
    an_error_of_a_hook_contains_its_name;
    pending_events_find_a_renamed_subscriber;
    pending_events_find_a_subscriber_in_another_order;
    own_commands_work_as_the_system;
    the_system_is_available_from_the_rocket;
}

fn shared_values_reach_hooks_subscribers_and_routes(engine: Engine) {
    let of = app()
        .manage(Post::default())
        .before_create::<nail::Nail>(|tx, new| {
            new.name = format!("{} {}", new.name, tx.state::<Post>()?.send());
            Ok(())
        })
        .after_update::<nail::Nail>(|tx, before, after| {
            let text = format!("{} becomes {}", before.name, after.name);
            heard::NewHeard { id: None, text }.create(tx).map(drop)
        })
        .on_async::<nail::Nail, _>(Event::Created, mail)
        .named("mail about nails")
        .mount("/", rocket::routes![sent]);
    let base = server::serve(of, engine, server::new_url(engine, "smithy_values"));
    let client = Client::signed_in(&base, SID);
    let nail = client.send("POST", "/api/nails", &json!({ "name": "Brad" })).ok(201).json();
    assert_eq!(nail["name"], "Brad 1");
    eventually(texts(&["mail 2 about Brad 1"]), || heard(&client));
    assert_eq!(client.get("/sent").ok(200).body, "2 2");
    let path = format!("/api/nails/{}", nail["id"].as_str().unwrap_or_default());
    client.send("PATCH", &path, &json!({ "name": "Tack" })).ok(200);
    assert_eq!(heard(&client), ["mail 2 about Brad 1", "Brad 1 becomes Tack"]);
}

fn an_error_of_a_hook_contains_its_name(engine: Engine) {
    let refuse = |cx: &SystemCx, name: &str| {
        let made = cx.run(|tx| nail::NewNail { id: None, name: name.to_owned() }.create(tx));
        made.expect_err("a refusal").internal.unwrap_or_default().to_string()
    };
    let of = app()
        .before_create::<nail::Nail>(|_, new| if new.name == "one" { Err(Error::internal("no iron")) } else { Ok(()) })
        .named("check the iron")
        .after_create::<nail::Nail>(|tx, row| if row.name == "two" { tx.state::<Post>().map(drop) } else { Ok(()) });
    let cx = of.engine(engine).database_url(server::new_url(engine, "smithy_names")).figment(server::figment(0)).system_cx();
    let cx = cx.expect("it starts");
    assert_eq!(refuse(&cx, "one"), "no iron (in the hook `check the iron`)");
    let missing = refuse(&cx, "two");
    assert!(missing.contains("add it with `app().manage(…)`") && missing.ends_with("(in the hook `Nail after_create 1`)"), "{missing}");
}

#[derive(diesel::QueryableByName)]
struct Named {
    #[diesel(sql_type = diesel::sql_types::Text)]
    subscriber: String,
}

/// The subscribers of pending events, after a statement.
fn subscribers(url: &str, statement: Option<&str>) -> Vec<String> {
    let select = "SELECT subscriber FROM dz_outbox ORDER BY seq";
    let names = |rows: Vec<Named>| rows.into_iter().map(|row| row.subscriber).collect();
    if let Some(file) = url.strip_prefix("sqlite://") {
        let mut conn = SqliteConnection::establish(file).expect("the file");
        if let Some(sql) = statement {
            sql_query(sql).execute(&mut conn).expect("a statement");
        }
        return names(sql_query(select).load(&mut conn).expect("events"));
    }
    let mut conn = PgConnection::establish(url).expect("the database");
    if let Some(sql) = statement {
        sql_query(sql).execute(&mut conn).expect("a statement");
    }
    names(sql_query(select).load(&mut conn).expect("events"))
}

fn pending_events_find_a_renamed_subscriber(engine: Engine) {
    let url = server::new_url(engine, "smithy_renamed");
    let base = server::serve_with(app().on::<nail::Nail>(Event::Created, hear), engine, url.clone(), json!({ "worker": false }));
    let client = Client::signed_in(&base, SID);
    let make = |name: &str| client.send("POST", "/api/nails", &json!({ "name": name })).ok(201).json();
    make("Brad");
    assert_eq!(subscribers(&url, None), ["Nail 1"], "the name does not depend on the function");
    // The first version stored the name of the function.
    let legacy = format!("Nail {}", std::any::type_name_of_val(&hear));
    let update = format!("UPDATE dz_outbox SET subscriber = '{legacy}'");
    assert_eq!(subscribers(&url, Some(&update)), [legacy]);
    make("Tack");
    let second = app().on::<nail::Nail>(Event::Created, hear).named("hear of nails").was("Nail 1");
    let cx = second.engine(engine).database_url(url.clone()).figment(server::figment(0)).system_cx();
    drop(cx.expect("it starts"));
    assert_eq!(subscribers(&url, None), ["hear of nails", "hear of nails"]);
    // Another function with another former name gets the events.
    let third = app().on::<nail::Nail>(Event::Created, hear).named("hear").was("hear of nails");
    let base = server::serve(third, engine, url.clone());
    let client = Client::signed_in(&base, SID);
    eventually(texts(&["created Brad", "created Tack"]), || heard(&client));
}

fn pending_events_find_a_subscriber_in_another_order(engine: Engine) {
    let url = server::new_url(engine, "smithy_order");
    let first = || app().on::<nail::Nail>(Event::Updated, ignore).on::<nail::Nail>(Event::Created, hear);
    let base = server::serve_with(first(), engine, url.clone(), json!({ "worker": false }));
    Client::signed_in(&base, SID).send("POST", "/api/nails", &json!({ "name": "Brad" })).ok(201);
    assert_eq!(subscribers(&url, None), ["Nail 1"]);
    // An earlier version numbered the functions.
    assert_eq!(subscribers(&url, Some("UPDATE dz_outbox SET subscriber = 'Nail 2'")), ["Nail 2"]);
    drop(first().engine(engine).database_url(url.clone()).figment(server::figment(0)).system_cx().expect("it starts"));
    assert_eq!(subscribers(&url, None), ["Nail 1"]);
    let second = app()
        .on::<nail::Nail>(Event::Deleted, ignore)
        .on::<nail::Nail>(Event::Created, ignore)
        .named("another one")
        .on::<nail::Nail>(Event::Created, hear)
        .on::<nail::Nail>(Event::Updated, ignore);
    let client = Client::signed_in(&server::serve(second, engine, url.clone()), SID);
    eventually(texts(&["created Brad"]), || heard(&client));
}

fn own_commands_work_as_the_system(engine: Engine) {
    let url = server::new_url(engine, "smithy_commands");
    check_output_of("extensions::child", &url, "import-legacy Brad Tack", true, &["imported 2"]);
    check_output_of("extensions::child", &url, "help", true, &["import-legacy ", "imports the nails of the old system"]);
    check_output_of("extensions::child", &url, "import-legacy", false, &["error: name a nail"]);
    check_output_of("extensions::child", &url, "import-legac", false, &["did you mean `import-legacy`?"]);
    let base = server::serve(app(), engine, url);
    let names: Vec<Value> = Client::signed_in(&base, SID).get("/api/nails?sort=name").ok(200).json()["items"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|row| row["name"].clone())
        .collect();
    assert_eq!(names, ["Brad", "Tack"]);
}

fn import(cx: &SystemCx, words: &[String]) -> Result<()> {
    if words.is_empty() {
        return Err(Error::bad_request("name a nail"));
    }
    cx.run(|tx| words.iter().try_for_each(|name| nail::NewNail { id: None, name: name.clone() }.create(tx).map(drop)))?;
    println!("imported {}", words.len());
    Ok(())
}

/// The program that the tests run: the command line of the application.
#[test]
#[ignore = "the tests start it in a process of its own"]
fn child() {
    server::obey(app().command("import-legacy", "imports the nails of the old system", import));
}

fn the_system_is_available_from_the_rocket(engine: Engine) {
    let app = app().engine(engine).database_url(server::new_url(engine, "smithy_rocket")).figment(server::figment(0));
    let rocket = app.rocket().expect("it starts");
    let cx = SystemCx::from_rocket(&rocket).expect("a Rocket of dz");
    write(&cx, "from outside").expect("a row");
    assert!(SystemCx::from_rocket(&rocket::build()).is_err());
}

#[test]
fn wrong_registrations_are_refused_at_the_start() {
    let refused = |app: dz::App, expected: &str| {
        let url = server::new_url(Engine::Sqlite, "smithy_refused");
        let refused = app.engine(Engine::Sqlite).database_url(url).figment(server::figment(0)).rocket();
        let detail = refused.err().map(|error| error.detail).unwrap_or_default();
        assert!(detail.contains(expected), "`{expected}` is not in: {detail}");
    };
    refused(app().every("0 6 * *", "report", |_| Ok(())), "the schedule `report`: `0 6 * *` is not a cron expression");
    refused(app().every_in("Europe/Berln", "0 6 * * *", "report", |_| Ok(())), "did you mean `Europe/Berlin`?");
    let twice = app().every("0 6 * * *", "report", |_| Ok(())).every("0 7 * * *", "report", |_| Ok(()));
    refused(twice, "two jobs or schedules are named `report`");
    refused(app().manage(1_u32).manage(2_u32), "the application manages two values of the type `u32`");
    refused(app().command("serve", "serves", |_, _| Ok(())), "`serve` is a command of dz");
    refused(app().command("two words", "", |_, _| Ok(())), "`two words` cannot be the name of a command");
    refused(app().named("lost"), "follows no hook and no subscriber");
    refused(app().was("lost"), "follows no subscriber");
    let same = app().on::<nail::Nail>(Event::Created, hear).named("same").on::<nail::Nail>(Event::Created, hear).named("same");
    refused(same, "two subscribers of the same event are named `same`");
    let unnamed = app().on::<nail::Nail>(Event::Created, hear).on::<nail::Nail>(Event::Created, |_, _| Ok(()));
    refused(
        unnamed,
        "two subscribers of `created` of `Nail` have no name: write `.named(\"…\").was(\"Nail 1\")` after the first one, and \
         `.named(\"…\").was(\"Nail 2\")` after the second one",
    );
}
