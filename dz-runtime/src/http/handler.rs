//! Rocket's side: a request becomes a call, a reply becomes a response.

use std::{net::IpAddr, sync::Arc};

use rocket::{
    Data, Request, Route,
    data::ToByteUnit,
    http::Method,
    route::{Handler, Outcome},
};

use super::{Call, answer, body, csrf, dispatch, state::State};
use crate::{Error, Result};

/// Answers every address that no route of the application's own takes.
#[derive(Clone)]
struct All(Arc<State>);

/// Routes of dz, after all others.
pub(crate) fn routes(state: &Arc<State>) -> Vec<Route> {
    use Method::{Delete, Get, Options, Patch, Post, Put, Trace};
    [Get, Post, Put, Patch, Delete, Options, Trace]
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
                let call = Arc::new(call);
                let (shared, asked) = (state.clone(), call.clone());
                let done = rocket::tokio::task::spawn_blocking(move || dispatch::respond(&shared, &asked)).await;
                done.unwrap_or_else(|error| answer::refuse(&state, &call, &Error::internal(error)))
            }
        };
        Outcome::Success(answer::response(&state, reply, request_id(request)))
    }
}

async fn prepare(state: &State, request: &Request<'_>, data: Data<'_>, call: &mut Call) -> Result<()> {
    if is_safe(request.method()) {
        return Ok(());
    }
    let limit = state.config.body_limit;
    let read = data.open(limit.bytes()).into_bytes().await;
    let bytes = read.map_err(|error| Error::bad_request(format!("the body could not be read: {error}")))?;
    if !bytes.is_complete() {
        return Err(Error::new(413, "TOO_LARGE", format!("The body is larger than {limit} bytes")));
    }
    body::read(request, bytes.into_inner(), call)?;
    let token = call.form.iter().find(|(name, _)| name == "csrf").map(|(_, value)| value.as_str());
    csrf::check(&state.config, &csrf::Origin::of(request), call.session.as_deref(), token)
}

/// True for methods that change nothing.
fn is_safe(method: Method) -> bool {
    matches!(method, Method::Get | Method::Head | Method::Options | Method::Trace)
}

/// Identifies a request in answers and in the log, whoever answers it.
pub(crate) fn request_id<'r>(request: &'r Request<'_>) -> &'r str {
    struct Id(String);
    let id: &Id = request.local_cache(|| Id(uuid::Uuid::now_v7().simple().to_string()));
    &id.0
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
        request_id: request_id(request).to_owned(),
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

/// The socket's address; behind proxies that the configuration names, the one that the outermost of them saw.
fn client(state: &State, request: &Request<'_>) -> Option<IpAddr> {
    let socket = request.remote()?.ip();
    Some(outermost(&state.config.trusted_proxies, socket, request.headers().get("X-Forwarded-For").collect()))
}

fn outermost(trusted: &[IpAddr], socket: IpAddr, lines: Vec<&str>) -> IpAddr {
    let mut nearest = socket.to_canonical();
    let mut forwarded = lines.iter().rev().flat_map(|line| line.rsplit(','));
    while trusted.contains(&nearest) {
        // Behind what is written as no address nobody looks.
        let Some(before) = forwarded.next().and_then(|text| text.trim().parse::<IpAddr>().ok()) else { break };
        nearest = before.to_canonical();
    }
    nearest
}

/// Refuses an unsafe request to a custom route that another site could have caused.
pub(crate) fn guard_csrf(state: &State, request: &Request<'_>, call: &Call) -> Result<()> {
    if is_safe(request.method()) {
        return Ok(());
    }
    csrf::check(&state.config, &csrf::Origin::of(request), call.session.as_deref(), None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn seen(trusted: &[&str], socket: &str, lines: &[&str], expected: &str) {
        let trusted: Vec<IpAddr> = trusted.iter().map(|it| it.parse().unwrap()).collect();
        assert_eq!(outermost(&trusted, socket.parse().unwrap(), lines.to_vec()), expected.parse::<IpAddr>().unwrap());
    }

    #[test]
    fn only_named_proxies_are_believed() {
        seen(&[], "10.0.0.1", &["1.2.3.4"], "10.0.0.1");
        seen(&["10.0.0.1"], "10.0.0.1", &["6.6.6.6, 1.2.3.4"], "1.2.3.4");
        seen(&["10.0.0.1"], "10.0.0.1", &["6.6.6.6", "1.2.3.4"], "1.2.3.4");
        seen(&["10.0.0.1", "10.0.0.2"], "10.0.0.1", &["6.6.6.6, 1.2.3.4, 10.0.0.2"], "1.2.3.4");
        seen(&["10.0.0.1"], "10.0.0.1", &["1.2.3.4, unknown"], "10.0.0.1");
        seen(&["10.0.0.1"], "::ffff:10.0.0.1", &["1.2.3.4"], "1.2.3.4");
        seen(&["10.0.0.1"], "10.0.0.1", &[], "10.0.0.1");
    }
}
