//! Subscriptions over server-sent events, in the distinct connections mode of the protocol GraphQL over SSE: a response is the stream of
//! one operation, with an event `next` for each result and an event `complete` at its end.
//!
//! A stream holds no thread, no connection to the database and no caller: each change is a read of its own, which loads the session,
//! and checks the rules again.

use std::{
    collections::HashMap,
    io::{self, Cursor},
    pin::pin,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use rocket::{
    Shutdown,
    futures::{StreamExt, stream},
};
use tokio::{
    io::AsyncRead,
    time::{Instant, sleep_until},
};
use tokio_util::io::StreamReader;

use super::{endpoint, require_account};
use crate::{
    Error, Result, Tx,
    blocking::{Work, catch_panic},
    config::Settings,
    db::{Change, Changes, Next},
    def::EntityIx,
    graphql::{Followed, Request},
    output::{log_event, one_line},
    state::Job,
    web::{Call, Reply, dispatch::renew_cookie, server::Server},
};

/// The media type of server-sent events.
pub(crate) const EVENTS: &str = "text/event-stream";
/// The event at the end of a stream.
const COMPLETE: &str = "event: complete\ndata:\n\n";
/// A comment, which clients ignore: it begins a stream, and shows whether the client is still connected.
const COMMENT: &str = ":\n\n";
/// The time between two messages of a stream without events.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// The seconds after which a client can try again that has too many streams.
const RETRY: u16 = 15;
/// The number of open streams by account.
#[derive(Debug, Default)]
pub(crate) struct Streams(Mutex<HashMap<String, usize>>);

impl Streams {
    /// Counts a stream until the result is dropped.
    ///
    /// # Errors
    /// 429 if the account, or all accounts together, have too many streams.
    fn open(self: &Arc<Streams>, settings: &Settings, account: String) -> Result<OpenStream> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_account = all.get(&account).copied().unwrap_or_default();
        let is_below = |count: usize, limit: u32| u32::try_from(count).is_ok_and(|count| count < limit);
        let refuse = |detail: String| Err(Error { retry_after: Some(RETRY), ..Error::new(429, "TOO_MANY_SUBSCRIPTIONS", detail) });
        if !is_below(of_account, settings.streams_of_account) {
            return refuse(format!("An account has at most {} open subscriptions; close others first", settings.streams_of_account));
        }
        if !is_below(all.values().sum(), settings.streams) {
            return refuse("The server has too many open subscriptions; try again later".to_owned());
        }
        all.insert(account.clone(), of_account + 1);
        drop(all);
        Ok(OpenStream { streams: self.clone(), account })
    }
}

/// An open stream of an account.
#[derive(Debug)]
struct OpenStream {
    streams: Arc<Streams>,
    account: String,
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        let mut all = self.streams.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = all.get_mut(&self.account) {
            *count -= 1;
            if *count == 0 {
                all.remove(&self.account);
            }
        }
    }
}

/// A subscription that has begun.
pub(crate) struct Subscription {
    request: Request,
    changes: Changes,
    followed: Followed,
    _open: OpenStream,
}

impl std::fmt::Debug for Subscription {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Subscription").finish_non_exhaustive()
    }
}

/// Begins a subscription.
///
/// # Errors
/// 401 without an account, and 429 for too many streams; other refusals are events of the response.
pub(super) fn begin(server: &Server, call: &Call, request: Request) -> Result<Reply> {
    let endpoint = endpoint(server);
    let operation = match endpoint.prepare_change(&request, &call.request_id) {
        Ok(operation) => operation,
        Err(refused) => {
            require_account(server, call)?;
            return Ok(super::reply(call, super::status_of_refused(call), refused.body()));
        }
    };
    let entity = operation.followed_entity().and_then(|at| EntityIx::try_from(at).ok());
    let entity = entity.ok_or_else(|| Error::internal("a subscription without an entity"))?;
    // Changes from now on, so that none is lost between the check and the first event.
    let changes = server.state.db.changes(entity);
    #[cfg(feature = "postgres")]
    server.state.db.hear_instances(server.state.app, false)?;
    let (asked, mut followed) = (call.requester(), Followed::default());
    let begun = server.state.run_job(Job::Read, &asked, &mut |tx| operation.begin_changes(tx, &mut followed));
    let account = match begun {
        Err(error) if error.status != 401 && error.status < 500 => {
            return Ok(super::reply(call, 200, endpoint.refuse_operation(&error, &call.request_id).body()));
        }
        begun => begun?,
    };
    let open = server.streams.open(&server.state.config.settings, account)?;
    let subscription = Subscription { request: request.clone(), changes, followed, _open: open };
    let headers = vec![("X-Accel-Buffering", "no".to_owned())];
    let mut reply = Reply { status: 200, content_type: EVENTS, headers, events: Some(Box::new(subscription)), ..Reply::default() };
    renew_cookie(&server.state, call, &asked, &mut reply);
    Ok(reply)
}

/// A stream with one result.
pub(super) fn write_result(body: &[u8]) -> Vec<u8> {
    [event(body).as_bytes(), COMPLETE.as_bytes()].concat()
}

/// An event with a result, which is JSON in one line.
fn event(body: &[u8]) -> String {
    format!("event: next\ndata: {}\n\n", String::from_utf8_lossy(body))
}

/// The events of a subscription, until the caller loses access, the client disconnects or the server stops.
pub(crate) fn event_body(
    server: Arc<Server>,
    call: Arc<Call>,
    subscription: Box<Subscription>,
    shutdown: Shutdown,
) -> impl AsyncRead + Send + 'static {
    // The body of the request is no longer needed.
    let call = Arc::new(Call { json: None, memory: None, ..(*call).clone() });
    let parts = stream::unfold(Some((subscription, shutdown)), move |live| {
        let (server, call) = (server.clone(), call.clone());
        async move {
            let (mut subscription, mut shutdown) = live?;
            let (part, goes_on) = next_part(&server, &call, &mut subscription, &mut shutdown).await;
            Some((Ok(Cursor::new(part.into_bytes())), goes_on.then_some((subscription, shutdown))))
        }
    });
    let begun = stream::iter([Ok::<_, io::Error>(Cursor::new(COMMENT.as_bytes().to_vec()))]);
    StreamReader::new(Box::pin(begun.chain(parts)))
}

/// The next part of a stream, and whether others follow.
async fn next_part(server: &Arc<Server>, call: &Arc<Call>, subscription: &mut Subscription, shutdown: &mut Shutdown) -> (String, bool) {
    let mut heartbeat = pin!(sleep_until(Instant::now() + HEARTBEAT));
    loop {
        let next = tokio::select! {
            () = &mut *shutdown => return (COMPLETE.to_owned(), false),
            () = &mut heartbeat => return (COMMENT.to_owned(), true),
            next = subscription.changes.next() => next,
        };
        let result = match next {
            Next::Change(change) => run_change(server, call, subscription, change).await,
            Next::Missed => {
                let detail = "Changes are lost: there were too many at once, the client is too slow, or the database was not available; \
                              subscribe again and read the rows";
                Err(Error::new(429, "CHANGES_MISSED", detail))
            }
            Next::End => return (COMPLETE.to_owned(), false),
        };
        match result {
            Ok(Some(body)) => return (event(&body), true),
            Ok(None) => {}
            Err(error) => {
                if let Some(why) = &error.internal {
                    log_event!(error, target: "dz::http", request_id = call.request_id.as_str(), "a subscription ends: {}", one_line(why));
                }
                let refused = endpoint(server).refuse_operation(&error, &call.request_id);
                return (event(&refused.body()) + COMPLETE, false);
            }
        }
    }
}

/// The result for a change, as the caller may see it now.
async fn run_change(
    server: &Arc<Server>,
    call: &Arc<Call>,
    subscription: &mut Subscription,
    change: Arc<Change>,
) -> Result<Option<Vec<u8>>> {
    let (shared, asked, request) = (server.clone(), call.clone(), subscription.request.clone());
    let mut followed = std::mem::take(&mut subscription.followed);
    let work = move || {
        let result = catch_panic(|| {
            let endpoint = endpoint(&shared);
            let operation = endpoint.prepare_change(&request, &asked.request_id);
            let operation = operation.map_err(|_| Error::internal("a subscription is no longer valid"))?;
            let run = &mut |tx: &mut Tx<'_>| operation.run_change(tx, &mut followed, &change);
            shared.state.run_job(Job::Read, &asked.requester(), run)
        });
        (followed, result)
    };
    let (followed, result) = server.state.threads.run_next(Work::Read, work).await?;
    subscription.followed = followed;
    result
}
