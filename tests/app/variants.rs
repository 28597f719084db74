//! Variants of surfaces: each persona sees its own rows, fields, texts and buttons, and no request to a page reveals or changes what it
//! hides. The API ignores variants.

pub mod yard;

use dz::serde_json::{Value, json};

use crate::client::Client;

crate::served_on_both! {
    "variants", yard::app();
    a_page_shows_its_own_rows;
    hidden_fields_are_not_shown;
    parameters_cannot_reach_hidden_fields;
    several_personas_get_the_widest_variant;
    rows_outside_the_scope_are_not_visible;
    forms_take_nothing_that_is_hidden;
    a_new_row_begins_as_the_variant_says;
    a_read_only_page_changes_nothing;
    words_buttons_and_figures;
    columns_and_sections_in_another_order;
    files_of_a_page_follow_it;
    the_api_ignores_variants;
}

type Person = (&'static str, &'static str);
const LEA: Person = ("lea@yard.example", "lead the yard");
const HANK: Person = ("hank@yard.example", "lend a hand here");
const HILDA: Person = ("hilda@yard.example", "lend a hand there");
const VERA: Person = ("vera@yard.example", "view the yard");
const HOLLY: Person = ("holly@yard.example", "hand and viewer");
const HUGO: Person = ("hugo@yard.example", "hand and lead too");
const CLEA: Person = ("clea@yard.example", "clerk of the yard");
const NONE: Person = ("none@yard.example", "nobody at all here");

fn me(client: &Client) -> Value {
    client.get("/auth/me").ok(200).json()["id"].clone()
}

/// A job created by the API, with all fields.
fn job(base: &str, title: &str, fields: &Value) -> String {
    let mut row = json!({ "title": title });
    for (name, value) in fields.as_object().expect("fields") {
        row[name] = value.clone();
    }
    let made = Client::signed_in(base, LEA).send("POST", "/api/jobs", &row).ok(201).json();
    made["id"].as_str().expect("a key").to_owned()
}

fn transition_job(base: &str, id: &str, states: &[&str]) {
    for state in states {
        Client::signed_in(base, LEA).send("POST", &format!("/api/jobs/{id}/transitions/{state}"), &json!({})).ok(200);
    }
}

fn a_page_shows_its_own_rows(base: &str) {
    let (hank, hilda, vera) = (Client::signed_in(base, HANK), Client::signed_in(base, HILDA), Client::signed_in(base, VERA));
    job(base, "Scoped of Hank", &json!({ "owner": me(&hank) }));
    job(base, "Scoped of Hilda", &json!({ "owner": me(&hilda) }));
    let done = job(base, "Scoped and done", &json!({}));
    transition_job(base, &done, &["doing", "done"]);
    let list = "/app/job_list?search=Scoped";
    let own = hank.get(list).ok(200);
    own.shows(&["Scoped of Hank", "1 job", "data-dz-grid-total=\"1\""]);
    own.lacks(&["Scoped of Hilda", "Scoped and done"]);
    let exchange = hilda.exchange(list).ok(200);
    exchange.shows(&["Scoped of Hilda", "data-dz-grid-total=\"1\""]);
    exchange.lacks(&["Scoped of Hank", "Scoped and done"]);
    let shown = vera.get(list).ok(200);
    shown.shows(&["Scoped and done", "1 job"]);
    shown.lacks(&["Scoped of"]);
    // These callers are not restricted: a persona without a variant, and no persona at all.
    for person in [LEA, NONE] {
        Client::signed_in(base, person).get(list).ok(200).shows(&["Scoped of Hank", "Scoped of Hilda", "Scoped and done", "3 jobs"]);
    }
    // An empty list shows the text of the variant, and no link to rows outside of it.
    let none = vera.get("/app/job_list?search=Scoped+of").ok(200);
    none.shows(&["No jobs match"]);
    // An unknown condition hides the row: for an anonymous caller `current_user` is unknown, and they have no persona.
    assert_eq!(Client::new(base).get(list).status, 303);
}

fn hidden_fields_are_not_shown(base: &str) {
    let hank = Client::signed_in(base, HANK);
    let lea = Client::signed_in(base, LEA);
    let site = lea.send("POST", "/api/sites", &json!({ "name": "Hidden north", "city": "Hiddenville" })).ok(201).json();
    let fields = json!({ "memo": "hidden memo", "pay": "4711.50", "owner": me(&hank), "site": site["id"], "hours": "3" });
    let id = job(base, "Veiled title", &fields);
    lea.send("POST", "/api/notes", &json!({ "job": id, "text": "A note of it" })).ok(201);
    let hidden = ["hidden memo", "4711", "Hiddenville", ">Pay<", ">Memo<", ">City<", "name=\"pay"];
    let list = hank.get("/app/job_list?search=Veiled").ok(200);
    list.shows(&["Veiled title", "Hours", "placeholder=\"Search title\""]);
    list.lacks(&hidden);
    list.lacks(&["pay__gte", "sort=pay"]);
    // A global search neither compares hidden fields nor shows them.
    hank.get("/app/-/search?q=hidden+memo").ok(200).lacks(&["Veiled title"]);
    let found = hank.get("/app/-/search?q=veiled+title").ok(200);
    found.shows(&["<mark>Veiled title</mark>"]);
    found.lacks(&["hidden memo", "4711", "Hiddenville"]);
    Client::signed_in(base, LEA).get("/app/-/search?q=hidden+memo").ok(200).shows(&["Veiled title"]);
    let view = hank.get(&format!("/app/job_view/{id}")).ok(200);
    view.shows(&["A note of it", "Hidden north", "3.00"]);
    view.lacks(&hidden);
    // The label of the row is hidden, so neither the heading nor the title of the page contains it.
    view.lacks(&["Veiled title", "Pay of the job", "s-facts"]);
    let section = hank.exchange(&format!("/app/job_view/{id}?section=notes")).ok(200);
    section.shows(&["A note of it"]);
    section.lacks(&["4711"]);
    hank.get(&format!("/app/job_view/{id}/delete")).ok(200).lacks(&["Veiled title"]);
    let form = hank.get(&format!("/app/job_edit/{id}")).ok(200);
    form.shows(&["name=\"title\"", "name=\"hours\""]);
    form.lacks(&["4711", "name=\"pay\"", "dz.was.pay", ">Pay<"]);
    let all = lea.get("/app/job_list?search=Veiled").ok(200);
    all.shows(&["hidden memo", "4711.50", "Hiddenville", "pay__gte", "placeholder=\"Search title, memo\""]);
    // A reference whose label is hidden is not shown.
    let clea = Client::signed_in(base, CLEA).get(&format!("/app/job_view/{id}")).ok(200);
    clea.shows(&["4711.50"]);
    clea.lacks(&["Hidden north", ">Site<", ">Status<", "value=\"doing\""]);
}

fn parameters_cannot_reach_hidden_fields(base: &str) {
    let (hank, lea) = (Client::signed_in(base, HANK), Client::signed_in(base, LEA));
    for (title, pay, memo) in [("Forged a", "1", "zz"), ("Forged b", "2", "yy"), ("Forged c", "3", "xx")] {
        job(base, title, &json!({ "owner": me(&hank), "pay": pay, "memo": memo }));
    }
    let order = |client: &Client, query: &str| -> String {
        let body = client.exchange(&format!("/app/job_list?{query}")).ok(200).body;
        let mut places: Vec<(usize, &str)> =
            ["Forged a", "Forged b", "Forged c"].iter().filter_map(|it| Some((body.find(it)?, *it))).collect();
        places.sort_unstable();
        places.iter().map(|(_, title)| &title["Forged ".len()..]).collect()
    };
    // A caller who sees everything: the list is ordered by the pay, and each of these parameters filters or orders.
    assert_eq!(order(&lea, "search=Forged"), "cba");
    assert_eq!(order(&lea, "search=Forged&sort=pay"), "abc");
    assert_eq!(order(&lea, "search=Forged&pay__gte=2"), "cb");
    assert_eq!(order(&lea, "search=yy"), "b");
    // For a caller without the field the same parameters are ignored, like unknown names.
    for query in [
        "search=Forged",
        "search=Forged&sort=pay",
        "search=Forged&sort=-pay",
        "search=Forged&sort=title,pay",
        "search=Forged&pay=2",
        "search=Forged&pay__gte=2",
        "search=Forged&pay__isnull=true",
        "search=Forged&memo__icontains=yy",
        "search=Forged&memo__startswith=y&pay__lt=2",
        "search=Forged&site.city=none&site.city__isnull=false",
        "search=Forged&nonsense=1",
    ] {
        assert_eq!(order(&hank, query), "abc", "{query}");
    }
    assert_eq!(order(&hank, "search=yy"), "", "a search does not look into it");
    assert_eq!(order(&hank, "search=Forged&sort=-title"), "cba", "what is shown sorts");
    let page = hank.get("/app/job_list?search=Forged&sort=-pay&pay__gte=2").ok(200);
    page.lacks(&["sort=-pay", "pay__gte"]);
}

fn several_personas_get_the_widest_variant(base: &str) {
    let (hank, holly, hugo) = (Client::signed_in(base, HANK), Client::signed_in(base, HOLLY), Client::signed_in(base, HUGO));
    let own = job(base, "Widest own", &json!({ "owner": me(&holly), "memo": "wide memo", "pay": "815" }));
    let done = job(base, "Widest done", &json!({ "memo": "done memo", "pay": "816" }));
    transition_job(base, &done, &["doing", "done"]);
    job(base, "Widest other", &json!({ "owner": me(&hank), "pay": "817" }));
    // The scopes are combined, fields that both hide are hidden, and the page is not read-only, because one of them is not.
    let list = holly.get("/app/job_list?search=Widest").ok(200);
    list.shows(&["Widest own", "Widest done", "2 jobs", "wide memo", "done memo", "value=\"delete\"", "/app/job_edit/"]);
    list.lacks(&["Widest other", "815", "816"]);
    // On the view one of them shows every row and hides nothing.
    holly.get(&format!("/app/job_view/{done}")).ok(200).shows(&["Widest done", "816"]);
    holly.get(&format!("/app/job_edit/{own}")).ok(200).shows(&["Widest own", "815", "Save job"]);
    // A persona without a variant lifts all restrictions.
    let all = hugo.get("/app/job_list?search=Widest").ok(200);
    all.shows(&["3 jobs", "817", "Every job"]);
    all.lacks(&["Your jobs", "dz-figures"]);
}

fn rows_outside_the_scope_are_not_visible(base: &str) {
    let (hank, hilda) = (Client::signed_in(base, HANK), Client::signed_in(base, HILDA));
    let hers = job(base, "Outside of Hank", &json!({ "owner": me(&hilda), "hours": "2" }));
    let nobodys = job(base, "Outside of all", &json!({}));
    for id in [&hers, &nobodys] {
        assert_eq!(hank.get(&format!("/app/job_view/{id}")).status, 404);
        assert_eq!(hank.exchange(&format!("/app/job_view/{id}?section=notes")).status, 404);
        assert_eq!(hank.get(&format!("/app/job_view/{id}/delete")).status, 404);
        assert_eq!(hank.get(&format!("/app/job_edit/{id}")).status, 404);
        assert_eq!(hank.form(&format!("/app/job_edit/{id}"), &[("title", "Taken"), ("hours", "9")]).status, 404);
        assert_eq!(hank.form(&format!("/app/job_view/{id}/move"), &[("to", "doing")]).status, 404);
        assert_eq!(hank.form(&format!("/app/job_view/{id}/delete"), &[("x", "")]).status, 404);
        assert_eq!(hank.form(&format!("/app/job_edit/{id}/delete"), &[("x", "")]).status, 404);
        // Only rows on the list can be selected.
        hank.form("/app/job_list/bulk", &[("do", "delete"), ("sure", "yes"), ("id", id)]).ok(303);
        hank.form("/app/job_list/bulk", &[("do", "move.doing"), ("id", id)]).ok(303);
    }
    let row = hilda.get(&format!("/api/jobs/{hers}")).ok(200).json();
    assert_eq!((&row["title"], &row["status"], &row["hours"]), (&json!("Outside of Hank"), &json!("open"), &json!("2.00")));
    hilda.get(&format!("/app/job_view/{hers}")).ok(200);
    hilda.form(&format!("/app/job_view/{hers}/move"), &[("to", "doing")]).ok(303);
    // A change removes the row from the page, so the caller is not redirected to it.
    let id = job(base, "Outside soon", &json!({ "owner": me(&hilda) }));
    Client::signed_in(base, LEA).send("PATCH", &format!("/api/jobs/{id}"), &json!({ "owner": null })).ok(200);
    assert_eq!(hilda.form(&format!("/app/job_edit/{id}"), &[("title", "Late")]).status, 404);
}

fn forms_take_nothing_that_is_hidden(base: &str) {
    let hank = Client::signed_in(base, HANK);
    let id = job(base, "Formal", &json!({ "owner": me(&hank), "pay": "5", "hours": "1" }));
    let edit = format!("/app/job_edit/{id}");
    let row = || hank.get(&format!("/api/jobs/{id}")).ok(200).json();
    for forged in ["pay", "pay.q", "pay.found", "pay.remove"] {
        let refused = hank.form(&edit, &[("title", "Formal now"), ("hours", "1"), (forged, "999")]).ok(422);
        refused.shows(&["Pay: Cannot be changed on this page.", "value=\"Formal now\""]);
        refused.lacks(&["name=\"pay\""]);
        assert_eq!((&row()["title"], &row()["pay"]), (&json!("Formal"), &json!("5.00")));
    }
    let refused = hank.form("/app/job_new", &[("title", "Formal too"), ("pay", "999")]).ok(422);
    refused.shows(&["Pay: Cannot be changed on this page."]);
    assert_eq!(hank.get("/api/jobs?title=Formal%20too").json()["total"], 0);
    hank.form(&edit, &[("title", "Formal now"), ("hours", "2"), ("memo", "seen here")]).ok(303);
    assert_eq!((&row()["title"], &row()["pay"], &row()["memo"]), (&json!("Formal now"), &json!("5.00"), &json!("seen here")));
    // Where the state is hidden, no transition is possible: on the page of a row, and on a list that shows it.
    let clea = Client::signed_in(base, CLEA);
    clea.form(&format!("/app/job_view/{id}/move"), &[("to", "doing")]).ok(422).shows(&["`status` cannot be changed on this page"]);
    assert_eq!(row()["status"], "open");
    clea.form("/app/job_list/bulk", &[("do", "move.doing"), ("id", &id)]).ok(303);
    assert_eq!(row()["status"], "doing");
}

fn a_new_row_begins_as_the_variant_says(base: &str) {
    let (hank, lea) = (Client::signed_in(base, HANK), Client::signed_in(base, LEA));
    let form = hank.get("/app/job_new").ok(200);
    form.shows(&["name=\"hours\" type=\"text\" value=\"4\""]);
    form.lacks(&["name=\"pay\"", "name=\"owner\""]);
    lea.get("/app/job_new").ok(200).shows(&["name=\"hours\" type=\"text\" value=\"0\"", "name=\"pay\""]);
    // A parameter of the address takes precedence over the default of the variant.
    hank.get("/app/job_new?hours=7").ok(200).shows(&["name=\"hours\" type=\"text\" value=\"7\""]);
    hank.form("/app/job_new", &[("title", "Begun"), ("hours", "6")]).ok(303);
    let made = hank.get("/api/jobs?title=Begun").ok(200).json()["items"][0].clone();
    // Fields without a control, hidden or not on the form, also get the default.
    assert_eq!((&made["hours"], &made["pay"], &made["owner"]), (&json!("6.00"), &json!("12.00"), &me(&hank)));
}

fn a_read_only_page_changes_nothing(base: &str) {
    let (vera, holly) = (Client::signed_in(base, VERA), Client::signed_in(base, HOLLY));
    let id = job(base, "Readonly", &json!({ "owner": me(&vera), "hours": "5" }));
    transition_job(base, &id, &["doing"]);
    let list = vera.get("/app/job_list?search=Readonly").ok(200);
    list.shows(&["Readonly"]);
    list.lacks(&["New job", "Import", "/app/job_edit", "/delete", "type=\"checkbox\" form", "job_list-bulk", "data-dz-moves"]);
    let view = vera.get(&format!("/app/job_view/{id}")).ok(200);
    view.shows(&["Readonly", "5.00"]);
    view.lacks(&["/app/job_edit", "/delete", "name=\"to\"", "/app/note_new?job="]);
    let form = vera.get(&format!("/app/job_edit/{id}")).ok(200);
    form.shows(&["<h1>Readonly</h1>", "5.00", ">Back<"]);
    form.lacks(&["Save", "name=\"title\"", "name=\"hours\""]);
    assert_eq!(vera.get("/app/job_new").status, 403);
    vera.get("/app").ok(303).header("location").map(|to| vera.get(to)).expect("a page").lacks(&["/app/job_new"]);
    // The error names the fields that cannot be sent; nothing is saved.
    vera.form(&format!("/app/job_edit/{id}"), &[("title", "x"), ("hours", "9")]).ok(422).shows(&["`title`, `hours` cannot be changed"]);
    vera.form("/app/job_new", &[("title", "Readonly new")]).ok(422).shows(&["`title` cannot be changed"]);
    assert_eq!(vera.form("/app/job_new", &[]).status, 403);
    for (path, pairs) in [
        (format!("/app/job_view/{id}/move"), &[("to", "done")][..]),
        (format!("/app/job_view/{id}/delete"), &[("x", "")]),
        (format!("/app/job_edit/{id}/delete"), &[("x", "")]),
        ("/app/job_list/bulk".to_owned(), &[("do", "delete"), ("sure", "yes"), ("id", &id)]),
        ("/app/job_list/bulk".to_owned(), &[("do", "move.done"), ("id", &id)]),
    ] {
        assert_eq!(vera.form(&path, pairs).status, 403, "{path}");
    }
    assert_eq!(vera.get("/app/job_list/import").status, 403);
    assert_eq!(vera.get(&format!("/app/job_view/{id}/delete")).status, 403);
    let row = holly.get(&format!("/api/jobs/{id}")).ok(200).json();
    assert_eq!((&row["title"], &row["status"], &row["hours"]), (&json!("Readonly"), &json!("doing"), &json!("5.00")));
    assert_eq!(holly.get("/api/jobs?title=Readonly%20new").json()["total"], 0);
}

fn words_buttons_and_figures(base: &str) {
    let (hank, lea, vera) = (Client::signed_in(base, HANK), Client::signed_in(base, LEA), Client::signed_in(base, VERA));
    for (at, hours) in ["1.25", "2.50", "4"].iter().enumerate() {
        job(base, &format!("Figured {at}"), &json!({ "owner": me(&hank), "hours": hours, "billed": at > 0 }));
    }
    job(base, "Figured of nobody", &json!({ "hours": "100", "billed": true }));
    let own = hank.get("/app/job_list?search=Figured&page_size=1").ok(200);
    own.shows(&[
        "Your jobs",
        "<dt>Hours</dt><dd>7.75</dd>",
        "<dt>Billed</dt><dd>2</dd>",
        "<dt>Doubled</dt><dd>15.50</dd>",
        "<a class=\"dz-button\" data-kind=\"primary\" href=\"/app/note_new\">",
        "<a class=\"dz-button\" href=\"/app/job_new\">",
    ]);
    let none = hank.get("/app/job_list?search=Figured+none").ok(200);
    none.shows(&["No jobs match", "You have no job.", "<dt>Hours</dt><dd>0.00</dd>", "<dt>Billed</dt><dd>0</dd>"]);
    let all = lea.get("/app/job_list?search=Figured").ok(200);
    all.shows(&["Every job", "<a class=\"dz-button\" data-kind=\"primary\" href=\"/app/job_new\">"]);
    all.lacks(&["dz-figures"]);
    let id = job(base, "Figured view", &json!({ "owner": me(&vera) }));
    vera.get(&format!("/app/job_view/{id}")).ok(200).shows(&["<a class=\"dz-button\" data-kind=\"primary\" href=\"/app/job_list\">"]);
}

fn columns_and_sections_in_another_order(base: &str) {
    let (clea, hank) = (Client::signed_in(base, CLEA), Client::signed_in(base, HANK));
    let id = job(base, "Ordered", &json!({ "owner": me(&hank), "pay": "33" }));
    let list = clea.get("/app/job_list?search=Ordered").ok(200);
    let heads = ["sort=status", "sort=billed", "sort=title"].map(|head| list.body.find(head));
    assert!(heads.iter().all(Option::is_some) && heads.is_sorted(), "{heads:?}");
    list.lacks(&["sort=hours", "sort=pay", "33.00"]);
    // The row links to the target of the primary button.
    list.shows(&[&format!("<a href=\"/app/job_edit/{id}\">Ordered</a>")]);
    let both = job(base, "Ordered view", &json!({ "owner": me(&hank) }));
    let view = hank.get(&format!("/app/job_view/{both}")).ok(200);
    let (more, notes) = (view.body.find("s-more-title"), view.body.find("id=\"job_view-notes\""));
    assert!(more.is_some() && more < notes, "the section that comes first");
}

fn files_of_a_page_follow_it(base: &str) {
    let (hank, lea, vera) = (Client::signed_in(base, HANK), Client::signed_in(base, LEA), Client::signed_in(base, VERA));
    let own = job(base, "Exported own", &json!({ "owner": me(&hank), "pay": "77", "memo": "paper memo" }));
    let other = job(base, "Exported other", &json!({ "pay": "78" }));
    let csv = |client: &Client| client.get("/app/job_list?format=csv&search=Exported").ok(200).body;
    let text = csv(&hank);
    assert_eq!(text, "Title,Hours,Who,Status\r\nExported own,0.00,Hank,open\r\n");
    assert!(csv(&lea).contains("paper memo") && csv(&lea).contains("78.00"));
    assert_eq!(csv(&vera), "Title,Memo,Hours,City,Who,Status\r\n");
    // An import changes only rows of the page, and no hidden field.
    let import = |client: &Client, text: &str| {
        let body = format!(
            "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\nContent-Type: text/csv\r\n\r\n{text}\r\n--x--\r\n"
        );
        let headers = [("Content-Type", "multipart/form-data; boundary=x"), ("Sec-Fetch-Site", "same-origin")];
        client.request("POST", "/app/job_list/import", &headers, body.as_bytes())
    };
    let form = hank.get("/app/job_list/import").ok(200);
    form.shows(&["<code>title</code>"]);
    form.lacks(&["<code>pay</code>", "<code>memo</code>"]);
    import(&hank, &format!("id,pay\n{own},1\n")).ok(422).shows(&["`pay` cannot be set here"]);
    import(&hank, &format!("id,hours\n{other},1\n")).ok(422).shows(&["not a row that you can see"]);
    assert_eq!(import(&vera, &format!("id,hours\n{other},1\n")).status, 403);
    import(&hank, &format!("id,hours\n{own},1.5\n")).ok(303);
    let row = |id: &str| lea.get(&format!("/api/jobs/{id}")).ok(200).json();
    assert_eq!((&row(&own)["hours"], &row(&own)["pay"], &row(&other)["hours"]), (&json!("1.50"), &json!("77.00"), &json!("0.00")));
}

fn the_api_ignores_variants(base: &str) {
    let (hank, vera) = (Client::signed_in(base, HANK), Client::signed_in(base, VERA));
    let id = job(base, "Programmed", &json!({ "pay": "91" }));
    let found = hank.get("/api/jobs?title=Programmed&sort=pay&pay=91").ok(200).json();
    assert_eq!((&found["total"], &found["items"][0]["pay"]), (&json!(1), &json!("91.00")));
    vera.send("PATCH", &format!("/api/jobs/{id}"), &json!({ "pay": "92" })).ok(200);
    vera.delete(&format!("/api/jobs/{id}")).ok(204);
}
