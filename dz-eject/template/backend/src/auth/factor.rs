//! The second factor: codes of a device (TOTP, RFC 6238), and recovery codes for a lost device.
//!
//! A code is valid in its period of 30 seconds and the next one, and only once. Recovery codes are valid once; the database has only
//! their hashes. With `DZ_SECRETS` the secrets are encrypted, see `secrets`.

use diesel::{ExpressionMethods, OptionalExtension, QueryDsl, RunQueryDsl};
use rocket::{State, post};
use serde_json::json;
use totp_rs::{Algorithm, Builder, Secret, Totp};

use super::{
    devices::find_account,
    sessions::{self, dz_sessions, hash},
    throttle::Attempt,
};
use crate::{
    APP_TITLE,
    caller::Account,
    db::Connection,
    problem::{Problem, Result},
    reply::{Answer, Reply},
    request::{Body, Call},
    secrets::Secrets,
    serve::Server,
    types::{Id, Timestamp},
};

diesel::table! {
    use diesel::sql_types::{BigInt, Nullable, Text};
    use crate::types::sql::{Identifier, Instant};

    dz_factors (account) {
        account -> Identifier,
        secret -> Text,
        confirmed_at -> Nullable<Instant>,
        last_step -> BigInt,
        created_at -> Instant,
    }
}

diesel::table! {
    use diesel::sql_types::Text;
    use crate::types::sql::Identifier;

    dz_recovery_codes (account, code_hash) {
        account -> Identifier,
        code_hash -> Text,
    }
}

/// The period of a code, in seconds.
const PERIOD: i64 = 30;
const RECOVERY_CODES: usize = 8;
/// The letters of recovery codes, without similar ones.
const LETTERS: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz023456789";
const RECOVERY_LENGTH: usize = 24;
const WRONG: &str = "is wrong, expired or already used";

/// Starts to set up a device: the answer has the secret, and the address that an app reads from a QR code.
#[post("/auth/factor/begin", data = "<body>")]
pub async fn begin(server: &State<Server>, call: Call, body: Body) -> Answer {
    server
        .run(call, move |server, call| {
            let account = owner(server, call)?;
            check_password(server, call, &account, &body)?;
            let mut bytes = [0; 20];
            getrandom::fill(&mut bytes).map_err(Problem::internal)?;
            let secret = Secret::new_stack(bytes).to_base32();
            // A secret is confirmed in the session that created it, because that session has just verified the password.
            let stored = server.config.secrets.encrypt(&context(account.id), &secret)? + &suffix(call)?;
            server.database.write(|connection| store_secret(connection, account.id, stored, server.now()))?;
            Ok(Reply::json(200, json!({ "secret": secret, "address": address(&account.email, &secret) })))
        })
        .await
}

/// Confirms the device by one of its codes; the answer has the recovery codes, which are shown once.
#[post("/auth/factor/confirm", data = "<body>")]
pub async fn confirm(server: &State<Server>, call: Call, body: Body) -> Answer {
    server
        .run(call, move |server, call| {
            let account = owner(server, call)?;
            let [code] = body.texts(["code"])?;
            let attempt = attempt(account.id, call);
            server.throttle.admit(&attempt)?;
            let (own, suffix) = (call.session.as_deref().map(hash).unwrap_or_default(), suffix(call)?);
            let codes = server.database.write(|connection| {
                let rows = dz_factors::table.find(account.id).filter(dz_factors::confirmed_at.is_null());
                let stored: Option<String> = rows.select(dz_factors::secret).first(connection).optional()?;
                let Some(secret) = stored.as_deref().and_then(|stored| stored.strip_suffix(&suffix)) else { return Ok(None) };
                if !use_device_code(connection, &server.config.secrets, account.id, (secret, &normal(&code)), server.now())? {
                    return Ok(None);
                }
                let changes = (dz_factors::confirmed_at.eq(server.now()), dz_factors::secret.eq(secret));
                diesel::update(dz_factors::table.find(account.id)).set(changes).execute(connection)?;
                let others = dz_sessions::table.filter(dz_sessions::account.eq(account.id)).filter(dz_sessions::token_hash.ne(&own));
                diesel::delete(others).execute(connection)?;
                replace_recovery_codes(connection, account.id).map(Some)
            })?;
            match codes {
                Some(codes) => Ok(Reply::json(200, json!({ "recovery_codes": codes }))),
                None => {
                    server.throttle.count(&attempt);
                    Err(Problem::validation("code", WRONG))
                }
            }
        })
        .await
}

/// Removes the device, with the password and a code.
#[post("/auth/factor/remove", data = "<body>")]
pub async fn remove(server: &State<Server>, call: Call, body: Body) -> Answer {
    server
        .run(call, move |server, call| {
            let account = owner(server, call)?;
            check_password(server, call, &account, &body)?;
            let [code] = body.texts(["code"])?;
            if !is_valid(server, call, account.id, &code)? {
                return Err(Problem::validation("code", WRONG));
            }
            server.database.write(|connection| remove_device(connection, account.id))?;
            Ok(Reply::empty())
        })
        .await
}

/// An administrator removes the lost device of an account, whose sessions end.
#[post("/auth/factor/reset", data = "<body>")]
pub async fn reset(server: &State<Server>, call: Call, body: Body) -> Answer {
    server
        .write(call, move |connection, caller, call| {
            call.check_no_token()?;
            caller.signed_in()?;
            let [email] = body.texts(["email"])?;
            caller.check_system_admin()?;
            let account = find_account(connection, &email)?.ok_or_else(Problem::not_found)?;
            remove_device(connection, account)?;
            diesel::delete(dz_sessions::table.filter(dz_sessions::account.eq(account))).execute(connection)?;
            Ok(Reply::empty())
        })
        .await
}

/// The account of the caller.
fn owner(server: &Server, call: &Call) -> Result<Account> {
    call.check_no_token()?;
    server.database.read(|connection| Ok(server.caller(connection, call)?.signed_in()?.clone()))
}

/// Refuses a request without the password of the account; without a password, one whose sign-in is not recent.
fn check_password(server: &Server, call: &Call, account: &Account, body: &Body) -> Result<()> {
    let found = server.database.read(|connection| sessions::credentials(connection, &account.email))?;
    if found.is_some_and(|(_, hash)| hash.is_none()) {
        return server.database.read(|connection| server.caller(connection, call)?.check_recent_sign_in("A second factor"));
    }
    let [current] = body.texts(["current"])?;
    match super::verify(server, call, &account.email, &current)? {
        Some(_) => Ok(()),
        None => Err(Problem::validation("current", "is not your password")),
    }
}

/// Checks the code of a sign-in whose password was right, if the account has a device.
pub fn check(server: &Server, call: &Call, account: Id, body: &Body) -> Result<()> {
    let device = dz_factors::table.find(account).filter(dz_factors::confirmed_at.is_not_null());
    let count: i64 = server.database.read(|connection| Ok(device.count().get_result(connection)?))?;
    if count == 0 {
        return Ok(());
    }
    let refusal = |text: &str| Problem::new(401, "SECOND_FACTOR", text);
    let [code] = body.texts(["code"]).map_err(|_| refusal("The account has a second factor; send its code as `code`"))?;
    match is_valid(server, call, account, &code)? {
        true => Ok(()),
        false => Err(refusal("The code is wrong, expired or already used")),
    }
}

/// Uses a code of the device, or a recovery code. Wrong codes delay further attempts.
fn is_valid(server: &Server, call: &Call, account: Id, code: &str) -> Result<bool> {
    let (attempt, code) = (attempt(account, call), normal(code));
    server.throttle.admit(&attempt)?;
    let valid = server.database.write(|connection| {
        if code.len() == RECOVERY_LENGTH {
            let row = dz_recovery_codes::table.find((account, digest(account, &code)));
            return Ok(diesel::delete(row).execute(connection)? > 0);
        }
        let rows = dz_factors::table.find(account).filter(dz_factors::confirmed_at.is_not_null());
        let stored: Option<String> = rows.select(dz_factors::secret).first(connection).optional()?;
        let Some(stored) = stored else { return Ok(false) };
        use_device_code(connection, &server.config.secrets, account, (&stored, &code), server.now())
    })?;
    if valid { server.throttle.forget(&attempt) } else { server.throttle.count(&attempt) }
    Ok(valid)
}

/// Uses a code: a code of the same period, or of an earlier one, is refused afterwards.
fn use_device_code(
    connection: &mut Connection,
    secrets: &Secrets,
    account: Id,
    (stored, code): (&str, &str),
    now: Timestamp,
) -> Result<bool> {
    let Some(step) = find_step(&secrets.decrypt(&context(account), stored)?, code, now.0.timestamp()) else { return Ok(false) };
    let row = dz_factors::table.filter(dz_factors::account.eq(account)).filter(dz_factors::last_step.lt(step));
    Ok(diesel::update(row).set(dz_factors::last_step.eq(step)).execute(connection)? > 0)
}

fn totp(secret: &str) -> Option<Totp> {
    let secret = Secret::try_from_base32(secret).ok()?;
    Builder::new().with_algorithm(Algorithm::SHA1).with_digits(6).with_skew(0).with_secret(secret).build().ok()
}

/// The period of a code: the current one or the previous one.
fn find_step(secret: &str, code: &str, now: i64) -> Option<i64> {
    let totp = totp(secret)?;
    let fits = |at: i64| u64::try_from(at).is_ok_and(|at| totp.check(code, at).is_some());
    if fits(now) {
        return Some(now / PERIOD);
    }
    fits(now - PERIOD).then_some(now / PERIOD - 1)
}

/// The code of a secret at a time, in seconds.
pub fn code_at(secret: &str, seconds: u64) -> Option<String> {
    Some(totp(secret)?.generate(seconds).to_string())
}

/// Stores an unconfirmed secret, which replaces another one.
fn store_secret(connection: &mut Connection, account: Id, secret: String, now: Timestamp) -> Result<()> {
    let rows = || dz_factors::table.find(account);
    let confirmed: i64 = rows().filter(dz_factors::confirmed_at.is_not_null()).count().get_result(connection)?;
    if confirmed > 0 {
        return Err(Problem::new(409, "CONFLICT", "The account has a second factor already; remove it first"));
    }
    diesel::delete(rows()).execute(connection)?;
    let row = (
        dz_factors::account.eq(account),
        dz_factors::secret.eq(secret),
        dz_factors::last_step.eq(0_i64),
        dz_factors::created_at.eq(now),
    );
    diesel::insert_into(dz_factors::table).values(row).execute(connection)?;
    Ok(())
}

fn replace_recovery_codes(connection: &mut Connection, account: Id) -> Result<Vec<String>> {
    diesel::delete(dz_recovery_codes::table.filter(dz_recovery_codes::account.eq(account))).execute(connection)?;
    let mut codes = Vec::new();
    for _ in 0..RECOVERY_CODES {
        let mut bytes = [0; RECOVERY_LENGTH];
        getrandom::fill(&mut bytes).map_err(Problem::internal)?;
        let code: String = bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect();
        let row = (dz_recovery_codes::account.eq(account), dz_recovery_codes::code_hash.eq(digest(account, &code)));
        diesel::insert_into(dz_recovery_codes::table).values(row).execute(connection)?;
        let parts: Vec<&str> = (0..RECOVERY_LENGTH / 6).filter_map(|at| code.get(at * 6..at * 6 + 6)).collect();
        codes.push(parts.join("-"));
    }
    Ok(codes)
}

fn remove_device(connection: &mut Connection, account: Id) -> Result<()> {
    diesel::delete(dz_recovery_codes::table.filter(dz_recovery_codes::account.eq(account))).execute(connection)?;
    diesel::delete(dz_factors::table.find(account)).execute(connection)?;
    Ok(())
}

/// The attempts at the codes of an account are counted together.
fn attempt(account: Id, call: &Call) -> Attempt {
    Attempt::new(format!("code of {account}"), call.client)
}

/// Codes without the signs that people type between characters.
fn normal(code: &str) -> String {
    code.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// What the secret of an account is encrypted for.
fn context(account: Id) -> String {
    format!("second factor of Uuid({account})")
}

fn digest(account: Id, code: &str) -> String {
    hash(&format!("recovery of Uuid({account}) by {code}"))
}

/// The end of an unconfirmed secret, which names its session.
fn suffix(call: &Call) -> Result<String> {
    let session = call.session.as_deref().ok_or_else(Problem::unauthenticated)?;
    Ok(format!(" {}", hash(session)))
}

/// The address that an app reads from a QR code.
fn address(email: &str, secret: &str) -> String {
    let encoded = |text: &str| url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20");
    // A colon separates the title and the address.
    let (title, email) = (encoded(&APP_TITLE.replace(':', " ")), encoded(&email.replace(':', " ")));
    format!("otpauth://totp/{title}:{email}?secret={secret}&issuer={title}&algorithm=SHA1&digits=6&period={PERIOD}")
}
