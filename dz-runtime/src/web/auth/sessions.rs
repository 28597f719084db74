//! `/auth/sessions` and `/auth/tokens`: lists and ends sessions and API tokens.

use serde_json::json;
use uuid::Uuid;

use crate::{
    Error, Result, TokenScope, Tx, Value, access, accounts,
    audit::{Decision, PASSWORD, Record, SIGN_OUT},
    field,
    rows::account,
    web::{Call, Reply, api::check_parameters, auth::read_texts, request::body},
};

/// Runs `work` for the account of the caller.
///
/// # Errors
/// 401 without an account.
pub(crate) fn run_for_account(tx: &mut Tx<'_>, call: &Call, work: fn(&mut Tx<'_>, &Call, &Value) -> Result<Reply>) -> Result<Reply> {
    let account = tx.caller().account.clone().ok_or_else(Error::unauthenticated)?.id;
    work(tx, call, &account)
}

/// `GET /auth/sessions`
pub(crate) fn list(tx: &mut Tx<'_>, call: &Call, account: &Value) -> Result<Reply> {
    check_parameters(call, &[])?;
    let now = tx.caller.now;
    let open = accounts::list_sessions(tx.conn, tx.app, account, call.session.as_deref(), now)?;
    let items: Vec<_> = open
        .iter()
        .map(|it| {
            json!({
                "id": it.id, "device": it.device, "created_at": field::datetime_text(&it.created_at), "seen_at": field::datetime_text(&it.seen_at),
                "current": it.current,
            })
        })
        .collect();
    Ok(crate::web::auth::json_ok(json!({ "items": items })))
}

/// `GET /auth/tokens`
pub(crate) fn list_tokens(tx: &mut Tx<'_>, call: &Call, account: &Value) -> Result<Reply> {
    check_parameters(call, &[])?;
    let now = tx.caller.now;
    let items: Vec<_> = accounts::list_tokens(tx.conn, tx.app, account, now)?
        .iter()
        .map(|it| {
            json!({
                "id": it.id, "scope": if it.scope == TokenScope::Read { "read" } else { "write" }, "roles": it.roles,
                "created_at": field::datetime_text(&it.created_at), "seen_at": field::datetime_text(&it.seen_at),
                "expires_at": field::datetime_text(&it.expires_at),
            })
        })
        .collect();
    Ok(crate::web::auth::json_ok(json!({ "items": items })))
}

/// Ends the given session, or all other sessions, after a recent sign-in (OWASP ASVS 5.0, 7.5.2). Administrators of the system end all
/// sessions of an address (7.4.5).
pub(crate) fn end_sessions(tx: &mut Tx<'_>, call: &Call, account: &Value) -> Result<Reply> {
    let members = call.json.is_some().then(|| body::parse_object(call)).transpose()?;
    // Without `id` all other sessions end, so that a misspelt one must not pass.
    members.iter().try_for_each(|members| body::check_members(members, &["id", "email"]))?;
    let names = |name: &str| match &members {
        Some(members) => members.contains_key(name),
        None => call.form.iter().any(|(key, _)| key == name),
    };
    if names("email") {
        let [email] = read_texts(call, ["email"])?;
        access::require_system_admin(tx.caller())?;
        let id = accounts::find(tx.conn, tx.app, &email)?.ok_or_else(Error::not_found)?;
        account::end_sessions(tx.conn, tx.app, &id, None)?;
        record_end(tx, Some(&id))?;
        return Ok(if call.wants_json { redirect_back(call, "sessions") } else { Reply::see_other("/admin/sessions?done=ended") });
    }
    if let Err(error) = tx.caller.require_recent_sign_in(say!("dz-ending-other-sessions", "Ending other sessions")) {
        let page = !call.wants_json && !call.htmx;
        return if page { Ok(Reply::see_other("/login?next=/app/-/account")) } else { Err(error) };
    }
    if names("id") {
        let [id] = read_texts(call, ["id"])?;
        let id = id.parse::<Uuid>().map_err(|_| Error::not_found())?;
        if !accounts::end(tx.conn, tx.app, account, id)? {
            return Err(Error::not_found());
        }
    } else {
        accounts::end_others(tx.conn, tx.app, account, call.session.as_deref())?;
    }
    Ok(redirect_back(call, "sessions"))
}

/// Records that an administrator or operator ended sessions.
pub(crate) fn record_end(tx: &mut Tx<'_>, account: Option<&Value>) -> Result<()> {
    let record = Record::new(&tx.caller, tx.app.account().name, SIGN_OUT, Decision::Allowed);
    let rule = if account.is_some() { "all sessions" } else { "all sessions of all accounts" };
    tx.add_record(Record { row: account.and_then(Value::to_key_text), rule: rule.to_owned(), ..record })
}

/// Records that an operator set the password of an account.
pub(crate) fn record_password_change(tx: &mut Tx<'_>, account: &Value) -> Result<()> {
    let record = Record::new(&tx.caller, tx.app.account().name, PASSWORD, Decision::Allowed);
    tx.add_record(Record { row: account.to_key_text(), rule: "set by the command line".to_owned(), ..record })
}

pub(crate) fn end_token(tx: &mut Tx<'_>, call: &Call, account: &Value) -> Result<Reply> {
    let [id] = read_texts(call, ["id"])?;
    let id = id.parse::<Uuid>().map_err(|_| Error::not_found())?;
    if !accounts::revoke_token(tx.conn, tx.app, Some(account), id)? {
        return Err(Error::not_found());
    }
    Ok(redirect_back(call, "token"))
}

fn redirect_back(call: &Call, what: &str) -> Reply {
    if call.wants_json { Reply { status: 204, ..Reply::default() } } else { Reply::see_other(format!("/app/-/account?done={what}")) }
}
