//! Metrics, the dashboard and the alert rules that use them, and the log of slow statements.

use std::{
    collections::BTreeSet,
    fs,
    net::{TcpListener, TcpStream},
    path::Path,
};

use dz::{
    Engine, Event,
    serde_json::{Value, json},
};

use crate::{client::Client, server, timed_transitions::eventually};

dz::dz! {
    app bindery "Bindery"

    persona binder "Binder"

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Book "Book":
      id: uuid pk
      title: str(60) required
      status: enum[loose, bound] = loose
      transitions:
        loose -> bound
      permit:
        list: role(binder)
        read: role(binder)
        create: role(binder)
        update: role(binder)

    process binding "Binding a book":
      trigger: entity Book created
      steps:
        - step glue:
          wait: 1d

    demo:
      User:
        - name: "Bea", email: "bea@bindery.example", password: "sews the pages", roles: [binder]
}

const BEA: (&str, &str) = ("bea@bindery.example", "sews the pages");

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a port").port()
}

/// The application, and the address of its metrics.
fn serve(engine: Engine) -> (String, String) {
    let port = free_port();
    let app = app().on::<book::Book>(Event::Created, |_, _| Err(dz::Error::internal("no glue"))).named("order glue");
    let base = server::serve_with(app, engine, server::new_url(engine, "bindery"), json!({ "metrics": port }));
    eventually(true, || TcpStream::connect(("127.0.0.1", port)).is_ok());
    (base, format!("http://127.0.0.1:{port}"))
}

/// The value of a metric with these labels.
fn value(text: &str, metric: &str) -> Option<f64> {
    text.lines().find_map(|line| line.strip_prefix(metric)?.strip_prefix(' ')?.parse().ok())
}

#[test]
fn metrics_count_what_the_application_does_on_sqlite() {
    check_metrics(Engine::Sqlite);
}

#[test]
fn metrics_count_what_the_application_does_on_postgres() {
    check_metrics(Engine::Postgres);
}

fn check_metrics(engine: Engine) {
    let (base, metrics) = serve(engine);
    let client = Client::signed_in(&base, BEA);
    for _ in 0..3 {
        client.get("/api/books").ok(200);
    }
    client.send("POST", "/api/books", &json!({ "title": "Atlas" })).ok(201);
    client.get("/api/books/nothing").problem(404, "NOT_FOUND");
    let wrong = json!({ "email": BEA.0, "password": "not this one" });
    Client::new(&base).send("POST", "/auth/login", &wrong).problem(401, "AUTHENTICATION_REQUIRED");
    let scraper = Client::new(&metrics);
    // The numbers of stored work are at most five seconds old.
    eventually(Some(1.0), || value(&scraper.get("/metrics").body, "dz_runs{status=\"waiting\"}"));
    let answer = scraper.get("/metrics").ok(200);
    assert_eq!(answer.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    let text = answer.body;
    let request = |method: &str, route: &str, class: &str| {
        let labels = format!("{{http_request_method=\"{method}\",http_route=\"{route}\",status_class=\"{class}\"}}");
        value(&text, &format!("http_server_request_duration_seconds_count{labels}"))
    };
    assert_eq!(request("GET", "/api/books", "2xx"), Some(3.0), "{text}");
    assert_eq!(request("POST", "/api/books", "2xx"), Some(1.0));
    assert_eq!(request("GET", "/api/books/{id}", "4xx"), Some(1.0));
    assert_eq!(request("POST", "/auth/login", "4xx"), Some(1.0));
    assert!(!text.contains("bea@") && !text.contains("Atlas"), "{text}");
    let system = if engine == Engine::Sqlite { "sqlite" } else { "postgresql" };
    let build =
        format!("dz_build_info{{application=\"bindery\",dz_version=\"{}\",db_system_name=\"{system}\"}}", env!("CARGO_PKG_VERSION"));
    for (metric, expected) in [
        (build.as_str(), 1.0),
        ("dz_sign_in_failures_total", 1.0),
        ("dz_database_up", 1.0),
        ("dz_events_dead", 0.0),
        ("dz_jobs{state=\"dead\"}", 0.0),
        ("dz_runs{status=\"waiting\"}", 1.0),
    ] {
        assert_eq!(value(&text, metric), Some(expected), "{metric}\n{text}");
    }
    assert!(value(&text, "dz_events_pending").is_some_and(|count| count >= 1.0), "the rejected event is pending\n{text}");
    assert!(value(&text, "db_client_operation_duration_seconds_count").is_some_and(|count| count > 10.0));
    assert_eq!(value(&text, "dz_worker_loops{state=\"expected\"}"), value(&text, "dz_worker_loops{state=\"running\"}"));
    // The port answers nothing else, and the application itself serves no metrics.
    assert_eq!(scraper.get("/api/books").status, 404);
    assert_eq!(client.get("/metrics").status, 404);
    eventually(true, || value(&scraper.get("/metrics").body, "process_start_time_seconds").is_some_and(|start| start > 1.7e9));
}

/// A file of `docs/operation`.
fn operation(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder").join("docs/operation").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The metrics that an expression names: words with an underscore that are neither labels nor functions.
fn named_metrics(expression: &str) -> BTreeSet<String> {
    let prefixes = ["dz_", "http_server_", "db_client_operation", "db_client_connection_count", "db_client_connection_max", "process_"];
    let word = |text: &str| text.split(|it: char| !it.is_ascii_alphanumeric() && it != '_').map(str::to_owned).collect::<Vec<_>>();
    let words = word(expression).into_iter().filter(|word| prefixes.iter().any(|prefix| word.starts_with(prefix)));
    words.filter(|word| !word.starts_with("db_client_connection_pool") && !word.starts_with("db_client_connection_state")).collect()
}

/// The labels that an expression selects or groups by.
fn named_labels(expression: &str) -> BTreeSet<String> {
    let selected = expression.split('{').skip(1).filter_map(|rest| rest.split('}').next());
    let grouped = expression.split("by (").skip(1).filter_map(|rest| rest.split(')').next());
    let names = selected.chain(grouped).flat_map(|part| part.split(','));
    names.filter_map(|name| name.split(['=', '!']).next()).map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
}

#[test]
fn the_dashboard_and_the_alerts_use_metrics_that_exist() {
    let (base, metrics) = serve(Engine::Sqlite);
    Client::signed_in(&base, BEA).get("/api/books").ok(200);
    let text = Client::new(&metrics).get("/metrics").ok(200).body;
    let declared: BTreeSet<&str> = text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next()).collect();
    let exists = |name: &str| {
        let base = ["_bucket", "_count", "_sum"].iter().find_map(|end| name.strip_suffix(end));
        declared.contains(name) || base.is_some_and(|base| declared.contains(base))
    };
    let dashboard: Value = dz::serde_json::from_str(&operation("dashboard.json")).expect("JSON");
    let panels = dashboard["panels"].as_array().expect("panels");
    let targets = panels.iter().flat_map(|panel| panel["targets"].as_array().expect("targets"));
    let mut expressions: Vec<String> = targets.map(|target| target["expr"].as_str().expect("an expression").to_owned()).collect();
    assert!(expressions.len() > 15, "{expressions:?}");
    // An expression follows `expr:` on its line, or on the indented lines below it.
    let alerts = operation("alerts.yml");
    let rules: Vec<&str> = alerts.split("- alert: ").skip(1).collect();
    assert!(rules.len() >= 8);
    for rule in &rules {
        let expression = rule.split("expr:").nth(1).and_then(|rest| rest.split("\n        for:").next()).expect("an expression");
        expressions.push(expression.split("\n        labels:").next().unwrap_or(expression).to_owned());
        for part in ["severity:", "summary:", "description:"] {
            assert!(rule.contains(part), "`{part}` is missing in {rule}");
        }
    }
    let known = ["job", "instance", "le"];
    let mut used = BTreeSet::new();
    for expression in &expressions {
        let names = named_metrics(expression);
        assert!(!names.is_empty(), "{expression} names no metric");
        for name in names {
            assert!(exists(&name), "{expression}: the metric `{name}` does not exist");
            used.insert(name);
        }
        for label in named_labels(expression) {
            assert!(
                known.contains(&label.as_str()) || text.contains(&format!("{label}=\"")),
                "{expression}: no metric has the label `{label}`"
            );
        }
    }
    // The page of the documentation lists the same metrics.
    let page =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder").join("docs/monitoring.md")).expect("a page");
    for name in &declared {
        assert!(page.contains(&format!("`{name}`")), "docs/monitoring.md lacks `{name}`");
    }
    assert!(used.len() >= declared.len() - 2, "{used:?} of {declared:?}");
}

#[test]
#[ignore = "the test below starts it in a process of its own"]
fn child() {
    server::obey(app());
}

#[test]
fn slow_statements_are_logged_with_their_route_and_roles() {
    let url = server::new_url(Engine::Sqlite, "bindery_slow");
    let port = free_port();
    let mut command = server::command("metrics::child", Engine::Sqlite, &url, &["serve"]);
    command.env("ROCKET_PORT", port.to_string()).env("ROCKET_DZ", "{slow_statement=\"0ms\"}");
    let log = std::env::temp_dir().join(format!("dz-bindery-slow-{}.log", std::process::id()));
    let written = fs::File::create(&log).expect("a file");
    let mut serving = command.stdout(std::process::Stdio::null()).stderr(written).spawn().expect("it starts");
    let base = format!("http://127.0.0.1:{port}");
    eventually(true, || TcpStream::connect(("127.0.0.1", port)).is_ok());
    let client = Client::signed_in(&base, BEA);
    client.get("/api/books?title=Secret%20title").ok(200);
    let read = || fs::read_to_string(&log).unwrap_or_default();
    eventually(true, || {
        read().lines().any(|line| line.contains("dz::slow") && line.contains("route=/api/books") && line.contains("roles=binder"))
    });
    let text = read();
    let _ = serving.kill();
    let _ = serving.wait();
    let line = text.lines().find(|line| line.contains("route=/api/books") && line.contains("roles=binder")).expect("a line");
    assert!(line.contains("duration_ms=") && line.contains("books") && line.contains(" WARN "), "{line}");
    assert!(!text.contains("Secret title"), "values are not logged");
    let _ = fs::remove_file(&log);
}
