//! Errors as problem documents (RFC 9457).

use serde_json::json;

use crate::{
    Error,
    web::{Reply, api::csv::RowError},
};

/// The standard phrase of a status.
pub(crate) fn status_phrase(status: u16) -> &'static str {
    match status {
        412 => "Precondition Failed",
        422 => "Unprocessable Content",
        _ => rocket::http::Status::new(status).reason().unwrap_or("Error"),
    }
}

/// An error as a problem document.
pub(crate) fn problem_document(error: &Error, request_id: &str) -> Reply {
    problem_with_rows(error, &[], request_id)
}

/// An error as a problem document with the errors of rows of a file.
pub(crate) fn problem_with_rows(error: &Error, rows: &[RowError], request_id: &str) -> Reply {
    let mut body = json!({
        "type": "about:blank",
        "title": status_phrase(error.status),
        "status": error.status,
        "detail": error.detail,
        "code": error.code,
        "category": error.category(),
        "severity": error.severity(),
        "request_id": request_id,
    });
    if !error.field_errors.is_empty() {
        body["field_errors"] = json!(error.field_errors);
    }
    if !rows.is_empty() {
        let row = |it: &RowError| json!({ "row": it.row, "code": it.error.code, "detail": it.error.detail, "field_errors": it.error.field_errors });
        body["rows"] = rows.iter().map(row).collect();
    }
    let body = body.to_string().into_bytes();
    let mut reply = Reply { status: error.status, content_type: "application/problem+json", body, ..Reply::default() };
    if let Some(allow) = &error.allow {
        reply.headers.push(("Allow", allow.to_string()));
    }
    if let Some(seconds) = error.retry_after {
        reply.headers.push(("Retry-After", seconds.to_string()));
    }
    reply
}
