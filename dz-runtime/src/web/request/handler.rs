//! The Rocket handler: converts a request to a call, and a reply to a response.

use std::{sync::Arc, time::Duration};

use rocket::{
    Data, Request, Response, Route,
    http::Method,
    route::{Handler, Outcome},
};

#[cfg(feature = "graphql")]
use crate::web::graphql::subscription::event_body;
use crate::{
    Error, Result,
    blocking::Work,
    state::State,
    texts,
    web::{
        Call,
        api::{csv::export_body, idempotency},
        cookies::OwnCookie,
        dispatch,
        files::{send::send_file, upload},
        request::{
            body, body_stream::Incoming, client_address::client_address, csrf, duplicates, headers::Headers, rate_limits::Class,
            request_log::RequestLog,
        },
        response::{self, compression, fairing},
        routes::{Form, RouteMatch, collision, is_safe},
        server::Server,
    },
};

/// The chunk size of streamed bodies.
const CHUNK: usize = 1 << 16;

/// Handles a route of the table. The last route handles all other requests with 404, 405 or the response to `OPTIONS`.
#[derive(Clone)]
struct RouteHandler(Arc<Server>);

/// The name of the last route.
const FALLBACK: &str = "dz: Refuse requests without a route";

/// True for the last route.
pub(crate) fn is_last(route: &Route) -> bool {
    route.name.as_deref() == Some(FALLBACK)
}

/// The routes for Rocket: the table with Rocket's default ranks, so that a custom route with the same address is a collision, and one for
/// all other requests.
pub(crate) fn routes(server: &Arc<Server>) -> Vec<Route> {
    use Method::{Delete, Get, Options, Patch, Post, Put, Trace};
    let named = |mut route: Route, name: String| {
        route.name = Some(name.into());
        route
    };
    let known = server.routes.all().iter().map(|it| {
        let path = it.path.replace('{', "<").replace('}', ">");
        named(Route::new(it.method, &path, RouteHandler(server.clone())), format!("{}{}", collision::NAME_PREFIX, it.about))
    });
    let rest = [Get, Post, Put, Patch, Delete, Options, Trace].into_iter();
    let rest = rest.map(|method| named(Route::ranked(1_000, method, "/<path..>", RouteHandler(server.clone())), FALLBACK.to_owned()));
    known.chain(rest).collect()
}

#[rocket::async_trait]
impl Handler for RouteHandler {
    async fn handle<'r>(&self, request: &'r Request<'_>, data: Data<'r>) -> Outcome<'r> {
        let mut incoming = Incoming::new(request, data);
        let mut response = answer(&self.0, request, &mut incoming).await;
        if incoming.is_large() {
            // An open connection would keep the buffer of a large body.
            response.set_raw_header("Connection", "close");
        }
        Outcome::Success(response)
    }
}

async fn answer<'r>(server: &Arc<Server>, request: &'r Request<'_>, incoming: &mut Incoming<'r>) -> Response<'r> {
    let state = &server.state;
    let path = segments(request);
    let found = server.routes.find(request.method(), &path);
    if let Some(route) = found.route() {
        RequestLog::for_request(request).note_route(route);
    }
    let mut call = build_call(state, request, path, found);
    incoming.speak(call.texts());
    if let Err(error) = check_capacity(state, &call) {
        return refuse_flood(server, request, incoming, &call, error).await;
    }
    let prepared = prepare(server, request, incoming, &mut call).await;
    if !prepared.as_ref().is_err_and(|error| error.status == 408) {
        incoming.discard(&server.bodies).await;
    }
    let call = Arc::new(call);
    let mut reply = match prepared {
        Err(error) => response::refuse(state, &call, &error),
        Ok(()) => respond(server, &call).await,
    };
    fairing::note_headers(request);
    if let Some(file) = reply.file.take() {
        return send_file(state, &call, reply, file, fairing::is_head(request), request_id(request)).await;
    }
    #[cfg(feature = "graphql")]
    if let Some(events) = reply.events.take() {
        let mut response = response::to_response(state, reply, request_id(request));
        response.set_streamed_body(event_body(server.clone(), call, events, request.rocket().shutdown()));
        return response;
    }
    let Some(export) = reply.export.take() else {
        return response::to_response(state, reply, request_id(request));
    };
    let begun = std::mem::take(&mut reply.body);
    let mut response = response::to_response(state, reply, request_id(request));
    response.set_max_chunk_size(CHUNK);
    response.set_streamed_body(export_body(state.clone(), call, begun, export));
    response
}

/// Answers a request, on a blocking thread if it needs one.
async fn respond(server: &Arc<Server>, call: &Arc<Call>) -> crate::web::Reply {
    let state = &server.state;
    let Some(work) = dispatch::required_work(state, call) else { return dispatch::respond(server, call) };
    let (shared, asked) = (server.clone(), call.clone());
    let done = state.threads.run(work, move || asked.log.count(|| dispatch::respond(&shared, &asked))).await;
    done.unwrap_or_else(|error| response::refuse(state, call, &error))
}

/// Refuses a request that hashes a password if the queue is full, before its body is read and its account is looked up.
fn check_capacity(state: &State, call: &Call) -> Result<()> {
    match call.found.route().is_some_and(|route| route.hashes) {
        true => state.threads.check_capacity(Work::Hash),
        false => Ok(()),
    }
}

/// Refuses requests of a flood one after another, so that other requests are served between them.
async fn refuse_flood(server: &Server, request: &Request<'_>, incoming: &mut Incoming<'_>, call: &Call, error: Error) -> Response<'static> {
    let state = &server.state;
    incoming.discard(&server.bodies).await;
    let _turn = state.threads.wait_to_refuse().await;
    let error = count_request(server, request, call).await.err().unwrap_or(error);
    fairing::note_headers(request);
    response::to_response(state, response::refuse(state, call, &error), request_id(request))
}

async fn prepare(server: &Arc<Server>, request: &Request<'_>, incoming: &mut Incoming<'_>, call: &mut Call) -> Result<()> {
    let state = &server.state;
    count_request(server, request, call).await?;
    if is_safe(request.method()) {
        return Ok(());
    }
    if upload::is_for(request, call) {
        return upload::receive(server, request, incoming, call).await;
    }
    let (bytes, held) = incoming.read_whole(&server.bodies, &state.config).await?;
    call.memory = Some(Arc::new(held));
    call.idempotency = idempotency::IdempotencyKey::from_request(request, call, &bytes)?;
    body::read(request, bytes, call).await?;
    csrf::check(&state.config, &csrf::Origin::from_request(request), call.session.as_deref(), csrf::find_token(&call.form))
}

/// Counts a request for the rate limit of its client.
pub(crate) async fn count_request(server: &Server, request: &Request<'_>, call: &Call) -> Result<()> {
    let Some(class) = Class::for_request(request.method(), &call.path, &call.found) else { return Ok(()) };
    match server.limits.admit(class, call.client, &server.state.threads).await? {
        Some(wait) => Err(texts::with(call.texts(), || wait.into_error())),
        None => Ok(()),
    }
}

/// The identifier of a request in its response and in the log.
pub(crate) fn request_id<'r>(request: &'r Request<'_>) -> &'r str {
    struct Id(String);
    let id: &Id = request.local_cache(|| Id(uuid::Uuid::now_v7().simple().to_string()));
    &id.0
}

/// The parts of a request without its body, for a custom route.
pub(crate) fn build_unrouted_call(state: &State, request: &Request<'_>) -> Call {
    build_call(state, request, segments(request), RouteMatch::Nothing)
}

/// The decoded segments of the path.
fn segments(request: &Request<'_>) -> Vec<String> {
    request.uri().path().segments().map(str::to_owned).collect()
}

/// The parts of a request without its body, for a route of the table.
fn build_call(state: &State, request: &Request<'_>, path: Vec<String>, found: RouteMatch) -> Call {
    let uri = request.uri();
    let headers = Headers::from_request(request);
    let (accept, authorization) = (headers.first("Accept"), headers.first("Authorization"));
    // A request with an `Authorization` header does not use the session cookie.
    let session = if authorization.is_some() { None } else { headers.cookie(OwnCookie::Session.name(&state.config), 128) };
    let bearer = authorization.and_then(bearer_token).map(str::to_owned);
    let accepts_json = accept.is_some_and(|accept| accept.contains("json") && !accept.contains("text/html"));
    let json_body = headers.first("Content-Type").is_some_and(|kind| kind.contains("json"));
    let htmx = headers.first("HX-Request").is_some();
    let accepts_page = htmx || accept.is_some_and(|accept| accept.contains("text/html"));
    let is_api = match found.any_route().map(|route| route.form) {
        Some(Form::Json) => true,
        // A program that requests a file gets the file or a problem document; only a browser gets a page.
        Some(Form::File) => !accepts_page,
        Some(Form::Negotiated | Form::Page) => false,
        None => path.first().is_some_and(|first| matches!(first.as_str(), "api" | "files")),
    };
    // The same holds for a route of the application, and for a request without a body, such as a sign-out.
    let bare = request.method() == Method::Post && headers.first("Content-Type").is_none();
    let is_program = (found.any_route().is_none() || bare) && !accepts_page;
    let wants_json = is_api || is_program || accepts_json || json_body;
    // Texts of responses to programs are English.
    let language = if wants_json { None } else { state.languages.choose(headers.first("Accept-Language")) };
    Call {
        method: request.method().as_str().to_owned(),
        uri: uri.to_string(),
        query: duplicates::read_query(&found, uri.query().map(|query| body::decode_pairs(query.as_str())).unwrap_or_default()),
        form: Vec::new(),
        json: None,
        csv: None,
        uploads: Vec::new(),
        memory: None,
        too_large: Vec::new(),
        bearer,
        agent: headers.first("User-Agent").unwrap_or_default().to_owned(),
        gzip: headers.first("Accept-Encoding").is_some_and(compression::accepts_gzip),
        htmx,
        referer: headers.first("Referer").map(str::to_owned),
        registrant_cookie: headers.cookie(OwnCookie::Registration.name(&state.config), 128),
        oidc_cookie: headers.cookie(OwnCookie::Authorization.name(&state.config), 1_024),
        mfa_cookie: headers.cookie(OwnCookie::PendingSignIn.name(&state.config), 128),
        cross_site: headers.first("Sec-Fetch-Site").is_some_and(|site| !matches!(site, "same-origin" | "none")),
        if_match: headers.first("If-Match").map(str::to_owned),
        if_none_match: headers.first("If-None-Match").map(str::to_owned),
        idempotency: None,
        running: None,
        wants_json,
        language,
        chosen_language: Default::default(),
        graphql_response: accept.is_some_and(|accept| accept.contains("application/graphql-response+json")),
        event_stream: accept.is_some_and(accepts_events),
        only_events: accept.is_some_and(|accept| accepts_events(accept) && !accepts_json_too(accept)),
        client: client_address(state, request, &headers),
        request_id: request_id(request).to_owned(),
        // Responses of the API do not contain it.
        csrf: if is_api { String::new() } else { csrf::form_token(session.as_deref()) },
        markup: state.config.settings.markup,
        graph_limit: state.config.graph.max_elements,
        graph_time: Duration::from_millis(state.config.graph.max_milliseconds),
        session,
        path,
        found,
        open_tasks: Default::default(),
        log: RequestLog::for_request(request),
    }
}

fn accepts_events(accept: &str) -> bool {
    accept.contains("text/event-stream")
}

/// A client that accepts both, as urql does, gets events for subscriptions and JSON for everything else.
fn accepts_json_too(accept: &str) -> bool {
    accept.contains("json") || accept.contains("*/*")
}

/// The token of a header such as `Bearer dz_…`. Other schemes are for custom routes.
fn bearer_token(authorization: &str) -> Option<&str> {
    let (scheme, token) = authorization.trim().split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// Refuses an unsafe request of another site to a custom route.
pub(crate) fn guard_csrf(state: &State, request: &Request<'_>, call: &Call) -> Result<()> {
    if is_safe(request.method()) {
        return Ok(());
    }
    csrf::check(&state.config, &csrf::Origin::from_request(request), call.session.as_deref(), None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bearer_tokens_are_read() {
        assert_eq!(bearer_token("Bearer dz_x"), Some("dz_x"));
        assert_eq!(bearer_token("bearer  dz_x "), Some("dz_x"));
        assert_eq!((bearer_token("Basic abc"), bearer_token("Bearer"), bearer_token("")), (None, None, None));
    }
}
