//! From replies and errors to Rocket's responses, with the headers that every answer carries.

use std::io::Cursor;

use rocket::{Response, http::Status};

use super::{Call, Reply, problem::problem, state::State};
use crate::{Error, page};

const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; font-src 'self'; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The answer to a request that could not be served: a problem for programs, a page for people.
pub(crate) fn refuse(state: &State, call: &Call, error: &Error) -> Reply {
    if let Some(internal) = &error.internal {
        eprintln!("{} {} {} request_id={} {internal}", error.status, call.method, call.uri, call.request_id);
    }
    if call.wants_json { problem(error, &call.request_id) } else { page::error(state.app, call, error) }
}

/// A reply as Rocket sends it.
pub(crate) fn response(state: &State, reply: Reply, request_id: &str) -> Response<'static> {
    let mut response = Response::new();
    response.set_status(Status::new(reply.status));
    if !reply.content_type.is_empty() {
        response.set_raw_header("Content-Type", reply.content_type);
    }
    let mut cached = false;
    for (name, value) in reply.headers {
        cached |= name == "Cache-Control";
        response.adjoin_raw_header(name, value);
    }
    if !cached {
        response.set_raw_header("Cache-Control", "no-store");
    }
    response.set_raw_header("Content-Security-Policy", POLICY);
    response.set_raw_header("X-Content-Type-Options", "nosniff");
    response.set_raw_header("Referrer-Policy", "same-origin");
    response.set_raw_header("Cross-Origin-Opener-Policy", "same-origin");
    response.set_raw_header("X-Request-Id", request_id.to_owned());
    if state.config.https() {
        response.set_raw_header("Strict-Transport-Security", "max-age=31536000");
    }
    if !reply.body.is_empty() {
        response.set_sized_body(reply.body.len(), Cursor::new(reply.body));
    }
    response
}
