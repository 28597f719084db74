//! The connections to object storage: hyper with rustls and ring, as other parts of dz use them.

use std::{
    fmt,
    future::Future as _,
    io,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use hyper::body::{Body, Frame, Incoming, SizeHint};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector as TcpConnector},
    rt::{TokioExecutor, TokioTimer},
};
use object_store::{
    ClientOptions,
    client::{
        HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpRequestBody, HttpResponse, HttpResponseBody, HttpService,
    },
};
use tokio::time::{Sleep, sleep, timeout};

use super::body::Bytes;

/// The rate at which a request body is sent at least.
const BYTES_PER_SECOND: u64 = 64 << 10;

/// Opens connections.
#[derive(Debug)]
pub(super) struct Connector {
    /// The time without an answer after which a request fails.
    pub timeout: Duration,
}

/// A pool of connections.
struct Connections {
    client: Client<HttpsConnector<TcpConnector>, HttpRequestBody>,
    timeout: Duration,
}

impl fmt::Debug for Connections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connections").field("timeout", &self.timeout).finish_non_exhaustive()
    }
}

impl HttpConnector for Connector {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        let mut tcp = TcpConnector::new();
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        tcp.set_connect_timeout(Some(self.timeout));
        let tls = HttpsConnectorBuilder::new().with_provider_and_webpki_roots(rustls::crypto::ring::default_provider());
        let tls = tls.map_err(|error| object_store::Error::Generic { store: "S3", source: Box::new(error) })?;
        let connector = tls.https_or_http().enable_http1().wrap_connector(tcp);
        let client =
            Client::builder(TokioExecutor::new()).pool_timer(TokioTimer::new()).pool_idle_timeout(Duration::from_secs(30)).build(connector);
        Ok(HttpClient::new(Connections { client, timeout: self.timeout }))
    }
}

#[async_trait::async_trait]
impl HttpService for Connections {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let bytes = u64::try_from(request.body().content_length()).unwrap_or(u64::MAX);
        let limit = self.timeout.saturating_add(Duration::from_secs(bytes / BYTES_PER_SECOND));
        let response = match timeout(limit, self.client.request(request)).await {
            Err(_) => return Err(HttpError::new(HttpErrorKind::Timeout, io::Error::from(io::ErrorKind::TimedOut))),
            Ok(Err(error)) if error.is_connect() => return Err(HttpError::new(HttpErrorKind::Connect, error)),
            // The connection ended before an answer, which each request of this module permits to repeat.
            Ok(Err(error)) => return Err(HttpError::new(HttpErrorKind::Interrupted, error)),
            Ok(Ok(response)) => response,
        };
        let timeout = self.timeout;
        Ok(response.map(|body| HttpResponseBody::new(TimedBody { body, timeout, waiting: None })))
    }
}

/// A body that fails if nothing arrives for some time while its reader waits.
struct TimedBody {
    body: Incoming,
    timeout: Duration,
    waiting: Option<Pin<Box<Sleep>>>,
}

impl Body for TimedBody {
    type Data = Bytes;
    type Error = HttpError;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, HttpError>>> {
        if let Poll::Ready(next) = Pin::new(&mut self.body).poll_frame(cx) {
            self.waiting = None;
            return Poll::Ready(next.map(|frame| frame.map_err(|error| HttpError::new(HttpErrorKind::Interrupted, error))));
        }
        let limit = self.timeout;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(limit)));
        match waiting.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(Some(Err(HttpError::new(HttpErrorKind::Timeout, io::Error::from(io::ErrorKind::TimedOut))))),
            Poll::Pending => Poll::Pending,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
