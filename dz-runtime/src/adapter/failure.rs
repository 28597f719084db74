//! Why a call failed.

use std::{collections::BTreeMap, error, fmt, time::Duration};

use super::{TransportError, TransportResponse, field_errors};

/// The error of a failed call.
#[derive(Debug, Clone, PartialEq)]
pub struct AdapterError(Failure);

impl AdapterError {
    /// The status of the response, if there was one.
    pub fn status_code(&self) -> Option<u16> {
        match &self.0 {
            Failure::Status { status, .. } | Failure::Decode { status, .. } => Some(*status),
            Failure::Timeout
            | Failure::Connection(_)
            | Failure::Broken(_)
            | Failure::CircuitOpen(_)
            | Failure::Request(_)
            | Failure::Critical(_) => None,
        }
    }

    /// An error after which the work cannot continue, for example lost data. The text goes to the log.
    pub fn critical(text: impl Into<String>) -> AdapterError {
        AdapterError(Failure::Critical(text.into()))
    }

    /// True if a repetition of the request can succeed.
    pub(crate) fn is_temporary(&self) -> bool {
        // A body with another form, such as a page of a gateway.
        let is_unreadable = matches!(self.0, Failure::Decode { .. });
        self.0.is_of_service() || is_unreadable || self.status_code() == Some(408)
    }

    /// True if the request took longer than its timeout.
    pub(crate) fn is_timeout(&self) -> bool {
        matches!(self.0, Failure::Timeout)
    }

    /// The delay that the service asks for.
    pub(crate) fn retry_after(&self) -> Option<Duration> {
        if let Failure::Status { retry_after, .. } = self.0 { retry_after } else { None }
    }

    pub(super) fn cause(&self) -> &Failure {
        &self.0
    }
}

impl fmt::Display for AdapterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl error::Error for AdapterError {}

impl From<Failure> for AdapterError {
    fn from(failure: Failure) -> AdapterError {
        AdapterError(failure)
    }
}

/// The causes of failed calls.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Failure {
    /// A response that is not a success.
    Status { status: u16, field_errors: BTreeMap<String, Vec<String>>, retry_after: Option<Duration> },
    /// A successful response whose body has another form.
    Decode { status: u16, problem: String },
    /// The request took longer than its timeout.
    Timeout,
    /// No connection was made, so the service did nothing.
    Connection(String),
    /// The connection broke after the request was sent, or the response is not HTTP.
    Broken(String),
    /// The circuit breaker is open for this time.
    CircuitOpen(Duration),
    /// The request cannot be made.
    Request(String),
    /// The work cannot continue.
    Critical(String),
}

impl Failure {
    /// A successful response, or the failure that it reports.
    pub(super) fn check(response: TransportResponse) -> Result<TransportResponse, Failure> {
        let status = response.status;
        if (200..300).contains(&status) {
            return Ok(response);
        }
        let field_errors = if matches!(status, 400 | 422) { field_errors::read(&response.body) } else { BTreeMap::new() };
        let retry_after = if matches!(status, 429 | 503) { response.retry_after() } else { None };
        Err(Failure::Status { status, field_errors, retry_after })
    }

    /// True if the service caused the failure, and not the request.
    pub(super) fn is_of_service(&self) -> bool {
        match self {
            Failure::Status { status, .. } => *status >= 500 || *status == 429,
            Failure::Timeout | Failure::Connection(_) | Failure::Broken(_) => true,
            Failure::Decode { .. } | Failure::CircuitOpen(_) | Failure::Request(_) | Failure::Critical(_) => false,
        }
    }
}

impl From<TransportError> for Failure {
    fn from(error: TransportError) -> Failure {
        match error {
            TransportError::Timeout => Failure::Timeout,
            TransportError::Connection(problem) => Failure::Connection(problem),
            TransportError::Broken(problem) => Failure::Broken(problem),
            TransportError::Request(problem) => Failure::Request(problem),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Status { status, .. } => write!(f, "the service answered with status {status}"),
            Failure::Decode { status, problem } => write!(f, "the body of the response with status {status} has another form: {problem}"),
            Failure::Timeout => f.write_str("the service did not answer in time"),
            Failure::Connection(problem) => write!(f, "no connection to the service: {problem}"),
            Failure::Broken(problem) => write!(f, "the connection to the service broke: {problem}"),
            Failure::CircuitOpen(rest) => write!(f, "the service failed repeatedly; the next call is possible in {} s", rest.as_secs() + 1),
            Failure::Request(problem) | Failure::Critical(problem) => f.write_str(problem),
        }
    }
}
