//! A caller of the application of a test, and its requests.

use std::{cell::Cell, sync::OnceLock};

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use rocket::http::{Header, Method};
use serde::Serialize;

use super::{response::TestResponse, test_app::TestApp};
use crate::{
    Result, Tx,
    state::{Job, Requester},
    web::{cookies::OwnCookie, request::csrf},
};

/// A caller: anonymous, or with a session.
#[derive(Debug)]
pub struct TestUser<'a> {
    app: &'a TestApp,
    session: Option<String>,
}

/// A request before it is sent.
#[derive(Debug)]
#[must_use = "call `send`"]
pub struct TestRequest<'a> {
    user: &'a TestUser<'a>,
    method: Method,
    path: String,
    headers: Vec<(String, String)>,
    site: &'static str,
    body: Vec<u8>,
}

impl<'a> TestUser<'a> {
    pub(super) fn new(app: &'a TestApp, session: Option<String>) -> TestUser<'a> {
        TestUser { app, session }
    }

    /// Sends `GET`, as a program.
    #[track_caller]
    pub fn get(&self, path: &str) -> TestResponse {
        self.request("GET", path).header("Accept", "application/json").send()
    }

    /// Sends `GET`, as a browser.
    #[track_caller]
    pub fn get_page(&self, path: &str) -> TestResponse {
        self.request("GET", path).header("Accept", "text/html").send()
    }

    /// Sends `POST` with JSON.
    #[track_caller]
    pub fn post(&self, path: &str, body: impl Serialize) -> TestResponse {
        self.request("POST", path).json(body).send()
    }

    /// Sends `PUT` with JSON.
    #[track_caller]
    pub fn put(&self, path: &str, body: impl Serialize) -> TestResponse {
        self.request("PUT", path).json(body).send()
    }

    /// Sends `PATCH` with JSON.
    #[track_caller]
    pub fn patch(&self, path: &str, body: impl Serialize) -> TestResponse {
        self.request("PATCH", path).json(body).send()
    }

    /// Sends `DELETE`.
    #[track_caller]
    pub fn delete(&self, path: &str) -> TestResponse {
        self.request("DELETE", path).header("Accept", "application/json").send()
    }

    /// Submits a form with `POST`, as a browser on a page of the application.
    #[track_caller]
    pub fn submit(&self, path: &str, fields: &[(&str, &str)]) -> TestResponse {
        self.request("POST", path).form(fields).send()
    }

    /// A request with any method, headers and body.
    ///
    /// # Panics
    /// If the method is unknown.
    #[track_caller]
    pub fn request(&self, method: &str, path: &str) -> TestRequest<'_> {
        let method = method.parse().unwrap_or_else(|_| panic!("`{method}` is not a method of HTTP"));
        TestRequest { user: self, method, path: path.to_owned(), headers: Vec::new(), site: "same-origin", body: Vec::new() }
    }

    /// Runs `work` in a transaction of this caller, under the access rules.
    ///
    /// # Errors
    /// Those of `work`.
    pub fn tx<T>(&self, mut work: impl FnMut(&mut Tx<'_>) -> Result<T>) -> Result<T> {
        let account = OnceLock::new();
        let requester = Requester {
            session: self.session.as_deref(),
            bearer: None,
            request_id: "dz test",
            without_factor: false,
            account: &account,
            renewed: Cell::new(false),
        };
        self.app.state.run_job(Job::Write, &requester, &mut work)
    }
}

impl TestRequest<'_> {
    /// Adds a header.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Sends the request as a page of another site would, which the protection against CSRF refuses.
    pub fn from_another_site(self) -> Self {
        TestRequest { site: "cross-site", ..self }
    }

    /// Sets a body of JSON.
    ///
    /// # Panics
    /// If the value cannot be written as JSON.
    #[track_caller]
    pub fn json(self, body: impl Serialize) -> Self {
        let body = serde_json::to_vec(&body).unwrap_or_else(|error| panic!("the body cannot be written as JSON: {error}"));
        self.header("Accept", "application/json").body("application/json", body)
    }

    /// Sets the fields of a form, with the token of the session.
    pub fn form(self, fields: &[(&str, &str)]) -> Self {
        let token = csrf::form_token(self.user.session.as_deref());
        let token = [("csrf", token.as_str())].into_iter().filter(|(_, token)| !token.is_empty());
        let encode = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
        let pairs: Vec<String> =
            token.chain(fields.iter().copied()).map(|(name, value)| format!("{}={}", encode(name), encode(value))).collect();
        self.header("Accept", "text/html").body("application/x-www-form-urlencoded", pairs.join("&"))
    }

    /// Sets a body with its content type.
    pub fn body(mut self, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self.header("Content-Type", content_type)
    }

    /// Sends the request.
    pub fn send(self) -> TestResponse {
        let TestApp { client, state, .. } = self.user.app;
        let mut request = client.req(self.method, self.path.clone());
        request.add_header(Header::new("Host", "localhost"));
        request.add_header(Header::new("Sec-Fetch-Site", self.site));
        if let Some(session) = &self.user.session {
            request.add_header(Header::new("Cookie", format!("{}={session}", OwnCookie::Session.name(&state.config))));
        }
        for (name, value) in self.headers {
            request.add_header(Header::new(name, value));
        }
        request.set_body(self.body);
        TestResponse::read(format!("{} {}", self.method, self.path), request.dispatch())
    }
}
