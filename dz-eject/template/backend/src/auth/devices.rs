//! The sessions and the API tokens of an account: their lists, and how they end.

use diesel::{ExpressionMethods, OptionalExtension, QueryDsl, RunQueryDsl};
use rocket::{State, get, post};
use serde_json::{Value, json};

use super::{
    sessions::{dz_sessions, hash},
    tokens::dz_tokens,
};
use crate::{
    caller::{account_key, accounts},
    db::Connection,
    problem::{Problem, Result},
    reply::{Answer, Reply},
    request::{Body, Call, Members},
    serve::Server,
    types::{Id, Timestamp},
    values::stored_email,
};

/// The sessions of the caller, the one that was used last first.
#[get("/auth/sessions")]
pub async fn list_sessions(server: &State<Server>, call: Call) -> Answer {
    server
        .read(call, |connection, caller, call| {
            call.check_no_token()?;
            let account = caller.signed_in()?.id;
            call.check_parameters(&[])?;
            let rows = dz_sessions::table.filter(dz_sessions::account.eq(account)).filter(dz_sessions::expires_at.gt(caller.now));
            let columns = (dz_sessions::id, dz_sessions::device, dz_sessions::created_at, dz_sessions::seen_at, dz_sessions::token_hash);
            let rows = rows.order((dz_sessions::seen_at.desc(), dz_sessions::id.desc())).select(columns);
            let found: Vec<(Id, String, Timestamp, Timestamp, String)> = rows.load(connection)?;
            let own = call.session.as_deref().map(hash);
            let item = |(id, device, created_at, seen_at, token): (Id, String, Timestamp, Timestamp, String)| {
                let current = own.as_ref() == Some(&token);
                json!({ "id": id, "device": device, "created_at": created_at, "seen_at": seen_at, "current": current })
            };
            Ok(Reply::json(200, json!({ "items": found.into_iter().map(item).collect::<Vec<Value>>() })))
        })
        .await
}

/// Ends the given session, or all other sessions of the caller. Administrators end all sessions of an address.
#[post("/auth/sessions/end", data = "<body>")]
pub async fn end_sessions(server: &State<Server>, call: Call, body: Body) -> Answer {
    server
        .write(call, move |connection, caller, call| {
            call.check_no_token()?;
            let account = caller.signed_in()?.id;
            let members = if body.is_form || !body.is_present() { Members::new() } else { body.object()? };
            let names = |name: &str| members.contains_key(name) || body.form_value(name).is_some();
            if names("email") {
                let [email] = body.texts(["email"])?;
                caller.check_system_admin()?;
                let owner = find_account(connection, &email)?.ok_or_else(Problem::not_found)?;
                diesel::delete(dz_sessions::table.filter(dz_sessions::account.eq(owner))).execute(connection)?;
                return Ok(Reply::empty());
            }
            caller.check_recent_sign_in("Ending other sessions")?;
            let rows = dz_sessions::table.filter(dz_sessions::account.eq(account));
            if names("id") {
                let [id] = body.texts(["id"])?;
                let id = Id::parse(&id).ok_or_else(Problem::not_found)?;
                let ended = diesel::delete(rows.filter(dz_sessions::id.eq(id))).execute(connection)?;
                return if ended > 0 { Ok(Reply::empty()) } else { Err(Problem::not_found()) };
            }
            let own = call.session.as_deref().map(hash).unwrap_or_default();
            diesel::delete(rows.filter(dz_sessions::token_hash.ne(own))).execute(connection)?;
            Ok(Reply::empty())
        })
        .await
}

/// The API tokens of the caller, the newest first.
#[get("/auth/tokens")]
pub async fn list_tokens(server: &State<Server>, call: Call) -> Answer {
    server
        .read(call, |connection, caller, call| {
            call.check_no_token()?;
            let account = caller.signed_in()?.id;
            call.check_parameters(&[])?;
            let rows = dz_tokens::table.filter(dz_tokens::account.eq(account)).filter(dz_tokens::expires_at.gt(caller.now));
            let times = (dz_tokens::created_at, dz_tokens::seen_at, dz_tokens::expires_at);
            let rows = rows.order(dz_tokens::id.desc()).select((dz_tokens::id, dz_tokens::scope, dz_tokens::roles, times));
            let found: Vec<(Id, String, Option<String>, (Timestamp, Timestamp, Timestamp))> = rows.load(connection)?;
            let item = |(id, scope, roles, (created_at, seen_at, expires_at)): (Id, String, Option<String>, _)| {
                let roles = roles.map(|names| names.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect::<Vec<_>>());
                let (created_at, seen_at, expires_at): (Timestamp, Timestamp, Timestamp) = (created_at, seen_at, expires_at);
                json!({
                    "id": id, "scope": scope, "roles": roles, "created_at": created_at, "seen_at": seen_at, "expires_at": expires_at,
                })
            };
            Ok(Reply::json(200, json!({ "items": found.into_iter().map(item).collect::<Vec<Value>>() })))
        })
        .await
}

/// Revokes an API token of the caller.
#[post("/auth/tokens/end", data = "<body>")]
pub async fn end_token(server: &State<Server>, call: Call, body: Body) -> Answer {
    server
        .write(call, move |connection, caller, call| {
            call.check_no_token()?;
            let account = caller.signed_in()?.id;
            let [id] = body.texts(["id"])?;
            let id = Id::parse(&id).ok_or_else(Problem::not_found)?;
            let rows = dz_tokens::table.filter(dz_tokens::account.eq(account)).filter(dz_tokens::id.eq(id));
            let ended = diesel::delete(rows).execute(connection)?;
            if ended > 0 { Ok(Reply::empty()) } else { Err(Problem::not_found()) }
        })
        .await
}

/// The account with an address, also a disabled one.
pub fn find_account(connection: &mut Connection, email: &str) -> Result<Option<Id>> {
    let rows = accounts::table.filter(accounts::email.eq(stored_email(email)));
    Ok(rows.select(account_key).first(connection).optional()?)
}
