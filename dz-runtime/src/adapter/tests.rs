//! Calls of a fake service, and of a real one over the network.

use std::{
    collections::{BTreeMap, VecDeque},
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

use serde_json::{Value as Json, json};

use super::{failure::Failure, *};

type Outcome = Result<TransportResponse, TransportError>;

/// A service that gives the prepared outcomes in turn, and records requests and waits.
#[derive(Clone, Default)]
struct Fake {
    outcomes: Arc<Mutex<VecDeque<Outcome>>>,
    requests: Arc<Mutex<Vec<TransportRequest>>>,
    waits: Arc<Mutex<Vec<Duration>>>,
}

impl Fake {
    fn new(outcomes: impl IntoIterator<Item = Outcome>) -> Fake {
        Fake { outcomes: Arc::new(Mutex::new(outcomes.into_iter().collect())), ..Fake::default() }
    }

    fn adapter(&self, config: AdapterConfig) -> Adapter {
        Adapter::with_transport("Parcel-Carrier v2", config, self.clone())
    }

    fn sent(&self) -> usize {
        self.requests.lock().unwrap().len()
    }

    fn waits(&self) -> Vec<Duration> {
        self.waits.lock().unwrap().clone()
    }
}

impl Transport for Fake {
    fn send(&self, request: &TransportRequest) -> Outcome {
        self.requests.lock().unwrap().push(request.clone());
        self.outcomes.lock().unwrap().pop_front().unwrap_or_else(|| Ok(TransportResponse::json(200, &json!({ "done": true }))))
    }

    fn wait(&self, delay: Duration) {
        self.waits.lock().unwrap().push(delay);
    }
}

fn status(status: u16) -> Outcome {
    Ok(TransportResponse::json(status, &json!({})))
}

fn with_header(status: u16, name: &str, value: &str) -> Outcome {
    let headers = BTreeMap::from([(name.to_owned(), value.to_owned())]);
    Ok(TransportResponse { headers, ..TransportResponse::json(status, &json!({})) })
}

fn config() -> AdapterConfig {
    let retry = RetryConfig { base_delay: Duration::from_secs(1), jitter: 0.0, ..RetryConfig::default() };
    AdapterConfig { retry, ..AdapterConfig::new("https://carrier.example/v2/") }
}

fn once() -> AdapterConfig {
    AdapterConfig { retry: RetryConfig { max_retries: 0, ..RetryConfig::default() }, ..config() }
}

fn code(outcome: Outcome) -> NormalizedError {
    let result = Fake::new([outcome]).adapter(once()).get::<Json>("/x", &[]);
    normalize_error(result.error().expect("a failure"), "Parcel-Carrier v2", Some("r-1"))
}

#[test]
fn a_request_has_its_path_parameters_headers_and_body() {
    let fake = Fake::default();
    let headers = BTreeMap::from([("authorization".to_owned(), "Bearer x".to_owned())]);
    let adapter = fake.adapter(AdapterConfig { headers, ..config() });
    assert!(adapter.get::<Json>("/parcels", &[("to", "Köln & Bonn"), ("open", "true")]).is_success());
    assert!(adapter.post::<Json>("parcels", &json!({ "weight": 3 })).is_success());
    assert!(adapter.with_idempotency_key("k-1").patch::<Json>("/parcels/1", &json!({})).is_success());
    assert!(adapter.delete("/parcels/1").is_success());
    let requests = fake.requests.lock().unwrap();
    assert_eq!(requests[0].url, "https://carrier.example/v2/parcels?to=K%C3%B6ln+%26+Bonn&open=true");
    assert_eq!((requests[0].headers["authorization"].as_str(), requests[0].body.is_none()), ("Bearer x", true));
    assert_eq!(
        (requests[1].url.as_str(), requests[1].body.as_deref()),
        ("https://carrier.example/v2/parcels", Some(br#"{"weight":3}"#.as_slice()))
    );
    assert_eq!(requests[2].headers["Idempotency-Key"], "k-1");
    assert_eq!((requests[3].method, requests[3].headers.get("Idempotency-Key")), (Method::Delete, None));
}

#[test]
fn each_failure_has_the_code_category_and_severity_of_the_table() {
    let errors = |body: Json| Ok(TransportResponse::json(422, &body));
    let table: Vec<(Outcome, &str, Category, Severity)> = vec![
        (status(401), "AUTHENTICATION_REQUIRED", Category::Authentication, Severity::Warning),
        (status(403), "ACCESS_DENIED", Category::Authorization, Severity::Warning),
        (errors(json!({ "errors": { "weight": "is too large" } })), "VALIDATION_ERROR", Category::Validation, Severity::Info),
        (status(422), "CLIENT_ERROR", Category::ExternalService, Severity::Warning),
        (status(400), "CLIENT_ERROR", Category::ExternalService, Severity::Warning),
        (status(404), "NOT_FOUND", Category::NotFound, Severity::Info),
        (status(429), "RATE_LIMIT_EXCEEDED", Category::RateLimit, Severity::Warning),
        (Err(TransportError::Timeout), "TIMEOUT", Category::Timeout, Severity::Warning),
        (status(418), "CLIENT_ERROR", Category::ExternalService, Severity::Warning),
        (status(302), "CLIENT_ERROR", Category::ExternalService, Severity::Warning),
        (status(502), "SERVER_ERROR", Category::ExternalService, Severity::Error),
        (Err(TransportError::Connection("refused".to_owned())), "SERVER_ERROR", Category::ExternalService, Severity::Error),
        (Err(TransportError::Broken("reset".to_owned())), "SERVER_ERROR", Category::ExternalService, Severity::Error),
        (
            Ok(TransportResponse { body: b"<html>".to_vec(), ..TransportResponse::json(200, &()) }),
            "INTERNAL_ERROR",
            Category::Internal,
            Severity::Error,
        ),
    ];
    for (outcome, expected, category, severity) in table {
        let text = format!("{outcome:?}");
        let error = code(outcome);
        assert_eq!(error.code, format!("PARCEL_CARRIER_V2_{expected}"), "{text}");
        assert_eq!((error.category, error.severity), (category, severity), "{text}");
        assert_eq!((error.service.as_str(), error.request_id.as_deref()), ("Parcel-Carrier v2", Some("r-1")));
        assert!(!error.user_message.contains("html") && error.user_message.ends_with('.'), "{}", error.user_message);
    }
    let critical = normalize_error(&AdapterError::critical("lost"), "bank", None);
    assert_eq!((critical.code.as_str(), critical.severity, critical.category), ("BANK_CRITICAL", Severity::Critical, Category::Internal));
}

#[test]
fn other_errors_are_recognised_by_their_cause() {
    let timed_out = io::Error::from(io::ErrorKind::TimedOut);
    assert_eq!(normalize_error(&timed_out, "bank", None).code, "BANK_TIMEOUT");
    let refused = io::Error::other(io::Error::from(io::ErrorKind::ConnectionRefused));
    assert_eq!(normalize_error(&refused, "bank", None).code, "BANK_SERVER_ERROR");
    assert_eq!(normalize_error(&std::fmt::Error, "bank", None).code, "BANK_INTERNAL_ERROR");
    let own = crate::Error::validation("amount", "must be positive");
    let error = normalize_error(&own, "bank", None);
    assert_eq!(
        (error.code.as_str(), error.field_errors["amount"].as_slice()),
        ("BANK_VALIDATION_ERROR", ["must be positive".to_owned()].as_slice())
    );
}

#[test]
fn field_errors_are_read_in_the_common_forms() {
    let forms = [
        json!({ "field_errors": { "weight": ["is too large", "is odd"] } }),
        json!({ "errors": { "weight": ["is too large", "is odd"] } }),
        json!({ "errors": [{ "field": "weight", "message": "is too large" }, { "field": "weight", "message": "is odd" }] }),
        json!({ "detail": [{ "loc": ["body", "weight"], "msg": "is too large" }, { "loc": ["weight"], "msg": "is odd" }] }),
    ];
    for form in forms {
        let error = code(Ok(TransportResponse::json(400, &form)));
        assert_eq!(
            error.field_errors,
            BTreeMap::from([("weight".to_owned(), vec!["is too large".to_owned(), "is odd".to_owned()])]),
            "{form}"
        );
    }
    for other in [json!({ "errors": "no" }), json!({ "detail": "no" }), json!([1, 2]), json!({ "errors": [1] })] {
        assert!(code(Ok(TransportResponse::json(422, &other))).field_errors.is_empty(), "{other}");
    }
}

#[test]
fn delays_double_and_retries_are_counted_after_the_first_request() {
    let fake = Fake::new([status(500), status(502), Err(TransportError::Timeout), status(504), status(200)]);
    let result = fake.adapter(config()).get::<Json>("/x", &[]);
    assert_eq!(result.error().and_then(AdapterError::status_code), Some(504));
    assert_eq!((fake.sent(), fake.waits()), (4, [1, 2, 4].map(Duration::from_secs).to_vec()));
}

#[test]
fn a_requested_delay_is_kept_up_to_a_minute() {
    let fake = Fake::new([with_header(429, "retry-after", "7"), with_header(503, "retry-after", "0")]);
    assert!(fake.adapter(config()).get::<Json>("/x", &[]).is_success());
    assert_eq!(fake.waits(), [7, 2].map(Duration::from_secs));

    let in_a_while = httpdate::fmt_http_date(std::time::SystemTime::now() + Duration::from_secs(30));
    let fake = Fake::new([with_header(503, "retry-after", &in_a_while)]);
    assert!(fake.adapter(config()).post::<Json>("/x", &json!({})).is_success());
    assert!(fake.waits()[0] > Duration::from_secs(25) && fake.waits()[0] <= Duration::from_secs(30), "{:?}", fake.waits());

    let fake = Fake::new([with_header(429, "retry-after", "61")]);
    let result = fake.adapter(config()).get::<Json>("/x", &[]);
    assert_eq!((fake.sent(), fake.waits().len()), (1, 0));
    assert_eq!(normalize_error(result.error().expect("a failure"), "x", None).retry_after, Some(61));
}

#[test]
fn jitter_varies_a_delay_by_half_at_most() {
    let retry = RetryConfig { base_delay: Duration::from_secs(2), ..RetryConfig::default() };
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..40 {
        let fake = Fake::new([status(500)]);
        assert!(fake.adapter(AdapterConfig { retry: retry.clone(), ..config() }).get::<Json>("/x", &[]).is_success());
        let wait = fake.waits()[0];
        assert!((Duration::from_secs(1)..=Duration::from_secs(3)).contains(&wait), "{wait:?}");
        seen.insert(wait);
    }
    assert!(seen.len() > 10, "{seen:?}");
}

#[test]
fn a_post_is_repeated_only_if_the_service_did_not_process_it() {
    let repeated = |outcome: Outcome, key: bool| {
        let fake = Fake::new([outcome]);
        let adapter = fake.adapter(config());
        let adapter = if key { adapter.with_idempotency_key("k") } else { adapter };
        let post = adapter.post::<Json>("/x", &json!({})).is_success();
        (post, fake.sent() == 2)
    };
    for outcome in [status(429), status(503), Err(TransportError::Connection("refused".to_owned()))] {
        assert_eq!(repeated(outcome.clone(), false), (true, true), "{outcome:?}");
    }
    for outcome in [status(500), Err(TransportError::Timeout), Err(TransportError::Broken("reset".to_owned()))] {
        assert_eq!(repeated(outcome.clone(), false), (false, false), "{outcome:?}");
        assert_eq!(repeated(outcome.clone(), true), (true, true), "{outcome:?}");
    }
    for outcome in [status(404), status(422), Ok(TransportResponse { body: b"no".to_vec(), ..TransportResponse::json(200, &()) })] {
        assert_eq!(repeated(outcome.clone(), true), (false, false), "{outcome:?}");
    }
}

#[test]
fn a_rate_limit_permits_the_requests_of_one_second_at_once() {
    let fake = Fake::default();
    let limited =
        |requests_per_second| AdapterConfig { rate_limit: Some(RateLimitConfig { requests_per_second, burst: None }), ..config() };
    let adapter = fake.adapter(limited(3.0));
    for _ in 0..3 {
        assert!(adapter.get::<Json>("/x", &[]).is_success());
    }
    assert_eq!(fake.waits().len(), 0);
    assert!(adapter.get::<Json>("/x", &[]).is_success());
    assert!(fake.waits()[0] > Duration::from_millis(100), "{:?}", fake.waits());
    for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let result = fake.adapter(limited(wrong)).get::<Json>("/x", &[]);
        assert!(result.error().is_some_and(|error| error.to_string().contains("requests_per_second")), "{wrong}");
    }
}

#[test]
fn an_open_circuit_sends_nothing_until_its_trial() {
    let fake = Fake::new([status(500), status(500), status(404), status(500), status(500)]);
    let breaker = CircuitBreaker { failures: 2, open_for: Duration::from_millis(80) };
    let adapter = fake.adapter(once()).with_circuit_breaker(breaker);
    let call = || adapter.get::<Json>("/x", &[]);
    let _ = (call(), call());
    let refused = call();
    assert_eq!(fake.sent(), 2);
    let error = normalize_error(refused.error().expect("a failure"), "x", None);
    assert_eq!((error.code.as_str(), error.retry_after), ("X_SERVER_ERROR", Some(1)));
    thread::sleep(Duration::from_millis(100));
    // The trial reaches the service, whose 404 closes the circuit.
    let _ = (call(), call());
    assert_eq!(fake.sent(), 4);
    let _ = (call(), call());
    assert_eq!(fake.sent(), 5);
}

/// Answers each connection with the next of these texts; the requests are returned.
fn serve(answers: &'static [&'static str]) -> (String, thread::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/api", listener.local_addr().expect("an address"));
    let answer = |mut stream: TcpStream, answer: &str| {
        let mut reader = BufReader::new(stream.try_clone().expect("a stream"));
        let (mut head, mut length) = (String::new(), 0);
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).expect("a line");
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().expect("a length");
            }
            if line.trim().is_empty() {
                break;
            }
            head.push_str(&line);
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).expect("a body");
        stream.write_all(answer.as_bytes()).expect("written");
        format!("{head}{}", String::from_utf8_lossy(&body))
    };
    let server = thread::spawn(move || answers.iter().map(|text| answer(listener.accept().expect("a connection").0, text)).collect());
    (url, server)
}

#[test]
fn requests_go_over_the_network() {
    let (url, server) = serve(&[
        "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 12\r\n\r\n{\"euro\":1.5}",
        "HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n",
        "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\nconnection: close\r\ncontent-length: 0\r\n\r\n",
    ]);
    let adapter =
        Adapter::new("rates", AdapterConfig { headers: BTreeMap::from([("X-Key".to_owned(), "s".to_owned())]), ..AdapterConfig::new(url) });
    assert_eq!(adapter.get::<Json>("/rates", &[("from", "GBP")]).into_result().expect("an answer")["euro"], 1.5);
    assert_eq!(adapter.put::<()>("/rates", &json!({ "euro": 2 })), AdapterResult::success(()));
    assert_eq!(adapter.delete("/rates").error().and_then(AdapterError::status_code), Some(302));
    let requests = server.join().expect("a server");
    assert!(
        requests[0].starts_with("GET /api/rates?from=GBP HTTP/1.1\r\n") && requests[0].to_ascii_lowercase().contains("x-key: s"),
        "{}",
        requests[0]
    );
    assert!(requests[1].starts_with("PUT /api/rates HTTP/1.1\r\n") && requests[1].ends_with("{\"euro\":2}"), "{}", requests[1]);
}

#[test]
fn failures_of_the_network_are_told_apart() {
    let closed = TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a port");
    let refused = Adapter::new("x", AdapterConfig { retry: once().retry, ..AdapterConfig::new(format!("http://{closed}")) });
    assert!(matches!(refused.get::<Json>("/", &[]).error().map(AdapterError::cause), Some(Failure::Connection(_))));

    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", silent.local_addr().expect("an address"));
    let slow = Adapter::new("x", AdapterConfig { retry: once().retry, timeout: Duration::from_millis(100), ..AdapterConfig::new(url) });
    assert!(matches!(slow.get::<Json>("/", &[]).error().map(AdapterError::cause), Some(Failure::Timeout)));

    let (url, server) = serve(&["not http\r\n\r\n"]);
    let broken = Adapter::new("x", AdapterConfig { retry: once().retry, ..AdapterConfig::new(url) });
    assert!(matches!(broken.get::<Json>("/", &[]).error().map(AdapterError::cause), Some(Failure::Broken(_))));
    server.join().expect("a server");

    for wrong in ["", "no scheme", "http://"] {
        let error = Adapter::new("x", AdapterConfig { retry: once().retry, ..AdapterConfig::new(wrong) }).get::<Json>("/", &[]);
        assert!(error.error().is_some_and(|error| error.status_code().is_none()), "{wrong}");
    }
    let headers = BTreeMap::from([("X-Key".to_owned(), "secret\r\nX-Other: 1".to_owned())]);
    let injected = Adapter::new("x", AdapterConfig { headers, ..AdapterConfig::new("http://127.0.0.1:1") }).get::<Json>("/", &[]);
    let text = injected.error().expect("a failure").to_string();
    assert!(text.contains("X-Key") && !text.contains("secret"), "{text}");
}

#[test]
fn credentials_are_in_no_debug_text() {
    let headers = BTreeMap::from([("authorization".to_owned(), "Bearer secret".to_owned())]);
    let config = AdapterConfig { headers, ..AdapterConfig::new("https://carrier.example") };
    let text = format!("{config:?} {:?}", Adapter::new("carrier", config.clone()));
    assert!(text.contains("authorization") && !text.contains("secret"), "{text}");
}

#[test]
fn a_span_has_the_code_of_an_error_and_not_its_text() {
    let error = AdapterError::critical("the parcel of ada@example.com is lost");
    let span = Fake::new([]).adapter(AdapterConfig::new("https://parcels.example/ada")).describe(Method::Get, Err(&error));
    assert_eq!(span.error.as_deref(), Some("PARCEL_CARRIER_V2_CRITICAL"));
    assert!(!format!("{span:?}").contains("ada"), "{span:?}");
}
