//! Traces: a request with its statements, the job, the run and the request to another system that follow from it, sent to a collector.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpListener,
    sync::{Arc, Mutex, PoisonError},
    thread,
};

use dz::{
    Engine, Event, Job, JobCx, LlmFailure, LlmRequest, LlmResponse, Result,
    adapter::{Adapter, AdapterConfig, TransportError, TransportRequest, TransportResponse},
    serde::{Deserialize, Serialize},
    serde_json::{self, Value, json},
};

use crate::{client::Client, server, timed_transitions::eventually};

dz::dz! {
    app nursery "Nursery"

    persona gardener

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Plant "Plant":
      id: uuid pk
      name: str(60) required
      permit:
        list: role(gardener)
        read: role(gardener)
        create: role(gardener)

    llm_model small "Small":
      provider: openai
      model_id: gpt-4o-mini
      api_key_env: NURSERY_KEY

    llm_intent advise "Advise on a plant":
      model: small
      prompt: "How much water does {{ input.plant.name }} need?"
      input:
        plant: ref Plant required

    process caring "Caring":
      trigger: entity Plant created
      steps:
        - step watering:
          llm_intent: advise
          inputs: trigger.entity -> plant

    demo:
      User:
        - name: "Gil", email: "gil@nursery.example", password: "waters at dawn", roles: [gardener]
}

const GIL: (&str, &str) = ("gil@nursery.example", "waters at dawn");
const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

/// Orders a pot from another system.
#[derive(Serialize, Deserialize)]
#[serde(crate = "dz::serde")]
struct OrderPot {
    name: String,
}

impl Job for OrderPot {
    const NAME: &'static str = "order a pot";
}

/// The values of the header that the other system got.
type Seen = Arc<Mutex<Vec<String>>>;

fn nursery(seen: &Seen) -> dz::App {
    let seen = seen.clone();
    let shop = move |request: &TransportRequest| -> Result<TransportResponse, TransportError> {
        seen.lock().unwrap_or_else(PoisonError::into_inner).extend(request.headers.get("traceparent").cloned());
        Ok(TransportResponse::json(200, &json!({})))
    };
    let shop = Adapter::with_transport("pots", AdapterConfig::new("https://pots.example"), shop);
    app()
        .llm_provider(|_: &LlmRequest| -> Result<LlmResponse, LlmFailure> { Ok(LlmResponse::text("Little")) })
        .job(move |_: &JobCx, order: OrderPot| {
            shop.post::<Value>("orders", &json!({ "pot": order.name })).into_result().map(drop).map_err(dz::Error::internal)
        })
        .on::<plant::Plant>(Event::Created, |cx, event| cx.spawn_job(&OrderPot { name: event.row.name.clone() }).map(drop))
        .named("order pots")
}

/// A collector, which keeps the spans that it gets.
fn collector() -> (String, Arc<Mutex<Vec<Value>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let spans: Arc<Mutex<Vec<Value>>> = Arc::default();
    let found = spans.clone();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (stream, spans) = (stream.expect("a connection"), found.clone());
            thread::spawn(move || while receive(&stream, &spans).is_some() {});
        }
    });
    (address, spans)
}

/// Receives one request of a connection.
fn receive(mut stream: &std::net::TcpStream, spans: &Mutex<Vec<Value>>) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let (mut length, mut line) = (0, String::new());
    reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    assert!(line.starts_with("POST /v1/traces "), "{line}");
    loop {
        line.clear();
        reader.read_line(&mut line).ok()?;
        let header = line.trim().to_ascii_lowercase();
        if header.is_empty() {
            break;
        }
        if let Some(value) = header.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let document: Value = serde_json::from_slice(&body).expect("JSON");
    let found = document["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().expect("spans").clone();
    assert_eq!(document["resourceSpans"][0]["resource"]["attributes"][0]["value"]["stringValue"], "nursery");
    spans.lock().unwrap_or_else(PoisonError::into_inner).extend(found);
    stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}").ok()
}

fn attribute<'s>(span: &'s Value, name: &str) -> &'s Value {
    let found = span["attributes"].as_array().into_iter().flatten().find(|it| it["key"] == name);
    found.map_or(&Value::Null, |it| it["value"].get("stringValue").unwrap_or(&it["value"]["intValue"]))
}

fn check_trace(engine: Engine) {
    let (endpoint, spans) = collector();
    let seen = Seen::default();
    let settings = json!({ "traces": { "endpoint": endpoint } });
    let base = server::serve_with(nursery(&seen), engine, server::new_url(engine, "nursery"), settings);
    let gil = Client::signed_in(&base, GIL);
    let parent = "00f067aa0ba902b7";
    let traceparent = format!("00-{TRACE}-{parent}-01");
    let headers = [("Content-Type", "application/json"), ("Sec-Fetch-Site", "same-origin"), ("traceparent", traceparent.as_str())];
    gil.request("GET", "/api/plants?name=Fern", &headers, b"").ok(200);
    gil.request("POST", "/api/plants", &headers, br#"{"name": "Fern"}"#).ok(201);

    let own = || -> Vec<Value> {
        let spans = spans.lock().unwrap_or_else(PoisonError::into_inner);
        spans.iter().filter(|span| span["traceId"] == TRACE).cloned().collect()
    };
    let named = |name: &str| own().into_iter().find(|span| span["name"] == name);
    for name in [
        "POST /api/plants",
        "INSERT",
        "event Plant created",
        "job order a pot",
        "POST",
        "process caring",
        "step watering",
        "chat gpt-4o-mini",
    ] {
        eventually(true, || named(name).is_some());
    }
    let request =
        own().into_iter().find(|span| span["name"] == "POST /api/plants" && attribute(span, "http.response.status_code") == "201");
    let request = request.expect("the request");
    assert_eq!((&request["parentSpanId"], &request["kind"]), (&json!(parent), &json!(2)));
    assert_eq!(attribute(&request, "url.path"), "/api/plants", "without the query");
    let is_insert = |span: &Value| attribute(span, "db.query.text").as_str().is_some_and(|text| text.contains("INSERT INTO \"plants\""));
    let statement = own().into_iter().find(is_insert);
    let statement = statement.expect("the statement");
    assert_eq!((&statement["parentSpanId"], &statement["kind"]), (&request["spanId"], &json!(3)));
    let system = if engine == Engine::Sqlite { "sqlite" } else { "postgresql" };
    assert_eq!(attribute(&statement, "db.system.name"), system);
    // A delivery follows from the request, and the job from the delivery.
    let event =
        own().into_iter().find(|span| attribute(span, "dz.event.subscriber").to_string().contains("order pots")).expect("the event");
    assert_eq!(event["parentSpanId"], request["spanId"]);
    let job = named("job order a pot").expect("the job");
    assert_eq!(job["parentSpanId"], event["spanId"]);
    let call = named("POST").expect("the call");
    assert_eq!((&call["parentSpanId"], attribute(&call, "server.address")), (&job["spanId"], &json!("pots.example")));
    let header = seen.lock().unwrap_or_else(PoisonError::into_inner).first().cloned().expect("the header");
    assert_eq!(header, format!("00-{TRACE}-{}-01", call["spanId"].as_str().expect("an id")));
    let text = json!(own()).to_string();
    assert!(!text.contains("Fern") && !text.contains("How much water"), "{text}");
}

#[test]
fn a_request_and_what_follows_from_it_are_one_trace_on_sqlite() {
    check_trace(Engine::Sqlite);
}

#[test]
fn a_request_and_what_follows_from_it_are_one_trace_on_postgres() {
    check_trace(Engine::Postgres);
}

#[test]
fn the_context_is_passed_on_without_a_collector() {
    let seen = Seen::default();
    let base = server::serve(nursery(&seen), Engine::Sqlite, server::new_file("nursery-quiet"));
    let gil = Client::signed_in(&base, GIL);
    gil.send("POST", "/api/plants", &json!({ "name": "Moss" })).ok(201);
    let header = format!("00-{TRACE}-00f067aa0ba902b7-01");
    let headers = [("Content-Type", "application/json"), ("Sec-Fetch-Site", "same-origin"), ("traceparent", header.as_str())];
    gil.request("POST", "/api/plants", &headers, br#"{"name": "Fern"}"#).ok(201);
    eventually(vec![header.clone()], || seen.lock().unwrap_or_else(PoisonError::into_inner).clone());
}
