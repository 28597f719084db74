//! Accounts: passwords, roles and sessions. An account is a row of the account entity.

pub(crate) mod breached;
pub(crate) mod device;
pub(crate) mod factor;
mod hashers;
#[cfg(feature = "oidc")]
mod identity;
pub(crate) mod invitation;
mod members;
pub(crate) mod needed;
mod password;
mod reached;
mod recovery;
mod session;
mod token;

#[cfg(feature = "oidc")]
pub(crate) use identity::{Found, Known, Welcome, Why, admit, spend};
pub(crate) use members::{join, take_back, tenant_named};
pub(crate) use reached::reached_by_rules;
pub(crate) use recovery::{Confirmed, confirm, owner_of_reset, register, registrant, reset, start_reset, start_verify};
pub use session::{OpenSession, Session, end, open, renew, session, sign_in, sign_out};
pub(crate) use session::{SignedIn, caller_in, end_all, end_everywhere, enter, signed_in, start};
pub use token::{ListedToken, NewToken, bearer, create as create_token, list as list_tokens, revoke as revoke_token};
pub(crate) use token::{revoke_all as revoke_all_tokens, seen};

use chrono::{DateTime, Utc};

use crate::{
    Caller, Error, Result, Tx, Value, access,
    db::{BindKind, Conn, Statement, untenanted},
    def::{AppDef, EntityDef, FieldIx},
    entity::Given,
    rows,
};

/// What a new account is made of.
#[derive(Debug, Clone, Default)]
pub struct NewAccount<'a> {
    /// Its mail address; stored in lower case.
    pub email: &'a str,
    /// What to call it.
    pub name: Option<&'a str>,
    /// Without one it cannot sign in.
    pub password: Option<&'a str>,
    /// Mask of the roles granted to it, system-wide.
    pub roles: u64,
}

/// An account, as the command line shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// Its key.
    pub id: Value,
    /// Its mail address.
    pub email: String,
    /// What to call it.
    pub name: Option<String>,
    /// Names of the roles granted system-wide.
    pub roles: Vec<String>,
    /// False when it may not sign in.
    pub active: bool,
}

/// Makes an account with its password and roles; gives its key. The unit of work is the system's.
///
/// # Errors
/// 422 for a bad address, a weak password or a required field that is missing; 409 for an address that is
/// taken.
pub fn create(tx: &mut Tx<'_>, new: &NewAccount<'_>) -> Result<Value> {
    let account = tx.app.account();
    let mut given = Given::default();
    given.set(field(account, "email")?, normal(new.email));
    given.maybe(field(account, "name")?, new.name);
    let id = insert(tx, given, new.password)?;
    grant_mask(tx.conn, tx.app, &id, new.roles)?;
    Ok(id)
}

/// Makes an account from fields, as demo rows give them.
pub(crate) fn insert(tx: &mut Tx<'_>, mut given: Given, password: Option<&str>) -> Result<Value> {
    let account = tx.app.account();
    let email = field(account, "email")?;
    if let Some(Value::Text(address)) = given.get(email).cloned() {
        given.set(email, normal(&address));
    }
    let address = match given.get(email) {
        Some(Value::Text(address)) => address.clone(),
        _ => String::new(),
    };
    if let Some(password) = password {
        password::check(password, &address, tx.app)?;
        given.set(field(account, "password_hash")?, password::hash(password)?);
    }
    let grant = tx.ask::<access::Create>(account)?;
    let row = rows::made(tx, &grant, given)?;
    Ok(row.values.get(usize::from(account.pk)).cloned().unwrap_or_default())
}

/// The key of the account with this address.
///
/// # Errors
/// 503 when the database is away.
pub fn find(conn: &mut Conn, app: &'static AppDef, email: &str) -> Result<Option<Value>> {
    let account = app.account();
    let mut select = Statement::new();
    select.push("SELECT ").ident(account.key().name).push(" FROM ").append(untenanted(account)).push(" AS a WHERE ");
    select.ident("email").push(" = ").bind(Value::Text(normal(email)), BindKind::Text);
    Ok(conn.rows(&select, &[key_kind(app)?])?.into_iter().flatten().next())
}

/// Gives an account a new password and ends its sessions, except the one with the token `keep`.
///
/// # Errors
/// 422 when the password is weak; 404 when there is no such account.
pub fn set_password(conn: &mut Conn, app: &'static AppDef, id: &Value, password: &str, keep: Option<&str>) -> Result<()> {
    let email = address(conn, app, id)?;
    store_password(conn, app, id, hashed(app, &email, password)?, keep)
}

/// The hash of a password for the account with this address. Slow on purpose: not while others wait for the
/// connection.
///
/// # Errors
/// 422 when the password is weak.
pub(crate) fn hashed(app: &'static AppDef, email: &str, password: &str) -> Result<PasswordHash> {
    password::check(password, email, app)?;
    password::hash(password).map(PasswordHash)
}

/// What is kept of a password.
#[derive(Clone)]
pub(crate) struct PasswordHash(String);

pub(crate) fn address(conn: &mut Conn, app: &'static AppDef, id: &Value) -> Result<String> {
    let account = app.account();
    let mut select = Statement::new();
    select.push("SELECT ").ident("email").push(" FROM ").append(untenanted(account)).push(" AS a WHERE ").ident(account.key().name);
    select.push(" = ").bind(id.clone(), key_kind(app)?);
    match conn.rows(&select, &[BindKind::Text])?.into_iter().flatten().next() {
        Some(Value::Text(email)) => Ok(email),
        _ => Err(Error::not_found()),
    }
}

/// Puts a new password in the place of the old one, and ends the account's sessions, except the one with the
/// token `keep`.
pub(crate) fn store_password(conn: &mut Conn, app: &'static AppDef, id: &Value, hash: PasswordHash, keep: Option<&str>) -> Result<()> {
    let account = app.account();
    let mut update = Statement::new();
    update.push("UPDATE ").ident(account.table).push(" SET ").ident("password_hash").push(" = ");
    update.bind(Value::Text(hash.0), BindKind::Text).push(", dz_version = dz_version + 1 WHERE ");
    update.ident(account.key().name).push(" = ").bind(id.clone(), key_kind(app)?);
    conn.execute(&update)?;
    session::end_all(conn, app, id, keep)
}

/// The key of the active account with this address and password. Whether the address or the password is
/// wrong shows neither in the answer nor in its time.
///
/// # Errors
/// 503 when the database is away.
pub fn verify(conn: &mut Conn, app: &'static AppDef, email: &str, password: &str) -> Result<Option<Value>> {
    Ok(credentials(conn, app, email)?.admit(password))
}

/// What a password is compared with: read on a connection, compared without one, since that is slow on purpose.
pub(crate) struct Credentials {
    id: Value,
    hash: Option<String>,
    active: bool,
}

impl Credentials {
    /// The account that they are of, open or closed; `None` for an address that has none.
    pub fn account(&self) -> Option<Value> {
        (!self.id.is_null()).then(|| self.id.clone())
    }

    /// The account's key, when it is active and this is its password.
    pub fn admit(self, password: &str) -> Option<Value> {
        let fits = password::fits(password, self.hash.as_deref());
        (fits && self.active).then_some(self.id)
    }

    /// The hash that is kept, when it was made with less work than is asked for now.
    pub fn outgrown(&self) -> Option<PasswordHash> {
        self.hash.as_deref().filter(|hash| password::outgrown(hash)).map(|hash| PasswordHash(hash.to_owned()))
    }
}

/// The hash of a password that was accepted before, with the work that is asked for now.
pub(crate) fn hashed_anew(password: &str) -> Result<PasswordHash> {
    password::hash(password).map(PasswordHash)
}

/// Puts the hash of the same password, made anew, in the place of `old`, unless that has changed meanwhile. Sessions go on.
pub(crate) fn rehash(conn: &mut Conn, app: &'static AppDef, id: &Value, old: &PasswordHash, new: &PasswordHash) -> Result<()> {
    let account = app.account();
    let mut update = Statement::new();
    update.push("UPDATE ").ident(account.table).push(" SET ").ident("password_hash").push(" = ");
    update.bind(Value::Text(new.0.clone()), BindKind::Text).push(" WHERE ").ident(account.key().name).push(" = ");
    update.bind(id.clone(), key_kind(app)?).push(" AND ").ident("password_hash").push(" = ");
    update.bind(Value::Text(old.0.clone()), BindKind::Text);
    conn.execute(&update).map(drop)
}

/// What the password of the account with this address is compared with; an unknown address has some too.
///
/// # Errors
/// 503 when the database is away.
pub(crate) fn credentials(conn: &mut Conn, app: &'static AppDef, email: &str) -> Result<Credentials> {
    let account = app.account();
    let mut select = Statement::new();
    select.push("SELECT ").ident(account.key().name).push(", ").ident("password_hash").push(", ").ident("is_active");
    select.push(" FROM ").append(untenanted(account)).push(" AS a WHERE ").ident("email").push(" = ");
    // No stored address holds such a character, and PostgreSQL takes none.
    select.bind(Value::Text(normal(email).replace('\0', "\u{fffd}")), BindKind::Text);
    let found = conn.rows(&select, &[key_kind(app)?, BindKind::Text, BindKind::Bool])?.into_iter().next();
    let mut found = found.unwrap_or_default().into_iter();
    let (id, hash, active) = (found.next().unwrap_or_default(), found.next().unwrap_or_default(), found.next());
    let hash = match hash {
        Value::Text(hash) => Some(hash),
        _ => None,
    };
    Ok(Credentials { id, hash, active: active == Some(Value::Bool(true)) })
}

/// Whether an account has a password.
///
/// # Errors
/// 503 when the database is away.
pub(crate) fn has_password(conn: &mut Conn, app: &'static AppDef, id: &Value) -> Result<bool> {
    let account = app.account();
    let mut select = Statement::new();
    select.push("SELECT ").ident(account.key().name).push(" FROM ").append(untenanted(account)).push(" AS a WHERE ");
    select.ident("password_hash").push(" IS NOT NULL AND ").ident(account.key().name).push(" = ").bind(id.clone(), key_kind(app)?);
    Ok(!conn.rows(&select, &[key_kind(app)?])?.is_empty())
}

/// Notes when an account last signed in.
pub(crate) fn note_sign_in(conn: &mut Conn, app: &'static AppDef, id: &Value, now: DateTime<Utc>) -> Result<()> {
    let account = app.account();
    let mut update = Statement::new();
    update.push("UPDATE ").ident(account.table).push(" SET ").ident("last_login").push(" = ");
    update.bind(Value::DateTime(now), BindKind::DateTime).push(" WHERE ").ident(account.key().name).push(" = ");
    update.bind(id.clone(), key_kind(app)?);
    conn.execute(&update).map(drop)
}

/// Grants a role system-wide; granting it twice is the same as once.
///
/// # Errors
/// 422 when the application has no such role.
pub fn grant(conn: &mut Conn, app: &'static AppDef, id: &Value, role: &str) -> Result<()> {
    let mut insert = Statement::new();
    insert.push("INSERT INTO dz_roles (account, role) VALUES (").bind(id.clone(), key_kind(app)?).push(", ");
    insert.bind(Value::Text(known(app, role)?.to_owned()), BindKind::Text).push(") ON CONFLICT DO NOTHING");
    conn.execute(&insert).map(drop)
}

/// Takes a role back. Answers whether it was granted.
///
/// # Errors
/// 422 when the application has no such role.
pub fn revoke(conn: &mut Conn, app: &'static AppDef, id: &Value, role: &str) -> Result<bool> {
    let mut delete = Statement::new();
    delete.push("DELETE FROM dz_roles WHERE account = ").bind(id.clone(), key_kind(app)?).push(" AND role = ");
    delete.bind(Value::Text(known(app, role)?.to_owned()), BindKind::Text);
    Ok(conn.execute(&delete)? > 0)
}

/// Grants every role of a mask.
pub(crate) fn grant_mask(conn: &mut Conn, app: &'static AppDef, id: &Value, roles: u64) -> Result<()> {
    for (bit, role) in app.roles.iter().enumerate() {
        if roles >> bit & 1 == 1 {
            grant(conn, app, id, role.name)?;
        }
    }
    Ok(())
}

/// Whoever may change the address of an account may take it over, by a new password that is mailed there: their own asks
/// for a recent sign-in, and so does that of somebody else where a session changes it. Programs keep the addresses of others.
///
/// # Errors
/// 403 `SIGN_IN_AGAIN`.
pub(crate) fn ask_recent(caller: &Caller, account: &'static EntityDef, before: &rows::Row, changes: &Given) -> Result<()> {
    let Some((at, field)) = account.find("email") else { return Ok(()) };
    let own = caller.account.as_ref().is_some_and(|of| of.id == *before.value(account.pk));
    let moves = changes.get(at).is_some_and(|new| new != before.value(at));
    match moves && (own || caller.token.is_none()) {
        true => caller
            .ask_recent("Another address")
            .map_err(|error| error.at(field.name, "requires a recent sign-in: sign out and in again in another tab, then save")),
        false => Ok(()),
    }
}

/// What a change of an account brings with it: links that were mailed to another address, or to an account that is
/// closed now, are good for nothing.
pub(crate) fn consequences(account: &'static EntityDef, before: &rows::Row, changes: &mut Given) {
    let changes_to = |name: &str, changes: &Given| {
        let at = account.find(name).map(|(at, _)| at)?;
        changes.get(at).filter(|value| *value != before.value(at)).cloned()
    };
    let moved = changes_to("email", changes).is_some();
    let closed = changes_to("is_active", changes) == Some(Value::Bool(false));
    if !moved && !closed {
        return;
    }
    for name in ["email_verify_token", "password_reset_token", "password_reset_expires"] {
        if let Some((at, _)) = account.find(name) {
            changes.set(at, Value::Null);
        }
    }
    if let (true, Some((at, _))) = (moved, account.find("email_verified"))
        && changes.get(at).is_none()
    {
        changes.set(at, Value::Bool(false));
    }
}

/// The address that an account had before a change, if it has another one now.
pub(crate) fn moved(account: &'static EntityDef, before: &rows::Row, after: &rows::Row) -> Option<String> {
    let (at, _) = account.find("email")?;
    match before.value(at) {
        Value::Text(old) if before.value(at) != after.value(at) => Some(old.clone()),
        _ => None,
    }
}

/// Ends the sessions and tokens of an account that is not active any more, so that they do not come back with it.
pub(crate) fn changed(conn: &mut Conn, app: &'static AppDef, row: &rows::Row) -> Result<()> {
    let account = app.account();
    let active = account.find("is_active").and_then(|(at, _)| row.values.get(usize::from(at)));
    match (active, row.values.get(usize::from(account.pk))) {
        (Some(Value::Bool(false)), Some(id)) => {
            session::end_all(conn, app, id, None)?;
            token::revoke_all(conn, app, id)
        }
        _ => Ok(()),
    }
}

/// Every account, by address.
///
/// # Errors
/// 503 when the database is away.
pub fn list(conn: &mut Conn, app: &'static AppDef) -> Result<Vec<Listed>> {
    let account = app.account();
    let mut select = Statement::new();
    select.push("SELECT a.").ident(account.key().name).push(", a.").ident("email").push(", a.").ident("name");
    select.push(", a.").ident("is_active").push(", ").append(session::granted(conn.engine(), app));
    select.push(" FROM ").append(untenanted(account)).push(" AS a ORDER BY a.").ident("email");
    let kinds = [key_kind(app)?, BindKind::Text, BindKind::Text, BindKind::Bool, BindKind::Text];
    let text = |value: Option<Value>| match value {
        Some(Value::Text(text)) => Some(text),
        _ => None,
    };
    let listed = conn.rows(&select, &kinds)?.into_iter().map(|row| {
        let mut row = row.into_iter();
        Listed {
            id: row.next().unwrap_or_default(),
            email: text(row.next()).unwrap_or_default(),
            name: text(row.next()),
            active: row.next() == Some(Value::Bool(true)),
            roles: text(row.next()).map(|roles| roles.split(',').map(str::to_owned).collect()).unwrap_or_default(),
        }
    });
    Ok(listed.collect())
}

fn known(app: &'static AppDef, role: &str) -> Result<&'static str> {
    app.roles.iter().map(|known| known.name).find(|name| *name == role).ok_or_else(|| {
        let names: Vec<_> = app.roles.iter().map(|role| format!("`{}`", role.name)).collect();
        Error::validation("role", format!("there is no role `{role}`; the roles are {}", names.join(", ")))
    })
}

/// Addresses are compared and stored in one form.
fn normal(email: &str) -> String {
    crate::field::email::of_account(email)
}

/// The field of an account's address.
pub(crate) fn email_field(app: &'static AppDef) -> Result<FieldIx> {
    field(app.account(), "email")
}

fn field(account: &'static EntityDef, name: &str) -> Result<FieldIx> {
    let found = account.find(name).map(|(at, _)| at);
    found.ok_or_else(|| Error::internal(format_args!("the account entity has no field `{name}`")))
}

pub(crate) fn key_kind(app: &'static AppDef) -> Result<BindKind> {
    BindKind::of(app.account().key().kind, app).ok_or_else(|| Error::internal("the account entity has no key"))
}
