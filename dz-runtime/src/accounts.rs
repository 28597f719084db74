//! Accounts: passwords, roles and sessions. An account is a row of the account entity.

pub(crate) mod additional_fields;
mod caller_paths;
mod common_passwords;
pub(crate) mod device;
mod hashers;
#[cfg(feature = "oidc")]
mod identity;
pub(crate) mod invitation;
mod members;
pub(crate) mod mfa;
mod password;
pub(crate) mod preferences;
mod recovery;
pub(crate) mod saved_filters;
mod session;
pub(crate) mod throttle;
mod token;

pub(crate) use caller_paths::find_caller_paths;
#[cfg(feature = "oidc")]
pub(crate) use identity::{NoAccountReason, ProviderIdentity, RegistrationPolicy, ResolvedAccount, mark_used, resolve_account};
pub(crate) use members::{add_persona, find_tenant, remove_persona};
pub(crate) use recovery::{Confirmation, confirm, derive_registrant, find_reset_address, register, reset, start_reset, start_verify};
pub use session::{OpenSession, Session, end, find_session, list_sessions, renew, sign_in, sign_out};
pub(crate) use session::{SignedInAccount, end_all, end_others, list_accounts, load_caller_in, start, switch_tenant};
pub(crate) use token::mark_seen;
pub use token::{ListedToken, NewToken, create as create_token, find_token_holder, list as list_tokens, revoke as revoke_token};

use chrono::{DateTime, Utc};

use crate::{
    Engine, Error, Result, Tx, Value, access,
    db::{BindKind, Conn, Statement, rows_without_tenant},
    def::{AppDef, EntityDef, FieldIx},
    record::FieldValues,
    rows,
    rows::account::end_sessions,
};

/// The values of a new account.
#[derive(Debug, Clone, Default)]
pub struct NewAccount<'a> {
    /// The email address, stored in lower case.
    pub email: &'a str,
    /// The display name.
    pub name: Option<&'a str>,
    /// An account without a password cannot sign in with one.
    pub password: Option<&'a str>,
    /// Mask of the roles that are granted system-wide.
    pub roles: u64,
}

/// An account, as the command line shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedAccount {
    /// The key.
    pub id: Value,
    /// The email address.
    pub email: String,
    /// The display name.
    pub name: Option<String>,
    /// Names of the roles that are granted system-wide.
    pub roles: Vec<String>,
    /// False for a disabled account.
    pub active: bool,
}

/// Creates an account with its password and roles, and returns its key. The unit of work must act as the system.
///
/// # Errors
/// 422 for an invalid address, a weak password or a missing required field; 409 if another account has the address.
pub fn create(tx: &mut Tx<'_>, new: &NewAccount<'_>) -> Result<Value> {
    let account = tx.app.account();
    let mut given = FieldValues::default();
    given.set(find_field(account, "email")?, normalize_address(new.email));
    given.set_optional(find_field(account, "name")?, new.name);
    let id = insert(tx, given, new.password)?;
    grant_mask(tx.conn, tx.app, &id, new.roles)?;
    Ok(id)
}

/// Creates an account from field values, for example those of a demo row.
pub(crate) fn insert(tx: &mut Tx<'_>, mut given: FieldValues, password: Option<&str>) -> Result<Value> {
    let account = tx.app.account();
    let email = find_field(account, "email")?;
    if let Some(Value::Text(address)) = given.get(email).cloned() {
        given.set(email, normalize_address(&address));
    }
    let address = match given.get(email) {
        Some(Value::Text(address)) => address.clone(),
        _ => String::new(),
    };
    if let Some(password) = password {
        password::check(password, &address, tx.app)?;
        given.set(find_field(account, "password_hash")?, password::hash(password)?);
    }
    let grant = tx.ask::<access::Create>(account)?;
    let row = rows::create_row(tx, &grant, given)?;
    Ok(row.values.get(usize::from(account.pk)).cloned().unwrap_or_default())
}

/// Returns the key of the account with this address.
///
/// # Errors
/// 503 if the database is unavailable.
pub fn find(conn: &mut Conn, app: &'static AppDef, email: &str) -> Result<Option<Value>> {
    let account = app.account();
    let mut select = Statement::new();
    select.push("SELECT ").ident(account.key().name).push(" FROM ").append(rows_without_tenant(account)).push(" AS a WHERE ");
    select.ident("email").push(" = ").bind(Value::Text(normalize_address(email)), BindKind::Text);
    Ok(conn.rows(&select, &[BindKind::from_account_key(app)?])?.into_iter().flatten().next())
}

/// Sets a new password and ends the sessions of the account, except the one with the token `keep`.
///
/// # Errors
/// 422 if the password is weak; 404 if there is no such account.
pub fn set_password(conn: &mut Conn, app: &'static AppDef, id: &Value, password: &str, keep: Option<&str>) -> Result<()> {
    let email = load_address(conn, app, id)?;
    store_password(conn, app, id, hash_password(app, &email, password)?, keep)
}

/// Hashes a password for the account with this address. Hashing is slow by design, so the caller must not hold a connection.
///
/// # Errors
/// 422 if the password is weak.
pub(crate) fn hash_password(app: &'static AppDef, email: &str, password: &str) -> Result<PasswordHash> {
    password::check(password, email, app)?;
    password::hash(password).map(PasswordHash)
}

/// The stored hash of a password.
#[derive(Clone)]
pub(crate) struct PasswordHash(String);

impl PasswordHash {
    /// The text that is stored.
    pub(crate) fn into_text(self) -> String {
        self.0
    }
}

pub(crate) fn load_address(conn: &mut Conn, app: &'static AppDef, id: &Value) -> Result<String> {
    let account = app.account();
    let mut select = Statement::new();
    select
        .push("SELECT ")
        .ident("email")
        .push(" FROM ")
        .append(rows_without_tenant(account))
        .push(" AS a WHERE ")
        .ident(account.key().name);
    select.push(" = ").bind(id.clone(), BindKind::from_account_key(app)?);
    match conn.rows(&select, &[BindKind::Text])?.into_iter().flatten().next() {
        Some(Value::Text(email)) => Ok(email),
        _ => Err(Error::not_found()),
    }
}

/// Stores a new password and ends the sessions of the account, except the one with the token `keep`.
pub(crate) fn store_password(conn: &mut Conn, app: &'static AppDef, id: &Value, hash: PasswordHash, keep: Option<&str>) -> Result<()> {
    let account = app.account();
    let mut update = Statement::new();
    update.push("UPDATE ").ident(account.table).push(" SET ").ident("password_hash").push(" = ");
    update.bind(Value::Text(hash.0), BindKind::Text).push(", dz_version = dz_version + 1 WHERE ");
    update.ident(account.key().name).push(" = ").bind(id.clone(), BindKind::from_account_key(app)?);
    conn.execute(&update)?;
    end_sessions(conn, app, id, keep.map(session::hash_token))
}

/// Returns the key of the active account with this address and password. Neither the result nor its duration reveals whether the address
/// or the password is wrong.
///
/// # Errors
/// 503 if the database is unavailable.
pub fn verify(conn: &mut Conn, app: &'static AppDef, email: &str, password: &str) -> Result<Option<Value>> {
    Ok(load_credentials(conn, app, email)?.check_password(password).map(|verified| verified.id))
}

/// The stored credentials for an address. They are loaded on a connection, which is returned before the password is compared, because
/// the comparison is slow by design.
pub(crate) struct Credentials {
    id: Value,
    hash: Option<String>,
    active: bool,
}

impl Credentials {
    /// The account, active or disabled; `None` if no account has the address.
    pub fn account(&self) -> Option<Value> {
        (!self.id.is_null()).then(|| self.id.clone())
    }

    /// The account, if it is active and the password is correct.
    pub fn check_password(self, password: &str) -> Option<VerifiedAccount> {
        let fits = password::verify(password, self.hash.as_deref());
        (fits && self.active).then_some(VerifiedAccount { id: self.id, hash: self.hash })
    }

    /// The stored hash, if its work factor is lower than the current one.
    pub fn outdated_hash(&self) -> Option<PasswordHash> {
        self.hash.as_deref().filter(|hash| password::is_outdated(hash)).map(|hash| PasswordHash(hash.to_owned()))
    }
}

/// An account whose owner has shown that they are its owner. Until a session starts, the account can be disabled, and its password
/// replaced.
#[derive(Debug, Clone)]
pub(crate) struct VerifiedAccount {
    /// The key.
    pub id: Value,
    /// The hash of the password that was verified; `None` without a password.
    pub hash: Option<String>,
}

/// True if what was verified is still true: the account is active, and has the same password. On PostgreSQL the account is locked, so that
/// a new password ends a session that starts now.
pub(crate) fn is_still_valid(conn: &mut Conn, app: &'static AppDef, verified: &VerifiedAccount) -> Result<bool> {
    let account = app.account();
    let mut select = Statement::new();
    select.push("SELECT ").ident("password_hash").push(", ").ident("is_active").push(" FROM ");
    select.append(rows_without_tenant(account)).push(" AS a WHERE ");
    select.ident(account.key().name).push(" = ").bind(verified.id.clone(), BindKind::from_account_key(app)?);
    if conn.engine() == Engine::Postgres {
        select.push(" FOR NO KEY UPDATE");
    }
    let Some(row) = conn.rows(&select, &[BindKind::Text, BindKind::Bool])?.into_iter().next() else { return Ok(false) };
    let same = |hash: &String| row.first() == Some(&Value::Text(hash.clone()));
    Ok(row.get(1) == Some(&Value::Bool(true)) && verified.hash.as_ref().is_none_or(same))
}

/// Hashes a password that was accepted before, with the current work factor.
pub(crate) fn hash_accepted_password(password: &str) -> Result<PasswordHash> {
    password::hash(password).map(PasswordHash)
}

/// Replaces `old` by a new hash of the same password, unless the stored hash has changed since. Sessions continue.
pub(crate) fn replace_hash(conn: &mut Conn, app: &'static AppDef, id: &Value, old: &PasswordHash, new: &PasswordHash) -> Result<()> {
    let account = app.account();
    let mut update = Statement::new();
    update.push("UPDATE ").ident(account.table).push(" SET ").ident("password_hash").push(" = ");
    update.bind(Value::Text(new.0.clone()), BindKind::Text).push(" WHERE ").ident(account.key().name).push(" = ");
    update.bind(id.clone(), BindKind::from_account_key(app)?).push(" AND ").ident("password_hash").push(" = ");
    update.bind(Value::Text(old.0.clone()), BindKind::Text);
    conn.execute(&update).map(drop)
}

/// Loads the credentials for an address. An unknown address gets credentials without a hash.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn load_credentials(conn: &mut Conn, app: &'static AppDef, email: &str) -> Result<Credentials> {
    let account = app.account();
    let mut select = Statement::new();
    select.push("SELECT ").ident(account.key().name).push(", ").ident("password_hash").push(", ").ident("is_active");
    select.push(" FROM ").append(rows_without_tenant(account)).push(" AS a WHERE ").ident("email").push(" = ");
    // A stored address contains no NUL, and PostgreSQL rejects a text with one.
    select.bind(Value::Text(normalize_address(email).replace('\0', "\u{fffd}")), BindKind::Text);
    let found = conn.rows(&select, &[BindKind::from_account_key(app)?, BindKind::Text, BindKind::Bool])?.into_iter().next();
    let mut found = found.unwrap_or_default().into_iter();
    let (id, hash, active) = (found.next().unwrap_or_default(), found.next().unwrap_or_default(), found.next());
    let hash = match hash {
        Value::Text(hash) => Some(hash),
        _ => None,
    };
    Ok(Credentials { id, hash, active: active == Some(Value::Bool(true)) })
}

/// True if the account has a password.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn has_password(conn: &mut Conn, app: &'static AppDef, id: &Value) -> Result<bool> {
    let account = app.account();
    let mut select = Statement::new();
    select.push("SELECT ").ident(account.key().name).push(" FROM ").append(rows_without_tenant(account)).push(" AS a WHERE ");
    select
        .ident("password_hash")
        .push(" IS NOT NULL AND ")
        .ident(account.key().name)
        .push(" = ")
        .bind(id.clone(), BindKind::from_account_key(app)?);
    Ok(!conn.rows(&select, &[BindKind::from_account_key(app)?])?.is_empty())
}

/// Stores the time of the latest sign-in.
pub(crate) fn note_sign_in(conn: &mut Conn, app: &'static AppDef, id: &Value, now: DateTime<Utc>) -> Result<()> {
    let account = app.account();
    let mut update = Statement::new();
    update.push("UPDATE ").ident(account.table).push(" SET ").ident("last_login").push(" = ");
    update.bind(Value::DateTime(now), BindKind::DateTime).push(" WHERE ").ident(account.key().name).push(" = ");
    update.bind(id.clone(), BindKind::from_account_key(app)?);
    conn.execute(&update).map(drop)
}

/// Grants a role system-wide; a second grant changes nothing.
///
/// # Errors
/// 422 if the application has no such role.
pub fn grant(conn: &mut Conn, app: &'static AppDef, id: &Value, role: &str) -> Result<()> {
    let mut insert = Statement::new();
    insert.push("INSERT INTO dz_roles (account, role) VALUES (").bind(id.clone(), BindKind::from_account_key(app)?).push(", ");
    insert.bind(Value::Text(find_role(app, role)?.to_owned()), BindKind::Text).push(") ON CONFLICT DO NOTHING");
    conn.execute(&insert).map(drop)
}

/// Revokes a role, and returns whether it was granted.
///
/// # Errors
/// 422 if the application has no such role.
pub fn revoke(conn: &mut Conn, app: &'static AppDef, id: &Value, role: &str) -> Result<bool> {
    let mut delete = Statement::new();
    delete.push("DELETE FROM dz_roles WHERE account = ").bind(id.clone(), BindKind::from_account_key(app)?).push(" AND role = ");
    delete.bind(Value::Text(find_role(app, role)?.to_owned()), BindKind::Text);
    Ok(conn.execute(&delete)? > 0)
}

/// Grants all roles of a mask.
pub(crate) fn grant_mask(conn: &mut Conn, app: &'static AppDef, id: &Value, roles: u64) -> Result<()> {
    for (bit, role) in app.roles.iter().enumerate() {
        if roles >> bit & 1 == 1 {
            grant(conn, app, id, role.name)?;
        }
    }
    Ok(())
}

/// Lists all accounts by address.
///
/// # Errors
/// 503 if the database is unavailable.
pub fn list(conn: &mut Conn, app: &'static AppDef) -> Result<Vec<ListedAccount>> {
    let account = app.account();
    let mut select = Statement::new();
    select.push("SELECT a.").ident(account.key().name).push(", a.").ident("email").push(", a.").ident("name");
    select.push(", a.").ident("is_active").push(", ").append(session::granted_roles(conn.engine(), app));
    select.push(" FROM ").append(rows_without_tenant(account)).push(" AS a ORDER BY a.").ident("email");
    let kinds = [BindKind::from_account_key(app)?, BindKind::Text, BindKind::Text, BindKind::Bool, BindKind::Text];
    let text = |value: Option<Value>| match value {
        Some(Value::Text(text)) => Some(text),
        _ => None,
    };
    let listed = conn.rows(&select, &kinds)?.into_iter().map(|row| {
        let mut row = row.into_iter();
        ListedAccount {
            id: row.next().unwrap_or_default(),
            email: text(row.next()).unwrap_or_default(),
            name: text(row.next()),
            active: row.next() == Some(Value::Bool(true)),
            roles: text(row.next()).map(|roles| roles.split(',').map(str::to_owned).collect()).unwrap_or_default(),
        }
    });
    Ok(listed.collect())
}

fn find_role(app: &'static AppDef, role: &str) -> Result<&'static str> {
    app.roles.iter().map(|known| known.name).find(|name| *name == role).ok_or_else(|| {
        let names: Vec<_> = app.roles.iter().map(|role| format!("`{}`", role.name)).collect();
        Error::validation("role", format!("must be one of the roles {}, not `{role}`", names.join(", ")))
    })
}

/// Addresses are compared and stored in this form.
fn normalize_address(email: &str) -> String {
    crate::field::email::normalize_for_account(email)
}

/// The field with the address of an account.
pub(crate) fn email_field(app: &'static AppDef) -> Result<FieldIx> {
    find_field(app.account(), "email")
}

fn find_field(account: &'static EntityDef, name: &str) -> Result<FieldIx> {
    let found = account.find(name).map(|(at, _)| at);
    found.ok_or_else(|| Error::internal(format_args!("the account entity has no field `{name}`")))
}
