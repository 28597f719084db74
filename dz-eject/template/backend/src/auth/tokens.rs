//! API tokens: rows that are found by the hash of a token, which only the client has.

use chrono::{NaiveDate, TimeDelta};
use diesel::{ExpressionMethods, OptionalExtension, QueryDsl, RunQueryDsl};

use super::sessions::{generate_token, hash};
use crate::{
    caller::{Caller, Role, load_account},
    db::Connection,
    problem::Result,
/*IF TENANTS*/    tenancy,
/*END TENANTS*/    types::{Id, Timestamp},
};

diesel::table! {
    use diesel::sql_types::{Nullable, Text};
    use crate::types::sql::{Identifier, Instant};

    dz_tokens (token_hash) {
        token_hash -> Text,
        id -> Identifier,
        account -> Identifier,
        scope -> Text,
        roles -> Nullable<Text>,
        created_at -> Instant,
        seen_at -> Instant,
        expires_at -> Instant,
/*IF TENANTS*/        tenant -> Nullable<Identifier>,
/*END TENANTS*/    }
}

/// The prefix by which users and secret scanners recognise a token.
const PREFIX: &str = "dz_";
/// The validity of a token without `--expires`.
const USUAL: TimeDelta = TimeDelta::days(90);

/// A new token.
#[derive(Debug, Clone, PartialEq)]
pub struct NewToken {
    /// True for a token that can write.
    pub writes: bool,
    /// The token is invalid from this time on.
    pub expires_at: Timestamp,
    /// Restricts the token to some roles of the account.
    pub roles: Option<Vec<String>>,
    /// The key of the tenant, if the options name one.
    pub tenant: Option<Id>,
}

impl NewToken {
    /// Reads the options of `token create`.
    pub fn parse(options: &[&str], now: Timestamp) -> Result<NewToken, String> {
        let mut new = NewToken { writes: false, expires_at: Timestamp(now.0 + USUAL), roles: None, tenant: None };
        for pair in options.chunks(2) {
            match pair {
                ["--scope", scope @ ("read" | "write")] => new.writes = *scope == "write",
                ["--scope", ..] => return Err("`--scope` is `read` or `write`".to_owned()),
                ["--expires", text] => new.expires_at = expiry(text, now)?,
                ["--roles", names] => new.roles = Some(roles(names)?),
/*IF TENANTS*/                ["--tenant", key] => {
                    new.tenant = Some(Id::parse(key).ok_or_else(|| format!("`{key}` is not the key of a tenant"))?);
                }
/*END TENANTS*/                other => return Err(format!("`token create` does not understand `{}`", other.join(" "))),
            }
        }
        Ok(new)
    }
}

fn roles(names: &str) -> Result<Vec<String>, String> {
    let names: Vec<&str> = names.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    match names.iter().find(|name| Role::parse(name).is_none()) {
        Some(unknown) => Err(format!("there is no role `{unknown}`")),
        None => Ok(names.into_iter().map(str::to_owned).collect()),
    }
}

/// `90d`, `12h`, a day such as `2027-01-31`, or `never`.
fn expiry(text: &str, now: Timestamp) -> Result<Timestamp, String> {
    let wrong = || format!("`--expires` takes `90d`, `12h`, a day such as `2027-01-31`, or `never`, not `{text}`");
    let midnight = |day: NaiveDate| day.and_hms_opt(0, 0, 0).map(|at| at.and_utc());
    let last = NaiveDate::from_ymd_opt(9999, 12, 31).and_then(midnight).ok_or_else(wrong)?;
    let count = |unit: char| text.strip_suffix(unit).and_then(|count| count.parse().ok());
    let at = match text {
        "never" => Some(last),
        _ => match (count('d').and_then(TimeDelta::try_days), count('h').and_then(TimeDelta::try_hours)) {
            (Some(length), _) | (None, Some(length)) => now.0.checked_add_signed(length),
            (None, None) => text.parse::<NaiveDate>().ok().and_then(midnight),
        },
    };
    at.filter(|at| *at > now.0 && *at <= last).map(Timestamp::new).ok_or_else(wrong)
}

/// Creates a token for an account; returns its key and the token, which cannot be read again.
pub fn create(connection: &mut Connection, account: Id, new: &NewToken, now: Timestamp) -> Result<(Id, String)> {
    let (id, token) = (Id::generate(), format!("{PREFIX}{}", generate_token()?));
/*IF TENANTS*/    let memberships = tenancy::memberships(connection, account)?;
    let tenant = match new.tenant {
        Some(tenant) => Some(memberships.iter().find(|it| it.tenant == tenant).ok_or_else(not_a_member)?.tenant),
        None => Caller::new(None, Vec::new(), now).with_memberships(memberships, None).tenant(),
    };
/*END TENANTS*/    diesel::insert_into(dz_tokens::table)
        .values((
            dz_tokens::token_hash.eq(hash(&token)),
            dz_tokens::id.eq(id),
            dz_tokens::account.eq(account),
            dz_tokens::scope.eq(if new.writes { "write" } else { "read" }),
            dz_tokens::roles.eq(new.roles.as_ref().map(|names| names.join(","))),
            dz_tokens::created_at.eq(now),
            dz_tokens::seen_at.eq(now),
            dz_tokens::expires_at.eq(new.expires_at),
/*IF TENANTS*/            dz_tokens::tenant.eq(tenant),
/*END TENANTS*/        ))
        .execute(connection)?;
    Ok((id, token))
}

/*IF TENANTS*/fn not_a_member() -> crate::problem::Problem {
    crate::problem::Problem::validation("tenant", "has no accepted membership of the account")
}

/*END TENANTS*//// The caller with this token, unless it is unknown or expired, or the account is disabled.
pub fn find(connection: &mut Connection, token: &str, now: Timestamp) -> Result<Option<Caller>> {
    let rows = || dz_tokens::table.find(hash(token)).filter(dz_tokens::expires_at.gt(now));
    let columns = (dz_tokens::account, dz_tokens::scope, dz_tokens::roles);
    let found = rows().select(columns).first::<(Id, String, Option<String>)>(connection).optional()?;
    let Some((id, scope, roles)) = found else { return Ok(None) };
    let Some(account) = load_account(connection, id)? else { return Ok(None) };
    let caller = Caller::new(Some(account), super::sessions::roles(connection, id)?, now);
/*IF TENANTS*/    let tenant: Option<Id> = rows().select(dz_tokens::tenant).first(connection)?;
    let memberships = match tenant {
        Some(tenant) => tenancy::memberships(connection, id)?.into_iter().filter(|it| it.tenant == tenant).collect(),
        None => Vec::new(),
    };
    let caller = caller.with_memberships(memberships, tenant);
/*END TENANTS*/    let roles = roles.map(|names| names.split(',').map(str::to_owned).collect());
    Ok(Some(caller.with_token(scope == "write", roles)))
}
