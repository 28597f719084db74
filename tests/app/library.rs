//! A library whose accounts belong to a branch: what a replacement keeps, what commands set, what is refused when it is given twice.

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
      status: enum[asked, lent, back] required = asked
      starts: date
      ends: date
      transitions:
        asked -> lent
        lent -> back
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
        - name: "Lib", email: "lib@library.example", password: "keeps the books", branch: "main", shift: day, roles: [librarian]
}

pub const LIBRARIAN: (&str, &str) = ("lib@library.example", "keeps the books");

/// The application.
pub fn library() -> dz::App {
    app()
}

crate::served_on_both! { "library", library();
    a_replacement_keeps_the_state_and_takes_defaults;
    an_object_with_a_member_given_twice_is_refused;
    a_parameter_given_twice_is_refused;
    a_form_field_given_twice_is_refused;
    a_location_is_percent_encoded;
}

/// A loan with everything set, and its address.
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
    // Neither the state nor a required field with a default is named.
    let row = client.send("PUT", &path, &json!({ "title": "Replaced again" })).ok(200).json();
    assert_eq!((&row["status"], &row["title"]), (&json!("lent"), &json!("Replaced again")), "the state stays");
    assert_eq!((&row["shelf"], &row["copies"], &row["urgent"]), (&json!("A"), &json!(1), &json!(false)), "required: the default");
    assert_eq!((&row["note"], &row["stamp"]), (&Value::Null, &Value::Null), "optional: null, whatever the default");
    // A required field without a default is missing.
    let problem = client.send("PUT", &path, &json!({ "shelf": "C" })).problem(422, "VALIDATION");
    assert_eq!(problem["field_errors"], json!({ "title": ["is required"] }));
    // A state that is named is a transition; what was read can be sent back.
    let whole = client.get(&path).ok(200).json();
    assert_eq!(client.send("PUT", &path, &whole).ok(200).json(), whole);
    client.send("PUT", &path, &json!({ "title": "Back", "status": "asked" })).problem(409, "TRANSITION_NOT_ALLOWED");
    assert_eq!(client.send("PUT", &path, &json!({ "title": "Back", "status": "back" })).ok(200).json()["status"], "back");
}

/// Sends a body as it is written.
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
    // A JSON field in a form and in a file is read by the same rule.
    let form =
        client.form("/app/loan_create", &[("title", "Form"), ("shelf", "A"), ("copies", "1"), ("extra", r#"{"a":1,"a":2}"#)]).ok(422);
    form.shows(&["Gives the member `a` twice"]);
    let csv = "title,extra\nCsv,\"{\"\"a\"\":1,\"\"a\"\":2}\"\n";
    let answer =
        client.request("POST", "/api/loans/import", &[("Content-Type", "text/csv"), ("Sec-Fetch-Site", "same-origin")], csv.as_bytes());
    assert!(answer.status == 422 && answer.body.contains("gives the member `a` twice"), "{}", answer.body);
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
    // On a page such a parameter means nothing; check boxes of one filter repeat its name.
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
    // What was asked for before a sign-in comes back as an address, not as raw bytes.
    let sign_in = [("email", LIBRARIAN.0), ("password", LIBRARIAN.1), ("next", "/app/loan_list?search=schön \"x\"&sort=%C3%BC")];
    let answer = Client::new(base).form("/auth/login", &sign_in).ok(303);
    assert_eq!(answer.header("location"), Some("/app/loan_list?search=sch%C3%B6n%20%22x%22&sort=%C3%BC"));
}

/// The command line of the application, in a process of its own.
#[test]
#[ignore = "the other tests run it, with the words in its environment"]
fn program() {
    server::obey(library());
}

#[test]
fn accounts_with_required_fields_are_made_by_commands_on_sqlite() {
    accounts_with_required_fields_are_made_by_commands(Engine::Sqlite);
}

#[test]
fn accounts_with_required_fields_are_made_by_commands_on_postgres() {
    accounts_with_required_fields_are_made_by_commands(Engine::Postgres);
}

fn accounts_with_required_fields_are_made_by_commands(engine: Engine) {
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
    let (done, said) = run(&[&create[..], &["--set", "branch=main", "--set", "branch=main"]].concat(), "");
    assert!(!done && said.contains("`branch` is given twice"), "{said}");

    // A new password ends what the old one opened.
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
