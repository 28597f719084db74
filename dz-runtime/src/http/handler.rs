//! Rocket's side: a request becomes a call, a reply becomes a response.

use std::{net::IpAddr, sync::Arc};

use rocket::{
    Catcher, Data, Request, Route,
    data::ToByteUnit,
    http::{Method, Status},
    route::{Handler, Outcome},
};

use super::{Call, Reply, answer, body, csrf, dispatch, state::State};
use crate::{Error, Result};

/// Answers every address that no route of the application's own takes.
#[derive(Clone)]
struct All(Arc<State>);

/// Routes of dz, after all others.
pub(crate) fn routes(state: &Arc<State>) -> Vec<Route> {
    use Method::{Delete, Get, Options, Patch, Post, Put};
    [Get, Post, Put, Patch, Delete, Options]
        .into_iter()
        .map(|method| Route::ranked(1_000, method, "/<path..>", All(state.clone())))
        .collect()
}

#[rocket::async_trait]
impl Handler for All {
    async fn handle<'r>(&self, request: &'r Request<'_>, data: Data<'r>) -> Outcome<'r> {
        let state = self.0.clone();
        let mut call = call(&state, request);
        let reply = match prepare(&state, request, data, &mut call).await {
            Err(error) => answer::refuse(&state, &call, &error),
            Ok(()) => {
                let (shared, asked) = (state.clone(), call.clone());
                let done = rocket::tokio::task::spawn_blocking(move || dispatch::respond(&shared, &asked)).await;
                done.unwrap_or_else(|error| answer::refuse(&state, &call, &Error::internal(error)))
            }
        };
        Outcome::Success(answer::response(&state, reply, &call.request_id))
    }
}

async fn prepare(state: &State, request: &Request<'_>, data: Data<'_>, call: &mut Call) -> Result<()> {
    let safe = matches!(request.method(), Method::Get | Method::Head | Method::Options);
    if safe {
        return Ok(());
    }
    let limit = state.config.body_limit;
    let read = data.open(limit.bytes()).into_bytes().await;
    let bytes = read.map_err(|error| Error { internal: None, ..Error::bad_request(format!("the body could not be read: {error}")) })?;
    if !bytes.is_complete() {
        return Err(Error::new(413, "TOO_LARGE", format!("The body is larger than {limit} bytes")));
    }
    let origin = csrf::Origin::of(request);
    body::read(request, bytes.into_inner(), call)?;
    let token = call.form.iter().find(|(name, _)| name == "csrf").map(|(_, value)| value.as_str());
    csrf::check(&state.config, &origin, call.session.as_deref(), token)
}

/// The parts of a request that need no body.
pub(crate) fn call(state: &State, request: &Request<'_>) -> Call {
    let uri = request.uri();
    let path: Vec<String> = uri.path().segments().map(str::to_owned).collect();
    let header = |name: &str| request.headers().get_one(name);
    // A request that authorises itself otherwise does not use the browser's cookies.
    let session = if request.headers().contains("Authorization") { None } else { cookie(request, state.config.cookie()) };
    let accepts_json = header("Accept").is_some_and(|accept| accept.contains("json") && !accept.contains("text/html"));
    let json_body = header("Content-Type").is_some_and(|kind| kind.contains("json"));
    let is_api = path.first().is_some_and(|first| first == "api")
        || (path.first().is_some_and(|it| it == "auth") && path.get(1).is_some_and(|it| it == "me"));
    Call {
        method: request.method().as_str().to_owned(),
        uri: uri.to_string(),
        query: uri.query().map(|query| body::pairs(query.as_str())).unwrap_or_default(),
        form: Vec::new(),
        json: None,
        htmx: header("HX-Request").is_some(),
        if_match: header("If-Match").map(str::to_owned),
        wants_json: is_api || accepts_json || json_body,
        client: client(state, request),
        request_id: uuid::Uuid::now_v7().simple().to_string(),
        csrf: csrf::token(session.as_deref()),
        markup: state.config.markup,
        session,
        path,
    }
}

/// Cookies are read from the header itself: Rocket's jar would need its secrets feature for nothing.
fn cookie(request: &Request<'_>, name: &str) -> Option<String> {
    let found = request.headers().get("Cookie").flat_map(|line| line.split(';')).find_map(|pair| {
        let (key, value) = pair.trim().split_once('=')?;
        (key == name).then(|| value.to_owned())
    });
    found.filter(|value| !value.is_empty() && value.len() <= 128)
}

/// The socket's address; behind a proxy that the configuration names, the one that the proxy saw.
fn client(state: &State, request: &Request<'_>) -> Option<IpAddr> {
    let socket = request.remote()?.ip();
    if !state.config.trusted_proxies.contains(&socket) {
        return Some(socket);
    }
    let forwarded = request.headers().get_one("X-Forwarded-For")?.rsplit(',').next()?.trim().parse().ok();
    forwarded.or(Some(socket))
}

/// Refuses an unsafe request to a custom route that another site could have caused.
pub(crate) fn guard_csrf(state: &State, request: &Request<'_>, call: &Call) -> Result<()> {
    if matches!(request.method(), Method::Get | Method::Head | Method::Options) {
        return Ok(());
    }
    csrf::check(&state.config, &csrf::Origin::of(request), call.session.as_deref(), None)
}

/// What a guard of a custom route refused with, for the catcher.
#[derive(Default)]
pub(crate) struct Refusal(std::sync::Mutex<Option<Error>>);

impl Refusal {
    /// Keeps an error for the catcher.
    pub fn keep(request: &Request<'_>, error: Error) -> Status {
        let status = Status::new(error.status);
        let kept: &Refusal = request.local_cache(Refusal::default);
        *kept.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(error);
        status
    }
}

/// Answers what custom routes and Rocket itself refuse, in dz's manner.
pub(crate) fn catcher(state: &Arc<State>) -> Catcher {
    #[derive(Clone)]
    struct Catch(Arc<State>);

    #[rocket::async_trait]
    impl rocket::catcher::Handler for Catch {
        async fn handle<'r>(&self, status: Status, request: &'r Request<'_>) -> rocket::catcher::Result<'r> {
            let kept: &Refusal = request.local_cache(Refusal::default);
            let kept = kept.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
            let error = kept.unwrap_or_else(|| match status.code {
                404 => Error::not_found(),
                401 => Error::unauthenticated(),
                413 => Error::new(413, "TOO_LARGE", "The request is too large"),
                code @ 400..=499 => Error::new(code, "BAD_REQUEST", status.reason_lossy()),
                _ => Error::internal(format_args!("status {}", status.code)),
            });
            let call = call(&self.0, request);
            let reply: Reply = answer::refuse(&self.0, &call, &error);
            Ok(answer::response(&self.0, reply, &call.request_id))
        }
    }

    Catcher::new(None, Catch(state.clone()))
}
