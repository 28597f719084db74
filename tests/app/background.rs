//! Jobs and schedules of an application: stored with their transaction, repeated after failures, run once by several instances.

use std::{
    thread,
    time::{Duration, Instant},
};

use chrono::TimeDelta;
use dz::{
    Clock, Cx, Engine, Error, Job, JobCx, JobOptions, Result, SystemCx,
    serde::{Deserialize, Serialize},
    serde_json::{Value, json},
};

use crate::{client::Client, jobs::eventually_slowly, server, timed_transitions::eventually};

dz::dz! {
    app bakery "Bakery":
      timezone: "Europe/Berlin"

    persona baker "Baker"

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Note "Note":
      id: int pk
      text: str(80) required
      permit:
        list: true
        read: true

    demo:
      User:
        - name: "Bea", email: "bea@bakery.example", password: "kneads the dough", roles: [admin]
        - name: "Ben", email: "ben@bakery.example", password: "sells the bread", roles: [baker]
}

const BEA: (&str, &str) = ("bea@bakery.example", "kneads the dough");
const BEN: (&str, &str) = ("ben@bakery.example", "sells the bread");

/// Bakes a loaf, in this many milliseconds.
#[derive(Serialize, Deserialize)]
#[serde(crate = "dz::serde")]
struct Bake {
    loaf: String,
    millis: u64,
}

impl Job for Bake {
    const NAME: &'static str = "bake";

    fn unique_key(&self) -> Option<String> {
        self.loaf.starts_with("only").then(|| self.loaf.clone())
    }
}

/// The same job with a payload of another form, as an earlier version could have stored it.
#[derive(Serialize, Deserialize)]
#[serde(crate = "dz::serde")]
struct OldBake {
    loaf: u32,
}

impl Job for OldBake {
    const NAME: &'static str = "bake";
}

/// Fails in its first attempts: it panics in the first one.
#[derive(Serialize, Deserialize)]
#[serde(crate = "dz::serde")]
struct Burn {
    failures: u32,
}

impl Job for Burn {
    const NAME: &'static str = "burn";
    const MAX_ATTEMPTS: u32 = 3;

    fn retry_delay(failures: u32) -> TimeDelta {
        TimeDelta::minutes(10 * i64::from(failures))
    }
}

fn note(cx: &SystemCx, text: &str) -> Result<()> {
    cx.run(|tx| note::NewNote { id: None, text: text.to_owned() }.create(tx)).map(drop)
}

fn bake(cx: &JobCx, bake: Bake) -> Result<()> {
    cx.progress(1, 2, "in the oven")?;
    note(cx, &format!("begins {} {}", bake.loaf, cx.attempt()))?;
    // Ends early if the job is cancelled.
    let start = Instant::now();
    while start.elapsed() < Duration::from_millis(bake.millis) {
        thread::sleep(Duration::from_millis((bake.millis / 4).clamp(20, 1_000)));
        cx.progress(1, 2, "in the oven")?;
    }
    cx.progress(2, 2, "baked")?;
    note(cx, &format!("baked {}", bake.loaf))
}

fn burn(cx: &JobCx, burn: Burn) -> Result<()> {
    assert!(cx.attempt() > 1, "the oven is too hot");
    if cx.attempt() <= burn.failures { Err(Error::internal("the bread is black")) } else { note(cx, "not burnt") }
}

#[rocket::post("/bake/<loaf>/<millis>?<priority>")]
async fn order(cx: Cx, loaf: String, millis: u64, priority: Option<i32>) -> Result<String> {
    let options = JobOptions { priority, ..JobOptions::default() };
    cx.run(move |tx| tx.spawn_job_with(&Bake { loaf: loaf.clone(), millis }, options.clone()))
        .await
        .map(|job| format!("{} {}", job.id, job.is_new))
}

/// Stores a job, and then refuses the request.
#[rocket::post("/refuse/<loaf>")]
async fn refuse(cx: Cx, loaf: String) -> Result<String> {
    cx.run(move |tx| {
        tx.spawn_job(&Bake { loaf: loaf.clone(), millis: 0 })?;
        Err(Error::forbidden("the shop is closed"))
    })
    .await
}

#[rocket::post("/burn/<failures>")]
async fn order_burn(cx: Cx, failures: u32) -> Result<String> {
    cx.spawn_job(Burn { failures }).await.map(|job| job.id.to_string())
}

#[rocket::post("/old/<loaf>")]
async fn order_old(cx: Cx, loaf: u32) -> Result<String> {
    cx.spawn_job(OldBake { loaf }).await.map(|job| job.id.to_string())
}

fn bakery() -> dz::App {
    app().job(bake).job(burn).mount("/", rocket::routes![order, refuse, order_burn, order_old])
}

/// The program that the tests run: the command line of the application.
#[test]
#[ignore = "the tests start it in a process of its own"]
fn child() {
    server::obey(bakery());
}

const PROGRAM: &str = "background::child";

/// Runs a command; returns its output and whether it succeeded.
fn run_command(url: &str, words: &str) -> (String, bool) {
    let engine = if url.starts_with("sqlite") { Engine::Sqlite } else { Engine::Postgres };
    let words: Vec<&str> = words.split_whitespace().collect();
    let output = server::command(PROGRAM, engine, url, &words).output().expect("it runs");
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (text, output.status.success())
}

/// The JSON that a command prints; the test harness prints lines of its own.
#[track_caller]
fn json_of(url: &str, words: &str) -> Value {
    let (text, succeeds) = run_command(url, words);
    assert!(succeeds, "{text}");
    let line = text.lines().find_map(|line| line.find("{\"").map(|at| &line[at..])).unwrap_or_else(|| panic!("no JSON in {text}"));
    dz::serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
}

#[track_caller]
fn check_refusal(url: &str, words: &str, expected: &str) {
    let (text, succeeds) = run_command(url, words);
    assert!(!succeeds && text.contains(expected), "`{expected}` is not in:\n{text}");
}

fn notes(client: &Client) -> Vec<String> {
    let found = client.get("/api/notes?page_size=100&sort=id").ok(200).json();
    found["items"].as_array().into_iter().flatten().filter_map(|note| note["text"].as_str().map(str::to_owned)).collect()
}

fn jobs(client: &Client) -> Vec<Value> {
    let found = client.request("GET", "/app/-/jobs", &[("Accept", "application/json")], b"").ok(200).json();
    found["jobs"].as_array().cloned().unwrap_or_default()
}

fn job(client: &Client, id: &str) -> Value {
    jobs(client).into_iter().find(|job| job["id"] == id).unwrap_or_else(|| panic!("there is no job {id}"))
}

/// Stores a job; returns its id.
fn spawn(client: &Client, path: &str) -> String {
    let answer = client.send("POST", path, &json!({})).ok(200).body;
    answer.split(' ').next().unwrap_or_default().to_owned()
}

macro_rules! on_both {
    ($($name:ident;)*) => {
        mod on_sqlite { $(#[test] fn $name() { super::$name(dz::Engine::Sqlite); })* }
        mod on_postgres { $(#[test] fn $name() { super::$name(dz::Engine::Postgres); })* }
    };
}

on_both! {
    a_job_is_part_of_its_transaction;
    a_failed_job_is_repeated_after_its_delay;
    a_poisoned_payload_is_a_dead_letter;
    jobs_with_one_key_are_one_job_and_priorities_decide;
    administrators_see_retry_and_cancel_jobs;
    the_command_line_lists_retries_and_cancels;
    two_instances_run_each_job_once;
    another_instance_takes_over_the_job_of_a_killed_one;
    a_paused_instance_that_continues_has_lost_its_job;
    a_schedule_runs_once_for_each_time_and_for_all_instances;
    missed_times_are_one_run;
}

fn a_job_is_part_of_its_transaction(engine: Engine) {
    let base = server::serve(bakery(), engine, server::new_url(engine, "bakery_tx"));
    let client = Client::signed_in(&base, BEA);
    client.send("POST", "/refuse/Rye", &json!({})).problem(403, "FORBIDDEN");
    let id = spawn(&client, "/bake/Oat/0");
    eventually(json!("done"), || job(&client, &id)["status"].clone());
    assert_eq!(notes(&client), ["begins Oat 1", "baked Oat"]);
    let all = jobs(&client);
    assert_eq!(all.len(), 1, "a rolled back transaction leaves no job: {all:?}");
    assert_eq!((&all[0]["progress"], &all[0]["attempts"]), (&json!({ "done": 2, "total": 2, "note": "baked" }), &json!(1)));
    assert_eq!(all[0]["payload"], json!({ "loaf": "Oat", "millis": 0 }));
}

fn a_failed_job_is_repeated_after_its_delay(engine: Engine) {
    let clock = Clock::stopped("2026-05-04T08:00:00Z".parse().expect("a time"));
    let base = server::serve(bakery().clock(clock.clone()), engine, server::new_url(engine, "bakery_delay"));
    let client = Client::signed_in(&base, BEA);
    let (good, bad) = (spawn(&client, "/burn/2"), spawn(&client, "/burn/9"));
    let state = |id: &str| {
        let job = job(&client, id);
        (job["status"].clone(), job["attempts"].clone(), job["run_at"].clone())
    };
    eventually((json!("queued"), json!(1), json!("2026-05-04T08:10:00Z")), || state(&good));
    assert!(job(&client, &good)["error"].as_str().is_some_and(|error| error.contains("panic: the oven is too hot")));
    clock.advance(TimeDelta::minutes(9));
    thread::sleep(Duration::from_millis(300));
    assert_eq!(state(&good).1, 1, "it waits for its delay");
    clock.advance(TimeDelta::minutes(1));
    eventually((json!("queued"), json!(2), json!("2026-05-04T08:30:00Z")), || state(&good));
    assert_eq!(job(&client, &good)["error"], "the bread is black");
    clock.advance(TimeDelta::minutes(20));
    eventually(json!("done"), || state(&good).0);
    eventually((json!("dead"), json!(3)), || (state(&bad).0, state(&bad).1));
    assert_eq!(notes(&client), ["not burnt"]);
    // A dead letter does not expire; other jobs are removed after seven days.
    clock.advance(TimeDelta::days(7));
    let client = Client::signed_in(&base, BEA);
    eventually(vec![json!(bad)], || jobs(&client).into_iter().map(|job| job["id"].clone()).collect::<Vec<_>>());
}

fn a_poisoned_payload_is_a_dead_letter(engine: Engine) {
    let base = server::serve(bakery(), engine, server::new_url(engine, "bakery_poison"));
    let client = Client::signed_in(&base, BEA);
    let id = spawn(&client, "/old/7");
    eventually(json!("dead"), || job(&client, &id)["status"].clone());
    let found = job(&client, &id);
    assert_eq!(found["attempts"], 1, "no attempt can change it");
    assert!(found["error"].as_str().is_some_and(|error| error.contains("the payload of the job `bake` cannot be read")), "{found}");
    // The other jobs are not affected.
    let next = spawn(&client, "/bake/Oat/0");
    eventually(json!("done"), || job(&client, &next)["status"].clone());
}

/// Runs the jobs that are due by the command line; returns how many.
fn run_jobs(url: &str) -> Value {
    let work = json_of(url, "jobs run --format json")["work"].clone();
    work.as_array().into_iter().flatten().find(|kind| kind["kind"] == "jobs done").cloned().unwrap_or_default()
}

fn jobs_with_one_key_are_one_job_and_priorities_decide(engine: Engine) {
    let url = server::new_url(engine, "bakery_keys");
    let base = server::serve_with(bakery(), engine, url.clone(), json!({ "worker": false }));
    let client = Client::signed_in(&base, BEA);
    let first = client.send("POST", "/bake/only-one/0", &json!({})).ok(200).body;
    let second = client.send("POST", "/bake/only-one/0", &json!({})).ok(200).body;
    assert!(
        first.ends_with(" true") && second.ends_with(" false") && first.split(' ').next() == second.split(' ').next(),
        "{first} {second}"
    );
    spawn(&client, "/bake/late/0?priority=-5");
    spawn(&client, "/bake/first/0?priority=5");
    assert_eq!(run_jobs(&url), json!({ "kind": "jobs done", "done": 3, "postponed": 0 }));
    let baked: Vec<String> = notes(&client).into_iter().filter(|text| text.starts_with("baked")).collect();
    assert_eq!(baked, ["baked first", "baked only-one", "baked late"]);
    // The key is free after the end of the job.
    assert!(client.send("POST", "/bake/only-one/0", &json!({})).ok(200).body.ends_with(" true"));
}

fn administrators_see_retry_and_cancel_jobs(engine: Engine) {
    let base = server::serve(bakery(), engine, server::new_url(engine, "bakery_page"));
    let client = Client::signed_in(&base, BEA);
    let id = spawn(&client, "/bake/Rye/20000");
    eventually(json!("running"), || job(&client, &id)["status"].clone());
    let page = client.get("/app/-/jobs").ok(200);
    page.shows(&[
        &format!("data-dz-job=\"{id}\" data-dz-status=\"running\""),
        "in the oven",
        "1 of 2",
        "<progress max=\"2\" value=\"1\"",
        "href=\"/app/-/jobs\"",
    ]);
    let cancelled = client.form(&format!("/app/-/jobs/{id}/cancel"), &[]);
    assert_eq!((cancelled.status, cancelled.header("location")), (303, Some("/app/-/jobs?done=cancel")));
    client.get("/app/-/jobs?done=cancel").ok(200).shows(&["The job is cancelled."]);
    // The handler ends at its next report of progress, and its result is ignored.
    thread::sleep(Duration::from_millis(300));
    assert_eq!(job(&client, &id)["status"], "cancelled");
    assert_eq!(notes(&client), ["begins Rye 1"]);
    client.send("POST", &format!("/app/-/jobs/{id}/cancel"), &json!({})).problem(409, "CONFLICT");
    let again = client.send("POST", &format!("/app/-/jobs/{id}/retry"), &json!({})).ok(200).json();
    assert_eq!((&again["status"], &again["attempts"]), (&json!("queued"), &json!(0)));
    client.send("POST", &format!("/app/-/jobs/{id}/cancel"), &json!({})).ok(200);
    client.get("/app/-/jobs?status=cancelled").ok(200).shows(&[&id]);
    client.get("/app/-/jobs?status=dead").ok(200).shows(&["No job has this status."]);
    client.send("POST", "/app/-/jobs/00000000-0000-0000-0000-000000000000/retry", &json!({})).problem(404, "NOT_FOUND");
    client.get("/admin/audit?action=job_cancel").ok(200).shows(&[&id, "bake"]);
    // Others see nothing of it.
    let ben = Client::signed_in(&base, BEN);
    assert_eq!(ben.get("/app/-/jobs").status, 403);
    ben.send("POST", &format!("/app/-/jobs/{id}/retry"), &json!({})).problem(403, "FORBIDDEN");
    ben.get("/app/-/account").ok(200).lacks(&["/app/-/jobs"]);
}

fn the_command_line_lists_retries_and_cancels(engine: Engine) {
    let url = server::new_url(engine, "bakery_commands");
    let base = server::serve_with(bakery(), engine, url.clone(), json!({ "worker": false }));
    let client = Client::signed_in(&base, BEA);
    let (rye, old) = (spawn(&client, "/bake/Rye/0"), spawn(&client, "/old/7"));
    assert_eq!(json_of(&url, &format!("jobs cancel {rye} --format json"))["status"], "cancelled");
    assert_eq!(run_jobs(&url)["postponed"], 1);
    let listed = json_of(&url, "jobs list --format json");
    let states: Vec<_> = listed["jobs"].as_array().into_iter().flatten().map(|job| (&job["id"], &job["status"])).collect();
    assert_eq!(states, [(&json!(old), &json!("dead")), (&json!(rye), &json!("cancelled"))]);
    assert_eq!(json_of(&url, "jobs list --status dead --format json")["jobs"].as_array().map(Vec::len), Some(1));
    let (text, _) = run_command(&url, "jobs list");
    assert!(text.contains("dead") && text.contains("1 of 16 attempts: the payload") && text.contains("2 jobs"), "{text}");
    assert_eq!(json_of(&url, "jobs retry all --format json"), json!({ "queued": 1 }));
    assert_eq!(json_of(&url, &format!("jobs retry {rye} --format json")), json!({ "queued": 1 }));
    check_refusal(&url, &format!("jobs retry {rye}"), "is queued; only dead letters and cancelled jobs are repeated");
    check_refusal(&url, "jobs cancel 00000000-0000-0000-0000-000000000000", "there is no job");
    check_refusal(&url, "jobs retry nothing", "`nothing` is not a job");
    check_refusal(&url, "jobs list --status ded", "did you mean `dead`?");
    check_refusal(&url, "jobs", "`jobs` needs `run`");
    let (text, _) = run_command(&url, "jobs run");
    assert!(text.contains("1 job done, 1 put off"), "{text}");
}

/// The application in a process of its own.
fn start(url: &str) -> crate::jobs::Serving {
    crate::jobs::Serving::start_program(PROGRAM, url, &[])
}

fn two_instances_run_each_job_once(engine: Engine) {
    const JOBS: usize = 40;
    let url = server::new_url(engine, "bakery_two");
    let (one, other) = (start(&url), start(&url));
    let client = Client::signed_in(&one.base, BEA);
    let second = Client { cookie: client.cookie.clone(), ..Client::new(&other.base) };
    for n in 0..JOBS {
        spawn(if n % 2 == 0 { &client } else { &second }, &format!("/bake/{n}/30"));
    }
    eventually_slowly(JOBS, || notes(&client).iter().filter(|text| text.starts_with("baked")).count());
    let begun = notes(&client).into_iter().filter(|text| text.starts_with("begins")).count();
    assert_eq!(begun, JOBS, "no job began twice");
    // The state of a job is stored after its last note.
    eventually_slowly(true, || jobs(&client).iter().all(|job| job["status"] == "done" && job["attempts"] == 1));
    assert!(one.end() && other.end());
}

fn another_instance_takes_over_the_job_of_a_killed_one(engine: Engine) {
    let url = server::new_url(engine, "bakery_killed");
    let killed = start(&url);
    let client = Client::signed_in(&killed.base, BEA);
    let id = spawn(&client, "/bake/Rye/3000");
    eventually(vec!["begins Rye 1".to_owned()], || notes(&client));
    // SIGKILL ends the process in the middle of the job.
    drop(killed);
    let next = start(&url);
    let client = Client { cookie: client.cookie.clone(), ..Client::new(&next.base) };
    eventually_slowly(json!("done"), || job(&client, &id)["status"].clone());
    assert_eq!(job(&client, &id)["attempts"], 2);
    assert_eq!(notes(&client), ["begins Rye 1", "begins Rye 2", "baked Rye"]);
    assert!(next.end());
}

/// A machine can pause a process, for example while it is moved: the lease of its job expires, and it continues as if nothing had been.
fn a_paused_instance_that_continues_has_lost_its_job(engine: Engine) {
    let url = server::new_url(engine, "bakery_paused");
    let paused = start(&url);
    let client = Client::signed_in(&paused.base, BEA);
    let id = spawn(&client, "/bake/Rye/4000");
    eventually(vec!["begins Rye 1".to_owned()], || notes(&client));
    // The job sleeps now, and holds no lock of the database.
    paused.signal("STOP");
    let other = start(&url);
    let client = Client { cookie: client.cookie.clone(), ..Client::new(&other.base) };
    eventually_slowly(json!(2), || job(&client, &id)["attempts"].clone());
    paused.signal("CONT");
    eventually_slowly(json!("done"), || job(&client, &id)["status"].clone());
    // The first attempt finds that it has lost its lease, and ends without a result.
    assert_eq!(job(&client, &id)["attempts"], 2);
    assert_eq!(notes(&client), ["begins Rye 1", "begins Rye 2", "baked Rye"]);
    assert!(paused.end() && other.end());
}

fn report(cx: &JobCx) -> Result<()> {
    let at = cx.clock().now().format("%m-%dT%H:%MZ").to_string();
    note(cx, &at)
}

fn a_schedule_runs_once_for_each_time_and_for_all_instances(engine: Engine) {
    // Clocks go from 2:00 to 3:00 on 2026-03-29.
    let clock = Clock::stopped("2026-03-27T12:00:00Z".parse().expect("a time"));
    let url = server::new_url(engine, "bakery_every");
    let of = || {
        bakery().clock(clock.clone()).every("30 2 * * *", "nightly report", report).every_in("UTC", "0 6 * * Mon-Fri", "weekdays", report)
    };
    let base = server::serve(of(), engine, url.clone());
    server::serve(of(), engine, url);
    let client = Client::signed_in(&base, BEA);
    let schedules = || client.get("/health/ready").status;
    eventually(200, schedules);
    // Both schedules are evaluated once before their first time.
    thread::sleep(Duration::from_millis(400));
    let mut expected: Vec<String> = Vec::new();
    for at in ["03-28T01:30Z", "03-29T01:00Z", "03-30T00:30Z", "03-30T06:00Z", "03-31T00:30Z"] {
        let time: dz::DateTime<dz::Utc> = format!("2026-{}:00Z", at.trim_end_matches('Z')).parse().expect("a time");
        clock.set(time - TimeDelta::minutes(1));
        thread::sleep(Duration::from_millis(200));
        assert_eq!(notes(&client), expected, "nothing runs before {at}");
        clock.set(time);
        expected.push(at.to_owned());
        eventually(expected.clone(), || notes(&client));
    }
    // A clock that goes back repeats nothing.
    clock.set("2026-03-30T00:00:00Z".parse().expect("a time"));
    clock.set("2026-03-30T12:00:00Z".parse().expect("a time"));
    thread::sleep(Duration::from_millis(300));
    assert_eq!(notes(&client), expected);
}

fn missed_times_are_one_run(engine: Engine) {
    let clock = Clock::stopped("2026-06-01T12:00:00Z".parse().expect("a time"));
    let url = server::new_url(engine, "bakery_missed");
    let of = || bakery().clock(clock.clone()).every("*/10 * * * *", "often", report);
    let cx = |app: dz::App| app.engine(engine).database_url(url.clone()).figment(server::figment(0)).system_cx().expect("it starts");
    // Without an instance, the first start decides from when on there are times to miss.
    let base = server::serve(of(), engine, url.clone());
    let client = Client::signed_in(&base, BEA);
    clock.set("2026-06-01T12:10:00Z".parse().expect("a time"));
    eventually(vec!["06-01T12:10Z".to_owned()], || notes(&client));
    clock.set("2026-06-01T15:05:00Z".parse().expect("a time"));
    eventually(vec!["06-01T12:10Z".to_owned(), "06-01T15:05Z".to_owned()], || notes(&client));
    drop(cx(of()));
    thread::sleep(Duration::from_millis(200));
    assert_eq!(notes(&client).len(), 2);
}
