//! A service that fails: the cause is in the response, nothing is lost, and the application continues afterwards.

use super::{service::Fault, *};

/// An application with a bucket, and its client.
fn start(of: &str, proxy: &Proxy) -> Client {
    let base = serve(Engine::Sqlite, &server::new_file(of), &json!({ "files": address(of) }), connection(proxy));
    Client::signed_in(&base, VERA)
}

#[track_caller]
fn check_problem(answer: &Answer, cause: &str) {
    let problem = answer.problem(503, "UNAVAILABLE");
    assert_eq!(problem["detail"], format!("Files are not available now: the object storage {cause}; try again later"));
    assert_eq!(answer.header("retry-after"), Some("30"));
}

#[test]
fn a_service_that_fails_is_reported_and_nothing_is_stored() {
    let Some(proxy) = Proxy::start() else { return };
    let vera = start("outage", &proxy);
    let row = plate(&vera, "before.txt", b"before");
    for (fault, cause) in [(Fault::Unavailable, "answers with status 503"), (Fault::Silent, "does not answer in time")] {
        proxy.fail(fault, "HTTP/1.1", usize::MAX);
        check_problem(&upload(&vera, "lost.txt", b"lost"), cause);
        check_problem(&vera.get(&download_path(&row)), cause);
        // Requests without files are served, and the readiness names the part.
        vera.send("POST", "/api/plates", &json!({ "title": "Without a file" })).ok(201);
        eventually_slowly(json!("unavailable"), || vera.get("/health/ready").ok(200).json()["files"].clone());
        proxy.mend();
        assert_eq!(vera.get(&download_path(&row)).ok(200).body, "before");
        eventually_slowly(json!("ok"), || vera.get("/health/ready").ok(200).json()["files"].clone());
    }
    for (code, cause) in [
        ("SignatureDoesNotMatch", "refuses the credentials of the application"),
        ("ExpiredToken", "refuses the credentials of the application"),
        ("AccessDenied", "refuses permission to the application"),
        ("RequestTimeTooSkewed", "refuses the clock of the application"),
    ] {
        proxy.fail(Fault::Refused(code), "HTTP/1.1", usize::MAX);
        check_problem(&upload(&vera, "lost.txt", b"lost"), cause);
        check_problem(&vera.get(&download_path(&row)), cause);
    }
    proxy.mend();
    eventually_slowly(1, || proxy.objects("outage").len());
    // A failure that is short is not visible.
    proxy.fail(Fault::Unavailable, "HTTP/1.1", 1);
    plate(&vera, "after.txt", b"after");
}

#[test]
fn a_wrong_key_is_reported() {
    let Some(proxy) = Proxy::start() else { return };
    let mut other = connection(&proxy);
    other["secret_access_key"] = json!("another");
    let base = serve(Engine::Sqlite, &server::new_file("wrong_key"), &json!({ "files": address("wrong-key") }), other);
    let vera = Client::signed_in(&base, VERA);
    check_problem(&upload(&vera, "lost.txt", b"lost"), "refuses the credentials of the application");
    assert_eq!(proxy.objects("wrong-key").len(), 0);
}

#[test]
fn an_upload_in_parts_is_aborted_when_a_part_fails() {
    let Some(proxy) = Proxy::start() else { return };
    let vera = start("parts", &proxy);
    let long = long_text(12 << 20);
    proxy.fail(Fault::Unavailable, "partNumber=2", usize::MAX);
    check_problem(&upload(&vera, "sky.txt", long.as_bytes()), "answers with status 503");
    eventually_slowly(1, || proxy.count(&["DELETE", "uploadId="]));
    assert_eq!(proxy.objects("parts").len(), 0);
    proxy.mend();
    let row = plate(&vera, "sky.txt", long.as_bytes());
    assert!(vera.get(&download_path(&row)).ok(200).body == long);
}

#[test]
fn uploads_that_a_crash_left_are_aborted_after_a_day() {
    let Some(proxy) = Proxy::start() else { return };
    let name = format!("crash/ab/ab{}", "0".repeat(30));
    let (old, recent) = ((dz::Utc::now() - chrono::TimeDelta::hours(25)).to_rfc3339(), dz::Utc::now().to_rfc3339());
    proxy.list_uploads(&[(&name, "old", old.clone()), (&name, "recent", recent), ("crash/other.txt", "foreign", old)]);
    let _vera = start("crash", &proxy);
    eventually_slowly(1, || proxy.count(&["DELETE", &name, "uploadId=old"]));
    assert_eq!((proxy.count(&["uploadId=recent"]), proxy.count(&["uploadId=foreign"])), (0, 0));
}

#[test]
fn a_truncated_answer_is_never_a_complete_download() {
    let Some(proxy) = Proxy::start() else { return };
    let vera = start("truncated", &proxy);
    let long = long_text(2 << 20);
    let (short, large) = (plate(&vera, "short.txt", b"a short text"), plate(&vera, "sky.txt", long.as_bytes()));
    proxy.fail(Fault::Truncated(0), "GET", usize::MAX);
    check_problem(&vera.get(&download_path(&short)), "sends incomplete answers");
    // The rest of a file is requested again.
    proxy.fail(Fault::Truncated(500_000), "GET", 1);
    assert!(vera.get(&download_path(&large)).ok(200).body == long);
    // After the beginning of the response, the connection is closed before its length is reached.
    proxy.fail(Fault::Truncated(400_000), "GET", usize::MAX);
    let answer = vera.get(&download_path(&large)).ok(200);
    assert_eq!(answer.header("content-length"), Some(long.len().to_string().as_str()));
    assert!(answer.body.len() < long.len() && long.starts_with(&answer.body));
}

#[test]
fn wrong_settings_are_named_with_their_correction() {
    let Some(proxy) = Proxy::start() else { return };
    let unused = std::net::TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a free port").port();
    let with = |key: &str, value: Value| {
        let mut s3 = connection(&proxy);
        s3[key] = value;
        s3
    };
    for (files, s3, cause, correction) in [
        (address("wrong"), with("access_key_id", json!("UNKNOWN")), "refuses the credentials of the application", "dz.s3.access_key_id"),
        ("s3://no-such-bucket".to_owned(), connection(&proxy), "does not have the bucket", "create the bucket"),
        (address("wrong"), with("endpoint", json!(format!("http://127.0.0.1:{unused}"))), "cannot be reached", "dz.s3.endpoint"),
    ] {
        let url = server::new_file("observatory_wrong");
        let base = serve(Engine::Sqlite, &url, &json!({ "files": files }), s3.clone());
        let vera = Client::signed_in(&base, VERA);
        check_problem(&upload(&vera, "x.txt", b"x"), cause);
        assert_eq!(vera.get("/health/ready").ok(200).json()["files"], "unavailable");
        // A command prints the correction.
        let text = |key: &str| s3[key].as_str().expect("a text").to_owned();
        let settings = format!(
            "{{files={files:?},s3={{endpoint={:?},access_key_id={:?},secret_access_key={:?},timeout=2}}}}",
            text("endpoint"),
            text("access_key_id"),
            text("secret_access_key")
        );
        let mut command = server::command("object_storage::child", Engine::Sqlite, &url, &["backup", &format!("{url}.backup")[9..]]);
        let output = command.env("ROCKET_DZ", settings).output().expect("it runs");
        let printed = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && printed.contains(cause) && printed.contains(correction), "{printed}");
    }
}
