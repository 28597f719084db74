//! What holds for every request and every answer, whoever answers it.

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
        request::{handler, request_log::RequestLog},
        response,
    },
};

/// Undoes Rocket's rewriting of methods, and gives the answers of custom routes the headers of all others.
pub(crate) struct Everywhere(pub Arc<State>);

/// What is known of an answer before it is one.
#[derive(Default)]
struct Noted {
    /// It gives the session's cookie again, since the session's life began anew.
    renewed: AtomicBool,
    /// It carries the headers of all others already.
    dressed: AtomicBool,
}

impl Noted {
    fn of<'r>(request: &'r Request<'_>) -> &'r Noted {
        request.local_cache(Noted::default)
    }
}

/// Notes that the answer gives the session's cookie again.
pub(crate) fn renew(request: &Request<'_>) {
    Noted::of(request).renewed.store(true, Ordering::Relaxed);
}

/// Notes that the answer is one of dz's own, which carries its headers from the start.
pub(crate) fn dressed(request: &Request<'_>) {
    Noted::of(request).dressed.store(true, Ordering::Relaxed);
}

#[rocket::async_trait]
impl Fairing for Everywhere {
    fn info(&self) -> Info {
        Info { name: "dz", kind: Kind::Request | Kind::Response }
    }

    async fn on_request(&self, request: &mut Request<'_>, data: &mut Data<'_>) {
        RequestLog::of(request);
        let is_form = request.content_type().is_some_and(|kind| kind.is_form());
        if is_form && request.method() != Method::Post && rewrites(data.peek(32).await, request.method()) {
            request.set_method(Method::Post);
        }
    }

    async fn on_response<'r>(&self, request: &'r Request<'_>, response: &mut Response<'r>) {
        let noted = Noted::of(request);
        if !noted.dressed.load(Ordering::Relaxed) {
            response::dress(&self.0, response, handler::request_id(request));
        }
        if noted.renewed.load(Ordering::Relaxed)
            && let Some(token) = handler::call(&self.0, request).session
        {
            response::renew(&self.0, response, &token);
        }
        RequestLog::of(request).write(&self.0, request, response, handler::request_id(request));
    }
}

/// True when a form begins with the field by which Rocket makes a POST into `method`.
fn rewrites(form: &[u8], method: Method) -> bool {
    let Some(rest) = form.strip_prefix(b"_method=") else { return false };
    let name = rest.split(|byte| *byte == b'&').next().unwrap_or_default();
    std::str::from_utf8(name).is_ok_and(|name| name.parse::<Method>().is_ok_and(|named| named == method))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_rocket_rewrote_is_undone() {
        assert!(rewrites(b"_method=delete&x=1", Method::Delete));
        assert!(rewrites(b"_method=PUT", Method::Put));
        assert!(!rewrites(b"_method=put", Method::Delete));
        assert!(!rewrites(b"x=1&_method=put", Method::Put));
        assert!(!rewrites(b"_method=\xff", Method::Put));
    }
}
