//! Refusals and failures, as problem documents (RFC 9457).

use std::collections::BTreeMap;

use diesel::result::{DatabaseErrorInformation, DatabaseErrorKind, Error as DieselError};
use serde_json::json;

/// The result of everything that a request does.
pub type Result<T, E = Problem> = std::result::Result<T, E>;

/// The columns of each constraint of the database: a line with the name, a tab, and the columns.
const CONSTRAINTS: &str = include_str!("../schema/constraints.txt");

/// A refusal or a failure.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// The status of the response.
    pub status: u16,
    /// What programs recognise it by.
    pub code: &'static str,
    /// One sentence for a person.
    pub detail: String,
    /// The messages of each field.
    pub fields: BTreeMap<String, Vec<String>>,
    /// The problems of the rows of a file, by their numbers.
    pub rows: Vec<(u64, Problem)>,
    /// For 405: the methods that are allowed.
    pub allow: Option<String>,
    /// For 429 and 503: the seconds to wait.
    pub retry_after: Option<u64>,
    /// For the log only.
    pub internal: Option<String>,
}

impl Problem {
    /// A problem with a status, a code and a sentence.
    pub fn new(status: u16, code: &'static str, detail: impl Into<String>) -> Problem {
        let detail = detail.into();
        Problem { status, code, detail, fields: BTreeMap::new(), rows: Vec::new(), allow: None, retry_after: None, internal: None }
    }

    /// 400: the request cannot be understood.
    pub fn bad_request(detail: impl Into<String>) -> Problem {
        Problem::new(400, "BAD_REQUEST", detail)
    }

    /// 401: the caller has to sign in.
    pub fn unauthenticated() -> Problem {
        Problem::new(401, "AUTHENTICATION_REQUIRED", "Sign in to do this")
    }

    /// 403: the caller may not do this.
    pub fn forbidden(detail: impl Into<String>) -> Problem {
        Problem::new(403, "FORBIDDEN", detail)
    }

    /// 404: there is no such row, or none that the caller may see; the two are not distinguishable.
    pub fn not_found() -> Problem {
        Problem::new(404, "NOT_FOUND", "This does not exist or is not visible to you")
    }

    /// 422 at one field.
    pub fn validation(field: &str, message: impl Into<String>) -> Problem {
        Problem::new(422, "VALIDATION", "Some fields need a change").at(field, message)
    }

    /// 501: an address of the original application that this program does not serve.
    pub fn not_implemented(what: &str) -> Problem {
        Problem::new(501, "NOT_IMPLEMENTED", format!("{what} is not part of this program; NOT_EJECTED.md gives the reason"))
    }

    /// 500: the text goes to the log only.
    pub fn internal(text: impl std::fmt::Display) -> Problem {
        let problem = Problem::new(500, "INTERNAL", "Something went wrong on our side");
        Problem { internal: Some(text.to_string()), ..problem }
    }

    /// 503: no connection was free in time.
    pub fn unavailable(text: impl std::fmt::Display) -> Problem {
        let problem = Problem::new(503, "UNAVAILABLE", "The database does not respond; try again later");
        Problem { retry_after: Some(1), internal: Some(text.to_string()), ..problem }
    }

    /// Adds the message of a field.
    pub fn at(mut self, field: &str, message: impl Into<String>) -> Problem {
        self.fields.entry(field.to_owned()).or_default().push(message.into());
        self
    }

    /// What the log says.
    pub fn log_text(&self) -> &str {
        self.internal.as_deref().unwrap_or(&self.detail)
    }

    /// The document.
    pub fn document(&self, request_id: &str) -> serde_json::Value {
        let mut document = json!({
            "type": "about:blank",
            "title": self.title(),
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
            "category": self.category(),
            "severity": self.severity(),
            "request_id": request_id,
        });
        if !self.fields.is_empty() {
            document["field_errors"] = json!(self.fields);
        }
        if !self.rows.is_empty() {
            let row = |(number, problem): &(u64, Problem)| {
                json!({ "row": number, "code": problem.code, "detail": problem.detail, "field_errors": problem.fields })
            };
            document["rows"] = self.rows.iter().map(row).collect();
        }
        document
    }

    fn title(&self) -> &'static str {
        match self.status {
            412 => "Precondition Failed",
            422 => "Unprocessable Content",
            status => rocket::http::Status::new(status).reason().unwrap_or("Error"),
        }
    }

    fn category(&self) -> &'static str {
        match self.status {
            401 => "AUTHENTICATION",
            403 => "AUTHORIZATION",
            404 => "NOT_FOUND",
            429 => "RATE_LIMIT",
            400..=499 => "VALIDATION",
            _ => "INTERNAL",
        }
    }

    fn severity(&self) -> &'static str {
        match self.status {
            401 | 403 | 429 | 503 => "WARNING",
            400..=499 => "INFO",
            _ => "ERROR",
        }
    }
}

impl From<DieselError> for Problem {
    /// Constraints of the database are the last check. They refuse what a concurrent request made wrong in between.
    fn from(error: DieselError) -> Problem {
        match error {
            DieselError::NotFound => Problem::not_found(),
            DieselError::DatabaseError(kind, info) => constraint(kind, &*info),
            other => Problem::internal(other),
        }
    }
}

fn constraint(kind: DatabaseErrorKind, info: &(dyn DatabaseErrorInformation + Send + Sync)) -> Problem {
    let at_each = |problem: Problem, message: &str| columns(info).iter().fold(problem, |problem, name| problem.at(name, message));
    let fields = || Problem::new(422, "VALIDATION", "Some fields need a change");
    match kind {
        DatabaseErrorKind::UniqueViolation => {
            at_each(Problem::new(409, "UNIQUE", "Another row has this value already"), "is taken already")
        }
        DatabaseErrorKind::ForeignKeyViolation | DatabaseErrorKind::RestrictViolation => {
            Problem::new(409, "REFERENCED", "Other rows refer to this one, so it cannot be deleted")
        }
        DatabaseErrorKind::NotNullViolation => at_each(fields(), "is required"),
        DatabaseErrorKind::CheckViolation => at_each(fields(), "is not allowed"),
        DatabaseErrorKind::SerializationFailure => Problem::unavailable(info.message()),
        _ if info.message().contains("database is locked") => Problem::unavailable(info.message()),
        _ => Problem::internal(info.message()),
    }
}

/// The columns of a violated constraint. PostgreSQL reports its name, SQLite often `table.column, …`.
fn columns(info: &(dyn DatabaseErrorInformation + Send + Sync)) -> Vec<String> {
    let reported = || info.message().split_once("constraint failed: ").map(|(_, rest)| rest);
    let name = info.constraint_name().or_else(reported).unwrap_or_default();
    let name = name.strip_prefix("index '").and_then(|rest| rest.strip_suffix('\'')).unwrap_or(name);
    let known = CONSTRAINTS.lines().filter_map(|line| line.split_once('\t')).find(|(constraint, _)| *constraint == name);
/*IF NO TENANTS*/    match known {
        Some((_, columns)) => columns.split(',').filter(|column| !column.is_empty()).map(str::to_owned).collect(),
        None => name.split(", ").filter_map(|part| part.rsplit_once('.')).map(|(_, column)| column.to_owned()).collect(),
    }
/*END NO TENANTS*//*IF TENANTS*/    let columns: Vec<&str> = match known {
        Some((_, columns)) => columns.split(',').filter(|column| !column.is_empty()).collect(),
        None => name.split(", ").filter_map(|part| part.rsplit_once('.')).map(|(_, column)| column).collect(),
    };
    // Values are unique in a tenant, which is not a field of a form.
    columns.into_iter().filter(|column| *column != crate::tenancy::COLUMN).map(str::to_owned).collect()
/*END TENANTS*/
}

/// Collects the messages of all fields of a request, so that one response names them all.
#[derive(Debug, Clone, Default)]
pub struct FieldErrors {
    fields: BTreeMap<String, Vec<String>>,
}

impl FieldErrors {
    /// Adds a message, unless the field has one already.
    pub fn add(&mut self, field: &str, message: impl Into<String>) {
        self.fields.entry(field.to_owned()).or_insert_with(|| vec![message.into()]);
    }

    /// Adds the message of a check.
    pub fn check(&mut self, field: &str, result: Result<(), String>) {
        if let Err(message) = result {
            self.add(field, message);
        }
    }

    /// The value, or its default with a message. The default is never stored, because the request is refused.
    pub fn keep<T: Default>(&mut self, field: &str, result: Result<T, String>) -> T {
        result.unwrap_or_else(|message| {
            self.add(field, message);
            T::default()
        })
    }

    /// The value of a required field.
    pub fn required<T: Default>(&mut self, field: &str, value: Option<T>) -> T {
        self.keep(field, value.ok_or_else(|| "is required".to_owned()))
    }

    /// True without a message.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// 422 with all messages, if there is one.
    pub fn into_result(self) -> Result<()> {
        if self.fields.is_empty() {
            return Ok(());
        }
        Err(Problem { fields: self.fields, ..Problem::new(422, "VALIDATION", "Some fields need a change") })
    }
}
