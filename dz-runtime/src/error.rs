//! Errors and refusals, as responses report them.

mod normalized;

use std::{collections::BTreeMap, fmt};

use serde::{Serialize, Serializer};

use crate::Value;

pub use normalized::NormalizedError;

/// The result of operations for a caller.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A refusal or failure, with everything that a problem document (RFC 9457) contains.
///
/// ```
/// use dz_runtime::Error;
/// let error = Error::validation("ends_at", "must be after starts_at");
/// assert_eq!(error.status, 422);
/// assert_eq!(error.field_errors["ends_at"], ["must be after starts_at"]);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Error {
    /// HTTP status.
    pub status: u16,
    /// Upper-case identifier, e.g. `NOT_FOUND`.
    pub code: &'static str,
    /// One sentence for a user, without internals.
    pub detail: String,
    /// The errors of each field.
    pub field_errors: BTreeMap<String, Vec<String>>,
    /// For 405: the methods that are allowed.
    pub allow: Option<Box<str>>,
    /// For 429 and 503: seconds to wait.
    pub retry_after: Option<u16>,
    /// Further text for the log, which no response contains.
    pub internal: Option<Box<str>>,
    /// For refusals by access rules: the refused action, for the audit log.
    pub(crate) denied: Option<Box<Denied>>,
    /// The step that dz must do before the error can become a response.
    pub(crate) unresolved: Option<Box<Unresolved>>,
}

/// The reason why an error is not final: dz can add information, or remove the cause and repeat the operation.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Unresolved {
    /// A violated constraint whose columns are not known yet.
    Constraint(String),
    /// The row of this singleton does not exist, and the connection, which only reads, cannot create it.
    MissingSingleton(u16),
}

/// A refused action.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Denied {
    /// The position of the entity in the application.
    pub entity: u16,
    pub action: &'static str,
    /// The key of the row, if the action concerns one.
    pub row: Option<Value>,
    /// What refused, if it is not a rule of the entity: a transition that the row cannot make, or only callers with other roles.
    pub rule: Option<String>,
    /// In development: the rule that refused and the reason, if they were recorded.
    pub why: Option<String>,
}

/// Declares an enumeration whose variants are displayed and serialised as upper-case names.
macro_rules! upper_case {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(missing_docs, reason = "the names are those of the values")]
        pub enum $name {
            $($variant,)*
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    $($name::$variant => $text,)*
                })
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
    };
}

upper_case! {
    /// The kind of an error, which determines how a client can react.
    Category {
        Authentication = "AUTHENTICATION",
        Authorization = "AUTHORIZATION",
        Validation = "VALIDATION",
        RateLimit = "RATE_LIMIT",
        NotFound = "NOT_FOUND",
        Timeout = "TIMEOUT",
        ExternalService = "EXTERNAL_SERVICE",
        Internal = "INTERNAL",
    }
}

upper_case! {
    /// The severity of an error.
    Severity {
        Info = "INFO",
        Warning = "WARNING",
        Error = "ERROR",
        Critical = "CRITICAL",
    }
}

impl Error {
    /// An error with a status, a code and a sentence.
    pub fn new(status: u16, code: &'static str, detail: impl Into<String>) -> Self {
        Error {
            status,
            code,
            detail: detail.into(),
            field_errors: BTreeMap::new(),
            allow: None,
            retry_after: None,
            internal: None,
            denied: None,
            unresolved: None,
        }
    }

    /// 422 `VALIDATION` at one field.
    pub fn validation(field: &str, message: impl Into<String>) -> Self {
        Error::new(422, "VALIDATION", say!("dz-some-fields-need-a-change", "Some fields need a change")).at(field, message)
    }

    /// 400 `BAD_REQUEST`.
    pub fn bad_request(detail: impl Into<String>) -> Self {
        Error::new(400, "BAD_REQUEST", detail)
    }

    /// 401 `AUTHENTICATION_REQUIRED`.
    pub fn unauthenticated() -> Self {
        Error::new(401, "AUTHENTICATION_REQUIRED", say!("dz-sign-in-to-do-this", "Sign in to do this"))
    }

    /// 403 `FORBIDDEN`.
    pub fn forbidden(detail: impl Into<String>) -> Self {
        Error::new(403, "FORBIDDEN", detail)
    }

    /// 404 `NOT_FOUND`.
    pub fn not_found() -> Self {
        Error::new(404, "NOT_FOUND", say!("dz-this-does-not-exist-or-is-not", "This does not exist or is not visible to you"))
    }

    /// 412 `STALE`: the row has another version than the caller has seen.
    pub(crate) fn outdated() -> Self {
        Error::new(412, "STALE", say!("dz-this-row-has-changed-since-you-loaded", "This row has changed since you loaded it"))
    }

    /// 500 `INTERNAL`: `internal` goes to the log with the request id, never to the caller.
    pub fn internal(internal: impl std::fmt::Display) -> Self {
        Error {
            internal: Some(internal.to_string().into()),
            ..Error::new(500, "INTERNAL", say!("dz-something-went-wrong-on-our-side", "Something went wrong on our side"))
        }
    }

    /// The category of the error.
    pub fn category(&self) -> Category {
        match self.status {
            401 => Category::Authentication,
            403 => Category::Authorization,
            404 => Category::NotFound,
            429 => Category::RateLimit,
            400..=499 => Category::Validation,
            _ => Category::Internal,
        }
    }

    /// The severity of the error.
    pub fn severity(&self) -> Severity {
        match self.status {
            401 | 403 | 429 | 503 => Severity::Warning,
            400..=499 => Severity::Info,
            _ => Severity::Error,
        }
    }

    /// Adds the field errors of another error; status and code stay.
    pub(crate) fn merge(mut self, other: Error) -> Self {
        if other.field_errors.is_empty() && !self.detail.contains(&other.detail) {
            self.detail = format!("{}; {}", self.detail, other.detail);
        }
        for (field, messages) in other.field_errors {
            let messages_of_field = self.field_errors.entry(field).or_default();
            messages.into_iter().for_each(|message| {
                if !messages_of_field.contains(&message) {
                    messages_of_field.push(message);
                }
            });
        }
        self
    }

    /// The detail and the errors of the fields, in one line.
    pub(crate) fn summary(&self) -> String {
        let errors = self.field_errors.iter().map(|(field, messages)| format!("`{field}` {}", messages.join(", ")));
        std::iter::once(self.detail.clone()).chain(errors).collect::<Vec<_>>().join("; ")
    }

    /// Adds an error of a field.
    pub fn at(mut self, field: &str, message: impl Into<String>) -> Self {
        self.field_errors.entry(field.to_owned()).or_default().push(message.into());
        self
    }

    /// Both results, or one error with the field errors of both.
    ///
    /// # Errors
    /// The error of `a`, or else that of `b`.
    pub(crate) fn merge_results<A, B>(a: crate::Result<A>, b: crate::Result<B>) -> crate::Result<(A, B)> {
        match (a, b) {
            (Ok(a), Ok(b)) => Ok((a, b)),
            (Err(a), Err(b)) if a.status == 422 && b.status == 422 => {
                let detail = say!("dz-some-fields-need-a-change", "Some fields need a change").to_owned();
                let errors = b
                    .field_errors
                    .into_iter()
                    .flat_map(|(name, messages)| messages.into_iter().map(move |message| (name.clone(), message)));
                Err(errors.fold(Error { detail, ..a }, |error, (name, message)| error.at(&name, message)))
            }
            (Err(error), _) | (_, Err(error)) => Err(error),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.status, self.code, self.detail)
    }
}

impl std::error::Error for Error {}
