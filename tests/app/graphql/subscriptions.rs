//! Subscriptions over server-sent events: every event follows the rules of its caller at that time.

use std::{
    io::{BufRead, BufReader, Write},
    net::TcpStream,
    time::{Duration, Instant},
};

use dz::{
    Engine,
    serde_json::{self, Value, json},
};

use super::{data, first_error};
use crate::{
    client::{Answer, Client},
    server,
};

dz::dz! {
    app lighthouse "Lighthouse"

    persona keeper "Keeper"
    persona skipper "Skipper"

    entity User "Person":
      id: uuid pk
      name: str(60) required
      permit:
        list: true
        read: true

    entity Vessel "Vessel":
      id: uuid pk
      name: str(40) required
      log_book: str(40) sensitive
      draught: int = 3
      skipper: ref User = current_user
      permit:
        list: role(keeper) or skipper = current_user
        read: role(keeper) or skipper = current_user
        create: role(keeper, skipper)
        update: role(keeper)
        delete: role(keeper)

    entity Lamp "Lamp":
      id: uuid pk
      name: str(40) required
      permit:
        list: role(keeper)
        read: role(keeper)
        create: role(keeper)
        delete: role(keeper)

    demo:
      User:
        - name: "Kim", email: "kim@light.example", password: "keep the light", roles: [keeper]
        - name: "Sol", email: "sol@light.example", password: "steer by stars", roles: [skipper]
        - name: "Ida", email: "ida@light.example", password: "watch the tides", roles: [skipper]
}

/// The program of commands.
#[test]
#[ignore = "the tests start it in a process of its own"]
fn child() {
    server::obey(app());
}

const KEEPER: (&str, &str) = ("kim@light.example", "keep the light");
const SKIPPER: (&str, &str) = ("sol@light.example", "steer by stars");
/// Has no part in other tests, because the number of streams is limited for each account.
const WATCHER: (&str, &str) = ("ida@light.example", "watch the tides");

crate::served_on_both! {
    "lighthouse", app();
    changes_arrive_with_the_selected_fields;
    each_event_follows_the_rules_of_its_caller;
    a_stream_ends_with_its_session;
    arguments_select_the_rows;
    a_document_keeps_the_fragments_of_its_other_operations;
    other_operations_are_streams_with_one_result;
    refusals_are_those_of_the_protocol;
    an_account_has_a_limited_number_of_streams;
}

/// An open stream.
struct Events {
    lines: BufReader<TcpStream>,
    head: String,
}

impl Events {
    /// Opens a stream, and reads its head.
    #[track_caller]
    fn open(client: &Client, query: &str) -> Events {
        Events::send(client, &json!({ "query": query }))
    }

    #[track_caller]
    fn send(client: &Client, request: &Value) -> Events {
        let body = request.to_string();
        let mut stream = TcpStream::connect(&client.host).expect("a connection");
        // Without an event within this time the test fails.
        stream.set_read_timeout(Some(Duration::from_secs(120))).expect("a limit");
        let cookie = client.cookie.as_deref().unwrap_or_default();
        let head = format!(
            "POST /graphql HTTP/1.1\r\nHost: {}\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\n\
             Sec-Fetch-Site: same-origin\r\nCookie: {cookie}\r\nContent-Length: {}\r\n\r\n{body}",
            client.host,
            body.len()
        );
        stream.write_all(head.as_bytes()).expect("sent");
        let mut lines = BufReader::new(stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert!(lines.read_line(&mut head).expect("a head") > 0, "the connection ends: {head}");
        }
        Events { lines, head }
    }

    /// The next event with its data; comments and the sizes of chunks are skipped.
    #[track_caller]
    fn next(&mut self) -> (String, String) {
        let (mut name, begun) = (String::new(), Instant::now());
        loop {
            let mut line = String::new();
            assert!(self.lines.read_line(&mut line).expect("an event") > 0, "the stream ends");
            // Comments arrive all the time, so the limit of the connection is not reached.
            assert!(begun.elapsed() < Duration::from_secs(120), "no event arrived within two minutes");
            if let Some(event) = line.strip_prefix("event: ") {
                event.trim_end().clone_into(&mut name);
            } else if let Some(data) = line.strip_prefix("data:") {
                return (name, data.trim().to_owned());
            }
        }
    }

    /// The JSON of the next result.
    #[track_caller]
    fn result(&mut self) -> Value {
        let (name, data) = self.next();
        assert_eq!(name, "next", "{data}");
        serde_json::from_str(&data).expect("JSON")
    }

    #[track_caller]
    fn end(&mut self) {
        assert_eq!(self.next(), ("complete".to_owned(), String::new()));
    }
}

#[track_caller]
fn create(client: &Client, kind: &str, values: Value) -> String {
    client.send("POST", &format!("/api/{kind}"), &values).ok(201).json()["id"].as_str().expect("an id").to_owned()
}

fn update(client: &Client, id: &str, values: Value) -> Answer {
    client.send("PATCH", &format!("/api/vessels/{id}"), &values)
}

fn changes_arrive_with_the_selected_fields(base: &str) {
    let keeper = Client::signed_in(base, KEEPER);
    let id = create(&keeper, "vessels", json!({ "name": "Aurora" }));
    let mut events = Events::open(
        &keeper,
        &format!("subscription {{ boat: vesselChanged(id: \"{id}\") {{ kind id node {{ name skipper {{ name }} }} }} }}"),
    );
    assert!(events.head.starts_with("HTTP/1.1 200 "), "{}", events.head);
    let head = events.head.to_ascii_lowercase();
    assert!(head.contains("content-type: text/event-stream\r\n") && head.contains("cache-control: no-store\r\n"), "{head}");
    update(&keeper, &id, json!({ "name": "Aurora II" })).ok(200);
    let changed = json!({ "boat": { "kind": "updated", "id": id, "node": { "name": "Aurora II", "skipper": { "name": "Kim" } } } });
    assert_eq!(events.result(), json!({ "data": changed }));
    // Refused writes, also those of savepoints, are no changes.
    update(&keeper, &id, json!({ "name": "x".repeat(41) })).ok(422);
    let refused = format!("mutation {{ updateVessel(id: \"{id}\", input: {{ name: \"\" }}) {{ id }} }}");
    first_error(&keeper, &refused, &json!({}));
    let written = format!("mutation {{ updateVessel(id: \"{id}\", input: {{ draught: 7 }}) {{ id }} }}");
    data(&keeper, &written, &json!({}));
    let next = events.result();
    assert_eq!((&next["data"]["boat"]["kind"], &next["data"]["boat"]["node"]["name"]), (&json!("updated"), &json!("Aurora II")));
    keeper.delete(&format!("/api/vessels/{id}")).ok(204);
    assert_eq!(events.result()["data"], json!({ "boat": { "kind": "removed", "id": id, "node": null } }));
}

fn each_event_follows_the_rules_of_its_caller(base: &str) {
    let (keeper, skipper) = (Client::signed_in(base, KEEPER), Client::signed_in(base, SKIPPER));
    let own = skipper.get("/auth/me").ok(200).json()["id"].clone();
    let mut events = Events::open(&skipper, "subscription { vesselChanged { kind id node { name logBook } } }");
    let hidden = create(&keeper, "vessels", json!({ "name": "Petrel", "log_book": "secret" }));
    update(&keeper, &hidden, json!({ "name": "Petrel II" })).ok(200);
    keeper.delete(&format!("/api/vessels/{hidden}")).ok(204);
    // The first event is that of the first row that the skipper may see, without the field that only keepers see.
    let id = create(&keeper, "vessels", json!({ "name": "Tern", "log_book": "secret", "skipper": own }));
    assert_eq!(
        events.result()["data"]["vesselChanged"],
        json!({ "kind": "created", "id": id, "node": { "name": "Tern", "logBook": null } })
    );
    // A row that is no longer visible is removed, and its later changes are not reported.
    let keepers = keeper.get("/auth/me").ok(200).json()["id"].clone();
    update(&keeper, &id, json!({ "skipper": keepers })).ok(200);
    assert_eq!(events.result()["data"]["vesselChanged"], json!({ "kind": "removed", "id": id, "node": null }));
    update(&keeper, &id, json!({ "name": "Tern II" })).ok(200);
    update(&keeper, &id, json!({ "skipper": own })).ok(200);
    assert_eq!(events.result()["data"]["vesselChanged"]["node"]["name"], "Tern II");
    // A keeper sees every row, and is told of the deletion of each.
    let mut all = Events::open(&keeper, "subscription { lampChanged { kind id } }");
    let lamp = create(&keeper, "lamps", json!({ "name": "Beacon" }));
    assert_eq!(all.result()["data"]["lampChanged"]["kind"], "created");
    let mut later = Events::open(&keeper, "subscription { lampChanged { kind id } }");
    keeper.delete(&format!("/api/lamps/{lamp}")).ok(204);
    for events in [&mut all, &mut later] {
        assert_eq!(events.result()["data"]["lampChanged"], json!({ "kind": "removed", "id": lamp }));
    }
    // So are imported rows, which nobody reads after they are stored.
    let headers = [("Content-Type", "text/csv"), ("Sec-Fetch-Site", "same-origin")];
    keeper.request("POST", "/api/lamps/import", &headers, b"name\r\nLantern\r\n").ok(200);
    assert_eq!(all.result()["data"]["lampChanged"]["kind"], "created");
    // A refused subscription is a result with errors.
    let mut refused = Events::open(&skipper, "subscription { lampChanged { id } }");
    assert_eq!(refused.result()["errors"][0]["extensions"]["code"], "FORBIDDEN");
    refused.end();
}

fn a_stream_ends_with_its_session(base: &str) {
    let (keeper, leaving) = (Client::signed_in(base, KEEPER), Client::signed_in(base, KEEPER));
    let mut events = Events::open(&leaving, "subscription { vesselChanged { id } }");
    leaving.send("POST", "/auth/logout", &json!({})).ok(204);
    create(&keeper, "vessels", json!({ "name": "Gannet" }));
    // Changes before the sign-out can have arrived.
    let result = std::iter::repeat_with(|| events.result()).find(|result| result.get("data").is_none()).expect("an end");
    assert_eq!(result["errors"][0]["extensions"]["code"], "AUTHENTICATION_REQUIRED", "{result}");
    events.end();
}

fn arguments_select_the_rows(base: &str) {
    let keeper = Client::signed_in(base, KEEPER);
    let query = "subscription { vesselChanged(filter: { draught: { gte: 100 } }) { kind node { name draught } } }";
    let mut events = Events::open(&keeper, query);
    let id = create(&keeper, "vessels", json!({ "name": "Shallow", "draught": 2 }));
    update(&keeper, &id, json!({ "draught": 120 })).ok(200);
    // The first change can be read after the second, and then shows the same row.
    let mut kinds = std::iter::repeat_with(|| {
        let change = events.result()["data"]["vesselChanged"].take();
        assert_eq!(change["node"], json!({ "name": "Shallow", "draught": 120 }));
        change["kind"].clone()
    });
    assert_eq!(kinds.find(|kind| kind != "created"), Some(json!("updated")));
    update(&keeper, &id, json!({ "draught": 1 })).ok(200);
    assert_eq!(events.result()["data"]["vesselChanged"], json!({ "kind": "removed", "node": null }));
}

fn a_document_keeps_the_fragments_of_its_other_operations(base: &str) {
    let keeper = Client::signed_in(base, KEEPER);
    let document = "
        fragment Lit on Lamp { ...Named }
        query Lamps { lamps { ...Lit ...Named } }
        fragment Named on Lamp { name }
        fragment Deck on Vessel { ...Hull draught }
        subscription Fleet { vesselChanged { ... on VesselChange { kind } node { ...Deck } } }
        subscription Beacons { lampChanged { id } }
        fragment Hull on Vessel { name }";
    let mut events = Events::send(&keeper, &json!({ "query": document, "operationName": "Fleet" }));
    let id = create(&keeper, "vessels", json!({ "name": "Plover" }));
    let change = std::iter::repeat_with(|| events.result()["data"]["vesselChanged"].take()).find(|it| it["node"]["name"] == "Plover");
    assert_eq!(change, Some(json!({ "kind": "created", "node": { "name": "Plover", "draught": 3 } })));
    keeper.delete(&format!("/api/vessels/{id}")).ok(204);
    // A fragment that no operation uses is an error, as in a query.
    let unused = "fragment Named on Lamp { name } subscription { lampChanged { id } }";
    let mut events = Events::open(&keeper, unused);
    assert!(events.result()["errors"][0]["message"].as_str().is_some_and(|text| text.contains("Named")));
    events.end();
}

fn other_operations_are_streams_with_one_result(base: &str) {
    let keeper = Client::signed_in(base, KEEPER);
    for (query, key) in
        [("{ lamps(limit: 1) { id } }", "lamps"), ("mutation { createVessel(input: { name: \"Wick\" }) { id } }", "createVessel")]
    {
        let mut events = Events::open(&keeper, query);
        assert!(events.result()["data"].get(key).is_some(), "{query}");
        events.end();
    }
}

fn refusals_are_those_of_the_protocol(base: &str) {
    let keeper = Client::signed_in(base, KEEPER);
    assert!(Events::open(&Client::new(base), "subscription { vesselChanged { id } }").head.starts_with("HTTP/1.1 401 "));
    for (query, text) in [
        ("subscription { vesselChanged { name } }", "name"),
        ("subscription { vesselChanged { id } lampChanged { id } }", "exactly one field"),
        ("subscription { vesselChanged(id: \"x\") { id } }", ""),
        ("subscription {", ""),
    ] {
        let mut events = Events::open(&keeper, query);
        let result = events.result();
        let message = result["errors"][0]["message"].as_str().unwrap_or_default().to_owned();
        assert!(result.get("data").is_none() && !message.is_empty() && message.contains(text), "{query}: {result}");
        events.end();
    }
    // A client that expects one response is told how to subscribe.
    let error = first_error(&keeper, "subscription { vesselChanged { id } }", &json!({}));
    assert!(error["message"].as_str().is_some_and(|text| text.contains("text/event-stream")), "{error}");
    // The document keeps its other operations.
    let several = "query List { lamps { id } } subscription Follow { lampChanged { id } }";
    let error = first_error(&keeper, several, &json!({}));
    assert!(error["message"].is_string(), "{error}");
}

fn an_account_has_a_limited_number_of_streams(base: &str) {
    let skipper = Client::signed_in(base, WATCHER);
    let open = || Events::open(&skipper, "subscription { vesselChanged { id } }");
    let mut streams = Vec::new();
    let refused = loop {
        let events = open();
        if !events.head.starts_with("HTTP/1.1 200 ") {
            break events;
        }
        streams.push(events);
        assert!(streams.len() <= 20, "an account has at most 20 streams");
    };
    assert!(refused.head.starts_with("HTTP/1.1 429 ") && refused.head.to_ascii_lowercase().contains("retry-after: "), "{}", refused.head);
}

#[test]
fn the_numbers_of_streams_are_settings() {
    let url = server::new_file("lighthouse-streams");
    let base = server::serve_with(app(), Engine::Sqlite, url, json!({ "streams": 3, "streams_of_account": 2 }));
    let open = |client: &Client| Events::open(client, "subscription { vesselChanged { id } }");
    let is_open = |events: &Events| events.head.starts_with("HTTP/1.1 200 ");
    let (ida, kim) = (Client::signed_in(&base, WATCHER), Client::signed_in(&base, KEEPER));
    let streams = [open(&ida), open(&ida), open(&kim)];
    assert!(streams.iter().all(is_open));
    for (client, words) in [(&ida, "An account has at most 2 open subscriptions"), (&kim, "The server has too many open subscriptions")] {
        let answer = client.request(
            "POST",
            "/graphql",
            &[("Accept", "text/event-stream"), ("Content-Type", "application/json"), ("Sec-Fetch-Site", "same-origin")],
            json!({ "query": "subscription { vesselChanged { id } }" }).to_string().as_bytes(),
        );
        assert_eq!(answer.status, 429, "{}", answer.body);
        answer.shows(&["TOO_MANY_SUBSCRIPTIONS", words]);
    }
    drop(streams);
}

/// Access is checked again at each event.
#[test]
fn a_withdrawn_role_applies_to_the_next_event() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let url = server::new_url(engine, "lighthouse_roles");
        let base = server::serve(app(), engine, url.clone());
        let user = |words: [&str; 4]| {
            let done = server::command("graphql::subscriptions::child", engine, &url, &words).output().expect("it runs");
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        };
        user(["user", "grant", SKIPPER.0, "keeper"]);
        let [leaving, writer] = [KEEPER, SKIPPER].map(|who| Client::signed_in(&base, who));
        let mut lamps = Events::open(&leaving, "subscription { lampChanged { kind } }");
        let mut vessels = Events::open(&leaving, "subscription { vesselChanged { kind id node { name } } }");
        let id = create(&writer, "vessels", json!({ "name": "Dunlin" }));
        create(&writer, "lamps", json!({ "name": "Lantern" }));
        let created = vessels.result()["data"]["vesselChanged"].take();
        assert_eq!(created, json!({ "kind": "created", "id": id, "node": { "name": "Dunlin" } }));
        assert_eq!(lamps.result()["data"]["lampChanged"]["kind"], "created");
        user(["user", "revoke", KEEPER.0, "keeper"]);
        update(&writer, &id, json!({ "name": "Dunlin II" })).ok(200);
        let removed = vessels.result()["data"]["vesselChanged"].take();
        assert_eq!(removed, json!({ "kind": "removed", "id": id, "node": null }), "the row belongs to another account");
        create(&writer, "lamps", json!({ "name": "Torch" }));
        assert_eq!(lamps.result()["errors"][0]["extensions"]["code"], "FORBIDDEN");
        lamps.end();
    }
}

/// Two instances, and a command, on one database of PostgreSQL.
#[test]
fn writes_of_other_instances_arrive() {
    let url = server::new_database("lighthouse_pair");
    let [one, other] = [(); 2].map(|()| server::serve(app(), Engine::Postgres, url.clone()));
    let (here, there) = (Client::signed_in(&one, KEEPER), Client::signed_in(&other, KEEPER));
    let (sol_there, sol) = (Client::signed_in(&other, SKIPPER), Client::signed_in(&one, SKIPPER).get("/auth/me").ok(200).json());
    let mut events = Events::open(&there, "subscription { vesselChanged { kind id node { name } } }");
    let mut own = Events::open(&sol_there, "subscription { vesselChanged { kind node { name logBook } } }");
    let id = create(&here, "vessels", json!({ "name": "Curlew", "log_book": "secret" }));
    assert_eq!(events.result()["data"]["vesselChanged"], json!({ "kind": "created", "id": id, "node": { "name": "Curlew" } }));
    update(&here, &id, json!({ "skipper": sol["id"] })).ok(200);
    assert_eq!(events.result()["data"]["vesselChanged"]["kind"], "updated");
    // The rules of the caller are checked for each event; the first change can be read after the second.
    let mut seen = std::iter::repeat_with(|| own.result()["data"]["vesselChanged"].take());
    let updated = seen.find(|change| change["kind"] == "updated");
    assert_eq!(updated, Some(json!({ "kind": "updated", "node": { "name": "Curlew", "logBook": null } })));
    here.delete(&format!("/api/vessels/{id}")).ok(204);
    for events in [&mut events, &mut own] {
        assert_eq!(events.result()["data"]["vesselChanged"]["kind"], "removed");
    }
    // Both directions, and each change once.
    let mut both = Events::open(&here, "subscription { lampChanged { kind node { name } } }");
    create(&there, "lamps", json!({ "name": "Flare" }));
    create(&here, "lamps", json!({ "name": "Torch" }));
    let mut seen = [both.result(), both.result()].map(|mut result| result["data"]["lampChanged"]["node"]["name"].take().to_string());
    seen.sort();
    assert_eq!(seen, ["\"Flare\"", "\"Torch\""]);
    let file = format!("{}/lamps-{}.csv", env!("CARGO_TARGET_TMPDIR"), std::process::id());
    std::fs::write(&file, "name\nCandle\n").expect("a file");
    let imported = server::command("graphql::subscriptions::child", Engine::Postgres, &url, &["import", "Lamp", &file]).output();
    assert!(imported.is_ok_and(|it| it.status.success()));
    assert_eq!(both.result()["data"]["lampChanged"], json!({ "kind": "created", "node": { "name": "Candle" } }));
}
