//! Who somebody is at another provider, and which account that is here.

use chrono::{DateTime, Utc};

use super::{field, insert, normal, session::hashed};
use crate::{
    Result, Tx, Value,
    db::{BindKind, Conn, Statement, untenanted},
    def::{AppDef, Kind},
    record::Given,
    rows::account::{end_sessions, revoke_tokens},
};

/// Who somebody is by the word of a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Known {
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
pub(crate) struct Welcome<'a> {
    /// The account with their address becomes theirs.
    pub link: bool,
    /// An account is made for them, without roles.
    pub register: bool,
    /// The provider's name here.
    pub provider: &'a str,
}

/// Which account it is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Found {
    /// This one, as before.
    Known(Value),
    /// This one, which was there and is theirs from now on.
    Linked(Value),
    /// One that was made just now.
    Made(Value),
    /// None, for this reason.
    None(Why),
}

/// Why somebody has no account here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Why {
    /// Nobody knows them, and accounts are made by others.
    Unknown,
    /// The provider says no address, or did not make sure of it.
    Unconfirmed,
    /// The account is closed.
    Closed,
    /// The address has an account, which is not theirs by the provider's word alone.
    Taken,
    /// An account has fields that must be filled in, and the provider does not know what with.
    Incomplete,
}

/// What is there at an address.
struct There {
    id: Value,
    active: bool,
    confirmed: bool,
    waiting: bool,
}

/// Notes that something that is good once was used; false when it was used before.
///
/// # Errors
/// 503 when the database is away.
pub(crate) fn spend(conn: &mut Conn, what: &str, until: DateTime<Utc>) -> Result<bool> {
    let mut insert = Statement::new();
    insert.push("INSERT INTO dz_spent (hash, expires_at) VALUES (").bind(hashed(what), BindKind::Text).push(", ");
    insert.bind(Value::DateTime(until), BindKind::DateTime).push(") ON CONFLICT DO NOTHING");
    Ok(conn.execute(&insert)? > 0)
}

/// The account of somebody whom a provider knows. The unit of work is the system's.
///
/// # Errors
/// 409 when somebody else makes the same account at this moment; what hooks and rows refuse of a new one.
pub(crate) fn admit(tx: &mut Tx<'_>, who: &Known, welcome: Welcome<'_>) -> Result<Found> {
    if let Some((id, active)) = of_identity(tx.conn, tx.app, who)? {
        return Ok(if active { Found::Known(id) } else { Found::None(Why::Closed) });
    }
    if !welcome.link && !welcome.register {
        return Ok(Found::None(Why::Unknown));
    }
    let Some(email) = who.email.as_deref().filter(|_| who.confirmed) else { return Ok(Found::None(Why::Unconfirmed)) };
    match at_address(tx.conn, tx.app, email)? {
        Some(there) => taken(tx, who, welcome, there),
        None if welcome.register => {
            let id = make(tx, who, email, welcome.provider)?;
            note(tx, who, &id)?;
            Ok(Found::Made(id))
        }
        None => Ok(Found::None(Why::Unknown)),
    }
}

/// What becomes of an account that has the address already.
fn taken(tx: &mut Tx<'_>, who: &Known, welcome: Welcome<'_>, there: There) -> Result<Found> {
    if !welcome.link {
        return Ok(Found::None(Why::Taken));
    }
    match there {
        // Somebody registered the address and did not show that it is theirs: whoever it was has no part in the account.
        There { active: false, waiting: true, .. } => open(tx, &there.id)?,
        There { active: false, .. } => return Ok(Found::None(Why::Closed)),
        // Its owner may have written any address there.
        There { confirmed: false, .. } => return Ok(Found::None(Why::Taken)),
        There { .. } => {}
    }
    note(tx, who, &there.id)?;
    Ok(Found::Linked(there.id))
}

fn of_identity(conn: &mut Conn, app: &'static AppDef, who: &Known) -> Result<Option<(Value, bool)>> {
    let account = app.account();
    let mut select = Statement::new();
    select.push("SELECT i.account, a.").ident("is_active").push(" FROM dz_identities AS i JOIN ").append(untenanted(account));
    select.push(" AS a ON a.").ident(account.key().name).push(" = i.account WHERE i.issuer = ");
    select.bind(Value::Text(who.issuer.clone()), BindKind::Text).push(" AND i.subject = ");
    select.bind(Value::Text(who.subject.clone()), BindKind::Text);
    let found = conn.rows(&select, &[BindKind::of_account_key(app)?, BindKind::Bool])?.into_iter().next();
    Ok(found.and_then(|row| <[Value; 2]>::try_from(row).ok()).map(|[id, active]| (id, active == Value::Bool(true))))
}

fn at_address(conn: &mut Conn, app: &'static AppDef, email: &str) -> Result<Option<There>> {
    let account = app.account();
    let mut select = Statement::new();
    select.push("SELECT ").ident(account.key().name).push(", ").ident("is_active").push(", ").ident("email_verified").push(", ");
    select.ident("email_verify_token").push(" FROM ").append(untenanted(account)).push(" AS a WHERE ").ident("email").push(" = ");
    select.bind(Value::Text(normal(email)), BindKind::Text);
    let kinds = [BindKind::of_account_key(app)?, BindKind::Bool, BindKind::Bool, BindKind::Text];
    let found = conn.rows(&select, &kinds)?.into_iter().next();
    Ok(found.and_then(|row| <[Value; 4]>::try_from(row).ok()).map(|[id, active, confirmed, waiting]| There {
        id,
        active: active == Value::Bool(true),
        confirmed: confirmed == Value::Bool(true),
        waiting: !waiting.is_null(),
    }))
}

/// Opens an account that waited for its address to be confirmed, and takes away whatever was to sign in to it.
fn open(tx: &mut Tx<'_>, id: &Value) -> Result<()> {
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
fn make(tx: &mut Tx<'_>, who: &Known, email: &str, provider: &str) -> Result<Value> {
    let account = tx.app.account();
    let mut given = Given::default();
    given.set(field(account, "email")?, normal(email));
    given.set(field(account, "email_verified")?, Value::Bool(true));
    let name: String = who.name.as_deref().unwrap_or_default().chars().filter(|c| !c.is_control()).take(100).collect();
    let name = match name.trim() {
        // Something must be there, and people can change it.
        "" if account.find("name").is_some_and(|(_, field)| field.required) => email.split('@').next(),
        name => Some(name).filter(|name| !name.is_empty()),
    };
    given.maybe(field(account, "name")?, name);
    if let Some((at, known)) = account.find("auth_provider")
        && let Kind::Enum(of) = known.kind
        && of.values.iter().any(|value| value.name == provider)
    {
        given.set(at, Value::Text(provider.to_owned()));
        given.set(field(account, "auth_provider_id")?, Value::Text(who.subject.clone()));
    }
    insert(tx, given, None)
}

fn note(tx: &mut Tx<'_>, who: &Known, id: &Value) -> Result<()> {
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
