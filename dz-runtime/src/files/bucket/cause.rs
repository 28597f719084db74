//! The causes of failed requests, each with the sentence for users and the correction for the operator.

use std::error::Error as StdError;

use object_store::client::{HttpError, HttpErrorKind};

/// Why a request failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Cause {
    /// The service has no such object.
    NoObject,
    /// The service has no such bucket.
    NoBucket,
    /// The key is unknown, its secret is wrong, or its token has expired.
    Key,
    /// The clocks differ.
    Clock,
    /// The key has no permission.
    Permission,
    /// The program has no key, and the machine has no role.
    NoKey,
    /// The bucket is in another region, or has another address.
    Region,
    /// The service answers with this status.
    Status(u16),
    /// There is no connection.
    Unreachable,
    /// There is no answer in time.
    Timeout,
    /// The connection ended before the answer did.
    Incomplete,
    /// Everything else.
    Other(String),
}

impl Cause {
    /// Finds the cause in an error of the library.
    pub fn find(error: &object_store::Error) -> Cause {
        let text = error.to_string();
        let has = |code: &str| text.contains(&format!("<Code>{code}</Code>"));
        let status = text.split_once("status code: ").and_then(|(_, rest)| rest.get(..3)?.parse::<u16>().ok());
        if text.contains("169.254.169.254") || text.contains("169.254.170.2") {
            return Cause::NoKey;
        }
        match status {
            _ if has("NoSuchBucket") => Cause::NoBucket,
            _ if ["InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken"].into_iter().any(has) => Cause::Key,
            _ if has("RequestTimeTooSkewed") => Cause::Clock,
            _ if has("AuthorizationHeaderMalformed") || has("PermanentRedirect") => Cause::Region,
            Some(401 | 403) => Cause::Permission,
            Some(404) => Cause::NoObject,
            Some(301 | 302 | 307 | 308) => Cause::Region,
            Some(status) => Cause::Status(status),
            None if text.contains("redirect without LOCATION") => Cause::Region,
            None => Cause::of_connection(error),
        }
    }

    /// The cause of a request without an answer.
    fn of_connection(error: &object_store::Error) -> Cause {
        let mut at: Option<&(dyn StdError + 'static)> = Some(error);
        while let Some(error) = at {
            match error.downcast_ref::<HttpError>().map(HttpError::kind) {
                Some(HttpErrorKind::Connect) => return Cause::Unreachable,
                Some(HttpErrorKind::Timeout) => return Cause::Timeout,
                Some(_) => return Cause::Incomplete,
                None => at = error.source(),
            }
        }
        if matches!(error, object_store::Error::NotFound { .. }) {
            return Cause::NoObject;
        }
        Cause::Other(crate::output::one_line(&error.to_string()).chars().take(200).collect())
    }

    /// What happened, after "the object storage".
    pub fn describe(&self) -> String {
        match self {
            Cause::NoObject => "does not have the file".to_owned(),
            Cause::NoBucket => "does not have the bucket".to_owned(),
            Cause::Key => "refuses the credentials of the application".to_owned(),
            Cause::Clock => "refuses the clock of the application".to_owned(),
            Cause::Permission => "refuses permission to the application".to_owned(),
            Cause::NoKey => "has no credentials of the application".to_owned(),
            Cause::Region => "has the bucket at another address".to_owned(),
            Cause::Status(status) => format!("answers with status {status}"),
            Cause::Unreachable => "cannot be reached".to_owned(),
            Cause::Timeout => "does not answer in time".to_owned(),
            Cause::Incomplete => "sends incomplete answers".to_owned(),
            Cause::Other(text) => format!("fails ({text})"),
        }
    }

    /// What an operator can do.
    pub fn correction(&self) -> &'static str {
        match self {
            Cause::NoObject => "restore the file from a backup",
            Cause::NoBucket => "create the bucket, or correct `dz.files`",
            Cause::Key => "correct `dz.s3.access_key_id` and `dz.s3.secret_access_key`, or `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`",
            Cause::Clock => "set the clock of this machine",
            Cause::Permission => "permit the key to list the bucket, and to get, put and delete its objects",
            Cause::NoKey => "set `dz.s3.access_key_id` and `dz.s3.secret_access_key`, or `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`",
            Cause::Region => "correct `dz.s3.region`, `dz.s3.endpoint` or `dz.s3.path_style`",
            Cause::Status(_) => "the service reports a failure of its own: read its status page or its log",
            Cause::Unreachable => "check `dz.s3.endpoint`, the network and the service",
            Cause::Timeout | Cause::Incomplete => "check the network and the service; `dz.s3.timeout` sets the longest pause",
            Cause::Other(_) => "read the log of the service",
        }
    }
}
