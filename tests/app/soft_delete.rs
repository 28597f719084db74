//! Soft deletion, and temporal rows, on both engines.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use diesel::{QueryDsl as _, RunQueryDsl as _};
use dz::serde_json::{Value, json};

use crate::client::Client;

dz::dz! {
    app archive "Archive"

    persona clerk "Clerk"
    persona guest "Guest"

    entity User "Person":
      id: uuid pk
      name: str(60) required
      permit:
        list: true
        read: true

    entity Shelf "Shelf":
      id: uuid pk
      name: str(60) required
      folders: has_many Folder
      filled: computed count(folders)
      access:
        read: true
        write: role(clerk)

    entity Folder "Folder":
      id: uuid pk
      name: str(60) required unique
      shelf: ref Shelf cascade
      papers: has_many Paper
      pages: computed count(papers)
      soft_delete
      permit:
        list: true
        read: true
        create: role(clerk)
        update: role(clerk)
        delete: role(clerk)
        restore: role(clerk) and name != "secret"
      audit: [restore]

    entity Paper "Paper":
      id: uuid pk
      folder: belongs_to Folder required cascade
      title: str(60) required
      soft_delete
      permit:
        list: true
        read: true
        create: role(clerk)
        delete: role(clerk)
        restore: role(clerk)

    entity Note "Note":
      id: uuid pk
      folder: ref Folder required cascade
      text: str(60) required
      access:
        read: true
        write: role(clerk)

    entity Loan "Loan":
      id: uuid pk
      folder: ref Folder required
      access:
        read: true
        write: role(clerk)

    entity Post "Position":
      id: uuid pk
      holder: str(60) required
      since: date required
      until: date
      temporal:
        start: since
        end: until
      access:
        read: true
        write: role(clerk)

    entity Shift "Shift":
      id: uuid pk
      name: str(60) required
      begins: datetime required
      ends: datetime
      temporal:
        start: begins
        end: ends
      access:
        read: true
        write: role(clerk)

    surface folder_list "Folders":
      uses entity Folder
      mode: list
      ux:
        sort: name asc
        search: name

    surface folder_view "Folder":
      uses entity Folder
      mode: view

    surface note_create "New note":
      uses entity Note
      mode: create

    surface post_list "Positions":
      uses entity Post
      mode: list
      ux:
        sort: holder asc

    demo:
      User:
        - name: "Clara", email: "clara@archive.example", password: "keeps the papers", roles: [clerk]
        - name: "Gus", email: "gus@archive.example", password: "reads the papers", roles: [guest]
        - name: "Ada", email: "ada@archive.example", password: "counts the records", roles: [admin]
}

const CLERK: (&str, &str) = ("clara@archive.example", "keeps the papers");
const ADMIN: (&str, &str) = ("ada@archive.example", "counts the records");
const GUEST: (&str, &str) = ("gus@archive.example", "reads the papers");

/// The application, with routes in Rust.
fn archive() -> dz::App {
    app()
        .mount("/typed", rocket::routes![names, bring_back, raw])
        .before_update::<folder::Folder>(|_, folder, changes| match folder.name.as_str() {
            "sealed" => Err(dz::Error::new(422, "SEALED", "sealed folders stay away")),
            "worn" => {
                changes.name = Some("mended".to_owned());
                Ok(())
            }
            _ => Ok(()),
        })
        .after_update::<folder::Folder>(|tx, before, after| {
            if before.name == "worn" {
                note::NewNote { id: None, folder_id: after.id, text: format!("{} to {}", before.name, after.name) }.create(tx)?;
            }
            Ok(())
        })
        .on::<folder::Folder>(dz::Event::Updated, |_, happened| heard("updated", &happened.row.name))
        .on::<folder::Folder>(dz::Event::Deleted, |_, happened| heard("deleted", &happened.row.name))
}

/// Counts all rows, also soft-deleted ones.
#[rocket::get("/raw")]
async fn raw(cx: dz::Cx) -> dz::Result<String> {
    cx.run(|tx| {
        tx.as_system("folders are counted, the marked ones too", |conn| {
            let all = schema::folders::table.count();
            let count: i64 = match conn.sqlite() {
                Some(sqlite) => all.get_result(sqlite)?,
                None => all.get_result(conn.postgres().ok_or_else(|| dz::Error::internal("neither engine"))?)?,
            };
            Ok(count.to_string())
        })
    })
    .await
}

/// The events that subscribers received.
static HEARD: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn heard(event: &str, name: &str) -> dz::Result<()> {
    HEARD.lock().unwrap_or_else(PoisonError::into_inner).push(format!("{event} {name}"));
    Ok(())
}

#[rocket::get("/names")]
async fn names(cx: dz::Cx) -> dz::Result<String> {
    cx.read(|tx| Ok(tx.count(folder::scoped(tx, dz::access::List)?)?.to_string())).await
}

#[rocket::get("/back/<id>")]
async fn bring_back(cx: dz::Cx, id: &str) -> dz::Result<String> {
    let id = id.parse().map_err(|_| dz::Error::not_found())?;
    cx.run(move |tx| Ok(folder::Folder::restore(tx, id)?.name)).await
}

crate::served_on_both! {
    "archive", archive();
    a_deleted_row_is_hidden_and_can_be_restored;
    soft_deletion_of_dependent_rows;
    a_soft_deleted_row_is_deleted_with_its_parent;
    restoring_follows_the_rules;
    restoring_is_a_write_like_every_other;
    pages_and_rust_do_not_show_soft_deleted_rows;
    as_system_is_recorded;
    lists_show_current_rows;
    times_are_as_exact_as_the_fields;
}

#[track_caller]
fn create_row(client: &Client, path: &str, row: Value) -> String {
    client.send("POST", path, &row).ok(201).json()["id"].as_str().expect("an id").to_owned()
}

#[track_caller]
fn restore(client: &Client, path: &str) -> crate::client::Answer {
    client.send("POST", &format!("{path}/actions/restore"), &json!({}))
}

fn total(client: &Client, query: &str) -> Value {
    client.get(query).ok(200).json()["total"].clone()
}

fn a_deleted_row_is_hidden_and_can_be_restored(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let id = create_row(&clerk, "/api/folders", json!({ "name": "Letters" }));
    let at = format!("/api/folders/{id}");
    clerk.delete(&at).ok(204);
    clerk.get(&at).problem(404, "NOT_FOUND");
    clerk.delete(&at).problem(404, "NOT_FOUND");
    clerk.send("PATCH", &at, &json!({ "name": "Notes" })).problem(404, "NOT_FOUND");
    assert_eq!(total(&clerk, "/api/folders?name=Letters"), 0);
    assert_eq!(total(&clerk, "/api/folders?search=etter"), 0);
    let refused = clerk.send("POST", "/api/papers", &json!({ "folder": id, "title": "Lost" })).problem(422, "REFERENCE");
    assert!(refused["field_errors"]["folder"].is_array(), "{refused}");
    // Its name is free, and can be taken before the row is restored.
    let second = create_row(&clerk, "/api/folders", json!({ "name": "Letters" }));
    let taken = restore(&clerk, &at).problem(409, "UNIQUE");
    assert!(taken["field_errors"]["name"].is_array(), "{taken}");
    clerk.send("POST", "/api/folders", &json!({ "name": "Letters" })).problem(409, "UNIQUE");
    clerk.delete(&format!("/api/folders/{second}")).ok(204);
    let back = restore(&clerk, &at).ok(200);
    assert_eq!((back.json()["name"].as_str(), back.header("etag")), (Some("Letters"), Some("\"3\"")));
    assert_eq!(total(&clerk, "/api/folders?name=Letters"), 1);
    restore(&clerk, &at).problem(404, "NOT_FOUND");
}

fn soft_deletion_of_dependent_rows(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let shelf = create_row(&clerk, "/api/shelves", json!({ "name": "Left" }));
    let id = create_row(&clerk, "/api/folders", json!({ "name": "Bills", "shelf": shelf }));
    let paper = create_row(&clerk, "/api/papers", json!({ "folder": id, "title": "First" }));
    let note = create_row(&clerk, "/api/notes", json!({ "folder": id, "text": "Dusty" }));
    let loan = create_row(&clerk, "/api/loans", json!({ "folder": id }));
    let at = format!("/api/folders/{id}");
    clerk.delete(&at).problem(409, "REFERENCED");
    clerk.delete(&format!("/api/loans/{loan}")).ok(204);
    assert_eq!(clerk.get(&format!("/api/shelves/{shelf}")).json()["filled"], 1);
    clerk.delete(&at).ok(204);
    assert_eq!(clerk.get(&format!("/api/shelves/{shelf}?expand=folders")).json()["folders"], json!([]));
    assert_eq!(clerk.get(&format!("/api/shelves/{shelf}")).json()["filled"], 0);
    clerk.get(&format!("/api/papers/{paper}")).problem(404, "NOT_FOUND");
    clerk.get(&format!("/api/notes/{note}")).problem(404, "NOT_FOUND");
    // A row cannot be restored while its parent is deleted.
    restore(&clerk, &format!("/api/papers/{paper}")).problem(422, "REFERENCE");
    assert_eq!(restore(&clerk, &at).ok(200).json()["pages"], 0);
    restore(&clerk, &format!("/api/papers/{paper}")).ok(200);
    assert_eq!(clerk.get(&at).json()["pages"], 1);
    // Notes are deleted permanently.
    clerk.send("POST", &format!("/api/notes/{note}/actions/restore"), &json!({})).problem(404, "NOT_FOUND");
}

fn a_soft_deleted_row_is_deleted_with_its_parent(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let shelf = create_row(&clerk, "/api/shelves", json!({ "name": "Right" }));
    let marked = create_row(&clerk, "/api/folders", json!({ "name": "Old", "shelf": shelf }));
    let live = create_row(&clerk, "/api/folders", json!({ "name": "New", "shelf": shelf }));
    create_row(&clerk, "/api/papers", json!({ "folder": marked, "title": "Deep" }));
    create_row(&clerk, "/api/papers", json!({ "folder": live, "title": "Top" }));
    clerk.delete(&format!("/api/folders/{marked}")).ok(204);
    clerk.delete(&format!("/api/shelves/{shelf}")).ok(204);
    for folder in [marked, live] {
        restore(&clerk, &format!("/api/folders/{folder}")).problem(404, "NOT_FOUND");
    }
}

fn restoring_follows_the_rules(base: &str) {
    let (clerk, guest) = (Client::signed_in(base, CLERK), Client::signed_in(base, GUEST));
    let (open, secret) =
        (create_row(&clerk, "/api/folders", json!({ "name": "open" })), create_row(&clerk, "/api/folders", json!({ "name": "secret" })));
    for id in [&open, &secret] {
        clerk.delete(&format!("/api/folders/{id}")).ok(204);
    }
    restore(&guest, &format!("/api/folders/{open}")).problem(403, "FORBIDDEN");
    restore(&Client::new(base), &format!("/api/folders/{open}")).problem(401, "AUTHENTICATION_REQUIRED");
    restore(&clerk, &format!("/api/folders/{secret}")).problem(404, "NOT_FOUND");
    restore(&clerk, "/api/folders/nothing").problem(404, "NOT_FOUND");
    clerk.send("POST", "/api/shelves/nothing/actions/restore", &json!({})).problem(404, "NOT_FOUND");
    let get = clerk.get(&format!("/api/folders/{open}/actions/restore"));
    assert_eq!((get.status, get.header("allow")), (405, Some("POST")));
    let stale = clerk.send_if("POST", &format!("/api/folders/{open}/actions/restore"), "\"1\"", &json!({}));
    stale.problem(412, "STALE");
    restore(&clerk, &format!("/api/folders/{open}")).ok(200);
}

fn restoring_is_a_write_like_every_other(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let sealed = create_row(&clerk, "/api/folders", json!({ "name": "sealed" }));
    let worn = create_row(&clerk, "/api/folders", json!({ "name": "worn" }));
    for id in [&sealed, &worn] {
        clerk.delete(&format!("/api/folders/{id}")).ok(204);
    }
    // A hook refuses, and no change remains.
    restore(&clerk, &format!("/api/folders/{sealed}")).problem(422, "SEALED");
    clerk.get(&format!("/api/folders/{sealed}")).problem(404, "NOT_FOUND");
    // Another hook changes the restored row, and writes other rows.
    let back = restore(&clerk, &format!("/api/folders/{worn}")).ok(200);
    assert_eq!((back.json()["name"].as_str(), back.header("etag")), (Some("mended"), Some("\"3\"")));
    let note = clerk.get(&format!("/api/notes?folder={worn}")).json();
    assert_eq!(note["items"][0]["text"], "worn to mended");
    // Subscribers get the deletion and then the change.
    let until = Instant::now() + Duration::from_secs(20);
    let told = || {
        let heard = HEARD.lock().unwrap_or_else(PoisonError::into_inner);
        heard.iter().position(|it| it == "deleted worn").zip(heard.iter().position(|it| it == "updated mended"))
    };
    while told().is_none() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(told().is_some_and(|(gone, back)| gone < back), "{:?}", HEARD.lock());
    HEARD.lock().unwrap_or_else(PoisonError::into_inner).clear();
    // The restore and the refusal are recorded.
    let admin = Client::signed_in(base, ADMIN);
    let path = format!("/admin/audit?entity=Folder&action=restore&row_id={worn}");
    let records = admin.request("GET", &path, &[("Accept", "application/json")], b"").ok(200).json();
    let records: Vec<&Value> = records["items"].as_array().expect("records").iter().filter(|it| it["row_id"] == worn.as_str()).collect();
    assert_eq!(records.len(), 1, "{records:?}");
    assert_eq!((&records[0]["decision"], &records[0]["changes"]["name"]), (&json!("allowed"), &json!({ "from": "worn", "to": "mended" })));
}

fn pages_and_rust_do_not_show_soft_deleted_rows(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let (kept, gone) =
        (create_row(&clerk, "/api/folders", json!({ "name": "Kept" })), create_row(&clerk, "/api/folders", json!({ "name": "Gone" })));
    clerk.get(&format!("/app/folder_view/{gone}/delete")).ok(200).shows(&["can be restored"]);
    let before: u64 = clerk.get("/typed/names").ok(200).body.parse().expect("a number");
    assert_eq!(clerk.form(&format!("/app/folder_view/{gone}/delete"), &[("version", "1")]).status, 303);
    assert!(clerk.get("/typed/names").ok(200).body.parse::<u64>().is_ok_and(|after| after < before + 3));
    for page in ["/app/folder_list?search=Gone", "/app/note_create", "/app/-/pick/folders?q=Gone"] {
        assert!(!clerk.get(page).ok(200).body.contains(">Gone<"), "{page}");
    }
    clerk.get(&format!("/app/folder_view/{kept}")).ok(200).shows(&["Kept"]);
    assert_eq!(clerk.get(&format!("/app/folder_view/{gone}")).status, 404);
    assert_eq!(clerk.get(&format!("/typed/back/{gone}")).ok(200).body, "Gone");
    clerk.get("/app/folder_list?search=Gone").ok(200).shows(&[">Gone<"]);
}

fn as_system_is_recorded(base: &str) {
    let [clerk, guest, admin] = [CLERK, GUEST, ADMIN].map(|who| Client::signed_in(base, who));
    let gone = create_row(&clerk, "/api/folders", json!({ "name": "Past the rules" }));
    clerk.delete(&format!("/api/folders/{gone}")).ok(204);
    let seen: u64 = guest.get("/typed/names").ok(200).body.parse().expect("a number");
    assert!(guest.get("/typed/raw").ok(200).body.parse::<u64>().is_ok_and(|all| all > seen));
    let records = admin.request("GET", "/admin/audit?action=as_system", &[("Accept", "application/json")], b"").ok(200).json();
    let record = &records["items"][0];
    assert_eq!((&record["rule"], &record["email"]), (&json!("folders are counted, the marked ones too"), &json!(GUEST.0)), "{records}");
}

fn lists_show_current_rows(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    for (holder, since, until) in
        [("Ada", "2020-01-01", Some("2021-06-30")), ("Bea", "2021-06-30", Some("2023-01-01")), ("Cid", "2023-01-01", None)]
    {
        create_row(&clerk, "/api/posts", json!({ "holder": holder, "since": since, "until": until }));
    }
    let holders = |query: &str| -> Vec<String> {
        let list = clerk.get(&format!("/api/posts?sort=holder&{query}")).ok(200).json();
        let names: Vec<String> =
            list["items"].as_array().expect("items").iter().map(|it| it["holder"].as_str().expect("a name").to_owned()).collect();
        assert_eq!(list["total"], names.len());
        names
    };
    assert_eq!(holders(""), ["Cid"]);
    for yes in ["true", "1", "yes"] {
        assert_eq!(holders(&format!("include_closed={yes}")), ["Ada", "Bea", "Cid"]);
    }
    assert_eq!(holders("include_closed=false"), ["Cid"]);
    assert_eq!(holders("as_of=2021-06-29"), ["Ada"]);
    assert_eq!(holders("as_of=2021-06-30"), ["Bea"], "the day of the end is the next one's");
    assert_eq!(holders("as_of=2019-12-31"), [] as [&str; 0]);
    assert_eq!(holders("as_of=2030-01-01&include_closed=true"), ["Cid"]);
    assert_eq!(holders("include_closed=1&holder=Ada"), ["Ada"]);
    for junk in ["include_closed=maybe", "as_of=soon", "as_of=2021-02-30", "include_close=1"] {
        clerk.get(&format!("/api/posts?{junk}")).problem(400, "BAD_REQUEST");
    }
    clerk.get("/api/folders?include_closed=true").problem(400, "BAD_REQUEST");
    // A single row is readable whether it is current or not.
    let ada = clerk.get("/api/posts?include_closed=1&holder=Ada").json()["items"][0]["id"].as_str().expect("an id").to_owned();
    clerk.get(&format!("/api/posts/{ada}")).ok(200);
    let page = clerk.get("/app/post_list").ok(200);
    assert!(page.body.contains("Cid") && !page.body.contains("Ada"), "{}", page.body);
    page.shows(&["name=\"include_closed\"", "name=\"as_of\"", "type=\"date\""]);
    let all = clerk.exchange("/app/post_list?page_size=1&include_closed=yes&sort=-holder").ok(200);
    all.shows(&["Cid", "page=3&#38;page_size=1&#38;sort=-holder&#38;include_closed=yes"]);
    let then = clerk.get("/app/post_list?as_of=2021-06-29").ok(200);
    assert!(then.body.contains("Ada") && !then.body.contains("Cid"), "{}", then.body);
    let junk = clerk.get("/app/post_list?include_closed=maybe&as_of=soon").ok(200);
    assert!(junk.body.contains("Cid") && !junk.body.contains("maybe") && !junk.body.contains("soon"), "{}", junk.body);
}

fn times_are_as_exact_as_the_fields(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    create_row(&clerk, "/api/shifts", json!({ "name": "Night", "begins": "2026-01-01T22:00:00Z", "ends": "2026-01-02T06:00:00Z" }));
    let found = |query: &str| total(&clerk, &format!("/api/shifts?{query}"));
    assert_eq!(found(""), 0);
    assert_eq!(found("as_of=2026-01-01T21:59:59Z"), 0);
    assert_eq!(found("as_of=2026-01-01T22:00:00Z"), 1);
    assert_eq!(found("as_of=2026-01-02T06:00:00Z"), 0);
    assert_eq!(found("as_of=2026-01-02"), 1, "a day is its beginning");
}
