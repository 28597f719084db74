//! Backups at configured times: made once by several instances, kept in number, reported when they fail, and repeated.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Output,
};

use chrono::TimeDelta;
use dz::{
    Clock, Engine,
    serde_json::{Value, json},
};

use crate::{client::Client, server, timed_transitions::eventually};

dz::dz! {
    app archive "Archive"

    persona archivist "Archivist"

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Scroll "Scroll":
      id: uuid pk
      title: str(60) required
      permit:
        list: role(archivist)
        read: role(archivist)
        create: role(archivist)

    demo:
      User:
        - name: "Ari", email: "ari@archive.example", password: "keeps it dry", roles: [admin, archivist]
      Scroll:
        - title: "On bees"
}

const ARI: (&str, &str) = ("ari@archive.example", "keeps it dry");

/// The program that the tests run: the command line of the application.
#[test]
#[ignore = "the tests start it in a process of its own"]
fn child() {
    server::obey(app());
}

/// The names of the folders in the folder of the backups.
fn backups(folder: &Path) -> BTreeSet<String> {
    let Ok(entries) = fs::read_dir(folder) else { return BTreeSet::new() };
    entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
}

fn report(client: &Client) -> Value {
    client.request("GET", "/app/-/system", &[("Accept", "application/json")], b"").ok(200).json()
}

fn new_folder(of: &str) -> PathBuf {
    PathBuf::from(server::new_file(of).trim_start_matches("sqlite://")).with_extension("backups")
}

fn serve(engine: Engine, url: &str, clock: &Clock, folder: &Path) -> Client {
    let backup = json!({ "folder": folder.display().to_string(), "every": "1h", "keep": 2 });
    let settings = json!({ "backup": backup, "files": folder.with_extension("files").display().to_string() });
    Client::signed_in(&server::serve_with(app().clock(clock.clone()), engine, url.to_owned(), settings), ARI)
}

fn check_schedule(engine: Engine) {
    let (url, folder) = (server::new_url(engine, "archive"), new_folder("archive"));
    let clock = Clock::stopped("2026-07-01T08:00:00Z".parse().expect("a time"));
    let (one, _other) = (serve(engine, &url, &clock, &folder), serve(engine, &url, &clock, &folder));
    assert_eq!(report(&one)["last_backup"], Value::Null);
    // The first interval begins when the schedule is stored.
    eventually(1, || crate::personal_data::count(engine, &url, "SELECT count(*) AS count FROM dz_schedules"));
    fs::create_dir_all(folder.join("notes")).expect("a folder");
    fs::create_dir_all(folder.join("archive-20260701T070000Z.partial")).expect("a folder");
    for (hour, expected) in [
        (9, &["archive-20260701T090000Z", "notes"][..]),
        (10, &["archive-20260701T090000Z", "archive-20260701T100000Z", "notes"]),
        (11, &["archive-20260701T100000Z", "archive-20260701T110000Z", "notes"]),
    ] {
        clock.advance(TimeDelta::hours(1));
        eventually(json!(format!("2026-07-01T{hour:02}:00:00Z")), || report(&one)["last_backup"].clone());
        eventually(json!(0), || report(&one)["jobs"]["running"].clone());
        let expected: BTreeSet<String> = expected.iter().map(|name| (*name).to_owned()).collect();
        eventually(expected, || backups(&folder));
    }
    let newest = folder.join("archive-20260701T110000Z");
    let mut check = server::command("scheduled_backup::child", engine, &url, &["restore", newest.to_str().expect("UTF-8"), "--check"]);
    let Output { status, stdout, stderr } = check.output().expect("it runs");
    let text = String::from_utf8_lossy(&stdout) + String::from_utf8_lossy(&stderr);
    assert!(status.success() && text.contains("verified"), "{text}");
}

#[test]
fn instances_make_one_backup_at_each_time_on_sqlite() {
    check_schedule(Engine::Sqlite);
}

#[test]
fn instances_make_one_backup_at_each_time_on_postgres() {
    check_schedule(Engine::Postgres);
}

#[test]
fn a_failed_backup_is_reported_and_repeated() {
    let (url, folder) = (server::new_file("archive-fails"), new_folder("archive-fails"));
    // A file is in the place of the folder.
    fs::create_dir_all(folder.parent().expect("a folder")).expect("a folder");
    fs::write(&folder, "not a folder").expect("a file");
    let clock = Clock::stopped("2026-07-01T08:00:00Z".parse().expect("a time"));
    let ari = serve(Engine::Sqlite, &url, &clock, &folder);
    eventually(1, || crate::personal_data::count(Engine::Sqlite, &url, "SELECT count(*) AS count FROM dz_schedules"));
    clock.advance(TimeDelta::hours(1));
    eventually(json!("2026-07-01T09:00:00Z"), || report(&ari)["failed_backup"]["at"].clone());
    let reason = report(&ari)["failed_backup"]["reason"].as_str().expect("a reason").to_owned();
    assert!(reason.contains("archive-fails.backups"), "{reason}");
    ari.get("/app/-/system").ok(200).shows(&["Failed backup", "archive-fails.backups"]);
    eventually(json!(1), || report(&ari)["jobs"]["queued"].clone());
    fs::remove_file(&folder).expect("the file is removed");
    clock.advance(TimeDelta::seconds(10));
    eventually(json!("2026-07-01T09:00:10Z"), || report(&ari)["last_backup"].clone());
    assert_eq!(report(&ari)["failed_backup"], Value::Null);
}

#[test]
fn a_wrong_configuration_is_refused_at_the_start() {
    for (backup, part) in [
        (json!({ "every": "1h" }), "`dz.backup` needs `folder`"),
        (json!({ "folder": "x", "every": "1h", "cron": "0 3 * * *" }), "keep one of them"),
        (json!({ "folder": "x", "cron": "0 3 * *" }), "dz.backup.cron"),
        (json!({ "folder": "x", "every": "0h" }), "dz.backup.every"),
        (json!({ "folder": "x", "keep": 0 }), "dz.backup.keep"),
    ] {
        let figment = server::figment(0).merge(("dz", json!({ "backup": backup })));
        let url = server::new_file("archive-wrong");
        let refused = app().engine(Engine::Sqlite).database_url(url).figment(figment).rocket();
        let error = refused.err().unwrap_or_else(|| panic!("{backup} is accepted")).to_string();
        assert!(error.contains(part), "{backup}: {error}");
    }
}
