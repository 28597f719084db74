//! API tokens: rows of `dz_tokens`, found by the hash of a token that only the client stores.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::{
    find_role,
    session::{Session, Tokens, find_bearer, generate_token, hash_token},
};
use crate::{
    Result, TokenScope, Value,
    config::Settings,
    db::{BindKind, Conn, Statement},
    def::AppDef,
    tenancy,
};

/// The prefix of all tokens, by which users and secret scanners recognise them.
const PREFIX: &str = "dz_";

const TOKENS: Tokens = Tokens { table: "dz_tokens", extra_columns: &["scope", "roles"] };

/// The values of a new token.
#[derive(Debug, Clone)]
pub struct NewToken<'a> {
    /// Whether the token can write.
    pub scope: TokenScope,
    /// The token is invalid from this time on.
    pub expires_at: DateTime<Utc>,
    /// Restricts the token to some roles of the account; `None` for all its current roles.
    pub roles: Option<Vec<&'a str>>,
    /// The key of the tenant to which the token is bound; without one it cannot reach rows of tenants.
    pub tenant: Option<Value>,
}

impl NewToken<'_> {
    /// A token with the defaults of the configuration: for reading, with all roles of its account.
    pub(crate) fn new(settings: &Settings, now: DateTime<Utc>) -> Self {
        let expires_at = now + TimeDelta::days(settings.token_days.into());
        NewToken { scope: TokenScope::Read, expires_at, roles: None, tenant: None }
    }
}

/// A token, as its owner sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedToken {
    /// Identifies the token; this is not the token itself.
    pub id: Uuid,
    /// Whether the token can write.
    pub scope: TokenScope,
    /// Restricts the token to some roles of the account.
    pub roles: Option<Vec<String>>,
    /// The time of creation.
    pub created_at: DateTime<Utc>,
    /// The latest use, to the hour.
    pub seen_at: DateTime<Utc>,
    /// The token is invalid from this time on.
    pub expires_at: DateTime<Utc>,
}

/// Creates a token for an account; returns its id and the token, which cannot be read again.
///
/// # Errors
/// 422 for an unknown role.
pub fn create(conn: &mut Conn, app: &'static AppDef, account: &Value, new: &NewToken<'_>, now: DateTime<Utc>) -> Result<(Uuid, String)> {
    let (id, token) = (Uuid::now_v7(), format!("{PREFIX}{}", generate_token()?));
    let roles = match &new.roles {
        Some(names) => Value::Text(names.iter().map(|name| find_role(app, name)).collect::<Result<Vec<_>>>()?.join(",")),
        None => Value::Null,
    };
    let scope = if new.scope == TokenScope::Read { "read" } else { "write" };
    let mut insert = Statement::new();
    let tenant = app.tenant().and_then(|tenant| BindKind::from_kind(tenant.key().kind, app));
    insert.push("INSERT INTO dz_tokens (token_hash, id, account, ").push(if tenant.is_some() { "tenant, " } else { "" });
    insert.push("scope, roles, created_at, seen_at, expires_at) VALUES (");
    insert.bind(hash_token(&token), BindKind::Text).push(", ").bind(Value::Uuid(id), BindKind::Uuid);
    insert.push(", ").bind(account.clone(), BindKind::from_account_key(app)?);
    if let Some(kind) = tenant {
        insert.push(", ").bind(new.tenant.clone().unwrap_or_default(), kind);
    }
    insert.push(", ").bind(Value::Text(scope.to_owned()), BindKind::Text);
    insert.push(", ").bind(roles, BindKind::Text);
    for moment in [now, now, new.expires_at] {
        insert.push(", ").bind(Value::DateTime(moment), BindKind::DateTime);
    }
    insert.push(")");
    conn.execute(&insert)?;
    Ok((id, token))
}

/// Lists the valid tokens of an account, the newest first.
///
/// # Errors
/// 503 if the database is unavailable.
pub fn list(conn: &mut Conn, app: &'static AppDef, account: &Value, now: DateTime<Utc>) -> Result<Vec<ListedToken>> {
    let mut select = Statement::new();
    select.push("SELECT id, scope, roles, created_at, seen_at, expires_at FROM dz_tokens WHERE account = ");
    select
        .bind(account.clone(), BindKind::from_account_key(app)?)
        .push(" AND expires_at > ")
        .bind(Value::DateTime(now), BindKind::DateTime);
    select.push(" ORDER BY id DESC");
    let moment = BindKind::DateTime;
    let kinds = [BindKind::Uuid, BindKind::Text, BindKind::Text, moment, moment, moment];
    let rows = conn.rows(&select, &kinds)?.into_iter().filter_map(|row| match <[Value; 6]>::try_from(row) {
        Ok([Value::Uuid(id), scope, roles, Value::DateTime(created_at), Value::DateTime(seen_at), Value::DateTime(expires_at)]) => {
            Some(ListedToken { id, scope: parse_scope(&scope), roles: parse_roles(&roles), created_at, seen_at, expires_at })
        }
        _ => None,
    });
    Ok(rows.collect())
}

/// Revokes a token, of `account` if it is given, and returns whether it existed.
///
/// # Errors
/// 503 if the database is unavailable.
pub fn revoke(conn: &mut Conn, app: &'static AppDef, account: Option<&Value>, id: Uuid) -> Result<bool> {
    let mut delete = Statement::new();
    delete.push("DELETE FROM dz_tokens WHERE id = ").bind(Value::Uuid(id), BindKind::Uuid);
    if let Some(account) = account {
        delete.push(" AND account = ").bind(account.clone(), BindKind::from_account_key(app)?);
    }
    Ok(conn.execute(&delete)? > 0)
}

/// Loads the caller of a token, with at most the roles of the token; `None` if it is unknown, expired or revoked, or the account is not
/// active.
///
/// # Errors
/// 503 if the database is unavailable.
pub fn find_token_holder(conn: &mut Conn, app: &'static AppDef, token: &str, now: DateTime<Utc>) -> Result<Option<Session>> {
    if !token.starts_with(PREFIX) {
        return Ok(None);
    }
    let Some((mut session, besides)) = find_bearer(conn, app, &TOKENS, token, now)? else { return Ok(None) };
    let caller = &mut session.caller;
    caller.token = Some(besides.first().map_or(TokenScope::Read, parse_scope));
    if let Some(names) = besides.get(1).and_then(parse_roles) {
        let kept = app.roles.iter().enumerate().filter(|(_, role)| names.iter().any(|name| name == role.name));
        let kept = kept.fold(0, |mask, (bit, _)| mask | 1 << bit);
        caller.roles &= kept;
        caller.system_roles &= kept;
        caller.tenant_admin = tenancy::is_tenant_admin(app, caller);
        caller.system_admin &= names.iter().any(|name| name == "admin");
    }
    Ok(Some(session))
}

/// Records the use of a token.
pub(crate) fn mark_seen(conn: &mut Conn, token: &str, now: DateTime<Utc>) -> Result<()> {
    let mut update = Statement::new();
    update.push("UPDATE dz_tokens SET seen_at = ").bind(Value::DateTime(now), BindKind::DateTime);
    update.push(" WHERE token_hash = ").bind(hash_token(token), BindKind::Text);
    conn.execute(&update).map(drop)
}

fn parse_scope(value: &Value) -> TokenScope {
    if matches!(value, Value::Text(text) if text == "write") { TokenScope::Write } else { TokenScope::Read }
}

fn parse_roles(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::Text(names) => Some(names.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect()),
        _ => None,
    }
}
