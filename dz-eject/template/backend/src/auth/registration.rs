//! Registration: a person creates an account, which is active after the mailed link confirms its address. It has no role.
//!
//! The response does not depend on whether an address has an account.

use diesel::{ExpressionMethods, QueryDsl, RunQueryDsl};
use rocket::{State, post};
use serde_json::{Map, Value as Json, value::RawValue};
use subtle::ConstantTimeEq;

use super::{
    passwords,
    recovery::{confirmation_token, start_reset},
    sessions::{generate_token, hash},
};
use crate::{
    caller::{Caller, NEW_ACCOUNT, account_key, accounts, insert_account, read_account},
    config::Config,
    input::Sent,
    mail::{self, Kind},
    problem::{FieldErrors, Problem, Result},
    reply::{Answer, Reply},
    request::{Body, Call, Members},
    serve::Server,
    values::stored_email,
};

/// The member of the body with further fields of the account.
const MEMBER: &str = "account";
/// The lifetime of the cookie of the registering browser, in seconds; equal to that of the link.
const KEPT: u32 = 3 * 86_400;

/// Creates an account.
#[post("/auth/register", data = "<body>")]
pub async fn register(server: &State<Server>, call: Call, body: Body) -> Answer {
    server
        .run(call, move |server, call| {
            if !server.config.registration {
                return Err(Problem::not_found());
            }
            call.check_no_token()?;
            let [email, password] = body.texts(["email", "password"])?;
            let (fields, checked) = (read_fields(&body, &email), passwords::check(&password, &email));
            let (fields, hashed) = match (fields, checked) {
                (Ok(fields), Ok(())) => (fields, passwords::hash(&password)?),
                (Ok(_), Err(message)) => return Err(Problem::validation("password", message)),
                (Err(problem), Ok(())) => return Err(problem),
                (Err(problem), Err(message)) => return Err(problem.at("password", message)),
            };
            let kept = store(server, &stored_email(&email), fields, &hashed)?;
            Ok(Reply::empty().header("Set-Cookie", cookie(&server.config, &kept)))
        })
        .await
}

/// Stores the account; returns the value of the cookie, which is random if the address has an account.
fn store(server: &Server, email: &str, fields: Map<String, Json>, password: &str) -> Result<String> {
    let now = server.now();
    let token = confirmation_token(now)?;
    let text = Json::Object(fields).to_string();
    let members: Members<'_> = serde_json::from_str(&text).map_err(Problem::internal)?;
    let row = read_account(Sent::new(members), &Caller::new(None, Vec::new(), now)).map_err(qualified)?;
    let stored = server.database.write(|connection| {
        let key = insert_account(connection, &row)?;
        let changes = (
            accounts::password_hash.eq(password),
            accounts::is_active.eq(false),
            accounts::email_verify_token.eq(hash(&token)),
        );
        diesel::update(accounts::table.filter(account_key.eq(key))).set(changes).execute(connection)?;
        Ok(())
    });
    match stored {
        Ok(()) => {
            mail::send(&server.config, Kind::Confirm, email, &token);
            Ok(registrant(&token))
        }
        Err(problem) if problem.code == "UNIQUE" && problem.fields.contains_key("email") => {
            if let Some(token) = server.database.write(|connection| start_reset(connection, email, now))? {
                mail::send(&server.config, Kind::Reset, email, &token);
            }
            Ok(registrant(&generate_token()?))
        }
        Err(problem) => Err(qualified(problem)),
    }
}

/// The fields of the account that the body has; one problem names everything that is wrong.
pub fn read_fields(body: &Body, email: &str) -> Result<Map<String, Json>> {
    let mut fields = Map::from_iter([("email".to_owned(), Json::from(email))]);
    if let Ok([name]) = body.texts(["name"])
        && !name.trim().is_empty()
    {
        fields.insert("name".to_owned(), Json::from(name.trim()));
    }
    let mut errors = FieldErrors::default();
    for (name, value) in further_fields(body)? {
        match NEW_ACCOUNT.contains(&name.as_str()) {
            true if value.is_null() => {}
            true => drop(fields.insert(name, value)),
            false => errors.add(&format!("{MEMBER}.{name}"), "is not a field of this form"),
        }
    }
    for name in NEW_ACCOUNT.iter().filter(|name| !fields.contains_key(**name)) {
        errors.add(&format!("{MEMBER}.{name}"), "is required");
    }
    errors.into_result()?;
    Ok(fields)
}

fn further_fields(body: &Body) -> Result<Map<String, Json>> {
    if body.is_form {
        let value = |name: &&str| Some(((*name).to_owned(), Json::from(body.form_value(&format!("{MEMBER}-{name}"))?)));
        return Ok(NEW_ACCOUNT.iter().filter_map(value).collect());
    }
    let members = body.object()?;
    let Some(raw): Option<&&RawValue> = members.get(MEMBER) else { return Ok(Map::new()) };
    serde_json::from_str(raw.get()).map_err(|_| Problem::validation(MEMBER, "must be an object with fields"))
}

/// The problem with the names of fields as the body has them.
pub fn qualified(mut problem: Problem) -> Problem {
    for name in NEW_ACCOUNT {
        if let Some(messages) = problem.fields.remove(*name) {
            problem.fields.insert(format!("{MEMBER}.{name}"), messages);
        }
    }
    problem
}

/// What the registering browser keeps. With the mailed token it proves that registration and confirmation are of the same person.
fn registrant(token: &str) -> String {
    hash(&format!("registered with {token}"))
}

/// True if the browser that confirms an address is the one that registered it.
pub fn is_registrant(call: &Call, token: &str) -> bool {
    call.registrant.as_deref().is_some_and(|kept| kept.as_bytes().ct_eq(registrant(token).as_bytes()).into())
}

fn cookie(config: &Config, value: &str) -> String {
    let secure = if config.is_https() { "; Secure" } else { "" };
    format!("{}={value}; HttpOnly; SameSite=Lax{secure}; Path=/; Max-Age={KEPT}", config.registrant_cookie())
}
