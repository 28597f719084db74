//! `Idempotency-Key`: a write that is sent again is done once.
//!
//! The claim is a row of `dz_idempotency`, made in the write's own transaction: what the write undoes, undoes it. A
//! replay is not a stored answer: it asks for access again and reads the row again. Only the answers of writes to
//! many rows are stored, which hold keys and refusals.

use std::{
    collections::HashSet,
    sync::{Mutex, PoisonError},
};

use chrono::TimeDelta;
use rocket::Request;
use sha2::{Digest, Sha256};

use crate::{
    Engine, Error, Result, Tx, Value,
    db::{BindKind, Statement},
    web::routes::Run,
    web::{Call, Reply},
};

/// Characters of a key at most.
const MAX_KEY_LENGTH: usize = 255;
/// How long a key holds.
const LIFETIME: TimeDelta = TimeDelta::hours(24);
/// Claims that have expired and are removed with a new one, at most.
const SWEEP_LIMIT: usize = 100;

/// A key as it was sent, with what it was sent with.
#[derive(Debug, Clone)]
pub struct IdempotencyKey {
    key: String,
    /// Digest of the body and the query.
    body: String,
    /// Digest of everything that twins share, also before it is known who sent them.
    twin: String,
}

impl IdempotencyKey {
    /// The key of a request to the API that can carry one.
    ///
    /// # Errors
    /// 400 for a key that is none.
    pub(crate) fn from_request(request: &Request<'_>, call: &Call, bytes: &[u8]) -> Result<Option<IdempotencyKey>> {
        let is_write = call.method == "POST" && call.found.route().is_some_and(|route| matches!(route.run, Run::Api(_)));
        let mut sent = request.headers().get("Idempotency-Key");
        let Some(key) = sent.next().filter(|_| is_write) else { return Ok(None) };
        let fits = (1..=MAX_KEY_LENGTH).contains(&key.len()) && key.bytes().all(|byte| (b' '..=b'~').contains(&byte));
        if !fits || sent.next().is_some() {
            return Err(Error::bad_request(format!(
                "`Idempotency-Key` must be one text of 1 to {MAX_KEY_LENGTH} printable ASCII characters"
            )));
        }
        let kind = request.content_type().map(ToString::to_string).unwrap_or_default();
        let query = request.uri().query().map(|query| query.to_string()).unwrap_or_default();
        let credentials: Vec<&str> = ["Authorization", "Cookie"].iter().flat_map(|name| request.headers().get(name)).collect();
        let path = call.path.join("\0");
        Ok(Some(IdempotencyKey {
            key: key.to_owned(),
            body: digest(&[kind.as_bytes(), query.as_bytes(), bytes]),
            twin: digest(&[credentials.join("\0").as_bytes(), path.as_bytes(), key.as_bytes()]),
        }))
    }

    /// Whose key it is, and for what: nobody replays another's answer.
    fn scope(&self, tx: &Tx<'_>, call: &Call) -> Option<String> {
        let account = tx.caller.account.as_ref()?;
        let (account, path) = (format!("{:?}", account.id), call.path.join("\0"));
        let tenant = tx.caller.tenant().map(|tenant| format!("{tenant:?}")).unwrap_or_default();
        Some(digest(&[account.as_bytes(), tenant.as_bytes(), call.method.as_bytes(), path.as_bytes(), self.key.as_bytes()]))
    }
}

/// A digest of parts, which cannot run into each other.
fn digest(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    format!("{:x}", hash.finalize())
}

/// Writes with a key that this process is doing. SQLite has one writer, so that a twin would only wait for its turn.
#[derive(Default)]
pub(crate) struct RunningWrites(Mutex<HashSet<String>>);

/// One of them; it ends when it is dropped.
pub(crate) struct RunningWrite<'u>(&'u RunningWrites, String);

impl RunningWrites {
    /// Begins a write.
    ///
    /// # Errors
    /// 409 while a twin is being done.
    pub(crate) fn enter(&self, sent: &IdempotencyKey) -> Result<RunningWrite<'_>> {
        let fresh = self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(sent.twin.clone());
        if fresh { Ok(RunningWrite(self, sent.twin.clone())) } else { Err(conflict()) }
    }
}

impl Drop for RunningWrite<'_> {
    fn drop(&mut self) {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.1);
    }
}

/// What was kept of a write that is done.
pub(crate) struct StoredReply {
    /// The status of its answer.
    pub status: u16,
    /// The key of the row that it showed, as addresses write it; empty where it showed none.
    pub row: String,
    /// The answer itself where it showed no row.
    pub answer: String,
}

/// Does a write once: the first time by `write`, later by `replay`.
///
/// # Errors
/// 409 while a twin is being done, 422 when the key was sent with another body, and those of the two.
pub(crate) fn run_once(
    tx: &mut Tx<'_>,
    call: &Call,
    write: impl FnOnce(&mut Tx<'_>) -> Result<Reply>,
    replay: impl FnOnce(&mut Tx<'_>, StoredReply) -> Result<Reply>,
) -> Result<Reply> {
    let claimed = call.idempotency.as_ref().and_then(|sent| Some((sent, sent.scope(tx, call)?)));
    let Some((sent, scope)) = claimed else { return write(tx) };
    if !claim_key(tx, sent, &scope)? {
        let kept = load_reply(tx, sent, &scope)?;
        let mut reply = replay(tx, kept)?;
        reply.headers.push(("Idempotency-Replayed", "true".to_owned()));
        return Ok(reply);
    }
    let reply = write(tx)?;
    let mut update = Statement::new();
    update.push("UPDATE dz_idempotency SET status = ").bind(Value::Int(reply.status.into()), BindKind::Int);
    let (row, answer) = match &reply.row {
        Some(key) => (key.to_key_text().unwrap_or_default(), String::new()),
        None => (String::new(), String::from_utf8_lossy(&reply.body).into_owned()),
    };
    update.push(", row_key = ").bind(Value::Text(row), BindKind::Text);
    update.push(", answer = ").bind(Value::Text(answer), BindKind::Text);
    update.push(" WHERE scope = ").bind(Value::Text(scope), BindKind::Text);
    tx.conn.execute(&update)?;
    Ok(reply)
}

/// True when the key is new, or has expired.
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

/// True when no other transaction, of whichever instance, does the same write now.
fn lock_scope(tx: &mut Tx<'_>, scope: &str) -> Result<bool> {
    // Half a digest: of two writes that share it by accident, one is asked to come again.
    let lock = u64::from_str_radix(scope.get(..16).unwrap_or_default(), 16).unwrap_or_default().cast_signed();
    let mut select = Statement::new();
    select.push("SELECT pg_try_advisory_xact_lock(").bind(Value::Int(lock), BindKind::Int).push(")");
    Ok(tx.conn.rows(&select, &[BindKind::Bool])?.into_iter().flatten().next() == Some(Value::Bool(true)))
}

/// Removes some claims that have expired.
fn delete_expired(tx: &mut Tx<'_>) -> Result<()> {
    let mut delete = Statement::new();
    delete.push("DELETE FROM dz_idempotency WHERE scope IN (SELECT scope FROM dz_idempotency WHERE expires_at <= ");
    delete.bind(Value::DateTime(tx.caller.now), BindKind::DateTime).push(&format!(" LIMIT {SWEEP_LIMIT}"));
    // Rows that another transaction removes are in good hands.
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
