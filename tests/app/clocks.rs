//! Instances whose clocks differ by more than a minute: on PostgreSQL the clock of the server decides.

use std::{
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

use chrono::{DateTime, TimeDelta, Utc};
use diesel::{Connection, RunQueryDsl, pg::PgConnection, sql_query};
use dz::{
    Clock, Engine, Job, JobCx, Result, Tx,
    serde::{Deserialize, Serialize},
    serde_json::{Value, json},
};

use crate::{client::Client, replicas::cluster::wait_for, server};

dz::dz! {
    app tideclock "Tide clock"

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Gauge "Gauge":
      id: uuid pk
      name: str(60) required
      read_at: datetime auto_add
      state: enum[wet, dry] = wet
      transitions:
        wet -> dry: auto after 6 seconds
      permit:
        list: true
        read: true
        create: true

    demo:
      User:
        - name: "Tove", email: "tove@tides.example", password: "waits for low water", roles: [admin]
}

const TOVE: (&str, &str) = ("tove@tides.example", "waits for low water");
/// How far the clocks of the two instances differ from that of the server.
const MINUTES: i64 = 2;

/// Runs of the job, and whether they may end.
static RUNS: AtomicU32 = AtomicU32::new(0);
static ENDS: AtomicBool = AtomicBool::new(false);

/// A job that lasts until the test ends it.
#[derive(Serialize, Deserialize)]
#[serde(crate = "dz::serde")]
struct Measure;

impl Job for Measure {
    const NAME: &'static str = "measure";
}

fn measure(_: &JobCx, _: Measure) -> Result<()> {
    RUNS.fetch_add(1, Ordering::SeqCst);
    let start = Instant::now();
    while !ENDS.load(Ordering::SeqCst) && start.elapsed() < Duration::from_secs(300) {
        thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

fn tideclock() -> dz::App {
    let enqueue = |tx: &mut Tx<'_>, row: &gauge::Gauge| if row.name == "Measured" { tx.spawn_job(&Measure).map(drop) } else { Ok(()) };
    app().job(measure).after_create::<gauge::Gauge>(enqueue)
}

/// Two instances on one database: the clock of the first is ahead, that of the second is behind.
struct Tides {
    url: String,
    ahead: String,
    behind: String,
}

impl Tides {
    fn start(of: &str) -> Tides {
        let url = server::new_url(Engine::Postgres, of);
        let serve =
            |minutes: i64| server::serve(tideclock().clock(Clock::ahead(TimeDelta::minutes(minutes))), Engine::Postgres, url.clone());
        let (ahead, behind) = (serve(MINUTES), serve(-MINUTES));
        Tides { url, ahead, behind }
    }

    fn connect(&self) -> PgConnection {
        PgConnection::establish(&self.url).expect("the server answers")
    }

    #[track_caller]
    fn run(&self, sql: &str) {
        sql_query(sql).execute(&mut self.connect()).unwrap_or_else(|error| panic!("{sql}: {error}"));
    }

    /// The time of the server.
    fn now(&self) -> DateTime<Utc> {
        #[derive(diesel::QueryableByName)]
        struct Now {
            #[diesel(sql_type = diesel::sql_types::BigInt)]
            micros: i64,
        }
        let select = sql_query("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS micros");
        let now = select.get_result::<Now>(&mut self.connect()).expect("a time");
        DateTime::from_timestamp_micros(now.micros).expect("a time")
    }
}

fn time(value: &Value) -> DateTime<Utc> {
    value.as_str().and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{value} is not a time"))
}

/// The same session at another instance.
fn at(base: &str, client: &Client) -> Client {
    Client { cookie: client.cookie.clone(), ..Client::new(base) }
}

#[test]
fn times_and_sessions_follow_the_clock_of_the_server() {
    let tides = Tides::start("tides");
    let started = tides.now();
    let ahead = Client::signed_in(&tides.ahead, TOVE);
    let behind = at(&tides.behind, &ahead);
    // What an instance writes has the time of the server, to the precision of the correction.
    let precision = TimeDelta::seconds(20);
    for client in [&ahead, &behind] {
        let before = tides.now();
        let written = client.send("POST", "/api/gauges", &json!({ "name": "Pier" })).ok(201).json();
        let written = time(&written["read_at"]);
        assert!(before - precision < written && written < tides.now() + precision, "{written}");
        let sessions = client.get("/auth/sessions").ok(200).json();
        let begun = time(&sessions["items"][0]["created_at"]);
        assert!(started - precision < begun && begun < tides.now() + precision, "{begun}");
    }
    // A session that is valid for less than the difference between the clocks is valid at each instance, and one that has ended at none.
    let expires = |seconds: i64| {
        tides.run(&format!("UPDATE dz_sessions SET expires_at = now() AT TIME ZONE 'UTC' + interval '{seconds} seconds'"));
    };
    expires(60);
    ahead.get("/auth/me").ok(200);
    behind.get("/auth/me").ok(200);
    expires(-60);
    ahead.get("/auth/me").problem(401, "AUTHENTICATION_REQUIRED");
    behind.get("/auth/me").problem(401, "AUTHENTICATION_REQUIRED");
}

#[test]
fn failed_sign_ins_are_delayed_by_the_clock_of_the_server() {
    let tides = Tides::start("tides_throttle");
    let sign_in = |base: &str| Client::new(base).send("POST", "/auth/login", &json!({ "email": TOVE.0, "password": "not this one" }));
    for n in 0..5 {
        assert_eq!(sign_in(if n % 2 == 0 { &tides.ahead } else { &tides.behind }).status, 401, "attempt {n}");
    }
    for base in [&tides.behind, &tides.ahead] {
        let delayed = sign_in(base);
        delayed.problem(429, "RATE_LIMIT");
        let seconds: u64 = delayed.header("retry-after").and_then(|text| text.parse().ok()).expect("seconds");
        assert!(seconds <= 2, "{seconds}");
    }
    for base in [&tides.behind, &tides.ahead] {
        wait_for("the delay ends", || sign_in(base).status == 401);
    }
}

#[test]
fn timed_transitions_happen_by_the_clock_of_the_server() {
    let tides = Tides::start("tides_timers");
    let ahead = Client::signed_in(&tides.ahead, TOVE);
    let behind = at(&tides.behind, &ahead);
    for client in [&ahead, &behind] {
        let started = tides.now();
        let gauge = client.send("POST", "/api/gauges", &json!({ "name": "Lock" })).ok(201).json();
        let path = format!("/api/gauges/{}", gauge["id"].as_str().expect("a key"));
        wait_for("the transition", || ahead.get(&path).ok(200).json()["state"] == "dry");
        // By their own clocks, the instances would differ by minutes: one at once, the other one long afterwards.
        assert!(tides.now() - started > TimeDelta::seconds(5), "it is too early");
    }
}

#[test]
fn a_running_job_is_not_taken_over_by_an_instance_whose_clock_is_ahead() {
    let tides = Tides::start("tides_jobs");
    let client = Client::signed_in(&tides.behind, TOVE);
    client.send("POST", "/api/gauges", &json!({ "name": "Measured" })).ok(201);
    wait_for("the job runs", || RUNS.load(Ordering::SeqCst) == 1);
    // Both instances look for work while it runs: each does the work that becomes due after it.
    for n in 0..4 {
        let base = if n % 2 == 0 { &tides.ahead } else { &tides.behind };
        let gauge = at(base, &client).send("POST", "/api/gauges", &json!({ "name": "Lock" })).ok(201).json();
        let path = format!("/api/gauges/{}", gauge["id"].as_str().expect("a key"));
        wait_for("the transition", || client.get(&path).ok(200).json()["state"] == "dry");
    }
    assert_eq!(RUNS.load(Ordering::SeqCst), 1, "the lease of the running job is valid");
    ENDS.store(true, Ordering::SeqCst);
    wait_for("the job has ended", || {
        let system = client.request("GET", "/app/-/system", &[("Accept", "application/json")], b"").ok(200).json();
        system["jobs"]["running"].as_i64().unwrap_or_default() == 0
    });
    assert_eq!(RUNS.load(Ordering::SeqCst), 1);
}
