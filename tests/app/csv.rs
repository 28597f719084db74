//! Export and import of CSV: all pages of a list, formulas, all rows of a file or none.

use dz::serde_json::json;

use crate::{
    client::{Answer, Client},
    depot::{CLERK, Depot, KEEPER, NOBODY, count, create_case, create_cases, id, send_with_key},
};

crate::depot::on_both_depots! {
    an_export_is_a_list_without_pages;
    no_cell_is_a_formula;
    an_export_can_be_imported;
    an_import_creates_and_updates_rows;
    a_file_is_stored_whole_or_not_at_all;
    invalid_csv_is_refused;
    more_rows_than_a_batch;
    an_import_is_executed_once;
}

#[track_caller]
fn import(client: &Client, path: &str, text: &str) -> Answer {
    client.request("POST", path, &[("Content-Type", "text/csv"), ("Sec-Fetch-Site", "same-origin")], text.as_bytes())
}

#[track_caller]
fn export(client: &Client, query: &str) -> String {
    let answer = client.get(&format!("/api/cases?format=csv&{query}")).ok(200);
    assert_eq!(answer.header("content-type"), Some("text/csv; charset=utf-8"));
    assert!(!answer.body.contains("<broken off>"));
    answer.body
}

/// The cells of one column of a file without quotes.
fn column(text: &str, name: &str) -> Vec<String> {
    let mut lines = text.split("\r\n").filter(|line| !line.is_empty());
    let at = lines.next().expect("a head").split(',').position(|it| it == name).expect("a column");
    lines.map(|line| line.split(',').nth(at).expect("a cell").to_owned()).collect()
}

fn an_export_is_a_list_without_pages(depot: &Depot) {
    let (keeper, clerk) = (depot.signed_in(KEEPER), depot.signed_in(CLERK));
    create_cases(&clerk, &["List b", "list A", "List C"]);
    create_case(
        &keeper,
        json!({ "name": "List d", "price": "3.5", "weight": 0.5, "fragile": true, "due": "2026-03-01", "cost": "9", "extra": { "b": [1, "x,y"] } }),
    );
    let text = export(&keeper, "name__icontains=list&sort=name");
    assert_eq!(column(&text, "name"), ["list A", "List b", "List C", "List d"]);
    assert_eq!(column(&export(&keeper, "name__icontains=list&sort=-name"), "name"), ["List d", "List C", "List b", "list A"]);
    assert!(
        text.starts_with("id,name,label,amount,price,weight,fragile,due,seen,extra,mail,cost,owner,shelf,status,made_at\r\n"),
        "{text}"
    );
    let last = text.trim_end().rsplit("\r\n").next().expect("a row");
    assert!(last.contains(",List d,,0,3.50,0.5,true,2026-03-01,,\"{\"\"b\"\":[1,\"\"x,y\"\"]}\",,9.00,"), "{last}");
    assert_eq!(column(&export(&clerk, "name__icontains=list&sort=name"), "name"), ["list A", "List b", "List C"], "rules hold");
    for (query, words) in [("page=2", "page"), ("expand=owner", "expand"), ("nam=x", "`name`"), ("sort=cost", "cost")] {
        let problem = keeper.get(&format!("/api/cases?format=csv&{query}")).problem(400, "BAD_REQUEST");
        assert!(problem["detail"].as_str().is_some_and(|it| it.contains(words)), "{problem}");
    }
    keeper.get("/api/cases?format=cvs").problem(400, "BAD_REQUEST");
    depot.signed_in(NOBODY).get("/api/shelves?format=csv").ok(200);
    Client::new(&depot.base).get("/api/cases?format=csv").problem(401, "AUTHENTICATION_REQUIRED");
}

fn no_cell_is_a_formula(depot: &Depot) {
    let client = depot.signed_in(KEEPER);
    for (at, start) in ["=", "+", "-", "@", "\t", "\r", "'=", "\n=", "＝", "＋", "－", "＠", "\u{feff}="].iter().enumerate() {
        create_case(&client, json!({ "name": format!("Formula {at}"), "label": format!("{start}HYPERLINK(1)"), "amount": -3 }));
    }
    // Spreadsheets of some languages begin a cell after such a character.
    create_case(&client, json!({ "name": "Formula in parts", "label": "x;=SUM(1)\tand;@y" }));
    let text = export(&client, "name__startswith=Formula&sort=name");
    assert!(text.contains("x;'=SUM(1)\tand;'@y"), "{text:?}");
    for start in ["'=H", "'+H", "'-H", "'@H", "'\tH", "'\rH", "''=H", "'\n'=H", "'＝H", "'＋H", "'－H", "'＠H", "'\u{feff}=H"] {
        assert!(text.contains(start), "{start:?}: {text:?}");
    }
    assert!(text.contains(",-3,"), "numbers are numbers: {text}");
    let text = text.replace("'\n'=", "'=");
    let cells = text.split([',', '\n']).map(|cell| cell.trim_start_matches('"'));
    for cell in cells.filter(|cell| cell.contains("HYPERLINK")) {
        assert!(cell.starts_with('\''), "{cell:?}");
    }
}

fn an_export_can_be_imported(depot: &Depot) {
    let client = depot.signed_in(KEEPER);
    let shelf = client.send("POST", "/api/shelves", &json!({ "name": "Round trip" })).ok(201).json();
    let labels = [
        "＝1",
        "\n=1",
        "'\u{feff}＋1",
        "=1+1",
        "''@x",
        "two\nlines",
        "cr\r\nlf",
        "a \"quoted\", word",
        " blanks ",
        "ünïcödé \u{1F600}",
        "'",
    ];
    for (at, label) in labels.iter().enumerate() {
        let row = json!({ "name": format!("Trip {at}"), "label": label, "amount": i64::MAX - 1, "price": "-0.01", "weight": 1e-7,
            "seen": "2026-03-01T10:00:00.123456Z", "extra": [null, "=x"], "mail": "a@b.example", "cost": "1", "shelf": shelf["id"] });
        create_case(&client, row);
    }
    let rows = || client.get("/api/cases?name__startswith=Trip&sort=name&page_size=100").ok(200).json()["items"].clone();
    let (before, text) = (rows(), export(&client, "name__startswith=Trip&sort=name"));
    let same = import(&client, "/api/cases/import", &text).ok(200).json();
    assert_eq!(same, json!({ "created": 0, "updated": labels.len() }));
    assert_eq!(rows(), before, "the same file changes nothing");
    let tags: Vec<_> = before.as_array().expect("rows").iter().map(|row| client.get(&format!("/api/cases/{}", id(row)))).collect();
    assert!(tags.iter().all(|answer| answer.header("etag") == Some("\"1\"")), "nothing was written");
    import(&client, "/api/cases/import", &format!("\u{feff}{}", text.replace("Trip ", "Journey "))).ok(200);
    assert_eq!((count(&client, "Trip"), count(&client, "Journey")), (0, labels.len() as i64));
}

fn an_import_creates_and_updates_rows(depot: &Depot) {
    let (keeper, clerk) = (depot.signed_in(KEEPER), depot.signed_in(CLERK));
    let old = create_case(&clerk, json!({ "name": "Import old" }));
    let text = format!("id,name,amount,Status\n{},Import older,4,packed\n,Import new,5,\n,,,\n", id(&old));
    let done = import(&clerk, "/api/cases/import", &text).ok(200).json();
    assert_eq!(done, json!({ "created": 1, "updated": 1 }));
    let changed = clerk.get(&format!("/api/cases/{}", id(&old))).json();
    assert_eq!((&changed["name"], &changed["amount"], &changed["status"]), (&json!("Import older"), &json!(4), &json!("packed")));
    let new = clerk.get("/api/cases?name=Import%20new").json()["items"][0].clone();
    assert_eq!((&new["amount"], &new["status"]), (&json!(5), &json!("new")), "an empty cell leaves the default");
    // Rules, transitions and invisible rows as in single requests.
    let hers = create_case(&keeper, json!({ "name": "Import hers" }));
    for (text, row, code) in [
        (format!("id,name\n{},Taken\n", id(&hers)), 2, "NOT_FOUND"),
        (format!("id,status\n{},sent\n", id(&old)), 2, "TRANSITION_FORBIDDEN"),
        ("name\nImport a\nImport a\n".to_owned(), 3, "UNIQUE"),
        ("name,made_at\nImport b,2020-01-01T00:00:00Z\n".to_owned(), 2, "VALIDATION"),
        ("name,shelf\nImport b,999999\n".to_owned(), 2, "REFERENCE"),
    ] {
        let problem = import(&clerk, "/api/cases/import", &text).problem(422, "VALIDATION");
        assert_eq!((&problem["rows"][0]["row"], &problem["rows"][0]["code"]), (&json!(row), &json!(code)), "{problem}");
    }
    // A file that ends inside a cell, and one with too many rows.
    let broken = format!("id,name\n{},\"Import older still", id(&old));
    let problem = import(&clerk, "/api/cases/import", &broken).problem(400, "BAD_REQUEST");
    assert!(problem["detail"].as_str().is_some_and(|detail| detail.starts_with("line 2: a quote is never closed")), "{problem}");
    let long = format!("name\n{}", "Import c\n".repeat(10_001));
    let problem = import(&clerk, "/api/cases/import", &long).problem(422, "VALIDATION");
    assert!(problem["detail"].as_str().is_some_and(|detail| detail.contains("at most 10000 rows")), "{problem}");
    assert_eq!(clerk.get(&format!("/api/cases/{}", id(&old))).json()["name"], "Import older");
    import(&depot.signed_in(NOBODY), "/api/shelves/import", "name\nx\n").problem(403, "FORBIDDEN");
    import(&Client::new(&depot.base), "/api/cases/import", "name\nx\n").problem(401, "AUTHENTICATION_REQUIRED");
}

fn a_file_is_stored_whole_or_not_at_all(depot: &Depot) {
    let client = depot.signed_in(KEEPER);
    let text = "name,amount,due\nWhole a,1,2026-01-01\nWhole b,many,soon\n\"Whole\nc\",2,\nWhole d,3,2026-13-01\n";
    let problem = import(&client, "/api/cases/import", text).problem(422, "VALIDATION");
    let rows = problem["rows"].as_array().expect("rows");
    let numbers: Vec<_> = rows.iter().map(|row| row["row"].clone()).collect();
    assert_eq!(numbers, [json!(3), json!(5)], "rows as a spreadsheet counts them: {problem}");
    assert!(rows[0]["field_errors"]["amount"].is_array() && rows[0]["field_errors"]["due"].is_array(), "{problem}");
    assert_eq!(count(&client, "Whole"), 0);
    let many: String = (0..500).map(|_| ",\n").collect();
    let problem = import(&client, "/api/cases/import", &format!("name,amount\n{}", many.replace(",", "x,y"))).problem(422, "VALIDATION");
    assert_eq!(problem["rows"].as_array().map(Vec::len), Some(100));
}

fn invalid_csv_is_refused(depot: &Depot) {
    let client = depot.signed_in(KEEPER);
    for (text, words) in [
        ("nam\nx\n", "`name`"),
        ("name,name\nx,y\n", "twice"),
        ("name,amount\nx\n", "row 2"),
        ("owner.name\nx\n", "no field"),
        ("password_hash\nx\n", "no field"),
    ] {
        let problem = import(&client, "/api/cases/import", text).problem(400, "BAD_REQUEST");
        assert!(problem["detail"].as_str().is_some_and(|it| it.contains(words)), "{problem}");
    }
    let typed = |kind: &'static str| [("Content-Type", kind), ("Sec-Fetch-Site", "same-origin")];
    client.request("POST", "/api/cases/import", &typed("text/csv"), b"name\n\xff\xfe\n").problem(400, "BAD_REQUEST");
    client.request("POST", "/api/cases/import", &typed("application/json"), b"{}").problem(415, "UNSUPPORTED_MEDIA_TYPE");
    client.request("POST", "/api/cases/import", &typed("text/csv"), b"").problem(400, "BAD_REQUEST");
    client.request("POST", "/api/cases", &typed("text/csv"), b"name\nx\n").problem(415, "UNSUPPORTED_MEDIA_TYPE");
    let large = format!("name\n{}", "x\n".repeat(600_000));
    import(&client, "/api/cases/import", &large).problem(413, "TOO_LARGE");
    client.get("/api/cases/import").problem(405, "METHOD_NOT_ALLOWED");
}

fn more_rows_than_a_batch(depot: &Depot) {
    let client = depot.signed_in(KEEPER);
    // More than two batches, with equal and missing values at the end of every batch.
    depot.insert_cases("Batch", 8_500);
    let all: Vec<String> = (0..8_500).map(|at| format!("Batch {at:05}")).collect();
    for sort in ["name", "-name", "amount,-due", "-due,amount", "due,label,-amount", "status,owner,-shelf", "-seen"] {
        let mut names = column(&export(&client, &format!("name__startswith=Batch&sort={sort}")), "name");
        match sort {
            "name" => assert_eq!(names, all),
            "-name" => assert!(names.iter().eq(all.iter().rev())),
            _ => {}
        }
        names.sort();
        assert_eq!(names, all, "{sort}");
    }
    depot.sql("DELETE FROM cases WHERE name LIKE 'Batch%'");
}

fn an_import_is_executed_once(depot: &Depot) {
    let client = depot.signed_in(KEEPER);
    let headers = [("Content-Type", "text/csv"), ("Sec-Fetch-Site", "same-origin"), ("Idempotency-Key", "import")];
    for _ in 0..2 {
        let answer = client.request("POST", "/api/cases/import", &headers, b"name\nImported once\n").ok(200);
        assert_eq!(answer.json(), json!({ "created": 1, "updated": 0 }));
    }
    send_with_key(&client, "/api/cases/import", "import", &json!({})).problem(422, "IDEMPOTENCY_KEY_REUSED");
}
