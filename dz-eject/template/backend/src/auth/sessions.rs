//! Sessions: rows that are found by the hash of a token, which only the browser has.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::TimeDelta;
use diesel::{ExpressionMethods, OptionalExtension, QueryDsl, RunQueryDsl};
use sha2::{Digest, Sha256};

use crate::{
    caller::{Caller, account_key, accounts, load_account},
    db::Connection,
    problem::{Problem, Result},
/*IF TENANTS*/    tenancy,
/*END TENANTS*/    types::{Id, Timestamp},
};

diesel::table! {
    use diesel::sql_types::/*IF TENANTS*/{Nullable, /*END TENANTS*/Text/*IF TENANTS*/}/*END TENANTS*/;
    use crate::types::sql::{Identifier, Instant};

    dz_sessions (token_hash) {
        token_hash -> Text,
        id -> Identifier,
        account -> Identifier,
        device -> Text,
        created_at -> Instant,
        seen_at -> Instant,
        expires_at -> Instant,
/*IF TENANTS*/        tenant -> Nullable<Identifier>,
/*END TENANTS*/    }
}

diesel::table! {
    use diesel::sql_types::Text;
    use crate::types::sql::Identifier;

    dz_roles (account, role) {
        account -> Identifier,
        role -> Text,
    }
}

/// A session ends if it is not used for this long,
const IDLE: TimeDelta = TimeDelta::days(7);
/// and at the latest after this time.
const LONGEST: TimeDelta = TimeDelta::days(30);
/// Its use is stored at most once in this time.
const SEEN: TimeDelta = TimeDelta::hours(1);

/// Starts a session of an account that signs in, whose time the account keeps, and returns its token.
pub fn sign_in(connection: &mut Connection, account: Id, agent: &str, now: Timestamp) -> Result<String> {
    let token = start(connection, account, agent, now)?;
    diesel::update(accounts::table.filter(account_key.eq(account))).set(accounts::last_login.eq(now)).execute(connection)?;
    Ok(token)
}

/// Starts a session and returns its token.
pub fn start(connection: &mut Connection, account: Id, agent: &str, now: Timestamp) -> Result<String> {
    diesel::delete(dz_sessions::table.filter(dz_sessions::expires_at.le(now))).execute(connection)?;
    let token = generate_token()?;
    let device: String = agent.chars().filter(|c| !c.is_control()).take(200).collect();
    diesel::insert_into(dz_sessions::table)
        .values((
            dz_sessions::token_hash.eq(hash(&token)),
            dz_sessions::id.eq(Id::generate()),
            dz_sessions::account.eq(account),
            dz_sessions::device.eq(device),
            dz_sessions::created_at.eq(now),
            dz_sessions::seen_at.eq(now),
            dz_sessions::expires_at.eq(Timestamp(now.0 + IDLE)),
        ))
        .execute(connection)?;
    Ok(token)
}

/// A new token, which cannot be guessed.
pub fn generate_token() -> Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(Problem::internal)?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

/// Ends a session.
pub fn end(connection: &mut Connection, token: &str) -> Result<()> {
    diesel::delete(dz_sessions::table.find(hash(token))).execute(connection)?;
    Ok(())
}

/// The caller with this token, unless the session has ended or the account is disabled.
pub fn find(connection: &mut Connection, token: &str, now: Timestamp) -> Result<Option<Caller>> {
    let session = dz_sessions::table.find(hash(token)).filter(dz_sessions::expires_at.gt(now));
/*IF NO TENANTS*/    let columns = (dz_sessions::account, dz_sessions::seen_at, dz_sessions::created_at);
    let found = session.select(columns).first::<(Id, Timestamp, Timestamp)>(connection).optional()?;
    let Some((id, seen, created)) = found else { return Ok(None) };
/*END NO TENANTS*//*IF TENANTS*/    let columns = (dz_sessions::account, dz_sessions::seen_at, dz_sessions::created_at, dz_sessions::tenant);
    let found = session.select(columns).first::<(Id, Timestamp, Timestamp, Option<Id>)>(connection).optional()?;
    let Some((id, seen, created, tenant)) = found else { return Ok(None) };
/*END TENANTS*/
    if now.0 - seen.0 >= SEEN {
        renew(connection, token, created, now)?;
    }
    let roles = roles(connection, id)?;
/*IF NO TENANTS*/    Ok(load_account(connection, id)?.map(|account| Caller::new(Some(account), roles, now).signed_in_at(created)))
/*END NO TENANTS*//*IF TENANTS*/    let Some(account) = load_account(connection, id)? else { return Ok(None) };
    let memberships = tenancy::memberships(connection, id)?;
    Ok(Some(Caller::new(Some(account), roles, now).signed_in_at(created).with_memberships(memberships, tenant)))
/*END TENANTS*/}

/*IF TENANTS*//// Stores the tenant that a session has chosen.
pub fn switch_tenant(connection: &mut Connection, token: &str, tenant: Id) -> Result<()> {
    diesel::update(dz_sessions::table.find(hash(token))).set(dz_sessions::tenant.eq(tenant)).execute(connection)?;
    Ok(())
}

/*END TENANTS*//// The roles of an account for the whole system.
pub fn roles(connection: &mut Connection, account: Id) -> Result<Vec<String>> {
    Ok(dz_roles::table.filter(dz_roles::account.eq(account)).select(dz_roles::role).load(connection)?)
}

/// Extends a session that is used.
fn renew(connection: &mut Connection, token: &str, created: Timestamp, now: Timestamp) -> Result<()> {
    let until = Timestamp((now.0 + IDLE).min(created.0 + LONGEST));
    diesel::update(dz_sessions::table.find(hash(token)))
        .set((dz_sessions::seen_at.eq(now), dz_sessions::expires_at.eq(until)))
        .execute(connection)?;
    Ok(())
}

/// The active account with this address, and the hash of its password.
pub fn credentials(connection: &mut Connection, email: &str) -> Result<Option<(Id, Option<String>)>> {
    let found = accounts::table.filter(accounts::email.eq(email)).filter(accounts::is_active.eq(true));
    Ok(found.select((account_key, accounts::password_hash)).first(connection).optional()?)
}

/// Stores a password; all sessions of the account end.
pub fn store_password(connection: &mut Connection, account: Id, hash: &str) -> Result<()> {
    diesel::update(accounts::table.filter(account_key.eq(account))).set(accounts::password_hash.eq(hash)).execute(connection)?;
    diesel::delete(dz_sessions::table.filter(dz_sessions::account.eq(account))).execute(connection)?;
    Ok(())
}

/// Gives an account a role, unless it has it.
pub fn grant(connection: &mut Connection, account: Id, role: &str) -> Result<()> {
    let row = (dz_roles::account.eq(account), dz_roles::role.eq(role));
    diesel::insert_into(dz_roles::table).values(row).on_conflict_do_nothing().execute(connection)?;
    Ok(())
}

/// What the database has instead of a token.
pub fn hash(token: &str) -> String {
    format!("{:x}", Sha256::digest(token.as_bytes()))
}
