//! `Idempotency-Key`: a repeated write is executed once.
//!
//! The claim is a row of `dz_idempotency` in the transaction of the write, so a failure removes it. A repeated request checks access
//! again and reads the row again. A whole response is stored only for writes of many rows.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, PoisonError},
};

use chrono::TimeDelta;
use diesel::prelude::*;
use sha2::{Digest, Sha256};

use crate::{
    caller::Caller,
    db::Connection,
    problem::{Problem, Result},
    reply::Reply,
    request::{Body, Call},
    types::Timestamp,
};

diesel::table! {
    use diesel::sql_types::{BigInt, Text};
    use crate::types::sql::Instant;

    dz_idempotency (scope) {
        scope -> Text,
        body -> Text,
        status -> BigInt,
        row_key -> Text,
        answer -> Text,
        expires_at -> Instant,
    }
}

/// The most characters of a key.
const LONGEST: usize = 255;
/// How long a key is known.
const LIFETIME: TimeDelta = TimeDelta::hours(24);
/// The most expired claims that a new one removes.
const MOST_EXPIRED: i64 = 100;

/// The key of a request, with digests of the request.
#[derive(Debug, Clone, Default)]
pub struct Key {
    key: String,
    /// The address.
    path: String,
    /// The query and the type of the body.
    about: String,
    /// The same for the same sender, also before the caller is known.
    twin: String,
}

impl Key {
    /// The key of a write/*IF FILES*/ or an upload/*END FILES*/; an error for one that cannot be a key.
    pub fn from_request(request: &rocket::Request<'_>) -> Result<Option<Key>> {
        let path = request.uri().path().to_string();
        let is_write = request.method() == rocket::http::Method::Post && /*IF FILES*/(path.starts_with("/api/") || path.starts_with("/files/"))/*END FILES*//*IF NO FILES*/path.starts_with("/api/")/*END NO FILES*/;
        let mut sent = request.headers().get("Idempotency-Key");
        let Some(key) = sent.next().filter(|_| is_write) else { return Ok(None) };
        let fits = (1..=LONGEST).contains(&key.len()) && key.bytes().all(|byte| (b' '..=b'~').contains(&byte));
        if !fits || sent.next().is_some() {
            let text = format!("`Idempotency-Key` must be one text of 1 to {LONGEST} printable ASCII characters");
            return Err(Problem::bad_request(text));
        }
/*IF FILES*/        // The boundary of a form differs between two requests.
        let kind = request.content_type().map(|kind| match *kind == rocket::http::ContentType::FormData {
            true => rocket::http::ContentType::FormData.to_string(),
            false => kind.to_string(),
        });
        let kind = kind.unwrap_or_default();
/*END FILES*//*IF NO FILES*/        let kind = request.content_type().map(ToString::to_string).unwrap_or_default();
/*END NO FILES*/        let query = request.uri().query().map(|query| query.to_string()).unwrap_or_default();
        let sender: Vec<&str> = ["Authorization", "Cookie"].iter().flat_map(|name| request.headers().get(name)).collect();
        Ok(Some(Key {
            about: digest(&[kind.as_bytes(), query.as_bytes()]),
            twin: digest(&[sender.join("\0").as_bytes(), path.as_bytes(), key.as_bytes()]),
            key: key.to_owned(),
            path,
        }))
    }
}

/// A digest of parts, which depends on where one ends.
/*IF FILES*/pub /*END FILES*/fn digest(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    format!("{:x}", hash.finalize())
}

/// The writes with a key that run at present in this process. SQLite has one writer, so a repetition would only wait for it.
#[derive(Debug, Clone, Default)]
pub struct Running(Arc<Mutex<HashSet<String>>>);

/// A write that runs, until this is dropped.
pub struct Write(Running, String);

impl Running {
    /// Begins a request; 409 while the same write runs.
    pub fn begin(&self, call: &Call) -> Result<Option<Write>> {
        let Some(key) = call.idempotency.clone()? else { return Ok(None) };
        let is_new = self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key.twin.clone());
        if is_new { Ok(Some(Write(self.clone(), key.twin))) } else { Err(in_use()) }
    }
}

impl Drop for Write {
    fn drop(&mut self) {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.1);
    }
}

fn in_use() -> Problem {
    let text = "A request with this `Idempotency-Key` is in progress; try again in a few seconds";
    Problem { retry_after: Some(1), ..Problem::new(409, "IDEMPOTENCY_KEY_IN_USE", text) }
}

/// The response of an earlier write.
#[derive(Debug, Clone)]
pub struct Stored {
    /// Its status.
    pub status: u16,
    /// The key of its row; empty without one.
    pub row: String,
    /// The response itself, if it showed no row.
    pub answer: String,
}

impl Stored {
    /// The response itself.
    pub fn reply(&self) -> Result<Reply> {
        Ok(Reply::json(self.status, serde_json::from_str(&self.answer).map_err(Problem::internal)?))
    }
}

/// A write that is executed once for each key.
#[derive(Debug, Clone, Default)]
pub struct Once {
    key: Option<Key>,
    /// A digest of what is sent.
    body: String,
}

impl Once {
    /// The write of a request.
    pub fn new(call: &Call, body: Option<&Body>) -> Once {
        let key = call.idempotency.clone().ok().flatten();
        let bytes = body.map(Body::bytes).unwrap_or_default();
        let body = key.as_ref().map(|key| digest(&[key.about.as_bytes(), bytes])).unwrap_or_default();
        Once { key, body }
    }

/*IF FILES*/    /// The write of a form, of which the digests of the parts are known.
    pub fn of_form(key: Option<Key>, parts: &[String]) -> Once {
        let parts = parts.iter().map(String::as_bytes);
        let body = |key: &Key| digest(&[key.about.as_bytes()].into_iter().chain(parts).collect::<Vec<_>>());
        Once { body: key.as_ref().map(body).unwrap_or_default(), key }
    }

/*END FILES*/    /// Runs `work` the first time, and `again` later. Keys of callers who are not signed in have no meaning.
    pub fn run(
        &self,
        connection: &mut Connection,
        caller: &Caller,
        again: impl FnOnce(&mut Connection, &Stored) -> Result<Reply>,
        work: impl FnOnce(&mut Connection) -> Result<Reply>,
    ) -> Result<Reply> {
        let (Some(key), Some(account)) = (&self.key, caller.id()) else { return work(connection) };
        let tenant = /*IF TENANTS*/caller.tenant().map(|tenant| tenant.to_string()).unwrap_or_default()/*END TENANTS*//*IF NO TENANTS*/String::new()/*END NO TENANTS*/;
        let scope = digest(&[account.to_string().as_bytes(), tenant.as_bytes(), key.path.as_bytes(), key.key.as_bytes()]);
        if !self.claim(connection, &scope, caller.now)? {
            let stored = self.stored(connection, &scope)?;
            return Ok(again(connection, &stored)?.header("Idempotency-Replayed", "true"));
        }
        let reply = work(connection)?;
        let row = reply.row_key.clone().unwrap_or_default();
        let answer = match &reply.row_key {
            Some(_) => String::new(),
            None => reply.body.as_ref().map(ToString::to_string).unwrap_or_default(),
        };
        let rows = dz_idempotency::table.filter(dz_idempotency::scope.eq(&scope));
        let result = (
            dz_idempotency::status.eq(i64::from(reply.status)),
            dz_idempotency::row_key.eq(row),
            dz_idempotency::answer.eq(answer),
        );
        diesel::update(rows).set(result).execute(connection)?;
        Ok(reply)
    }

    /// Claims the key; true if it is new or has expired.
    fn claim(&self, connection: &mut Connection, scope: &str, now: Timestamp) -> Result<bool> {
        #[cfg(feature = "postgres")]
        lock(connection, scope)?;
        let expired = dz_idempotency::table.filter(dz_idempotency::expires_at.le(now));
        let scopes = expired.select(dz_idempotency::scope).limit(MOST_EXPIRED);
        #[cfg(feature = "postgres")]
        let scopes = scopes.for_update().skip_locked();
        let scopes: Vec<String> = scopes.load(connection)?;
        diesel::delete(dz_idempotency::table.filter(dz_idempotency::scope.eq_any(scopes))).execute(connection)?;
        diesel::delete(expired.filter(dz_idempotency::scope.eq(scope))).execute(connection)?;
        let claim = (
            dz_idempotency::scope.eq(scope),
            dz_idempotency::body.eq(&self.body),
            dz_idempotency::status.eq(0_i64),
            dz_idempotency::row_key.eq(""),
            dz_idempotency::answer.eq(""),
            dz_idempotency::expires_at.eq(Timestamp(now.0 + LIFETIME)),
        );
        let stored = diesel::insert_into(dz_idempotency::table).values(claim).on_conflict_do_nothing().execute(connection)?;
        Ok(stored > 0)
    }

    /// The response of the earlier write, if it had the same body.
    fn stored(&self, connection: &mut Connection, scope: &str) -> Result<Stored> {
        let columns = (dz_idempotency::body, dz_idempotency::status, dz_idempotency::row_key, dz_idempotency::answer);
        let rows = dz_idempotency::table.filter(dz_idempotency::scope.eq(scope)).select(columns);
        let found: Option<(String, i64, String, String)> = rows.first(connection).optional()?;
        let (body, status, row, answer) = found.ok_or_else(in_use)?;
        if body != self.body {
            let text = "This `Idempotency-Key` was sent with another body before; choose a new key for a new request";
            return Err(Problem::new(422, "IDEMPOTENCY_KEY_REUSED", text));
        }
        Ok(Stored { status: u16::try_from(status).unwrap_or(200), row, answer })
    }
}

/// Locks the write; 409 if another transaction runs it.
#[cfg(feature = "postgres")]
fn lock(connection: &mut Connection, scope: &str) -> Result<()> {
    use diesel::sql_types::{BigInt, Bool};

    #[derive(QueryableByName)]
    struct Locked {
        #[diesel(sql_type = Bool)]
        locked: bool,
    }

    // Half of a digest: if two writes have the same half by accident, one of them has to be repeated.
    let half = u64::from_str_radix(scope.get(..16).unwrap_or_default(), 16).unwrap_or_default().cast_signed();
    let select = diesel::sql_query("SELECT pg_try_advisory_xact_lock($1) AS locked").bind::<BigInt, _>(half);
    if select.get_result::<Locked>(connection)?.locked { Ok(()) } else { Err(in_use()) }
}
