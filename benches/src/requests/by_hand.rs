//! The application written by hand: Rocket, diesel, serde and askama, as a careful programmer would write it for the same contract: the
//! session on the connection of the request, granted roles, the row condition in every statement, row versions as `ETag`, security
//! headers and a request id on every response, problem documents, one writer on SQLite, titles ordered without regard to case. Its
//! indexes are those that dz infers, which a careful programmer would add after measuring.

mod answer;
#[macro_use]
mod filled;
#[macro_use]
mod many;
#[macro_use]
mod application;
mod sent;

use chrono::NaiveDateTime;
use rocket::{
    Request,
    http::Status,
    request::{FromRequest, Outcome},
};
use sha2::{Digest, Sha256};

/// True for the lean application: session and account in one join without roles, no `ETag`, no headers of its own.
pub struct Lean(bool);

/// The token of the session.
#[derive(Clone)]
pub struct Token {
    text: String,
    lean: bool,
}

#[rocket::async_trait]
impl<'r> FromRequest<'r> for Token {
    type Error = ();

    async fn from_request(request: &'r Request<'_>) -> Outcome<Self, ()> {
        let lean = request.rocket().state::<Lean>().is_some_and(|lean| lean.0);
        match request.cookies().get("session") {
            Some(cookie) => Outcome::Success(Token { text: cookie.value().to_owned(), lean }),
            None => Outcome::Error((Status::Unauthorized, ())),
        }
    }
}

/// A request that is not of another site.
pub struct SameOrigin;

#[rocket::async_trait]
impl<'r> FromRequest<'r> for SameOrigin {
    type Error = ();

    async fn from_request(request: &'r Request<'_>) -> Outcome<Self, ()> {
        match request.headers().get_one("Sec-Fetch-Site") {
            Some("same-origin" | "none") => Outcome::Success(SameOrigin),
            _ => Outcome::Error((Status::Forbidden, ())),
        }
    }
}

/// The row version that the client has seen.
pub struct Seen(Option<i64>);

#[rocket::async_trait]
impl<'r> FromRequest<'r> for Seen {
    type Error = ();

    async fn from_request(request: &'r Request<'_>) -> Outcome<Self, ()> {
        let tag = request.headers().get_one("If-Match").filter(|tag| *tag != "*");
        Outcome::Success(Seen(tag.map(|tag| tag.trim_matches('"').parse().unwrap_or(-1))))
    }
}

/// The stored hash of a token.
pub fn hash_token(token: &str) -> String {
    Sha256::digest(token).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn to_status(error: diesel::result::Error) -> Status {
    match error {
        diesel::result::Error::NotFound => Status::NotFound,
        _ => Status::InternalServerError,
    }
}

fn now() -> NaiveDateTime {
    chrono::Utc::now().naive_utc()
}

/// A key on SQLite.
fn text_id(text: &str) -> Option<String> {
    uuid_id(text).map(|id| id.to_string())
}

/// A key on PostgreSQL.
fn uuid_id(text: &str) -> Option<uuid::Uuid> {
    uuid::Uuid::parse_str(text).ok()
}

application!(
    /// With SQLite.
    sqlite,
    diesel::SqliteConnection,
    diesel::sqlite::Sqlite,
    Text,
    String,
    text_id,
    immediate_transaction,
    "items.title COLLATE NOCASE, items.title, items.id",
    ["(items.title COLLATE NOCASE, items.title, items.id) > (", ", ", ", "],
    "PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;",
    "CREATE TABLE accounts (id TEXT PRIMARY KEY, email TEXT NOT NULL UNIQUE, name TEXT NOT NULL, active BOOLEAN NOT NULL, manager BOOLEAN NOT NULL);
     CREATE TABLE roles (account TEXT NOT NULL REFERENCES accounts, role TEXT NOT NULL, PRIMARY KEY (account, role));
     CREATE TABLE sessions (token_hash TEXT PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts, seen_at TIMESTAMP NOT NULL, expires_at TIMESTAMP NOT NULL);
     CREATE TABLE items (id TEXT PRIMARY KEY, title TEXT NOT NULL CHECK (length(title) <= 120), status TEXT NOT NULL CHECK (status IN ('open', 'doing', 'done')),
       owner TEXT REFERENCES accounts, due DATE, hours BIGINT NOT NULL CHECK (hours >= 0), rank BIGINT NOT NULL CHECK (rank >= 0), score DOUBLE, billable BOOLEAN NOT NULL, details TEXT,
       created_at TIMESTAMP NOT NULL, updated_at TIMESTAMP NOT NULL, version BIGINT NOT NULL);
     CREATE INDEX items_due ON items (due);
     CREATE INDEX items_owner_due ON items (owner, due);
     CREATE INDEX items_owner_status ON items (owner, status, title COLLATE NOCASE, title, id);
     CREATE INDEX items_owner ON items (owner, title COLLATE NOCASE, title, id);
     CREATE INDEX items_status ON items (status, title COLLATE NOCASE, title, id);
     CREATE INDEX items_title ON items (title COLLATE NOCASE, title, id);"
);

application!(
    /// With PostgreSQL.
    postgres,
    diesel::PgConnection,
    diesel::pg::Pg,
    Uuid,
    uuid::Uuid,
    uuid_id,
    transaction,
    "lower(items.title COLLATE \"C\") NULLS FIRST, items.title NULLS FIRST, items.id",
    ["(lower(items.title COLLATE \"C\"), items.title, items.id) > (lower(", "), ", ", "],
    "SET TIME ZONE 'UTC'",
    "CREATE TABLE accounts (id UUID PRIMARY KEY, email TEXT NOT NULL UNIQUE, name TEXT NOT NULL, active BOOLEAN NOT NULL, manager BOOLEAN NOT NULL);
     CREATE TABLE roles (account UUID NOT NULL REFERENCES accounts, role TEXT NOT NULL, PRIMARY KEY (account, role));
     CREATE TABLE sessions (token_hash TEXT PRIMARY KEY, account UUID NOT NULL REFERENCES accounts, seen_at TIMESTAMP NOT NULL, expires_at TIMESTAMP NOT NULL);
     CREATE TABLE items (id UUID PRIMARY KEY, title TEXT COLLATE \"C\" NOT NULL CHECK (length(title) <= 120), status TEXT NOT NULL CHECK (status IN ('open', 'doing', 'done')),
       owner UUID REFERENCES accounts, due DATE, hours BIGINT NOT NULL CHECK (hours >= 0), rank BIGINT NOT NULL CHECK (rank >= 0), score DOUBLE PRECISION, billable BOOLEAN NOT NULL, details TEXT,
       created_at TIMESTAMP NOT NULL, updated_at TIMESTAMP NOT NULL, version BIGINT NOT NULL);
     CREATE INDEX items_due ON items (due);
     CREATE INDEX items_owner_due ON items (owner, due);
     CREATE INDEX items_owner_status ON items (owner, status, lower(title COLLATE \"C\") NULLS FIRST, title NULLS FIRST, id);
     CREATE INDEX items_status ON items (status, lower(title COLLATE \"C\") NULLS FIRST, title NULLS FIRST, id);
     CREATE INDEX items_owner ON items (owner, lower(title COLLATE \"C\") NULLS FIRST, title NULLS FIRST, id);
     CREATE INDEX items_title ON items (lower(title COLLATE \"C\") NULLS FIRST, title NULLS FIRST, id);"
);
