//! `/auth/oidc/{provider}`: sign-in with an OpenID Connect provider.
//!
//! A short-lived cookie with one random text binds a browser to its authorization request. The state, the nonce and the PKCE verifier are
//! hashes of it, so the start of a request stores nothing. The state of a completed request is stored as used and cannot be used again.

mod provider;

pub(crate) use provider::Providers;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, TimeDelta, Utc};
use provider::SignInFailure;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::{
    Caller, Error, Result, Tx, Value,
    accounts::{self, NoAccountReason, ProviderIdentity, RegistrationPolicy, ResolvedAccount},
    audit::{self, Decision, Record},
    config::oidc::Provider,
    output::log_event,
    state::State,
    web::{
        Call, Reply,
        auth::{self, second_factor},
        call,
        cookies::OwnCookie,
        server::Server,
    },
};

/// The lifetime of an authorization request.
const LIFETIME: TimeDelta = TimeDelta::minutes(10);
/// The maximum length of the address to return to.
const MAX_NEXT_LENGTH: usize = 512;

/// The cookie of an authorization request: a secret, the start, the provider, and the address to return to.
pub(crate) struct AuthorizationRequest {
    text: String,
    started_at: DateTime<Utc>,
    provider: String,
    next: String,
}

impl AuthorizationRequest {
    fn start(provider: &Provider, next: &str, now: DateTime<Utc>) -> Result<AuthorizationRequest> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(Error::internal)?;
        let next = if next.len() <= MAX_NEXT_LENGTH { next } else { "" };
        let text =
            format!("{}.{}.{}.{}", URL_SAFE_NO_PAD.encode(bytes), now.timestamp(), provider.name, URL_SAFE_NO_PAD.encode(next.as_bytes()));
        Ok(AuthorizationRequest { text, started_at: now, provider: provider.name.clone(), next: next.to_owned() })
    }

    fn parse(text: &str) -> Option<AuthorizationRequest> {
        let [secret, begun, provider, next] = text.split('.').collect::<Vec<_>>().try_into().ok()?;
        let whole = URL_SAFE_NO_PAD.decode(secret).is_ok_and(|bytes| bytes.len() == 32);
        let next = String::from_utf8(URL_SAFE_NO_PAD.decode(next).ok()?).ok()?;
        let begun = DateTime::from_timestamp(begun.parse().ok()?, 0)?;
        whole.then(|| AuthorizationRequest { text: text.to_owned(), started_at: begun, provider: provider.to_owned(), next })
    }

    fn is_expired(&self, now: DateTime<Utc>) -> bool {
        // The time comes from outside: only a difference cannot overflow.
        let age = now - self.started_at;
        age >= LIFETIME || age < -TimeDelta::minutes(1)
    }

    /// Derives one of the texts for the provider.
    fn derive(&self, what: &str) -> String {
        URL_SAFE_NO_PAD.encode(Sha256::digest(format!("{what} of {}", self.text)))
    }

    fn state(&self) -> String {
        self.derive("state")
    }

    fn nonce(&self) -> String {
        self.derive("nonce")
    }

    /// The PKCE verifier, which only this browser can present.
    fn verifier(&self) -> String {
        self.derive("verifier")
    }
}

/// The header that sets the cookie of an authorization request, or deletes it.
fn build_cookie(state: &State, text: Option<&str>) -> (&'static str, String) {
    OwnCookie::Authorization.header(state, text, LIFETIME.num_seconds())
}

fn find_provider<'s>(state: &'s State, name: &str) -> Result<&'s Provider> {
    state.config.oidc.iter().find(|provider| provider.name == name).ok_or_else(Error::not_found)
}

/// `GET /auth/oidc/{provider}`: redirects to the provider.
pub(crate) fn start_authorization(server: &Server, asked: &Call, name: &str) -> Result<Reply> {
    let state = &*server.state;
    let provider = find_provider(state, name)?;
    let next = asked.query.iter().find(|(key, _)| key == "next").and_then(|(_, value)| call::local_path(value)).unwrap_or_default();
    if asked.cross_site {
        // Another site cannot start a sign-in; the user starts it by the button of the sign-in page.
        let query: String = url::form_urlencoded::Serializer::new(String::new()).append_pair("next", next).finish();
        return Ok(Reply::see_other(format!("/login?{query}")));
    }
    let authorization = AuthorizationRequest::start(provider, next, state.now())?;
    match server.oidc.authorization_url(state, provider, &authorization) {
        Ok(address) => {
            let mut reply = Reply::see_other(address);
            reply.headers.push(build_cookie(state, Some(&authorization.text)));
            Ok(reply)
        }
        Err(trouble) => Ok(show_failure(state, asked, provider, &trouble, next)),
    }
}

/// `GET /auth/oidc/{provider}/callback`: the response of the provider.
pub(crate) fn finish_authorization(server: &Server, call: &Call, name: &str) -> Result<Reply> {
    let state = &server.state;
    let provider = find_provider(state, name)?;
    let authorization = call.oidc_cookie.as_deref().and_then(AuthorizationRequest::parse);
    let next = authorization.as_ref().and_then(|authorization| call::local_path(&authorization.next)).unwrap_or_default();
    let mut reply = match sign_in(server, call, provider) {
        Ok(Ok(reply)) => reply,
        Ok(Err(trouble)) => show_failure(state, call, provider, &trouble, next),
        Err(error) => return Err(error),
    };
    // The authorization request ends with any result.
    reply.headers.push(build_cookie(state, None));
    Ok(reply)
}

/// A parameter of the provider's response; a repeated one counts as missing.
fn read_parameter<'c>(call: &'c Call, name: &str) -> Option<&'c str> {
    let mut all = call.query.iter().filter(|(key, _)| key == name);
    let first = all.next()?;
    all.next().is_none().then_some(first.1.as_str())
}

fn sign_in(server: &Server, call: &Call, provider: &Provider) -> Result<Result<Reply, SignInFailure>> {
    let state = &server.state;
    let now = state.now();
    let authorization = call
        .oidc_cookie
        .as_deref()
        .and_then(AuthorizationRequest::parse)
        .filter(|authorization| authorization.provider == provider.name && !authorization.is_expired(now));
    let Some(authorization) = authorization else { return Ok(Err(SignInFailure::UnknownRequest)) };
    let same = |given: &str| bool::from(given.as_bytes().ct_eq(authorization.state().as_bytes()));
    if !read_parameter(call, "state").is_some_and(same) {
        return Ok(Err(SignInFailure::UnknownRequest));
    }
    if read_parameter(call, "iss").is_some_and(|issuer| issuer != provider.settings.issuer.text) {
        return Ok(Err(SignInFailure::InvalidResponse("the answer names another issuer".to_owned())));
    }
    if !state.db.write(&mut |conn| accounts::mark_used(conn, &authorization.state(), now + LIFETIME))? {
        return Ok(Err(SignInFailure::UnknownRequest));
    }
    let code = match (read_parameter(call, "code"), read_parameter(call, "error")) {
        (Some(code), None) => code,
        (_, Some(error)) => return Ok(Err(SignInFailure::Declined(error.chars().take(60).collect()))),
        (None, None) => return Ok(Err(SignInFailure::InvalidResponse("the answer has no code".to_owned()))),
    };
    let who = match server.oidc.redeem_code(state, provider, &authorization, code) {
        Ok(who) => who,
        Err(trouble) => return Ok(Err(trouble)),
    };
    let id = match find_account(state, call, provider, &who)? {
        Ok(id) => id,
        Err(why) => return Ok(Err(SignInFailure::NoAccount(why))),
    };
    let next = call::local_path(&authorization.next).unwrap_or("/app");
    if let second_factor::CodeCheck::Required(reply) =
        second_factor::check_second_factor(state, &Call { wants_json: false, ..call.clone() }, &id, next)?
    {
        return Ok(Ok(reply));
    }
    auth::sign_in_account(state, call, &accounts::VerifiedAccount { id, hash: None }, None, next).map(Ok)
}

/// Finds the account of an identity, or the reason why there is none; records the result.
fn find_account(state: &State, call: &Call, provider: &Provider, who: &ProviderIdentity) -> Result<Result<Value, NoAccountReason>> {
    let welcome =
        RegistrationPolicy { link: provider.settings.link_by_email, register: state.config.registration, provider: &provider.name };
    let look = || {
        state.db.write(&mut |conn| {
            let caller = Caller { request_id: call.request_id.clone(), ..Caller::system(state.app, state.now()) };
            let mut tx = Tx::new(conn, state.app, state.hooks.clone(), caller);
            let found = accounts::resolve_account(&mut tx, who, welcome)?;
            let (id, rule) = match &found {
                ResolvedAccount::Known(id) => (Some(id), "known"),
                ResolvedAccount::Linked(id) => (Some(id), "linked by address"),
                ResolvedAccount::Created(id) => (Some(id), "made"),
                ResolvedAccount::None(why) => (None, why.code()),
            };
            let decision = if id.is_some() { Decision::Allowed } else { Decision::Denied };
            let mut record = Record::new(&tx.caller, state.app.account().name, audit::SIGN_IN, decision);
            record.account = id.cloned();
            record.row = id.and_then(Value::to_key_text);
            record.rule = format!("oidc {}: {rule}", provider.name);
            audit::insert(tx.conn, state.app, &record)?;
            Ok(found)
        })
    };
    let found = match look() {
        // A concurrent request created the same account; the second attempt finds it.
        Err(error) if error.status == 409 => look()?,
        Err(error) if error.status == 422 => {
            let fields: Vec<&str> = error.field_errors.keys().map(String::as_str).collect();
            log_event!(warn, target: "dz::http", "no account was created request_id={}: {} {fields:?}", call.request_id, error.detail);
            ResolvedAccount::None(NoAccountReason::Incomplete)
        }
        found => found?,
    };
    Ok(match found {
        ResolvedAccount::Known(id) | ResolvedAccount::Linked(id) | ResolvedAccount::Created(id) => Ok(id),
        ResolvedAccount::None(why) => Err(why),
    })
}

/// The sign-in page with an error; the log has the details.
fn show_failure(state: &State, call: &Call, provider: &Provider, trouble: &SignInFailure, next: &str) -> Reply {
    if let Some(reason) = trouble.log_text() {
        log_event!(warn, target: "dz::http", "sign-in by {} failed request_id={}: {reason:?}", provider.name, call.request_id);
    }
    let (status, text) = trouble.describe(provider.label());
    auth::render_sign_in(state, call, next, &text, status)
}
