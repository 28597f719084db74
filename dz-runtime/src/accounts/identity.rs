//! External identities, and the accounts that they belong to.

use chrono::{DateTime, Utc};

use super::{find_field, insert, normalize_address, session::hash_token};
use crate::{
    Result, Tx, Value,
    db::{BindKind, Conn, Statement, rows_without_tenant},
    def::AppDef,
    record::FieldValues,
    rows::account::{end_sessions, revoke_tokens},
};

/// A user as an external provider identifies them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProviderIdentity {
    /// The issuer and the subject together identify one user permanently.
    pub issuer: String,
    pub subject: String,
    pub email: Option<String>,
    /// The provider has verified the address.
    pub confirmed: bool,
    pub name: Option<String>,
}

/// How an identity without an account can get one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RegistrationPolicy<'a> {
    /// Link the account with the same address.
    pub link: bool,
    /// Create an account without roles.
    pub register: bool,
    /// The name of the provider in the configuration.
    pub provider: &'a str,
}

/// The result of the search for the account of an identity.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ResolvedAccount {
    /// An account that was linked before.
    Known(Value),
    /// An existing account that was linked now.
    Linked(Value),
    /// A new account.
    Created(Value),
    /// No account, with the reason.
    None(NoAccountReason),
}

/// Why an identity has no account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoAccountReason {
    /// The identity is unknown, and registration is off.
    Unknown,
    /// The provider sends no address, or has not verified it.
    Unconfirmed,
    /// The account is disabled.
    Disabled,
    /// Another account has the address, and the identity must not be linked to it.
    AddressTaken,
    /// Accounts have required fields whose values the provider does not send.
    Incomplete,
}

/// The account with an address.
struct ExistingAccount {
    id: Value,
    active: bool,
    confirmed: bool,
    waiting: bool,
}

/// Records that a single-use value was used; returns false if it was used before.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn mark_used(conn: &mut Conn, what: &str, until: DateTime<Utc>) -> Result<bool> {
    let mut insert = Statement::new();
    insert.push("INSERT INTO dz_spent (hash, expires_at) VALUES (").bind(hash_token(what), BindKind::Text).push(", ");
    insert.bind(Value::DateTime(until), BindKind::DateTime).push(") ON CONFLICT DO NOTHING");
    Ok(conn.execute(&insert)? > 0)
}

/// Finds, links or creates the account of an identity. The unit of work must act as the system.
///
/// # Errors
/// 409 if a concurrent request creates the same account; the errors of hooks and rows for a new account.
pub(crate) fn resolve_account(tx: &mut Tx<'_>, who: &ProviderIdentity, welcome: RegistrationPolicy<'_>) -> Result<ResolvedAccount> {
    if let Some((id, active)) = find_by_identity(tx.conn, tx.app, who)? {
        return Ok(if active { ResolvedAccount::Known(id) } else { ResolvedAccount::None(NoAccountReason::Disabled) });
    }
    if !welcome.link && !welcome.register {
        return Ok(ResolvedAccount::None(NoAccountReason::Unknown));
    }
    let Some(email) = who.email.as_deref().filter(|_| who.confirmed) else {
        return Ok(ResolvedAccount::None(NoAccountReason::Unconfirmed));
    };
    match find_by_address(tx.conn, tx.app, email)? {
        Some(there) => resolve_existing(tx, who, welcome, there),
        None if welcome.register => {
            let id = create_account(tx, who, email, welcome.provider)?;
            link(tx, who, &id)?;
            Ok(ResolvedAccount::Created(id))
        }
        None => Ok(ResolvedAccount::None(NoAccountReason::Unknown)),
    }
}

/// Decides whether an existing account with the same address is linked.
fn resolve_existing(
    tx: &mut Tx<'_>,
    who: &ProviderIdentity,
    welcome: RegistrationPolicy<'_>,
    there: ExistingAccount,
) -> Result<ResolvedAccount> {
    if !welcome.link {
        return Ok(ResolvedAccount::None(NoAccountReason::AddressTaken));
    }
    match there {
        // The address was registered but never confirmed, so the account must not keep anything of that registration.
        ExistingAccount { active: false, waiting: true, .. } => activate(tx, &there.id)?,
        ExistingAccount { active: false, .. } => return Ok(ResolvedAccount::None(NoAccountReason::Disabled)),
        // The owner of the account can have entered any address.
        ExistingAccount { confirmed: false, .. } => return Ok(ResolvedAccount::None(NoAccountReason::AddressTaken)),
        ExistingAccount { .. } => {}
    }
    link(tx, who, &there.id)?;
    Ok(ResolvedAccount::Linked(there.id))
}

fn find_by_identity(conn: &mut Conn, app: &'static AppDef, who: &ProviderIdentity) -> Result<Option<(Value, bool)>> {
    let account = app.account();
    let mut select = Statement::new();
    select.push("SELECT i.account, a.").ident("is_active").push(" FROM dz_identities AS i JOIN ").append(rows_without_tenant(account));
    select.push(" AS a ON a.").ident(account.key().name).push(" = i.account WHERE i.issuer = ");
    select.bind(Value::Text(who.issuer.clone()), BindKind::Text).push(" AND i.subject = ");
    select.bind(Value::Text(who.subject.clone()), BindKind::Text);
    let found = conn.rows(&select, &[BindKind::from_account_key(app)?, BindKind::Bool])?.into_iter().next();
    Ok(found.and_then(|row| <[Value; 2]>::try_from(row).ok()).map(|[id, active]| (id, active == Value::Bool(true))))
}

fn find_by_address(conn: &mut Conn, app: &'static AppDef, email: &str) -> Result<Option<ExistingAccount>> {
    let account = app.account();
    let mut select = Statement::new();
    select.push("SELECT ").ident(account.key().name).push(", ").ident("is_active").push(", ").ident("email_verified").push(", ");
    select.ident("email_verify_token").push(" FROM ").append(rows_without_tenant(account)).push(" AS a WHERE ").ident("email").push(" = ");
    select.bind(Value::Text(normalize_address(email)), BindKind::Text);
    let kinds = [BindKind::from_account_key(app)?, BindKind::Bool, BindKind::Bool, BindKind::Text];
    let found = conn.rows(&select, &kinds)?.into_iter().next();
    Ok(found.and_then(|row| <[Value; 4]>::try_from(row).ok()).map(|[id, active, confirmed, waiting]| ExistingAccount {
        id,
        active: active == Value::Bool(true),
        confirmed: confirmed == Value::Bool(true),
        waiting: !waiting.is_null(),
    }))
}

/// Activates an account whose address was not confirmed, and removes its credentials.
fn activate(tx: &mut Tx<'_>, id: &Value) -> Result<()> {
    let account = tx.app.account();
    let mut update = Statement::new();
    update.push("UPDATE ").ident(account.table).push(" SET ");
    for name in ["email_verified", "is_active"] {
        update.ident(name).push(" = ").bind(Value::Bool(true), BindKind::Bool).push(", ");
    }
    for name in ["password_hash", "password_reset_token", "password_reset_expires", "email_verify_token"] {
        update.ident(name).push(" = NULL, ");
    }
    update
        .push("dz_version = dz_version + 1 WHERE ")
        .ident(account.key().name)
        .push(" = ")
        .bind(id.clone(), BindKind::from_account_key(tx.app)?);
    tx.conn.execute(&update)?;
    end_sessions(tx.conn, tx.app, id, None)?;
    revoke_tokens(tx.conn, tx.app, id)
}

/// Creates an account without a password and without roles.
fn create_account(tx: &mut Tx<'_>, who: &ProviderIdentity, email: &str, provider: &str) -> Result<Value> {
    let account = tx.app.account();
    let mut given = FieldValues::default();
    given.set(find_field(account, "email")?, normalize_address(email));
    given.set(find_field(account, "email_verified")?, Value::Bool(true));
    let name: String = who.name.as_deref().unwrap_or_default().chars().filter(|c| !c.is_control()).take(100).collect();
    let name = match name.trim() {
        // The name is required, and the user can change it later.
        "" if account.find("name").is_some_and(|(_, field)| field.required) => email.split('@').next(),
        name => Some(name).filter(|name| !name.is_empty()),
    };
    given.set_optional(find_field(account, "name")?, name);
    if let Some((at, known)) = account.find("auth_provider")
        && let Some(of) = known.kind.enumeration()
        && of.values.iter().any(|value| value.name == provider)
    {
        given.set(at, Value::Text(provider.to_owned()));
        given.set(find_field(account, "auth_provider_id")?, Value::Text(who.subject.clone()));
    }
    insert(tx, given, None)
}

fn link(tx: &mut Tx<'_>, who: &ProviderIdentity, id: &Value) -> Result<()> {
    let mut insert = Statement::new();
    insert.push("INSERT INTO dz_identities (issuer, subject, account, created_at) VALUES (");
    insert.bind(Value::Text(who.issuer.clone()), BindKind::Text).push(", ").bind(Value::Text(who.subject.clone()), BindKind::Text);
    insert
        .push(", ")
        .bind(id.clone(), BindKind::from_account_key(tx.app)?)
        .push(", ")
        .bind(Value::DateTime(tx.caller.now), BindKind::DateTime)
        .push(")");
    tx.conn.execute(&insert).map(drop)
}
