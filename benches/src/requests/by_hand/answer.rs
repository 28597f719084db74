//! Headers and problem documents of all responses, as the contract requires.

use rocket::{
    Request, Response, catch,
    fairing::{Fairing, Info, Kind},
    http::{Header, Status},
    response::Responder,
    serde::json::Json,
};
use serde::Serialize;

const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; font-src 'self'; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Security headers, and the id of the request.
pub struct Everywhere;

struct Id(String);

fn request_id<'r>(request: &'r Request<'_>) -> &'r str {
    &request.local_cache(|| Id(uuid::Uuid::now_v7().simple().to_string())).0
}

#[rocket::async_trait]
impl Fairing for Everywhere {
    fn info(&self) -> Info {
        Info { name: "headers", kind: Kind::Response }
    }

    async fn on_response<'r>(&self, request: &'r Request<'_>, response: &mut Response<'r>) {
        response.set_header(Header::new("Cache-Control", "no-store"));
        response.set_header(Header::new("Content-Security-Policy", POLICY));
        response.set_header(Header::new("X-Content-Type-Options", "nosniff"));
        response.set_header(Header::new("Referrer-Policy", "same-origin"));
        response.set_header(Header::new("Cross-Origin-Opener-Policy", "same-origin"));
        response.set_header(Header::new("X-Request-Id", request_id(request)));
    }
}

/// A row with its version as `ETag`.
pub struct Tagged<T>(pub i64, pub Json<T>);

impl<'r, 'o: 'r, T: Serialize> Responder<'r, 'o> for Tagged<T> {
    fn respond_to(self, request: &'r Request<'_>) -> rocket::response::Result<'o> {
        let mut response = self.1.respond_to(request)?;
        if request.rocket().state::<super::Lean>().is_some_and(|lean| lean.0) {
            return Ok(response);
        }
        response.set_header(Header::new("ETag", format!("\"{}\"", self.0)));
        Ok(response)
    }
}

/// A problem document (RFC 9457).
#[derive(Serialize)]
pub struct Problem {
    r#type: &'static str,
    title: &'static str,
    status: u16,
    request_id: String,
}

/// The response to a refusal or an error.
#[catch(default)]
pub fn refuse(status: Status, request: &Request<'_>) -> (rocket::http::ContentType, Json<Problem>) {
    let problem =
        Problem { r#type: "about:blank", title: status.reason_lossy(), status: status.code, request_id: request_id(request).to_owned() };
    (rocket::http::ContentType::new("application", "problem+json"), Json(problem))
}
