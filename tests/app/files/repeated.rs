//! `Idempotency-Key`: an upload that is sent twice is stored once.

use std::time::{Duration, Instant};

use super::{sweep::list_files, *};

on_both! {
    an_upload_that_is_sent_twice_is_stored_once;
    another_file_with_the_same_key_is_refused;
    a_repeated_upload_checks_access_again;
}

/// An upload with a key. A client chooses another boundary for each attempt.
fn send_file(client: &Client, path: &str, key: &str, boundary: &str, (name, bytes): (&str, &[u8])) -> Answer {
    let body = String::from_utf8(parts(&[], &[("file", name, "text/plain", bytes)])).expect("a text");
    let kind = format!("multipart/form-data; boundary={boundary}");
    let headers = [("Content-Type", kind.as_str()), ("Sec-Fetch-Site", "same-origin"), ("Idempotency-Key", key)];
    client.request("POST", path, &headers, body.replace("--edge", &format!("--{boundary}")).as_bytes())
}

const SCANS: &str = "/files/sheets/scan";

/// Waits until one file has this content, because the bytes of a repeated upload are removed with its request.
#[track_caller]
fn assert_stored_once(base: &str, bytes: &[u8]) {
    let engine = if base == base_url(Engine::Postgres) { Engine::Postgres } else { Engine::Sqlite };
    let count = || list_files(&folder(engine)).iter().filter(|path| std::fs::read(path).is_ok_and(|stored| stored == bytes)).count();
    let begun = Instant::now();
    while count() != 1 {
        assert!(begun.elapsed() < Duration::from_secs(60), "{} files", count());
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn an_upload_that_is_sent_twice_is_stored_once(base: &str) {
    let cleo = Client::signed_in(base, CLEO);
    let file = ("twice.txt", &b"stored once, and sent twice"[..]);
    let first = send_file(&cleo, SCANS, "upload-1", "one", file).ok(201);
    assert_eq!(first.header("idempotency-replayed"), None);
    let again = send_file(&cleo, SCANS, "upload-1", "two", file).ok(201);
    assert_eq!((again.header("idempotency-replayed"), again.json()), (Some("true"), first.json()));
    assert_stored_once(base, file.1);
    // The file of the first response belongs to a row, and is the one that a third request gets.
    let row = sheet(&cleo, json!({ "title": "Twice", "scan": again.json()["id"] }));
    assert_eq!(send_file(&cleo, SCANS, "upload-1", "three", file).ok(201).json()["id"], row["scan"]["id"]);
    // Another field, another account and another key have uploads of their own.
    for (path, who, key) in [("/files/sheets/sign", CLEO, "upload-1"), (SCANS, CARL, "upload-1"), (SCANS, CLEO, "upload-2")] {
        let other = send_file(&Client::signed_in(base, who), path, key, "four", file).ok(201);
        assert_eq!(other.header("idempotency-replayed"), None);
        assert_ne!(other.json()["id"], first.json()["id"]);
    }
}

fn another_file_with_the_same_key_is_refused(base: &str) {
    let cleo = Client::signed_in(base, CLEO);
    send_file(&cleo, SCANS, "upload-other", "one", ("a.txt", b"the first content")).ok(201);
    for other in [("a.txt", &b"another content"[..]), ("b.txt", b"the first content")] {
        send_file(&cleo, SCANS, "upload-other", "two", other).problem(422, "IDEMPOTENCY_KEY_REUSED");
    }
    send_file(&cleo, SCANS, &"k".repeat(256), "two", ("a.txt", b"the first content")).problem(400, "BAD_REQUEST");
    assert_stored_once(base, b"the first content");
    // A refusal is not stored.
    send_file(&cleo, "/files/sheets/sign", "upload-large", "one", ("large.txt", &[b'x'; 1500])).problem(413, "TOO_LARGE");
    send_file(&cleo, "/files/sheets/sign", "upload-large", "two", ("small.txt", b"small")).ok(201);
}

fn a_repeated_upload_checks_access_again(base: &str) {
    let rita = Client::signed_in(base, RITA);
    for _ in 0..2 {
        send_file(&rita, SCANS, "upload-refused", "one", ("no.txt", b"of a reader")).problem(403, "FORBIDDEN");
    }
    send_file(&Client::new(base), SCANS, "upload-refused", "one", ("no.txt", b"of nobody")).problem(401, "AUTHENTICATION_REQUIRED");
}
