//! Traces: the trace of the work on this thread, and its spans.
//!
//! A trace begins with a request or a piece of background work, or continues that of a client (W3C Trace Context). Without a sink for
//! spans, dz only passes the context on.

mod context;

use std::{
    cell::RefCell,
    sync::Arc,
    time::{Duration, Instant, SystemTime},
};

#[cfg(feature = "adapters")]
pub(crate) use context::hexadecimal;
pub(crate) use context::{Context, SpanId};

/// What a span describes, as OpenTelemetry names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SpanKind {
    /// Work inside of the application.
    Internal,
    /// A request that the application answers.
    Server,
    /// A request to another system, such as the database.
    Client,
    /// Work that another part has requested earlier.
    Consumer,
}

/// The value of an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Attribute {
    Text(String),
    Int(i64),
}

impl From<&str> for Attribute {
    fn from(text: &str) -> Attribute {
        Attribute::Text(text.to_owned())
    }
}

impl From<u16> for Attribute {
    fn from(number: u16) -> Attribute {
        Attribute::Int(number.into())
    }
}

/// The name of a span, its attributes, and the reason of a failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Description {
    pub(crate) name: String,
    pub(crate) attributes: Vec<(&'static str, Attribute)>,
    pub(crate) error: Option<String>,
}

impl Description {
    /// A description without a failure.
    pub(crate) fn new(name: impl Into<String>, attributes: Vec<(&'static str, Attribute)>) -> Description {
        Description { name: name.into(), attributes, error: None }
    }
}

/// A span that has ended.
#[derive(Debug, Clone)]
#[cfg_attr(not(feature = "adapters"), allow(dead_code, reason = "only the sink that sends spans over HTTP reads them"))]
pub(crate) struct Span {
    pub(crate) context: Context,
    pub(crate) parent: Option<SpanId>,
    pub(crate) kind: SpanKind,
    pub(crate) started: SystemTime,
    pub(crate) duration: Duration,
    pub(crate) description: Description,
}

/// Receives spans. It does not block.
pub(crate) trait Sink: Send + Sync {
    /// Takes a span, or drops it.
    fn take(&self, span: Span);

    /// True if a new trace is recorded.
    fn is_sampled(&self) -> bool;
}

/// Begins traces. Clones share the sink.
#[derive(Clone, Default)]
pub(crate) struct Tracer(Option<Arc<dyn Sink>>);

thread_local! {
    static CURRENT: RefCell<Option<(Context, Tracer)>> = const { RefCell::new(None) };
}

impl Tracer {
    /// With a sink for spans.
    #[cfg_attr(not(feature = "adapters"), allow(dead_code, reason = "the sink sends spans over HTTP"))]
    pub(crate) fn new(sink: Arc<dyn Sink>) -> Tracer {
        Tracer(Some(sink))
    }

    /// Continues the trace of a `traceparent`, or begins one; `None` without a valid one and without a sink.
    pub(crate) fn begin(&self, traceparent: Option<&str>) -> Option<OpenSpan> {
        let remote = traceparent.and_then(Context::parse);
        match (remote, &self.0) {
            (Some(remote), Some(_)) if remote.sampled => Some(OpenSpan::new(remote.child()?, Some(remote.span), self.clone())),
            (Some(remote), _) => Some(OpenSpan::new(remote, None, Tracer(None))),
            (None, Some(sink)) => {
                let context = Context::random(sink.is_sampled())?;
                let tracer = if context.sampled { self.clone() } else { Tracer(None) };
                Some(OpenSpan::new(context, None, tracer))
            }
            (None, None) => None,
        }
    }
}

/// Runs `work` as a span that [`Tracer::begin`] has begun, if it has.
pub(crate) fn run_span<T>(span: Option<OpenSpan>, kind: SpanKind, work: impl FnOnce() -> T, describe: impl FnOnce(&T) -> Description) -> T {
    match span {
        Some(span) => span.run_to_end(kind, work, describe),
        None => work(),
    }
}

/// A span that has not ended; without a sink, only the context of a trace.
#[derive(Clone)]
pub(crate) struct OpenSpan {
    context: Context,
    parent: Option<SpanId>,
    tracer: Tracer,
    started: (SystemTime, Instant),
}

impl std::fmt::Debug for OpenSpan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("OpenSpan").field(&self.context).finish()
    }
}

impl OpenSpan {
    fn new(context: Context, parent: Option<SpanId>, tracer: Tracer) -> OpenSpan {
        OpenSpan { context, parent, tracer, started: (SystemTime::now(), Instant::now()) }
    }

    /// The identifier of the trace in hexadecimal.
    pub(crate) fn trace_id(&self) -> String {
        self.context.trace_id()
    }

    /// Runs `work` on this thread as a part of the span.
    pub(crate) fn run<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = CURRENT.replace(Some((self.context, self.tracer.clone())));
        let restore = Restore(before);
        let done = work();
        drop(restore);
        done
    }

    /// Runs `work` as the whole span.
    pub(crate) fn run_to_end<T>(self, kind: SpanKind, work: impl FnOnce() -> T, describe: impl FnOnce(&T) -> Description) -> T {
        let done = self.run(work);
        self.end(kind, || describe(&done));
        done
    }

    /// Ends the span now.
    pub(crate) fn end(&self, kind: SpanKind, describe: impl FnOnce() -> Description) {
        if let Some(sink) = &self.tracer.0 {
            let (started, instant) = self.started;
            let (context, parent) = (self.context, self.parent);
            sink.take(Span { context, parent, kind, started, duration: instant.elapsed(), description: describe() });
        }
    }
}

/// Restores the trace of the thread, also after a panic.
struct Restore(Option<(Context, Tracer)>);

impl Drop for Restore {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
    }
}

/// The header `traceparent` by which a request to another system continues the trace of this thread: that of a request in
/// [`Cx::run`](crate::Cx::run), or of a job or a subscriber. [`adapter`](crate::adapter)s send it themselves.
pub fn traceparent() -> Option<String> {
    CURRENT.with_borrow(|current| current.as_ref().map(|(context, _)| context.to_string()))
}

/// The identifier of the trace of this thread in hexadecimal.
pub(crate) fn trace_id() -> Option<String> {
    CURRENT.with_borrow(|current| current.as_ref().map(|(context, _)| context.trace_id()))
}

/// A span inside of the current one; `None` if the trace of this thread is not recorded.
fn child() -> Option<OpenSpan> {
    let (context, tracer) = CURRENT.with_borrow(Clone::clone).filter(|(_, tracer)| tracer.0.is_some())?;
    Some(OpenSpan::new(context.child()?, Some(context.span), tracer))
}

/// Runs `work` as a span, if the trace of this thread is recorded.
pub(crate) fn in_span<T>(kind: SpanKind, work: impl FnOnce() -> T, describe: impl FnOnce(&T) -> Description) -> T {
    run_span(child(), kind, work, describe)
}

/// Records work that began at `started` and ends now as a span, if the trace of this thread is recorded.
pub(crate) fn record(kind: SpanKind, started: Instant, describe: impl FnOnce() -> Description) {
    let Some(mut span) = child() else { return };
    let elapsed = started.elapsed();
    span.started = (SystemTime::now().checked_sub(elapsed).unwrap_or_else(SystemTime::now), started);
    span.end(kind, describe);
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[derive(Default)]
    struct Recorder(Mutex<Vec<Span>>);

    impl Sink for Recorder {
        fn take(&self, span: Span) {
            self.0.lock().unwrap().push(span);
        }

        fn is_sampled(&self) -> bool {
            true
        }
    }

    const REMOTE: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    #[test]
    fn spans_are_children_of_the_current_one_and_continue_the_trace_of_the_client() {
        let sink = Arc::new(Recorder::default());
        let root = Tracer::new(sink.clone()).begin(Some(REMOTE)).unwrap();
        let header = root.run(|| {
            record(SpanKind::Client, Instant::now(), || Description::new("SELECT", Vec::new()));
            in_span(SpanKind::Client, || traceparent().unwrap(), |_| Description::new("GET", Vec::new()))
        });
        assert_eq!(traceparent(), None, "the thread has no trace afterwards");
        root.end(SpanKind::Server, || Description::new("GET /", Vec::new()));
        let spans = sink.0.lock().unwrap().clone();
        let names: Vec<&str> = spans.iter().map(|span| span.description.name.as_str()).collect();
        assert_eq!(names, ["SELECT", "GET", "GET /"]);
        assert!(spans.iter().all(|span| span.context.trace_id() == "4bf92f3577b34da6a3ce929d0e0e4736"));
        assert_eq!((spans[0].parent, spans[1].parent), (Some(spans[2].context.span), Some(spans[2].context.span)));
        assert_eq!(spans[2].parent, Context::parse(REMOTE).map(|it| it.span));
        assert_eq!(header, spans[1].context.to_string());
    }

    #[test]
    fn a_trace_that_is_not_recorded_is_passed_on_unchanged() {
        let sink = Arc::new(Recorder::default());
        let unsampled = REMOTE.replace("-01", "-00");
        for (tracer, header) in [(Tracer::default(), REMOTE), (Tracer::new(sink.clone()), unsampled.as_str())] {
            let root = tracer.begin(Some(header)).unwrap();
            assert_eq!(root.run(|| in_span(SpanKind::Client, traceparent, |_| Description::new("GET", Vec::new()))).unwrap(), header);
            root.end(SpanKind::Server, || Description::new("GET /", Vec::new()));
        }
        assert!(sink.0.lock().unwrap().is_empty());
        assert!(Tracer::default().begin(None).is_none());
    }
}
