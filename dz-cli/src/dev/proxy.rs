//! The server for browsers: it forwards requests to the application, and adds a script to its pages.
//!
//! The script and its events have the origin of the application, so that the Content-Security-Policy of the pages is unchanged.

use std::{convert::Infallible, net::SocketAddr, sync::Arc, time::Duration};

use bytes::Bytes;
use http_body_util::{BodyExt, Full, channel::Channel, combinators::BoxBody};
use hyper::{
    Method, Request, Response, StatusCode,
    body::Incoming,
    header::{ACCEPT_ENCODING, CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue, TRANSFER_ENCODING},
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};

use super::status::{Shared, Upstream};

type Body = BoxBody<Bytes, hyper::Error>;

const SCRIPT: &str = "/-/dz-dev/client.js";
const STYLE: &str = "/-/dz-dev/client.css";
const EVENTS: &str = "/-/dz-dev/events";

/// The page that is shown before the application starts for the first time.
const WAITING: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n<head><title>dz dev</title></head>\n<body><p>The application is not running yet.</p></body>\n</html>\n";

/// The interval of messages on a stream without events, which show whether the client is still connected.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// The pause after a connection that could not be accepted.
const PAUSE: Duration = Duration::from_millis(100);

/// Accepts connections from now on; returns the address.
pub async fn serve(wanted: SocketAddr, shared: Arc<Shared>) -> Result<SocketAddr, String> {
    let unbound = |error| format!("cannot listen on {wanted}: {error}; choose another port with `--port`");
    let listener = TcpListener::bind(wanted).await.map_err(unbound)?;
    let address = listener.local_addr().map_err(unbound)?;
    tokio::spawn(async move {
        loop {
            let Ok((stream, _)) = listener.accept().await else {
                // Too many connections are open; the next can arrive when one ends.
                tokio::time::sleep(PAUSE).await;
                continue;
            };
            let shared = shared.clone();
            let service = service_fn(move |request| {
                let shared = shared.clone();
                async move { Ok::<_, Infallible>(answer(request, shared).await) }
            });
            tokio::spawn(hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service));
        }
    });
    Ok(address)
}

async fn answer(request: Request<Incoming>, shared: Arc<Shared>) -> Response<Body> {
    match request.uri().path() {
        SCRIPT => own(StatusCode::OK, "text/javascript; charset=utf-8", include_str!("client.js")),
        STYLE => own(StatusCode::OK, "text/css; charset=utf-8", include_str!("client.css")),
        EVENTS => events(shared),
        _ => match shared.upstream() {
            None => waiting(),
            Some(upstream) => {
                let is_head = request.method() == Method::HEAD;
                match forward(request, &upstream).await {
                    Ok(response) if is_page(&response) && !is_head => with_script(response, &upstream.version).await,
                    Ok(response) => response.map(BodyExt::boxed),
                    Err(_) => waiting(),
                }
            }
        },
    }
}

/// Forwards a request to the application, on a new connection.
async fn forward(
    mut request: Request<Incoming>,
    upstream: &Upstream,
) -> Result<Response<Incoming>, Box<dyn std::error::Error + Send + Sync>> {
    let stream = TcpStream::connect(("127.0.0.1", upstream.port)).await?;
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    // Pages must not be compressed, because the script is added to them.
    request.headers_mut().remove(ACCEPT_ENCODING);
    request.headers_mut().remove(CONNECTION);
    let path = request.uri().path_and_query().map_or("/", |it| it.as_str()).parse()?;
    *request.uri_mut() = path;
    *request.version_mut() = hyper::Version::HTTP_11;
    let mut response = sender.send_request(request).await?;
    response.headers_mut().remove(CONNECTION);
    Ok(response)
}

fn is_page(response: &Response<Incoming>) -> bool {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|it| it.to_str().ok()).unwrap_or_default();
    kind.starts_with("text/html") && !response.headers().contains_key(CONTENT_ENCODING)
}

/// Adds the script of this command to a page; a fragment of a page is unchanged.
async fn with_script(response: Response<Incoming>, version: &str) -> Response<Body> {
    let (mut parts, body) = response.into_parts();
    let Ok(body) = body.collect().await else { return waiting() };
    let page = body.to_bytes();
    let text = String::from_utf8_lossy(&page);
    let page = match text.find("</head>") {
        Some(at) => Bytes::from(format!("{}{}{}", &text[..at], tags(version), &text[at..])),
        None => page,
    };
    parts.headers.remove(TRANSFER_ENCODING);
    parts.headers.insert(CONTENT_LENGTH, HeaderValue::from(page.len()));
    Response::from_parts(parts, whole(page))
}

fn tags(version: &str) -> String {
    format!("<link rel=\"stylesheet\" href=\"{STYLE}\"><script src=\"{SCRIPT}\" data-version=\"{version}\" defer></script>")
}

fn waiting() -> Response<Body> {
    let page = WAITING.replace("</head>", &format!("{}</head>", tags("none")));
    own(StatusCode::SERVICE_UNAVAILABLE, "text/html; charset=utf-8", page)
}

/// The state, and each later state, as server-sent events.
fn events(shared: Arc<Shared>) -> Response<Body> {
    let (mut sender, body) = Channel::<Bytes, hyper::Error>::new(4);
    tokio::spawn(async move {
        let mut changes = shared.changes();
        loop {
            let text = tokio::select! {
                more = changes.next() => if more { shared.event() } else { return },
                () = tokio::time::sleep(KEEP_ALIVE) => ":\n\n".to_owned(),
            };
            if sender.send_data(Bytes::from(text)).await.is_err() {
                return;
            }
        }
    });
    finished(StatusCode::OK, "text/event-stream", body.boxed())
}

fn own(status: StatusCode, kind: &'static str, text: impl Into<Bytes>) -> Response<Body> {
    finished(status, kind, whole(text))
}

fn whole(text: impl Into<Bytes>) -> Body {
    Full::new(text.into()).map_err(|never| match never {}).boxed()
}

fn finished(status: StatusCode, kind: &'static str, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    for (name, value) in [
        ("content-type", kind),
        ("cache-control", "no-store"),
        ("x-content-type-options", "nosniff"),
        ("content-security-policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-ancestors 'none'"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}
