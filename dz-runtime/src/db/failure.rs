//! Errors of the database as responses report them.

use diesel::result::{DatabaseErrorInformation, DatabaseErrorKind, Error as DieselError};
use dz_vocabulary::field_of_column;

use super::encode::NUL;
use crate::{Error, error::Unresolved, value::storage};

/// The kind of a statement, which distinguishes the two sides of a violated reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    /// A deletion: other rows can still refer to the row.
    Delete,
    /// Any other statement: a referenced row can be missing.
    Other,
}

/// The value of `Retry-After`, in seconds.
const RETRY_AFTER: u16 = 2;

/// The prefix of the detail of an error after which the whole transaction can be repeated.
const COLLISION: &str = "collision of transactions: ";

/// 503 `UNAVAILABLE`.
pub(crate) fn unavailable(internal: impl std::fmt::Display) -> Error {
    Error {
        retry_after: Some(RETRY_AFTER),
        internal: Some(internal.to_string().into()),
        ..Error::new(503, "UNAVAILABLE", "The database does not respond; try again in a few seconds")
    }
}

/// The beginning of the detail of an error of a database that can be read.
const NO_CHANGES: &str = "The database accepts no changes now";

/// 503 `UNAVAILABLE` of a database that can be read; `why` completes the sentence.
fn not_writable(why: &str, internal: impl std::fmt::Display) -> Error {
    let detail = format!("{NO_CHANGES}, because {why}; try again in a few seconds");
    Error { detail, ..unavailable(internal) }
}

/// True for the error of a database that can be read and accepts no changes.
pub(crate) fn accepts_no_changes(error: &Error) -> bool {
    error.detail.starts_with(NO_CHANGES)
}

/// True for a serialization failure or deadlock.
pub(crate) fn is_collision(error: &Error) -> bool {
    error.internal.as_deref().is_some_and(|internal| internal.starts_with(COLLISION))
}

/// PostgreSQL reports a shutdown or the end of a session by these messages. A SQLite connection that could not write its file when
/// it was opened stays unusable.
const REOPEN: [&str; 5] = [
    "terminating connection",
    "the database system is",
    "attempt to write a readonly database",
    "disk I/O error",
    "unable to open database file",
];

/// True if the connection cannot be used again.
pub(crate) fn is_disconnect(error: &DieselError) -> bool {
    match error {
        DieselError::DatabaseError(DatabaseErrorKind::ClosedConnection | DatabaseErrorKind::UnableToSendCommand, _) => true,
        DieselError::BrokenTransactionManager => true,
        // After a failover, a new connection can reach the server that accepts changes.
        DieselError::DatabaseError(DatabaseErrorKind::ReadOnlyTransaction, _) => true,
        DieselError::DatabaseError(DatabaseErrorKind::Unknown, info) => REOPEN.iter().any(|words| info.message().contains(words)),
        _ => false,
    }
}

impl From<DieselError> for Error {
    fn from(error: DieselError) -> Error {
        translate(error, Verb::Other, "")
    }
}

/// Converts an error of diesel. `constraints` contains the columns of each constraint, as in [`SchemaDef`](crate::def::SchemaDef).
pub(crate) fn translate(error: DieselError, verb: Verb, constraints: &str) -> Error {
    if let Some(why) = refuses_changes(&error) {
        return not_writable(why, error);
    }
    if is_disconnect(&error) {
        return unavailable(error);
    }
    match error {
        DieselError::NotFound => Error::not_found(),
        DieselError::SerializationError(cause) if cause.to_string() == NUL => Error::new(422, "VALIDATION", NUL),
        // Of the application's own queries, whose values are not checked as those of rows.
        DieselError::SerializationError(cause) if cause.to_string().contains(storage::BEYOND) => {
            Error::new(422, "VALIDATION", cause.to_string())
        }
        DieselError::DatabaseError(DatabaseErrorKind::Unknown, info) if info.message().contains(NUL_REFUSED) => {
            Error::new(422, "VALIDATION", NUL)
        }
        DieselError::DatabaseError(kind, info) => constraint(kind, &*info, verb, constraints),
        other => Error::internal(other),
    }
}

/// Adds the columns of a violated constraint to the error of a statement of the application, which has no list of constraints.
pub(crate) fn at_columns(mut error: Error, constraints: &str) -> Error {
    let message = match error.code {
        "UNIQUE" => taken(),
        "REFERENCE" => missing(),
        _ => not_allowed(),
    };
    let Some(Unresolved::Constraint(name)) =
        error.unresolved.take().map(|unresolved| *unresolved).filter(|_| error.field_errors.is_empty())
    else {
        return error;
    };
    find_columns(&name, constraints).unwrap_or_default().into_iter().fold(error, |error, column| error.at(&column, message))
}

fn taken() -> &'static str {
    say!("dz-is-taken-already", "is taken already")
}

fn missing() -> &'static str {
    say!("dz-does-not-exist", "does not exist")
}

fn not_allowed() -> &'static str {
    say!("dz-is-not-allowed", "is not allowed")
}

/// The message of PostgreSQL for the character U+0000 in a text.
const NUL_REFUSED: &str = "invalid byte sequence for encoding";

/// A message of SQLite for a file that another process writes.
const LOCKED: &str = "database is locked";
const READ_ONLY: &str = "it is read-only, for example after a failover to a replica";
/// Messages of a database that can be read and refuses changes, with the cause.
const NOT_WRITABLE: [(&str, &str); 4] = [
    ("attempt to write a readonly database", "its file is read-only"),
    ("recovery is in progress", READ_ONLY),
    ("database or disk is full", "its disk is full"),
    ("No space left on device", "its disk is full"),
];

/// The cause, if the database can be read and refuses changes.
fn refuses_changes(error: &DieselError) -> Option<&'static str> {
    match error {
        DieselError::DatabaseError(DatabaseErrorKind::ReadOnlyTransaction, _) => Some(READ_ONLY),
        DieselError::DatabaseError(DatabaseErrorKind::Unknown, info) => {
            NOT_WRITABLE.iter().find(|(words, _)| info.message().contains(words)).map(|(_, why)| *why)
        }
        _ => None,
    }
}

fn constraint(kind: DatabaseErrorKind, info: &(dyn DatabaseErrorInformation + Send + Sync), verb: Verb, constraints: &str) -> Error {
    let at_each = |error: Error, message: &str| {
        let columns = columns(info, constraints);
        let unresolved = constraint_name(info).filter(|_| columns.is_empty()).map(|name| Box::new(Unresolved::Constraint(name.to_owned())));
        columns.iter().fold(Error { unresolved, ..error }, |error, column| error.at(column, message))
    };
    // SQLite reports a violated ON DELETE RESTRICT without a kind.
    let kind = match kind {
        DatabaseErrorKind::Unknown if info.message().starts_with("FOREIGN KEY constraint failed") => DatabaseErrorKind::ForeignKeyViolation,
        kind => kind,
    };
    match kind {
        DatabaseErrorKind::UniqueViolation => {
            at_each(Error::new(409, "UNIQUE", say!("dz-another-row-has-this-value", "Another row has this value already")), taken())
        }
        DatabaseErrorKind::ForeignKeyViolation | DatabaseErrorKind::RestrictViolation if verb == Verb::Delete => Error::new(
            409,
            "REFERENCED",
            say!("dz-other-rows-refer-to-this-one-so", "Other rows refer to this one, so it cannot be deleted"),
        ),
        DatabaseErrorKind::ForeignKeyViolation => at_each(
            Error::new(422, "REFERENCE", say!("dz-the-referenced-row-does-not-exist", "The referenced row does not exist")),
            missing(),
        ),
        DatabaseErrorKind::NotNullViolation => at_each(
            Error::new(422, "VALIDATION", say!("dz-some-fields-need-a-change", "Some fields need a change")),
            say!("dz-is-required", "is required"),
        ),
        DatabaseErrorKind::CheckViolation => {
            at_each(Error::new(422, "VALIDATION", say!("dz-some-fields-need-a-change", "Some fields need a change")), not_allowed())
        }
        DatabaseErrorKind::SerializationFailure => collision(info),
        _ if info.message().contains("deadlock detected") => collision(info),
        _ if info.message().contains(LOCKED) => unavailable(info.message()),
        _ => Error::internal(info.message()),
    }
}

fn collision(info: &(dyn DatabaseErrorInformation + Send + Sync)) -> Error {
    unavailable(format_args!("{COLLISION}{}", info.message()))
}

/// The fields whose columns have a violated constraint.
///
/// SQLite reports `table.column, …` for plain columns, or else the constraint. PostgreSQL reports the constraint, and the columns
/// in the detail, except for tables with policies.
fn columns(info: &(dyn DatabaseErrorInformation + Send + Sync), constraints: &str) -> Vec<String> {
    if let Some(column) = info.column_name() {
        return vec![field_of_column(column).to_owned()];
    }
    let name = constraint_name(info).unwrap_or_default();
    if let Some(columns) = find_columns(name, constraints) {
        return columns;
    }
    if let Some(detail) = info.details() {
        let columns = split_brackets(detail.split_once("=(").map_or(detail, |(columns, _)| columns));
        if !columns.is_empty() {
            return columns;
        }
    }
    name.split(", ").filter_map(|part| part.rsplit_once('.')).map(|(_, column)| field_of_column(column).to_owned()).collect()
}

/// The name of the constraint; on SQLite it can be the columns of an index.
fn constraint_name(info: &(dyn DatabaseErrorInformation + Send + Sync)) -> Option<&str> {
    let from_message = || info.message().split_once("constraint failed: ").map(|(_, rest)| rest);
    let name = info.constraint_name().or_else(from_message)?;
    Some(name.strip_prefix("index '").and_then(|rest| rest.strip_suffix('\'')).unwrap_or(name))
}

fn find_columns(name: &str, constraints: &str) -> Option<Vec<String>> {
    let (_, columns) = constraints.lines().filter_map(|line| line.split_once('\t')).find(|(constraint, _)| *constraint == name)?;
    Some(columns.split(',').filter(|column| !column.is_empty()).map(str::to_owned).collect())
}

fn split_brackets(text: &str) -> Vec<String> {
    let inner = text.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map(|(inner, _)| inner);
    let columns = inner.into_iter().flat_map(|inner| inner.split(", "));
    // An expression of an index is not a column.
    columns.filter(|column| !column.contains('(')).map(|column| field_of_column(column.trim_matches('"')).to_owned()).collect()
}
