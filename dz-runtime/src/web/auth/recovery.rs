//! `/auth/forgot`, `/auth/reset`, `/auth/verify`, `/auth/register`: recovery and registration, without a session.
//!
//! Responses do not depend on whether an address has an account: it is looked up, and mails are sent, after the response.

use std::sync::Arc;

use crate::{
    Caller, Error, Result, Tx, Value,
    accounts::{self, Confirmation, NewAccount, additional_fields::AdditionalFields},
    mail::{Mail, MailKind, report_unsent},
    state::{Job, State},
    texts,
    web::{
        Call, Reply,
        auth::{self, additional_fields, read_texts},
        cookies::OwnCookie,
        page::{self, StandalonePage},
    },
};

/// The lifetime of the cookie of a registering browser, in seconds; equal to that of the mailed link.
const REGISTRANT_LIFETIME: i64 = 3 * 86_400;

/// The number of failures after which the owner of an account is notified.
const NOTIFY_AFTER: u32 = 10;

/// Renders a page of recovery, also with an error.
fn show_page(state: &State, call: &Call, of: StandalonePage, error: Option<&Error>) -> Reply {
    page::render(state.app, call, of, error)
}

/// A problem document for programs; the page with the error for users.
fn show_again(state: &State, call: &Call, of: StandalonePage, error: Error) -> Result<Reply> {
    if call.wants_json || !matches!(error.status, 409 | 422) { Err(error) } else { Ok(show_page(state, call, of, Some(&error))) }
}

/// 204 for programs; users are redirected to a page with the next step.
fn confirm_done(call: &Call, what: &str) -> Reply {
    if call.wants_json { Reply { status: 204, ..Reply::default() } } else { Reply::see_other(format!("/login?done={what}")) }
}

/// The token in the address or the form.
pub(crate) fn read_token(call: &Call) -> String {
    let all = call.query.iter().chain(&call.form);
    all.filter(|(name, _)| name == "token").map(|(_, value)| value.clone()).next_back().unwrap_or_default()
}

/// Sends the mail of this kind that `find` returns after the response, in the language of the request if its owner has not chosen one.
///
/// # Errors
/// 503 if the queue of mails of this kind is full.
pub(crate) fn send_later(
    state: &Arc<State>,
    kind: MailKind,
    find: impl FnOnce(&State) -> Result<Option<Mail>> + Send + 'static,
) -> Result<()> {
    let (later, asked) = (state.clone(), texts::current());
    state.mail_queue.send_later(kind, state.config.development, move || texts::with(asked, || find(&later)))
}

/// Notifies the owner of an account of a changed password.
pub(crate) fn notify_password_change(state: &Arc<State>, email: &str) {
    notify(state, MailKind::PasswordChanged, email);
}

/// Notifies an address of an event. A failed mail has no effect on the event.
pub(crate) fn notify(state: &Arc<State>, kind: MailKind, email: &str) {
    let email = email.to_owned();
    notify_later(state, kind, move |state| Ok(Some(state.write_mail(kind, email, String::new(), || None))));
}

/// Notifies the owner of an account of an event, with the device.
pub(crate) fn notify_owner(state: &Arc<State>, kind: MailKind, account: &Value, detail: impl FnOnce() -> String + Send + 'static) {
    let account = account.clone();
    notify_later(state, kind, move |state| {
        let email = state.db.read(&mut |conn| accounts::load_address(conn, state.app, &account))?;
        Ok(Some(state.write_mail(kind, email, String::new(), || Some(detail()))))
    });
}

/// Notifies the owner of an account once of repeated failures.
pub(crate) fn notify_failures(state: &Arc<State>, account: &Value, failures: u32) {
    if failures == NOTIFY_AFTER {
        notify_owner(state, MailKind::FailedSignIns, account, move || count_failures(failures));
    }
}

/// As [`notify_failures`], for an address that can be without an account.
pub(crate) fn notify_failures_at(state: &Arc<State>, email: &str, failures: u32) {
    if failures != NOTIFY_AFTER {
        return;
    }
    let email = email.to_owned();
    notify_later(state, MailKind::FailedSignIns, move |state| {
        let Some(account) = state.db.read(&mut |conn| accounts::find(conn, state.app, &email.replace('\0', "")))? else { return Ok(None) };
        let to = state.db.read(&mut |conn| accounts::load_address(conn, state.app, &account))?;
        Ok(Some(state.write_mail(MailKind::FailedSignIns, to, String::new(), || Some(count_failures(failures)))))
    });
}

fn count_failures(failures: u32) -> String {
    say!("dz-mail-failures", "{failures} attempts failed.", failures = failures)
}

fn notify_later(state: &Arc<State>, kind: MailKind, find: impl FnOnce(&State) -> Result<Option<Mail>> + Send + 'static) {
    if !state.mail_queue.can_deliver(state.config.development) {
        return;
    }
    if let Err(error) = send_later(state, kind, find) {
        report_unsent(&error);
    }
}

/// True unless the address got ten mails within a minute.
fn may_send(state: &State, email: &str) -> bool {
    let to = crate::field::email::normalize_for_account(email);
    state.refusals.note(&to, "mail", state.app.account, state.clock.instant()).is_some()
}

fn build_reset_mail(state: &State, kind: MailKind, email: &str) -> Result<Option<Mail>> {
    if !may_send(state, email) {
        return Ok(None);
    }
    let now = state.now();
    let found = state.db.write(&mut |conn| accounts::start_reset(conn, state.app, email, now))?;
    Ok(found.map(|(to, token)| state.write_mail(kind, to, token, || None)))
}

/// `GET` and `POST /auth/forgot`
pub(crate) fn request_reset(state: &Arc<State>, call: &Call) -> Result<Reply> {
    if call.method == "GET" {
        return Ok(show_page(state, call, StandalonePage::Forgot { email: "" }, None));
    }
    let [email] = match read_texts(call, ["email"]) {
        Ok(texts) => texts,
        Err(error) => return show_again(state, call, StandalonePage::Forgot { email: "" }, error),
    };
    send_later(state, MailKind::Reset, move |state| build_reset_mail(state, MailKind::Reset, &email))?;
    Ok(confirm_done(call, "forgot"))
}

/// `GET` and `POST /auth/reset`
pub(crate) fn reset_password(state: &Arc<State>, call: &Call) -> Result<Reply> {
    let token = read_token(call);
    let of = StandalonePage::Reset { token: &token };
    if call.method == "GET" {
        return Ok(show_page(state, call, of, None));
    }
    match store_password(state, call) {
        Ok(owner) => {
            notify_password_change(state, &owner);
            Ok(confirm_done(call, "reset"))
        }
        Err(error) => show_again(state, call, of, error),
    }
}

/// Sets the password; returns the address of the account.
fn store_password(state: &State, call: &Call) -> Result<String> {
    let spent = || {
        Error::new(422, "VALIDATION", say!("dz-this-link-was-used-or-has-expired", "This link was used or has expired; request a new one"))
            .at("token", say!("dz-is-unknown-used-or-expired", "is unknown, used or expired"))
    };
    let [token, password] = read_texts(call, ["token", "password"])?;
    let now = state.now();
    let owner = state.db.read(&mut |conn| accounts::find_reset_address(conn, state.app, &token, now))?.ok_or_else(spent)?;
    let hash = auth::hash_new_password(state, &owner, &password)?;
    let good = state.db.write(&mut |conn| accounts::reset(conn, state.app, &token, hash.clone(), state.now()))?;
    if good { Ok(owner) } else { Err(spent()) }
}

/// `GET` and `POST /auth/verify`
pub(crate) fn verify_address(state: &Arc<State>, call: &Call) -> Result<Reply> {
    let token = read_token(call);
    let of = StandalonePage::Verify { token: &token };
    if call.method == "GET" {
        return Ok(show_page(state, call, of, None));
    }
    let confirmed = read_texts(call, ["token"]).and_then(|[token]| {
        let kept = call.registrant_cookie.as_deref();
        let found = state.db.write(&mut |conn| accounts::confirm(conn, state.app, &token, kept, state.now()))?;
        let spent = || {
            Error::new(422, "VALIDATION", say!("dz-this-link-was-used-or-has-expired-2", "This link was used or has expired"))
                .at("token", say!("dz-is-unknown-used-or-expired", "is unknown, used or expired"))
        };
        if found == Confirmation::Invalid { Err(spent()) } else { Ok(found) }
    });
    match confirmed {
        Ok(Confirmation::PasswordRemoved(token)) if !call.wants_json => Ok(Reply::see_other(format!("/auth/reset?token={token}"))),
        Ok(_) => Ok(confirm_done(call, "verify")),
        Err(error) => show_again(state, call, of, error),
    }
}

/// `POST /auth/verify/send`: sends another mail to the address of the caller.
pub(crate) fn send_verification(state: &Arc<State>, call: &Call) -> Result<Reply> {
    let account = state.run_job(Job::Read, &call.requester(), &mut |tx| tx.caller().account.clone().ok_or_else(Error::unauthenticated))?;
    send_later(state, MailKind::Confirm, move |state| {
        if !may_send(state, &account.email) {
            return Ok(None);
        }
        // The mail is written later than the request was checked: the account can be disabled, or have another address.
        let token = state.db.write(&mut |conn| accounts::start_verify(conn, state.app, &account.id, &account.email, state.now()))?;
        Ok(token.map(|token| state.write_mail(MailKind::Confirm, account.email, token, || None)))
    })?;
    Ok(if call.wants_json { Reply { status: 204, ..Reply::default() } } else { Reply::see_other("/app/-/account?done=verification") })
}

/// `GET` and `POST /auth/register`
pub(crate) fn register(state: &Arc<State>, call: &Call) -> Result<Reply> {
    if !state.config.registration {
        return Err(Error::not_found());
    }
    let of = |name: &str| call.form.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.as_str());
    let again_with = StandalonePage::Register { email: of("email"), name: of("name") };
    let page = |error: Option<&Error>| -> Result<Reply> {
        let needed = AdditionalFields::for_account(state.app);
        let fields = match needed.fields.is_empty() {
            true => Vec::new(),
            false => state.run_job(Job::Read, &call.requester(), &mut |tx| page::build_controls(tx, call, &needed, error))?,
        };
        Ok(page::render_with(state.app, call, again_with, fields, error))
    };
    if call.method == "GET" {
        return page(None);
    }
    match register_account(state, call) {
        Ok(kept) => {
            let mut reply = confirm_done(call, "register");
            reply.headers.push(registrant_cookie(state, &kept));
            Ok(reply)
        }
        Err(error) if call.wants_json || !matches!(error.status, 409 | 422) => Err(error),
        Err(error) => page(Some(&error)),
    }
}

/// The cookie that identifies the registering browser when the address is confirmed.
fn registrant_cookie(state: &State, kept: &str) -> (&'static str, String) {
    OwnCookie::Registration.header(state, Some(kept), REGISTRANT_LIFETIME)
}

/// Creates the account, or finds an existing one: the response and the amount of work are the same.
///
/// Returns the value of the cookie; for an existing account, a random value.
fn register_account(state: &Arc<State>, call: &Call) -> Result<String> {
    let [email, password] = read_texts(call, ["email", "password"])?;
    let name = read_texts(call, ["name"]).map_or(String::new(), |[name]| name);
    let (further, hash) =
        Error::merge_results(additional_fields::read_new_account(state.app, call), auth::hash_new_password(state, &email, &password))?;
    let name = Some(name.trim()).filter(|name| !name.is_empty());
    let new = NewAccount { email: &email, name, password: None, roles: 0 };
    let registered = state.db.write(&mut |conn| {
        let caller = Caller { request_id: call.request_id.clone(), ..Caller::system(state.app, state.now()) };
        accounts::register(&mut Tx::new(conn, state.app, state.hooks.clone(), caller), &new, hash.clone(), further.clone())
    });
    let registered = registered.map_err(|error| AdditionalFields::for_account(state.app).qualify_errors(error));
    match registered {
        Ok(token) => {
            let kept = accounts::derive_registrant(&token);
            let to = crate::field::email::normalize_for_account(&email);
            send_later(state, MailKind::Confirm, move |state| Ok(Some(state.write_mail(MailKind::Confirm, to, token, || None))))?;
            Ok(kept)
        }
        Err(error) if error.code == "UNIQUE" && error.field_errors.contains_key("email") => {
            send_later(state, MailKind::AccountExists, move |state| build_reset_mail(state, MailKind::AccountExists, &email))?;
            Ok(accounts::derive_registrant(&uuid::Uuid::now_v7().to_string()))
        }
        Err(error) => Err(Error {
            detail: if error.status == 422 {
                say!("dz-some-fields-need-a-change", "Some fields need a change").to_owned()
            } else {
                error.detail.clone()
            },
            ..error
        }),
    }
}
