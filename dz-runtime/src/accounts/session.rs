//! Sessions: rows of `dz_sessions`, found by the hash of a token that only the browser stores.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};

use crate::{
    Account, Caller, Engine, Error, Result, Value,
    accounts::{caller_paths::find_caller_paths, note_sign_in, preferences},
    db::{
        BindKind, Conn, Statement,
        emit::{Condition, Emit},
        rows_without_tenant,
    },
    def::{AppDef, Function, Path},
    label,
    rows::{self, account::end_sessions},
    tenancy::{self, TenantChoice},
};

/// The column of the current tenant of a session, in applications with tenants.
const TENANT: &str = "tenant";

/// A session ends if it is not used for this long.
const IDLE_LIFETIME: TimeDelta = TimeDelta::days(7);
/// A session ends at the latest after this time.
const MAX_LIFETIME: TimeDelta = TimeDelta::days(30);
/// The maximum length of a stored user agent.
const MAX_DEVICE_LENGTH: usize = 200;
/// The use of a session is stored at most once in this time.
const SEEN_INTERVAL: TimeDelta = TimeDelta::hours(1);

/// A valid session.
#[derive(Debug, Clone)]
pub struct Session {
    /// The caller, without a request id.
    pub caller: Caller,
    /// True if [`renew`] is due.
    pub due: bool,
    /// The start of the session.
    started_at: Option<DateTime<Utc>>,
}

/// Starts a session for an account, ends the one with the token `old`, and returns the new token. `device` is the user agent, for the
/// user's list of sessions.
///
/// # Errors
/// 503 if the database is unavailable.
pub fn sign_in(
    conn: &mut Conn,
    app: &'static AppDef,
    account: &Value,
    old: Option<&str>,
    device: &str,
    now: DateTime<Utc>,
) -> Result<String> {
    let token = start(conn, app, account, old, device, now)?;
    note_sign_in(conn, app, account, now)?;
    Ok(token)
}

/// Starts a session for an account that is already signed in, and ends the one with the token `old`.
pub(crate) fn start(
    conn: &mut Conn,
    app: &'static AppDef,
    account: &Value,
    old: Option<&str>,
    device: &str,
    now: DateTime<Utc>,
) -> Result<String> {
    if let Some(old) = old {
        sign_out(conn, old)?;
    }
    let mut ended = Statement::new();
    ended.push("DELETE FROM dz_sessions WHERE expires_at <= ").bind(Value::DateTime(now), BindKind::DateTime);
    conn.execute(&ended)?;
    let token = generate_token()?;
    let mut insert = Statement::new();
    // The primary tenant of the account; a later membership does not change the tenant of the session.
    let tenant = match app.tenant().and_then(|tenant| BindKind::from_kind(tenant.key().kind, app)) {
        Some(kind) => load_caller(conn, app, account, now)?.map(|caller| (caller.tenant().cloned().unwrap_or_default(), kind)),
        None => None,
    };
    insert.push("INSERT INTO dz_sessions (token_hash, id, account, ").push(if tenant.is_some() { "tenant, " } else { "" });
    insert.push("device, created_at, seen_at, expires_at) VALUES (");
    insert.bind(hash_token(&token), BindKind::Text).push(", ").bind(Value::Uuid(uuid::Uuid::now_v7()), BindKind::Uuid);
    insert.push(", ").bind(account.clone(), BindKind::from_account_key(app)?);
    if let Some((tenant, kind)) = tenant {
        insert.push(", ").bind(tenant, kind);
    }
    let device: String = device.chars().filter(|c| !c.is_control()).take(MAX_DEVICE_LENGTH).collect();
    insert.push(", ").bind(Value::Text(device), BindKind::Text);
    for moment in [now, now, now + IDLE_LIFETIME] {
        insert.push(", ").bind(Value::DateTime(moment), BindKind::DateTime);
    }
    insert.push(")");
    conn.execute(&insert)?;
    Ok(token)
}

/// Ends a session.
///
/// # Errors
/// 503 if the database is unavailable.
pub fn sign_out(conn: &mut Conn, token: &str) -> Result<()> {
    let mut delete = Statement::new();
    delete.push("DELETE FROM dz_sessions WHERE token_hash = ").bind(hash_token(token), BindKind::Text);
    conn.execute(&delete).map(drop)
}

/// Switches the session to another tenant.
pub(crate) fn switch_tenant(conn: &mut Conn, app: &'static AppDef, token: &str, tenant: &Value) -> Result<()> {
    let Some(kind) = app.tenant().and_then(|tenant| BindKind::from_kind(tenant.key().kind, app)) else { return Ok(()) };
    let mut update = Statement::new();
    update.push("UPDATE dz_sessions SET ").ident(TENANT).push(" = ").bind(tenant.clone(), kind);
    update.push(" WHERE token_hash = ").bind(hash_token(token), BindKind::Text);
    conn.execute(&update).map(drop)
}

/// A session, as its user sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenSession {
    /// Identifies the session; this is not its token.
    pub id: uuid::Uuid,
    /// The user agent.
    pub device: String,
    /// The start of the session.
    pub created_at: DateTime<Utc>,
    /// The latest use, to the hour.
    pub seen_at: DateTime<Utc>,
    /// True for the session of this request.
    pub current: bool,
}

/// Lists the sessions of an account, the latest used first; `token` identifies the session of this request.
///
/// # Errors
/// 503 if the database is unavailable.
pub fn list_sessions(
    conn: &mut Conn,
    app: &'static AppDef,
    account: &Value,
    token: Option<&str>,
    now: DateTime<Utc>,
) -> Result<Vec<OpenSession>> {
    let mut select = Statement::new();
    select.push("SELECT id, device, created_at, seen_at, token_hash FROM dz_sessions WHERE account = ");
    select
        .bind(account.clone(), BindKind::from_account_key(app)?)
        .push(" AND expires_at > ")
        .bind(Value::DateTime(now), BindKind::DateTime);
    select.push(" ORDER BY seen_at DESC, id DESC");
    let current = token.map(hash_token);
    let kinds = [BindKind::Uuid, BindKind::Text, BindKind::DateTime, BindKind::DateTime, BindKind::Text];
    let rows = conn.rows(&select, &kinds)?.into_iter().filter_map(|row| match <[Value; 5]>::try_from(row) {
        Ok([Value::Uuid(id), Value::Text(device), Value::DateTime(created_at), Value::DateTime(seen_at), hash]) => {
            Some(OpenSession { id, device, created_at, seen_at, current: Some(hash) == current })
        }
        _ => None,
    });
    Ok(rows.collect())
}

/// An account with sessions.
pub(crate) struct SignedInAccount {
    /// The address.
    pub email: String,
    /// The label.
    pub label: String,
    /// The number of sessions.
    pub sessions: i64,
    /// The latest use of a session, to the hour.
    pub seen_at: DateTime<Utc>,
}

/// Lists accounts with sessions whose address contains `part`, the latest used first.
pub(crate) fn list_accounts(
    conn: &mut Conn,
    app: &'static AppDef,
    part: &str,
    limit: u64,
    now: DateTime<Utc>,
) -> Result<Vec<SignedInAccount>> {
    let account = app.account();
    let system = crate::Caller::system(app, now);
    let emit = Emit { app, engine: conn.engine(), caller: &system };
    let name = label::RowLabel::without_sensitive(app, account);
    let mut select = Statement::new();
    select.push("SELECT a.").ident(account.key().name).push(", a.\"email\", ").append(emit.field_value(account, name.field, "a"));
    select.push(", s.many, s.seen FROM (SELECT account, count(*) AS many, max(seen_at) AS seen FROM dz_sessions WHERE expires_at > ");
    select.bind(Value::DateTime(now), BindKind::DateTime).push(" GROUP BY account) AS s JOIN ").ident(account.table);
    select.push(" AS a ON a.").ident(account.key().name).push(" = s.account");
    if !part.is_empty() {
        let mut email = Statement::new();
        email.push("a.\"email\"");
        match emit.match_text(Function::Contains, Some(Function::Lower), email, part) {
            Condition::Always => {}
            Condition::Never => return Ok(Vec::new()),
            Condition::Rows(found) => {
                select.push(" WHERE ").append(found);
            }
        }
    }
    select.push(" ORDER BY s.seen DESC, a.\"email\" LIMIT ").bind(Value::Int(i64::try_from(limit).unwrap_or(i64::MAX)), BindKind::Int);
    let label = BindKind::from_kind(name.field.kind, app).ok_or_else(|| Error::internal("a label without a column"))?;
    let kinds = [BindKind::from_account_key(app)?, BindKind::Text, label, BindKind::Int, BindKind::DateTime];
    let found = conn.for_system(|conn| conn.rows(&select, &kinds))?.into_iter().filter_map(|row| match <[Value; 5]>::try_from(row) {
        Ok([key, Value::Text(email), label, Value::Int(sessions), Value::DateTime(seen_at)]) => {
            let label = if label.is_null() { email.clone() } else { name.text(app, &label, &key) };
            Some(SignedInAccount { email, label, sessions, seen_at })
        }
        _ => None,
    });
    Ok(found.collect())
}

/// Ends one session of an account, and returns whether it existed.
///
/// # Errors
/// 503 if the database is unavailable.
pub fn end(conn: &mut Conn, app: &'static AppDef, account: &Value, id: uuid::Uuid) -> Result<bool> {
    let mut delete = Statement::new();
    delete.push("DELETE FROM dz_sessions WHERE account = ").bind(account.clone(), BindKind::from_account_key(app)?);
    delete.push(" AND id = ").bind(Value::Uuid(id), BindKind::Uuid);
    Ok(conn.execute(&delete)? > 0)
}

/// Ends all sessions of an account except the one with this token.
pub(crate) fn end_others(conn: &mut Conn, app: &'static AppDef, account: &Value, token: Option<&str>) -> Result<()> {
    end_sessions(conn, app, account, token.map(hash_token))
}

/// Ends all sessions of all accounts.
pub(crate) fn end_all(conn: &mut Conn) -> Result<()> {
    let mut delete = Statement::new();
    delete.push("DELETE FROM dz_sessions");
    conn.execute(&delete).map(drop)
}

/// Records the use of a session, which extends its lifetime.
///
/// # Errors
/// 503 if the database is unavailable.
pub fn renew(conn: &mut Conn, token: &str, now: DateTime<Utc>) -> Result<()> {
    let mut select = Statement::new();
    select.push("SELECT created_at FROM dz_sessions WHERE token_hash = ").bind(hash_token(token), BindKind::Text);
    let Some(Value::DateTime(created)) = conn.rows(&select, &[BindKind::DateTime])?.into_iter().flatten().next() else { return Ok(()) };
    let ends = (now + IDLE_LIFETIME).min(created + MAX_LIFETIME);
    let mut update = Statement::new();
    update.push("UPDATE dz_sessions SET seen_at = ").bind(Value::DateTime(now), BindKind::DateTime);
    update.push(", expires_at = ").bind(Value::DateTime(ends), BindKind::DateTime);
    update.push(" WHERE token_hash = ").bind(hash_token(token), BindKind::Text);
    conn.execute(&update).map(drop)
}

/// Loads the session of a token in one statement: the row of the account, its roles, and the values that rules need. `None` if the
/// session has ended or the account is not active.
///
/// # Errors
/// 503 if the database is unavailable.
pub fn find_session(conn: &mut Conn, app: &'static AppDef, token: &str, now: DateTime<Utc>) -> Result<Option<Session>> {
    let Some((mut session, _, tenant)) = find_holder(conn, app, &SESSIONS, token, now)? else { return Ok(None) };
    session.caller.signed_in = session.started_at;
    resolve_tenant(conn, app, session, &TenantChoice::from_session(tenant)).map(Some)
}

/// A table of tokens that authenticate an account, found by their hashes.
pub(super) struct Tokens {
    pub table: &'static str,
    /// Further text columns to load.
    pub extra_columns: &'static [&'static str],
}

const SESSIONS: Tokens = Tokens { table: "dz_sessions", extra_columns: &[] };

/// Loads an active account as a caller.
///
/// # Errors
/// 503 if the database is unavailable.
fn load_caller(conn: &mut Conn, app: &'static AppDef, id: &Value, now: DateTime<Utc>) -> Result<Option<Caller>> {
    load_caller_in(conn, app, id, TenantChoice::Default, now)
}

/// As [`load_caller`], in a tenant.
pub(crate) fn load_caller_in(
    conn: &mut Conn,
    app: &'static AppDef,
    id: &Value,
    chosen: TenantChoice,
    now: DateTime<Utc>,
) -> Result<Option<Caller>> {
    let account = app.account();
    let mut from = Statement::new();
    from.push(" FROM ").append(rows_without_tenant(account)).push(" AS a");
    let mut condition = Statement::new();
    condition.push("a.").ident(account.key().name).push(" = ").bind(id.clone(), BindKind::from_account_key(app)?);
    let Some(found) = load_holder(conn, app, None, from, condition, now)? else { return Ok(None) };
    resolve_tenant(conn, app, found.0, &chosen).map(|session| Some(session.caller))
}

/// Determines the current tenant of a session, and loads the values that rules need from the account in it.
fn resolve_tenant(conn: &mut Conn, app: &'static AppDef, mut session: Session, chosen: &TenantChoice) -> Result<Session> {
    if app.tenant().is_none() {
        return Ok(session);
    }
    tenancy::load_memberships(conn, app, &mut session.caller, chosen)?;
    let paths = find_caller_paths(app);
    let Some(id) = session.caller.account.as_ref().map(|account| account.id.clone()).filter(|_| !paths.is_empty()) else {
        return Ok(session);
    };
    // The values depend on the tenant, which is known only now.
    let account = app.account();
    let (mut select, mut kinds) = (Statement::new(), vec![BindKind::Int]);
    // Without the cast, PostgreSQL returns an integer of another width.
    select.push("SELECT CAST(1 AS BIGINT)");
    let joins = append_paths(&Emit { app, engine: conn.engine(), caller: &session.caller }, paths, &mut select, &mut kinds);
    select.push(" FROM ").append(rows_without_tenant(account)).push(" AS a").append(joins).push(" WHERE a.").ident(account.key().name);
    select.push(" = ").bind(id, BindKind::from_account_key(app)?);
    let row = conn.rows(&select, &kinds)?.into_iter().next().unwrap_or_default();
    if let Some(account) = &mut session.caller.account {
        account.path_values = paths.iter().copied().zip(row.into_iter().skip(1)).collect();
    }
    Ok(session)
}

/// As [`find_holder`], for a token that is bound to a tenant.
pub(super) fn find_bearer(
    conn: &mut Conn,
    app: &'static AppDef,
    of: &Tokens,
    token: &str,
    now: DateTime<Utc>,
) -> Result<Option<(Session, Vec<Value>)>> {
    let Some((session, besides, tenant)) = find_holder(conn, app, of, token, now)? else { return Ok(None) };
    resolve_tenant(conn, app, session, &TenantChoice::from_token(tenant)).map(|session| Some((session, besides)))
}

/// Finds the session of a token, the further columns of its row, and its tenant.
fn find_holder(conn: &mut Conn, app: &'static AppDef, of: &Tokens, token: &str, now: DateTime<Utc>) -> Result<Option<TokenHolder>> {
    let account = app.account();
    let mut from = Statement::new();
    from.push(" FROM ")
        .push(of.table)
        .push(" AS s JOIN ")
        .append(rows_without_tenant(account))
        .push(" AS a ON a.")
        .ident(account.key().name);
    from.push(" = s.account");
    let mut condition = Statement::new();
    condition.push("s.token_hash = ").bind(hash_token(token), BindKind::Text);
    condition.push(" AND s.expires_at > ").bind(Value::DateTime(now), BindKind::DateTime);
    load_holder(conn, app, Some(of), from, condition, now)
}

/// A session, the further columns of its row, and the key of its tenant.
type TokenHolder = (Session, Vec<Value>, Value);

/// Loads the active account `a` that a condition finds, with columns of the row `s`.
fn load_holder(
    conn: &mut Conn,
    app: &'static AppDef,
    of: Option<&Tokens>,
    from: Statement,
    condition: Statement,
    now: DateTime<Utc>,
) -> Result<Option<TokenHolder>> {
    let account = app.account();
    let tenant = app.tenant().filter(|_| of.is_some()).and_then(|tenant| BindKind::from_kind(tenant.key().kind, app));
    // With tenants, these values are loaded when the current tenant is known.
    let hops = if app.tenant().is_some() { &[] } else { find_caller_paths(app) };
    let (besides, moments) = of.map_or((&[][..], "NULL, NULL"), |of| (of.extra_columns, "s.seen_at, s.created_at"));
    let mut select = Statement::new();
    let mut kinds = vec![BindKind::DateTime, BindKind::DateTime, BindKind::Text, BindKind::Text];
    select.push("SELECT ").push(moments).push(", ").append(granted_roles(conn.engine(), app)).push(", ").append(preferences::select(app));
    for column in besides {
        select.push(", s.").push(column);
        kinds.push(BindKind::Text);
    }
    if let Some(kind) = tenant {
        select.push(", s.").ident(TENANT);
        kinds.push(kind);
    }
    let mut shown = Vec::new();
    for (at, field) in account.fields.iter().enumerate().filter(|(_, field)| !field.secret && field.is_stored()) {
        if let Some(kind) = BindKind::from_kind(field.kind, app) {
            select.push(", a.").ident(field.name);
            kinds.push(kind);
            shown.push(at);
        }
    }
    // Computed fields of accounts do not depend on the caller.
    let nobody = Caller::anonymous(app, now, "");
    let joins = append_paths(&Emit { app, engine: conn.engine(), caller: &nobody }, hops, &mut select, &mut kinds);
    select.append(from).append(joins).push(" WHERE ").append(condition);
    select.push(match conn.engine() {
        Engine::Sqlite => " AND a.\"is_active\" IS 1",
        Engine::Postgres => " AND a.\"is_active\" IS TRUE",
    });
    let Some(row) = conn.rows(&select, &kinds)?.into_iter().next() else { return Ok(None) };
    let mut row = row.into_iter();
    let (seen, since) = (row.next().unwrap_or_default(), row.next().unwrap_or_default());
    let (granted, chosen) = (row.next().unwrap_or_default(), row.next().unwrap_or_default());
    let besides = row.by_ref().take(besides.len()).collect();
    let tenant = tenant.and_then(|_| row.next()).unwrap_or_default();
    let mut values = vec![Value::Null; account.fields.len()];
    for at in shown {
        values[at] = row.next().unwrap_or_default();
    }
    let hops = hops.iter().copied().zip(row).collect();
    let mut caller = build_caller(app, values, hops, &granted, now);
    caller.chosen = if let Value::Text(chosen) = chosen { Some(chosen.into()) } else { None };
    let due = matches!(seen, Value::DateTime(seen) if now - seen >= SEEN_INTERVAL);
    let since = if let Value::DateTime(since) = since { Some(since) } else { None };
    Ok(Some((Session { caller, due, started_at: since }, besides, tenant)))
}

fn build_caller(app: &'static AppDef, values: Vec<Value>, path_values: Vec<(Path, Value)>, granted: &Value, now: DateTime<Utc>) -> Caller {
    let account = app.account();
    let value = |name: &str| account.find(name).and_then(|(at, _)| values.get(usize::from(at)));
    let text = |name: &str| if let Some(Value::Text(text)) = value(name) { text.clone() } else { String::new() };
    let granted: Vec<&str> = if let Value::Text(names) = granted { names.split(',').collect() } else { Vec::new() };
    let mut held = granted.clone();
    for own in [value("role"), value("roles")].into_iter().flatten() {
        match own {
            Value::Text(name) => held.push(name),
            Value::Json(serde_json::Value::Array(names)) => held.extend(names.iter().filter_map(|name| name.as_str())),
            _ => {}
        }
    }
    let roles = app.roles.iter().enumerate().filter(|(_, role)| held.contains(&role.name)).fold(0, |mask, (bit, _)| mask | 1 << bit);
    let (email, name) = (text("email"), text("name"));
    let label = if name.is_empty() { email.clone() } else { name };
    let id = values.get(usize::from(account.pk)).cloned().unwrap_or_default();
    Caller {
        system_admin: granted.contains(&"admin"),
        roles,
        system_roles: roles,
        account: Some(Account { id, email, label, values, path_values }),
        ..Caller::anonymous(app, now, "")
    }
}

/// The roles that are granted system-wide to the account `a`, joined with commas.
pub(super) fn granted_roles(engine: Engine, app: &'static AppDef) -> Statement {
    let mut select = Statement::new();
    select.push(match engine {
        Engine::Sqlite => "(SELECT group_concat(role, ',') FROM dz_roles WHERE account = a.",
        // An array needs no aggregate; every request executes this statement.
        Engine::Postgres => "nullif(array_to_string(ARRAY(SELECT role FROM dz_roles WHERE account = a.",
    });
    select.ident(app.account().key().name).push(match engine {
        Engine::Sqlite => ")",
        Engine::Postgres => "), ','), '')",
    });
    select
}

/// Appends a column for each path, and returns the joins that the paths need. Rules read these values unfiltered.
fn append_paths(emit: &Emit<'_>, paths: &[Path], select: &mut Statement, kinds: &mut Vec<BindKind>) -> Statement {
    let app = emit.app;
    let mut joins = Statement::new();
    for (at, path) in paths.iter().enumerate() {
        let steps = path.steps(app);
        let mut alias = "a".to_owned();
        for (depth, (reference, next)) in steps.iter().zip(steps.iter().skip(1)).enumerate() {
            let (target, joined) = (next.entity(app), format!("h{at}_{depth}"));
            joins.push(" LEFT JOIN ").append(emit.visible_rows(target)).push(" AS ").push(&joined).push(" ON ").push(&joined).push(".");
            joins.ident(target.key().name).push(" = ").push(&alias).push(".").ident(reference.field(app).name);
            alias = joined;
        }
        let end = path.end(app);
        let (entity, field) = (end.entity(app), end.field(app));
        if let Some(kind) = BindKind::from_kind(field.kind, app) {
            let held = emit.field_value(entity, field, &alias);
            select.push(", ").append(if field.computed.is_some() { rows::null_without_row(entity, &alias, held) } else { held });
            kinds.push(kind);
        }
    }
    joins
}

/// Generates a random token of 256 bits.
pub(super) fn generate_token() -> Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(Error::internal)?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

/// The hash of a token, as it is stored.
pub(super) fn hash_token(token: &str) -> Value {
    Value::Text(digest_token(token))
}

/// The hash of a token as text.
pub(super) fn digest_token(token: &str) -> String {
    format!("{:x}", Sha256::digest(token.as_bytes()))
}
