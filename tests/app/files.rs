//! Stored files over HTTP: uploads, forms, access, removal and errors.

mod repeated;
mod slow;
mod sweep;

use std::path::PathBuf;

use dz::{
    Engine,
    serde_json::{Value, json},
};

use crate::client::{Answer, Client};

dz::dz! {
    app binder "Binder"

    persona clerk "Clerk"
    persona reader "Reader"

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Folder "Folder":
      id: uuid pk
      name: str(60) required
      sheets: has_many Sheet cascade
      permit:
        list: role(clerk)
        read: role(clerk)
        create: role(clerk)
        update: role(clerk)
        delete: role(clerk)

    entity Sheet "Sheet":
      id: uuid pk
      title: str(60) required
      scan: file(64KB)
      sign: file(1KB) sensitive
      folder: belongs_to Folder
      open: bool = true
      invariant: scan != null or open
        message: "What is closed needs its scan"
        code: SHEET_SCAN
      audit: all
      permit:
        list: role(clerk) or open
        read: role(clerk) or open
        create: role(clerk)
        update: role(clerk)
        delete: role(clerk)

    entity Card "Card":
      id: uuid pk
      front: file required
      soft_delete
      permit:
        list: role(clerk)
        read: role(clerk)
        create: role(clerk)
        update: role(clerk)
        delete: role(clerk)
        restore: role(clerk)

    surface sheet_list "Sheets":
      uses entity Sheet
      mode: list
      section main:
        field title
        field scan

    surface sheet_view "Sheet":
      uses entity Sheet
      mode: view
      section main:
        field title
        field scan
        field sign

    surface sheet_create "New sheet":
      uses entity Sheet
      mode: create
      section main:
        field title
        field scan

    surface sheet_edit "Edit sheet":
      uses entity Sheet
      mode: edit
      section main:
        field title
        field scan

    demo:
      User:
        - name: "Cleo", email: "cleo@binder.example", password: "files are in order", roles: [clerk]
        - name: "Carl", email: "carl@binder.example", password: "files are elsewhere", roles: [clerk]
        - name: "Rita", email: "rita@binder.example", password: "reads all day long", roles: [reader]
}

const CLEO: (&str, &str) = ("cleo@binder.example", "files are in order");
const CARL: (&str, &str) = ("carl@binder.example", "files are elsewhere");
const RITA: (&str, &str) = ("rita@binder.example", "reads all day long");

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0";

/// Stores and reads a file in Rust.
#[rocket::post("/<id>")]
async fn stamp(cx: dz::Cx, id: &str) -> dz::Result<String> {
    let id = id.parse().map_err(|_| dz::Error::not_found())?;
    let file = cx.keep_file::<sheet::Sheet>("scan", "../stamp.txt", b"stamped").await?;
    let sheet = cx
        .run(move |tx| {
            let changes = sheet::SheetChanges { scan: file.clone().into(), ..Default::default() };
            sheet::Sheet::find(tx, id)?.update(tx, changes)
        })
        .await?;
    let (file, bytes) = cx.file(&sheet, "scan").await?;
    Ok(format!("{} {} {} {}", file.name, file.size, file.media_type, String::from_utf8_lossy(&bytes)))
}

fn binder() -> dz::App {
    app().mount("/stamp", rocket::routes![stamp]).before_create::<sheet::Sheet>(|_, new| match &new.scan {
        Some(scan) if scan.name == "refused.txt" => Err(dz::Error::validation("scan", "has a name that nobody wants")),
        _ => Ok(()),
    })
}

/// The storage of an engine's application.
fn folder(engine: Engine) -> PathBuf {
    std::env::temp_dir().join(format!("dz-binder-{engine:?}-{}", std::process::id()))
}

fn base_url(engine: Engine) -> &'static str {
    static AT: [std::sync::OnceLock<String>; 2] = [const { std::sync::OnceLock::new() }; 2];
    AT[usize::from(engine == Engine::Postgres)].get_or_init(|| {
        let _ = std::fs::remove_dir_all(folder(engine));
        let settings = json!({ "files": folder(engine).to_str().expect("a path"), "file_limit": 2000 });
        crate::server::serve_with(binder(), engine, crate::server::new_url(engine, "binder"), settings)
    })
}

macro_rules! on_both {
    ($($name:ident;)*) => {
        mod on_sqlite { $(#[test] fn $name() { super::$name(super::base_url(dz::Engine::Sqlite)); })* }
        mod on_postgres { $(#[test] fn $name() { super::$name(super::base_url(dz::Engine::Postgres)); })* }
    };
}
use on_both;

on_both! {
    an_upload_is_attached_to_a_row_and_downloaded;
    images_are_displayed_and_other_files_are_downloaded;
    file_names_cannot_traverse_paths_or_inject_headers;
    an_upload_belongs_to_its_account_and_is_used_once;
    a_file_is_visible_with_its_row;
    a_file_that_is_too_large_names_its_limit;
    forms_upload_keep_and_remove_files;
    csv_contains_file_names_and_accepts_no_files;
    files_in_rust_follow_the_rules;
    invalid_uploads_are_explained;
    rules_and_invariants_can_test_for_a_file;
}

/// A multipart form: texts, and files with their names and declared types.
pub fn parts(texts: &[(&str, &str)], files: &[(&str, &str, &str, &[u8])]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, text) in texts {
        body.extend_from_slice(format!("--edge\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n").as_bytes());
    }
    for (name, file, kind, bytes) in files {
        let head =
            format!("--edge\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"{file}\"\r\nContent-Type: {kind}\r\n\r\n");
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(bytes);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--edge--\r\n");
    body
}

pub fn send_form(client: &Client, path: &str, body: &[u8]) -> Answer {
    let headers = [("Content-Type", "multipart/form-data; boundary=edge"), ("Sec-Fetch-Site", "same-origin")];
    client.request("POST", path, &headers, body)
}

fn upload(client: &Client, path: &str, name: &str, bytes: &[u8]) -> Answer {
    send_form(client, path, &parts(&[], &[("file", name, "application/x-lie", bytes)]))
}

#[track_caller]
fn upload_file(client: &Client, name: &str, bytes: &[u8]) -> Value {
    upload(client, "/files/sheets/scan", name, bytes).ok(201).json()
}

#[track_caller]
fn sheet(client: &Client, fields: Value) -> Value {
    client.send("POST", "/api/sheets", &fields).ok(201).json()
}

fn path(row: &Value) -> String {
    format!("/api/sheets/{}", row["id"].as_str().expect("an id"))
}

fn an_upload_is_attached_to_a_row_and_downloaded(base: &str) {
    let cleo = Client::signed_in(base, CLEO);
    let file = upload_file(&cleo, "plan.txt", b"the plan");
    assert_eq!((&file["name"], &file["size"], &file["type"]), (&json!("plan.txt"), &json!(8), &json!("text/plain")));
    assert_eq!(file.get("url"), None);
    let row = sheet(&cleo, json!({ "title": "Plan", "scan": file["id"] }));
    let url = format!("/files/sheets/{}/scan", row["id"].as_str().expect("an id"));
    assert_eq!(row["scan"], json!({ "id": file["id"], "name": "plan.txt", "size": 8, "type": "text/plain", "url": url }));
    assert_eq!(cleo.get(&url).ok(200).body, "the plan");
    assert_eq!(cleo.get("/api/sheets?title=Plan").ok(200).json()["items"][0]["scan"]["url"], url);
    // The body of a GET can be PUT back, and another changed field does not affect the file.
    let mut whole = cleo.get(&path(&row)).ok(200).json();
    whole["title"] = json!("Plan B");
    assert_eq!(cleo.send("PUT", &path(&row), &whole).ok(200).json()["scan"], row["scan"]);
    assert_eq!(cleo.get(&url).ok(200).body, "the plan");
    // Another file replaces it, and null removes it.
    let other = upload_file(&cleo, "other.txt", b"another");
    assert_eq!(cleo.send("PATCH", &path(&row), &json!({ "scan": other })).ok(200).json()["scan"]["name"], "other.txt");
    assert_eq!(cleo.get(&url).ok(200).body, "another");
    assert_eq!(cleo.send("PATCH", &path(&row), &json!({ "scan": null })).ok(200).json()["scan"], Value::Null);
    assert_eq!(cleo.get(&url).status, 404);
    let schema = cleo.get("/api/openapi.json").ok(200).json();
    assert_eq!(schema["components"]["schemas"]["StoredFile"]["required"], json!(["id", "name", "size", "type", "url"]));
    assert!(schema["paths"]["/files/sheets/scan"]["post"].is_object() && schema["paths"]["/files/sheets/{id}/scan"]["get"].is_object());
}

fn images_are_displayed_and_other_files_are_downloaded(base: &str) {
    let cleo = Client::signed_in(base, CLEO);
    let html = b"<!DOCTYPE html><script>alert(document.cookie)</script>";
    let gif = b"GIF89a/*<script>alert(1)</script>*/=1;";
    let svg = b"<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"/>";
    for (name, bytes, kind, inline) in [
        ("a.png", PNG, "image/png", true),
        ("page.png", &html[..], "application/octet-stream", false),
        ("polyglot.html", &gif[..], "image/gif", true),
        ("drawing.svg", &svg[..], "application/octet-stream", false),
        ("a.pdf", b"%PDF-1.7\n", "application/pdf", true),
        ("run.js", b"alert(1)", "application/octet-stream", false),
    ] {
        let file = upload_file(&cleo, name, bytes);
        let row = sheet(&cleo, json!({ "title": name, "scan": file }));
        let answer = cleo.get(row["scan"]["url"].as_str().expect("an address")).ok(200);
        assert_eq!(answer.header("content-type"), Some(kind), "{name}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        let policy = answer.header("content-security-policy").expect("a policy");
        assert!(policy.starts_with("sandbox;") && policy.contains("default-src 'none'"), "{policy}");
        let disposition = answer.header("content-disposition").expect("a disposition");
        assert_eq!(disposition.starts_with("inline;"), inline, "{name}: {disposition}");
        assert_eq!(answer.header("content-length"), Some(bytes.len().to_string().as_str()), "{name}");
    }
}

fn file_names_cannot_traverse_paths_or_inject_headers(base: &str) {
    let cleo = Client::signed_in(base, CLEO);
    for (sent_as, kept) in
        [("../../../etc/passwd", "passwd"), ("..\\\\boot.ini", "boot.ini"), ("%00evil%0d%0aX: 1", "%00evil%0d%0aX: 1"), ("..", "file")]
    {
        let file = upload_file(&cleo, sent_as, b"x");
        assert_eq!(file["name"], kept, "{sent_as}");
        let row = sheet(&cleo, json!({ "title": "Named", "scan": file }));
        let answer = cleo.get(row["scan"]["url"].as_str().expect("an address")).ok(200);
        let disposition = answer.header("content-disposition").expect("a disposition").to_owned();
        assert!(disposition.matches('"').count() == 2 && answer.header("x").is_none(), "{disposition}");
    }
    // Files in the storage have random names, and no text of a client.
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let files = std::fs::read_dir(folder(engine)).into_iter().flatten().flatten().flat_map(|it| std::fs::read_dir(it.path()));
        for file in files.flatten().flatten() {
            let name = file.file_name().into_string().expect("a name");
            assert!(name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit()), "{name}");
        }
    }
    for traversal in
        ["/files/sheets/..%2F..%2Fetc%2Fpasswd/scan", "/files/sheets/x/..%2Fscan", "/files/..%2Fsheets/scan", "/files/dz_files/x/stored"]
    {
        assert_eq!(cleo.get(traversal).status, 404, "{traversal}");
    }
}

fn an_upload_belongs_to_its_account_and_is_used_once(base: &str) {
    let (cleo, carl) = (Client::signed_in(base, CLEO), Client::signed_in(base, CARL));
    let file = upload_file(&cleo, "mine.txt", b"mine");
    let refused = |client: &Client, fields: &Value| {
        let problem = client.send("POST", "/api/sheets", fields).problem(422, "VALIDATION");
        let why = problem["field_errors"].to_string();
        assert!(why.contains("is not an unused upload of yours"), "{why}");
    };
    refused(&carl, &json!({ "title": "Taken", "scan": file }));
    refused(&cleo, &json!({ "title": "Elsewhere", "sign": file }));
    refused(&cleo, &json!({ "title": "Nowhere", "scan": "00000000-0000-4000-8000-000000000000" }));
    cleo.send("POST", "/api/cards", &json!({ "front": file })).problem(422, "VALIDATION");
    let row = sheet(&cleo, json!({ "title": "Mine", "scan": file }));
    refused(&cleo, &json!({ "title": "Twice", "scan": file }));
    let both = upload_file(&cleo, "both.txt", b"both");
    refused(&cleo, &json!({ "title": "Both", "scan": both, "sign": both }));
    refused(&cleo, &json!({ "title": "Stolen", "scan": row["scan"] }));
    let other = sheet(&cleo, json!({ "title": "Other" }));
    cleo.send("PATCH", &path(&other), &json!({ "scan": row["scan"] })).problem(422, "VALIDATION");
    // A refused write does not use the upload.
    let again = upload_file(&cleo, "again.txt", b"again");
    cleo.send("POST", "/api/sheets", &json!({ "scan": again })).problem(422, "VALIDATION");
    sheet(&cleo, json!({ "title": "Again", "scan": again }));
    let unwanted = upload_file(&cleo, "refused.txt", b"x");
    let problem = cleo.send("POST", "/api/sheets", &json!({ "title": "Hooked", "scan": unwanted })).problem(422, "VALIDATION");
    assert_eq!(problem["field_errors"]["scan"], json!(["has a name that nobody wants"]));
    // Only one of two concurrent requests gets the upload.
    let race = upload_file(&cleo, "race.txt", b"race");
    let host = base.to_owned();
    let made = |at: usize| {
        let (race, host, cookie) = (race.clone(), host.clone(), cleo.cookie.clone());
        std::thread::spawn(move || {
            let client = Client { cookie, ..Client::new(&host) };
            client.send("POST", "/api/sheets", &json!({ "title": format!("Race {at}"), "scan": race })).status
        })
    };
    let threads: Vec<_> = (0..6).map(made).collect();
    let mut statuses: Vec<u16> = threads.into_iter().map(|thread| thread.join().expect("an answer")).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 422, 422, 422, 422, 422]);
}

fn a_file_is_visible_with_its_row(base: &str) {
    let (cleo, rita) = (Client::signed_in(base, CLEO), Client::signed_in(base, RITA));
    let secret = upload(&cleo, "/files/sheets/sign", "sign.txt", b"signed").ok(201).json();
    let row = sheet(&cleo, json!({ "title": "Read", "scan": upload_file(&cleo, "a.txt", b"a"), "sign": secret }));
    let (scan, sign) = (row["scan"]["url"].as_str().expect("an address"), row["sign"]["url"].as_str().expect("an address"));
    assert_eq!((rita.get(scan).ok(200).body.as_str(), cleo.get(sign).ok(200).body.as_str()), ("a", "signed"));
    // A hidden field also hides its file.
    assert_eq!(rita.get(&path(&row)).ok(200).json()["sign"], Value::Null);
    assert_eq!(rita.get(sign).status, 404);
    cleo.send("PATCH", &path(&row), &json!({ "open": false })).ok(200);
    assert_eq!(rita.get(scan).status, 404);
    let nobody = Client::new(base);
    // A browser without a session is redirected to the sign-in page; a program gets 401.
    assert_eq!(nobody.request("GET", sign, &[("Accept", "text/html,*/*;q=0.8")], b"").status, 303);
    nobody.get(sign).problem(401, "AUTHENTICATION_REQUIRED");
    assert_eq!(upload(&nobody, "/files/sheets/scan", "a", b"a").status, 401);
    assert_eq!(upload(&rita, "/files/sheets/scan", "a", b"a").status, 403);
    // Invalid keys, identifiers of files and names of fields are not found.
    let file = row["scan"]["id"].as_str().expect("an id");
    for guessed in [
        format!("/files/sheets/{file}/scan"),
        "/files/sheets/1/scan".into(),
        scan.replace("/scan", "/title"),
        format!("/files/{file}/scan/x"),
    ] {
        assert_eq!(cleo.get(&guessed).status, 404, "{guessed}");
    }
    assert_eq!(cleo.delete(scan).status, 405);
    assert_eq!(cleo.get("/files/sheets/scan").status, 405);
    // An upload of another site is refused.
    let headers = [("Content-Type", "multipart/form-data; boundary=edge"), ("Sec-Fetch-Site", "cross-site")];
    let body = parts(&[], &[("file", "a", "text/plain", b"a")]);
    cleo.request("POST", "/files/sheets/scan", &headers, &body).ok(403);
    let plain = cleo.request("POST", "/files/sheets/scan", &[("Content-Type", "text/plain"), ("Sec-Fetch-Site", "same-origin")], b"a");
    assert_eq!(plain.status, 415);
}

fn a_file_that_is_too_large_names_its_limit(base: &str) {
    let cleo = Client::signed_in(base, CLEO);
    let problem = upload(&cleo, "/files/sheets/scan", "big", &[b'x'; 64_001]).problem(413, "TOO_LARGE");
    assert_eq!(problem["detail"], "A file in `scan` may have at most 64 KB");
    assert_eq!(problem["field_errors"]["scan"], json!(["may have at most 64 KB"]));
    upload(&cleo, "/files/sheets/scan", "fits", &[b'x'; 64_000]).ok(201);
    // A field without a limit has that of the configuration.
    assert!(upload(&cleo, "/files/cards/front", "big", &[b'x'; 2_001]).problem(413, "TOO_LARGE")["detail"].to_string().contains("2 KB"));
    // A file far above the limit is not read completely.
    let huge = cleo.request(
        "POST",
        "/files/sheets/scan",
        &[("Content-Type", "multipart/form-data; boundary=edge"), ("Sec-Fetch-Site", "same-origin")],
        &parts(&[], &[("file", "huge", "x", &vec![b'x'; 8 << 20])]),
    );
    assert!(matches!(huge.status, 400 | 413), "{}", huge.status);
    let form = send_form(&cleo, "/app/sheet_create", &parts(&[("title", "Kept as typed")], &[("scan", "big", "x", &[b'x'; 70_000])]));
    assert_eq!(form.status, 413);
    form.shows(&["May have at most 64 KB.", "Kept as typed", "href=\"#scan\""]);
}

fn forms_upload_keep_and_remove_files(base: &str) {
    let cleo = Client::signed_in(base, CLEO);
    cleo.get("/app/sheet_create").ok(200).shows(&[
        "enctype=\"multipart/form-data\"",
        "type=\"file\"",
        "At most 64 KB.",
        "data-dz-limit=\"64000\"",
    ]);
    // A refused form keeps the file that was sent with it.
    let refused = send_form(&cleo, "/app/sheet_create", &parts(&[("title", "")], &[("scan", "kept.png", "image/png", PNG)]));
    assert_eq!(refused.status, 422);
    refused.shows(&["kept.png", "Fill this in."]);
    let hidden = refused.body.split("name=\"scan\" value=\"").nth(1).and_then(|it| it.split('"').next()).expect("an identifier").to_owned();
    let saved = send_form(
        &cleo,
        "/app/sheet_create",
        &parts(&[("title", "From a form"), ("scan", &hidden)], &[("scan", "", "application/octet-stream", b"")]),
    );
    assert_eq!(saved.status, 303, "{}", saved.body);
    let row = cleo.get("/api/sheets?title=From%20a%20form").json()["items"][0].clone();
    assert_eq!((&row["scan"]["name"], &row["scan"]["type"]), (&json!("kept.png"), &json!("image/png")));
    let id = row["id"].as_str().expect("an id");
    let url = row["scan"]["url"].as_str().expect("an address");
    cleo.get(&format!("/app/sheet_view/{id}")).ok(200).shows(&[
        "kept.png",
        &format!("<img class=\"dz-picture\" src=\"{url}\""),
        &format!("{} bytes", PNG.len()),
    ]);
    cleo.get("/app/sheet_list").ok(200).shows(&[&format!("<a class=\"dz-file\" href=\"{url}\"")]);
    let edit = format!("/app/sheet_edit/{id}");
    let form = cleo.get(&edit).ok(200);
    form.shows(&["kept.png", "Remove the file", "name=\"scan.remove\""]);
    let held = row["scan"]["id"].as_str().expect("an id");
    // The file is kept, replaced and removed; then a form without a file part.
    let none: (&str, &str, &str, &[u8]) = ("scan", "", "application/octet-stream", b"");
    assert_eq!(send_form(&cleo, &edit, &parts(&[("title", "Kept"), ("scan", held)], &[none])).status, 303);
    assert_eq!(cleo.get(&path(&row)).json()["scan"]["id"], held);
    assert_eq!(send_form(&cleo, &edit, &parts(&[("title", "New"), ("scan", held)], &[("scan", "new.txt", "x", b"new")])).status, 303);
    assert_eq!(cleo.get(url).ok(200).body, "new");
    let held = cleo.get(&path(&row)).json()["scan"]["id"].as_str().expect("an id").to_owned();
    assert_eq!(cleo.form(&edit, &[("title", "Kept"), ("scan", &held)]).status, 303);
    assert_eq!(cleo.get(url).ok(200).body, "new");
    assert_eq!(send_form(&cleo, &edit, &parts(&[("title", "None"), ("scan", &held), ("scan.remove", "true")], &[none])).status, 303);
    assert_eq!(cleo.get(url).status, 404);
    // A file for a field of another type.
    assert_eq!(send_form(&cleo, "/app/sheet_create", &parts(&[], &[("title", "x", "x", b"x")])).status, 400);
    assert_eq!(
        send_form(&Client::signed_in(base, RITA), "/app/sheet_create", &parts(&[("title", "x")], &[("scan", "x", "x", b"x")])).status,
        403
    );
}

fn csv_contains_file_names_and_accepts_no_files(base: &str) {
    let cleo = Client::signed_in(base, CLEO);
    let row = sheet(&cleo, json!({ "title": "Tabled", "scan": upload_file(&cleo, "=cmd.txt", b"x") }));
    let csv = cleo.get("/api/sheets?format=csv&title=Tabled").ok(200).body;
    assert!(csv.contains("'=cmd.txt"), "{csv}");
    let import = |client: &Client, text: &str| {
        client.request("POST", "/api/sheets/import", &[("Content-Type", "text/csv"), ("Sec-Fetch-Site", "same-origin")], text.as_bytes())
    };
    // An export can be imported again, and does not affect the file.
    let id = row["id"].as_str().expect("an id");
    import(&cleo, &format!("id,title,scan\n{id},Tabled again,'=cmd.txt\n")).ok(200);
    assert_eq!(cleo.get(&path(&row)).json()["scan"], row["scan"]);
    let problem = import(&cleo, &format!("id,title,scan\n{id},Tabled,other.txt\n")).problem(422, "VALIDATION");
    assert!(problem.to_string().contains("CSV cannot contain"), "{problem}");
    import(&cleo, "title,scan\nNew,new.txt\n").problem(422, "VALIDATION");
    cleo.get("/api/sheets?scan__isnull=true").ok(200);
    assert!(cleo.get("/api/sheets?scan=x").problem(400, "BAD_REQUEST")["detail"].to_string().contains("is a file"));
    assert!(cleo.get("/api/sheets?sort=scan").problem(400, "BAD_REQUEST")["detail"].to_string().contains("is a file"));
}

fn files_in_rust_follow_the_rules(base: &str) {
    let cleo = Client::signed_in(base, CLEO);
    let row = sheet(&cleo, json!({ "title": "Stamped" }));
    let at = format!("/stamp/{}", row["id"].as_str().expect("an id"));
    let same = [("Sec-Fetch-Site", "same-origin")];
    assert_eq!(cleo.request("POST", &at, &same, b"").ok(200).body, "stamp.txt 7 text/plain stamped");
    assert_eq!(cleo.get(&format!("/files/sheets/{}/scan", row["id"].as_str().expect("an id"))).ok(200).body, "stamped");
    assert_eq!(Client::signed_in(base, RITA).request("POST", &at, &same, b"").status, 403);
}

fn invalid_uploads_are_explained(base: &str) {
    let cleo = Client::signed_in(base, CLEO);
    for wrong in [
        json!("x"),
        json!(7),
        json!({}),
        json!({ "id": 7 }),
        json!({ "id": "x" }),
        json!(["a"]),
        json!({ "id": "00000000-0000-4000-8000-000000000000", "path": "/etc" }),
    ] {
        let problem = cleo.send("POST", "/api/sheets", &json!({ "title": "Wrong", "scan": wrong })).problem(422, "VALIDATION");
        assert_eq!(problem["field_errors"]["scan"], json!(["must be the response of an upload, or its `id` as text"]), "{wrong}");
    }
    cleo.send("POST", "/api/cards", &json!({})).problem(422, "VALIDATION");
    for (body, status) in [(parts(&[], &[]), 415), (parts(&[], &[("other", "a", "x", b"a")]), 400), (b"--edge\r\nnonsense".to_vec(), 400)] {
        assert_eq!(send_form(&cleo, "/files/sheets/scan", &body).status, status, "{}", String::from_utf8_lossy(&body));
    }
    let two = parts(&[], &[("file", "a", "x", b"a"), ("file", "b", "x", b"b")]);
    assert_eq!(send_form(&cleo, "/files/sheets/scan", &two).status, 400);
    assert_eq!(upload(&cleo, "/files/sheets/title", "a", b"a").status, 404);
}

fn rules_and_invariants_can_test_for_a_file(base: &str) {
    let cleo = Client::signed_in(base, CLEO);
    let row = sheet(&cleo, json!({ "title": "Closed", "scan": upload_file(&cleo, "a.txt", b"a") }));
    cleo.send("PATCH", &path(&row), &json!({ "open": false })).ok(200);
    cleo.send("PATCH", &path(&row), &json!({ "scan": null })).problem(422, "SHEET_SCAN");
    assert_eq!(cleo.get(row["scan"]["url"].as_str().expect("an address")).ok(200).body, "a");
    cleo.send("POST", "/api/sheets", &json!({ "title": "Closed", "open": false })).problem(422, "SHEET_SCAN");
}
