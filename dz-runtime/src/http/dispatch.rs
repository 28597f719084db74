//! Which part answers an address.

use super::{
    Call, Reply, answer, api,
    api::method_not_allowed,
    auth,
    state::{Job, State, guarded},
};
use crate::{
    Error, Result, Tx,
    page::{self, SignIn},
};

/// Answers a request, on a blocking thread.
pub(super) fn respond(state: &State, call: &Call) -> Reply {
    match guarded(|| routed(state, call)) {
        Ok(reply) => reply,
        Err(error) => answer::refuse(state, call, &error),
    }
}

fn routed(state: &State, call: &Call) -> Result<Reply> {
    let segments: Vec<&str> = call.path.iter().map(String::as_str).collect();
    match segments.as_slice() {
        ["-", "assets", hash, name] => page::asset(state.app, state.config.markup, hash, name).ok_or_else(Error::not_found),
        ["login"] if call.method == "GET" => Ok(sign_in_page(state, call)),
        ["login"] => Err(method_not_allowed("GET")),
        ["auth", "login"] if call.method == "POST" => auth::login(state, call),
        [] | ["app", ..] | ["api", ..] | ["auth", ..] => job(state, call),
        _ => Err(Error::not_found()),
    }
}

fn sign_in_page(state: &State, call: &Call) -> Reply {
    let of = |name: &str| call.query.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.as_str());
    let next = super::call::local(of("next")).unwrap_or_default();
    let notice = (!next.is_empty() && next != "/app" && next != "/").then_some("Sign in to go on.");
    page::sign_in(state.app, call.markup, SignIn { next, email: "", error: None, notice, csrf: &call.csrf }, 200)
}

/// One job on one connection: who asks, whether it may, and the rows. What an answer of 400 and above wrote
/// is undone.
fn job(state: &State, call: &Call) -> Result<Reply> {
    let kind = if matches!(call.method.as_str(), "GET" | "OPTIONS") { Job::Read } else { Job::Write };
    let mut refused = None;
    let done = state.job(kind, call.session.as_deref(), &call.request_id, &mut |tx| {
        let reply = part(state, tx, call)?;
        if kind == Job::Write && reply.status >= 400 {
            refused = Some(reply);
            return Err(Error::internal("an answer that keeps nothing"));
        }
        Ok(reply)
    });
    match refused {
        Some(reply) => Ok(reply),
        None => done,
    }
}

fn part(state: &State, tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    match call.path.first().map(String::as_str) {
        Some("api") => api::api(tx, call),
        Some("auth") => auth::auth(state, tx, call),
        _ => page::app(tx, call),
    }
}
