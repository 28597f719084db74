//! Dispatches a request to the handler of its route.

use std::sync::atomic::Ordering;

use rocket::http::Method;

#[cfg(feature = "graphql")]
use crate::web::graphql;
use crate::{
    Error, Result, Tx,
    blocking::{Work, catch_panic},
    field,
    process::tasks,
    state::{Job, Requester, State},
    texts,
    web::{
        Call, Reply,
        api::graph,
        auth::{self, tenant},
        cookies,
        files::upload,
        request::duplicates,
        response::{self, compression},
        routes::{self, Form, Route, RouteMatch, Run},
        server::Server,
    },
};

/// The kind of work for which a request takes a blocking thread; `None` if it needs no database.
pub(crate) fn required_work(state: &State, call: &Call) -> Option<Work> {
    let route = call.found.route()?;
    match route.run {
        Run::Embedded(_) => None,
        #[cfg(feature = "oidc")]
        Run::Provider(_) => Some(Work::Provider),
        #[cfg(feature = "graphql")]
        Run::GraphQl if !graphql::can_write(state, call) => Some(Work::GraphQl),
        #[cfg(feature = "graphql")]
        Run::GraphQl => Some(Work::Write),
        _ if route.is_graph => Some(Work::Graph),
        Run::Api(_) if is_edge_list(state, route, call) => Some(Work::Graph),
        _ if is_read(route) => Some(Work::Read),
        // A delayed request does not wait in the queue for password hashing.
        _ if route.hashes && !auth::must_wait(state, call) => Some(Work::Hash),
        Run::Server(_) | Run::Steps(_) | Run::Unit(_) | Run::Api(_) | Run::Page(_) | Run::Surface(_) | Run::Workspace(_) => {
            Some(Work::Write)
        }
    }
}

/// True for a list of edges as a graph.
fn is_edge_list(state: &State, route: &Route, call: &Call) -> bool {
    let entity = route.entity.filter(|_| route.method == Method::Get);
    entity.is_some_and(|entity| graph::is_requested(state.app.entity(entity.ix), &call.query))
}

/// Answers a request on the thread that [`required_work`] determines.
pub(crate) fn respond(server: &Server, call: &Call) -> Reply {
    let reply = match catch_panic(|| texts::with(call.texts(), || answer_route(server, call))) {
        Ok(reply) => reply,
        Err(error) => response::refuse(&server.state, call, &error),
    };
    compression::compress_page(call, reply)
}

fn answer_route(server: &Server, call: &Call) -> Result<Reply> {
    let state = &server.state;
    let route = match &call.found {
        RouteMatch::Route(route) => route,
        RouteMatch::Nothing => return Err(Error::not_found()),
        RouteMatch::Other { allow, .. } if call.method == Method::Options.as_str() => {
            return Ok(Reply { status: 204, headers: vec![("Allow", allow.clone())], ..Reply::default() });
        }
        RouteMatch::Other { allow, .. } => return Err(method_not_allowed(allow)),
    };
    if call.bearer.is_some() && !route.tokens {
        return Err(Error::forbidden(say!("dz-an-api-token-cannot-do-this", "An API token cannot do this; sign in with your password")));
    }
    if route.strict_query {
        duplicates::check_query(&call.query)?;
    }
    // Files are stored first, so that a form that is shown again still has them.
    if !call.uploads.is_empty() && matches!(route.run, Run::Surface(_)) {
        upload::register(state, call)?;
    }
    match route.run {
        Run::Embedded(answer) | Run::Steps(answer) => answer(state, call),
        Run::Server(answer) => answer(server, call),
        #[cfg(feature = "graphql")]
        Run::GraphQl => graphql::answer(server, call),
        #[cfg(feature = "oidc")]
        Run::Provider(answer) => answer(server, call),
        Run::Unit(_) | Run::Api(_) | Run::Page(_) | Run::Surface(_) | Run::Workspace(_) => run_job(server, call, route),
    }
}

/// 405 with the methods that the address answers.
fn method_not_allowed(allow: &str) -> Error {
    Error {
        allow: Some(allow.into()),
        ..Error::new(405, "METHOD_NOT_ALLOWED", say!("dz-this-address-answers", "Allowed methods: {methods}", methods = allow))
    }
}

/// True for a request that writes nothing.
fn is_read(route: &Route) -> bool {
    routes::is_safe(route.method) && !route.writes
}

/// Runs one unit of work on one connection: loads the caller, checks access and reads or writes rows. A response with a status of 400 or
/// above rolls back all writes.
fn run_job(server: &Server, call: &Call, route: &Route) -> Result<Reply> {
    let state = &*server.state;
    let kind = match (is_read(route), route.run) {
        (false, _) => Job::Write,
        (true, Run::Api(_) | Run::Page(_) | Run::Surface(_) | Run::Workspace(_)) if !route.before_factor => Job::ReadAnywhere,
        // Accounts, sessions, jobs, the audit log, and routes that are open before the second factor are read from the primary.
        (true, _) => Job::Read,
    };
    let asked = call.requester();
    let _under_way = call.idempotency.as_ref().map(|sent| server.running_writes.enter(sent)).transpose()?;
    let mut refused = None;
    let mut work = |tx: &mut Tx<'_>| {
        let reply = run_route(state, tx, call, route)?;
        if kind == Job::Write && reply.status >= 400 {
            refused = Some(reply);
            return Err(Error::internal("the request is rolled back"));
        }
        Ok(reply)
    };
    let done = state.run_job(kind, &asked, &mut work);
    let mut reply = refused.map_or(done, Ok)?;
    renew_cookie(state, call, &asked, &mut reply);
    Ok(reply)
}

/// Renews the cookie of a session whose lifetime was extended.
pub(crate) fn renew_cookie(state: &State, call: &Call, asked: &Requester<'_>, reply: &mut Reply) {
    let sets = reply.headers.iter().any(|(name, _)| *name == "Set-Cookie");
    if let (true, false, Some(token)) = (asked.renewed.get(), sets, &call.session) {
        reply.headers.push(cookies::session_cookie(state, Some(token)));
    }
}

/// Counts the open tasks of the caller, if the response is a page with a navigation.
fn count_tasks(tx: &mut Tx<'_>, call: &Call, route: &Route) -> Result<()> {
    let has_frame = route.form == Form::Page && !call.htmx && !call.wants_json;
    if has_frame && !tx.app.processes.is_empty() && tx.caller().account.is_some() {
        call.open_tasks.store(tasks::count_open(tx)?, Ordering::Relaxed);
    }
    Ok(())
}

/// Answers a request in the language and the time zone of its page.
fn run_route(state: &State, tx: &mut Tx<'_>, call: &Call, route: &Route) -> Result<Reply> {
    let zone = call.language.and_then(|_| choose_language(state, tx, call));
    let Some(language) = call.page_language() else { return run_translated(state, tx, call, route) };
    tx.app = language.app;
    texts::with(call.texts(), || field::with_zone(zone, || run_translated(state, tx, call, route)))
}

/// Records the language that the account has chosen, and returns its time zone.
fn choose_language(state: &State, tx: &Tx<'_>, call: &Call) -> Option<chrono_tz::Tz> {
    tx.caller().chosen.as_ref()?;
    let chosen = tx.caller().preferences();
    if let Some(language) = chosen.language.as_deref().and_then(|tag| state.languages.find(tag)) {
        // A unit of work that runs again finds the same language.
        let _ = call.chosen_language.set(language);
    }
    chosen.zone()
}

fn run_translated(state: &State, tx: &mut Tx<'_>, call: &Call, route: &Route) -> Result<Reply> {
    count_tasks(tx, call, route)?;
    match route.run {
        Run::Unit(answer) => answer(state, tx, call),
        Run::Page(_) | Run::Surface(_) | Run::Workspace(_) if tx.app.tenant().is_some() => {
            tenant::check_form(tx, call)?;
            let marked = Call { csrf: tenant::bind_token(tx, &call.csrf), ..call.clone() };
            routes::answer(tx, &marked)
        }
        #[cfg(feature = "oidc")]
        Run::Provider(_) => routes::answer(tx, call),
        #[cfg(feature = "graphql")]
        Run::GraphQl => Err(Error::not_found()),
        Run::Embedded(_) | Run::Server(_) | Run::Steps(_) | Run::Api(_) | Run::Page(_) | Run::Surface(_) | Run::Workspace(_) => {
            routes::answer(tx, call)
        }
    }
}
