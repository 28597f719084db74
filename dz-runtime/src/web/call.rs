//! A request and its response as data, so that handlers are plain functions on a blocking thread.

use std::{cell::Cell, sync::OnceLock};

use crate::state::Requester;

/// A request. Its bounded body is read before any database work.
#[derive(Debug, Clone, Default)]
pub struct Call {
    /// `GET`, `POST`, …
    pub method: String,
    /// Decoded path segments.
    pub path: Vec<String>,
    /// The route of the request.
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
    /// Files of a form.
    pub uploads: Vec<crate::web::files::upload::UploadedFile>,
    /// The parts of the form with files that exceed the limit of their field, with the error text.
    pub(crate) too_large: Vec<(String, String)>,
    /// The share of this body in the memory for all bodies; it is held while the request is served.
    pub(crate) memory: Option<std::sync::Arc<crate::web::request::body_stream::HeldMemory>>,
    /// Value of the session cookie.
    pub session: Option<String>,
    /// The API token of `Authorization: Bearer`.
    pub bearer: Option<String>,
    /// The user agent.
    pub agent: String,
    /// The client accepts gzip.
    pub gzip: bool,
    /// `HX-Request` is set.
    pub htmx: bool,
    /// The address of the page with the link or the form, if it is sent.
    pub referer: Option<String>,
    /// The cookie of the browser that registered an account.
    pub registrant_cookie: Option<String>,
    /// The cookie of an authorization request at a provider.
    pub oidc_cookie: Option<String>,
    /// The cookie of a pending sign-in, between the password and the code.
    pub mfa_cookie: Option<String>,
    /// Another site caused the request.
    pub cross_site: bool,
    /// `If-Match`, unquoted.
    pub if_match: Option<String>,
    /// `If-None-Match`.
    pub if_none_match: Option<String>,
    /// The idempotency key of a write.
    pub idempotency: Option<crate::web::api::idempotency::IdempotencyKey>,
    /// A write with a key that began before its body was read; it runs while the request is served.
    pub(crate) running: Option<std::sync::Arc<crate::web::api::idempotency::RunningWrite>>,
    /// The response must be JSON: by `Accept`, by a path under `/api`, or by a JSON body.
    pub wants_json: bool,
    /// The client accepts the media type of GraphQL, whose status shows whether the document was executed.
    pub graphql_response: bool,
    /// The client accepts server-sent events, perhaps beside other media types.
    pub event_stream: bool,
    /// The client accepts server-sent events and no JSON.
    pub only_events: bool,
    /// Address of the client's socket.
    pub client: Option<std::net::IpAddr>,
    /// Identifies the request in logs and answers.
    pub request_id: String,
    /// The form token of the session, for the forms of pages.
    pub csrf: String,
    /// The language of the page by the headers of the request; `None` for a response to a program.
    pub(crate) language: Option<crate::languages::Language>,
    /// The language that the account has chosen, once its session is known.
    pub(crate) chosen_language: std::sync::Arc<OnceLock<crate::languages::Language>>,
    /// The dialect of the markup.
    pub markup: crate::config::Markup,
    /// The largest number of nodes and edges in a result about a graph.
    pub graph_limit: u64,
    /// The time that a result about a graph can take.
    pub graph_time: std::time::Duration,
    /// The number of open tasks in the inbox of the caller, for the navigation.
    pub(crate) open_tasks: std::sync::Arc<std::sync::atomic::AtomicU64>,
    /// The log entry of the request.
    pub(crate) log: std::sync::Arc<crate::web::request::request_log::RequestLog>,
}

impl Call {
    /// The language of the page: that of the account, or else that of the request.
    pub(crate) fn page_language(&self) -> Option<crate::languages::Language> {
        self.language.map(|asked| self.chosen_language.get().copied().unwrap_or(asked))
    }

    /// The texts of the language of the page.
    pub(crate) fn texts(&self) -> Option<&'static crate::texts::Texts> {
        self.page_language().and_then(|language| language.texts)
    }

    /// The nth value in the path, which the route names in braces.
    pub(crate) fn value(&self, nth: usize) -> &str {
        let at = self.found.route().and_then(|route| route.values().nth(nth));
        at.and_then(|at| self.path.get(at)).map_or("", String::as_str)
    }
}

/// A response.
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
    /// What a replay of the response is made of, if it is not the body.
    pub(crate) stored: Option<String>,
    /// The key of the row in the body: a replay of the response reads it again.
    pub row: Option<crate::Value>,
    /// The rest of an export, which follows the body.
    pub(crate) export: Option<Box<crate::web::api::csv::Export>>,
    /// A stored file in place of the body.
    pub(crate) file: Option<StoredFile>,
    /// The subscription whose events are the body.
    #[cfg(feature = "graphql")]
    pub(crate) events: Option<Box<crate::web::graphql::subscription::Subscription>>,
}

/// A stored file as the body of a response.
#[derive(Debug)]
pub(crate) struct StoredFile {
    /// Its name in the storage.
    pub stored: String,
    /// The expected number of bytes.
    pub size: u64,
}

impl Call {
    /// The sender of the request.
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

    /// The request without its session and token.
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

/// A path of this application, for redirects; `None` for a path that could lead to another site (OWASP Unvalidated Redirects).
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
