//! From replies and errors to Rocket's responses, with the headers that every answer carries.

use std::io::Cursor;

use rocket::{Response, http::Status};

use super::{Call, Reply, problem::problem, state::State};
use crate::{Error, page};

const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; font-src 'self'; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Seconds that browsers keep a session's cookie after it was given; the server has the last word.
const COOKIE_AGE: u32 = 7 * 86_400;

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
    for (name, value) in reply.headers {
        response.adjoin_raw_header(name, value);
    }
    if !reply.body.is_empty() {
        response.set_sized_body(reply.body.len(), Cursor::new(reply.body));
    }
    // The fairing knows such an answer by its note; and what Rocket cannot read meets no fairing.
    dress(state, &mut response, request_id);
    response
}

/// Adds the headers that every answer carries; what a custom route has set itself stays.
pub(crate) fn dress(state: &State, response: &mut Response<'_>, request_id: &str) {
    let mut add = |name: &'static str, value: &'static str| {
        if !response.headers().contains(name) {
            response.set_raw_header(name, value);
        }
    };
    add("Cache-Control", "no-store");
    add("Content-Security-Policy", POLICY);
    add("X-Content-Type-Options", "nosniff");
    add("Referrer-Policy", "same-origin");
    add("Cross-Origin-Opener-Policy", "same-origin");
    if state.config.https() {
        add("Strict-Transport-Security", "max-age=31536000");
    }
    if !response.headers().contains("X-Request-Id") {
        response.set_raw_header("X-Request-Id", request_id.to_owned());
    }
}

/// The header that gives a browser its session; without a token, the one that takes it away.
pub(crate) fn cookie(state: &State, token: Option<&str>) -> (&'static str, String) {
    let secure = if state.config.https() { "; Secure" } else { "" };
    let (token, age) = token.map_or(("", 0), |token| (token, COOKIE_AGE));
    ("Set-Cookie", format!("{}={token}; Path=/; HttpOnly; SameSite=Lax; Max-Age={age}{secure}", state.config.cookie()))
}

/// Gives a session's cookie again, unless the answer changes it anyway.
pub(crate) fn renew(state: &State, response: &mut Response<'_>, token: &str) {
    let name = state.config.cookie();
    let is_own = |line: &str| line.strip_prefix(name).is_some_and(|rest| rest.starts_with('='));
    if !response.headers().get("Set-Cookie").any(is_own) {
        let (header, value) = cookie(state, Some(token));
        response.adjoin_raw_header(header, value);
    }
}
