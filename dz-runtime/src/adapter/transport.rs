//! How requests reach a service: over the network, or through a fake in tests.

use std::{
    collections::BTreeMap,
    io::ErrorKind,
    thread,
    time::{Duration, SystemTime},
};

use serde::Serialize;
use ureq::http::{self, HeaderName, HeaderValue, Request};

/// The maximum size of a response.
const MAX_RESPONSE: u64 = 32 << 20;

/// The method of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of HTTP")]
pub enum Method {
    Get,
    Post,
    Put,
    Patch,
    Delete,
}

impl Method {
    /// True if a repetition has the same effect as one request (RFC 9110, section 9.2.2).
    pub(super) fn is_idempotent(self) -> bool {
        match self {
            Method::Get | Method::Put | Method::Delete => true,
            Method::Post | Method::Patch => false,
        }
    }

    pub(super) fn name(self) -> http::Method {
        match self {
            Method::Get => http::Method::GET,
            Method::Post => http::Method::POST,
            Method::Put => http::Method::PUT,
            Method::Patch => http::Method::PATCH,
            Method::Delete => http::Method::DELETE,
        }
    }
}

/// A request to a service.
#[derive(Debug, Clone, PartialEq)]
pub struct TransportRequest {
    /// The method.
    pub method: Method,
    /// The complete URL.
    pub url: String,
    /// All headers.
    pub headers: BTreeMap<String, String>,
    /// The body.
    pub body: Option<Vec<u8>>,
    /// The maximum duration.
    pub timeout: Duration,
}

/// A response of a service.
#[derive(Debug, Clone, PartialEq)]
pub struct TransportResponse {
    /// The status.
    pub status: u16,
    /// The headers, with names in lower case.
    pub headers: BTreeMap<String, String>,
    /// The body.
    pub body: Vec<u8>,
}

impl TransportResponse {
    /// A response with a body in JSON.
    pub fn json(status: u16, body: &impl Serialize) -> TransportResponse {
        TransportResponse { status, headers: BTreeMap::new(), body: serde_json::to_vec(body).unwrap_or_default() }
    }

    /// The delay that the service asks for, in seconds or as a date (RFC 9110, section 10.2.3).
    pub(super) fn retry_after(&self) -> Option<Duration> {
        let text = self.headers.get("retry-after")?.trim();
        match text.parse() {
            Ok(seconds) => Some(Duration::from_secs(seconds)),
            Err(_) => {
                let at = httpdate::parse_http_date(text).ok()?;
                Some(at.duration_since(SystemTime::now()).unwrap_or_default())
            }
        }
    }
}

/// Why there is no response.
#[derive(Debug, Clone, PartialEq)]
pub enum TransportError {
    /// The request took longer than its timeout.
    Timeout,
    /// No connection was made.
    Connection(String),
    /// The connection broke after the request was sent, or the response is not HTTP.
    Broken(String),
    /// The request cannot be made.
    Request(String),
}

/// Sends requests. A closure from a request to a response is a transport.
pub trait Transport: Send + Sync + 'static {
    /// Sends one request.
    ///
    /// # Errors
    /// There is no response.
    fn send(&self, request: &TransportRequest) -> Result<TransportResponse, TransportError>;

    /// Waits before the next request. A fake can continue at once.
    fn wait(&self, delay: Duration) {
        thread::sleep(delay);
    }
}

impl<F> Transport for F
where
    F: Fn(&TransportRequest) -> Result<TransportResponse, TransportError> + Send + Sync + 'static,
{
    fn send(&self, request: &TransportRequest) -> Result<TransportResponse, TransportError> {
        self(request)
    }
}

/// The network. Connections are reused. Redirects are not followed: they would send the headers of the configuration to another
/// address.
pub(super) struct Network(ureq::Agent);

impl Default for Network {
    fn default() -> Network {
        let config = ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0).max_redirects_will_error(false);
        Network(config.build().new_agent())
    }
}

impl Transport for Network {
    fn send(&self, request: &TransportRequest) -> Result<TransportResponse, TransportError> {
        let timeout = Some(request.timeout);
        let response = match (&request.body, build(request)?) {
            (Some(body), head) => self.0.run(self.0.configure_request(head.map(|()| body.as_slice())).timeout_global(timeout).build()),
            (None, head) => self.0.run(self.0.configure_request(head).timeout_global(timeout).build()),
        };
        let (parts, mut body) = response.map_err(classify)?.into_parts();
        let body = body.with_config().limit(MAX_RESPONSE).read_to_vec().map_err(classify)?;
        let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let headers = parts.headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect();
        Ok(TransportResponse { status: parts.status.as_u16(), headers, body })
    }
}

fn build(request: &TransportRequest) -> Result<Request<()>, TransportError> {
    let mut head = Request::builder().method(request.method.name()).uri(&request.url);
    for (name, value) in &request.headers {
        // The value can be a credential and is in no message.
        let (Ok(name), Ok(value)) = (HeaderName::try_from(name.as_str()), HeaderValue::try_from(value.as_str())) else {
            return Err(TransportError::Request(format!("the header `{}` is not valid", name.escape_debug())));
        };
        head = head.header(name, value);
    }
    head.body(()).map_err(|error| TransportError::Request(format!("the address `{}` is not valid: {error}", request.url)))
}

fn classify(error: ureq::Error) -> TransportError {
    use ureq::Error as Cause;
    let kind = if let Cause::Io(error) = &error { Some(error.kind()) } else { None };
    let text = error.to_string();
    if matches!(error, Cause::Timeout(_)) || kind == Some(ErrorKind::TimedOut) {
        TransportError::Timeout
    } else if matches!(error, Cause::HostNotFound | Cause::ConnectionFailed | Cause::Tls(_) | Cause::Rustls(_))
        || kind == Some(ErrorKind::ConnectionRefused)
    {
        TransportError::Connection(text)
    } else if matches!(error, Cause::BadUri(_) | Cause::Http(_)) {
        TransportError::Request(text)
    } else {
        TransportError::Broken(text)
    }
}
