//! Invitations: an invited user becomes a member of a tenant by a mailed link.
//!
//! No account and no membership exists before the link is followed. The same data is therefore stored, and the same response sent,
//! whether the address has an account or not. Only the hash of the token is stored.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value as Json, json};
use uuid::Uuid;

use crate::{
    Error, Result, Tx, Value,
    access::{Create, Update},
    accounts::{
        PasswordHash,
        additional_fields::AdditionalFields,
        find_field, insert, load_caller_in, members, normalize_address, recovery,
        session::{generate_token, hash_token},
    },
    caller,
    db::{BindKind, Conn, Statement, emit::Emit, rows_without_tenant},
    def::AppDef,
    field as fields, label,
    record::FieldValues,
    rows,
    tenancy::{self, TenantChoice},
};

/// The lifetime of an invitation.
const LIFETIME: TimeDelta = TimeDelta::days(7);
/// The maximum number of pending invitations of a tenant.
const MAX_PENDING: i64 = 1_000;
/// The minimum time between two mails to one address.
const MAIL_INTERVAL: TimeDelta = TimeDelta::minutes(1);

/// A pending invitation, as users who can invite see it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PendingInvitation {
    pub id: Uuid,
    pub email: String,
    pub personas: Vec<String>,
    /// The additional fields of the membership.
    pub membership: Value,
    /// The address of the inviter; `None` for the command line.
    pub by: Option<String>,
    pub at: DateTime<Utc>,
    pub until: DateTime<Utc>,
}

/// An invitation that can be accepted.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OpenInvitation {
    pub email: String,
    /// The label of the tenant.
    pub tenant: String,
    pub addressee: Addressee,
}

/// The account of an invited address.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Addressee {
    /// No account has the address, or one whose address is not confirmed.
    NoAccount,
    /// The account with this key.
    Account(Value),
    /// A disabled account.
    Disabled,
}

/// The values that a new user enters for their account.
#[derive(Clone)]
pub(crate) struct NewUser {
    pub name: String,
    pub hash: PasswordHash,
    /// Additional fields of the account.
    pub fields: FieldValues,
}

/// The account and the tenant of an accepted invitation.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AcceptedInvitation {
    pub account: Value,
    pub tenant: Value,
}

/// Checks an address before it is invited.
///
/// # Errors
/// 422 for an address that no account can have.
pub(crate) fn check_address(app: &'static AppDef, email: &str) -> Result<()> {
    let account = app.account();
    let address = account.field(find_field(account, "email")?);
    fields::from_text(app, address, &normalize_address(email), fields::zone(app))
        .and_then(
            |value| if value.is_null() { Err(say!("dz-is-required", "is required").to_owned()) } else { fields::check(address, &value) },
        )
        .map_err(|wrong| Error::validation("email", wrong))
}

/// Stores an invitation to the tenant of the unit of work; returns the address as it is stored, and the token. A second invitation of the
/// address replaces the first. The effects do not depend on whether the address has an account.
///
/// # Errors
/// 429 if the address was invited less than a minute ago, or the tenant has too many pending invitations.
pub(crate) fn invite(tx: &mut Tx<'_>, email: &str, personas: &[String], membership: Value) -> Result<(String, String)> {
    let (app, now) = (tx.app, tx.now());
    let (email, token) = (normalize_address(email), generate_token()?);
    let tenant = tx.tenant().cloned().ok_or_else(caller::no_tenant)?;
    let tenant_kind = BindKind::from_tenant_key(app)?;
    let mut count = Statement::new();
    count.push("SELECT count(*) FROM dz_invitations WHERE tenant = ").bind(tenant.clone(), tenant_kind);
    if let Some(Value::Int(MAX_PENDING..)) = tx.conn.rows(&count, &[BindKind::Int])?.into_iter().flatten().next() {
        let detail = format!("{MAX_PENDING} invitations are pending: withdraw those that are not needed");
        return Err(Error { retry_after: Some(3_600), ..Error::new(429, "RATE_LIMIT", detail) });
    }
    let by = tx.caller.account.as_ref().map(|account| account.id.clone()).unwrap_or_default();
    let mut upsert = Statement::new();
    upsert.push(
        "INSERT INTO dz_invitations (id, token_hash, tenant, email, personas, membership, invited_by, invited_at, expires_at) VALUES (",
    );
    upsert.bind(Value::Uuid(Uuid::now_v7()), BindKind::Uuid).push(", ").bind(hash_token(&token), BindKind::Text).push(", ");
    upsert.bind(tenant, tenant_kind).push(", ").bind(Value::Text(email.clone()), BindKind::Text).push(", ");
    upsert.bind(Value::Json(json!(personas)), BindKind::Json).push(", ").bind(membership, BindKind::Json).push(", ");
    upsert.bind(by, BindKind::from_account_key(app)?).push(", ");
    upsert.bind(Value::DateTime(now), BindKind::DateTime).push(", ").bind(Value::DateTime(now + LIFETIME), BindKind::DateTime);
    upsert.push(") ON CONFLICT (tenant, email) DO UPDATE SET token_hash = excluded.token_hash, personas = excluded.personas, ");
    upsert.push("membership = excluded.membership, invited_by = excluded.invited_by, invited_at = excluded.invited_at, expires_at = excluded.expires_at ");
    upsert.push("WHERE dz_invitations.invited_at <= ").bind(Value::DateTime(now - MAIL_INTERVAL), BindKind::DateTime);
    if tx.conn.execute(&upsert)? == 0 {
        let detail = "This address was invited just now; it can be invited again in a minute";
        return Err(Error { retry_after: Some(60), ..Error::new(429, "RATE_LIMIT", detail) });
    }
    Ok((email, token))
}

/// Lists the pending invitations of the tenant of the unit of work, the latest first.
pub(crate) fn list_pending(tx: &mut Tx<'_>) -> Result<Vec<PendingInvitation>> {
    let (app, account) = (tx.app, tx.app.account());
    let tenant = tx.tenant().cloned().ok_or_else(caller::no_tenant)?;
    let mut select = Statement::new();
    select.push("SELECT i.id, i.email, i.personas, i.membership, a.").ident("email");
    select.push(", i.invited_at, i.expires_at FROM dz_invitations AS i ");
    select.push("LEFT JOIN ").append(rows_without_tenant(account)).push(" AS a ON a.").ident(account.key().name).push(" = i.invited_by ");
    select.push("WHERE i.tenant = ").bind(tenant, BindKind::from_tenant_key(app)?).push(" AND i.expires_at > ");
    select.bind(Value::DateTime(tx.now()), BindKind::DateTime).push(" ORDER BY i.invited_at DESC, i.id");
    let (text, json, moment) = (BindKind::Text, BindKind::Json, BindKind::DateTime);
    let kinds = [BindKind::Uuid, text, json, json, text, moment, moment];
    let line = |row: Vec<Value>| {
        let [id, email, personas, membership, by, at, until] = <[Value; 7]>::try_from(row).ok()?;
        let (Value::Uuid(id), Value::Text(email), Value::DateTime(at), Value::DateTime(until)) = (id, email, at, until) else {
            return None;
        };
        let by = if let Value::Text(by) = by { Some(by) } else { None };
        Some(PendingInvitation { id, email, personas: parse_names(&personas), membership, by, at, until })
    };
    Ok(tx.conn.rows(&select, &kinds)?.into_iter().filter_map(line).collect())
}

/// Withdraws an invitation of the tenant of the unit of work; returns its address, if it was pending. Its row stays until the clean-up,
/// because the times and the number of invitations limit the mails to an address and of a tenant.
pub(crate) fn withdraw(tx: &mut Tx<'_>, id: Uuid) -> Result<Option<String>> {
    let tenant = tx.tenant().cloned().ok_or_else(caller::no_tenant)?;
    let now = Value::DateTime(tx.now());
    let mut expire = Statement::new();
    expire.push("UPDATE dz_invitations SET expires_at = ").bind(now.clone(), BindKind::DateTime);
    expire.push(" WHERE id = ").bind(Value::Uuid(id), BindKind::Uuid).push(" AND tenant = ");
    expire.bind(tenant, BindKind::from_tenant_key(tx.app)?).push(" AND expires_at > ").bind(now, BindKind::DateTime);
    expire.push(" RETURNING email");
    Ok(tx.conn.rows(&expire, &[BindKind::Text])?.into_iter().flatten().find_map(|value| match value {
        Value::Text(email) => Some(email),
        _ => None,
    }))
}

/// Finds the account of an address.
pub(crate) fn find_addressee(conn: &mut Conn, app: &'static AppDef, email: &str) -> Result<Addressee> {
    let account = app.account();
    let mut select = Statement::new();
    select.push("SELECT ").ident(account.key().name).push(", ").ident("is_active").push(", ").ident("email_verify_token").push(" FROM ");
    select
        .append(rows_without_tenant(account))
        .push(" AS a WHERE ")
        .ident("email")
        .push(" = ")
        .bind(Value::Text(normalize_address(email)), BindKind::Text);
    let found = conn.rows(&select, &[BindKind::from_account_key(app)?, BindKind::Bool, BindKind::Text])?.into_iter().next();
    Ok(match found.and_then(|row| <[Value; 3]>::try_from(row).ok()) {
        None => Addressee::NoAccount,
        Some([id, Value::Bool(true), _]) => Addressee::Account(id),
        Some([_, _, Value::Null]) => Addressee::Disabled,
        // The address was registered but not confirmed.
        Some(_) => Addressee::NoAccount,
    })
}

/// Finds the invitation of a token; `None` if it is unknown, expired, used, withdrawn or replaced.
pub(crate) fn find_open(conn: &mut Conn, app: &'static AppDef, token: &str, now: DateTime<Utc>) -> Result<Option<OpenInvitation>> {
    let mut select = Statement::new();
    select.push("SELECT tenant, email FROM dz_invitations WHERE token_hash = ").bind(hash_token(token), BindKind::Text);
    select.push(" AND expires_at > ").bind(Value::DateTime(now), BindKind::DateTime);
    let found = conn.rows(&select, &[BindKind::from_tenant_key(app)?, BindKind::Text])?.into_iter().next();
    let Some([tenant, Value::Text(email)]) = found.and_then(|row| <[Value; 2]>::try_from(row).ok()) else { return Ok(None) };
    let Some(tenant) = find_tenant_label(conn, app, &tenant, now)? else { return Ok(None) };
    let addressee = find_addressee(conn, app, &email)?;
    Ok(Some(OpenInvitation { email, tenant, addressee }))
}

/// Returns the label of a tenant that exists.
pub(crate) fn find_tenant_label(conn: &mut Conn, app: &'static AppDef, key: &Value, now: DateTime<Utc>) -> Result<Option<String>> {
    let entity = app.tenant().ok_or_else(Error::not_found)?;
    let system = crate::Caller::system(app, now);
    let emit = Emit { app, engine: conn.engine(), caller: &system };
    let name = label::RowLabel::without_sensitive(app, entity);
    let label = name.field;
    let kind = BindKind::from_kind(label.kind, app).ok_or_else(|| Error::internal("a label without a column"))?;
    let mut select = Statement::new();
    select
        .push("SELECT ")
        .append(emit.field_value(entity, label, "t"))
        .push(" FROM ")
        .append(emit.visible_rows(entity))
        .push(" AS t WHERE t.");
    select.ident(entity.key().name).push(" = ").bind(key.clone(), BindKind::from_tenant_key(app)?);
    let found = conn.for_system(|conn| conn.rows(&select, &[kind]))?.into_iter().flatten().next();
    Ok(found.map(|value| name.text(app, &value, key)))
}

/// Accepts an invitation: creates the account if there is none, and the membership; the token cannot be used again. The owner of an
/// existing account must be signed in, as `signed_in`. The unit of work must act as the system.
///
/// Returns `None` if the invitation is not valid, or its inviter can no longer give these roles.
///
/// # Errors
/// 401 if the owner of the account is not signed in; errors of rows and hooks.
pub(crate) fn accept(
    tx: &mut Tx<'_>,
    token: &str,
    newcomer: Option<&NewUser>,
    signed_in: Option<&Value>,
) -> Result<Option<AcceptedInvitation>> {
    let (app, now) = (tx.app, tx.now());
    let mut take = Statement::new();
    take.push("DELETE FROM dz_invitations WHERE token_hash = ").bind(hash_token(token), BindKind::Text).push(" AND expires_at > ");
    // One statement, so that only one of two concurrent requests finds the invitation.
    take.bind(Value::DateTime(now), BindKind::DateTime).push(" RETURNING tenant, email, personas, membership, invited_by, invited_at");
    let kinds = [
        BindKind::from_tenant_key(app)?,
        BindKind::Text,
        BindKind::Json,
        BindKind::Json,
        BindKind::from_account_key(app)?,
        BindKind::DateTime,
    ];
    let taken = tx.conn.rows(&take, &kinds)?.into_iter().next().and_then(|row| <[Value; 6]>::try_from(row).ok());
    let Some([tenant, Value::Text(email), personas, membership, by, at]) = taken else { return Ok(None) };
    let personas = parse_names(&personas);
    if find_tenant_label(tx.conn, app, &tenant, now)?.is_none() || !can_still_invite(tx, &by, &tenant, &personas)? {
        return Ok(None);
    }
    let account = match (find_addressee(tx.conn, app, &email)?, newcomer) {
        (Addressee::Account(id), _) if signed_in == Some(&id) => id,
        (Addressee::Account(_), _) => return Err(Error::unauthenticated()),
        (Addressee::NoAccount, Some(newcomer)) => create_account(tx, &email, newcomer)?,
        (Addressee::NoAccount, None) => return Err(Error::validation("password", say!("dz-is-required", "is required"))),
        (Addressee::Disabled, _) => return Ok(None),
    };
    let caller = tx.caller.clone().for_tenant(Some(tenant.clone()));
    let needed = AdditionalFields::for_membership(app);
    let mut further = needed.as_ref().map(|needed| needed.read_stored(app, &membership)).unwrap_or_default();
    for (name, value) in [("invited_by", &by), ("invited_at", &at)] {
        if let Some((field, _)) = app.members().and_then(|members| members.entity.find(name)).filter(|_| !value.is_null()) {
            further.set(field, value.clone());
        }
    }
    let key = tx
        .for_caller(caller, |tx| members::add_personas(tx, &account, &personas, further))
        .map_err(|error| explain_missing_fields(needed.as_ref(), error))?;
    if !is_membership_permitted(tx, &by, &tenant, &key)? {
        return Err(Error::forbidden("The user who invited you may not create this membership with these personas"));
    }
    Ok(Some(AcceptedInvitation { account, tenant }))
}

/// Replaces the error of an invitation without fields that the declaration requires since; returns every other error unchanged.
fn explain_missing_fields(needed: Option<&AdditionalFields>, error: Error) -> Error {
    let names = |field| needed.is_some_and(|needed| error.field_errors.contains_key(&needed.name(field)));
    match needed.is_some_and(|needed| needed.fields.iter().any(|(_, field)| names(field))) {
        true => {
            let detail = "Memberships need fields that this invitation does not contain; ask for another invitation";
            Error::new(422, "VALIDATION", detail).at("token", "does not contain all fields that a membership needs")
        }
        false => error,
    }
}

/// True if the inviter can still give all these personas; always true for the command line.
fn can_still_invite(tx: &mut Tx<'_>, by: &Value, tenant: &Value, personas: &[String]) -> Result<bool> {
    if by.is_null() {
        return Ok(true);
    }
    let (app, now) = (tx.app, tx.now());
    let Some(inviter) = load_caller_in(tx.conn, app, by, TenantChoice::This(tenant.clone()), now)? else { return Ok(false) };
    let Some(members) = app.members() else { return Ok(false) };
    let there = inviter.system_admin || inviter.tenant() == Some(tenant);
    let asked = crate::access::ask::<Create>(app, tx.engine(), &inviter, members.entity);
    Ok(there && asked.is_ok() && tenancy::check_personas(app, &inviter, personas).is_ok())
}

/// True if the rule for creating memberships permits the new one to the inviter.
fn is_membership_permitted(tx: &mut Tx<'_>, by: &Value, tenant: &Value, key: &Value) -> Result<bool> {
    let (app, now) = (tx.app, tx.now());
    let (Some(members), false) = (app.members(), by.is_null()) else { return Ok(true) };
    let Some(inviter) = load_caller_in(tx.conn, app, by, TenantChoice::This(tenant.clone()), now)? else { return Ok(false) };
    let grant = crate::access::ask::<Create>(app, tx.engine(), &inviter, members.entity)?;
    tx.for_caller(inviter, |tx| {
        let emit = Emit { app, engine: tx.engine(), caller: &tx.caller };
        let condition = grant.condition(app, tx.engine(), &tx.caller, "m").into_sql();
        let kind = BindKind::from_kind(members.entity.key().kind, app).ok_or_else(|| Error::internal("a key without a column"))?;
        let mut select = Statement::new();
        select
            .push("SELECT m.")
            .ident(members.entity.key().name)
            .push(" FROM ")
            .append(emit.visible_rows(members.entity))
            .push(" AS m WHERE m.");
        select.ident(members.entity.key().name).push(" = ").bind(key.clone(), kind).push(" AND ").append(condition);
        Ok(!tx.conn.rows(&select, &[kind])?.is_empty())
    })
}

/// Creates the account of a new user, whose address the link has confirmed. An unconfirmed account with this address is taken over
/// without its password.
fn create_account(tx: &mut Tx<'_>, email: &str, newcomer: &NewUser) -> Result<Value> {
    let (app, now) = (tx.app, tx.now());
    let account = app.account();
    let name = Some(newcomer.name.trim()).filter(|name| !name.is_empty());
    if let Some((_, token)) = recovery::start_reset(tx.conn, app, email, now)? {
        recovery::reset(tx.conn, app, &token, newcomer.hash.clone(), now)?;
        let id = super::find(tx.conn, app, email)?.ok_or_else(Error::not_found)?;
        let mut changes = newcomer.fields.clone();
        changes.set_optional(find_field(account, "name")?, name);
        if changes.fields().next().is_some() {
            let grant = tx.ask::<Update>(account)?;
            rows::update_row(tx, &grant, &id, changes)?;
        }
        return Ok(id);
    }
    let mut given = FieldValues::default();
    given.set(find_field(account, "email")?, email.to_owned());
    given.set_optional(find_field(account, "name")?, name);
    given.set(find_field(account, "email_verified")?, Value::Bool(true));
    given.set(find_field(account, "password_hash")?, newcomer.hash.0.clone());
    newcomer.fields.0.iter().for_each(|(at, value)| given.set(*at, value.clone()));
    insert(tx, given, None).map_err(|error| AdditionalFields::for_account(app).qualify_errors(error))
}

fn parse_names(personas: &Value) -> Vec<String> {
    let Value::Json(Json::Array(names)) = personas else { return Vec::new() };
    names.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect()
}
