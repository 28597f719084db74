//! Sends spans to a collector of OpenTelemetry, as JSON over HTTP (OTLP).

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant, UNIX_EPOCH},
};

use serde_json::{Value as Json, json};

use crate::{
    output::log_event,
    trace::{Attribute, Sink, Span, SpanKind},
};

/// Spans that wait for the collector; further ones are dropped.
const QUEUE: usize = 8_192;
/// Spans of one request.
const BATCH: usize = 512;
/// The time that a span waits for others.
const PAUSE: Duration = Duration::from_secs(1);
/// The timeout of a request.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The queue of spans, and the thread that sends them.
pub(crate) struct Collector {
    queue: Option<SyncSender<Span>>,
    sender: Option<JoinHandle<()>>,
    sample: u32,
    shared: Arc<Shared>,
}

/// The state that the collector and its thread share.
#[derive(Default)]
struct Shared {
    /// True from the report of a dropped span until the queue is empty, so that a flood of spans is reported once.
    is_full: AtomicBool,
    /// True when the application stops.
    is_stopping: AtomicBool,
}

impl Collector {
    /// Starts the thread. Of new traces, `sample` percent are recorded.
    ///
    /// # Errors
    /// The system starts no further thread.
    pub(crate) fn start(endpoint: &str, sample: u32, application: &'static str) -> std::io::Result<Collector> {
        let address = format!("{}/v1/traces", endpoint.trim_end_matches('/'));
        let (queue, spans) = sync_channel(QUEUE);
        let shared = Arc::new(Shared::default());
        let of_thread = Arc::clone(&shared);
        let work = move || send_all(&spans, &address, application, &of_thread);
        let sender = thread::Builder::new().name("dz traces".to_owned()).spawn(work)?;
        Ok(Collector { queue: Some(queue), sender: Some(sender), sample, shared })
    }
}

impl Sink for Collector {
    fn take(&self, span: Span) {
        let taken = self.queue.as_ref().is_some_and(|queue| queue.try_send(span).is_ok());
        if !taken && !self.shared.is_full.swap(true, Ordering::Relaxed) {
            log_event!(warn, target: "dz", "spans are dropped, because the collector of traces does not take them fast enough");
        }
    }

    fn is_sampled(&self) -> bool {
        let mut bytes = [0; 4];
        self.sample >= 100 || (getrandom::fill(&mut bytes).is_ok() && u32::from_le_bytes(bytes) % 100 < self.sample)
    }
}

impl Drop for Collector {
    /// Sends the last spans until a request fails: a collector that does not respond must not delay the stop.
    fn drop(&mut self) {
        self.shared.is_stopping.store(true, Ordering::Relaxed);
        drop(self.queue.take());
        if let Some(sender) = self.sender.take() {
            // A panic of the thread was reported.
            let _ = sender.join();
        }
    }
}

/// Sends spans in batches until the queue ends.
fn send_all(spans: &Receiver<Span>, address: &str, application: &str, shared: &Shared) {
    let config = ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0).max_redirects_will_error(false);
    let agent: ureq::Agent = config.timeout_global(Some(TIMEOUT)).build().into();
    let mut failing = false;
    while let Ok(first) = spans.recv() {
        let (mut batch, until) = (vec![first], Instant::now() + PAUSE);
        let mut ended = false;
        while batch.len() < BATCH && !ended {
            match spans.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(span) => batch.push(span),
                Err(RecvTimeoutError::Timeout) => {
                    shared.is_full.store(false, Ordering::Relaxed);
                    break;
                }
                Err(RecvTimeoutError::Disconnected) => ended = true,
            }
        }
        let problem = send(&agent, address, &document(application, &batch)).err();
        match (&problem, failing) {
            (Some(why), false) => log_event!(warn, target: "dz", address, why, "spans cannot be sent to the collector of traces"),
            (None, true) => log_event!(info, target: "dz", address, "the collector of traces takes spans again"),
            (Some(_), true) | (None, false) => {}
        }
        failing = problem.is_some();
        if failing && shared.is_stopping.load(Ordering::Relaxed) {
            return;
        }
    }
}

fn send(agent: &ureq::Agent, address: &str, document: &Json) -> Result<(), String> {
    let response = agent.post(address).header("Content-Type", "application/json").send(document.to_string().as_bytes());
    match response {
        Ok(response) if response.status().is_success() => Ok(()),
        Ok(response) => Err(format!("it responds with {}", response.status())),
        Err(error) => Err(error.to_string()),
    }
}

fn attribute(name: &str, value: &Attribute) -> Json {
    let value = match value {
        Attribute::Text(text) => json!({ "stringValue": text }),
        Attribute::Int(number) => json!({ "intValue": number.to_string() }),
    };
    json!({ "key": name, "value": value })
}

/// The request for some spans.
fn document(application: &str, spans: &[Span]) -> Json {
    let version = Attribute::from(env!("CARGO_PKG_VERSION"));
    let resource = [attribute("service.name", &application.into()), attribute("telemetry.sdk.name", &"dz".into())];
    let scope = json!({ "name": "dz", "version": env!("CARGO_PKG_VERSION") });
    let resource = json!({ "attributes": resource.into_iter().chain([attribute("telemetry.sdk.version", &version)]).collect::<Vec<_>>() });
    let spans: Vec<Json> = spans.iter().map(span).collect();
    json!({ "resourceSpans": [{ "resource": resource, "scopeSpans": [{ "scope": scope, "spans": spans }] }] })
}

fn span(span: &Span) -> Json {
    let started = span.started.duration_since(UNIX_EPOCH).unwrap_or_default();
    let kind = match span.kind {
        SpanKind::Internal => 1,
        SpanKind::Server => 2,
        SpanKind::Client => 3,
        SpanKind::Consumer => 5,
    };
    let description = &span.description;
    let mut found = json!({
        "traceId": span.context.trace_id(),
        "spanId": span.context.span_id(),
        "name": description.name,
        "kind": kind,
        "startTimeUnixNano": started.as_nanos().to_string(),
        "endTimeUnixNano": (started + span.duration).as_nanos().to_string(),
        "attributes": description.attributes.iter().map(|(name, value)| attribute(name, value)).collect::<Vec<_>>(),
    });
    if let Some(parent) = &span.parent {
        found["parentSpanId"] = crate::trace::hexadecimal(parent).into();
    }
    if let Some(error) = &description.error {
        found["status"] = json!({ "code": 2, "message": error });
    }
    found
}
