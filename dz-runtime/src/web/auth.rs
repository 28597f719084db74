//! `/auth/…`: sign-in, sign-out, the current caller and the change of passwords.

pub(crate) mod additional_fields;
pub(crate) mod invitations;
#[cfg(feature = "oidc")]
pub(crate) mod oidc;
pub(crate) mod recovery;
pub(crate) mod second_factor;
pub(crate) mod sessions;
pub(crate) mod tenant;

use std::sync::Arc;

use serde_json::json;

use crate::{
    Account, Caller, Error, Result, Tx, Value,
    accounts::{self, VerifiedAccount, device::Unusual, throttle::Attempt},
    audit::{Decision, Record, SIGN_IN},
    config, field,
    mail::MailKind,
    output::log_event,
    state::{Job, State},
    texts,
    web::{
        Call, Reply,
        api::check_parameters,
        auth::second_factor::CodeCheck,
        cookies,
        page::{self, SignIn, SignInProvider},
        request::body,
    },
};

/// The failures after which the owner of an account is notified of a sign-in.
const NOTIFY_AFTER: u32 = 3;
/// The maximum length of an address or a password.
const MAX_LENGTH: usize = 1_024;

/// Reads texts of the body, form or JSON; one error names all missing texts.
pub(crate) fn read_texts<const N: usize>(call: &Call, names: [&str; N]) -> Result<[String; N]> {
    let members = call.json.is_some().then(|| body::parse_object(call)).transpose()?;
    let mut problem: Option<Error> = None;
    let found = names.map(|name| {
        let value = match &members {
            Some(members) => body::read_text(members, name),
            None => call.form.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone()),
        };
        let wrong = match &value {
            None => say!("dz-is-required", "is required"),
            Some(value) if value.len() > MAX_LENGTH => say!("dz-is-too-long", "is too long"),
            Some(value) if value.contains('\0') => {
                say!("dz-must-not-contain-the-character-u-0000", "must not contain the character U+0000")
            }
            Some(_) => return value.unwrap_or_default(),
        };
        let error = problem
            .take()
            .unwrap_or_else(|| Error::new(422, "VALIDATION", say!("dz-some-fields-need-a-change", "Some fields need a change")));
        problem = Some(error.at(name, wrong));
        String::new()
    });
    problem.map_or(Ok(found), Err)
}

/// Returns the account with this address and password. Accounts and clients with many failures are delayed. `own` is true for a request of
/// the account's own session, which failures of others do not delay.
///
/// No connection is held while the password is hashed, because hashing is slow by design.
pub(crate) fn verify_password(state: &Arc<State>, call: &Call, email: &str, password: &str, own: bool) -> Result<Option<VerifiedAccount>> {
    let mut attempt = build_attempt(call, email);
    if own {
        attempt.account.push_str(" by a session of its own");
    }
    state.throttle.admit(&attempt, state.clock.instant())?;
    let credentials = state.db.read(&mut |conn| accounts::load_credentials(conn, state.app, email))?;
    let (outgrown, meant) = (credentials.outdated_hash(), credentials.account());
    let mut account = credentials.check_password(password);
    if let (Some(verified), Some(old)) = (&mut account, outgrown) {
        let new = accounts::hash_accepted_password(password)?;
        state.db.write(&mut |conn| accounts::replace_hash(conn, state.app, &verified.id, &old, &new))?;
        verified.hash = Some(new.into_text());
    }
    match &account {
        Some(_) => state.throttle.record_success(&attempt, state.clock.instant())?,
        None => {
            let failures = state.throttle.record_failure(&attempt, state.clock.instant())?;
            state.record_failed_sign_in(&call.request_id, &attempt, meant.as_ref(), "password");
            // Whether the account exists is determined after the response.
            recovery::notify_failures_at(state, email, failures);
        }
    }
    Ok(account)
}

/// True if this process knows that the request will be refused before its password is checked, because its account or client is delayed.
pub(crate) fn must_wait(state: &State, call: &Call) -> bool {
    let email = read_texts(call, ["email"]).map_or(String::new(), |[email]| email);
    state.throttle.is_known_delayed(&build_attempt(call, &email), state.clock.instant())
}

/// The account and the client for which a failure is counted.
fn build_attempt(call: &Call, email: &str) -> Attempt {
    Attempt::new(call.client, format!("account {}", crate::field::email::normalize_for_account(email)))
}

/// The method of a sign-in without a second factor, in the audit log.
const PASSWORD: &str = "password";

/// `POST /auth/login`
pub(crate) fn log_in(state: &Arc<State>, call: &Call) -> Result<Reply> {
    let [email, password] = match read_texts(call, ["email", "password"]) {
        Ok(texts) => texts,
        Err(error) if error.status == 422 => {
            return refuse_sign_in(
                state,
                call,
                "",
                Error {
                    detail: say!("dz-enter-your-email-address-and-password", "Enter your email address and password").to_owned(),
                    ..error
                },
            );
        }
        Err(error) => return Err(error),
    };
    let failures = state.throttle.failure_count(&build_attempt(call, &email))?;
    let account = match verify_password(state, call, &email, &password, false) {
        Ok(Some(account)) => account,
        Ok(None) => {
            let error = Error::new(
                401,
                "AUTHENTICATION_REQUIRED",
                say!("dz-the-address-or-the-password-is-wrong", "The address or the password is wrong"),
            );
            return refuse_sign_in(state, call, &email, error);
        }
        Err(error) if error.status == 429 => return refuse_sign_in(state, call, &email, error),
        Err(error) => return Err(error),
    };
    let way = match second_factor::check_second_factor(state, call, &account.id, read_next(call).unwrap_or("/app"))? {
        CodeCheck::Required(reply) => return Ok(reply),
        CodeCheck::NotRequired => PASSWORD,
        CodeCheck::Passed => "password, second factor",
    };
    start_session(state, call, (&account, Some(way)), failures, &mut |tx, token| {
        if call.wants_json {
            let now = tx.caller.now;
            let session = accounts::find_session(tx.conn, tx.app, token, now)?.ok_or_else(Error::unauthenticated)?;
            let caller = session.caller;
            let account = caller.account.as_ref().map(|account| describe_account(tx, account));
            Ok(json_ok(json!({ "account": account, "roles": role_names(tx, &caller) })))
        } else {
            Ok(Reply::see_other(read_next(call).unwrap_or("/app")))
        }
    })
}

/// Starts a session and returns the response that sets its cookie; a previous session of the browser ends. `way` is the method for the
/// audit log, `None` if it is already recorded. The owner is notified of an unusual sign-in: from a new device, after a long time, or
/// after failures.
fn start_session(
    state: &Arc<State>,
    call: &Call,
    (verified, way): (&VerifiedAccount, Option<&str>),
    failures: u32,
    reply: &mut dyn FnMut(&mut Tx<'_>, &str) -> Result<Reply>,
) -> Result<Reply> {
    // The same device has one name in every language.
    let device = texts::with(None, || page::describe_device(&call.agent));
    let (mut unusual, account) = (None, &verified.id);
    let reply = state.run_job(Job::Write, &call.anonymous(), &mut |tx| {
        let now = tx.caller.now;
        // A password takes time to verify, and so does a code.
        let without_code = way == Some(PASSWORD);
        if !accounts::is_still_valid(tx.conn, tx.app, verified)? || (without_code && accounts::mfa::has_device(tx.conn, tx.app, account)?) {
            return Err(Error::new(
                401,
                "AUTHENTICATION_REQUIRED",
                say!("dz-the-account-has-changed", "The account has changed in the meantime; sign in again"),
            ));
        }
        unusual = accounts::device::record(tx.conn, tx.app, account, &device, now)?;
        let token = accounts::sign_in(tx.conn, tx.app, account, call.session.as_deref(), &call.agent, now)?;
        if let Some(way) = way {
            let record = Record::new(&tx.caller, tx.app.account().name, SIGN_IN, Decision::Allowed);
            let (account, row, rule) = (Some(account.clone()), account.to_key_text(), way.to_owned());
            tx.add_record(Record { account, row, rule, ..record })?;
        }
        let mut reply = reply(tx, &token)?;
        reply.headers.push(cookies::session_cookie(state, Some(&token)));
        Ok(reply)
    })?;
    if unusual.is_some() || failures >= NOTIFY_AFTER {
        let agent = call.agent.clone();
        recovery::notify_owner(state, MailKind::SignIn, account, move || {
            describe_sign_in(unusual, &page::describe_device(&agent), failures)
        });
    }
    Ok(reply)
}

/// The sentence of a mail about an unusual sign-in.
fn describe_sign_in(unusual: Option<Unusual>, device: &str, failures: u32) -> String {
    match unusual {
        Some(Unusual::Dormant) => {
            say!("dz-mail-sign-in-dormant", "Signed in from {device}: for the first time in months.", device = device)
        }
        Some(Unusual::Device) => {
            say!("dz-mail-sign-in-device", "Signed in from {device}: a device that the account did not use before.", device = device)
        }
        None => say!(
            "dz-mail-sign-in-failures",
            "Signed in from {device}: after {failures} failed attempts.",
            device = device,
            failures = failures
        ),
    }
}

/// Hashes a new password, unless it is in the list of breached ones.
///
/// # Errors
/// 422 if the password is weak or breached.
pub(crate) fn hash_new_password(state: &State, email: &str, password: &str) -> Result<accounts::PasswordHash> {
    if let Some(path) = &state.config.settings.breached_passwords {
        match config::breached::contains_password(path, password) {
            Ok(false) => {}
            Ok(true) => {
                return Err(Error::validation(
                    "password",
                    say!("dz-is-in-a-list-of-leaked-passwords", "is in a list of leaked passwords that attackers try: choose another one"),
                ));
            }
            // Without the list of breached passwords a password can still be changed.
            Err(error) => log_event!(error, target: "dz::http", "`dz.breached_passwords` cannot be read: {error}"),
        }
    }
    accounts::hash_password(state.app, email, password)
}

/// The address to continue at, if it belongs to this application.
fn read_next(call: &Call) -> Option<&str> {
    let (_, value) = call.form.iter().find(|(name, _)| name == "next")?;
    crate::web::call::local_path(value)
}

/// Refuses a sign-in; a form gets the page again, with the entered address.
fn refuse_sign_in(state: &State, call: &Call, email: &str, error: Error) -> Result<Reply> {
    if call.wants_json {
        return Err(error);
    }
    let next = read_next(call).unwrap_or_default();
    let of = SignIn {
        next,
        email,
        error: Some(&error.detail),
        csrf: &call.csrf,
        registration: state.config.registration,
        providers: &list_providers(state, next),
        ..SignIn::default()
    };
    let mut reply = page::render_sign_in(state.app, call.markup, of, error.status);
    if let Some(seconds) = error.retry_after {
        reply.headers.push(("Retry-After", seconds.to_string()));
    }
    Ok(reply)
}

/// Lists the configured providers, which redirect to `next` afterwards.
pub(crate) fn list_providers(state: &State, next: &str) -> Vec<SignInProvider> {
    let query = match next {
        "" => String::new(),
        next => format!("?{}", url::form_urlencoded::Serializer::new(String::new()).append_pair("next", next).finish()),
    };
    let way = |it: &crate::config::oidc::Provider| SignInProvider {
        label: it.label().to_owned(),
        address: format!("/auth/oidc/{}{query}", it.name),
    };
    state.config.oidc.iter().map(way).collect()
}

/// `GET /login`
pub(crate) fn show_sign_in(state: &State, call: &Call) -> Reply {
    let of = |name: &str| call.query.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.as_str());
    let next = crate::web::call::local_path(of("next")).unwrap_or_default();
    let notice = match of("done") {
        "forgot" => Some(say!("dz-if-that-address-has-an-account-a", "If this address has an account, it gets a mail with a link.")),
        "reset" => Some(say!("dz-your-new-password-is-set-sign-in", "Your new password is set. Sign in with it.")),
        "verify" => Some(say!("dz-your-address-is-confirmed-you-can-sign", "Your address is confirmed. You can sign in now.")),
        "invited" => Some(say!("dz-you-are-a-member-now-sign-in", "You are a member now. Sign in with your address and your password.")),
        "register" => Some(say!("dz-we-sent-you-a-mail-open-its", "We sent you a mail. Open its link to continue.")),
        _ => (!next.is_empty() && next != "/app" && next != "/").then_some(say!("dz-sign-in-to-continue", "Sign in to continue.")),
    };
    let providers = list_providers(state, next);
    let registration = state.config.registration;
    let of = SignIn { next, notice, csrf: &call.csrf, registration, providers: &providers, ..SignIn::default() };
    page::render_sign_in(state.app, call.markup, of, 200)
}

/// The sign-in page after a failed sign-in at a provider.
#[cfg(feature = "oidc")]
pub(crate) fn render_sign_in(state: &State, call: &Call, next: &str, problem: &str, status: u16) -> Reply {
    let providers = list_providers(state, next);
    let registration = state.config.registration;
    let of = SignIn { next, problem: Some(problem), csrf: &call.csrf, registration, providers: &providers, ..SignIn::default() };
    page::render_sign_in(state.app, call.markup, of, status)
}

/// Starts a session and redirects to a page; `way` as for [`start_session`].
pub(crate) fn sign_in_account(state: &Arc<State>, call: &Call, account: &VerifiedAccount, way: Option<&str>, next: &str) -> Result<Reply> {
    start_session(state, call, (account, way), 0, &mut |_, _| Ok(Reply::see_other(next)))
}

pub(crate) fn json_ok(body: serde_json::Value) -> Reply {
    Reply { status: 200, content_type: "application/json", body: body.to_string().into_bytes(), ..Reply::default() }
}

/// `POST /auth/logout`
pub(crate) fn log_out(state: &State, tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    if let Some(token) = &call.session {
        accounts::sign_out(tx.conn, token)?;
    }
    let mut reply = if call.wants_json { Reply { status: 204, ..Reply::default() } } else { Reply::see_other("/login") };
    reply.headers.push(cookies::session_cookie(state, None));
    Ok(reply)
}

/// `GET /auth/me`
pub(crate) fn show_me(state: &State, tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let caller = tx.caller.clone();
    let reply = describe_caller(tx, &caller, state)?;
    check_parameters(call, &[])?;
    Ok(reply)
}

/// Describes the caller and the current tenant.
pub(crate) fn describe_caller(tx: &Tx<'_>, caller: &Caller, state: &State) -> Result<Reply> {
    let account = caller.account.as_ref().ok_or_else(Error::unauthenticated)?;
    let mut body = describe_account(tx, account);
    body["roles"] = json!(role_names(tx, caller));
    let key = |key: &Value| {
        let mut written = Vec::new();
        if let Some(tenant) = state.app.tenant() {
            field::write_json(tenant.key(), key, &mut written);
        }
        serde_json::from_slice::<serde_json::Value>(&written).unwrap_or_default()
    };
    let tenants = caller.memberships.iter().map(|it| json!({ "id": key(&it.tenant), "name": it.name }));
    body["tenants"] = tenants.collect();
    body["tenant"] = caller.tenant().map(key).unwrap_or_default();
    Ok(json_ok(body))
}

fn describe_account(tx: &Tx<'_>, account: &Account) -> serde_json::Value {
    let mut id = Vec::new();
    field::write_json(tx.app.account().key(), &account.id, &mut id);
    let id: serde_json::Value = serde_json::from_slice(&id).unwrap_or_default();
    json!({ "id": id, "email": account.email, "name": account.label })
}

fn role_names(tx: &Tx<'_>, caller: &Caller) -> Vec<&'static str> {
    tx.app.roles.iter().enumerate().filter(|(bit, _)| caller.roles & (1 << bit) != 0).map(|(_, role)| role.name).collect()
}

/// `POST /auth/password`: all sessions of the account end, and the current one continues with a new token.
pub(crate) fn change_password(state: &Arc<State>, call: &Call) -> Result<Reply> {
    let (mut reply, (token, email)) = match store_new_password(state, call) {
        Ok(done) if call.wants_json => (Reply { status: 204, ..Reply::default() }, done),
        Ok(done) => (Reply::see_other("/app/-/account?done=password"), done),
        Err(error) if call.wants_json || error.status != 422 => return Err(error),
        Err(error) => {
            let which = if error.field_errors.contains_key("current") { "current" } else { "new" };
            return Ok(Reply::see_other(format!("/app/-/account?failed={which}")));
        }
    };
    recovery::notify_password_change(state, &email);
    reply.headers.push(cookies::session_cookie(state, Some(&token)));
    Ok(reply)
}

/// Stores the new password; returns the new token, and the address of the account.
fn store_new_password(state: &Arc<State>, call: &Call) -> Result<(String, String)> {
    let asked = || call.requester();
    let account = state.run_job(Job::Read, &asked(), &mut |tx| tx.caller().account.clone().ok_or_else(Error::unauthenticated))?;
    let [current, new] = read_texts(call, ["current", "new"])?;
    if verify_password(state, call, &account.email, &current, true)?.is_none() {
        return Err(Error::validation("current", say!("dz-is-not-your-password", "is not your password")));
    }
    let hash = hash_new_password(state, &account.email, &new).map_err(rename_password_error)?;
    state.run_job(Job::Write, &asked(), &mut |tx| {
        // The session can have ended since.
        tx.caller().account.as_ref().filter(|now| now.id == account.id).ok_or_else(Error::unauthenticated)?;
        accounts::store_password(tx.conn, tx.app, &account.id, hash.clone(), None)?;
        let token = accounts::start(tx.conn, tx.app, &account.id, None, &call.agent, tx.caller.now)?;
        Ok((token, account.email.clone()))
    })
}

/// Renames the field of the error of a new password to its name in the request.
fn rename_password_error(mut error: Error) -> Error {
    if let Some(wrong) = error.field_errors.remove("password") {
        error.field_errors.insert("new".to_owned(), wrong);
    }
    error
}
