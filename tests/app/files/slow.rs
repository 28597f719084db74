//! Uploads that take too long, as on slow connections and in attacks.

use std::{
    io::{Read, Write},
    net::TcpStream,
    thread,
    time::{Duration, Instant},
};

use super::*;

/// Short time limits, and a low limit for text, which determines the time limit of the whole upload.
fn start_server(engine: Engine) -> String {
    let folder = std::env::temp_dir().join(format!("dz-slow-{engine:?}-{}", std::process::id()));
    let settings = json!({ "files": folder.to_str().expect("a path"), "body_limit": 1_000, "upload_pause": 1, "upload_time": 1 });
    crate::server::serve_with(binder(), engine, crate::server::new_url(engine, "slow"), settings)
}

/// Sends an upload with the chunks of `body`; returns the time of the response, and the response.
fn upload_slowly(client: &Client, body: impl FnOnce(&mut TcpStream)) -> (Duration, String) {
    let head = format!(
        "POST /files/sheets/scan HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\nContent-Type: multipart/form-data; boundary=edge\r\n\
         Sec-Fetch-Site: same-origin\r\nContent-Length: 9000\r\n\r\n\
         --edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"slow.txt\"\r\n\r\nso much",
        client.host,
        client.cookie.as_deref().unwrap_or_default()
    );
    send_slowly(client, &head, body)
}

/// As [`upload_slowly`], for any request with this beginning.
fn send_slowly(client: &Client, head: &str, body: impl FnOnce(&mut TcpStream)) -> (Duration, String) {
    let mut stream = TcpStream::connect(&client.host).expect("the server listens");
    stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a time limit");
    let begun = Instant::now();
    stream.write_all(head.as_bytes()).expect("sent");
    body(&mut stream);
    let (mut answer, mut part) = (Vec::new(), [0; 4_096]);
    // The rest of the body is never sent, so the server ends the connection.
    while let Ok(read @ 1..) = stream.read(&mut part) {
        answer.extend_from_slice(&part[..read]);
    }
    (begun.elapsed(), String::from_utf8_lossy(&answer).into_owned())
}

#[track_caller]
fn is_refused((after, answer): &(Duration, String), least: u64) {
    assert!(answer.starts_with("HTTP/1.1 408 "), "after {after:?}: {answer}");
    assert!(answer.contains("application/problem+json") && answer.contains("\"code\":\"TIMEOUT\""), "{answer}");
    assert!((least..10).contains(&after.as_secs()), "after {after:?}");
}

#[test]
fn a_slow_upload_is_408() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let base = start_server(engine);
        let cleo = Client::signed_in(&base, CLEO);
        // No further data is sent.
        is_refused(&upload_slowly(&cleo, |_| ()), 1);
        // Data is sent all the time, but the upload takes too long.
        let dripping = upload_slowly(&cleo, |stream| {
            for _ in 0..60 {
                if stream.write_all(b".").is_err() {
                    break;
                }
                thread::sleep(Duration::from_millis(100));
            }
        });
        is_refused(&dripping, 2);
        // The same for a body without an upload, which needs no account. Rocket reads its first bytes.
        let head = format!(
            "POST /auth/login HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nAccept: application/json\r\n\
             Sec-Fetch-Site: same-origin\r\nContent-Length: 900\r\n\r\n{{\"email\": \"somebody@example.com\"",
            cleo.host
        );
        is_refused(&self::send_slowly(&cleo, &head, |_| ()), 1);
        // Nothing is stored, the slots are released, and a fast upload succeeds.
        for round in 0..10 {
            assert_eq!(upload_file(&cleo, "quick.txt", b"in time")["size"], 7, "{round}");
        }
    }
}

#[test]
fn clients_without_permission_take_no_slots() {
    let base = start_server(Engine::Sqlite);
    let cleo = Client::signed_in(&base, CLEO);
    // More clients than one address has slots; their texts are incomplete.
    let head = format!(
        "POST /files/sheets/scan HTTP/1.1\r\nHost: {}\r\nContent-Type: multipart/form-data; boundary=edge\r\n\
         Sec-Fetch-Site: same-origin\r\nContent-Length: 9000\r\n\r\n\
         --edge\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nso much",
        cleo.host
    );
    let waiting: Vec<TcpStream> = (0..20)
        .map(|_| {
            let mut stream = TcpStream::connect(&cleo.host).expect("the server listens");
            stream.write_all(head.as_bytes()).expect("sent");
            stream
        })
        .collect();
    thread::sleep(Duration::from_millis(200));
    assert_eq!(upload_file(&cleo, "quick.txt", b"in time")["size"], 7);
    drop(waiting);
}
