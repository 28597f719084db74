//! From replies and errors to Rocket's responses.

pub(crate) mod catcher;
pub(crate) mod compression;
pub(crate) mod fairing;
pub(crate) mod problem;
pub(crate) mod security_headers;

use std::io::Cursor;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use rocket::{Response, http::Status};

use self::{problem::problem_document, security_headers::security_headers};
use crate::{
    Error,
    output::{log_event, one_line},
    state::State,
    texts,
    web::{Call, Reply, page},
};

/// Characters that `Location` must encode: a header contains only ASCII, and an address no spaces. Existing percent-encoding is kept.
const NOT_IN_ADDRESSES: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'\\').add(b'^').add(b'`').add(b'{').add(b'|').add(b'}');

/// The maximum length of a path in the log.
const LONGEST_PATH: usize = 200;

/// The response to a refused request: a problem document or a page. It also writes the log.
pub(crate) fn refuse(state: &State, call: &Call, error: &Error) -> Reply {
    log_failure(state, call, error);
    if let Some(reply) = crate::web::auth::second_factor::redirect_to_setup(call, error) {
        return reply;
    }
    match call.wants_json {
        true => problem_document(error, &call.request_id),
        false => texts::with(call.texts(), || page::failure_page(state.app, call, error)),
    }
}

/// Logs an internal error, or a summary of refusals in a flood. Other refusals are in the log line of their request.
fn log_failure(state: &State, call: &Call, error: &Error) {
    call.log.note_error(error.code);
    let is_flood = matches!(error.status, 429 | 503) && error.internal.is_none();
    // Repeated refusals of one client are counted, so that they write few lines: each line has the count since the previous one.
    let times = match is_flood {
        true => {
            let who = call.client.map(|client| client.to_string()).unwrap_or_default();
            state.refusals.note(&who, "rate", state.app.account, state.clock.instant())
        }
        false => error.internal.is_some().then_some(1),
    };
    if let Some(times) = times.filter(|_| error.internal.is_some() || !state.quiet) {
        let (method, status, request_id) = (call.method.as_str(), error.status, call.request_id.as_str());
        // The query can contain search texts and tokens of links.
        let path: String = one_line(call.uri.split('?').next().unwrap_or_default()).chars().take(LONGEST_PATH).collect();
        let why = error.internal.as_deref().map_or_else(|| error.code.into(), one_line);
        match error.status {
            500.. => log_event!(error, target: "dz::http", method, path, status, request_id, times, "{why}"),
            _ => log_event!(info, target: "dz::http", method, path, status, request_id, times, "{why}"),
        }
    }
}

/// A reply as Rocket's response.
pub(crate) fn to_response(state: &State, reply: Reply, request_id: &str) -> Response<'static> {
    let mut response = Response::new();
    response.set_status(Status::new(reply.status));
    if !reply.content_type.is_empty() {
        response.set_raw_header("Content-Type", reply.content_type);
    }
    for (name, value) in security_headers(state) {
        if !reply.headers.iter().any(|own| own.0.eq_ignore_ascii_case(name)) {
            response.set_raw_header(name, value);
        }
    }
    response.set_raw_header("X-Request-Id", request_id.to_owned());
    for (name, value) in reply.headers {
        let value = if name == "Location" { utf8_percent_encode(&value, NOT_IN_ADDRESSES).to_string() } else { value };
        response.adjoin_raw_header(name, value);
    }
    if !reply.body.is_empty() {
        response.set_sized_body(reply.body.len(), Cursor::new(reply.body));
    }
    response
}
