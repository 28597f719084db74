//! The second factor: checked after the password, set up and removed by its owner (`/auth/code`, `/auth/factor/…`).

use std::sync::Arc;

use chrono::TimeDelta;
use serde_json::json;

use crate::{
    Account, Error, Result, Tx, Value,
    accounts::{self, mfa, throttle::Attempt},
    audit::{Decision, Record},
    mail::MailKind,
    rows::account::end_sessions,
    state::{Job, State},
    web::{
        Call, Reply,
        auth::{self, read_texts, recovery},
        call::local_path,
        cookies::OwnCookie,
        page::{self, StandalonePage},
    },
};

/// The lifetime of a pending sign-in.
const STEP_LIFETIME: TimeDelta = TimeDelta::minutes(10);

/// The header that sets the cookie of a pending sign-in, or deletes it.
fn build_cookie(state: &State, token: Option<&str>) -> (&'static str, String) {
    OwnCookie::PendingSignIn.header(state, token, STEP_LIFETIME.num_seconds())
}

fn wrong_code() -> Error {
    Error::new(401, mfa::CODE, say!("dz-the-code-is-wrong-expired-or-already-2", "The code is wrong, expired or already used"))
}

/// The account and the client for which a wrong code is counted.
fn build_attempt(call: &Call, account: &Value) -> Attempt {
    Attempt::new(call.client, format!("second factor {account:?}"))
}

/// Checks a code, and counts wrong ones.
fn check_code(state: &Arc<State>, call: &Call, account: &Value, code: &str) -> Result<bool> {
    let attempt = build_attempt(call, account);
    state.throttle.admit(&attempt, state.clock.instant())?;
    let good = state.db.write(&mut |conn| mfa::use_code(conn, state.app, account, code, state.now()))?;
    if good {
        state.throttle.record_success(&attempt, state.clock.instant())?;
    } else {
        let failures = state.throttle.record_failure(&attempt, state.clock.instant())?;
        state.record_failed_sign_in(&call.request_id, &attempt, Some(account), "second factor");
        recovery::notify_failures(state, account, failures);
    }
    Ok(good)
}

/// The result of the check of the second factor.
pub(crate) enum CodeCheck {
    /// The account has no device.
    NotRequired,
    /// The request contained a valid code.
    Passed,
    /// The code is still required: a redirect to its page.
    Required(Reply),
}

/// Checks the second factor after a correct password. A form is redirected to a page for the code; programs send the code with the
/// password.
///
/// # Errors
/// 401 `SECOND_FACTOR`, 429.
pub(crate) fn check_second_factor(state: &Arc<State>, call: &Call, account: &Value, next: &str) -> Result<CodeCheck> {
    if !state.db.read(&mut |conn| mfa::has_device(conn, state.app, account))? {
        return Ok(CodeCheck::NotRequired);
    }
    if !call.wants_json {
        let step = mfa::PendingSignIn { account: account.clone(), next: next.to_owned() };
        let token = state.db.write(&mut |conn| mfa::start_sign_in(conn, state.app, &step, state.now() + STEP_LIFETIME))?;
        let mut reply = Reply::see_other("/auth/code");
        reply.headers.push(build_cookie(state, Some(&token)));
        return Ok(CodeCheck::Required(reply));
    }
    match read_texts(call, ["code"]) {
        Ok([code]) if check_code(state, call, account, &code)? => Ok(CodeCheck::Passed),
        Ok(_) => Err(wrong_code()),
        Err(_) => Err(Error::new(
            401,
            mfa::CODE,
            say!("dz-the-account-has-a-second-factor-send", "The account has a second factor; send its code as `code`"),
        )),
    }
}

/// `GET` and `POST /auth/code`: checks the code.
pub(crate) fn answer_code(state: &Arc<State>, call: &Call) -> Result<Reply> {
    let now = state.now();
    let step = match &call.mfa_cookie {
        Some(token) => state.db.read(&mut |conn| mfa::find_sign_in(conn, state.app, token, now))?,
        None => None,
    };
    let (Some(step), Some(token)) = (step, &call.mfa_cookie) else { return Ok(Reply::see_other("/login")) };
    let again = |error: Option<&Error>| page::render(state.app, call, StandalonePage::Code, error);
    if call.method == "GET" {
        return Ok(again(None));
    }
    let good = match read_texts(call, ["code"]) {
        Ok([code]) => check_code(state, call, &step.account, &code),
        Err(error) => return Ok(again(Some(&error))),
    };
    match good {
        Ok(true) => {}
        Ok(false) => {
            return Ok(again(Some(
                &wrong_code().at("code", say!("dz-is-wrong-expired-or-already-used", "is wrong, expired or already used")),
            )));
        }
        Err(error) if error.status == 429 => return Ok(again(Some(&error))),
        Err(error) => return Err(error),
    }
    // Only one of two concurrent requests continues.
    if !state.db.write(&mut |conn| mfa::end_sign_in(conn, token))? {
        return Ok(Reply::see_other("/login"));
    }
    // The password was verified by the step, which ends with it.
    let verified = accounts::VerifiedAccount { id: step.account, hash: None };
    let mut reply = auth::sign_in_account(state, call, &verified, Some("second factor"), local_path(&step.next).unwrap_or("/app"))?;
    reply.headers.push(build_cookie(state, None));
    Ok(reply)
}

/// Runs one step of `/auth/factor/…` for the account of the caller; a form gets the page again after an error.
pub(crate) fn manage(state: &Arc<State>, call: &Call, step: fn(&Arc<State>, &Call, &Account) -> Result<Reply>) -> Result<Reply> {
    let account = state.run_job(Job::Read, &call.requester(), &mut |tx| tx.caller().account.clone().ok_or_else(Error::unauthenticated))?;
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

/// A change of the sign-in methods requires the password; an account without one requires a recent sign-in.
fn check_password(state: &Arc<State>, call: &Call, account: &Account) -> Result<()> {
    if !state.db.read(&mut |conn| accounts::has_password(conn, state.app, &account.id))? {
        return state.run_job(Job::Read, &call.requester(), &mut |tx| {
            tx.caller().require_recent_sign_in(say!("dz-a-second-factor", "A second factor"))
        });
    }
    let [current] = read_texts(call, ["current"])?;
    match auth::verify_password(state, call, &account.email, &current, true)? {
        Some(_) => Ok(()),
        None => Err(Error::validation("current", say!("dz-is-not-your-password", "is not your password"))),
    }
}

/// The session of the request can end while the password or the code is checked.
fn require_owner(tx: &Tx<'_>, account: &Account) -> Result<()> {
    let is_owner = tx.caller().account.as_ref().is_some_and(|caller| caller.id == account.id);
    if is_owner { Ok(()) } else { Err(Error::unauthenticated()) }
}

/// `POST /auth/factor/begin`
pub(crate) fn start_registration(state: &Arc<State>, call: &Call, account: &Account) -> Result<Reply> {
    check_password(state, call, account)?;
    state.run_job(Job::Write, &call.requester(), &mut |tx| {
        require_owner(tx, account)?;
        let now = tx.caller.now;
        let session = call.session.as_deref().ok_or_else(Error::unauthenticated)?;
        mfa::start_registration(tx.conn, tx.app, &account.id, session, now)?;
        if !call.wants_json {
            return Ok(Reply::see_other("/app/-/factor"));
        }
        let mfa::MfaState::Pending(secret) = mfa::load_state(tx.conn, tx.app, &account.id, Some(session))? else {
            return Err(Error::not_found());
        };
        Ok(auth::json_ok(json!({ "secret": secret, "address": mfa::provisioning_uri(tx.app, &account.email, &secret) })))
    })
}

/// `POST /auth/factor/confirm`
pub(crate) fn confirm_device(state: &Arc<State>, call: &Call, account: &Account) -> Result<Reply> {
    let [code] = read_texts(call, ["code"])?;
    let attempt = build_attempt(call, &account.id);
    state.throttle.admit(&attempt, state.clock.instant())?;
    let codes = state.run_job(Job::Write, &call.requester(), &mut |tx| {
        require_owner(tx, account)?;
        let now = tx.caller.now;
        let session = call.session.as_deref().ok_or_else(Error::unauthenticated)?;
        let codes = mfa::confirm_device(tx.conn, tx.app, &account.id, &code, session, now)?;
        if codes.is_some() {
            record_change(tx, &account.id, "set up")?;
        }
        Ok(codes)
    })?;
    let Some(codes) = codes else {
        let failures = state.throttle.record_failure(&attempt, state.clock.instant())?;
        recovery::notify_failures(state, &account.id, failures);
        return Err(Error::validation("code", say!("dz-is-wrong-expired-or-already-used", "is wrong, expired or already used")));
    };
    recovery::notify(state, MailKind::SecondFactor, &account.email);
    if call.wants_json {
        return Ok(auth::json_ok(json!({ "recovery_codes": codes })));
    }
    state.run_job(Job::Read, &call.requester(), &mut |tx| page::show_recovery_codes(tx, call, &codes))
}

/// `POST /auth/factor/remove`
pub(crate) fn remove_device(state: &Arc<State>, call: &Call, account: &Account) -> Result<Reply> {
    check_password(state, call, account)?;
    let [code] = read_texts(call, ["code"])?;
    if !check_code(state, call, &account.id, &code)? {
        return Err(Error::validation("code", say!("dz-is-wrong-expired-or-already-used", "is wrong, expired or already used")));
    }
    state.run_job(Job::Write, &call.requester(), &mut |tx| {
        require_owner(tx, account)?;
        mfa::remove_device(tx.conn, tx.app, &account.id)?;
        record_change(tx, &account.id, "removed")
    })?;
    recovery::notify(state, MailKind::SecondFactor, &account.email);
    Ok(if call.wants_json { Reply { status: 204, ..Reply::default() } } else { Reply::see_other("/app/-/factor") })
}

/// An administrator of the system removes a lost device; the sessions of the account end.
pub(crate) fn reset_device(state: &Arc<State>, call: &Call) -> Result<Reply> {
    let [email] = read_texts(call, ["email"])?;
    let had = state.run_job(Job::Write, &call.requester(), &mut |tx| {
        crate::access::require_system_admin(tx.caller())?;
        let id = accounts::find(tx.conn, tx.app, &email)?.ok_or_else(Error::not_found)?;
        let had = mfa::remove_device(tx.conn, tx.app, &id)?;
        end_sessions(tx.conn, tx.app, &id, None)?;
        record_change(tx, &id, "reset")?;
        Ok(had)
    })?;
    if had {
        recovery::notify(state, MailKind::SecondFactor, &crate::field::email::normalize_for_account(&email));
    }
    Ok(if call.wants_json { Reply { status: 204, ..Reply::default() } } else { Reply::see_other("/app/-/account?done=factor") })
}

/// Records a change of a second factor in the audit log.
pub(crate) fn record_change(tx: &mut Tx<'_>, account: &Value, what: &str) -> Result<()> {
    let mut record = Record::new(&tx.caller, tx.app.account().name, "second_factor", Decision::Allowed);
    record.row = account.to_key_text();
    record.rule = what.to_owned();
    tx.add_record(record)
}

/// Redirects a user whose role requires a second factor to its page.
pub(crate) fn redirect_to_setup(call: &Call, error: &Error) -> Option<Reply> {
    (error.code == mfa::CODE && error.status == 403 && !call.wants_json && !call.htmx)
        .then(|| Reply::see_other("/app/-/factor?failed=required"))
}
