//! Changes of all requests and responses, also of custom routes.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use rocket::{
    Data, Request, Response,
    fairing::{Fairing, Info, Kind},
    http::Method,
};

use crate::{
    state::State,
    web::{
        cookies,
        request::{handler, request_log::RequestLog},
        response::security_headers,
    },
};

/// Reverts Rocket's rewriting of methods, and adds the security headers to responses of custom routes.
pub(crate) struct ResponseFairing(pub Arc<State>);

/// Notes of a request for its response.
#[derive(Default)]
struct ResponseNotes {
    /// The response renews the session cookie, because the lifetime of the session was extended.
    renewed: AtomicBool,
    /// The response already has the security headers.
    has_headers: AtomicBool,
    /// The client sent `HEAD`, which Rocket answers as `GET` without the body.
    is_head: AtomicBool,
}

impl ResponseNotes {
    fn for_request<'r>(request: &'r Request<'_>) -> &'r ResponseNotes {
        request.local_cache(ResponseNotes::default)
    }
}

/// Notes that the response renews the session cookie.
pub(crate) fn note_renewal(request: &Request<'_>) {
    ResponseNotes::for_request(request).renewed.store(true, Ordering::Relaxed);
}

/// Notes that the response already has the security headers.
pub(crate) fn note_headers(request: &Request<'_>) {
    ResponseNotes::for_request(request).has_headers.store(true, Ordering::Relaxed);
}

/// True for a request with the method `HEAD`.
pub(crate) fn is_head(request: &Request<'_>) -> bool {
    ResponseNotes::for_request(request).is_head.load(Ordering::Relaxed)
}

#[rocket::async_trait]
impl Fairing for ResponseFairing {
    fn info(&self) -> Info {
        Info { name: "dz", kind: Kind::Request | Kind::Response }
    }

    async fn on_request(&self, request: &mut Request<'_>, data: &mut Data<'_>) {
        RequestLog::for_request(request);
        ResponseNotes::for_request(request).is_head.store(request.method() == Method::Head, Ordering::Relaxed);
        let is_form = request.content_type().is_some_and(|kind| kind.is_form());
        if is_form && request.method() != Method::Post && is_rewritten(data.peek(32).await, request.method()) {
            request.set_method(Method::Post);
        }
    }

    async fn on_response<'r>(&self, request: &'r Request<'_>, response: &mut Response<'r>) {
        let noted = ResponseNotes::for_request(request);
        if !noted.has_headers.load(Ordering::Relaxed) {
            security_headers::add_security_headers(&self.0, response, handler::request_id(request));
        }
        if noted.renewed.load(Ordering::Relaxed)
            && let Some(token) = handler::build_unrouted_call(&self.0, request).session
        {
            cookies::renew_session_cookie(&self.0, response, &token);
        }
        RequestLog::for_request(request).write(&self.0, request, response, handler::request_id(request));
    }
}

/// True if the form begins with the field by which Rocket rewrites a POST to `method`.
fn is_rewritten(form: &[u8], method: Method) -> bool {
    let Some(rest) = form.strip_prefix(b"_method=") else { return false };
    let name = rest.split(|byte| *byte == b'&').next().unwrap_or_default();
    std::str::from_utf8(name).is_ok_and(|name| name.parse::<Method>().is_ok_and(|named| named == method))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_methods_that_rocket_rewrote_are_restored() {
        assert!(is_rewritten(b"_method=delete&x=1", Method::Delete));
        assert!(is_rewritten(b"_method=PUT", Method::Put));
        assert!(!is_rewritten(b"_method=put", Method::Delete));
        assert!(!is_rewritten(b"x=1&_method=put", Method::Put));
        assert!(!is_rewritten(b"_method=\xff", Method::Put));
    }
}
