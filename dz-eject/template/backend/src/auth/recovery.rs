//! Forgotten passwords and the confirmation of addresses, by mailed links. Each link works once and expires; the database has only the
//! hash of its token.
//!
//! The response never depends on whether an address has an account: accounts are looked up after it.

use chrono::TimeDelta;
use diesel::{BoolExpressionMethods, ExpressionMethods, OptionalExtension, QueryDsl, RunQueryDsl};
use rocket::{State, post};

use super::{
    passwords, registration,
    sessions::{dz_sessions, generate_token, hash},
    tokens::dz_tokens,
};
use crate::{
    caller::{account_key, accounts},
    db::Connection,
    mail::{self, Kind},
    problem::{Problem, Result},
    reply::{Answer, Reply},
    request::{Body, Call},
    serve::Server,
    types::{Id, Timestamp},
    values::stored_email,
};

/// The lifetime of a link that sets a password.
const RESET: TimeDelta = TimeDelta::hours(1);
/// The lifetime of a link that confirms an address.
const CONFIRM: TimeDelta = TimeDelta::days(3);

/// Mails a link that sets a password, if the address has an account.
#[post("/auth/forgot", data = "<body>")]
pub async fn forgot(server: &State<Server>, call: Call, body: Body) -> Answer {
    server.run(call, move |server, _| {
        let [email] = body.texts(["email"])?;
        let later = server.clone();
        rocket::tokio::task::spawn_blocking(move || {
            let email = stored_email(&email);
            match later.database.write(|connection| start_reset(connection, &email, later.now())) {
                Ok(Some(token)) => mail::send(&later.config, Kind::Reset, &email, &token),
                Ok(None) => {}
                Err(problem) => eprintln!("a mail to reset a password was not sent: {}", problem.log_text()),
            }
        });
        Ok(Reply::empty())
    })
    .await
}

/// Sets the password of the account to which a link was mailed. All its sessions and API tokens end.
#[post("/auth/reset", data = "<body>")]
pub async fn reset(server: &State<Server>, call: Call, body: Body) -> Answer {
    server.run(call, move |server, _| {
        let [token, password] = body.texts(["token", "password"])?;
        let spent = || {
            let text = "This link was used or has expired; request a new one";
            Problem::new(422, "VALIDATION", text).at("token", "is unknown, used or expired")
        };
        let now = server.now();
        let email = server.database.read(|connection| {
            let found: Option<String> = accounts::table
                .filter(accounts::password_reset_token.eq(hash(&token)))
                .filter(accounts::password_reset_expires.gt(now))
                .filter(accounts::is_active.eq(true).or(accounts::email_verify_token.is_not_null()))
                .select(accounts::email)
                .first(connection)
                .optional()?;
            found.ok_or_else(spent)
        })?;
        passwords::check(&password, &email).map_err(|message| Problem::validation("password", message))?;
        let hashed = passwords::hash(&password)?;
        server.database.write(|connection| {
            let key = owner(connection, &token, now)?.ok_or_else(spent)?;
            // The link reached the mailbox, so the address is confirmed.
            let changes = (
                accounts::password_hash.eq(&hashed),
                accounts::email_verified.eq(true),
                accounts::is_active.eq(true),
                accounts::password_reset_token.eq(None::<String>),
                accounts::password_reset_expires.eq(None::<Timestamp>),
                accounts::email_verify_token.eq(None::<String>),
                accounts::dz_version.eq(accounts::dz_version + 1_i64),
            );
            diesel::update(accounts::table.filter(account_key.eq(key))).set(changes).execute(connection)?;
            diesel::delete(dz_sessions::table.filter(dz_sessions::account.eq(key))).execute(connection)?;
            diesel::delete(dz_tokens::table.filter(dz_tokens::account.eq(key))).execute(connection)?;
            Ok(Reply::empty())
        })
    })
    .await
}

/// Confirms an address.
#[post("/auth/verify", data = "<body>")]
pub async fn verify(server: &State<Server>, call: Call, body: Body) -> Answer {
    server.run(call, move |server, call| {
        let [token] = body.texts(["token"])?;
        let is_registrant = registration::is_registrant(call, &token);
        let is_valid = token.rsplit_once('.').and_then(|(_, until)| until.parse::<i64>().ok()).is_some_and(|until| until > server.now().0.timestamp());
        let confirmed = server.database.write(|connection| {
            let rows = || accounts::table.filter(accounts::email_verify_token.eq(hash(&token)));
            if is_valid && !is_registrant {
                // Another browser registered the address, so the password can be that of another person. An active account keeps its own.
                let unconfirmed = rows().filter(accounts::is_active.eq(false));
                diesel::update(unconfirmed).set(accounts::password_hash.eq(None::<String>)).execute(connection)?;
            }
            let changes = (
                accounts::email_verify_token.eq(None::<String>),
                accounts::email_verified.eq(true),
                accounts::is_active.eq(true),
                accounts::dz_version.eq(accounts::dz_version + 1_i64),
            );
            if is_valid { Ok(diesel::update(rows()).set(changes).execute(connection)?) } else { Ok(0) }
        })?;
        match confirmed {
            0 => {
                let text = "This link was used or has expired";
                Err(Problem::new(422, "VALIDATION", text).at("token", "is unknown, used or expired"))
            }
            _ => Ok(Reply::empty()),
        }
    })
    .await
}

/// Mails another link that confirms the address of the caller.
#[post("/auth/verify/send")]
pub async fn send_verification(server: &State<Server>, call: Call) -> Answer {
    server.run(call, |server, call| {
        let account = server.database.read(|connection| Ok(server.caller(connection, call)?.signed_in()?.clone()))?;
        let token = confirmation_token(server.now())?;
        let stored = server.database.write(|connection| {
            // In the meantime the account may be disabled, or have another address.
            let rows = accounts::table
                .filter(account_key.eq(account.id))
                .filter(accounts::email.eq(&account.email))
                .filter(accounts::is_active.eq(true));
            Ok(diesel::update(rows).set(accounts::email_verify_token.eq(hash(&token))).execute(connection)?)
        })?;
        if stored > 0 {
            mail::send(&server.config, Kind::Confirm, &account.email, &token);
        }
        Ok(Reply::empty())
    })
    .await
}

/// A token that confirms an address. It contains its own end, which its hash protects.
pub fn confirmation_token(now: Timestamp) -> Result<String> {
    Ok(format!("{}.{}", generate_token()?, (now.0 + CONFIRM).timestamp()))
}

/// Stores a token for the account with an address, if it is not disabled; a new token replaces the previous one.
pub fn start_reset(connection: &mut Connection, email: &str, now: Timestamp) -> Result<Option<String>> {
    let token = generate_token()?;
    let rows = accounts::table
        .filter(accounts::email.eq(email))
        .filter(accounts::is_active.eq(true).or(accounts::email_verify_token.is_not_null()));
    let changes =
        (accounts::password_reset_token.eq(hash(&token)), accounts::password_reset_expires.eq(Timestamp(now.0 + RESET)));
    let found = diesel::update(rows).set(changes).execute(connection)?;
    Ok((found > 0).then_some(token))
}

/// The account whose password a token can set. Its row is locked, so that only one of two requests finds the token.
fn owner(connection: &mut Connection, token: &str, now: Timestamp) -> Result<Option<Id>> {
    let rows = accounts::table
        .filter(accounts::password_reset_token.eq(hash(token)))
        .filter(accounts::password_reset_expires.gt(now))
        .filter(accounts::is_active.eq(true).or(accounts::email_verify_token.is_not_null()))
        .select(account_key);
    #[cfg(feature = "postgres")]
    let rows = rows.for_update();
    Ok(rows.first(connection).optional()?)
}

/// Makes the links that were mailed to an account invalid.
pub fn forget_links(connection: &mut Connection, account: Id) -> Result<()> {
    let changes = (
        accounts::email_verify_token.eq(None::<String>),
        accounts::password_reset_token.eq(None::<String>),
        accounts::password_reset_expires.eq(None::<Timestamp>),
    );
    diesel::update(accounts::table.filter(account_key.eq(account))).set(changes).execute(connection)?;
    Ok(())
}
