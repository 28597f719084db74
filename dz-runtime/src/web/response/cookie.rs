//! The cookies of dz: their attributes, and the renewal of the session cookie.

use rocket::{
    Response,
    http::{Cookie, SameSite},
    time::Duration,
};

use crate::state::State;

/// The lifetime of a session cookie in the browser, in seconds; the server can end the session earlier.
const COOKIE_AGE: i64 = 7 * 86_400;

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
