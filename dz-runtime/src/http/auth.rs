//! `/auth/…`: signing in and out, who is signed in, changing the password.

use std::time::Instant;

use serde_json::json;

use super::{
    Call, Reply,
    api::method_not_allowed,
    body,
    state::{Job, State},
};
use crate::{
    Caller, Error, Result, Tx, accounts, field,
    page::{self, SignIn},
};

/// The longest address or password that is looked at.
const LONGEST: usize = 1_024;

/// `/auth/…`
pub(super) fn auth(state: &State, tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let name = call.path.get(1).map(String::as_str).unwrap_or_default();
    match (name, call.method.as_str(), call.path.len()) {
        ("logout", "POST", 2) => logout(state, tx, call),
        ("me", "GET", 2) => me(tx),
        ("password", "POST", 2) => password(tx, call),
        ("login" | "logout" | "password", _, 2) => Err(method_not_allowed("POST")),
        ("me", _, 2) => Err(method_not_allowed("GET")),
        _ => Err(Error::not_found()),
    }
}

/// A text of the body, form or JSON.
fn text(call: &Call, name: &str) -> Result<String> {
    let value = match &call.json {
        Some(_) => body::object(call)?.get(name).and_then(|value| value.as_str().map(str::to_owned)),
        None => call.form.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone()),
    };
    match value {
        Some(value) if value.len() <= LONGEST && !value.contains('\0') => Ok(value),
        Some(_) => Err(Error::validation(name, "is too long")),
        None => Err(Error::validation(name, "is required")),
    }
}

/// `POST /auth/login`: the password is looked at on a reader, since its hash is slow on purpose and SQLite has
/// one writer; only the new session is written.
pub(super) fn login(state: &State, call: &Call) -> Result<Reply> {
    let (email, password) = (text(call, "email")?, text(call, "password")?);
    let names = [
        format!("account {}", email.trim().to_lowercase()),
        format!("address {}", call.client.map(|it| it.to_string()).unwrap_or_default()),
    ];
    if let Err(error) = state.throttle.admit(&names, Instant::now()) {
        return failed(state, call, &email, error);
    }
    let verified = state.job(Job::Read, None, &call.request_id, &mut |tx| accounts::verify(tx.conn, tx.app, &email, &password))?;
    let Some(account) = verified else {
        state.throttle.failed(&names, Instant::now());
        let error = Error::new(401, "AUTHENTICATION_REQUIRED", "The address or the password is wrong");
        return failed(state, call, &email, error);
    };
    state.throttle.succeeded(&names[0]);
    state.job(Job::Write, None, &call.request_id, &mut |tx| {
        let now = tx.caller.now;
        let token = accounts::sign_in(tx.conn, tx.app, &account, call.session.as_deref(), now)?;
        let mut reply = if call.json.is_some() {
            let session = accounts::session(tx.conn, tx.app, &token, now)?.ok_or_else(Error::unauthenticated)?;
            let body = json!({ "account": described(tx, &session.caller), "roles": role_names(tx, &session.caller) });
            Reply { status: 200, content_type: "application/json", headers: Vec::new(), body: body.to_string().into_bytes() }
        } else {
            let next = call.form.iter().find(|(name, _)| name == "next").map_or("", |(_, value)| value.as_str());
            Reply::see_other(super::call::local(next).unwrap_or("/app"))
        };
        reply.headers.push(("Set-Cookie", cookie(state, &token, 7 * 86_400)));
        Ok(reply)
    })
}

/// Form sign-ins that fail get the page again, with the address they typed.
fn failed(state: &State, call: &Call, email: &str, error: Error) -> Result<Reply> {
    if call.json.is_some() {
        return Err(error);
    }
    let next = call.form.iter().find(|(name, _)| name == "next").map_or("", |(_, value)| value.as_str());
    let of = SignIn { next, email, error: Some(&error.detail), notice: None, csrf: &call.csrf };
    let mut reply = page::sign_in(state.app, call.markup, of, error.status);
    if let Some(seconds) = error.retry_after {
        reply.headers.push(("Retry-After", seconds.to_string()));
    }
    Ok(reply)
}

fn cookie(state: &State, token: &str, seconds: u32) -> String {
    let secure = if state.config.https() { "; Secure" } else { "" };
    format!("{}={token}; Path=/; HttpOnly; SameSite=Lax; Max-Age={seconds}{secure}", state.config.cookie())
}

fn logout(state: &State, tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    if let Some(token) = &call.session {
        accounts::sign_out(tx.conn, token)?;
    }
    let mut reply = if call.wants_json { Reply { status: 204, ..Reply::default() } } else { Reply::see_other("/login") };
    reply.headers.push(("Set-Cookie", cookie(state, "", 0)));
    Ok(reply)
}

fn me(tx: &mut Tx<'_>) -> Result<Reply> {
    let caller = tx.caller.clone();
    if caller.account.is_none() {
        return Err(Error::unauthenticated());
    }
    let mut body = described(tx, &caller);
    body["roles"] = json!(role_names(tx, &caller));
    body["tenants"] = json!([]);
    body["tenant"] = serde_json::Value::Null;
    Ok(Reply { status: 200, content_type: "application/json", headers: Vec::new(), body: body.to_string().into_bytes() })
}

fn described(tx: &Tx<'_>, caller: &Caller) -> serde_json::Value {
    let Some(account) = &caller.account else { return serde_json::Value::Null };
    let mut id = Vec::new();
    field::write_json(tx.app.account().key(), &account.id, &mut id);
    let id: serde_json::Value = serde_json::from_slice(&id).unwrap_or_default();
    json!({ "id": id, "email": account.email, "name": account.label })
}

fn role_names(tx: &Tx<'_>, caller: &Caller) -> Vec<&'static str> {
    tx.app.roles.iter().enumerate().filter(|(bit, _)| caller.roles & (1 << bit) != 0).map(|(_, role)| role.name).collect()
}

fn password(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let account = tx.caller.account.clone().ok_or_else(Error::unauthenticated)?;
    let (current, new) = (text(call, "current")?, text(call, "new")?);
    let changed = match accounts::verify(tx.conn, tx.app, &account.email, &current)? {
        None => Err(Error::validation("current", "is not your password")),
        Some(id) => accounts::set_password(tx.conn, tx.app, &id, &new, call.session.as_deref()),
    };
    match changed {
        Ok(()) if call.json.is_some() => Ok(Reply { status: 204, ..Reply::default() }),
        Ok(()) => Ok(Reply::see_other("/app/-/account?done=password")),
        Err(error) if call.json.is_some() => Err(error),
        Err(error) => {
            let which = if error.field_errors.contains_key("current") { "current" } else { "new" };
            Ok(Reply::see_other(format!("/app/-/account?failed={which}")))
        }
    }
}
