//! The cookies of dz: their names and attributes, and the renewal of the session cookie.

use rocket::{
    Response,
    http::{Cookie, SameSite},
    time::Duration,
};

use crate::{config::Config, state::State};

/// The lifetime of a session cookie in the browser, in seconds; the server can end the session earlier.
const COOKIE_AGE: i64 = 7 * 86_400;

/// A cookie that dz sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OwnCookie {
    /// The session.
    Session,
    /// The browser between the password and the second factor.
    PendingSignIn,
    /// The authorization request at a provider.
    Authorization,
    /// The browser of a registration.
    Registration,
}

impl OwnCookie {
    /// The name of the cookie. With the prefix, browsers require `Secure`, this host and the path `/`.
    pub(crate) fn name(self, config: &Config) -> &'static str {
        self.name_for(config.https())
    }

    fn name_for(self, is_https: bool) -> &'static str {
        match (self, is_https) {
            (OwnCookie::Session, true) => "__Host-dz_session",
            (OwnCookie::Session, false) => "dz_session",
            (OwnCookie::PendingSignIn, true) => "__Host-dz_step",
            (OwnCookie::PendingSignIn, false) => "dz_step",
            (OwnCookie::Authorization, true) => "__Host-dz_authorization",
            (OwnCookie::Authorization, false) => "dz_authorization",
            (OwnCookie::Registration, true) => "__Host-dz_registered",
            (OwnCookie::Registration, false) => "dz_registered",
        }
    }

    /// The header that sets the cookie with a lifetime in seconds, so that scripts cannot read it; without a value it deletes the cookie.
    pub(crate) fn header(self, state: &State, value: Option<&str>, seconds: i64) -> (&'static str, String) {
        let (value, age) = value.map_or(("", 0), |value| (value, seconds));
        let cookie = Cookie::build((self.name(&state.config), value))
            .path("/")
            .http_only(true)
            .same_site(SameSite::Lax)
            .max_age(Duration::seconds(age));
        ("Set-Cookie", cookie.secure(state.config.https()).to_string())
    }
}

/// The header that sets the session cookie, or without a token deletes it.
pub(crate) fn session_cookie(state: &State, token: Option<&str>) -> (&'static str, String) {
    OwnCookie::Session.header(state, token, COOKIE_AGE)
}

/// Renews the session cookie, unless the response changes it.
pub(crate) fn renew_session_cookie(state: &State, response: &mut Response<'_>, token: &str) {
    let name = OwnCookie::Session.name(&state.config);
    let is_own = |line: &str| Cookie::parse(line).is_ok_and(|cookie| cookie.name() == name);
    if !response.headers().get("Set-Cookie").any(is_own) {
        let (header, value) = session_cookie(state, Some(token));
        response.adjoin_raw_header(header, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behind_https_a_cookie_belongs_to_its_host() {
        for cookie in [OwnCookie::Session, OwnCookie::PendingSignIn, OwnCookie::Authorization, OwnCookie::Registration] {
            assert_eq!(cookie.name_for(true).strip_prefix("__Host-"), Some(cookie.name_for(false)));
        }
    }
}
