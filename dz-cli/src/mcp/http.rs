//! The protocol over streamable HTTP, on the loopback interface only.

use std::{convert::Infallible, io, net::Ipv4Addr, sync::Arc, time::Duration};

use http_body_util::{BodyExt, Empty};
use hyper::{Request, Response, StatusCode, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService, streamable_http_server::session::never::NeverSessionManager};
use tokio::{net::TcpListener, time::sleep};

use super::server::Server;
use crate::output::put;

/// The largest body that is accepted, in bytes.
const LARGEST: usize = 8 << 20;

/// The pause after a connection that could not be accepted.
const PAUSE: Duration = Duration::from_millis(100);

/// The path of the endpoint.
const PATH: &str = "/mcp";

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

/// Serves until the process ends.
pub async fn serve(server: Server, port: u16) -> io::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    let port = listener.local_addr()?.port();
    let origins = ["127.0.0.1", "localhost", "[::1]"].map(|host| format!("http://{host}:{port}"));
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_allowed_origins(origins)
        .enforce_origin_validation()
        .with_max_request_body_bytes(LARGEST);
    let service = StreamableHttpService::new(move || Ok(server.clone()), Arc::new(NeverSessionManager::default()), config);
    put(io::stderr(), &format!("http://127.0.0.1:{port}{PATH}\n"));
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Too many connections are open; the next can arrive when one ends.
            sleep(PAUSE).await;
            continue;
        };
        let service = service.clone();
        let answer = service_fn(move |request: Request<Incoming>| {
            let service = service.clone();
            async move {
                if request.uri().path() == PATH {
                    return Ok::<_, Infallible>(service.handle(request).await);
                }
                let mut missing = Response::new(Empty::new().boxed());
                *missing.status_mut() = StatusCode::NOT_FOUND;
                Ok(missing)
            }
        });
        tokio::spawn(async move {
            // An error of a connection affects only its client.
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), answer).await;
        });
    }
}
