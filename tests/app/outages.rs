//! An application whose server is killed, and whose database fails: confirmed writes are kept, no write is partial, and every event is
//! delivered in order for each row.

use std::{
    collections::BTreeMap,
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::{Duration, Instant},
};

use diesel::connection::SimpleConnection;
use dz::{
    Cx, Engine, Event, Happened, SystemCx,
    serde_json::{Value, json},
};

use crate::{client::Client, server, timed_transitions::eventually};

dz::dz! {
    app steady "Steady"

    persona writer "Writer"

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Item "Item":
      id: uuid pk
      name: str(60) required unique
      step: int required = 0
      a: int required = 50
      b: int required = 50
      note: text
      status: enum[open, done, archived] = open
      transitions:
        open -> done
        done -> archived: auto after 1 second
      invariant: a + b = 100
        code: TORN
      permit:
        list: true
        read: true
        create: role(writer)
        update: role(writer)

    entity Twin "Twin":
      id: uuid pk
      item: ref Item required
      permit:
        list: true
        read: true
        create: role(writer)

    entity Heard "Heard":
      id: int pk
      item: str(60) required
      step: int required
      permit:
        list: true
        read: true

    demo:
      User:
        - name: "Will", email: "will@steady.example", password: "writes all day", roles: [writer]
}

const WRITER: (&str, &str) = ("will@steady.example", "writes all day");

fn hear(cx: &SystemCx, event: &Happened<item::Item>) -> dz::Result<()> {
    let (item, step) = (&event.row.name, event.row.step);
    cx.run(|tx| heard::NewHeard { id: None, item: item.clone(), step }.create(tx)).map(drop)
}

/// Sets a pragma of SQLite's writing connection: `PRAGMA name = value`.
#[rocket::post("/pragma/<name>/<value>")]
async fn pragma(cx: Cx, name: &str, value: i64) -> dz::Result<()> {
    let statement = format!("PRAGMA {name} = {value}");
    cx.run(move |tx| {
        tx.as_system("the tests make the database refuse", |conn| match conn.sqlite() {
            Some(sqlite) => sqlite.batch_execute(&statement).map_err(dz::Error::internal),
            None => Ok(()),
        })
    })
    .await
}

fn steady() -> dz::App {
    app()
        .before_update::<item::Item>(|_, row, changes| {
            changes.step = Some(row.step + 1);
            Ok(())
        })
        .after_create::<item::Item>(|tx, row| twin::NewTwin { id: None, item_id: row.id }.create(tx).map(drop))
        .on::<item::Item>(Event::Created, hear)
        .on::<item::Item>(Event::Updated, hear)
        .mount("/", rocket::routes![pragma])
}

/// The server that is killed: the program of the tests.
#[test]
#[ignore = "the tests start it in a process of its own"]
fn child() {
    let (Ok(url), Ok(port)) = (std::env::var("DZ_STEADY_URL"), std::env::var("DZ_STEADY_PORT")) else { return };
    let engine = if url.starts_with("sqlite") { Engine::Sqlite } else { Engine::Postgres };
    let figment = server::figment(port.parse().expect("a port"));
    let rocket = steady().engine(engine).database_url(url).figment(figment).rocket().unwrap_or_else(|error| panic!("{error}"));
    let _ = rocket::execute(rocket.launch());
}

struct Server {
    child: Child,
}

impl Server {
    fn start(url: &str, port: u16) -> Server {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.args(["outages::child", "--exact", "--ignored"]).env("DZ_STEADY_URL", url).env("DZ_STEADY_PORT", port.to_string());
        let child = command.stdout(Stdio::null()).spawn().expect("the server starts");
        let start = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(start.elapsed() < Duration::from_secs(60), "the server does not answer");
            thread::sleep(Duration::from_millis(10));
        }
        Server { child }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // SIGKILL ends the process immediately.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The confirmed writes of a server: the last step of each item.
type Confirmed = BTreeMap<String, i64>;

/// Writes until the server is killed, or for a time: creates an item, changes two fields together, and transitions it.
fn write(client: &Client, prefix: &str, until: impl Fn() -> bool) -> Confirmed {
    let mut confirmed = Confirmed::new();
    for n in 0..100_000 {
        if until() {
            break;
        }
        let name = format!("{prefix} {n}");
        let Some(made) = client.try_send("POST", "/api/items", &json!({ "name": name })) else { break };
        if made.status != 201 {
            assert_eq!(made.status, 503, "{}", made.body);
            assert!(made.header("retry-after").is_some(), "{made:?}");
            continue;
        }
        confirmed.insert(name.clone(), 0);
        let id = made.json()["id"].as_str().expect("an id").to_owned();
        let shift = json!({ "a": n % 90, "b": 100 - n % 90 });
        for (step, method, path, body) in
            [(1, "PATCH", format!("/api/items/{id}"), shift), (2, "POST", format!("/api/items/{id}/transitions/done"), json!({}))]
        {
            match client.try_send(method, &path, &body) {
                Some(answer) if answer.status == 200 => confirmed.insert(name.clone(), step),
                _ => break,
            };
        }
    }
    confirmed
}

fn all(client: &Client, path: &str) -> Vec<Value> {
    let mut rows = Vec::new();
    for page in 1.. {
        let answer = client.get(&format!("{path}?page_size=100&sort=id&page={page}")).ok(200).json();
        let items = answer["items"].as_array().expect("rows").clone();
        let last = items.len() < 100;
        rows.extend(items);
        if last {
            break;
        }
    }
    rows
}

/// Waits for the end of background work, whose amount depends on the machine.
#[track_caller]
fn wait_until<T: PartialEq + std::fmt::Debug>(expected: T, found: impl Fn() -> T) {
    let (mut last, mut since) = (found(), Instant::now());
    while last != expected {
        assert!(since.elapsed() < Duration::from_secs(30), "{last:?} stays, and does not become {expected:?}");
        // Polling takes processor time from the worker.
        thread::sleep(Duration::from_millis(200));
        let now = found();
        if now != last {
            (last, since) = (now, Instant::now());
        }
    }
}

/// Checks all properties after the background work; returns the number of items, of deliveries, and of repeated deliveries.
fn check(client: &Client, confirmed: &Confirmed) -> (usize, usize, usize) {
    let total = |path: &str| client.get(path).ok(200).json()["total"].as_u64().expect("a total");
    wait_until(0, || total("/api/items?status=done"));
    let items = all(client, "/api/items");
    let steps: BTreeMap<&str, i64> =
        items.iter().map(|row| (row["name"].as_str().expect("a name"), row["step"].as_i64().expect("a step"))).collect();
    for (name, step) in confirmed {
        let stored = steps.get(name.as_str()).unwrap_or_else(|| panic!("{name} was confirmed and is lost"));
        assert!(stored >= step, "{name} is at step {stored}, and {step} was confirmed");
    }
    for row in &items {
        assert_eq!(row["a"].as_i64().zip(row["b"].as_i64()).map(|(a, b)| a + b), Some(100), "{row}");
        assert_eq!(row["status"] == "archived", row["step"] == 3, "{row}");
    }
    assert_eq!(total("/api/twins"), items.len() as u64, "a write and what its hook writes are there together");
    let wanted: usize = steps.values().map(|step| usize::try_from(step + 1).expect("a step")).sum();
    let once = |heard: &[Value]| {
        let mut first: BTreeMap<String, Vec<i64>> = BTreeMap::new();
        for row in heard {
            let seen = first.entry(row["item"].as_str().expect("an item").to_owned()).or_default();
            let step = row["step"].as_i64().expect("a step");
            if !seen.contains(&step) {
                seen.push(step);
            }
        }
        first
    };
    wait_until(wanted, || once(&all(client, "/api/heards")).values().map(Vec::len).sum());
    let heard = all(client, "/api/heards");
    for (name, seen) in once(&heard) {
        assert_eq!(seen, (0..=steps[name.as_str()]).collect::<Vec<_>>(), "the order in which the events of {name} were heard");
    }
    (items.len(), heard.len(), heard.len() - wanted)
}

/// Kills the server repeatedly for some seconds; `DZ_KILL_SECONDS` sets a longer time.
fn kill_repeatedly(engine: Engine) {
    let seconds = std::env::var("DZ_KILL_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(8);
    let url = server::new_url(engine, "steady");
    let port = std::net::TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a port").port();
    let base = format!("http://127.0.0.1:{port}");
    let mut server = Server::start(&url, port);
    let cookie = Client::signed_in(&base, WRITER).cookie;
    let client = || Client { cookie: cookie.clone(), ..Client::new(&base) };
    let (start, mut kills, mut confirmed) = (Instant::now(), 0, Confirmed::new());
    while start.elapsed() < Duration::from_secs(seconds) {
        let writers: Vec<_> = (0..3)
            .map(|writer| {
                let client = client();
                thread::spawn(move || write(&client, &format!("{kills} {writer}"), || false))
            })
            .collect();
        thread::sleep(Duration::from_millis(300 + kills * 379 % 900));
        drop(server);
        kills += 1;
        writers.into_iter().for_each(|writer| confirmed.extend(writer.join().expect("the writer ends")));
        server = Server::start(&url, port);
    }
    assert!(confirmed.len() > 10, "{} writes are too few to tell", confirmed.len());
    let (items, heard, twice) = check(&client(), &confirmed);
    println!("{engine:?}: {kills} kills, {} items confirmed, {items} there, {heard} events heard, {twice} of them again", confirmed.len());
}

#[test]
fn killed_on_sqlite() {
    kill_repeatedly(Engine::Sqlite);
}

#[test]
fn killed_on_postgres() {
    kill_repeatedly(Engine::Postgres);
}

#[test]
fn the_application_recovers_when_the_database_returns() {
    let url = server::new_database("away");
    let (server, name) = url.rsplit_once('/').expect("an address with a database");
    let target = server.rsplit_once('@').map_or(server, |(_, host)| host).trim_start_matches("postgres://");
    let user = server.rsplit_once('@').map_or("", |(user, _)| user.trim_start_matches("postgres://"));
    let between = crate::proxy::Proxy::start(target);
    let base = server::serve(steady(), Engine::Postgres, format!("postgres://{user}@127.0.0.1:{}/{name}", between.port));
    let client = Client::signed_in(&base, WRITER);
    static ROUND: AtomicU64 = AtomicU64::new(0);
    static TRIED: AtomicU64 = AtomicU64::new(0);
    let wait_for_writes = || {
        let (before, start) = (TRIED.load(Ordering::SeqCst), std::time::Instant::now());
        while TRIED.load(Ordering::SeqCst) < before + 8 {
            assert!(start.elapsed() < Duration::from_secs(300), "the writer makes no progress");
            thread::sleep(Duration::from_millis(20));
        }
    };
    let again = || Client { cookie: client.cookie.clone(), ..Client::new(&base) };
    let writer = {
        let client = again();
        thread::spawn(move || {
            write(&client, "through", || {
                TRIED.fetch_add(1, Ordering::SeqCst);
                ROUND.load(Ordering::SeqCst) == 1
            })
        })
    };
    wait_for_writes();
    between.cut();
    let refused = client.send("POST", "/api/items", &json!({ "name": "away" }));
    refused.problem(503, "UNAVAILABLE");
    assert!(refused.header("retry-after").is_some());
    client.get("/api/items").problem(503, "UNAVAILABLE");
    between.mend();
    eventually(201, || client.send("POST", "/api/items", &json!({ "name": format!("back {}", uuid()) })).status);
    wait_for_writes();
    ROUND.store(1, Ordering::SeqCst);
    let confirmed = writer.join().expect("the writer ends");
    assert!(confirmed.len() > 10, "{} writes are too few to tell", confirmed.len());
    let (items, heard, twice) = check(&client, &confirmed);
    println!("away: {} items confirmed, {items} there, {heard} events heard, {twice} of them again", confirmed.len());
}

fn uuid() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::SeqCst).to_string()
}

#[test]
fn a_database_that_is_read_only_after_a_failover_is_reported() {
    use diesel::{Connection as _, RunQueryDsl as _, pg::PgConnection, sql_query};

    let url = server::new_database("failover");
    let client = Client::signed_in(&server::serve(steady(), Engine::Postgres, url.clone()), WRITER);
    client.send("POST", "/api/items", &json!({ "name": "before" })).ok(201);
    let (_, name) = url.rsplit_once('/').expect("an address with a database");
    // A connection to another database of the server, which accepts changes.
    let server = std::env::var("DZ_TEST_POSTGRES").expect("the server of the tests");
    let mut admin = PgConnection::establish(&server).expect("the server answers");
    let mut run = |sql: String| {
        sql_query(&sql).execute(&mut admin).unwrap_or_else(|error| panic!("{sql}: {error}"));
    };
    run(format!("ALTER DATABASE \"{name}\" SET default_transaction_read_only = on"));
    run(format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"));
    let refused = || client.send("POST", "/api/items", &json!({ "name": format!("during {}", uuid()) }));
    // The first requests can find the connections that have ended.
    eventually(true, || refused().body.contains("accepts no changes now"));
    let answer = refused();
    assert!(answer.header("retry-after").is_some());
    answer.problem(503, "UNAVAILABLE");
    answer_names_the_cause(&answer.body);
    eventually(200, || client.get("/api/items").status);
    let health = || {
        let ready = client.get("/health/ready");
        (ready.status, ready.json()["database"].as_str().map(str::to_owned))
    };
    // Reading continues, so that the instance is ready.
    eventually((200, Some("read-only".to_owned())), health);
    run(format!("ALTER DATABASE \"{name}\" RESET default_transaction_read_only"));
    // The connections that were refused are opened again, although none of them broke.
    eventually(201, || refused().status);
    eventually((200, Some("ok".to_owned())), health);
}

#[track_caller]
fn answer_names_the_cause(body: &str) {
    assert!(body.contains("it is read-only, for example after a failover to a replica"), "{body}");
}

#[test]
fn a_full_or_read_only_disk_is_reported() {
    let base = server::serve(steady(), Engine::Sqlite, server::new_file("full"));
    let client = Client::signed_in(&base, WRITER);
    let mut confirmed = Confirmed::new();
    for (n, (pragma, refuses, allows)) in [("max_page_count", 1, 1 << 30), ("query_only", 1, 0)].into_iter().enumerate() {
        let set = |value: i64| client.request("POST", &format!("/pragma/{pragma}/{value}"), &[("Sec-Fetch-Site", "same-origin")], b"");
        let long = "a long note ".repeat(2_000);
        let mut refused = None;
        for more in 0..50 {
            // The worker writes too: after its refused write, the next request gets a connection with the default settings.
            let said = set(refuses);
            let name = format!("{pragma} {n} {more}");
            let answer = if said.status == 200 { client.send("POST", "/api/items", &json!({ "name": name, "note": long })) } else { said };
            if answer.status != 201 {
                refused = Some(answer);
                break;
            }
            confirmed.insert(name, 0);
        }
        let refused = refused.expect("the database refuses");
        refused.shows(&["accepts no changes now"]);
        refused.problem(503, "UNAVAILABLE");
        assert!(refused.header("retry-after").is_some());
        client.get("/api/items").ok(200);
        set(allows).ok(200);
        let name = format!("{pragma} {n} again");
        eventually(201, || client.send("POST", "/api/items", &json!({ "name": name, "note": long })).status);
        confirmed.insert(name, 0);
    }
    check(&client, &confirmed);
}
