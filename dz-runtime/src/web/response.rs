//! From replies and errors to Rocket's responses, with the headers of every response.

pub(crate) mod catcher;
pub(crate) mod compression;
pub(crate) mod fairing;
pub(crate) mod problem;

use std::io::Cursor;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use rocket::{
    Response,
    http::{Cookie, SameSite, Status},
    time::Duration,
};

use crate::{
    Error,
    output::{log_event, one_line},
    state::State,
    texts,
    web::{Call, Reply, page, response::problem::problem_document},
};

const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; font-src 'self'; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; report-uri /-/reports";

/// The features of browsers that no page of dz uses. A custom route that uses one sets the header itself.
const PERMISSIONS_POLICY: &str = "accelerometer=(), autoplay=(), camera=(), display-capture=(), encrypted-media=(), fullscreen=(), \
                           geolocation=(), gyroscope=(), hid=(), idle-detection=(), magnetometer=(), microphone=(), midi=(), payment=(), \
                           picture-in-picture=(), publickey-credentials-get=(), screen-wake-lock=(), serial=(), usb=(), \
                           xr-spatial-tracking=()";

/// Characters that `Location` must encode: a header contains only ASCII, and an address no spaces. Existing percent-encoding is kept.
const NOT_IN_ADDRESSES: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'\\').add(b'^').add(b'`').add(b'{').add(b'|').add(b'}');

/// The maximum length of a path in the log.
const LONGEST_PATH: usize = 200;

/// One year, including subdomains, as ASVS 3.4.1 requires.
const HSTS: &str = "max-age=31536000; includeSubDomains";

/// The lifetime of a session cookie in the browser, in seconds; the server can end the session earlier.
const COOKIE_AGE: i64 = 7 * 86_400;

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

/// The headers of every response that does not set them itself.
fn security_headers(state: &State) -> impl Iterator<Item = (&'static str, &'static str)> {
    let always = [
        ("Cache-Control", "no-store"),
        ("Content-Security-Policy", CONTENT_SECURITY_POLICY),
        ("X-Content-Type-Options", "nosniff"),
        // The equivalent of `frame-ancestors 'none'` for older browsers.
        ("X-Frame-Options", "DENY"),
        ("Permissions-Policy", PERMISSIONS_POLICY),
        ("Referrer-Policy", "same-origin"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ];
    always.into_iter().chain(state.config.https().then_some(("Strict-Transport-Security", HSTS)))
}

/// Adds these headers to the response of a custom route. Responses of dz have them from the start, because no fairing runs for a request
/// that Rocket cannot parse.
pub(crate) fn add_security_headers(state: &State, response: &mut Response<'_>, request_id: &str) {
    for (name, value) in security_headers(state) {
        if !response.headers().contains(name) {
            response.set_raw_header(name, value);
        }
    }
    if !response.headers().contains("X-Request-Id") {
        response.set_raw_header("X-Request-Id", request_id.to_owned());
    }
}

/// The header that sets the session cookie, or without a token deletes it.
pub(crate) fn session_cookie(state: &State, token: Option<&str>) -> (&'static str, String) {
    build_cookie(state, state.config.session_cookie(), token, COOKIE_AGE)
}

/// The header that sets a cookie with a lifetime, which scripts cannot read; without a value it deletes the cookie.
pub(crate) fn build_cookie(state: &State, name: &str, value: Option<&str>, seconds: i64) -> (&'static str, String) {
    let (value, age) = value.map_or(("", 0), |value| (value, seconds));
    let cookie = Cookie::build((name, value)).path("/").http_only(true).same_site(SameSite::Lax).max_age(Duration::seconds(age));
    ("Set-Cookie", cookie.secure(state.config.https()).to_string())
}

/// Renews the session cookie, unless the response changes it.
pub(crate) fn renew_session_cookie(state: &State, response: &mut Response<'_>, token: &str) {
    let name = state.config.session_cookie();
    let is_own = |line: &str| Cookie::parse(line).is_ok_and(|cookie| cookie.name() == name);
    if !response.headers().get("Set-Cookie").any(is_own) {
        let (header, value) = session_cookie(state, Some(token));
        response.adjoin_raw_header(header, value);
    }
}
