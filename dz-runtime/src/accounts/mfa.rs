//! The second factor: TOTP codes (RFC 6238), and recovery codes for a lost device.
//!
//! A TOTP code is valid in its 30-second period and the next one. It is single-use: the latest used period is stored, and codes of it or
//! an earlier one are refused. Recovery codes are single-use; only their hashes are stored.

use chrono::{DateTime, Utc};
use totp_rs::{Algorithm, Builder, Secret, Totp};

use super::session::{digest_token, hash_token};
use crate::{
    Error, Result, Value,
    db::{BindKind, Conn, Statement},
    def::AppDef,
    rows::account::end_sessions,
};

/// The code of refusals that require a second factor.
pub(crate) const CODE: &str = "SECOND_FACTOR";
/// The period of a TOTP code in seconds.
const TIME_STEP: i64 = 30;
/// The number of recovery codes.
const RECOVERY_CODES: usize = 8;
/// The alphabet of recovery codes, without similar characters.
const LETTERS: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz023456789";
/// The length of a recovery code, which gives 120 bits.
const RECOVERY_CODE_LENGTH: usize = 24;

/// The second factor of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum MfaState {
    /// No second factor.
    None,
    /// A secret whose device is not confirmed yet.
    Pending(String),
    /// A confirmed device, with the number of unused recovery codes.
    Confirmed(usize),
}

/// Stores a new secret, which replaces an unconfirmed one. A confirmed device is not changed.
///
/// # Errors
/// 409 if the account has a confirmed device.
pub(crate) fn start_registration(conn: &mut Conn, app: &'static AppDef, account: &Value, session: &str, now: DateTime<Utc>) -> Result<()> {
    let mut bytes = [0; 20];
    getrandom::fill(&mut bytes).map_err(Error::internal)?;
    // An unconfirmed secret is valid only in the session that created it, because that session has just verified the password.
    let stored = conn.secrets().encrypt(&encryption_context(account), &Secret::new_stack(bytes).to_base32())?;
    let text = Value::Text(stored + &session_suffix(session));
    let mut insert = Statement::new();
    insert
        .push("INSERT INTO dz_factors (account, secret, last_step, created_at) VALUES (")
        .bind(account.clone(), BindKind::from_account_key(app)?);
    insert.push(", ").bind(text.clone(), BindKind::Text).push(", 0, ").bind(Value::DateTime(now), BindKind::DateTime);
    insert.push(") ON CONFLICT (account) DO UPDATE SET secret = ").bind(text, BindKind::Text);
    insert.push(" WHERE dz_factors.confirmed_at IS NULL");
    match conn.execute(&insert)? {
        0 => Err(Error::new(
            409,
            "CONFLICT",
            say!("dz-the-account-has-a-second-factor-already", "The account has a second factor already; remove it first"),
        )),
        _ => Ok(()),
    }
}

/// The associated data of an encrypted secret.
fn encryption_context(account: &Value) -> String {
    format!("second factor of {account:?}")
}

/// The suffix of an unconfirmed secret, which binds it to its session.
fn session_suffix(session: &str) -> String {
    format!(" {}", digest_token(session))
}

/// Loads the second factor of an account. An unconfirmed secret of another session counts as none.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn load_state(conn: &mut Conn, app: &'static AppDef, account: &Value, session: Option<&str>) -> Result<MfaState> {
    let mut select = Statement::new();
    select.push(
        "SELECT f.secret, f.confirmed_at, (SELECT count(*) FROM dz_recovery_codes AS c WHERE c.account = f.account) FROM dz_factors AS f",
    );
    select.push(" WHERE f.account = ").bind(account.clone(), BindKind::from_account_key(app)?);
    let row = conn.rows(&select, &[BindKind::Text, BindKind::DateTime, BindKind::Int])?.into_iter().next();
    Ok(match row.as_deref() {
        Some([Value::Text(stored), Value::Null, _]) => {
            let own = session.and_then(|session| stored.strip_suffix(&session_suffix(session)));
            match own {
                Some(secret) => MfaState::Pending(conn.secrets().decrypt(&encryption_context(account), secret)?),
                None => MfaState::None,
            }
        }
        Some([_, _, Value::Int(left)]) => MfaState::Confirmed(usize::try_from(*left).unwrap_or_default()),
        _ => MfaState::None,
    })
}

/// True if the account has a confirmed device.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn has_device(conn: &mut Conn, app: &'static AppDef, account: &Value) -> Result<bool> {
    Ok(matches!(load_state(conn, app, account, None)?, MfaState::Confirmed(_)))
}

fn build_totp(secret: &str) -> Option<Totp> {
    let secret = Secret::try_from_base32(secret).ok()?;
    Builder::new().with_algorithm(Algorithm::SHA1).with_digits(6).with_skew(0).with_secret(secret).build().ok()
}

/// Finds the period of a code: the current one or the previous one.
fn find_time_step(secret: &str, code: &str, now: DateTime<Utc>) -> Option<i64> {
    let (totp, now) = (build_totp(secret)?, now.timestamp());
    let fits = |at: i64| u64::try_from(at).is_ok_and(|at| totp.check(code, at).is_some());
    if fits(now) {
        return Some(now / TIME_STEP);
    }
    fits(now - TIME_STEP).then_some(now / TIME_STEP - 1)
}

/// Uses a code of the device, and returns whether it was valid.
fn use_device_code(
    conn: &mut Conn,
    app: &'static AppDef,
    account: &Value,
    code: &str,
    begun_by: Option<&str>,
    now: DateTime<Utc>,
) -> Result<Option<String>> {
    let mut select = Statement::new();
    select.push("SELECT secret FROM dz_factors WHERE account = ").bind(account.clone(), BindKind::from_account_key(app)?);
    select.push(if begun_by.is_none() { " AND confirmed_at IS NOT NULL" } else { " AND confirmed_at IS NULL" });
    let Some(Value::Text(stored)) = conn.rows(&select, &[BindKind::Text])?.into_iter().flatten().next() else { return Ok(None) };
    let secret = begun_by.map_or(Some(stored.as_str()), |session| stored.strip_suffix(&session_suffix(session))).map(str::to_owned);
    let Some(secret) = secret else { return Ok(None) };
    let Some(step) = find_time_step(&conn.secrets().decrypt(&encryption_context(account), &secret)?, code, now) else { return Ok(None) };
    // One statement, so that only one of two concurrent requests uses the period.
    let mut update = Statement::new();
    update.push("UPDATE dz_factors SET last_step = ").bind(Value::Int(step), BindKind::Int);
    update.push(" WHERE last_step < ").bind(Value::Int(step), BindKind::Int);
    update.push(" AND secret = ").bind(Value::Text(stored), BindKind::Text);
    update.push(" AND account = ").bind(account.clone(), BindKind::from_account_key(app)?);
    Ok((conn.execute(&update)? > 0).then_some(secret))
}

/// Encrypts all secrets with the first key, and returns how many were encrypted with another key or not at all.
///
/// # Errors
/// 503 if the database is unavailable; one sentence if the key of a secret is not configured.
pub(crate) fn encrypt_all(conn: &mut Conn, app: &'static AppDef) -> Result<usize> {
    let secrets = conn.secrets();
    let mut select = Statement::new();
    select.push("SELECT account, secret FROM dz_factors");
    let mut done = 0;
    for row in conn.rows(&select, &[BindKind::from_account_key(app)?, BindKind::Text])? {
        let Ok([account, Value::Text(stored)]) = <[Value; 2]>::try_from(row) else { continue };
        let (secret, session) = stored.split_once(' ').unwrap_or((stored.as_str(), ""));
        if let Some(key) = secrets.unknown_key(secret) {
            return Err(Error::new(
                500,
                "CONFIGURATION",
                format!("second factors are encrypted with the key `{key}`, which `dz.secrets` does not have: add it after the first key"),
            ));
        }
        if secrets.is_current(secret) {
            continue;
        }
        let plain = secrets.decrypt(&encryption_context(&account), secret)?;
        let bound = if session.is_empty() { String::new() } else { format!(" {session}") };
        let again = secrets.encrypt(&encryption_context(&account), &plain)? + &bound;
        let mut update = Statement::new();
        update.push("UPDATE dz_factors SET secret = ").bind(Value::Text(again), BindKind::Text).push(" WHERE account = ");
        update.bind(account, BindKind::from_account_key(app)?).push(" AND secret = ").bind(Value::Text(stored.clone()), BindKind::Text);
        done += conn.execute(&update)?;
    }
    Ok(done)
}

/// Removes separators that users type between characters.
fn normalize_code(code: &str) -> String {
    code.chars().filter(|c| c.is_ascii_alphanumeric()).map(|c| c.to_ascii_lowercase()).collect()
}

fn digest_code(account: &Value, code: &str) -> Value {
    hash_token(&format!("recovery of {account:?} by {code}"))
}

/// Uses a code of the device or a recovery code, and returns whether it was valid.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn use_code(conn: &mut Conn, app: &'static AppDef, account: &Value, code: &str, now: DateTime<Utc>) -> Result<bool> {
    let code = normalize_code(code);
    if code.len() != RECOVERY_CODE_LENGTH {
        return use_device_code(conn, app, account, &code, None, now).map(|taken| taken.is_some());
    }
    let mut delete = Statement::new();
    delete.push("DELETE FROM dz_recovery_codes WHERE account = ").bind(account.clone(), BindKind::from_account_key(app)?);
    delete.push(" AND code_hash = ").bind(digest_code(account, &code), BindKind::Text);
    Ok(conn.execute(&delete)? > 0)
}

/// Confirms the device by one of its codes, ends all other sessions, and returns the recovery codes, which are shown once. `None` if the
/// code is wrong.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn confirm_device(
    conn: &mut Conn,
    app: &'static AppDef,
    account: &Value,
    code: &str,
    session: &str,
    now: DateTime<Utc>,
) -> Result<Option<Vec<String>>> {
    let Some(secret) = use_device_code(conn, app, account, &normalize_code(code), Some(session), now)? else { return Ok(None) };
    let mut update = Statement::new();
    update.push("UPDATE dz_factors SET confirmed_at = ").bind(Value::DateTime(now), BindKind::DateTime);
    update.push(", secret = ").bind(Value::Text(secret), BindKind::Text);
    update.push(" WHERE confirmed_at IS NULL AND account = ").bind(account.clone(), BindKind::from_account_key(app)?);
    if conn.execute(&update)? == 0 {
        return Ok(None);
    }
    let codes = replace_recovery_codes(conn, app, account)?;
    end_sessions(conn, app, account, Some(hash_token(session)))?;
    Ok(Some(codes))
}

/// Registers a device for a test, and confirms it with one of its codes.
#[cfg(feature = "testing")]
pub(crate) fn register_device(conn: &mut Conn, app: &'static AppDef, account: &Value, session: &str, now: DateTime<Utc>) -> Result<()> {
    if has_device(conn, app, account)? {
        return Ok(());
    }
    start_registration(conn, app, account, session, now)?;
    let MfaState::Pending(secret) = load_state(conn, app, account, Some(session))? else { return Err(Error::internal("no secret")) };
    let seconds = u64::try_from(now.timestamp()).map_err(Error::internal)?;
    let code = build_totp(&secret).ok_or_else(|| Error::internal("no code"))?.generate(seconds).to_string();
    confirm_device(conn, app, account, &code, session, now).map(drop)
}

/// Replaces the recovery codes.
fn replace_recovery_codes(conn: &mut Conn, app: &'static AppDef, account: &Value) -> Result<Vec<String>> {
    delete_recovery_codes(conn, app, account)?;
    let mut codes = Vec::new();
    for _ in 0..RECOVERY_CODES {
        let mut bytes = [0; RECOVERY_CODE_LENGTH];
        getrandom::fill(&mut bytes).map_err(Error::internal)?;
        let code: String = bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect();
        let mut insert = Statement::new();
        insert.push("INSERT INTO dz_recovery_codes (account, code_hash) VALUES (").bind(account.clone(), BindKind::from_account_key(app)?);
        insert.push(", ").bind(digest_code(account, &code), BindKind::Text).push(")");
        conn.execute(&insert)?;
        let parts: Vec<&str> = (0..RECOVERY_CODE_LENGTH / 6).filter_map(|at| code.get(at * 6..at * 6 + 6)).collect();
        codes.push(parts.join("-"));
    }
    Ok(codes)
}

fn delete_recovery_codes(conn: &mut Conn, app: &'static AppDef, account: &Value) -> Result<()> {
    let mut delete = Statement::new();
    delete.push("DELETE FROM dz_recovery_codes WHERE account = ").bind(account.clone(), BindKind::from_account_key(app)?);
    conn.execute(&delete).map(drop)
}

/// Removes the device and the recovery codes of an account, and returns whether there was a device.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn remove_device(conn: &mut Conn, app: &'static AppDef, account: &Value) -> Result<bool> {
    delete_recovery_codes(conn, app, account)?;
    let mut delete = Statement::new();
    delete.push("DELETE FROM dz_factors WHERE account = ").bind(account.clone(), BindKind::from_account_key(app)?);
    Ok(conn.execute(&delete)? > 0)
}

/// The URI that an authenticator app reads from the QR code.
pub(crate) fn provisioning_uri(app: &AppDef, email: &str, secret: &str) -> String {
    let encoded = |text: &str| url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20");
    // A colon separates the title and the address.
    let (title, email) = (encoded(&app.title.replace(':', " ")), encoded(&email.replace(':', " ")));
    format!("otpauth://totp/{title}:{email}?secret={secret}&issuer={title}&algorithm=SHA1&digits=6&period={TIME_STEP}")
}

/// A sign-in whose password was correct, and whose second factor is missing.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PendingSignIn {
    pub account: Value,
    pub next: String,
}

/// Stores a pending sign-in, and returns the token for the browser.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn start_sign_in(conn: &mut Conn, app: &'static AppDef, step: &PendingSignIn, until: DateTime<Utc>) -> Result<String> {
    let token = super::session::generate_token()?;
    let mut insert = Statement::new();
    insert
        .push("INSERT INTO dz_second_steps (token_hash, account, next_page, expires_at) VALUES (")
        .bind(hash_token(&token), BindKind::Text);
    insert
        .push(", ")
        .bind(step.account.clone(), BindKind::from_account_key(app)?)
        .push(", ")
        .bind(Value::Text(step.next.clone()), BindKind::Text);
    insert.push(", ").bind(Value::DateTime(until), BindKind::DateTime).push(")");
    conn.execute(&insert)?;
    Ok(token)
}

/// Finds the pending sign-in of a token.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn find_sign_in(conn: &mut Conn, app: &'static AppDef, token: &str, now: DateTime<Utc>) -> Result<Option<PendingSignIn>> {
    let account = app.account();
    let mut select = Statement::new();
    select
        .push("SELECT s.account, s.next_page FROM dz_second_steps AS s JOIN ")
        .append(crate::db::rows_without_tenant(account))
        .push(" AS a ON a.");
    select.ident(account.key().name).push(" = s.account WHERE s.token_hash = ").bind(hash_token(token), BindKind::Text);
    select.push(" AND s.expires_at > ").bind(Value::DateTime(now), BindKind::DateTime).push(" AND a.").ident("is_active").push(" = ");
    select.bind(Value::Bool(true), BindKind::Bool);
    let row = conn.rows(&select, &[BindKind::from_account_key(app)?, BindKind::Text])?.into_iter().next();
    Ok(row.and_then(|row| <[Value; 2]>::try_from(row).ok()).and_then(|[account, next]| match next {
        Value::Text(next) => Some(PendingSignIn { account, next }),
        _ => None,
    }))
}

/// Ends a pending sign-in, and returns whether it existed: one of two concurrent requests continues.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn end_sign_in(conn: &mut Conn, token: &str) -> Result<bool> {
    let mut delete = Statement::new();
    delete.push("DELETE FROM dz_second_steps WHERE token_hash = ").bind(hash_token(token), BindKind::Text);
    Ok(conn.execute(&delete)? > 0)
}

/// The refusal for a caller whose role requires a second factor that is not set up.
pub(crate) fn setup_required() -> Error {
    Error::new(403, CODE, "Your role requires a second factor: set one up at /app/-/factor")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_match_the_standard() {
        // RFC 6238, appendix B: the secret `12345678901234567890`, and the last six of the eight digits.
        let secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
        for (at, code) in [(59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (2_000_000_000, "279037")] {
            let now = DateTime::from_timestamp(at, 0).unwrap();
            assert_eq!(find_time_step(secret, code, now), Some(at / 30), "{at}");
            assert_eq!(find_time_step(secret, code, now + chrono::TimeDelta::seconds(30)), Some(at / 30), "typed slowly");
            assert_eq!(find_time_step(secret, code, now + chrono::TimeDelta::seconds(60)), None, "too late");
            assert_eq!(find_time_step(secret, code, now - chrono::TimeDelta::seconds(60)), None, "too early");
        }
        for wrong in ["", "28708", "2870822", "28708a", "٢٨٧٠٨٢"] {
            assert_eq!(find_time_step(secret, wrong, DateTime::from_timestamp(59, 0).unwrap()), None, "{wrong:?}");
        }
    }
}
