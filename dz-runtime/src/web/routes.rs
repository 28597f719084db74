//! Which part answers an address.

mod policy_reports;

use std::sync::Arc;

use crate::{
    Error, Result, Tx,
    blocking::{Work, guarded},
    rows::{self, singleton::MISSING},
    state::{Job, State},
    web::{
        Call, Reply,
        api::{self, method_not_allowed},
        auth::{self, invitations, recovery, second_factor, tenant},
        files::{self, upload},
        page::{self, SignIn},
        request::duplicates,
        response,
        server::Server,
    },
};

/// What an answer takes a blocking thread for; none for what is embedded in the program.
pub(crate) fn work(state: &State, call: &Call) -> Option<Work> {
    let segments: Vec<&str> = call.path.iter().map(String::as_str).collect();
    let is_safe = matches!(call.method.as_str(), "GET" | "HEAD" | "OPTIONS" | "TRACE");
    match segments.as_slice() {
        ["-", ..] => None,
        #[cfg(feature = "oidc")]
        ["auth", "oidc", ..] => Some(Work::Provider),
        _ if is_safe => Some(Work::Read),
        // A request that has to wait takes no place in the queue of others.
        path if hashes(path) && !auth::waits(state, call) => Some(Work::Hash),
        _ => Some(Work::Write),
    }
}

/// True for the path of requests that bring a password, which is hashed.
pub(crate) fn hashes(path: &[&str]) -> bool {
    matches!(path, ["auth", "login" | "password" | "reset" | "register" | "invite"] | ["auth", "factor", "begin" | "remove"])
}

/// Answers a request, on the thread that [`work`] asks for.
pub(crate) fn respond(server: &Arc<Server>, call: &Call) -> Reply {
    match guarded(|| routed(server, call)) {
        Ok(reply) => reply,
        Err(error) => response::refuse(&server.state, call, &error),
    }
}

fn routed(server: &Arc<Server>, call: &Call) -> Result<Reply> {
    let state = &server.state;
    let segments: Vec<&str> = call.path.iter().map(String::as_str).collect();
    let post = call.method == "POST";
    if matches!(segments.first(), Some(&("auth" | "files"))) && !matches!(segments.as_slice(), ["auth", "oidc", ..]) {
        duplicates::check_query(&call.query)?;
    }
    match segments.as_slice() {
        ["-", "reports"] if post => Ok(policy_reports::take(call)),
        ["-", "reports"] => Err(method_not_allowed("POST")),
        ["-", "assets", _, _] | ["login"] if call.method != "GET" => Err(method_not_allowed("GET")),
        ["-", "assets", hash, name] => page::asset(state.app, state.config.markup, hash, name).ok_or_else(Error::not_found),
        ["login"] => Ok(sign_in_page(state, call)),
        ["auth", name, ..] if call.bearer.is_some() && *name != "me" => {
            Err(Error::forbidden("An API token cannot do this; sign in with your password"))
        }
        #[cfg(feature = "oidc")]
        ["auth", "oidc", ..] if call.method != "GET" => Err(method_not_allowed("GET")),
        #[cfg(feature = "oidc")]
        ["auth", "oidc", provider] => crate::web::auth::oidc::begin(server, call, provider),
        #[cfg(feature = "oidc")]
        ["auth", "oidc", provider, "callback"] => crate::web::auth::oidc::finish(server, call, provider),
        ["auth", "code"] if !post && call.method != "GET" => Err(method_not_allowed("GET, POST")),
        ["auth", "code"] => second_factor::code(state, call),
        ["auth", "factor", what] => second_factor::manage(state, call, what),
        ["auth", "login"] if post => auth::login(state, call),
        ["auth", "password"] if post => auth::password(state, call),
        ["auth", "forgot" | "reset" | "verify" | "register"] if !post && call.method != "GET" => Err(method_not_allowed("GET, POST")),
        ["auth", "forgot"] => recovery::forgot(state, call),
        ["auth", "reset"] => recovery::reset(state, call),
        ["auth", "verify"] => recovery::verify(state, call),
        ["auth", "verify", "send"] if post => recovery::send_verification(state, call),
        ["auth", "register"] => recovery::register(state, call),
        ["auth", "invitations", ..] => invitations::manage(state, call),
        ["auth", "invite"] if !post && call.method != "GET" => Err(method_not_allowed("GET, POST")),
        ["auth", "invite"] => invitations::invited(state, call),
        ["files", table, field] => files::uploaded(state, call, table, field),
        ["files", table, id, field] => files::download(state, call, table, id, field),
        [] | ["app", ..] if !matches!(call.method.as_str(), "GET" | "POST") => no_page(call),
        place if page::is_routed(state.app, place) => {
            if matches!(call.method.as_str(), "GET" | "POST") {
                with_files(server, call)
            } else {
                no_page(call)
            }
        }
        ["app", ..] if !call.arrived.is_empty() => with_files(server, call),
        [] | ["app", ..] | ["api", ..] | ["auth", ..] | ["admin", "access" | "audit" | "sessions"] => job(server, call),
        _ => Err(Error::not_found()),
    }
}

/// Pages are looked at, and their forms are sent.
fn no_page(call: &Call) -> Result<Reply> {
    const ALLOWED: &str = "GET, POST";
    if call.method == "OPTIONS" { Ok(api::allowed(ALLOWED)) } else { Err(method_not_allowed(ALLOWED)) }
}

/// A form with files: they are kept first, whatever becomes of the form, so that one that is shown again has them.
fn with_files(server: &Server, call: &Call) -> Result<Reply> {
    if call.arrived.is_empty() {
        return job(server, call);
    }
    upload::register(&server.state, call)?;
    job(server, call)
}

fn sign_in_page(state: &State, call: &Call) -> Reply {
    let of = |name: &str| call.query.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.as_str());
    let next = crate::web::call::local(of("next")).unwrap_or_default();
    let notice = match of("done") {
        "forgot" => Some("If that address has an account, a link is on its way to it."),
        "reset" => Some("Your new password is set. Sign in with it."),
        "verify" => Some("Your address is confirmed. You can sign in now."),
        "invited" => Some("You are a member now. Sign in with your address and your password."),
        "register" => Some("A mail is on its way to you. Open the link in it to go on."),
        _ => (!next.is_empty() && next != "/app" && next != "/").then_some("Sign in to go on."),
    };
    let providers = auth::providers(state, next);
    let registration = state.config.registration;
    let of = SignIn { next, notice, csrf: &call.csrf, registration, providers: &providers, ..SignIn::default() };
    page::sign_in(state.app, call.markup, of, 200)
}

/// One job on one connection: who asks, whether it may, and the rows. What an answer of 400 and above wrote
/// is undone.
fn job(server: &Server, call: &Call) -> Result<Reply> {
    let state = &*server.state;
    let kind = if matches!(call.method.as_str(), "GET" | "OPTIONS" | "TRACE") { Job::Read } else { Job::Write };
    let asked = call.requester();
    let _under_way = call.idempotency.as_ref().map(|sent| server.under_way.enter(sent)).transpose()?;
    let (mut refused, mut missing) = (None, None);
    let mut work = |tx: &mut Tx<'_>| {
        let reply = part(state, tx, call);
        if reply.as_ref().is_err_and(|error| error.code == MISSING) {
            missing = Some(tx.caller.tenant().cloned());
        }
        let reply = reply?;
        if kind == Job::Write && reply.status >= 400 {
            refused = Some(reply);
            return Err(Error::internal("an answer that keeps nothing"));
        }
        Ok(reply)
    };
    let mut done = state.job(kind, &asked, &mut work);
    if let (Err(error), Some(tenant)) = (&done, missing.take()) {
        // The one row of an entity, which its first reader finds made.
        let entity = state.app.entities.iter().copied().find(|entity| error.internal.as_deref() == Some(entity.name));
        let entity = entity.ok_or_else(Error::not_found)?;
        state.db.write(&mut |conn| rows::singleton::only(&mut state.system(conn, &call.request_id, tenant.as_ref()), entity).map(drop))?;
        done = state.job(kind, &asked, &mut |tx| part(state, tx, call));
    }
    let mut reply = refused.map_or(done, Ok)?;
    let sets = reply.headers.iter().any(|(name, _)| *name == "Set-Cookie");
    if let (true, false, Some(token)) = (asked.renewed.get(), sets, &call.session) {
        reply.headers.push(response::cookie(state, Some(token)));
    }
    Ok(reply)
}

fn part(state: &State, tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    match call.path.first().map(String::as_str) {
        Some("api") => api::api(tx, call),
        Some("auth") => auth::auth(state, tx, call),
        Some("admin") if matches!(call.path.get(1).map(String::as_str), Some("access" | "audit" | "sessions")) => page::admin(tx, call),
        _ if tx.app.tenant().is_none() => page::app(tx, call),
        _ => {
            tenant::check_form(tx, call)?;
            page::app(tx, &Call { csrf: tenant::marked(tx, &call.csrf), ..call.clone() })
        }
    }
}
