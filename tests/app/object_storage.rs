//! Files in a bucket of object storage: uploads, downloads, signed addresses, failures, relocation and backups.

mod backups;
mod failures;
mod relocation;
mod service;

use std::process::Output;

use dz::{
    Engine,
    serde_json::{Value, json},
};

use self::service::{BUCKET, KEY, Proxy};
use crate::{
    client::{Answer, Client},
    files::{parts, send_form},
    jobs::eventually_slowly,
    server,
};

dz::dz! {
    app observatory "Observatory"

    persona astronomer "Astronomer"
    persona visitor "Visitor"

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Plate "Photographic plate":
      id: uuid pk
      title: str(60) required
      exposure: file(40MB)
      is_public: bool = false
      audit: all
      permit:
        list: role(astronomer) or is_public
        read: role(astronomer) or is_public
        create: role(astronomer)
        update: role(astronomer)
        delete: role(astronomer)

    demo:
      User:
        - name: "Vera", email: "vera@observatory.example", password: "turns the dome", roles: [astronomer]
        - name: "Otto", email: "otto@observatory.example", password: "looks at stars", roles: [visitor]
}

const VERA: (&str, &str) = ("vera@observatory.example", "turns the dome");
const OTTO: (&str, &str) = ("otto@observatory.example", "looks at stars");
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0";

/// The program that the tests run: the command line of the application.
#[test]
#[ignore = "the tests start it in a process of its own"]
fn child() {
    server::obey(app());
}

/// The connection to the service through a proxy.
fn connection(proxy: &Proxy) -> Value {
    json!({
        "endpoint": format!("http://127.0.0.1:{}", proxy.port), "access_key_id": KEY, "secret_access_key": KEY, "timeout": 2, "link_seconds": 30,
    })
}

/// The address of a prefix that no other test uses.
fn address(prefix: &str) -> String {
    format!("s3://{BUCKET}/{prefix}")
}

fn serve(engine: Engine, url: &str, files: &Value, s3: Value) -> String {
    let mut settings = files.clone();
    settings["s3"] = s3;
    server::serve_with(app(), engine, url.to_owned(), settings)
}

/// Runs a command. The variables of Amazon's tools have the connection.
fn run(proxy: &Proxy, engine: Engine, url: &str, settings: &str, words: &[&str]) -> (bool, String) {
    let mut command = server::command("object_storage::child", engine, url, words);
    command.env("ROCKET_DZ", settings).env("AWS_ENDPOINT_URL", format!("http://127.0.0.1:{}", proxy.port));
    command.env("AWS_ACCESS_KEY_ID", KEY).env("AWS_SECRET_ACCESS_KEY", KEY);
    let Output { status, stdout, stderr } = command.output().expect("it runs");
    (status.success(), format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr)))
}

fn upload(client: &Client, name: &str, bytes: &[u8]) -> Answer {
    send_form(client, "/files/plates/exposure", &parts(&[], &[("file", name, "application/x-lie", bytes)]))
}

/// A plate with a file; returns the row.
#[track_caller]
fn plate(client: &Client, name: &str, bytes: &[u8]) -> Value {
    let file = upload(client, name, bytes).ok(201).json();
    client.send("POST", "/api/plates", &json!({ "title": name, "exposure": file })).ok(201).json()
}

fn download_path(row: &Value) -> String {
    row["exposure"]["url"].as_str().expect("an address").to_owned()
}

/// A text of many parts.
fn long_text(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 16);
    for line in 0.. {
        if text.len() >= bytes {
            break;
        }
        text.push_str(&format!("star {line:09}\n"));
    }
    text
}

/// The header lines of a response that describe its file.
fn file_headers(answer: &Answer) -> Vec<Option<String>> {
    let names = [
        "content-type",
        "content-length",
        "content-disposition",
        "content-security-policy",
        "cross-origin-resource-policy",
        "cache-control",
        "x-content-type-options",
        "etag",
        "accept-ranges",
    ];
    names.map(|name| answer.header(name).map(str::to_owned)).to_vec()
}

fn check_files_in_a_bucket(engine: Engine) {
    let Some(proxy) = Proxy::start() else { return };
    let prefix = format!("whole-{engine:?}");
    let base = serve(engine, &server::new_url(engine, "observatory"), &json!({ "files": address(&prefix) }), connection(&proxy));
    let folder = std::env::temp_dir().join(format!("dz-observatory-{engine:?}-{}", std::process::id()));
    let local =
        serve(engine, &server::new_url(engine, "observatory_local"), &json!({ "files": folder.to_str().expect("a path") }), json!({}));
    let (vera, beside) = (Client::signed_in(&base, VERA), Client::signed_in(&local, VERA));
    let long = long_text(12 << 20);
    for (name, bytes) in [("note.txt", &b"a note"[..]), ("dot.png", PNG), ("empty.txt", b""), ("sky.txt", long.as_bytes())] {
        let row = plate(&vera, name, bytes);
        assert_eq!(row["exposure"]["size"], json!(bytes.len()), "{name}");
        let other = download_path(&plate(&beside, name, bytes));
        let path = download_path(&row);
        let (stored, same) = (vera.get(&path).ok(200), beside.get(&other).ok(200));
        assert!(stored.body == same.body, "{name}");
        assert_eq!(file_headers(&stored), file_headers(&same), "{name}");
        for (method, headers) in [("HEAD", &[][..]), ("GET", &[("Range", "bytes=1-2")][..])] {
            let (stored, same) = (vera.request(method, &path, headers, b""), beside.request(method, &other, headers, b""));
            assert_eq!((stored.status, file_headers(&stored)), (same.status, file_headers(&same)), "{method} {name}");
            assert!(stored.body == same.body, "{method} {name}");
        }
    }
    // Three parts, and one request for each small file.
    assert_eq!(proxy.count(&["PUT", "partNumber="]), 3);
    assert_eq!(proxy.objects(&prefix).len(), 4);
    assert!(proxy.objects(&prefix).iter().any(|(_, size)| *size == long.len() as u64));
    let otto = Client::signed_in(&base, OTTO);
    let row = plate(&vera, "secret.txt", b"secret");
    assert_eq!(otto.get(&download_path(&row)).status, 404);
    assert!(matches!(Client::new(&base).get(&download_path(&row)).status, 401 | 404));
    assert_eq!(upload(&otto, "x", b"x").status, 403);
    // A file that is replaced or deleted with its row leaves the bucket, and so does an upload above the limit.
    let at = format!("/api/plates/{}", row["id"].as_str().expect("an id"));
    let changed = vera.send("PATCH", &at, &json!({ "exposure": upload(&vera, "new.txt", b"new").ok(201).json() })).ok(200).json();
    assert_eq!(vera.get(&download_path(&changed)).ok(200).body, "new");
    eventually_slowly(5, || proxy.objects(&prefix).len());
    vera.delete(&at).ok(204);
    eventually_slowly(4, || proxy.objects(&prefix).len());
    assert_eq!(upload(&vera, "big", &vec![b'x'; 41_000_000]).status, 413);
    eventually_slowly(1, || proxy.count(&["DELETE", "uploadId="]));
    eventually_slowly(4, || proxy.objects(&prefix).len());
    assert_eq!(vera.get("/health/ready").ok(200).json()["files"], "ok");
    assert_eq!(beside.get("/health/ready").ok(200).json().get("files"), None);
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn files_in_a_bucket_behave_as_files_in_a_folder_on_sqlite() {
    check_files_in_a_bucket(Engine::Sqlite);
}

#[test]
fn files_in_a_bucket_behave_as_files_in_a_folder_on_postgres() {
    check_files_in_a_bucket(Engine::Postgres);
}

#[test]
fn downloads_can_be_redirected_to_signed_addresses() {
    let Some(proxy) = Proxy::start() else { return };
    let mut s3 = connection(&proxy);
    s3["downloads"] = json!("redirected");
    let base = serve(Engine::Sqlite, &server::new_file("observatory_links"), &json!({ "files": address("links") }), s3);
    let vera = Client::signed_in(&base, VERA);
    let row = plate(&vera, "Größe 1.pdf", b"%PDF-1.7\n");
    let path = download_path(&row);
    let answer = vera.get(&path).ok(302);
    assert_eq!((answer.body.as_str(), answer.header("cache-control")), ("", Some("no-store")));
    let link = answer.header("location").expect("an address").to_owned();
    let host = format!("http://127.0.0.1:{}", proxy.port);
    assert!(link.starts_with(&format!("{host}/{BUCKET}/links/")) && link.contains("X-Amz-Expires=30"), "{link}");
    // The service sends the file with the headers that the application sends.
    let service = Client::new(&host);
    let sent = service.get(link.trim_start_matches(&host)).ok(200);
    assert_eq!((sent.body.as_str(), sent.header("content-type")), ("%PDF-1.7\n", Some("application/pdf")));
    let disposition = sent.header("content-disposition").expect("a disposition");
    assert_eq!(disposition, "inline; filename=\"Gr__e 1.pdf\"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%201.pdf");
    // Its signature is for this object and these headers.
    for (part, other) in [("application%2Fpdf", "text%2Fhtml"), ("X-Amz-Expires=30", "X-Amz-Expires=3000"), ("/links/", "/linkt/")] {
        assert!(link.contains(part), "{link}");
        let changed = link.replace(part, other);
        service.get(changed.trim_start_matches(&host)).ok(403).shows(&["SignatureDoesNotMatch"]);
    }
    // Nobody gets an address without access to the row.
    let refused = Client::signed_in(&base, OTTO).get(&path);
    assert_eq!((refused.status, refused.header("location")), (404, None));
    // An address is for one method, and pages show images of their own address only.
    assert_eq!(vera.request("HEAD", &path, &[], b"").status, 200);
    let image = plate(&vera, "dot.png", PNG);
    assert_eq!(vera.get(&download_path(&image)).ok(200).header("content-type"), Some("image/png"));
}

#[test]
fn settings_of_a_bucket_are_checked_at_start() {
    for (settings, expected) in [
        (json!({ "files": "gs://plates/x" }), "write the path of a folder, or the address of a bucket such as `s3://shop-files/uploads`"),
        (json!({ "files": "s3://x" }), "write the path of a folder, or the address of a bucket"),
        (json!({ "files": "s3://plates", "s3": { "endpoint": "http://s3.example.com" } }), "`dz.s3.insecure_http = true`"),
        (json!({ "files": "s3://plates", "s3": { "access_key_id": "x" } }), "set both `dz.s3.access_key_id` and `dz.s3.secret_access_key`"),
        (json!({ "files": "s3://plates", "s3": { "downloads": "fast" } }), "write `streamed` or `redirected`"),
    ] {
        let figment = server::figment(8_000).merge(("dz", settings.as_object().expect("a table")));
        let app = app().engine(Engine::Sqlite).database_url(server::new_file("observatory_settings")).figment(figment);
        let refused = app.rocket().map(drop).expect_err("a refusal").to_string();
        assert!(refused.contains(expected), "{settings}: {refused}");
    }
}
