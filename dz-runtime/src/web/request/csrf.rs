//! Protection against cross-site request forgery: an unsafe request must state its origin or contain the form token (OWASP CSRF
//! Prevention Cheat Sheet; Fetch Metadata).

use rocket::Request;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::{Error, Result, config::Config, web::request::headers::Headers};

/// The headers with the origin of a request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Origin {
    pub site: Option<String>,
    pub origin: Option<String>,
    pub host: Option<String>,
    pub authorization: bool,
    pub header_token: Option<String>,
}

impl Origin {
    pub fn from_request(request: &Request<'_>) -> Origin {
        let headers = Headers::from_request(request);
        let header = |name: &str| headers.first(name).map(str::to_owned);
        Origin {
            site: header("Sec-Fetch-Site"),
            origin: header("Origin"),
            host: header("Host"),
            authorization: headers.first("Authorization").is_some(),
            header_token: header("X-CSRF-Token"),
        }
    }
}

/// The form token of a session, which is derived from the session's token.
pub(crate) fn form_token(session: Option<&str>) -> String {
    let Some(session) = session else { return String::new() };
    format!("{:x}", Sha256::new().chain_update(b"dz form token\0").chain_update(session).finalize())
}

/// The form parameter with the token in the form of an entity with a field that is called `csrf`.
pub(crate) const PREFIXED_TOKEN: &str = "dz.csrf";

/// The token of a form.
pub(crate) fn find_token(form: &[(String, String)]) -> Option<&str> {
    let of = |wanted: &str| form.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str());
    of(PREFIXED_TOKEN).or_else(|| of("csrf"))
}

/// Refuses an unsafe request of another site.
pub(crate) fn check(config: &Config, from: &Origin, session: Option<&str>, form_token: Option<&str>) -> Result<()> {
    if from.authorization {
        return Ok(());
    }
    let refused =
        || Err(Error::new(403, "CSRF", "This request does not come from a page of this application; reload the page and try again"));
    match (&from.site, &from.origin) {
        (Some(site), _) if matches!(site.as_str(), "same-origin" | "none") => Ok(()),
        (Some(_), _) => refused(),
        (None, Some(origin)) if is_own(config, origin, from.host.as_deref()) => Ok(()),
        (None, Some(_)) => refused(),
        (None, None) => {
            let Some(session) = session else { return Ok(()) };
            let sent = form_token.or(from.header_token.as_deref()).unwrap_or_default();
            // The part after the dot is the tenant of the form.
            let sent = sent.split_once('.').map_or(sent, |(token, _)| token);
            let fits: bool = sent.as_bytes().ct_eq(self::form_token(Some(session)).as_bytes()).into();
            if fits { Ok(()) } else { refused() }
        }
    }
}

/// Without a configured public address, the own host is that of the Host header.
fn is_own(config: &Config, origin: &str, host: Option<&str>) -> bool {
    match &config.settings.public_url {
        Some(url) => url.origin().ascii_serialization() == origin,
        None => host.is_some_and(|host| origin == format!("http://{host}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(public_url: Option<&str>) -> Config {
        let mut config = Config::for_tests();
        config.settings.public_url = public_url.map(|url| url.parse().unwrap());
        config
    }

    #[track_caller]
    fn passes(public: Option<&str>, site: Option<&str>, origin: Option<&str>, session: Option<&str>, form: Option<&str>, expected: bool) {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        let from = Origin { site: owned(site), origin: owned(origin), host: Some("tasks.local:8000".to_owned()), ..Origin::default() };
        assert_eq!(check(&config(public), &from, session, form).is_ok(), expected);
    }

    #[test]
    fn requests_of_other_sites_are_refused_by_origin() {
        let good = form_token(Some("s"));
        passes(None, Some("same-origin"), None, Some("s"), None, true);
        passes(None, Some("none"), Some("https://evil.example"), Some("s"), None, true);
        for site in ["cross-site", "same-site", "nonsense"] {
            passes(None, Some(site), Some("http://tasks.local:8000"), Some("s"), Some(&good), false);
        }
        passes(None, None, Some("http://tasks.local:8000"), Some("s"), None, true);
        passes(None, None, Some("http://evil.example"), None, Some(&good), false);
        passes(None, None, Some("null"), Some("s"), Some(&good), false);
        passes(Some("https://tasks.example"), None, Some("https://tasks.example"), Some("s"), None, true);
        passes(Some("https://tasks.example"), None, Some("http://tasks.local:8000"), Some("s"), None, false);
        passes(None, None, None, Some("s"), Some(&good), true);
        passes(None, None, None, Some("s"), Some("wrong"), false);
        passes(None, None, None, Some("s"), None, false);
        passes(None, None, None, None, None, true);
    }
}
