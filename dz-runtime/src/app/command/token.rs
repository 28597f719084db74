//! `token create`, `token list`, `token revoke`.

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};

use super::{App, Outcome, find_account, prepare};
use crate::{
    Error, Result, TokenScope, Tx, Value,
    accounts::{self, NewToken},
    db::Conn,
    def::AppDef,
    output::{print_error, print_line},
    tenancy::TenantChoice,
};

const USAGE: &str = "`token` needs `create EMAIL`, `list EMAIL` or `revoke ID`";

pub(super) fn run(app: App, words: &[&str]) -> Result<Outcome> {
    match words {
        ["create", email, options @ ..] => create(app, email, options),
        ["list", email] => list(app, email),
        ["revoke", id] => revoke(app, id),
        _ => Ok(Outcome::Usage(USAGE.to_owned())),
    }
}

fn create(app: App, email: &str, options: &[&str]) -> Result<Outcome> {
    let now = app.clock.now();
    let options = match Options::parse(options, now) {
        Ok(options) => options,
        Err(usage) => return Ok(Outcome::Usage(usage)),
    };
    let state = prepare(app)?.state;
    let usual = NewToken::new(&state.config.settings, now);
    let new = NewToken {
        scope: options.scope.unwrap_or(usual.scope),
        expires_at: options.expires_at.unwrap_or(usual.expires_at),
        roles: options.roles,
        tenant: None,
    };
    let (id, token, missing) = state.db.write(&mut |conn| {
        let account = find_account(conn, state.app, email)?;
        let key = match options.tenant {
            Some(name) => Some(accounts::find_tenant(&mut Tx::system(conn, state.app, state.hooks.clone(), now), name)?),
            None => None,
        };
        let tenant = find_tenant(conn, state.app, email, &account, key, now)?;
        let new = NewToken { tenant, ..new.clone() };
        let missing = missing_roles(conn, state.app, &account, &new, now)?;
        accounts::create_token(conn, state.app, &account, &new, now).map(|(id, token)| (id, token, missing))
    })?;
    if !missing.is_empty() {
        print_error(format_args!("{email} does not have {}: the token gets it when the account does.", missing.join(", ")));
    }
    print_line!("{token}")?;
    print_error(format_args!("It is shown only once. Revoke it with `token revoke {id}`."));
    Ok(Outcome::Done)
}

/// The options of `token create`.
#[derive(Debug, Default, PartialEq)]
struct Options<'a> {
    scope: Option<TokenScope>,
    expires_at: Option<DateTime<Utc>>,
    roles: Option<Vec<&'a str>>,
    tenant: Option<&'a str>,
}

impl<'a> Options<'a> {
    /// # Errors
    /// The correct form of an invalid option.
    fn parse(words: &[&'a str], now: DateTime<Utc>) -> Result<Options<'a>, String> {
        let mut options = Options::default();
        let mut rest = words.iter();
        while let Some(option) = rest.next() {
            match (*option, rest.next()) {
                ("--scope", Some(&"read")) => options.scope = Some(TokenScope::Read),
                ("--scope", Some(&"write")) => options.scope = Some(TokenScope::Write),
                ("--scope", _) => return Err("`--scope` is `read` or `write`".to_owned()),
                ("--expires", Some(text)) => {
                    let wrong = || format!("`--expires` takes `90d`, `12h`, a day such as `2027-01-31`, or `never`, not `{text}`");
                    options.expires_at = Some(parse_expiry(text, now).ok_or_else(wrong)?);
                }
                ("--roles", Some(names)) => {
                    options.roles = Some(names.split(',').map(str::trim).filter(|name| !name.is_empty()).collect());
                }
                ("--tenant", Some(name)) => options.tenant = Some(name),
                (other, _) => return Err(format!("`token create` does not understand `{other}`")),
            }
        }
        Ok(options)
    }
}

/// The roles of a new token that its account does not have. They take effect when they are granted to the account.
fn missing_roles<'n>(
    conn: &mut Conn,
    app: &'static AppDef,
    account: &Value,
    new: &NewToken<'n>,
    now: DateTime<Utc>,
) -> Result<Vec<&'n str>> {
    let chosen = new.tenant.clone().map_or(TenantChoice::Default, TenantChoice::This);
    let Some(caller) = accounts::load_caller_in(conn, app, account, chosen, now)? else { return Ok(Vec::new()) };
    let lacks = |name: &&str| {
        let bit = app.roles.iter().position(|role| role.name == *name);
        bit.is_some_and(|bit| caller.roles & (1 << bit) == 0)
    };
    Ok(new.roles.iter().flatten().copied().filter(lacks).collect())
}

/// The tenant of a token: the given one, otherwise the primary tenant of the account.
fn find_tenant(
    conn: &mut Conn,
    app: &'static AppDef,
    email: &str,
    account: &Value,
    named: Option<Value>,
    now: DateTime<Utc>,
) -> Result<Option<Value>> {
    let chosen = named.clone().map_or(TenantChoice::Default, TenantChoice::This);
    let Some(caller) = accounts::load_caller_in(conn, app, account, chosen, now)? else { return Ok(named) };
    match (caller.tenant(), &named) {
        (Some(tenant), _) => Ok(Some(tenant.clone())),
        (None, Some(_)) => {
            Err(Error::bad_request(format!("{email} is not a member of the tenant; add it with `user grant {email} ROLE --tenant ID`")))
        }
        (None, None) if caller.memberships.is_empty() => Ok(None),
        (None, None) => {
            let names: Vec<&str> = caller.memberships.iter().map(|it| it.name.as_str()).collect();
            Err(Error::bad_request(format!("{email} is a member of {}: name the tenant of the token with `--tenant`", names.join(", "))))
        }
    }
}

/// Parses the expiry of an option; `None` for a time in the past.
fn parse_expiry(text: &str, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let last = NaiveDate::from_ymd_opt(9999, 12, 31)?.and_hms_opt(0, 0, 0)?.and_utc();
    if text == "never" {
        return Some(last);
    }
    if let Ok(day) = text.parse::<NaiveDate>() {
        return day.and_hms_opt(0, 0, 0).map(|at| at.and_utc()).filter(|at| (now..=last).contains(at));
    }
    let unit = text.chars().last()?;
    let count: i64 = text.get(..text.len() - unit.len_utf8())?.parse().ok()?;
    let length = match unit {
        'h' => TimeDelta::try_hours(count)?,
        'd' => TimeDelta::try_days(count)?,
        _ => return None,
    };
    now.checked_add_signed(length).filter(|at| *at > now && *at <= last)
}

fn list(app: App, email: &str) -> Result<Outcome> {
    let state = prepare(app)?.state;
    let tokens = state.db.read(&mut |conn| {
        let account = find_account(conn, state.app, email)?;
        accounts::list_tokens(conn, state.app, &account, state.clock.now())
    })?;
    for it in tokens {
        let scope = if it.scope == TokenScope::Read { "read" } else { "write" };
        let roles = it.roles.map_or_else(String::new, |roles| format!("  roles {}", roles.join(", ")));
        print_line!("{}  {scope}  last used {}  until {}{roles}", it.id, it.seen_at.date_naive(), it.expires_at.date_naive())?;
    }
    Ok(Outcome::Done)
}

fn revoke(app: App, id: &str) -> Result<Outcome> {
    let Ok(key) = id.parse() else { return Ok(Outcome::Usage(format!("`{id}` is not the id of a token; `token list EMAIL` shows them"))) };
    let state = prepare(app)?.state;
    if state.db.write(&mut |conn| accounts::revoke_token(conn, state.app, None, key))? {
        Ok(Outcome::Done)
    } else {
        Err(Error::bad_request(format!("there is no token {id}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_has_no_defaults_of_its_own() {
        let now = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
        assert_eq!(Options::parse(&[], now), Ok(Options::default()));
        let options = Options::parse(&["--scope", "write", "--roles", "a, b", "--expires", "1d", "--tenant", "north"], now).unwrap();
        let expected = Options {
            scope: Some(TokenScope::Write),
            expires_at: Some(now + TimeDelta::days(1)),
            roles: Some(vec!["a", "b"]),
            tenant: Some("north"),
        };
        assert_eq!(options, expected);
        for wrong in [&["--scope", "all"][..], &["--expires", "soon"], &["--expire", "1d"], &["--tenant"]] {
            assert!(Options::parse(wrong, now).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn expiries_are_durations_days_or_never() {
        let now = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
        assert_eq!(parse_expiry("12h", now), Some(now + TimeDelta::hours(12)));
        assert_eq!(parse_expiry("90d", now), Some(now + TimeDelta::days(90)));
        assert_eq!(parse_expiry("2027-06-01", now).unwrap().to_rfc3339(), "2027-06-01T00:00:00+00:00");
        assert_eq!(parse_expiry("never", now).unwrap().to_rfc3339(), "9999-12-31T00:00:00+00:00");
        for wrong in ["", "d", "-1d", "0h", "2020-01-01", "5w", "999999999999d", "9d€"] {
            assert_eq!(parse_expiry(wrong, now), None, "{wrong}");
        }
    }
}
