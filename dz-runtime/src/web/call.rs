//! A request as data, and its answer as data, so that handlers are plain functions on a blocking thread.

use std::cell::Cell;

use crate::state::Requester;

/// A request, read whole (bodies are bounded) before any database work.
#[derive(Debug, Clone, Default)]
pub struct Call {
    /// `GET`, `POST`, …
    pub method: String,
    /// Decoded path segments.
    pub path: Vec<String>,
    /// The route that answers, for an address of dz.
    pub(crate) found: crate::web::routes::RouteMatch,
    /// Path and query as sent.
    pub uri: String,
    /// Decoded query pairs, in order.
    pub query: Vec<(String, String)>,
    /// Decoded form pairs, in order; empty for other bodies.
    pub form: Vec<(String, String)>,
    /// The body of a JSON request.
    pub json: Option<Vec<u8>>,
    /// The body of a CSV request, or the file of a form.
    pub csv: Option<Vec<u8>>,
    /// Files that came with a form.
    pub uploads: Vec<crate::web::files::upload::UploadedFile>,
    /// Files that were too large for their fields, with what to say of them.
    pub(crate) too_large: Vec<(crate::def::FieldIx, String)>,
    /// The part of the memory of all bodies that this one takes, while the request is served.
    pub(crate) memory: Option<std::sync::Arc<crate::web::request::body_stream::HeldMemory>>,
    /// Value of the session cookie.
    pub session: Option<String>,
    /// The API token of `Authorization: Bearer`.
    pub bearer: Option<String>,
    /// What the client says of itself.
    pub agent: String,
    /// `HX-Request` is set.
    pub htmx: bool,
    /// What the browser keeps that registered an account.
    pub registrant_cookie: Option<String>,
    /// What the browser keeps that is on its way to a provider and back.
    pub oidc_cookie: Option<String>,
    /// What the browser keeps between a password and a code.
    pub mfa_cookie: Option<String>,
    /// A page of another site has caused the request.
    pub cross_site: bool,
    /// `If-Match`, unquoted.
    pub if_match: Option<String>,
    /// The key under which a write is done once, however often it is sent.
    pub idempotency: Option<crate::web::api::idempotency::IdempotencyKey>,
    /// The client wants JSON (`Accept`), or the path is under `/api` or the body is JSON.
    pub wants_json: bool,
    /// Address of the client's socket.
    pub client: Option<std::net::IpAddr>,
    /// Identifies the request in logs and answers.
    pub request_id: String,
    /// The form token that fits the session (for pages to embed).
    pub csrf: String,
    /// The dialect of the markup.
    pub markup: crate::config::Markup,
    /// What the log says of the request.
    pub(crate) log: std::sync::Arc<crate::web::request::request_log::RequestLog>,
}

impl Call {
    /// The nth value of the path, which the route names in braces.
    pub(crate) fn value(&self, nth: usize) -> &str {
        let at = self.found.route().and_then(|route| route.values().nth(nth));
        at.and_then(|at| self.path.get(at)).map_or("", String::as_str)
    }
}

/// An answer.
#[derive(Debug, Default)]
pub struct Reply {
    /// HTTP status.
    pub status: u16,
    /// `Content-Type`; empty without a body.
    pub content_type: &'static str,
    /// Further headers.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// Key of the row that the body shows: a replay of the answer reads it again.
    pub row: Option<crate::Value>,
    /// What follows the body: the rest of an export.
    pub(crate) export: Option<Box<crate::web::api::csv::Export>>,
    /// A stored file in place of the body.
    pub(crate) file: Option<StoredFile>,
}

/// A stored file that is sent.
#[derive(Debug)]
pub(crate) struct StoredFile {
    /// Where it is.
    pub path: std::path::PathBuf,
    /// Bytes that it should have.
    pub size: u64,
}

impl Call {
    /// Who sent the request.
    pub(crate) fn requester(&self) -> Requester<'_> {
        let Call { session, bearer, request_id, .. } = self;
        let without_factor = self.found.route().is_some_and(|route| route.before_factor);
        Requester {
            session: session.as_deref(),
            bearer: bearer.as_deref(),
            request_id,
            without_factor,
            account: &self.log.account,
            renewed: Cell::new(false),
        }
    }

    /// A requester without an account.
    pub(crate) fn anonymous(&self) -> Requester<'_> {
        Requester {
            session: None,
            bearer: None,
            request_id: &self.request_id,
            without_factor: false,
            account: &self.log.account,
            renewed: Cell::new(false),
        }
    }
}

impl Reply {
    /// A page or a fragment.
    pub fn html(status: u16, body: String) -> Reply {
        Reply { status, content_type: "text/html; charset=utf-8", body: body.into_bytes(), ..Reply::default() }
    }

    /// 303 to `location`.
    pub fn see_other(location: impl Into<String>) -> Reply {
        Reply { status: 303, headers: vec![("Location", location.into())], ..Reply::default() }
    }
}

/// A path of this application, for redirects; what could lead elsewhere is none (OWASP Unvalidated Redirects).
pub(crate) fn local_path(path: &str) -> Option<&str> {
    let elsewhere = !path.starts_with('/') || path.starts_with("//") || path.contains('\\') || path.chars().any(char::is_control);
    (!elsewhere).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::local_path;

    #[test]
    fn redirects_lead_only_to_the_application() {
        assert_eq!(local_path("/app/tasks?page=2"), Some("/app/tasks?page=2"));
        for elsewhere in ["//evil.example", "https://evil.example", "/\\evil.example", "", "app", "/a\r\nSet-Cookie: x"] {
            assert_eq!(local_path(elsewhere), None, "{elsewhere:?}");
        }
    }
}
