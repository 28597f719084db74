//! Links that are mailed: to confirm an address, and to set a new password. Each is good once and for a while, and only
//! the hash of what it says is kept.

use chrono::{DateTime, TimeDelta, Utc};
use subtle::ConstantTimeEq;

use super::{
    NewAccount, PasswordHash, field, insert, normal,
    session::{hashed, secret},
};
use crate::{
    Result, Tx, Value,
    db::{BindKind, Conn, Statement},
    def::AppDef,
    record::Given,
    rows::account::{end_sessions, revoke_tokens},
};

/// A link to set a new password is good for this long,
const RESET: TimeDelta = TimeDelta::hours(1);
/// and one to confirm an address for this long.
const CONFIRM: TimeDelta = TimeDelta::days(3);

/// What became of a link that confirms an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Confirmed {
    /// The address is confirmed, and the account is open.
    Yes,
    /// As well; but somewhere else than where it was registered, so that the password may be a stranger's and is gone. The
    /// token sets a new one: whoever follows the link has the mailbox.
    Password(String),
    /// The link is unknown, too old, or was used.
    No,
}

/// Begins to set a new password for the account with this address, if it is open or waits to be confirmed; gives the
/// address as it is stored, and the token. A second one takes the place of the first.
pub(crate) fn start_reset(conn: &mut Conn, app: &'static AppDef, email: &str, now: DateTime<Utc>) -> Result<Option<(String, String)>> {
    let account = app.account();
    let token = secret()?;
    let mut update = Statement::new();
    update.push("UPDATE ").ident(account.table).push(" SET ").ident("password_reset_token").push(" = ");
    update.bind(hashed(&token), BindKind::Text).push(", ").ident("password_reset_expires").push(" = ");
    update.bind(Value::DateTime(now + RESET), BindKind::DateTime).push(" WHERE ").ident("email").push(" = ");
    update.bind(Value::Text(normal(email).replace('\0', "\u{fffd}")), BindKind::Text);
    update.push(" AND ").append(open()).push(" RETURNING ").ident("email");
    Ok(match conn.rows(&update, &[BindKind::Text])?.into_iter().flatten().next() {
        Some(Value::Text(email)) => Some((email, token)),
        _ => None,
    })
}

/// An account that may sign in, or that waits for its address to be confirmed; one that was closed is neither.
fn open() -> Statement {
    let mut open = Statement::new();
    open.push("(").ident("is_active").push(" = ").bind(Value::Bool(true), BindKind::Bool);
    open.push(" OR ").ident("email_verify_token").push(" IS NOT NULL)");
    open
}

fn holds_reset(statement: &mut Statement, token: &str, now: DateTime<Utc>) {
    statement.push(" WHERE ").ident("password_reset_token").push(" = ").bind(hashed(token), BindKind::Text);
    statement.push(" AND ").ident("password_reset_expires").push(" > ").bind(Value::DateTime(now), BindKind::DateTime);
    statement.push(" AND ").append(open());
}

/// The address of the account that a token may set a new password for.
pub(crate) fn owner_of_reset(conn: &mut Conn, app: &'static AppDef, token: &str, now: DateTime<Utc>) -> Result<Option<String>> {
    let mut select = Statement::new();
    select.push("SELECT ").ident("email").push(" FROM ").ident(app.account().table);
    holds_reset(&mut select, token, now);
    Ok(match conn.rows(&select, &[BindKind::Text])?.into_iter().flatten().next() {
        Some(Value::Text(email)) => Some(email),
        _ => None,
    })
}

/// Sets a new password by a token, which is spent. Every session of the account and every API token ends; whoever holds
/// the link has the mailbox, so the address is confirmed as well. Answers whether the token was good.
pub(crate) fn reset(conn: &mut Conn, app: &'static AppDef, token: &str, hash: PasswordHash, now: DateTime<Utc>) -> Result<bool> {
    let account = app.account();
    let mut update = Statement::new();
    update.push("UPDATE ").ident(account.table).push(" SET ").ident("password_hash").push(" = ");
    update.bind(Value::Text(hash.0), BindKind::Text);
    for name in ["email_verified", "is_active"] {
        update.push(", ").ident(name).push(" = ").bind(Value::Bool(true), BindKind::Bool);
    }
    for name in ["password_reset_token", "password_reset_expires", "email_verify_token"] {
        update.push(", ").ident(name).push(" = NULL");
    }
    update.push(", dz_version = dz_version + 1");
    // One statement: of two at once, the second finds no token any more.
    holds_reset(&mut update, token, now);
    update.push(" RETURNING ").ident(account.key().name);
    let Some(id) = conn.rows(&update, &[BindKind::of_account_key(app)?])?.into_iter().flatten().next() else { return Ok(false) };
    end_sessions(conn, app, &id, None)?;
    revoke_tokens(conn, app, &id)?;
    Ok(true)
}

/// Begins to confirm the address of an account; gives the token. It says itself until when it is good, and only whole
/// does it fit the hash.
pub(crate) fn start_verify(conn: &mut Conn, app: &'static AppDef, id: &Value, now: DateTime<Utc>) -> Result<String> {
    let account = app.account();
    let token = confirming(now)?;
    let mut update = Statement::new();
    update.push("UPDATE ").ident(account.table).push(" SET ").ident("email_verify_token").push(" = ");
    update.bind(hashed(&token), BindKind::Text).push(" WHERE ").ident(account.key().name).push(" = ");
    update.bind(id.clone(), BindKind::of_account_key(app)?);
    conn.execute(&update)?;
    Ok(token)
}

fn confirming(now: DateTime<Utc>) -> Result<String> {
    Ok(format!("{}.{}", secret()?, (now + CONFIRM).timestamp()))
}

/// What the browser that registers an account keeps until its address is confirmed: only together with the mailed token
/// does it show that both are one person's.
pub(crate) fn registrant(token: &str) -> String {
    match hashed(&format!("registered with {token}")) {
        Value::Text(text) => text,
        _ => String::new(),
    }
}

/// Confirms an address by a token, which is spent; an account that waited for it is open from now on. `registrant` is what the
/// browser kept that registered it: without it the password that was given then is not believed.
pub(crate) fn confirm(conn: &mut Conn, app: &'static AppDef, token: &str, kept: Option<&str>, now: DateTime<Utc>) -> Result<Confirmed> {
    let until = token.rsplit_once('.').and_then(|(_, until)| until.parse::<i64>().ok());
    if until.is_none_or(|until| until <= now.timestamp()) {
        return Ok(Confirmed::No);
    }
    let mut update = Statement::new();
    update.push("UPDATE ").ident(app.account().table).push(" SET ").ident("email_verify_token").push(" = NULL");
    for name in ["email_verified", "is_active"] {
        update.push(", ").ident(name).push(" = ").bind(Value::Bool(true), BindKind::Bool);
    }
    let is_registrant: bool = kept.is_some_and(|kept| kept.as_bytes().ct_eq(registrant(token).as_bytes()).into());
    let reset = secret()?;
    if !is_registrant {
        // An account that is open already has its owner's password; only the address of it is new.
        let unless_open = |column: &str, update: &mut Statement, value: Value, kind: BindKind| {
            update.push(", ").ident(column).push(" = CASE WHEN ").ident("is_active").push(" = ").bind(Value::Bool(true), BindKind::Bool);
            update.push(" THEN ").ident(column).push(" ELSE ").bind(value, kind).push(" END");
        };
        unless_open("password_hash", &mut update, Value::Null, BindKind::Text);
        unless_open("password_reset_token", &mut update, hashed(&reset), BindKind::Text);
        unless_open("password_reset_expires", &mut update, Value::DateTime(now + RESET), BindKind::DateTime);
    }
    update.push(", dz_version = dz_version + 1 WHERE ").ident("email_verify_token").push(" = ").bind(hashed(token), BindKind::Text);
    update.push(" RETURNING ").ident("password_reset_token");
    Ok(match conn.rows(&update, &[BindKind::Text])?.into_iter().flatten().next() {
        None => Confirmed::No,
        Some(token) if token == hashed(&reset) => Confirmed::Password(reset),
        Some(_) => Confirmed::Yes,
    })
}

/// Makes an account that waits for its address to be confirmed, with `further` fields and without any role; gives the token.
/// The unit of work is the system's.
///
/// # Errors
/// 409 for an address that is taken; what hooks and rows refuse.
pub(crate) fn register(tx: &mut Tx<'_>, new: &NewAccount<'_>, hash: PasswordHash, further: Given) -> Result<String> {
    let account = tx.app.account();
    let token = confirming(tx.caller.now)?;
    let mut given = further;
    given.set(field(account, "email")?, normal(new.email));
    given.maybe(field(account, "name")?, new.name);
    given.set(field(account, "is_active")?, Value::Bool(false));
    given.set(field(account, "password_hash")?, hash.0);
    given.set(field(account, "email_verify_token")?, hashed(&token));
    insert(tx, given, None)?;
    Ok(token)
}
