//! Who somebody is at another provider, and which account that is here.

use chrono::{DateTime, Utc};

use super::{find_field, insert, normalize_address, session::hash_token};
use crate::{
    Result, Tx, Value,
    db::{BindKind, Conn, Statement, untenanted},
    def::{AppDef, Kind},
    record::Given,
    rows::account::{end_sessions, revoke_tokens},
};

/// Who somebody is by the word of a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProviderIdentity {
    /// The provider: with the subject it names one person, for good.
    pub issuer: String,
    pub subject: String,
    pub email: Option<String>,
    /// The provider has made sure that the address is theirs.
    pub confirmed: bool,
    pub name: Option<String>,
}

/// What is done for people whom nobody knows here yet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RegistrationPolicy<'a> {
    /// The account with their address becomes theirs.
    pub link: bool,
    /// An account is made for them, without roles.
    pub register: bool,
    /// The provider's name here.
    pub provider: &'a str,
}

/// Which account it is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ResolvedAccount {
    /// This one, as before.
    Known(Value),
    /// This one, which was there and is theirs from now on.
    Linked(Value),
    /// One that was made just now.
    Created(Value),
    /// None, for this reason.
    None(NoAccountReason),
}

/// Why somebody has no account here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoAccountReason {
    /// Nobody knows them, and accounts are made by others.
    Unknown,
    /// The provider says no address, or did not make sure of it.
    Unconfirmed,
    /// The account is closed.
    Disabled,
    /// The address has an account, which is not theirs by the provider's word alone.
    AddressTaken,
    /// An account has fields that must be filled in, and the provider does not know what with.
    Incomplete,
}

/// What is there at an address.
struct ExistingAccount {
    id: Value,
    active: bool,
    confirmed: bool,
    waiting: bool,
}

/// Notes that something that is good once was used; false when it was used before.
///
/// # Errors
/// 503 when the database is away.
pub(crate) fn mark_used(conn: &mut Conn, what: &str, until: DateTime<Utc>) -> Result<bool> {
    let mut insert = Statement::new();
    insert.push("INSERT INTO dz_spent (hash, expires_at) VALUES (").bind(hash_token(what), BindKind::Text).push(", ");
    insert.bind(Value::DateTime(until), BindKind::DateTime).push(") ON CONFLICT DO NOTHING");
    Ok(conn.execute(&insert)? > 0)
}

/// The account of somebody whom a provider knows. The unit of work is the system's.
///
/// # Errors
/// 409 when somebody else makes the same account at this moment; what hooks and rows refuse of a new one.
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

/// What becomes of an account that has the address already.
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
        // Somebody registered the address and did not show that it is theirs: whoever it was has no part in the account.
        ExistingAccount { active: false, waiting: true, .. } => activate(tx, &there.id)?,
        ExistingAccount { active: false, .. } => return Ok(ResolvedAccount::None(NoAccountReason::Disabled)),
        // Its owner may have written any address there.
        ExistingAccount { confirmed: false, .. } => return Ok(ResolvedAccount::None(NoAccountReason::AddressTaken)),
        ExistingAccount { .. } => {}
    }
    link(tx, who, &there.id)?;
    Ok(ResolvedAccount::Linked(there.id))
}

fn find_by_identity(conn: &mut Conn, app: &'static AppDef, who: &ProviderIdentity) -> Result<Option<(Value, bool)>> {
    let account = app.account();
    let mut select = Statement::new();
    select.push("SELECT i.account, a.").ident("is_active").push(" FROM dz_identities AS i JOIN ").append(untenanted(account));
    select.push(" AS a ON a.").ident(account.key().name).push(" = i.account WHERE i.issuer = ");
    select.bind(Value::Text(who.issuer.clone()), BindKind::Text).push(" AND i.subject = ");
    select.bind(Value::Text(who.subject.clone()), BindKind::Text);
    let found = conn.rows(&select, &[BindKind::of_account_key(app)?, BindKind::Bool])?.into_iter().next();
    Ok(found.and_then(|row| <[Value; 2]>::try_from(row).ok()).map(|[id, active]| (id, active == Value::Bool(true))))
}

fn find_by_address(conn: &mut Conn, app: &'static AppDef, email: &str) -> Result<Option<ExistingAccount>> {
    let account = app.account();
    let mut select = Statement::new();
    select.push("SELECT ").ident(account.key().name).push(", ").ident("is_active").push(", ").ident("email_verified").push(", ");
    select.ident("email_verify_token").push(" FROM ").append(untenanted(account)).push(" AS a WHERE ").ident("email").push(" = ");
    select.bind(Value::Text(normalize_address(email)), BindKind::Text);
    let kinds = [BindKind::of_account_key(app)?, BindKind::Bool, BindKind::Bool, BindKind::Text];
    let found = conn.rows(&select, &kinds)?.into_iter().next();
    Ok(found.and_then(|row| <[Value; 4]>::try_from(row).ok()).map(|[id, active, confirmed, waiting]| ExistingAccount {
        id,
        active: active == Value::Bool(true),
        confirmed: confirmed == Value::Bool(true),
        waiting: !waiting.is_null(),
    }))
}

/// Opens an account that waited for its address to be confirmed, and takes away whatever was to sign in to it.
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
        .bind(id.clone(), BindKind::of_account_key(tx.app)?);
    tx.conn.execute(&update)?;
    end_sessions(tx.conn, tx.app, id, None)?;
    revoke_tokens(tx.conn, tx.app, id)
}

/// An account without a password and without roles.
fn create_account(tx: &mut Tx<'_>, who: &ProviderIdentity, email: &str, provider: &str) -> Result<Value> {
    let account = tx.app.account();
    let mut given = Given::default();
    given.set(find_field(account, "email")?, normalize_address(email));
    given.set(find_field(account, "email_verified")?, Value::Bool(true));
    let name: String = who.name.as_deref().unwrap_or_default().chars().filter(|c| !c.is_control()).take(100).collect();
    let name = match name.trim() {
        // Something must be there, and people can change it.
        "" if account.find("name").is_some_and(|(_, field)| field.required) => email.split('@').next(),
        name => Some(name).filter(|name| !name.is_empty()),
    };
    given.maybe(find_field(account, "name")?, name);
    if let Some((at, known)) = account.find("auth_provider")
        && let Kind::Enum(of) = known.kind
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
        .bind(id.clone(), BindKind::of_account_key(tx.app)?)
        .push(", ")
        .bind(Value::DateTime(tx.caller.now), BindKind::DateTime)
        .push(")");
    tx.conn.execute(&insert).map(drop)
}
