//! `Idempotency-Key`: a repeated write is executed once.
//!
//! The claim is a row of `dz_idempotency` in the transaction of the write, so a rollback removes it. A replay checks access again and
//! reads the row again. Responses are stored only for writes to many rows; they contain keys and refusals. The other modules that run
//! writes use [`claim`]: GraphQL stores the keys of its rows, and an upload the identifier of its file.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, PoisonError},
};

use chrono::TimeDelta;
use rocket::Request;
use sha2::{Digest, Sha256};

use crate::{
    Engine, Error, Result, Tx, Value,
    db::{BindKind, Statement},
    web::routes::{Route, Run},
    web::{Call, Reply},
};

/// The maximum length of a key.
const MAX_KEY_LENGTH: usize = 255;
/// The lifetime of a key.
const LIFETIME: TimeDelta = TimeDelta::hours(24);
/// The maximum number of expired claims that are removed with a new one.
const SWEEP_LIMIT: usize = 100;

/// The key of a request, and digests of the request.
#[derive(Debug, Clone)]
pub struct IdempotencyKey {
    key: String,
    /// A digest of the body and the query.
    body: String,
    /// A digest that is equal for duplicates, also before the caller is known.
    twin: String,
}

impl IdempotencyKey {
    /// Reads the key of a request whose body was read.
    ///
    /// # Errors
    /// 400 for an invalid key.
    pub(crate) fn from_request(request: &Request<'_>, call: &Call, bytes: &[u8]) -> Result<Option<IdempotencyKey>> {
        let kind = request.content_type().map(ToString::to_string).unwrap_or_default();
        Ok(IdempotencyKey::before_body(request, call)?.map(|key| key.for_body(request, &kind, &[bytes])))
    }

    /// Reads the key of a request, without its body, if a program sends it and it can have one. Without a session or a token there is
    /// no account, and the header has no effect.
    ///
    /// # Errors
    /// 400 for an invalid key.
    pub(crate) fn before_body(request: &Request<'_>, call: &Call) -> Result<Option<IdempotencyKey>> {
        let is_write = call.method == "POST"
            && call.found.route().is_some_and(|route| takes_key(route))
            && (call.session.is_some() || call.bearer.is_some());
        let mut sent = request.headers().get("Idempotency-Key");
        let Some(key) = sent.next().filter(|_| is_write) else { return Ok(None) };
        let fits = (1..=MAX_KEY_LENGTH).contains(&key.len()) && key.bytes().all(|byte| (b' '..=b'~').contains(&byte));
        if !fits || sent.next().is_some() {
            return Err(Error::bad_request(format!(
                "`Idempotency-Key` must be one text of 1 to {MAX_KEY_LENGTH} printable ASCII characters"
            )));
        }
        let credentials: Vec<&str> = ["Authorization", "Cookie"].iter().flat_map(|name| request.headers().get(name)).collect();
        let path = call.path.join("\0");
        Ok(Some(IdempotencyKey {
            key: key.to_owned(),
            body: String::new(),
            twin: digest(&[credentials.join("\0").as_bytes(), path.as_bytes(), key.as_bytes()]),
        }))
    }

    /// The key with a digest of the query and of the body, which is of this media type and consists of these parts.
    pub(crate) fn for_body(self, request: &Request<'_>, kind: &str, parts: &[&[u8]]) -> IdempotencyKey {
        let query = request.uri().query().map(|query| query.to_string()).unwrap_or_default();
        let parts: Vec<&[u8]> = [kind.as_bytes(), query.as_bytes()].into_iter().chain(parts.iter().copied()).collect();
        IdempotencyKey { body: digest(&parts), ..self }
    }

    /// Binds the key to its account and address, so that no account replays a write of another.
    fn scope(&self, tx: &Tx<'_>, call: &Call) -> Option<String> {
        let account = tx.caller.account.as_ref()?;
        let (account, path) = (format!("{:?}", account.id), call.path.join("\0"));
        let tenant = tx.caller.tenant().map(|tenant| format!("{tenant:?}")).unwrap_or_default();
        Some(digest(&[account.as_bytes(), tenant.as_bytes(), call.method.as_bytes(), path.as_bytes(), self.key.as_bytes()]))
    }
}

/// True for the routes of programs that execute a write once: the JSON API, GraphQL, and uploads for a field.
fn takes_key(route: &Route) -> bool {
    match route.run {
        Run::Api(_) => true,
        #[cfg(feature = "graphql")]
        Run::GraphQl => true,
        #[cfg(feature = "oidc")]
        Run::Provider(_) => false,
        Run::Steps(_) => route.files,
        Run::Embedded(_) | Run::Server(_) | Run::Unit(_) | Run::Page(_) | Run::Surface(_) | Run::Workspace(_) => false,
    }
}

/// A digest of parts, which depends on their boundaries.
pub(crate) fn digest(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    format!("{:x}", hash.finalize())
}

/// A digest of a part of a body that arrives in pieces.
#[derive(Default)]
pub(crate) struct PartDigest(Sha256);

impl PartDigest {
    /// Adds a piece.
    pub(crate) fn and(mut self, bytes: &[u8]) -> PartDigest {
        self.0.update(bytes);
        self
    }

    /// The digest of all pieces and of the names of the part.
    pub(crate) fn finish(self, names: &[&str]) -> String {
        let content = format!("{:x}", self.0.finalize());
        let parts: Vec<&[u8]> = names.iter().copied().chain([content.as_str()]).map(str::as_bytes).collect();
        digest(&parts)
    }
}

/// Running writes with a key in this process. SQLite has one writer, so a duplicate would only wait for it.
#[derive(Debug, Clone, Default)]
pub(crate) struct RunningWrites(Arc<Mutex<HashSet<String>>>);

/// A running write, until this is dropped.
#[derive(Debug)]
pub(crate) struct RunningWrite(RunningWrites, String);

impl RunningWrites {
    /// Starts a write.
    ///
    /// # Errors
    /// 409 while a duplicate is running.
    pub(crate) fn enter(&self, sent: &IdempotencyKey) -> Result<RunningWrite> {
        let fresh = self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(sent.twin.clone());
        if fresh { Ok(RunningWrite(self.clone(), sent.twin.clone())) } else { Err(conflict()) }
    }
}

impl Drop for RunningWrite {
    fn drop(&mut self) {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.1);
    }
}

/// The stored result of a write.
pub(crate) struct StoredReply {
    /// The status of its response.
    pub status: u16,
    /// The key of the row in the response, as in addresses; empty if there was none.
    pub row: String,
    /// The response itself, if it showed no row.
    pub answer: String,
}

/// Executes a write once: the first time with `write`, later with `replay`.
///
/// # Errors
/// 409 while a duplicate is running, 422 if the key was used with another body, and the errors of `write` and `replay`.
pub(crate) fn run_once(
    tx: &mut Tx<'_>,
    call: &Call,
    write: impl FnOnce(&mut Tx<'_>) -> Result<Reply>,
    replay: impl FnOnce(&mut Tx<'_>, StoredReply) -> Result<Reply>,
) -> Result<Reply> {
    match claim(tx, call)? {
        Claim::None => write(tx),
        Claim::Used(stored) => replay(tx, stored).map(add_replay_header),
        Claim::New(claimed) => {
            let mut reply = write(tx)?;
            let (row, answer) = match (&reply.row, reply.stored.take()) {
                (Some(key), _) => (key.to_key_text().unwrap_or_default(), String::new()),
                (None, Some(stored)) => (String::new(), stored),
                (None, None) => (String::new(), String::from_utf8_lossy(&reply.body).into_owned()),
            };
            claimed.store(tx, StoredReply { status: reply.status, row, answer })?;
            Ok(reply)
        }
    }
}

/// Adds the header of a response that repeats the one of an earlier request.
pub(crate) fn add_replay_header(mut reply: Reply) -> Reply {
    reply.headers.push(("Idempotency-Replayed", "true".to_owned()));
    reply
}

/// Whether a write with a key runs.
pub(crate) enum Claim {
    /// The request has no key.
    None,
    /// The write runs now, and stores its result.
    New(ClaimedKey),
    /// The write was executed before, with this result.
    Used(StoredReply),
}

/// A key that this transaction has claimed.
pub(crate) struct ClaimedKey {
    scope: String,
}

impl ClaimedKey {
    /// Stores the result of the write.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub(crate) fn store(self, tx: &mut Tx<'_>, reply: StoredReply) -> Result<()> {
        let mut update = Statement::new();
        update.push("UPDATE dz_idempotency SET status = ").bind(Value::Int(reply.status.into()), BindKind::Int);
        update.push(", row_key = ").bind(Value::Text(reply.row), BindKind::Text);
        update.push(", answer = ").bind(Value::Text(reply.answer), BindKind::Text);
        update.push(" WHERE scope = ").bind(Value::Text(self.scope), BindKind::Text);
        tx.conn.execute(&update).map(drop)
    }

    /// Releases the key, because the write was refused.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    #[cfg(feature = "graphql")]
    pub(crate) fn release(self, tx: &mut Tx<'_>) -> Result<()> {
        let mut delete = Statement::new();
        delete.push("DELETE FROM dz_idempotency WHERE scope = ").bind(Value::Text(self.scope), BindKind::Text);
        tx.conn.execute(&delete).map(drop)
    }
}

/// Claims the key of a request in the transaction of its write.
///
/// # Errors
/// 409 while a duplicate is running, 422 if the key was used with another body.
pub(crate) fn claim(tx: &mut Tx<'_>, call: &Call) -> Result<Claim> {
    let sent = call.idempotency.as_ref().and_then(|sent| Some((sent, sent.scope(tx, call)?)));
    let Some((sent, scope)) = sent else { return Ok(Claim::None) };
    match claim_key(tx, sent, &scope)? {
        true => Ok(Claim::New(ClaimedKey { scope })),
        false => load_reply(tx, sent, &scope).map(Claim::Used),
    }
}

/// Claims the key; true if it is new or expired.
fn claim_key(tx: &mut Tx<'_>, sent: &IdempotencyKey, scope: &str) -> Result<bool> {
    if tx.engine() == Engine::Postgres && !lock_scope(tx, scope)? {
        return Err(conflict());
    }
    delete_expired(tx)?;
    let (now, text) = (tx.caller.now, |text: &str| Value::Text(text.to_owned()));
    let mut insert = Statement::new();
    insert.push("INSERT INTO dz_idempotency (scope, body, status, row_key, answer, expires_at) VALUES (");
    insert.bind(text(scope), BindKind::Text).push(", ").bind(text(&sent.body), BindKind::Text).push(", 0, '', '', ");
    insert.bind(Value::DateTime(now + LIFETIME), BindKind::DateTime);
    insert.push(
        ") ON CONFLICT (scope) DO UPDATE SET body = excluded.body, status = 0, row_key = '', answer = '', expires_at = excluded.expires_at \
         WHERE dz_idempotency.expires_at <= ",
    );
    insert.bind(Value::DateTime(now), BindKind::DateTime).push(" RETURNING status");
    Ok(!tx.conn.rows(&insert, &[BindKind::Int])?.is_empty())
}

/// Locks the write; false if another transaction of any instance runs it.
fn lock_scope(tx: &mut Tx<'_>, scope: &str) -> Result<bool> {
    // Half of a digest: if two writes have the same half by accident, one of them gets 409 and must be repeated.
    let lock = u64::from_str_radix(scope.get(..16).unwrap_or_default(), 16).unwrap_or_default().cast_signed();
    let mut select = Statement::new();
    select.push("SELECT pg_try_advisory_xact_lock(").bind(Value::Int(lock), BindKind::Int).push(")");
    Ok(tx.conn.rows(&select, &[BindKind::Bool])?.into_iter().flatten().next() == Some(Value::Bool(true)))
}

/// Removes some expired claims.
pub(crate) fn delete_expired(tx: &mut Tx<'_>) -> Result<()> {
    let mut delete = Statement::new();
    delete.push("DELETE FROM dz_idempotency WHERE scope IN (SELECT scope FROM dz_idempotency WHERE expires_at <= ");
    delete.bind(Value::DateTime(tx.caller.now), BindKind::DateTime).push(&format!(" LIMIT {SWEEP_LIMIT}"));
    // Rows that another transaction locks are skipped.
    delete.push(if tx.engine() == Engine::Postgres { " FOR UPDATE SKIP LOCKED)" } else { ")" });
    tx.conn.execute(&delete).map(drop)
}

fn load_reply(tx: &mut Tx<'_>, sent: &IdempotencyKey, scope: &str) -> Result<StoredReply> {
    let mut select = Statement::new();
    select.push("SELECT body, status, row_key, answer FROM dz_idempotency WHERE scope = ");
    select.bind(Value::Text(scope.to_owned()), BindKind::Text);
    let kinds = [BindKind::Text, BindKind::Int, BindKind::Text, BindKind::Text];
    let row = tx.conn.rows(&select, &kinds)?.into_iter().next().unwrap_or_default();
    let [Value::Text(body), Value::Int(status), Value::Text(row), Value::Text(answer)] = <[Value; 4]>::try_from(row).unwrap_or_default()
    else {
        return Err(conflict());
    };
    if body != sent.body {
        let detail = "This `Idempotency-Key` was sent with another body before; choose a new key for a new request";
        return Err(Error::new(422, "IDEMPOTENCY_KEY_REUSED", detail));
    }
    let status = u16::try_from(status).unwrap_or(200);
    Ok(StoredReply { status, row, answer })
}

fn conflict() -> Error {
    let error =
        Error::new(409, "IDEMPOTENCY_KEY_IN_USE", "A request with this `Idempotency-Key` is in progress; try again in a few seconds");
    Error { retry_after: Some(1), ..error }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_separate_their_parts() {
        assert_ne!(digest(&[b"ab", b"c"]), digest(&[b"a", b"bc"]));
        assert_eq!(digest(&[b"ab", b"c"]), digest(&[b"ab", b"c"]));
    }

    #[test]
    fn concurrent_duplicates_are_detected() {
        let sent = IdempotencyKey { key: "k".into(), body: String::new(), twin: "t".into() };
        let under_way = RunningWrites::default();
        let first = under_way.enter(&sent).map_err(|error| error.status).unwrap();
        assert_eq!(under_way.enter(&sent).map(drop).unwrap_err().code, "IDEMPOTENCY_KEY_IN_USE");
        drop(first);
        assert!(under_way.enter(&sent).is_ok());
    }
}
