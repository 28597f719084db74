//! The second factor: asked for after the password, set up and taken away by its owner (`/auth/code`, `/auth/factor/…`).

use std::sync::Arc;

use chrono::TimeDelta;
use serde_json::json;

use crate::{
    Account, Error, Result, Tx, Value,
    accounts::{self, factor, throttle::Attempt},
    audit::{Decision, Record},
    mail::MailKind,
    rows::account::end_sessions,
    state::{Job, State},
    web::{
        Call, Reply,
        auth::{self, recovery, texts},
        call::local,
        page::{self, Solo},
        response,
    },
};

/// So long somebody may look for the device.
const PATIENCE: TimeDelta = TimeDelta::minutes(10);

/// The header that gives a browser the token of its second step; without one, that takes it away.
fn cookie(state: &State, token: Option<&str>) -> (&'static str, String) {
    response::kept(state, state.config.step(), token, PATIENCE.num_seconds())
}

fn wrong() -> Error {
    Error::new(401, factor::CODE, "The code is wrong, expired or already used")
}

/// What a wrong code counts against.
fn attempt(call: &Call, account: &Value) -> Attempt {
    Attempt::new(call.client, format!("second factor {account:?}"))
}

/// Takes a code, and counts those that are wrong.
fn fits(state: &Arc<State>, call: &Call, account: &Value, code: &str) -> Result<bool> {
    let attempt = attempt(call, account);
    state.throttle.admit(&attempt, state.clock.instant())?;
    let good = state.db.write(&mut |conn| factor::take(conn, state.app, account, code, state.now()))?;
    if good {
        state.throttle.succeeded(&attempt, state.clock.instant());
    } else {
        let failures = state.throttle.failed(&attempt, state.clock.instant());
        state.not_signed_in(&call.request_id, &attempt, Some(account), "second factor");
        recovery::tell_of_attempts(state, account, failures);
    }
    Ok(good)
}

/// What stands between a right password and a session.
pub(crate) enum Second {
    /// Nothing: the account has no device.
    Nothing,
    /// A code, and it came with the password.
    Given,
    /// A code that is still to come: the answer leads there.
    Wanted(Reply),
}

/// What stands between a right password and a session: nothing for accounts without a device. A form goes on to a page that
/// asks for the code; programs send it with the password.
///
/// # Errors
/// 401 `SECOND_FACTOR`, 429.
pub(crate) fn asked(state: &Arc<State>, call: &Call, account: &Value, next: &str) -> Result<Second> {
    if !state.db.read(&mut |conn| factor::has(conn, state.app, account))? {
        return Ok(Second::Nothing);
    }
    if !call.wants_json {
        let step = factor::Step { account: account.clone(), next: next.to_owned() };
        let token = state.db.write(&mut |conn| factor::start_step(conn, state.app, &step, state.now() + PATIENCE))?;
        let mut reply = Reply::see_other("/auth/code");
        reply.headers.push(cookie(state, Some(&token)));
        return Ok(Second::Wanted(reply));
    }
    match texts(call, ["code"]) {
        Ok([code]) if fits(state, call, account, &code)? => Ok(Second::Given),
        Ok(_) => Err(wrong()),
        Err(_) => Err(Error::new(401, factor::CODE, "The account has a second factor: send its code as `code`, too")),
    }
}

/// `GET` and `POST /auth/code`: the second step.
pub(crate) fn code(state: &Arc<State>, call: &Call) -> Result<Reply> {
    let now = state.now();
    let step = match &call.step {
        Some(token) => state.db.read(&mut |conn| factor::step(conn, state.app, token, now))?,
        None => None,
    };
    let (Some(step), Some(token)) = (step, &call.step) else { return Ok(Reply::see_other("/login")) };
    let again = |error: Option<&Error>| page::solo(state.app, call, Solo::Code, error);
    if call.method == "GET" {
        return Ok(again(None));
    }
    let good = match texts(call, ["code"]) {
        Ok([code]) => fits(state, call, &step.account, &code),
        Err(error) => return Ok(again(Some(&error))),
    };
    match good {
        Ok(true) => {}
        Ok(false) => return Ok(again(Some(&wrong().at("code", "is wrong, expired or already used")))),
        Err(error) if error.status == 429 => return Ok(again(Some(&error))),
        Err(error) => return Err(error),
    }
    // Of two that show the same step one goes on.
    if !state.db.write(&mut |conn| factor::end_step(conn, token))? {
        return Ok(Reply::see_other("/login"));
    }
    let mut reply = auth::signed_in(state, call, &step.account, Some("second factor"), local(&step.next).unwrap_or("/app"))?;
    reply.headers.push(cookie(state, None));
    Ok(reply)
}

/// Runs one step of `/auth/factor/…` for the account of the caller; a form goes back to the page where something is wrong.
pub(crate) fn manage(state: &Arc<State>, call: &Call, step: fn(&Arc<State>, &Call, &Account) -> Result<Reply>) -> Result<Reply> {
    let account = state.job(Job::Read, &call.requester(), &mut |tx| tx.caller().account.clone().ok_or_else(Error::unauthenticated))?;
    match step(state, call, &account) {
        Err(error) if !call.wants_json && matches!(error.status, 401 | 409 | 422 | 429) => {
            let why = match error.status {
                409 => "there",
                429 => "wait",
                _ if error.field_errors.contains_key("current") => "current",
                _ => "code",
            };
            Ok(Reply::see_other(format!("/app/-/factor?failed={why}")))
        }
        done => done,
    }
}

/// Whoever changes how somebody signs in shows its password; where the account has none, somebody signed in a short while ago.
fn check_password(state: &Arc<State>, call: &Call, account: &Account) -> Result<()> {
    if !state.db.read(&mut |conn| accounts::has_password(conn, state.app, &account.id))? {
        return state.job(Job::Read, &call.requester(), &mut |tx| tx.caller().ask_recent("A second factor"));
    }
    let [current] = texts(call, ["current"])?;
    match auth::verified(state, call, &account.email, &current, true)? {
        Some(_) => Ok(()),
        None => Err(Error::validation("current", "is not your password")),
    }
}

/// `POST /auth/factor/begin`
pub(crate) fn begin(state: &Arc<State>, call: &Call, account: &Account) -> Result<Reply> {
    check_password(state, call, account)?;
    state.job(Job::Write, &call.requester(), &mut |tx| {
        let now = tx.caller.now;
        let session = call.session.as_deref().ok_or_else(Error::unauthenticated)?;
        factor::begin(tx.conn, tx.app, &account.id, session, now)?;
        if !call.wants_json {
            return Ok(Reply::see_other("/app/-/factor"));
        }
        let factor::Factor::Begun(secret) = factor::of(tx.conn, tx.app, &account.id, Some(session))? else {
            return Err(Error::not_found());
        };
        Ok(auth::ok(json!({ "secret": secret, "address": factor::address(tx.app, &account.email, &secret) })))
    })
}

/// `POST /auth/factor/confirm`
pub(crate) fn confirm(state: &Arc<State>, call: &Call, account: &Account) -> Result<Reply> {
    let [code] = texts(call, ["code"])?;
    let attempt = attempt(call, &account.id);
    state.throttle.admit(&attempt, state.clock.instant())?;
    let codes = state.job(Job::Write, &call.requester(), &mut |tx| {
        let now = tx.caller.now;
        let session = call.session.as_deref().ok_or_else(Error::unauthenticated)?;
        let codes = factor::confirm(tx.conn, tx.app, &account.id, &code, session, now)?;
        if codes.is_some() {
            note(tx, &account.id, "set up")?;
        }
        Ok(codes)
    })?;
    let Some(codes) = codes else {
        let failures = state.throttle.failed(&attempt, state.clock.instant());
        recovery::tell_of_attempts(state, &account.id, failures);
        return Err(Error::validation("code", "is wrong, expired or already used"));
    };
    recovery::tell(state, MailKind::Factor, &account.email);
    if call.wants_json {
        return Ok(auth::ok(json!({ "recovery_codes": codes })));
    }
    state.job(Job::Read, &call.requester(), &mut |tx| page::recovery_codes(tx, call, &codes))
}

/// `POST /auth/factor/remove`
pub(crate) fn remove(state: &Arc<State>, call: &Call, account: &Account) -> Result<Reply> {
    check_password(state, call, account)?;
    let [code] = texts(call, ["code"])?;
    if !fits(state, call, &account.id, &code)? {
        return Err(Error::validation("code", "is wrong, expired or already used"));
    }
    state.job(Job::Write, &call.requester(), &mut |tx| {
        factor::remove(tx.conn, tx.app, &account.id)?;
        note(tx, &account.id, "removed")
    })?;
    recovery::tell(state, MailKind::Factor, &account.email);
    Ok(if call.wants_json { Reply { status: 204, ..Reply::default() } } else { Reply::see_other("/app/-/factor") })
}

/// An administrator of the whole system takes a device away that somebody has lost; the account's sessions end.
pub(crate) fn reset(state: &Arc<State>, call: &Call) -> Result<Reply> {
    let [email] = texts(call, ["email"])?;
    let had = state.job(Job::Write, &call.requester(), &mut |tx| {
        crate::access::administrators(tx.caller())?;
        let id = accounts::find(tx.conn, tx.app, &email)?.ok_or_else(Error::not_found)?;
        let had = factor::remove(tx.conn, tx.app, &id)?;
        end_sessions(tx.conn, tx.app, &id, None)?;
        note(tx, &id, "reset")?;
        Ok(had)
    })?;
    if had {
        recovery::tell(state, MailKind::Factor, &crate::field::email::of_account(&email));
    }
    Ok(if call.wants_json { Reply { status: 204, ..Reply::default() } } else { Reply::see_other("/app/-/account?done=factor") })
}

/// Writes down what became of the second factor of an account.
pub(crate) fn note(tx: &mut Tx<'_>, account: &Value, what: &str) -> Result<()> {
    let mut record = Record::new(&tx.caller, tx.app.account().name, "second_factor", Decision::Allowed);
    record.row = account.to_key_text();
    record.rule = what.to_owned();
    tx.keep_record(record)
}

/// Where somebody is led whose role asks for a second factor.
pub(crate) fn required(call: &Call, error: &Error) -> Option<Reply> {
    (error.code == factor::CODE && error.status == 403 && !call.wants_json && !call.htmx)
        .then(|| Reply::see_other("/app/-/factor?failed=required"))
}
