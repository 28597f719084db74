//! Workspaces: each region shows, counts and draws exactly the rows that the caller may list, and is a page and a fragment at its
//! address.

pub mod depot;

use dz::serde_json::{Value, json};

use crate::client::{Answer, Client};

crate::served_on_both! {
    "workspaces", depot::app();
    pages_and_fragments;
    start_pages_and_navigation;
    rows_that_a_caller_may_not_list_are_in_no_region;
    figures_count_rows_of_the_caller;
    groups_of_charts;
    cards_move_by_declared_transitions_only;
    calendars;
    trees_and_progress;
    tabs;
    variants;
    junk_in_parameters_is_ignored;
}

type Person = (&'static str, &'static str);
const CARA: Person = ("cara@shop.example", "chief of the shop");
const WALT: Person = ("walt@shop.example", "work of the shop");
const GUS: Person = ("gus@shop.example", "guest of the shop");
const NORA: Person = ("nora@shop.example", "nobody of the shop");

const BENCH: [&str; 11] = ["next", "all", "cards", "times", "feed", "one", "areas", "shares", "states", "mixed", "mine"];
const OVERVIEW: [&str; 11] = ["figures", "total", "board", "plan", "by_state", "by_area", "by_month", "by_week", "path", "heat", "cross"];

fn me(client: &Client) -> Value {
    client.get("/auth/me").ok(200).json()["id"].clone()
}

/// A repair created by the chief, with all fields.
fn repair(base: &str, title: &str, fields: &Value) -> String {
    let mut row = json!({ "title": title });
    for (name, value) in fields.as_object().expect("fields") {
        row[name] = value.clone();
    }
    let made = Client::signed_in(base, CARA).send("POST", "/api/repairs", &row).ok(201).json();
    made["id"].as_str().expect("a key").to_owned()
}

fn step(base: &str, id: &str, states: &[&str]) {
    for state in states {
        Client::signed_in(base, CARA).send("POST", &format!("/api/repairs/{id}/transitions/{state}"), &json!({})).ok(200);
    }
}

/// The number of the figure or group with a label: the text after it, up to the next tag.
fn after<'r>(reply: &'r Answer, label: &str, tag: &str) -> &'r str {
    let rest = reply.body.split(label).nth(1).unwrap_or_else(|| panic!("{label} in {}", reply.body));
    rest.split(tag).nth(1).and_then(|rest| rest.split('<').next()).unwrap_or_default()
}

fn figure<'r>(reply: &'r Answer, label: &str) -> &'r str {
    after(reply, &format!("<dt>{label}</dt>"), "<dd>")
}

/// The rows of the table with the figures of a chart.
fn table(reply: &Answer) -> Vec<String> {
    let body = reply.body.split("<details").nth(1).unwrap_or_else(|| panic!("a table in {}", reply.body));
    let rows = body.split("<tr>").skip(2);
    rows.map(|row| {
        row.replace("</th>", " ")
            .replace("</td>", " ")
            .split('<')
            .map(|part| part.split('>').next_back().unwrap_or(""))
            .collect::<String>()
            .trim()
            .to_owned()
    })
    .collect()
}

fn pages_and_fragments(base: &str) {
    let cara = Client::signed_in(base, CARA);
    repair(base, "Framed", &json!({ "due": "2031-01-05" }));
    for (workspace, regions) in [("overview", OVERVIEW), ("bench", BENCH)] {
        let page = cara.get(&format!("/app/{workspace}")).ok(200);
        page.shows(&["<h1>", "aria-current=\"page\""]);
        for region in regions {
            let id = format!("{workspace}-{region}");
            let body = format!("id=\"{id}-body\"");
            page.shows(&[&format!("hx-get=\"/app/{id}\" hx-trigger=\"load\" hx-target=\"#{id}-body\"")]);
            assert_eq!(page.body.matches(&body).count(), 1, "{id}");
            let fragment = cara.exchange(&format!("/app/{id}")).ok(200);
            fragment.lacks(&[&body, "data-dz-region", "<html", "hx-trigger=\"load\""]);
            let whole = cara.get(&format!("/app/{id}")).ok(200);
            whole.shows(&["<html", "<h1>", &body, "aria-busy=\"false\"", &format!("data-dz-region=\"{id}\"")]);
            whole.lacks(&["hx-trigger=\"load\""]);
        }
    }
    // Lists have a footer, which a limit, a board, a chart and figures do not have.
    for region in ["bench-all", "bench-cards", "bench-times"] {
        cara.exchange(&format!("/app/{region}")).ok(200).shows(&["data-dz-grid-total", &format!("id=\"{region}-footer\"")]);
    }
    for region in ["bench-next", "overview-board", "overview-by_state", "overview-figures", "overview-plan"] {
        cara.exchange(&format!("/app/{region}")).ok(200).lacks(&["data-dz-pagination"]);
    }
    let paged = cara.exchange("/app/bench-all?page=1&page_size=1").ok(200);
    assert_eq!(paged.body.matches("<tr").count(), 1);
    cara.exchange("/app/overview-by_state").ok(200).shows(&["<svg", "role=\"img\"", "aria-label=\"By state", "<table"]);
}

fn start_pages_and_navigation(base: &str) {
    let start = |person: Person| Client::signed_in(base, person).get("/app").ok(303).header("location").expect("a location").to_owned();
    assert_eq!((start(CARA), start(WALT)), ("/app/overview".to_owned(), "/app/bench".to_owned()));
    // A persona without a start page opens the first list; the workspaces are in the navigation of those who can open them.
    assert_eq!(start(NORA), "/app/repair_list");
    let walt = Client::signed_in(base, WALT);
    let page = walt.get("/app/bench").ok(200);
    page.shows(&["nav-workspaces", "href=\"/app/bench\" aria-current=\"page\""]);
    page.lacks(&["href=\"/app/overview\""]);
    walt.get("/app/overview").ok(403);
    walt.exchange("/app/overview-board").ok(403);
    assert_eq!(Client::new(base).get("/app/bench").status, 303, "a workspace is for accounts");
    assert_eq!(Client::new(base).get("/app/bench-all").status, 303);
}

fn rows_that_a_caller_may_not_list_are_in_no_region(base: &str) {
    let walt = Client::signed_in(base, WALT);
    let area = Client::signed_in(base, CARA).send("POST", "/api/areas", &json!({ "name": "Listed area" })).ok(201).json();
    let common = json!({ "due": "2031-03-03", "started_at": "2031-03-02T10:00:00Z", "area": area["id"], "share": 40 });
    let mut own = common.clone();
    own["owner"] = me(&walt);
    repair(base, "Aa of Walt", &own);
    repair(base, "Aa of others", &common);
    for region in ["all", "times", "feed", "shares", "mixed"] {
        let page = walt.exchange(&format!("/app/bench-{region}?page_size=100")).ok(200);
        page.shows(&["Aa of Walt"]);
        page.lacks(&["Aa of others"]);
    }
    walt.exchange("/app/bench-one").ok(200).shows(&["Aa of Walt"]);
    // The chief sees both.
    let cara = Client::signed_in(base, CARA);
    cara.exchange("/app/bench-all?page_size=100").ok(200).shows(&["Aa of Walt", "Aa of others"]);
    // Sensitive values are in no region.
    cara.get("/app/bench-all").ok(200).lacks(&["Rate"]);
}

fn figures_count_rows_of_the_caller(base: &str) {
    let (cara, walt) = (Client::signed_in(base, CARA), Client::signed_in(base, WALT));
    // Other tests create rows at the same time, so a figure is between the totals of the API before and after it.
    let listed = |client: &Client| client.get("/api/repairs").ok(200).json()["total"].as_i64().expect("a total");
    repair(base, "Counted for Walt", &json!({ "owner": me(&walt), "fee": "10.50" }));
    let done = repair(base, "Counted for others", &json!({ "fee": "7.25", "due": "2035-12-31" }));
    step(base, &done, &["doing", "done"]);
    let count = |text: &str| text.parse::<i64>().expect("a number");
    let before = listed(&walt);
    let now = walt.exchange("/app/bench-mine").ok(200);
    assert!((before..=listed(&walt)).contains(&count(figure(&now, "Own"))) && before < listed(&cara), "{}", now.body);
    // A figure over an entity that the caller may not list is not shown.
    now.lacks(&["Rates"]);
    cara.exchange("/app/bench-mine").ok(200).shows(&["Rates"]);
    let latest = || {
        let last = cara.get("/api/repairs?sort=-due&page_size=1").ok(200).json()["items"][0]["due"].clone();
        let day: chrono::NaiveDate = last.as_str().expect("a date").parse().expect("a date");
        day.format("%-d %b %Y").to_string()
    };
    let (before, latest_before) = (listed(&cara), latest());
    let totals = cara.exchange("/app/overview-total").ok(200);
    let all = count(figure(&totals, "All repairs"));
    assert!((before..=listed(&cara)).contains(&all), "{}", totals.body);
    assert_eq!(count(figure(&totals, "Doubled")), 2 * all);
    let shown = figure(&totals, "Latest");
    assert!([latest_before, latest()].iter().any(|day| day == shown), "{shown}");
    let figures = cara.exchange("/app/overview-figures").ok(200);
    assert_eq!(figure(&figures, "Earned"), "7.25");
    assert!(figure(&figures, "People").parse::<i64>().is_ok());
}

fn groups_of_charts(base: &str) {
    let cara = Client::signed_in(base, CARA);
    let area = cara.send("POST", "/api/areas", &json!({ "name": "Grouped <area>" })).ok(201).json();
    for (title, fee, due) in [("G1", "1.50", "2040-01-31"), ("G2", "2.50", "2040-03-01")] {
        let id = repair(base, title, &json!({ "fee": fee, "due": due, "area": area["id"], "started_at": "2040-01-01T23:30:00Z" }));
        step(base, &id, &["doing"]);
    }
    repair(base, "G3", &json!({ "level": "high" }));
    let months = table(&cara.exchange("/app/overview-by_month").ok(200));
    assert!(months.iter().any(|row| row.starts_with("Jan 2040 1 1.5")), "{months:?}");
    assert!(months.iter().any(|row| row.starts_with("Feb 2040 0 –")), "a month without rows is between its neighbours: {months:?}");
    assert!(months.iter().any(|row| row.starts_with("Mar 2040 1 2.5")), "{months:?}");
    let areas = cara.exchange("/app/overview-by_area").ok(200);
    areas.shows(&["Grouped &#60;area&#62;", "4.00"]);
    areas.lacks(&["<area>"]);
    let weeks = table(&cara.exchange("/app/overview-by_week").ok(200));
    assert!(weeks.iter().any(|row| row.starts_with("26 Dec 2039 2")), "a week begins on Monday: {weeks:?}");
    let states = table(&cara.exchange("/app/overview-by_state").ok(200));
    assert!(states.iter().map(|row| row.split(' ').next().unwrap_or_default()).eq(["Open", "Doing", "Done", "Dropped"]), "{states:?}");
    cara.exchange("/app/overview-path").ok(200).shows(&["Doing", "<svg"]);
    cara.exchange("/app/overview-heat").ok(200).shows(&[
        "data-heat",
        "<th scope=\"col\">Low</th><th scope=\"col\">High</th>",
        "data-level=\"5\"",
    ]);
    cara.exchange("/app/overview-cross").ok(200).shows(&["Grouped &#60;area&#62;", "<tfoot>", "Total", "4.00"]);
}

fn cards_move_by_declared_transitions_only(base: &str) {
    let (cara, walt) = (Client::signed_in(base, CARA), Client::signed_in(base, WALT));
    let id = repair(base, "Moved card", &json!({}));
    let board = cara.exchange("/app/overview-board").ok(200);
    let card = board
        .body
        .split(&format!("id=\"overview-board-{id}\""))
        .nth(1)
        .expect("the card")
        .split("</li>")
        .next()
        .expect("it ends")
        .to_owned();
    assert!(card.starts_with(" draggable=\"true\" data-dz-moves=\"doing,dropped\""), "{card}");
    assert!(card.contains("hx-target=\"#overview-board-body\""), "{card}");
    let form = |to: &str, version: &str| vec![("id", id.clone()), ("to", to.to_owned()), ("version", version.to_owned())];
    let send = |client: &Client, to: &str, version: &str| {
        let pairs = form(to, version);
        let pairs: Vec<(&str, &str)> = pairs.iter().map(|(name, value)| (*name, value.as_str())).collect();
        client.form("/app/overview-board/move", &pairs)
    };
    // Not declared, then declared.
    let refused = send(&cara, "done", "1").ok(409);
    refused.shows(&["role=\"alert\"", "Moved card"]);
    assert_eq!(send(&cara, "doing", "1").status, 303);
    assert_eq!(send(&cara, "open", "1").status, 412, "another person moved the card");
    // A required field is missing: the page names it.
    let row = cara.get(&format!("/api/repairs/{id}")).ok(200).json();
    send(&cara, "done", &row["version"].as_i64().unwrap_or(2).to_string()).ok(422).shows(&["Due"]);
    assert_eq!(cara.get(&format!("/api/repairs/{id}")).ok(200).json()["status"], "doing");
    assert_eq!(walt.send("POST", "/app/overview-board/move", &json!({})).status, 403);
}

fn calendars(base: &str) {
    let cara = Client::signed_in(base, CARA);
    repair(base, "On the day", &json!({ "due": "2042-06-15" }));
    let month = cara.exchange("/app/overview-plan?date=2042-06-01").ok(200);
    month.shows(&["Jun 2042", "On the day", "date=2042-07-01", "date=2042-05-01", "<time datetime=\"2042-06-15\""]);
    cara.exchange("/app/overview-plan?date=2042-07-01").ok(200).lacks(&["On the day"]);
    cara.exchange("/app/overview-plan?span=week&date=2042-06-12").ok(200).shows(&["Week 24, 2042", "On the day"]);
    cara.exchange("/app/overview-plan?span=day&date=2042-06-15").ok(200).shows(&["Sunday, 15 Jun 2042", "On the day"]);
    cara.exchange("/app/overview-plan?span=day&date=2042-06-16").ok(200).shows(&["Nothing on this day"]);
}

/// On a server of its own, because the other tests count rows.
#[test]
fn crowded_calendars_show_every_day_on_both_engines() {
    for engine in [dz::Engine::Sqlite, dz::Engine::Postgres] {
        crowded_calendars_show_every_day(&crate::server::serve(depot::app(), engine, crate::server::new_url(engine, "crowded")));
    }
}

/// More rows than a page shows at once, on the first days of a month.
fn crowded_calendars_show_every_day(base: &str) {
    let cara = Client::signed_in(base, CARA);
    let crowd: String = (0..520).map(|at| format!("zz crowd {at:03},2043-06-{:02}\n", 1 + at % 2)).collect();
    let headers = [("Content-Type", "text/csv"), ("Sec-Fetch-Site", "same-origin")];
    cara.request("POST", "/api/repairs/import", &headers, format!("title,due\n{crowd}").as_bytes()).ok(200);
    repair(base, "zz late in the week", &json!({ "due": "2043-06-06" }));
    repair(base, "zz late in the month", &json!({ "due": "2043-06-29" }));
    let month = cara.exchange("/app/overview-plan?date=2043-06-15").ok(200);
    month.shows(&["zz crowd 000", "zz crowd 002", "zz crowd 001", "258 more", "zz late in the week", "zz late in the month"]);
    month.lacks(&["zz crowd 004", "Showing"]);
    let week = cara.exchange("/app/overview-plan?span=week&date=2043-06-03").ok(200);
    week.shows(&["zz crowd 140", "189 more", "zz late in the week"]);
    week.lacks(&["zz crowd 142", "zz late in the month"]);
    cara.exchange("/app/overview-plan?span=day&date=2043-06-01").ok(200).shows(&["zz crowd 518"]);
}

fn trees_and_progress(base: &str) {
    let cara = Client::signed_in(base, CARA);
    let hall = cara.send("POST", "/api/areas", &json!({ "name": "Tree hall" })).ok(201).json();
    cara.send("POST", "/api/areas", &json!({ "name": "Tree corner", "inside": hall["id"] })).ok(201);
    let tree = cara.exchange("/app/bench-areas").ok(200).body;
    let (above, below) = (tree.find("Tree hall").expect("the hall"), tree.find("Tree corner").expect("the corner"));
    assert!(above < below && tree[above..below].contains("<ul>"), "{tree}");
    repair(base, "0 halfway", &json!({ "share": 50 }));
    let shares = cara.exchange("/app/bench-shares").ok(200);
    shares.shows(&["0 halfway", "<progress max=\"100\" value=\"50\""]);
    cara.exchange("/app/bench-states").ok(200).shows(&["Finished", "Dropped"]);
}

fn tabs(base: &str) {
    let cara = Client::signed_in(base, CARA);
    repair(base, "Under a tab", &json!({}));
    let first = cara.exchange("/app/bench-mixed?page_size=100").ok(200);
    first.shows(&["href=\"/app/bench-mixed?tab=1\" aria-current=\"true\"", "href=\"/app/bench-mixed?tab=2\" hx-get", "Under a tab"]);
    let second = cara.exchange("/app/bench-mixed?tab=2").ok(200);
    second.shows(&["?tab=2\" aria-current=\"true\"", "areas</span>"]);
    second.lacks(&["Under a tab"]);
}

fn variants(base: &str) {
    let walt = Client::signed_in(base, WALT).get("/app/bench").ok(200);
    walt.shows(&["Your own work", "dz-metrics-top", "href=\"/app/repair_new\""]);
    walt.lacks(&["bench-cards"]);
    assert!(walt.body.find("id=\"bench-one\"") < walt.body.find("id=\"bench-next\""), "the focus is first");
    Client::signed_in(base, WALT).exchange("/app/bench-cards").ok(404);
    let gus = Client::signed_in(base, GUS).get("/app/bench").ok(200);
    gus.shows(&["id=\"bench-next\""]);
    gus.lacks(&["id=\"bench-all\"", "repair_new"]);
    let cara = Client::signed_in(base, CARA).get("/app/bench").ok(200);
    cara.shows(&["What to do next", "bench-cards"]);
}

fn junk_in_parameters_is_ignored(base: &str) {
    let cara = Client::signed_in(base, CARA);
    let junk = "page=zero&page_size=-3&tab=99&date=tomorrow&span=century&sort=%00&as_of=never&include_closed=perhaps&x[]=1";
    for (workspace, regions) in [("overview", OVERVIEW), ("bench", BENCH)] {
        cara.get(&format!("/app/{workspace}?{junk}")).ok(200);
        for region in regions {
            cara.exchange(&format!("/app/{workspace}-{region}?{junk}")).ok(200);
            cara.get(&format!("/app/{workspace}-{region}?date=999999-01-01&page=18446744073709551615")).ok(200);
        }
    }
}
