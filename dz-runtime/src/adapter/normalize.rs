//! Any error in the form in which pages, logs and GraphQL report it.

use std::{collections::BTreeMap, error::Error as StdError, io, time::Duration};

use super::{AdapterError, Category, NormalizedError, Severity, failure::Failure};
use crate::Error;

/// Normalizes an error of a service. `service_name` becomes the prefix of the code.
///
/// Errors of adapters and of dz and timeouts and connection errors of the standard library are recognised, also as the source of
/// another error. Every other error is internal.
///
/// ```
/// use dz_runtime::adapter::{AdapterError, normalize_error};
/// let error = normalize_error(&AdapterError::critical("the ledger is lost"), "Parcel-Carrier v2", Some("r-1"));
/// assert_eq!((error.code.as_str(), error.severity.to_string()), ("PARCEL_CARRIER_V2_CRITICAL", "CRITICAL".to_owned()));
/// ```
pub fn normalize_error(error: &(dyn StdError + 'static), service_name: &str, request_id: Option<&str>) -> NormalizedError {
    let facts = std::iter::successors(Some(error), |error| (*error).source()).find_map(read).unwrap_or_else(Facts::internal);
    let (category, severity, code, user_message) = facts.class.describe(service_name);
    NormalizedError {
        code: format!("{}_{code}", prefix(service_name)),
        category,
        severity,
        service: service_name.to_owned(),
        status_code: facts.status,
        user_message,
        retry_after: facts.retry_after.map(|delay| delay.as_secs() + u64::from(delay.subsec_nanos() > 0)),
        field_errors: facts.field_errors,
        request_id: request_id.map(str::to_owned),
    }
}

/// The name in upper case, with one `_` for each run of other characters.
fn prefix(service: &str) -> String {
    let words = service.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_uppercase).collect::<Vec<_>>().join("_")
}

/// The rows of the table of codes.
enum Class {
    Authentication,
    Authorization,
    Validation,
    NotFound,
    RateLimit,
    Timeout,
    Client,
    Server,
    Internal,
    Critical,
}

impl Class {
    fn of_status(status: u16, has_fields: bool) -> Class {
        match status {
            401 => Class::Authentication,
            403 => Class::Authorization,
            404 => Class::NotFound,
            400 | 422 if has_fields => Class::Validation,
            429 => Class::RateLimit,
            500.. => Class::Server,
            _ => Class::Client,
        }
    }

    fn describe(&self, service: &str) -> (Category, Severity, &'static str, String) {
        let (category, severity, code, text) = match self {
            Class::Authentication => (Category::Authentication, Severity::Warning, "AUTHENTICATION_REQUIRED", "needs a new sign-in"),
            Class::Authorization => (Category::Authorization, Severity::Warning, "ACCESS_DENIED", "does not permit this"),
            Class::Validation => (Category::Validation, Severity::Info, "VALIDATION_ERROR", "does not accept some fields"),
            Class::NotFound => (Category::NotFound, Severity::Info, "NOT_FOUND", "does not have this"),
            Class::RateLimit => {
                (Category::RateLimit, Severity::Warning, "RATE_LIMIT_EXCEEDED", "received too many requests. Try again later")
            }
            Class::Timeout => (Category::Timeout, Severity::Warning, "TIMEOUT", "did not answer in time. Try again"),
            Class::Client => (Category::ExternalService, Severity::Warning, "CLIENT_ERROR", "refused the request"),
            Class::Server => (Category::ExternalService, Severity::Error, "SERVER_ERROR", "is not available. Try again later"),
            Class::Internal => {
                return (Category::Internal, Severity::Error, "INTERNAL_ERROR", "Something went wrong on our side.".to_owned());
            }
            Class::Critical => {
                let text = "Something went wrong on our side. The operators must act before you can continue.";
                return (Category::Internal, Severity::Critical, "CRITICAL", text.to_owned());
            }
        };
        (category, severity, code, format!("{service} {text}."))
    }
}

/// What an error says.
struct Facts {
    class: Class,
    status: Option<u16>,
    field_errors: BTreeMap<String, Vec<String>>,
    retry_after: Option<Duration>,
}

impl Facts {
    fn new(class: Class) -> Facts {
        Facts { class, status: None, field_errors: BTreeMap::new(), retry_after: None }
    }

    fn internal() -> Facts {
        Facts::new(Class::Internal)
    }

    fn of_failure(failure: &Failure) -> Facts {
        match failure {
            Failure::Status { status, field_errors, retry_after } => Facts {
                class: Class::of_status(*status, !field_errors.is_empty()),
                status: Some(*status),
                field_errors: field_errors.clone(),
                retry_after: *retry_after,
            },
            Failure::Decode { status, .. } => Facts { status: Some(*status), ..Facts::internal() },
            Failure::Timeout => Facts::new(Class::Timeout),
            Failure::Connection(_) | Failure::Broken(_) => Facts::new(Class::Server),
            Failure::CircuitOpen(rest) => Facts { retry_after: Some(*rest), ..Facts::new(Class::Server) },
            Failure::Request(_) => Facts::internal(),
            Failure::Critical(_) => Facts::new(Class::Critical),
        }
    }

    fn of_own(error: &Error) -> Facts {
        let class = match error.status {
            500 => Class::Internal,
            status => Class::of_status(status, !error.field_errors.is_empty()),
        };
        let retry_after = error.retry_after.map(|seconds| Duration::from_secs(seconds.into()));
        Facts { class, status: Some(error.status), field_errors: error.field_errors.clone(), retry_after }
    }
}

fn read(error: &(dyn StdError + 'static)) -> Option<Facts> {
    if let Some(error) = error.downcast_ref::<AdapterError>() {
        return Some(Facts::of_failure(error.cause()));
    }
    if let Some(error) = error.downcast_ref::<Error>() {
        return Some(Facts::of_own(error));
    }
    let error = error.downcast_ref::<io::Error>()?;
    match error.kind() {
        io::ErrorKind::TimedOut => Some(Facts::new(Class::Timeout)),
        io::ErrorKind::ConnectionRefused
        | io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::NotConnected
        | io::ErrorKind::HostUnreachable
        | io::ErrorKind::NetworkUnreachable
        | io::ErrorKind::BrokenPipe => Some(Facts::new(Class::Server)),
        // The source of such an error is that of the error inside it.
        _ => read(error.get_ref()?),
    }
}
