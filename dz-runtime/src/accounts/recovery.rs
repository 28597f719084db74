//! Mailed links that confirm an address or set a new password. Each link is single-use and expires; only the hash of its token is stored.

use chrono::{DateTime, TimeDelta, Utc};
use subtle::ConstantTimeEq;

use super::{
    NewAccount, PasswordHash, find_field, insert, normalize_address,
    session::{generate_token, hash_token},
};
use crate::{
    Result, Tx, Value,
    db::{BindKind, Conn, Statement},
    def::AppDef,
    record::FieldValues,
    rows::account::{end_sessions, revoke_tokens},
};

/// The lifetime of a link that sets a new password.
const RESET_LIFETIME: TimeDelta = TimeDelta::hours(1);
/// The lifetime of a link that confirms an address.
const CONFIRM_LIFETIME: TimeDelta = TimeDelta::days(3);

/// The result of a link that confirms an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Confirmation {
    /// The address is confirmed, and the account is active.
    Confirmed,
    /// The address is confirmed by another browser than the one that registered it. The password can be that of another person and is
    /// removed; the token sets a new one for the owner of the mailbox.
    PasswordRemoved(String),
    /// The link is unknown, expired or used.
    Invalid,
}

/// Creates a reset token for the account with this address, if it is active or unconfirmed; returns the address as it is stored, and the
/// token. A new token replaces the previous one.
pub(crate) fn start_reset(conn: &mut Conn, app: &'static AppDef, email: &str, now: DateTime<Utc>) -> Result<Option<(String, String)>> {
    let account = app.account();
    let token = generate_token()?;
    let mut update = Statement::new();
    update.push("UPDATE ").ident(account.table).push(" SET ").ident("password_reset_token").push(" = ");
    update.bind(hash_token(&token), BindKind::Text).push(", ").ident("password_reset_expires").push(" = ");
    update.bind(Value::DateTime(now + RESET_LIFETIME), BindKind::DateTime).push(" WHERE ").ident("email").push(" = ");
    update.bind(Value::Text(normalize_address(email).replace('\0', "\u{fffd}")), BindKind::Text);
    update.push(" AND ").append(can_sign_in_condition()).push(" RETURNING ").ident("email");
    Ok(match conn.rows(&update, &[BindKind::Text])?.into_iter().flatten().next() {
        Some(Value::Text(email)) => Some((email, token)),
        _ => None,
    })
}

/// Matches accounts that are active or unconfirmed, and no disabled ones.
fn can_sign_in_condition() -> Statement {
    let mut open = Statement::new();
    open.push("(").ident("is_active").push(" = ").bind(Value::Bool(true), BindKind::Bool);
    open.push(" OR ").ident("email_verify_token").push(" IS NOT NULL)");
    open
}

fn append_reset_condition(statement: &mut Statement, token: &str, now: DateTime<Utc>) {
    statement.push(" WHERE ").ident("password_reset_token").push(" = ").bind(hash_token(token), BindKind::Text);
    statement.push(" AND ").ident("password_reset_expires").push(" > ").bind(Value::DateTime(now), BindKind::DateTime);
    statement.push(" AND ").append(can_sign_in_condition());
}

/// Returns the address of the account whose password a token can set.
pub(crate) fn find_reset_address(conn: &mut Conn, app: &'static AppDef, token: &str, now: DateTime<Utc>) -> Result<Option<String>> {
    let mut select = Statement::new();
    select.push("SELECT ").ident("email").push(" FROM ").ident(app.account().table);
    append_reset_condition(&mut select, token, now);
    Ok(match conn.rows(&select, &[BindKind::Text])?.into_iter().flatten().next() {
        Some(Value::Text(email)) => Some(email),
        _ => None,
    })
}

/// Sets a new password by a token, which cannot be used again. All sessions and API tokens of the account end. The link proves access to
/// the mailbox, so the address is confirmed. Returns whether the token was valid.
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
    // One statement, so that only one of two concurrent requests finds the token.
    append_reset_condition(&mut update, token, now);
    update.push(" RETURNING ").ident(account.key().name);
    let Some(id) = conn.rows(&update, &[BindKind::from_account_key(app)?])?.into_iter().flatten().next() else { return Ok(false) };
    end_sessions(conn, app, &id, None)?;
    revoke_tokens(conn, app, &id)?;
    Ok(true)
}

/// Creates a token that confirms the address of an account; `None` if the account is disabled or has another address now. The token
/// contains its own expiry, which its hash protects.
pub(crate) fn start_verify(conn: &mut Conn, app: &'static AppDef, id: &Value, email: &str, now: DateTime<Utc>) -> Result<Option<String>> {
    let account = app.account();
    let token = create_confirmation_token(now)?;
    let mut update = Statement::new();
    update.push("UPDATE ").ident(account.table).push(" SET ").ident("email_verify_token").push(" = ");
    update.bind(hash_token(&token), BindKind::Text).push(" WHERE ").ident(account.key().name).push(" = ");
    update.bind(id.clone(), BindKind::from_account_key(app)?);
    update.push(" AND ").ident("email").push(" = ").bind(Value::Text(email.to_owned()), BindKind::Text);
    update.push(" AND ").ident("is_active").push(" = ").bind(Value::Bool(true), BindKind::Bool);
    Ok((conn.execute(&update)? > 0).then_some(token))
}

fn create_confirmation_token(now: DateTime<Utc>) -> Result<String> {
    Ok(format!("{}.{}", generate_token()?, (now + CONFIRM_LIFETIME).timestamp()))
}

/// The value that the registering browser stores. Together with the mailed token it proves that registration and confirmation are of the
/// same user.
pub(crate) fn derive_registrant(token: &str) -> String {
    match hash_token(&format!("registered with {token}")) {
        Value::Text(text) => text,
        _ => String::new(),
    }
}

/// Confirms an address by a token, which cannot be used again, and activates an unconfirmed account. `kept` is the cookie of the
/// registering browser; without it the password of the registration is removed.
pub(crate) fn confirm(conn: &mut Conn, app: &'static AppDef, token: &str, kept: Option<&str>, now: DateTime<Utc>) -> Result<Confirmation> {
    let until = token.rsplit_once('.').and_then(|(_, until)| until.parse::<i64>().ok());
    if until.is_none_or(|until| until <= now.timestamp()) {
        return Ok(Confirmation::Invalid);
    }
    let mut update = Statement::new();
    update.push("UPDATE ").ident(app.account().table).push(" SET ").ident("email_verify_token").push(" = NULL");
    for name in ["email_verified", "is_active"] {
        update.push(", ").ident(name).push(" = ").bind(Value::Bool(true), BindKind::Bool);
    }
    let is_registrant: bool = kept.is_some_and(|kept| kept.as_bytes().ct_eq(derive_registrant(token).as_bytes()).into());
    let reset = generate_token()?;
    if !is_registrant {
        // An active account keeps its password; only its address is new.
        let unless_open = |column: &str, update: &mut Statement, value: Value, kind: BindKind| {
            update.push(", ").ident(column).push(" = CASE WHEN ").ident("is_active").push(" = ").bind(Value::Bool(true), BindKind::Bool);
            update.push(" THEN ").ident(column).push(" ELSE ").bind(value, kind).push(" END");
        };
        unless_open("password_hash", &mut update, Value::Null, BindKind::Text);
        unless_open("password_reset_token", &mut update, hash_token(&reset), BindKind::Text);
        unless_open("password_reset_expires", &mut update, Value::DateTime(now + RESET_LIFETIME), BindKind::DateTime);
    }
    update.push(", dz_version = dz_version + 1 WHERE ").ident("email_verify_token").push(" = ").bind(hash_token(token), BindKind::Text);
    update.push(" RETURNING ").ident("password_reset_token");
    Ok(match conn.rows(&update, &[BindKind::Text])?.into_iter().flatten().next() {
        None => Confirmation::Invalid,
        Some(token) if token == hash_token(&reset) => Confirmation::PasswordRemoved(reset),
        Some(_) => Confirmation::Confirmed,
    })
}

/// Creates an unconfirmed account with `further` fields and without roles; returns the confirmation token. The unit of work must act as
/// the system.
///
/// # Errors
/// 409 if another account has the address; errors of hooks and rows.
pub(crate) fn register(tx: &mut Tx<'_>, new: &NewAccount<'_>, hash: PasswordHash, further: FieldValues) -> Result<String> {
    let account = tx.app.account();
    let token = create_confirmation_token(tx.caller.now)?;
    let mut given = further;
    given.set(find_field(account, "email")?, normalize_address(new.email));
    given.set_optional(find_field(account, "name")?, new.name);
    given.set(find_field(account, "is_active")?, Value::Bool(false));
    given.set(find_field(account, "password_hash")?, hash.0);
    given.set(find_field(account, "email_verify_token")?, hash_token(&token));
    insert(tx, given, None)?;
    Ok(token)
}
