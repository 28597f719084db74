//! A library whose accounts belong to a branch: what a replacement keeps, what commands set, and values that are given twice.

use dz::{
    Engine,
    serde_json::{Value, json},
};

use crate::{
    client::{Answer, Client},
    server,
};

dz::dz! {
    app library "Library"

    persona librarian "Librarian"

    entity Branch "Branch":
      plural: branches
      code: str(20) pk
      name: str(80) required unique
      permit:
        list: true
        read: true
        create: role(librarian)
        update: role(librarian)

    entity User "Person":
      id: uuid pk
      name: str(60) required
      branch: ref Branch required
      shift: enum[day, night] required
      permit:
        list: true
        read: true

    entity Loan "Loan":
      id: uuid pk
      title: str(80) required
      shelf: str(20) required = "A"
      copies: int required = 1
      urgent: bool required
      note: text
      stamp: str(20) optional = "none"
      extra: json
      branch: ref Branch
      status: enum[asked, lent, back, lost] required = asked
      starts: date
      ends: date
      transitions:
        asked -> lent
        lent -> back
        lent -> lost: requires note
      invariant: ends = null or starts = null or ends > starts
        message: "The end must be after the start"
        code: LOAN_END_BEFORE_START
      invariant: copies < 10 or urgent = false
        message: "An urgent loan has fewer than ten copies"
        code: LOAN_TOO_MANY
      permit:
        list: role(librarian)
        read: role(librarian)
        create: role(librarian)
        update: role(librarian)
        delete: role(librarian)

    entity Reader "Reader":
      id: uuid pk
      name: str(60) required
      trusted: bool = false
      branch: ref Branch
      visits: has_many Visit via reader
      permit:
        list: role(librarian)
        read: role(librarian)
        create: role(librarian)
        update: role(librarian)
      audit:
        list
        read: trusted = false

    entity Visit "Visit":
      id: uuid pk
      day: date required
      reader: ref Reader required
      guest: ref Reader
      permit:
        list: role(librarian)
        read: role(librarian)
        create: role(librarian)
      audit:
        list

    surface reader_view "Reader":
      uses entity Reader
      mode: view
      section main:
        field name
      section visits "Visits":
        uses entity Visit
        filter: reader = this
        field day

    surface branch_list "Branches":
      uses entity Branch
      mode: list

    surface branch_view "Branch":
      uses entity Branch
      mode: view

    surface branch_create "New branch":
      uses entity Branch
      mode: create

    surface loan_list "Loans":
      uses entity Loan
      mode: list
      ux:
        sort: title
        filter: status
        search: title

    surface loan_create "New loan":
      uses entity Loan
      mode: create

    demo:
      Branch:
        - code: "main", name: "Main street"
      User:
        - name: "Lib", email: "lib@library.example", password: "keeps the books", branch: "main", shift: day, roles: [librarian, admin]
}

pub const LIBRARIAN: (&str, &str) = ("lib@library.example", "keeps the books");

/// The application.
pub fn library() -> dz::App {
    app()
        .before_create::<loan::Loan>(|_, new| refuse(&new.title))
        .before_update::<loan::Loan>(|_, _, changes| changes.title.as_deref().map_or(Ok(()), refuse))
        .mount("/own", rocket::routes![own_reader, own_visits])
}

/// Refuses a title, in Rust.
fn refuse(title: &str) -> dz::Result<()> {
    match title.starts_with("Forbidden") {
        true => Err(dz::Error::validation("shelf", "is not for forbidden books")),
        false => Ok(()),
    }
}

#[rocket::get("/readers/<id>")]
async fn own_reader(cx: dz::Cx, id: String) -> dz::Result<String> {
    cx.read(move |tx| {
        let visit = visit::Visit::find(tx, id.parse::<dz::Uuid>().map_err(|_| dz::Error::not_found())?)?;
        Ok(reader::Reader::find(tx, visit.reader_id)?.name)
    })
    .await
}

#[rocket::get("/visits/<id>")]
async fn own_visits(cx: dz::Cx, id: String) -> dz::Result<String> {
    cx.read(move |tx| {
        let reader = reader::Reader::find(tx, id.parse::<dz::Uuid>().map_err(|_| dz::Error::not_found())?)?;
        Ok(format!("{} {}", reader.visits(tx)?.len(), reader.visits(tx)?.len()))
    })
    .await
}

crate::served_on_both! { "library", library();
    a_replacement_keeps_the_state_and_takes_defaults;
    an_object_with_a_member_given_twice_is_refused;
    a_parameter_given_twice_is_refused;
    a_form_field_given_twice_is_refused;
    a_location_is_percent_encoded;
    a_refusal_contains_all_errors;
    a_form_shows_all_errors;
    bulk_changes_report_all_errors;
    reads_and_lists_are_recorded_once;
}

/// A loan with all fields, and its address.
fn loan(client: &Client, title: &str) -> (Value, String) {
    let sent = json!({ "title": title, "shelf": "B", "copies": 3, "urgent": true, "note": "careful", "stamp": "red" });
    let row = client.send("POST", "/api/loans", &sent).ok(201).json();
    let path = format!("/api/loans/{}", row["id"].as_str().expect("an id"));
    (row, path)
}

fn a_replacement_keeps_the_state_and_takes_defaults(base: &str) {
    let client = Client::signed_in(base, LIBRARIAN);
    let (_, path) = loan(&client, "Replaced");
    client.send("POST", &format!("{path}/transitions/lent"), &json!({})).ok(200);
    // Neither the state nor a required field with a default is given.
    let row = client.send("PUT", &path, &json!({ "title": "Replaced again" })).ok(200).json();
    assert_eq!((&row["status"], &row["title"]), (&json!("lent"), &json!("Replaced again")), "the state stays");
    assert_eq!((&row["shelf"], &row["copies"], &row["urgent"]), (&json!("A"), &json!(1), &json!(false)), "required: the default");
    assert_eq!((&row["note"], &row["stamp"]), (&Value::Null, &Value::Null), "optional: null, whatever the default");
    // A required field without a default is missing.
    let problem = client.send("PUT", &path, &json!({ "shelf": "C" })).problem(422, "VALIDATION");
    assert_eq!(problem["field_errors"], json!({ "title": ["is required"] }));
    // A given state is a transition; the representation can be sent back.
    let whole = client.get(&path).ok(200).json();
    assert_eq!(client.send("PUT", &path, &whole).ok(200).json(), whole);
    client.send("PUT", &path, &json!({ "title": "Back", "status": "asked" })).problem(409, "TRANSITION_NOT_ALLOWED");
    assert_eq!(client.send("PUT", &path, &json!({ "title": "Back", "status": "back" })).ok(200).json()["status"], "back");
}

/// Sends a raw body.
fn raw(client: &Client, method: &str, path: &str, body: &str) -> Answer {
    client.request(method, path, &[("Content-Type", "application/json"), ("Sec-Fetch-Site", "same-origin")], body.as_bytes())
}

fn an_object_with_a_member_given_twice_is_refused(base: &str) {
    let client = Client::signed_in(base, LIBRARIAN);
    let (row, path) = loan(&client, "Twice");
    let id = row["id"].as_str().expect("an id");
    let bulk = format!(r#"{{"action":"update","ids":["{id}"],"set":{{"note":"a","note":"b"}}}}"#);
    for (method, path, body, name) in [
        ("POST", "/api/loans", r#"{"title":"a","title":"b"}"#, "title"),
        ("PATCH", &path, r#"{"note":"a","\u006eote":"b"}"#, "note"),
        ("PUT", &path, r#"{"title":"a","extra":{"x":[{"deep":1,"deep":2}]}}"#, "deep"),
        ("POST", "/api/loans/bulk", &bulk, "note"),
        ("POST", &format!("{path}/transitions/lent"), r#"{"note":"a","note":"b"}"#, "note"),
        ("POST", "/auth/login", r#"{"email":"a@b.example","email":"c@d.example","password":"x"}"#, "email"),
    ] {
        let problem = raw(&client, method, path, body).problem(400, "BAD_REQUEST");
        let detail = problem["detail"].as_str().expect("a sentence");
        assert!(detail.contains(&format!("`{name}` twice")), "{body}: {detail}");
    }
    assert_eq!(client.get(&path).ok(200).json(), row, "nothing was written");
    // A JSON field in a form and in a file follows the same rule.
    let form =
        client.form("/app/loan_create", &[("title", "Form"), ("shelf", "A"), ("copies", "1"), ("extra", r#"{"a":1,"a":2}"#)]).ok(422);
    form.shows(&["Contains the member `a` twice"]);
    let csv = "title,extra\nCsv,\"{\"\"a\"\":1,\"\"a\"\":2}\"\n";
    let answer =
        client.request("POST", "/api/loans/import", &[("Content-Type", "text/csv"), ("Sec-Fetch-Site", "same-origin")], csv.as_bytes());
    assert!(answer.status == 422 && answer.body.contains("contains the member `a` twice"), "{}", answer.body);
}

fn a_parameter_given_twice_is_refused(base: &str) {
    let client = Client::signed_in(base, LIBRARIAN);
    let (row, path) = loan(&client, "Asked twice");
    for query in
        ["page=1&page=2", "sort=title&sort=-title", "status=asked&status=lent", "search=a&search=b", "status__in=asked&status__in=back"]
    {
        let problem = client.get(&format!("/api/loans?{query}")).problem(400, "BAD_REQUEST");
        let name = query.split('=').next().unwrap_or_default();
        assert_eq!(problem["detail"], format!("the parameter `{name}` is given twice; give it once"));
    }
    client.get("/api/loans?format=json&format=csv").problem(400, "BAD_REQUEST");
    client.get(&format!("{path}?expand=branch&expand=branch")).problem(400, "BAD_REQUEST");
    let bulk = json!({ "action": "update", "query": "status=asked&status=lent", "set": { "note": "x" } });
    client.send("POST", "/api/loans/bulk", &bulk).problem(400, "BAD_REQUEST");
    client.get("/auth/sessions?x=1&x=2").problem(400, "BAD_REQUEST");
    client.get("/api/loans?status__in=asked,back&sort=title&page=1").ok(200);
    // A page ignores such a parameter; check boxes of one filter repeat its name.
    let title = row["title"].as_str().expect("a title");
    client.get("/app/loan_list?search=nothing+at+all&search=else&page_size=100").ok(200).shows(&[title]);
    client.get("/app/loan_list?status__in=lent&status__in=asked&page_size=100").ok(200).shows(&[title]);
    client.get("/app/loan_list?status__in=lent&status__in=back&page_size=100").ok(200).lacks(&[title]);
}

fn a_form_field_given_twice_is_refused(base: &str) {
    let client = Client::signed_in(base, LIBRARIAN);
    let answer = client.form("/app/loan_create", &[("title", "One"), ("title", "Two"), ("shelf", "A"), ("copies", "1")]);
    assert!(answer.status == 400 && answer.body.contains("the field `title` is given twice"), "{}: {}", answer.status, answer.body);
    assert_eq!(client.get("/api/loans?title__in=One,Two").ok(200).json()["total"], 0);
    // Selected rows repeat their name.
    let ids = ["a", "b"].map(|title| loan(&client, &format!("Selected {title}")).0["id"].as_str().expect("an id").to_owned());
    let sent = [("id", ids[0].as_str()), ("id", &ids[1]), ("do", "move.lent"), ("query", "")];
    client.form("/app/loan_list/bulk", &sent).ok(303);
    let twice = [("id", ids[0].as_str()), ("do", "delete"), ("do", "move.back"), ("query", "")];
    assert_eq!(client.form("/app/loan_list/bulk", &twice).status, 400);
    for id in ids {
        assert_eq!(client.get(&format!("/api/loans/{id}")).ok(200).json()["status"], "lent");
    }
}

fn a_location_is_percent_encoded(base: &str) {
    let client = Client::signed_in(base, LIBRARIAN);
    for (code, encoded) in [("süd 1/2", "s%C3%BCd%201%2F2"), ("a?b#c%20", "a%3Fb%23c%2520"), ("a\"b<c>", "a%22b%3Cc%3E")] {
        let made = client.send("POST", "/api/branches", &json!({ "code": code, "name": format!("API {code}") })).ok(201);
        assert_eq!(made.header("location"), Some(format!("/api/branches/{encoded}").as_str()));
        assert_eq!(client.get(made.header("location").expect("an address")).ok(200).json()["code"], code);
        let form = client.form("/app/branch_create", &[("code", &format!("{code}f")), ("name", &format!("Form {code}"))]).ok(303);
        let location = form.header("location").expect("an address");
        assert!(location.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'<' | b'>')), "{location}");
        client.get(location).ok(200).shows(&["Form "]);
    }
    // The address that was requested before the sign-in is encoded.
    let sign_in = [("email", LIBRARIAN.0), ("password", LIBRARIAN.1), ("next", "/app/loan_list?search=schön \"x\"&sort=%C3%BC")];
    let answer = Client::new(base).form("/auth/login", &sign_in).ok(303);
    assert_eq!(answer.header("location"), Some("/app/loan_list?search=sch%C3%B6n%20%22x%22&sort=%C3%BC"));
}

/// The fields of a problem document with their errors.
fn field_errors(answer: &Answer, status: u16, code: &str) -> Value {
    answer.problem(status, code)["field_errors"].clone()
}

const END: &str = "The end must be after the start";
const MANY: &str = "An urgent loan has fewer than ten copies";
const HOOK: &str = "is not for forbidden books";
const UNSEEN: &str = "does not exist or is not visible to you";

/// Violates two invariants, a hook, a reference and the length of a text.
fn all_wrong() -> Value {
    json!({
        "title": format!("Forbidden {}", "x".repeat(80)), "copies": 20, "urgent": true, "branch": "nowhere",
        "starts": "2026-03-02", "ends": "2026-03-01",
    })
}

#[track_caller]
fn names(fields: &Value, wanted: &[(&str, &str)]) {
    let mut left: Vec<&String> = fields.as_object().expect("fields").keys().collect();
    for (name, text) in wanted {
        let found = fields[*name].as_array().is_some_and(|all| all.iter().any(|it| it.as_str().is_some_and(|it| it.contains(text))));
        assert!(found, "`{name}`: {text} is not in {fields}");
        left.retain(|it| it != name);
    }
    assert!(left.is_empty(), "{left:?} too: {fields}");
}

const ALL: &[(&str, &str)] =
    &[("title", "80"), ("copies", MANY), ("urgent", MANY), ("branch", UNSEEN), ("starts", END), ("ends", END), ("shelf", HOOK)];

fn a_refusal_contains_all_errors(base: &str) {
    let client = Client::signed_in(base, LIBRARIAN);
    names(&field_errors(&client.send("POST", "/api/loans", &all_wrong()), 422, "VALIDATION"), ALL);
    let (_, path) = loan(&client, "To be changed");
    names(&field_errors(&client.send("PATCH", &path, &all_wrong()), 422, "VALIDATION"), ALL);
    names(&field_errors(&client.send("PUT", &path, &all_wrong()), 422, "VALIDATION"), ALL);
    names(&field_errors(&client.send("POST", &format!("{path}/transitions/lent"), &all_wrong()), 422, "VALIDATION"), ALL);
    // After an invalid value no hook runs, and checks that depend on it are skipped.
    let mut unread = all_wrong();
    (unread["copies"], unread["colour"]) = (json!("many"), json!("red"));
    let without: Vec<_> = ALL.iter().copied().filter(|(name, _)| !matches!(*name, "copies" | "urgent" | "shelf")).collect();
    let wanted: Vec<_> = without.into_iter().chain([("copies", "number"), ("colour", "is not a field")]).collect();
    names(&field_errors(&client.send("POST", "/api/loans", &unread), 422, "VALIDATION"), &wanted);
    names(&field_errors(&client.send("PATCH", &path, &unread), 422, "VALIDATION"), &wanted);
    // The status and the code are those of the first error: of the hook, then the transition, then the first invariant.
    let rest = [("copies", MANY), ("urgent", MANY), ("branch", UNSEEN), ("starts", END), ("ends", END)];
    let mut hook = all_wrong();
    hook["title"] = json!("Forbidden");
    let hooked: Vec<_> = rest.into_iter().chain([("shelf", HOOK)]).collect();
    names(&field_errors(&client.send("POST", "/api/loans", &hook), 422, "VALIDATION"), &hooked);
    names(&field_errors(&client.send("PATCH", &path, &hook), 422, "VALIDATION"), &hooked);
    hook["title"] = json!("Fine");
    names(&field_errors(&client.send("POST", "/api/loans", &hook), 422, "LOAN_END_BEFORE_START"), &rest);
    client.send("POST", &format!("{path}/transitions/lent"), &json!({})).ok(200);
    (hook["status"], hook["note"]) = (json!("lost"), Value::Null);
    let required: Vec<_> = rest.into_iter().chain([("note", "must be set")]).collect();
    names(&field_errors(&client.send("PATCH", &path, &hook), 422, "TRANSITION_REQUIRES"), &required);
    hook["status"] = json!("asked");
    client.send("PATCH", &path, &hook).problem(409, "TRANSITION_NOT_ALLOWED");
    // Invalid values are refused before the row is looked up.
    let nowhere = "/api/loans/00000000-0000-7000-8000-000000000000";
    names(&field_errors(&client.send("PATCH", nowhere, &json!({ "copies": "x" })), 422, "VALIDATION"), &[("copies", "number")]);
    assert_eq!(client.send("PATCH", nowhere, &all_wrong()).status, 404);
}

fn a_form_shows_all_errors(base: &str) {
    let client = Client::signed_in(base, LIBRARIAN);
    let long = format!("Forbidden {}", "x".repeat(80));
    let form = [
        ("title", long.as_str()),
        ("shelf", "A"),
        ("copies", "20"),
        ("urgent", "true"),
        ("starts", "2026-03-02"),
        ("ends", "2026-03-01"),
        ("status", "asked"),
    ];
    let page = client.form("/app/loan_create", &form).ok(422);
    page.shows(&[&format!("{END}."), &format!("{MANY}."), "Is not for forbidden books.", "80"]);
    let form: Vec<_> = form.into_iter().filter(|(name, _)| *name != "copies").chain([("copies", "many")]).collect();
    let page = client.form("/app/loan_create", &form).ok(422);
    page.shows(&[&format!("{END}."), "80", "Must be a whole number"]);
    page.lacks(&[MANY, "Is not for forbidden books"]);
}

fn bulk_changes_report_all_errors(base: &str) {
    let client = Client::signed_in(base, LIBRARIAN);
    let (row, path) = loan(&client, "One of many");
    let bulk = json!({ "action": "update", "ids": [row["id"]], "set": all_wrong() });
    let result = client.send("POST", "/api/loans/bulk", &bulk).ok(200).json()["results"][0].clone();
    assert_eq!((&result["status"], &result["problem"]["code"]), (&json!(422), &json!("VALIDATION")));
    names(&result["problem"]["field_errors"], ALL);
    let id = row["id"].as_str().expect("an id");
    let long = format!("Forbidden {}", "x".repeat(80));
    let csv = format!(
        "id,title,copies,urgent,branch,starts,ends\n,{long},20,true,nowhere,2026-03-02,2026-03-01\n\
         {id},{long},20,true,nowhere,2026-03-02,2026-03-01\n,Fine,many,true,nowhere,2026-03-02,2026-03-01\n"
    );
    let headers = [("Content-Type", "text/csv"), ("Sec-Fetch-Site", "same-origin")];
    let problem = client.request("POST", "/api/loans/import", &headers, csv.as_bytes()).problem(422, "VALIDATION");
    let rows = problem["rows"].as_array().expect("rows").clone();
    assert_eq!(rows.len(), 3, "{problem}");
    names(&rows[0]["field_errors"], ALL);
    names(&rows[1]["field_errors"], ALL);
    names(&rows[2]["field_errors"], &[("copies", "number"), ("branch", UNSEEN), ("starts", END), ("ends", END)]);
    assert_eq!(client.get(&path).ok(200).json(), row, "nothing was written");
}

/// The records of an entity and an action, the newest first.
fn records(client: &Client, entity: &str, action: &str) -> Vec<Value> {
    let address = format!("/admin/audit?entity={entity}&action={action}");
    let body = client.request("GET", &address, &[("Accept", "application/json")], b"").ok(200).json();
    body["items"].as_array().expect("records").clone()
}

/// The rows that an action has recorded since `count` records.
fn since(client: &Client, action: &str, entity: &str, before: usize) -> Vec<Vec<String>> {
    let text = |value: &Value| value.as_str().expect("a key").to_owned();
    let all = records(client, entity, action);
    let new = all[..all.len() - before].iter();
    let mut rows: Vec<Vec<String>> = new
        .map(|record| match record["changes"]["ids"].as_array() {
            Some(ids) => ids.iter().map(text).collect(),
            None => vec![text(&record["row_id"])],
        })
        .collect();
    rows.iter_mut().for_each(|ids| ids.sort());
    rows.sort();
    rows
}

fn reads_and_lists_are_recorded_once(base: &str) {
    let client = Client::signed_in(base, LIBRARIAN);
    let key = |row: &Value| row["id"].as_str().expect("an id").to_owned();
    let reader =
        |name: &str, trusted: bool| key(&client.send("POST", "/api/readers", &json!({ "name": name, "trusted": trusted })).ok(201).json());
    let (ann, ben, eve) = (reader("Ann", false), reader("Ben", false), reader("Eve", true));
    let visit = |day: &str, of: &str, guest: &str| {
        let sent = json!({ "day": day, "reader": of, "guest": if guest.is_empty() { Value::Null } else { json!(guest) } });
        key(&client.send("POST", "/api/visits", &sent).ok(201).json())
    };
    let visits = [visit("2026-01-01", &ann, &ben), visit("2026-01-02", &ann, ""), visit("2026-01-03", &eve, &ann)];
    let sorted = |of: &[&String]| {
        let mut of: Vec<String> = of.iter().map(|it| (*it).clone()).collect();
        of.sort();
        of
    };
    // The records of each request for readers that it shows, and for lists of readers and visits.
    let writes = |of: &dyn Fn(), reads: &[&String], readers: &[&[&String]], listed: &[&[&String]]| {
        let counts =
            [("Reader", "read"), ("Reader", "list"), ("Visit", "list")].map(|(entity, action)| records(&client, entity, action).len());
        of();
        assert_eq!(since(&client, "read", "Reader", counts[0]), reads.iter().map(|it| vec![(*it).clone()]).collect::<Vec<_>>(), "reads");
        assert_eq!(
            since(&client, "list", "Reader", counts[1]),
            readers.iter().map(|ids| sorted(ids)).collect::<Vec<_>>(),
            "lists of readers"
        );
        assert_eq!(since(&client, "list", "Visit", counts[2]), listed.iter().map(|ids| sorted(ids)).collect::<Vec<_>>(), "lists of visits");
    };
    let get = |path: String| client.get(&path).ok(200);
    let both = sorted(&[&ann, &ben]);
    let (first, second) = (&both[0], &both[1]);
    writes(&|| drop(get(format!("/api/readers/{ann}"))), &[&ann], &[], &[]);
    writes(&|| drop(get(format!("/api/readers/{eve}"))), &[], &[], &[]);
    // An expanded reference shows its row, which is recorded once for any number of references. Trusted readers are not recorded.
    writes(&|| drop(get(format!("/api/visits/{}?expand=reader", visits[0]))), &[&ann], &[], &[]);
    let all: Vec<&String> = visits.iter().collect();
    let listed = format!("/api/visits?id__in={}&expand=reader,guest", visits.join(","));
    let expanded = records(&client, "Reader", "read").len();
    get(listed.clone());
    let shown: Vec<String> = since(&client, "read", "Reader", expanded).concat();
    assert_eq!(shown, both, "each row once");
    writes(&|| drop(get(format!("/api/visits?id__in={}", visits.join(",")))), &[], &[], &[&all]);
    // The response to a write shows the row.
    writes(&|| drop(client.send("PATCH", &format!("/api/readers/{ann}"), &json!({})).ok(200)), &[&ann], &[], &[]);
    // An expanded relation is a list, and so are a section of a page and a query in Rust; each request records it once.
    writes(&|| drop(get(format!("/api/readers/{ann}?expand=visits"))), &[&ann], &[], &[&[&visits[0], &visits[1]]]);
    writes(&|| drop(get(format!("/app/reader_view/{ann}"))), &[&ann], &[], &[&[&visits[0], &visits[1]]]);
    writes(&|| drop(get(format!("/own/visits/{ann}"))), &[&ann], &[], &[&[&visits[0], &visits[1]]]);
    writes(&|| drop(get(format!("/own/readers/{}", visits[0]))), &[&ann], &[], &[]);
    writes(&|| drop(get(format!("/api/readers?id__in={first},{second}&format=csv"))), &[], &[&[first, second]], &[]);
}

#[test]
fn audited_lists_match_the_rules_on_sqlite() {
    dz::testing::Proof::new(library).engine(Engine::Sqlite).cases(800).run();
}

#[test]
fn audited_lists_match_the_rules_on_postgres() {
    dz::testing::Proof::new(library).engine(Engine::Postgres).cases(400).run();
}

/// An export of several batches is one record.
fn export(engine: Engine) {
    let url = server::new_url(engine, "library_export");
    let base = server::serve(library(), engine, url);
    let client = Client::signed_in(&base, LIBRARIAN);
    let lines: String = (0..9_000).map(|n| format!("Reader {n}\n")).collect();
    let headers = [("Content-Type", "text/csv"), ("Sec-Fetch-Site", "same-origin")];
    client.request("POST", "/api/readers/import", &headers, format!("name\n{lines}").as_bytes()).ok(200);
    assert_eq!(client.get("/api/readers?format=csv").ok(200).body.lines().count(), 9_001);
    let kept = since(&client, "list", "Reader", 0);
    assert_eq!(kept.iter().map(Vec::len).collect::<Vec<_>>(), [9_000]);
}

#[test]
fn an_export_is_one_record_on_sqlite() {
    export(Engine::Sqlite);
}

#[test]
fn an_export_is_one_record_on_postgres() {
    export(Engine::Postgres);
}

/// The command line of the application, in a process of its own.
#[test]
#[ignore = "the other tests run it, with the words in its environment"]
fn program() {
    server::obey(library());
}

#[test]
fn commands_create_accounts_with_required_fields_on_sqlite() {
    check_commands_create_accounts(Engine::Sqlite);
}

#[test]
fn commands_create_accounts_with_required_fields_on_postgres() {
    check_commands_create_accounts(Engine::Postgres);
}

fn check_commands_create_accounts(engine: Engine) {
    use std::io::Write;
    let url = server::new_url(engine, "library_commands");
    let base = server::serve(library(), engine, url.clone());
    let run = |words: &[&str], input: &str| {
        let mut command = server::command("library::program", engine, &url, words);
        let pipe = std::process::Stdio::piped;
        let mut child = command.stdin(pipe()).stdout(pipe()).stderr(pipe()).spawn().expect("the program runs");
        let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
        let output = child.wait_with_output().expect("it ends");
        (output.status.success(), format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)))
    };
    let (done, said) = run(
        &["user", "create", "New@library.example", "--password", "first of its words", "--set", "name=New", "--set", "branch=main"],
        "",
    );
    assert!(!done && said.contains("`shift` is required") && !said.contains("branch"), "{said}");
    let create = ["user", "create", "New@library.example", "--password", "first of its words", "--set", "name=New"];
    let (done, said) = run(&[&create[..], &["--set", "branch=main", "--set", "shift=night"]].concat(), "");
    assert!(done, "{said}");
    let first = Client::signed_in(&base, ("new@library.example", "first of its words"));
    let me = Client::signed_in(&base, LIBRARIAN).get("/api/users?email=new@library.example").ok(200).json();
    assert_eq!(
        (&me["items"][0]["branch"], &me["items"][0]["shift"], &me["items"][0]["name"]),
        (&json!("main"), &json!("night"), &json!("New"))
    );
    let (done, said) = run(&[&create[..], &["--set", "brnach=main"]].concat(), "");
    assert!(!done && said.contains("accounts have no field `brnach`; did you mean `branch`?"), "{said}");
    let (done, said) = run(&[&create[..], &["--set", "branch=main", "--set", "branch=main"]].concat(), "");
    assert!(!done && said.contains("`branch` is given twice"), "{said}");

    // A new password ends the sessions of the old one.
    let (done, said) = run(&["user", "password", "new@library.example", "--password-stdin"], "second of its words\n");
    assert!(done && said.contains("can sign in with the new password"), "{said}");
    assert_eq!(first.get("/auth/me").status, 401, "its sessions ended");
    Client::signed_in(&base, ("new@library.example", "second of its words")).get("/auth/me").ok(200);
    let old = json!({ "email": "new@library.example", "password": "first of its words" });
    Client::new(&base).send("POST", "/auth/login", &old).ok(401);
    for (words, input, wanted) in [
        (&["user", "password", "new@library.example", "--password-stdin"][..], "short\n", "password"),
        (&["user", "password", "nobody@library.example", "--password-stdin"], "third of its words\n", "there is no account"),
        (&["user", "password", "new@library.example"], "", "--password-stdin"),
    ] {
        let (done, said) = run(words, input);
        assert!(!done && said.contains(wanted), "{words:?}: {said}");
    }
}
