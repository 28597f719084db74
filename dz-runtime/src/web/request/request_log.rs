//! The log line of a request.
//!
//! The line contains the method, the path without the query (which can contain search texts and tokens), the pattern of the route, the
//! status, the code of a refusal, the duration, the number of statements, the account and the id of the request. Assets, health checks
//! and requests of a flood have the level `debug`; `response::refuse` logs a summary of a flood.

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use rocket::{Request, Response};

use crate::{
    db,
    output::{log_event, one_line},
    state::State,
    trace::{Description, OpenSpan, SpanKind},
    web::{request::handler, routes::Route},
};

/// The maximum length of a path in the log.
const LONGEST_PATH: usize = 200;

/// The data of the log line.
#[derive(Debug, Default)]
pub(crate) struct RequestLog {
    started: OnceLock<Instant>,
    route: OnceLock<Arc<Route>>,
    /// The key of the caller's account.
    pub account: OnceLock<String>,
    error: OnceLock<&'static str>,
    statements: AtomicU64,
    trace: OnceLock<Option<OpenSpan>>,
}

impl RequestLog {
    /// Returns the log of a request; the first call starts its time.
    pub fn for_request(request: &Request<'_>) -> Arc<RequestLog> {
        let log: &Arc<RequestLog> = request.local_cache(Arc::<RequestLog>::default);
        log.started.get_or_init(Instant::now);
        log.trace.get_or_init(|| {
            let tracer = request.rocket().state::<Arc<State>>().map(|state| state.tracer.clone()).unwrap_or_default();
            tracer.begin(request.headers().get_one("traceparent"))
        });
        Arc::clone(log)
    }

    /// Records the route.
    pub fn note_route(&self, route: &Arc<Route>) {
        self.route.get_or_init(|| Arc::clone(route));
    }

    /// Records the code of a refusal.
    pub fn note_error(&self, code: &'static str) {
        self.error.get_or_init(|| code);
    }

    fn span(&self) -> Option<&OpenSpan> {
        self.trace.get().and_then(Option::as_ref)
    }

    /// Runs `work` on this thread as a part of the request, and counts its statements.
    pub fn count<T>(&self, work: impl FnOnce() -> T) -> T {
        let route = self.route.get().map_or("-", |route| route.path.as_str());
        let work = || match self.span() {
            Some(span) => span.run(work),
            None => work(),
        };
        let (done, statements) = db::slow_statement::with_route(route, || db::count_statements(work));
        self.statements.fetch_add(statements, Ordering::Relaxed);
        done
    }

    /// Counts an answered request, and writes its log line.
    pub fn write(&self, state: &State, request: &Request<'_>, response: &Response<'_>, request_id: &str) {
        if state.quiet {
            return;
        }
        let own = self.route.get();
        let of_application = request.route().filter(|route| own.is_none() && !handler::is_last(route)).map(|it| it.uri.to_string());
        let route = own.map(|route| route.path.as_str()).or(of_application.as_deref()).unwrap_or("-");
        let (method, status) = (request.method().as_str(), response.status().code);
        let duration = self.started.get().map(Instant::elapsed).unwrap_or_default();
        state.db.metrics().count_request(method, route, status, duration);
        if let Some(span) = self.span() {
            span.end(SpanKind::Server, || self.describe(request, route, status, request_id));
        }
        let is_minor = matches!(status, 429 | 503) || own.is_some_and(|route| route.is_routine);
        if !is_written(is_minor) {
            return;
        }
        let path: String = one_line(request.uri().path().as_str()).chars().take(LONGEST_PATH).collect();
        let duration_ms = milliseconds(duration);
        let statements = self.statements.load(Ordering::Relaxed);
        let account = self.account.get().map_or("-", String::as_str);
        let error = self.error.get().copied().unwrap_or("-");
        let trace_id = self.span().map(OpenSpan::trace_id);
        macro_rules! line {
            ($level:ident) => {
                log_event!(
                    $level, target: "dz::request",
                    method, path, route, status, error, duration_ms, statements, account, request_id, trace_id,
                    "request"
                )
            };
        }
        if is_minor { line!(debug) } else { line!(info) }
    }
}

impl RequestLog {
    /// The span of a request, with the names of OpenTelemetry. The query is not recorded: it can contain search texts and tokens.
    fn describe(&self, request: &Request<'_>, route: &str, status: u16, request_id: &str) -> Description {
        let method = request.method().as_str();
        let path: String = one_line(request.uri().path().as_str()).chars().take(LONGEST_PATH).collect();
        let attributes = vec![
            ("http.request.method", method.into()),
            ("http.route", route.into()),
            ("http.response.status_code", status.into()),
            ("url.path", path.as_str().into()),
            ("dz.request_id", request_id.into()),
        ];
        let error = self.error.get().copied().unwrap_or("the request failed");
        Description { error: (status >= 500).then(|| error.to_owned()), ..Description::new(format!("{method} {route}"), attributes) }
    }
}

/// True if the level of the log includes a request.
fn is_written(is_minor: bool) -> bool {
    match is_minor {
        true => tracing::event_enabled!(target: "dz::request", tracing::Level::DEBUG),
        false => tracing::event_enabled!(target: "dz::request", tracing::Level::INFO),
    }
}

/// Milliseconds with one decimal.
fn milliseconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 10_000.0).round() / 10.0
}
