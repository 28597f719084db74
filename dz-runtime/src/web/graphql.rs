//! `/graphql`: GraphQL over HTTP.

pub(crate) mod subscription;

use rocket::http::Method;

use crate::{
    Error, Result, Tx,
    graphql::{Endpoint, Operation, Request, read_post, read_query},
    state::{Job, State},
    web::{
        Call, Reply,
        api::idempotency::{self, Claim, StoredReply},
        dispatch::renew_cookie,
        request::{body, rate_limits::Class},
        server::Server,
    },
};

/// The media type of responses whose status shows whether the document was executed.
const GRAPHQL: &str = "application/graphql-response+json";

/// The keyword of a mutation.
const MUTATION: &str = "mutation";

/// The largest request, in bytes, that is read and validated before the caller is known: the document with its variables.
const SMALL_REQUEST: usize = 4 << 10;

/// Answers a request: 200 with `data` and `errors`, 400 for a request that is not one of GraphQL, 401 without a session.
pub(crate) fn answer(server: &Server, call: &Call) -> Result<Reply> {
    let state = &server.state;
    if call.session.is_none() && call.bearer.is_none() {
        return Err(Error::unauthenticated());
    }
    // The validation of a large request takes long, so that only callers with an account can request it.
    let size = call.json.as_ref().map_or_else(|| call.query.iter().map(|(_, value)| value.len()).sum(), Vec::len);
    if size > SMALL_REQUEST {
        require_account(server, call)?;
    }
    let is_get = call.method == Method::Get.as_str();
    let request = match &call.json {
        _ if is_get => read_query(&call.query),
        Some(body) => read_post(body),
        None if call.form.is_empty() && call.csv.is_none() => Err(Error::bad_request("send a JSON object with `query`")),
        None => Err(body::unsupported("Send JSON with the header `Content-Type: application/json`")),
    };
    let endpoint = endpoint(server);
    let request = match request {
        Ok(request) => request,
        Err(error) => return require_account(server, call).and(Err(error)),
    };
    let text = Some(request.query.as_str()).filter(|text| !text.is_empty());
    let permitted = state.config.settings.find_document(request.document.as_deref(), text).map(str::to_owned);
    let request = Request { query: permitted.clone().unwrap_or_default(), ..request };
    let subscription = match permitted {
        Some(_) if call.event_stream => endpoint.find_subscription(&request, &call.request_id),
        Some(_) => Ok(None),
        None => Err(endpoint.refuse_document(&call.request_id)),
    };
    let prepared = match subscription {
        Ok(Some(request)) => return subscription::begin(server, call, request),
        Ok(None) => endpoint.prepare(&request, &call.request_id),
        Err(refused) => Err(refused),
    };
    let operation = match prepared {
        Ok(operation) => operation,
        Err(refused) => {
            // The errors name types and fields, which only callers with an account see.
            require_account(server, call)?;
            return Ok(reply(call, status_of_refused(call), refused.body()));
        }
    };
    if is_get && operation.is_write() {
        let error = Error::new(405, "METHOD_NOT_ALLOWED", "Send a mutation with `POST`");
        return require_account(server, call).and(Err(Error { allow: Some("POST".into()), ..error }));
    }
    let job = if operation.is_write() {
        if let Some(wait) = server.limits.admit_blocking(Class::Write, call.client)? {
            return Err(wait.into_error());
        }
        Job::Write
    } else {
        Job::ReadAnywhere
    };
    let asked = call.requester();
    let sent = call.idempotency.as_ref().filter(|_| operation.is_write());
    let _under_way = sent.map(|sent| server.running_writes.enter(sent)).transpose()?;
    let (body, is_replayed) = state.run_job(job, &asked, &mut |tx| match sent {
        Some(_) => run_once(tx, call, &operation),
        None => operation.run(tx).map(|body| (body, false)),
    })?;
    let mut reply = reply(call, 200, body);
    if is_replayed {
        reply = idempotency::add_replay_header(reply);
    }
    renew_cookie(state, call, &asked, &mut reply);
    Ok(reply)
}

/// Runs a mutation with an idempotency key once. True if it ran before and the response is repeated.
fn run_once(tx: &mut Tx<'_>, call: &Call, operation: &Operation<'_>) -> Result<(Vec<u8>, bool)> {
    match idempotency::claim(tx, call)? {
        Claim::None => operation.run(tx).map(|body| (body, false)),
        Claim::Used(stored) => operation.repeat(tx, &stored.answer).map(|body| (body, true)),
        Claim::New(claimed) => {
            let (body, answer) = operation.run_once(tx)?;
            match answer {
                Some(answer) => claimed.store(tx, StoredReply { status: 200, row: String::new(), answer })?,
                None => claimed.release(tx)?,
            }
            Ok((body, false))
        }
    }
}

/// The schema of the application.
fn endpoint(server: &Server) -> &Endpoint {
    let state = &server.state;
    server.graphql.get_or_init(|| Endpoint::new(state.app, state.config.settings.allows_introspection()))
}

/// Refuses a caller without an account.
fn require_account(server: &Server, call: &Call) -> Result<()> {
    let check = &mut |tx: &mut crate::Tx<'_>| tx.caller().account.as_ref().map(drop).ok_or_else(Error::unauthenticated);
    server.state.run_job(Job::Read, &call.requester(), check)
}

/// The status of a document that is refused before it is executed, by the media type that the client accepts.
fn status_of_refused(call: &Call) -> u16 {
    if call.graphql_response { 400 } else { 200 }
}

fn reply(call: &Call, status: u16, body: Vec<u8>) -> Reply {
    if call.only_events {
        return Reply { status: 200, content_type: subscription::EVENTS, body: subscription::write_result(&body), ..Reply::default() };
    }
    let content_type = if call.graphql_response { GRAPHQL } else { "application/json" };
    Reply { status, content_type, body, ..Reply::default() }
}

/// True for a request that can contain a mutation, which needs a slot for writes.
pub(crate) fn can_write(state: &State, call: &Call) -> bool {
    let Some(body) = call.json.as_deref() else { return false };
    let contains = |word: &str| body.windows(word.len()).any(|part| part == word.as_bytes());
    // The body can name a permitted document, and JSON can write each letter as an escape sequence.
    let is_indirect = || ["documentId", "persistedQuery", "\\u"].into_iter().any(contains);
    let permits_mutation = |request: Request| {
        let text = Some(request.query.as_str()).filter(|text| !text.is_empty());
        let document = state.config.settings.find_document(request.document.as_deref(), text);
        document.is_some_and(|document| document.contains(MUTATION))
    };
    contains(MUTATION) || (is_indirect() && read_post(body).is_ok_and(permits_mutation))
}
