//! Backups of files in a bucket, and backups that are stored in a bucket.

use std::collections::BTreeSet;

use chrono::TimeDelta;
use dz::Clock;

use super::*;
use crate::timed_transitions::eventually;

fn check_backup(engine: Engine) {
    let Some(proxy) = Proxy::start() else { return };
    let of = |name: &str| address(&format!("{name}-{engine:?}"));
    let (url, files) = (server::new_url(engine, "observatory_backup"), of("files"));
    let vera = Client::signed_in(&serve(engine, &url, &json!({ "files": files }), connection(&proxy)), VERA);
    let long = long_text(6 << 20);
    let (one, other) = (plate(&vera, "a.txt", b"first"), plate(&vera, "sky.txt", long.as_bytes()));
    let settings = format!("{{files={files:?}}}");
    let folder = server::new_file("observatory_backups").trim_start_matches("sqlite://").to_owned() + ".backup";
    for (place, restored) in [(folder, of("restored")), (of("backup"), of("restored-again"))] {
        let succeeds = |url: &str, settings: &str, words: &[&str], expected: &str| {
            let (success, text) = run(&proxy, engine, url, settings, words);
            assert!(success && text.contains(expected), "`{expected}` is not in:\n{text}");
        };
        succeeds(&url, &settings, &["backup", &place], "3 files");
        succeeds(&url, &settings, &["restore", &place, "--check"], "verified");
        let (again, text) = run(&proxy, engine, &url, &settings, &["backup", &place]);
        assert!(!again && text.contains("already: name a new"), "{text}");
        let (success, text) = run(&proxy, engine, &url, &settings, &["restore", &of("nothing"), "--check"]);
        assert!(!success && text.contains("is not a complete backup: it has no `backup.json`"), "{text}");
        // A bucket with files is not overwritten.
        let new = server::new_url(engine, "observatory_restored");
        let (success, text) = run(&proxy, engine, &new, &settings, &["restore", &place]);
        assert!(!success && text.contains("is not empty: name another prefix"), "{text}");
        succeeds(&new, &format!("{{files={restored:?}}}"), &["restore", &place], "restored from");
        let back = Client::signed_in(&serve(engine, &new, &json!({ "files": restored }), connection(&proxy)), VERA);
        assert_eq!(back.get(&download_path(&one)).ok(200).body, "first");
        assert!(back.get(&download_path(&other)).ok(200).body == long);
    }
}

#[test]
fn a_backup_contains_the_files_of_a_bucket_on_sqlite() {
    check_backup(Engine::Sqlite);
}

#[test]
fn a_backup_contains_the_files_of_a_bucket_on_postgres() {
    check_backup(Engine::Postgres);
}

#[test]
fn scheduled_backups_in_a_bucket_are_kept_in_number() {
    let Some(proxy) = Proxy::start() else { return };
    let url = server::new_file("observatory_scheduled");
    let clock = Clock::stopped("2026-07-01T08:00:00Z".parse().expect("a time"));
    let backup = json!({ "folder": address("scheduled"), "every": "1h", "keep": 2 });
    let settings = json!({ "files": address("scheduled-files"), "backup": backup, "s3": connection(&proxy) });
    let base = server::serve_with(app().clock(clock.clone()), Engine::Sqlite, url.clone(), settings);
    let vera = Client::signed_in(&base, VERA);
    plate(&vera, "a.txt", b"first");
    eventually(1, || crate::personal_data::count(Engine::Sqlite, &url, "SELECT count(*) AS count FROM dz_schedules"));
    let found = || -> BTreeSet<String> {
        let objects = proxy.objects("scheduled");
        let manifests = objects.iter().filter_map(|(name, _)| name.strip_suffix("/backup.json"));
        manifests.map(|name| name.trim_start_matches("scheduled/").to_owned()).collect()
    };
    for (hour, expected) in [
        (9, &["observatory-20260701T090000Z"][..]),
        (10, &["observatory-20260701T090000Z", "observatory-20260701T100000Z"]),
        (11, &["observatory-20260701T100000Z", "observatory-20260701T110000Z"]),
    ] {
        clock.advance(TimeDelta::hours(1));
        let expected: BTreeSet<String> = expected.iter().map(|name| (*name).to_owned()).collect();
        eventually_slowly((hour, expected), || (hour, found()));
        let running = "SELECT count(*) AS count FROM dz_jobs WHERE state = 'running'";
        eventually(0, || crate::personal_data::count(Engine::Sqlite, &url, running));
    }
    // The oldest one is deleted with all its files.
    eventually_slowly(0, || proxy.objects("scheduled/observatory-20260701T090000Z").len());
    let newest = address("scheduled/observatory-20260701T110000Z");
    let (success, text) = run(&proxy, Engine::Sqlite, &url, "{}", &["restore", &newest, "--check"]);
    assert!(success && text.contains("verified"), "{text}");
}
