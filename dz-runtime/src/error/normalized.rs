//! An error in the form in which services, logs and GraphQL report it.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json, json};

#[cfg(any(test, feature = "graphql"))]
use super::Error;
use super::{Category, Severity};

/// An error of a service or of the application, with everything that a response or a log needs of it.
#[derive(Debug, Clone, PartialEq)]
pub struct NormalizedError {
    /// Upper-case identifier.
    pub code: String,
    /// The kind of the error.
    pub category: Category,
    /// The severity of the error.
    pub severity: Severity,
    /// The service that failed, or the application.
    pub service: String,
    /// The HTTP status, if there is one.
    pub status_code: Option<u16>,
    /// One sentence for a user, without internals.
    pub user_message: String,
    /// Seconds to wait before the next attempt.
    pub retry_after: Option<u64>,
    /// The errors of each field.
    pub field_errors: BTreeMap<String, Vec<String>>,
    /// The request that failed.
    pub request_id: Option<String>,
}

impl NormalizedError {
    /// An error of the application itself, which keeps its code.
    #[cfg(any(test, feature = "graphql"))]
    pub(crate) fn from_own(error: &Error, application: &str, request_id: &str) -> NormalizedError {
        NormalizedError {
            code: error.code.to_owned(),
            category: error.category(),
            severity: error.severity(),
            service: application.to_owned(),
            status_code: Some(error.status),
            user_message: error.detail.clone(),
            retry_after: error.retry_after.map(u64::from),
            field_errors: error.field_errors.clone(),
            request_id: Some(request_id.to_owned()),
        }
    }

    /// The extensions of a GraphQL error: `code`, `category`, `service`, and if present `statusCode`, `retryAfter`, `fieldErrors`
    /// with camelCase names, and `requestId`.
    pub fn to_graphql_extensions(&self) -> Json {
        let mut members = Map::new();
        members.insert("code".to_owned(), json!(self.code));
        members.insert("category".to_owned(), json!(self.category));
        members.insert("service".to_owned(), json!(self.service));
        let fields: Map<String, Json> =
            self.field_errors.iter().map(|(name, messages)| (dz_graphql::field_name(name), json!(messages))).collect();
        let optional = [
            ("statusCode", self.status_code.map(Json::from)),
            ("retryAfter", self.retry_after.map(Json::from)),
            ("fieldErrors", (!fields.is_empty()).then_some(Json::Object(fields))),
            ("requestId", self.request_id.clone().map(Json::from)),
        ];
        members.extend(optional.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))));
        Json::Object(members)
    }

    /// All fields in snake_case for a log; an absent value is null.
    pub fn to_log_dict(&self) -> Json {
        json!({
            "code": self.code,
            "category": self.category,
            "severity": self.severity,
            "service": self.service,
            "status_code": self.status_code,
            "user_message": self.user_message,
            "retry_after": self.retry_after,
            "field_errors": self.field_errors,
            "request_id": self.request_id,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_contain_what_is_present_and_logs_contain_everything() {
        let error = NormalizedError::from_own(&Error::validation("due_on", "must be a date"), "tasks", "r1");
        assert_eq!(
            error.to_graphql_extensions(),
            json!({
                "code": "VALIDATION", "category": "VALIDATION", "service": "tasks", "statusCode": 422,
                "fieldErrors": { "dueOn": ["must be a date"] }, "requestId": "r1",
            })
        );
        let plain = NormalizedError { status_code: None, request_id: None, field_errors: BTreeMap::new(), ..error };
        assert_eq!(plain.to_graphql_extensions(), json!({ "code": "VALIDATION", "category": "VALIDATION", "service": "tasks" }));
        let logged = plain.to_log_dict();
        assert_eq!(logged.as_object().map(Map::len), Some(9));
        assert_eq!((&logged["severity"], &logged["request_id"]), (&json!("INFO"), &Json::Null));
    }
}
