//! A response to the request of a test, and assertions on it.

use rocket::local::blocking::LocalResponse;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

/// A response.
#[derive(Debug, Clone)]
pub struct TestResponse {
    /// The method and the path of the request, for messages.
    request: String,
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

/// A problem document (RFC 9457) in a response.
#[derive(Debug, Clone)]
pub struct Problem(Json);

impl TestResponse {
    pub(super) fn read(request: String, response: LocalResponse<'_>) -> TestResponse {
        let headers = response.headers().iter().map(|header| (header.name().as_str().to_owned(), header.value().to_owned())).collect();
        let status = response.status().code;
        TestResponse { request, status, headers, body: response.into_bytes().unwrap_or_default() }
    }

    /// The status.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// The first header with this name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The body.
    pub fn bytes(&self) -> &[u8] {
        &self.body
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON.
    ///
    /// # Panics
    /// If it is not JSON.
    #[track_caller]
    pub fn json(&self) -> Json {
        self.parse()
    }

    /// The body, read as a type.
    ///
    /// # Panics
    /// If it has another form.
    #[track_caller]
    pub fn parse<T: DeserializeOwned>(&self) -> T {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}{}", self.describe()))
    }

    /// The value of a member of a JSON object.
    ///
    /// # Panics
    /// If the body is not an object with this member.
    #[track_caller]
    pub fn member(&self, name: &str) -> Json {
        let body = self.json();
        body.get(name).cloned().unwrap_or_else(|| panic!("the response has no member `{name}`{}", self.describe()))
    }

    /// Checks the status.
    ///
    /// # Panics
    /// If it is another one.
    #[track_caller]
    pub fn assert_status(&self, status: u16) -> &TestResponse {
        assert!(self.status == status, "expected status {status}{}", self.describe());
        self
    }

    /// Checks the status and the code of a problem document, and returns it.
    ///
    /// # Panics
    /// If the response is not such a document.
    #[track_caller]
    pub fn assert_problem(&self, status: u16, code: &str) -> Problem {
        self.assert_status(status);
        let is_problem = self.header("Content-Type").is_some_and(|it| it.starts_with("application/problem+json"));
        assert!(is_problem, "expected a problem document{}", self.describe());
        let problem = Problem(self.json());
        assert!(problem.0["code"] == code, "expected the code {code}{}", self.describe());
        problem
    }

    /// Checks that it is a redirect to this address.
    ///
    /// # Panics
    /// If it is not.
    #[track_caller]
    pub fn assert_redirect(&self, to: &str) -> &TestResponse {
        assert!((300..400).contains(&self.status), "expected a redirect{}", self.describe());
        assert!(self.header("Location") == Some(to), "expected a redirect to {to}, not {:?}", self.header("Location"));
        self
    }

    /// Checks that the body contains a text.
    ///
    /// # Panics
    /// If it does not.
    #[track_caller]
    pub fn assert_contains(&self, text: &str) -> &TestResponse {
        assert!(self.text().contains(text), "expected the text `{text}`{}", self.describe());
        self
    }

    /// Checks that the body does not contain a text.
    ///
    /// # Panics
    /// If it does.
    #[track_caller]
    pub fn assert_lacks(&self, text: &str) -> &TestResponse {
        assert!(!self.text().contains(text), "unexpected text `{text}`{}", self.describe());
        self
    }

    fn describe(&self) -> String {
        format!(" in the response to {}: {} {}", self.request, self.status, self.text())
    }
}

impl Problem {
    /// The sentence about the cause.
    pub fn detail(&self) -> &str {
        self.0["detail"].as_str().unwrap_or_default()
    }

    /// The messages at a field.
    pub fn field_errors(&self, field: &str) -> Vec<&str> {
        self.0["field_errors"][field].as_array().into_iter().flatten().filter_map(Json::as_str).collect()
    }

    /// Checks that the sentence about the cause contains a text.
    ///
    /// # Panics
    /// If it does not.
    #[track_caller]
    pub fn assert_detail(&self, text: &str) -> &Problem {
        assert!(self.detail().contains(text), "expected the detail `{text}` in {}", self.0);
        self
    }

    /// Checks that a field has this error.
    ///
    /// # Panics
    /// If it does not.
    #[track_caller]
    pub fn assert_field(&self, field: &str, message: &str) -> &Problem {
        assert!(self.field_errors(field).contains(&message), "expected `{message}` at the field `{field}` in {}", self.0);
        self
    }
}
