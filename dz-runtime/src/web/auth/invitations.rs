//! `/auth/invitations` creates and lists invitations; `/auth/invite` accepts one.
//!
//! The response to the inviter does not depend on whether the address has an account: that is determined after the response, for the text
//! of the mail.

use std::sync::Arc;

use serde_json::json;

use crate::{
    Caller, Error, Result, Tx, Value,
    access::Create,
    accounts::{
        self,
        additional_fields::AdditionalFields,
        invitation::{self, Addressee, NewUser, OpenInvitation},
    },
    audit::{Decision, Record},
    caller, field,
    mail::{Mail, MailKind},
    record::FieldValues,
    state::{Job, State},
    tenancy, texts,
    web::{
        Call, Reply,
        api::check_parameters,
        auth::{self, additional_fields, read_texts, recovery, tenant},
        cookies,
        page::{self, FormField, StandalonePage},
        request::{body, form_parameters},
    },
};

/// `POST /auth/invitations`: invites. A form gets the page again after an error, or if it requested the choices of a reference.
pub(crate) fn invite_by_form(state: &Arc<State>, call: &Call) -> Result<Reply> {
    if form_parameters::find(&call.form, form_parameters::FIND).is_some() {
        return state.run_job(Job::Read, &call.requester(), &mut |tx| page::show_invitations(tx, call, None));
    }
    match send_invitation(state, call) {
        Err(error) if !call.wants_json && matches!(error.status, 409 | 422 | 429) => {
            state.run_job(Job::Read, &call.requester(), &mut |tx| page::show_invitations(tx, call, Some(&error)))
        }
        done => done,
    }
}

/// Refuses callers who cannot create memberships, or cannot give any persona.
///
/// # Errors
/// 401 and 403; 404 if the application has no memberships.
pub(crate) fn check_permission(tx: &Tx<'_>) -> Result<()> {
    let members = tx.app.members().ok_or_else(Error::not_found)?;
    tx.ask::<Create>(members.entity)?;
    tenancy::check_personas(tx.app, tx.caller(), &[])
}

/// Runs `work` in the current tenant, or for administrators of the system in the tenant that the request names.
fn run_in_named_tenant<T>(tx: &mut Tx<'_>, call: &Call, work: impl FnOnce(&mut Tx<'_>) -> Result<T>) -> Result<T> {
    let named = match &call.json {
        Some(_) => body::read_text(&body::parse_object(call)?, "tenant"),
        None => call.form.iter().chain(&call.query).find(|(name, _)| name == "tenant").map(|(_, value)| value.clone()),
    };
    let Some(named) = named.filter(|named| !named.is_empty()) else {
        return if tx.tenant().is_some() {
            work(tx)
        } else {
            Err(Error::validation("tenant", say!("dz-is-required-the-key-of-a-tenant", "is required: the key of a tenant")))
        };
    };
    let (app, now) = (tx.app, tx.now());
    let entity = app.tenant().ok_or_else(Error::not_found)?;
    if tx.tenant().and_then(Value::to_key_text).as_deref() == Some(named.as_str()) {
        return work(tx);
    }
    if !tx.caller().system_admin {
        return Err(Error::validation("tenant", say!("dz-must-be-your-current-tenant", "must be your current tenant")));
    }
    let key = field::from_text(app, entity.key(), &named, field::zone(app)).unwrap_or_default();
    if key.is_null() || invitation::find_tenant_label(tx.conn, app, &key, now)?.is_none() {
        return Err(Error::validation("tenant", say!("dz-is-unknown", "is unknown")));
    }
    let caller = tx.caller().clone().for_tenant(Some(key));
    tx.for_caller(caller, work)
}

/// `GET /auth/invitations`
pub(crate) fn list(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    check_permission(tx)?;
    check_parameters(call, &["tenant"])?;
    let waiting = run_in_named_tenant(tx, call, invitation::list_pending)?;
    let needed = AdditionalFields::for_membership(tx.app);
    let items: Vec<_> = waiting
        .iter()
        .map(|it| {
            let membership = needed.as_ref().map(|needed| needed.to_json_for_inviter(&it.membership));
            json!({
                "id": it.id, "email": it.email, "personas": it.personas, "membership": membership, "invited_by": it.by,
                "invited_at": field::datetime_text(&it.at), "expires_at": field::datetime_text(&it.until),
            })
        })
        .collect();
    Ok(auth::json_ok(json!({ "items": items })))
}

/// The personas in the request.
fn read_personas(call: &Call) -> Result<Vec<String>> {
    let wrong = || Error::validation("personas", say!("dz-must-be-a-list-of-personas", "must be a list of personas"));
    match &call.json {
        None => Ok(call.form.iter().filter(|(name, _)| name == "personas").map(|(_, value)| value.clone()).collect()),
        Some(_) => match body::parse_object(call)?.get("personas") {
            None => Ok(Vec::new()),
            Some(raw) => serde_json::from_str(raw.get()).map_err(|_| wrong()),
        },
    }
}

/// Stores an invitation, and sends its mail after the response.
fn send_invitation(state: &Arc<State>, call: &Call) -> Result<Reply> {
    let (by, (to, token, tenant)) = state.run_job(Job::Write, &call.requester(), &mut |tx| {
        check_permission(tx)?;
        if !call.wants_json {
            tenant::check_form(tx, call)?;
        }
        let needed = AdditionalFields::for_membership(tx.app).ok_or_else(Error::not_found)?;
        if call.json.is_some() {
            body::check_members(&body::parse_object(call)?, &["email", "personas", "tenant", needed.member])?;
        }
        let who = Error::merge_results(read_texts(call, ["email"]), read_personas(call));
        let (([email], personas), membership) = Error::merge_results(who, additional_fields::read_fields(tx.app, call, &needed))?;
        let by = tx.caller().account.as_ref().map(|account| account.email.clone());
        Ok((by, run_in_named_tenant(tx, call, |tx| invite(tx, &email, &personas, &membership))?))
    })?;
    recovery::send_later(state, MailKind::Invitation, move |state| build_mail(state, by.as_deref(), &tenant, to, token))?;
    Ok(if call.wants_json { Reply { status: 204, ..Reply::default() } } else { Reply::see_other("/app/-/invitations?done=invited") })
}

/// Stores an invitation to the tenant of the unit of work, with the additional fields of the `membership`; returns the address, the
/// token, and the label of the tenant.
///
/// # Errors
/// 403 and 422 for values that the caller cannot give, and for missing and unknown values; 429.
pub(crate) fn invite(tx: &mut Tx<'_>, email: &str, personas: &[String], membership: &FieldValues) -> Result<(String, String, String)> {
    let (app, now) = (tx.app, tx.now());
    let needed = AdditionalFields::for_membership(app).ok_or_else(Error::not_found)?;
    let known =
        tenancy::find_unknown_persona(app, &Value::Json(json!(personas))).map_or(Ok(()), |wrong| Err(Error::validation("personas", wrong)));
    let who = Error::merge_results(invitation::check_address(app, email), known);
    Error::merge_results(who, needed.check(tx, membership))?;
    tenancy::check_personas(app, tx.caller(), personas)?;
    let key = tx.tenant().cloned().ok_or_else(caller::no_tenant)?;
    let tenant = invitation::find_tenant_label(tx.conn, app, &key, now)?.ok_or_else(caller::no_tenant)?;
    let (to, token) = invitation::invite(tx, email, personas, needed.to_stored(membership))?;
    let what = if personas.is_empty() { format!("invited {to}") } else { format!("invited {to} as {}", personas.join(", ")) };
    record_outcome(tx, None, what)?;
    Ok((to, token, tenant))
}

/// The mail of an invitation, whose text depends on whether the address has an account; `None` for a disabled account.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn build_mail(state: &State, by: Option<&str>, tenant: &str, to: String, token: String) -> Result<Option<Mail>> {
    let kind = match state.db.read(&mut |conn| invitation::find_addressee(conn, state.app, &to))? {
        Addressee::NoAccount => MailKind::Invitation,
        Addressee::Account(_) => MailKind::Membership,
        Addressee::Disabled => return Ok(None),
    };
    // Labels are reduced to one line of the text, and do not occur in the subject.
    let tenant: String = tenant.chars().map(|c| if c.is_control() { ' ' } else { c }).take(100).collect();
    Ok(Some(state.write_mail(kind, to, token, || {
        let by = by.unwrap_or(say!("dz-an-administrator", "An administrator"));
        let app = texts::plain(dz_vocabulary::text_key::APP, state.app.title);
        Some(say!("dz-mail-invites-you", "{by} invites you to {tenant} at {app}.", by = by, tenant = tenant, app = app))
    })))
}

/// `POST /auth/invitations/end`
pub(crate) fn withdraw(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    check_permission(tx)?;
    if !call.wants_json {
        tenant::check_form(tx, call)?;
    }
    let [id] = read_texts(call, ["id"])?;
    let id = id.parse().map_err(|_| Error::not_found())?;
    let email = run_in_named_tenant(tx, call, |tx| invitation::withdraw(tx, id))?.ok_or_else(Error::not_found)?;
    record_outcome(tx, None, format!("withdrew the invitation of {email}"))?;
    Ok(if call.wants_json { Reply { status: 204, ..Reply::default() } } else { Reply::see_other("/app/-/invitations?done=withdrawn") })
}

/// Records the result of an invitation in the audit log.
fn record_outcome(tx: &mut Tx<'_>, account: Option<&Value>, what: String) -> Result<()> {
    let entity = tx.app.members().map_or("", |members| members.entity.name);
    let mut record = Record::new(&tx.caller, entity, "invite", Decision::Allowed);
    record.account = account.cloned().or(record.account);
    record.rule = what;
    tx.add_record(record)
}

/// `GET` and `POST /auth/invite`
pub(crate) fn answer_invitation(state: &Arc<State>, call: &Call) -> Result<Reply> {
    let token = match &call.json {
        Some(_) => read_texts(call, ["token"])?.concat(),
        None => recovery::read_token(call),
    };
    let found = state.db.read(&mut |conn| invitation::find_open(conn, state.app, &token, state.now()))?;
    let open = found.filter(|open| open.addressee != Addressee::Disabled);
    let Some(open) = open else {
        return if call.wants_json {
            Err(invalid_link())
        } else {
            Ok(page::render(state.app, call, StandalonePage::InvalidInvitation, Some(&invalid_link())))
        };
    };
    let me = state.run_job(Job::Read, &call.requester(), &mut |tx| Ok(tx.caller().account.clone()))?;
    let is_mine = |id: &Value| me.as_ref().is_some_and(|me| me.id == *id);
    let name = call.form.iter().find(|(key, _)| key == "name").map_or("", |(_, value)| value.as_str());
    let is_new = open.addressee == Addressee::NoAccount;
    let fields = |error: Option<&Error>| -> Result<Vec<FormField>> {
        let needed = AdditionalFields::for_account(state.app);
        if !is_new || call.wants_json || needed.fields.is_empty() {
            return Ok(Vec::new());
        }
        state.run_job(Job::Read, &call.requester(), &mut |tx| page::build_controls(tx, call, &needed, error))
    };
    let of = match &open.addressee {
        Addressee::Account(id) if is_mine(id) => StandalonePage::Join { token: &token, tenant: &open.tenant },
        Addressee::Account(_) => StandalonePage::SignInToJoin { token: &token, tenant: &open.tenant, email: &open.email },
        Addressee::NoAccount | Addressee::Disabled => {
            StandalonePage::Invited { token: &token, tenant: &open.tenant, email: &open.email, name }
        }
    };
    if call.method == "GET" {
        return Ok(page::render_with(state.app, call, of, fields(None)?, None));
    }
    match join(state, call, &token, &open, me.as_ref().map(|me| &me.id)) {
        Ok(reply) => Ok(reply),
        Err(error) if call.wants_json || !matches!(error.status, 401 | 403 | 409 | 422) => Err(error),
        Err(error) if error.field_errors.contains_key("token") => {
            Ok(page::render(state.app, call, StandalonePage::InvalidInvitation, Some(&error)))
        }
        Err(error) => Ok(page::render_with(state.app, call, of, fields(Some(&error))?, Some(&error))),
    }
}

fn invalid_link() -> Error {
    let detail = say!(
        "dz-this-invitation-was-used-withdrawn-or-replaced",
        "This invitation was used, withdrawn or replaced, or has expired; ask for another one"
    );
    Error::new(422, "VALIDATION", detail)
        .at("token", say!("dz-is-unknown-used-withdrawn-or-expired", "is unknown, used, withdrawn or expired"))
}

fn join(state: &Arc<State>, call: &Call, token: &str, open: &OpenInvitation, me: Option<&Value>) -> Result<Reply> {
    let newcomer = match open.addressee {
        Addressee::NoAccount => Some(read_new_user(state, call, &open.email)?),
        Addressee::Account(_) | Addressee::Disabled => None,
    };
    let joined = state.db.write(&mut |conn| {
        let caller = Caller { request_id: call.request_id.clone(), ..Caller::system(state.app, state.now()) };
        let mut tx = Tx::new(conn, state.app, state.hooks.clone(), caller);
        let joined = invitation::accept(&mut tx, token, newcomer.as_ref(), me)?.ok_or_else(invalid_link)?;
        let what = if newcomer.is_some() { "accepted, with a new account" } else { "accepted" };
        record_outcome(&mut tx, Some(&joined.account), what.to_owned())?;
        // A user who is already signed in continues in the tenant of the invitation.
        if let (None, Some(session)) = (&newcomer, &call.session) {
            accounts::switch_tenant(tx.conn, tx.app, session, &joined.tenant)?;
        }
        Ok(joined)
    });
    match joined {
        Ok(_) if call.wants_json => Ok(Reply { status: 204, ..Reply::default() }),
        Ok(_) if newcomer.is_some() => {
            let mut reply = Reply::see_other("/login?done=invited");
            // The browser can have the session of another account.
            if call.session.is_some() {
                reply.headers.push(cookies::session_cookie(state, None));
            }
            Ok(reply)
        }
        Ok(_) => Ok(Reply::see_other("/app")),
        Err(error) => Err(error),
    }
}

/// Reads the values of a new user; the password is hashed without a connection.
fn read_new_user(state: &State, call: &Call, email: &str) -> Result<NewUser> {
    let name = read_texts(call, ["name"]).map_or(String::new(), |[name]| name);
    let hash = read_texts(call, ["password"]).and_then(|[password]| auth::hash_new_password(state, email, &password));
    let (fields, hash) = Error::merge_results(additional_fields::read_new_account(state.app, call), hash)?;
    Ok(NewUser { name, hash, fields })
}
