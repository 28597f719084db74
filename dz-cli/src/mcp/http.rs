//! The protocol over streamable HTTP, on the loopback interface only.

use std::{convert::Infallible, io, net::Ipv4Addr, sync::Arc, time::Duration};

use http_body_util::{BodyExt, Full, combinators::BoxBody};
use hyper::{
    HeaderMap, Method, Request, Response, StatusCode,
    body::{Bytes, Incoming},
    header::{CONTENT_LENGTH, CONTENT_TYPE, EXPECT, HOST, ORIGIN},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService, streamable_http_server::session::never::NeverSessionManager};
use tokio::{net::TcpListener, time::sleep};

use super::{
    message::{Checked, INVALID_PARAMS, check},
    server::Server,
};
use crate::output::put;

/// The largest body that is accepted, in bytes.
const LARGEST: usize = 8 << 20;

/// The largest body that is read to its end, so that a client that sends too much receives the answer.
const DISCARDED: usize = 64 << 20;

/// The pause after a connection that could not be accepted.
const PAUSE: Duration = Duration::from_millis(100);

/// The time limit for the headers of a request, also of the next one on an open connection.
const HEADERS: Duration = Duration::from_secs(30);

/// The path of the endpoint.
const PATH: &str = "/mcp";

/// The names of the interface, as a `Host` header has them.
const HOSTS: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

type Answer = Response<BoxBody<Bytes, Infallible>>;

/// The port of an address: `PORT` or `127.0.0.1:PORT`.
///
/// # Errors
/// A sentence for another interface.
pub fn address(text: &str) -> Result<u16, String> {
    let port = match text.rsplit_once(':') {
        Some(("127.0.0.1", port)) => port,
        Some((host, _)) => return Err(format!("`{host}` is refused: the server listens on 127.0.0.1 only")),
        None => text,
    };
    port.parse().map_err(|_| format!("`{port}` is not a port"))
}

/// Answers requests that the library does not receive, and passes on the others.
#[derive(Clone)]
struct Endpoint {
    service: StreamableHttpService<Server, NeverSessionManager>,
    origins: Arc<[String; 3]>,
}

/// Serves until the process ends.
pub async fn serve(server: Server, port: u16) -> io::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    let port = listener.local_addr()?.port();
    let origins = HOSTS.map(|host| format!("http://{host}:{port}"));
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_allowed_origins(origins.clone())
        .enforce_origin_validation()
        .with_max_request_body_bytes(LARGEST);
    let service = StreamableHttpService::new(move || Ok(server.clone()), Arc::new(NeverSessionManager::default()), config);
    let endpoint = Endpoint { service, origins: Arc::new(origins) };
    put(io::stderr(), &format!("http://127.0.0.1:{port}{PATH}\n"));
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Too many connections are open; the next can arrive when one ends.
            sleep(PAUSE).await;
            continue;
        };
        let endpoint = endpoint.clone();
        let answer = service_fn(move |request: Request<Incoming>| {
            let endpoint = endpoint.clone();
            async move { Ok::<_, Infallible>(endpoint.answer(request).await) }
        });
        tokio::spawn(async move {
            let mut builder = http1::Builder::new();
            builder.timer(TokioTimer::new()).header_read_timeout(HEADERS);
            // An error of a connection affects only its client.
            let _ = builder.serve_connection(TokioIo::new(stream), answer).await;
        });
    }
}

impl Endpoint {
    async fn answer(&self, request: Request<Incoming>) -> Answer {
        if !self.is_local(&request) {
            return text(StatusCode::FORBIDDEN, "only programs and pages of this machine may call this server");
        }
        if request.uri().path() != PATH {
            return text(StatusCode::NOT_FOUND, "the endpoint is /mcp");
        }
        if request.method() != Method::POST || !has_json(request.headers()) {
            return self.service.handle(request).await;
        }
        let (parts, body) = request.into_parts();
        let Some(body) = read(&parts.headers, body).await else {
            return text(StatusCode::PAYLOAD_TOO_LARGE, &format!("the body is larger than {} MB", LARGEST >> 20));
        };
        if let Checked::Refused(refusal) = check(&body) {
            let status = if refusal.code == INVALID_PARAMS { StatusCode::OK } else { StatusCode::BAD_REQUEST };
            return json(status, refusal.json().to_string());
        }
        self.service.handle(Request::from_parts(parts, Full::new(body))).await
    }

    /// True for a request to a name of the loopback interface, that no page of another origin sent.
    fn is_local(&self, request: &Request<Incoming>) -> bool {
        let headers = request.headers();
        let mut hosts =
            headers.get_all(HOST).iter().map(|it| it.to_str().unwrap_or_default()).chain(request.uri().authority().map(|it| it.as_str()));
        let mut origins = headers.get_all(ORIGIN).iter();
        hosts.all(is_loopback) && origins.all(|it| self.origins.iter().any(|own| own.as_bytes() == it.as_bytes()))
    }
}

/// True for a name of the loopback interface, with or without a port.
fn is_loopback(host: &str) -> bool {
    HOSTS.iter().any(|name| {
        let rest = host.get(..name.len()).filter(|it| it.eq_ignore_ascii_case(name)).map(|_| &host[name.len()..]);
        rest.is_some_and(|rest| rest.is_empty() || rest.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok()))
    })
}

fn has_json(headers: &HeaderMap) -> bool {
    let media_type = headers.get(CONTENT_TYPE).and_then(|it| it.to_str().ok()).unwrap_or_default();
    media_type.split(';').next().is_some_and(|it| it.trim().eq_ignore_ascii_case("application/json"))
}

/// The body of a request; `None` if it is too large.
async fn read(headers: &HeaderMap, mut body: Incoming) -> Option<Bytes> {
    let length = headers.get(CONTENT_LENGTH).and_then(|it| it.to_str().ok()?.parse::<u64>().ok()).unwrap_or_default();
    // A client that asks before it sends need not send.
    if length > DISCARDED as u64 || (length > LARGEST as u64 && headers.contains_key(EXPECT)) {
        return None;
    }
    let (mut all, mut size) = (Vec::new(), 0);
    while let Some(Ok(frame)) = body.frame().await {
        let Ok(data) = frame.into_data() else { continue };
        size += data.len();
        if size > DISCARDED {
            break;
        }
        if size > LARGEST {
            all = Vec::new();
        } else {
            all.extend_from_slice(&data);
        }
    }
    (size <= LARGEST).then(|| all.into())
}

fn text(status: StatusCode, message: &str) -> Answer {
    answer(status, "text/plain; charset=utf-8", format!("{message}\n"))
}

fn json(status: StatusCode, body: String) -> Answer {
    answer(status, "application/json", body)
}

fn answer(status: StatusCode, media_type: &'static str, body: String) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from(body)).boxed());
    *answer.status_mut() = status;
    answer.headers_mut().insert(CONTENT_TYPE, hyper::header::HeaderValue::from_static(media_type));
    answer
}
