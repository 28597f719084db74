//! Sign-in: sessions that are rows of the database, passwords, and the addresses below `/auth`.

pub mod devices;
pub mod factor;
/*IF MEMBERS*/pub mod invitations;
/*END MEMBERS*/pub mod passwords;
pub mod recovery;
pub mod registration;
pub mod sessions;
pub mod throttle;
pub mod tokens;

use rocket::{State, get, post, routes};
use serde_json::json;

use crate::{
    caller::{Account, Caller},
    config::Config,
    problem::{Problem, Result},
    reply::{Answer, Reply},
    request::{Body, Call},
    serve::Server,
    values::stored_email,
};

/// The addresses of this module.
pub fn routes() -> Vec<rocket::Route> {
    routes![
        login,
        logout,
        me,
        password,
        recovery::forgot,
        recovery::reset,
        recovery::verify,
        recovery::send_verification,
        registration::register,
        devices::list_sessions,
        devices::end_sessions,
        devices::list_tokens,
        devices::end_token,
        factor::begin,
        factor::confirm,
        factor::remove,
        factor::reset,
/*IF TENANTS*/        tenant,
/*END TENANTS*//*IF MEMBERS*/        invitations::invite,
        invitations::list,
        invitations::withdraw,
        invitations::accept,
/*END MEMBERS*/    ]
}

#[post("/auth/login", data = "<body>")]
async fn login(server: &State<Server>, call: Call, body: Body) -> Answer {
    server.run(call, move |server, call| {
        call.check_no_token()?;
        let [email, password] = body.texts(["email", "password"]).map_err(|problem| match problem.status {
            422 => Problem { detail: "Enter your email address and password".to_owned(), ..problem },
            _ => problem,
        })?;
        let account = verify(server, call, &email, &password)?;
        let account = account.ok_or_else(|| Problem::new(401, "AUTHENTICATION_REQUIRED", "The address or the password is wrong"))?;
        factor::check(server, call, account, &body)?;
        let (token, caller) = server.database.write(|connection| {
            if let Some(old) = &call.session {
                sessions::end(connection, old)?;
            }
            let now = server.now();
            let token = sessions::sign_in(connection, account, &call.agent, now)?;
            let caller = sessions::find(connection, &token, now)?.ok_or_else(Problem::unauthenticated)?;
            Ok((token, caller))
        })?;
        let reply = match body.is_form {
            // Only addresses of this application, so that a link cannot lead elsewhere after the sign-in.
            true => {
                let is_own = |next: &String| next.starts_with('/') && !next.starts_with("//") && !next.contains(['\\', '\r', '\n']);
                let next = body.form_value("next").filter(is_own).unwrap_or_else(|| "/".to_owned());
                Reply { status: 303, ..Reply::default() }.header("Location", next)
            }
            false => Reply::json(200, json!({ "account": caller.account.as_ref().map(describe), "roles": caller.role_names() })),
        };
        Ok(reply.header("Set-Cookie", cookie(&server.config, Some(&token))))
    })
    .await
}

/// The account with this address and password. Wrong passwords delay further attempts at the same account.
fn verify(server: &Server, call: &Call, email: &str, password: &str) -> Result<Option<crate::types::Id>> {
    let attempt = throttle::Attempt::new(stored_email(email), call.client);
    server.throttle.admit(&attempt)?;
    let found = server.database.read(|connection| sessions::credentials(connection, &stored_email(email)))?;
    // No connection is held during the hash, which is slow by design. Without an account the time is the same.
    let (account, hash) = found.map_or((None, None), |(account, hash)| (Some(account), hash));
    let fits = passwords::verify(password, hash.as_deref());
    if fits { server.throttle.forget(&attempt) } else { server.throttle.count(&attempt) }
    Ok(account.filter(|_| fits))
}

#[post("/auth/logout")]
async fn logout(server: &State<Server>, call: Call) -> Answer {
    server.run(call, |server, call| {
        call.check_no_token()?;
        if let Some(token) = &call.session {
            server.database.write(|connection| sessions::end(connection, token))?;
        }
        Ok(Reply::empty().header("Set-Cookie", cookie(&server.config, None)))
    })
    .await
}

#[get("/auth/me")]
async fn me(server: &State<Server>, call: Call) -> Answer {
    server.read(call, |_, caller, call| {
        let body = describe_caller(caller)?;
        call.check_parameters(&[])?;
        Ok(Reply::json(200, body))
    })
    .await
}

/// The account with its roles/*IF TENANTS*/ and memberships/*END TENANTS*/.
fn describe_caller(caller: &Caller) -> Result<serde_json::Value> {
    let mut body = describe(caller.signed_in()?);
    body["roles"] = json!(caller.role_names());
/*IF NO TENANTS*/    body["tenants"] = json!([]);
    body["tenant"] = json!(null);
/*END NO TENANTS*//*IF TENANTS*/    body["tenants"] = caller.memberships.iter().map(|it| json!({ "id": it.tenant, "name": it.name })).collect();
    body["tenant"] = json!(caller.tenant());
/*END TENANTS*/    Ok(body)
}
/*IF TENANTS*/
/// Switches to another tenant of the account.
#[post("/auth/tenant", data = "<body>")]
async fn tenant(server: &State<Server>, call: Call, body: Body) -> Answer {
    server.write(call, move |connection, caller, call| {
        call.check_no_token()?;
        caller.signed_in()?;
        let session = call.session.as_deref().ok_or_else(Problem::unauthenticated)?;
        let wanted = body.object()?.get("tenant").and_then(|raw| serde_json::from_str::<String>(raw.get()).ok());
        let wanted = wanted.ok_or_else(|| Problem::validation("tenant", "is required: the key of a tenant"))?;
        let found = caller.memberships.iter().find(|it| it.tenant.to_string() == wanted);
        let tenant = found.ok_or_else(|| Problem::forbidden("You are not a member of this tenant"))?.tenant;
        sessions::switch_tenant(connection, session, tenant)?;
        let caller = caller.clone().with_memberships(caller.memberships.clone(), Some(tenant));
        Ok(Reply::json(200, describe_caller(&caller)?))
    })
    .await
}
/*END TENANTS*/
/// Stores another password. All sessions of the account end; this one goes on with a new token.
#[post("/auth/password", data = "<body>")]
async fn password(server: &State<Server>, call: Call, body: Body) -> Answer {
    server.run(call, move |server, call| {
        call.check_no_token()?;
        let account = server.database.read(|connection| Ok(server.caller(connection, call)?.signed_in()?.clone()))?;
        let [current, new] = body.texts(["current", "new"])?;
        if verify(server, call, &account.email, &current)?.is_none() {
            return Err(Problem::validation("current", "is not your password"));
        }
        passwords::check(&new, &account.email).map_err(|message| Problem::validation("new", message))?;
        let hash = passwords::hash(&new)?;
        let token = server.database.write(|connection| {
            sessions::store_password(connection, account.id, &hash)?;
            sessions::start(connection, account.id, &call.agent, server.now())
        })?;
        Ok(Reply::empty().header("Set-Cookie", cookie(&server.config, Some(&token))))
    })
    .await
}

/// Ends all sessions and API tokens of an account.
pub fn end_access(connection: &mut crate::db::Connection, account: crate::types::Id) -> Result<()> {
    use diesel::{ExpressionMethods, QueryDsl, RunQueryDsl};
    diesel::delete(sessions::dz_sessions::table.filter(sessions::dz_sessions::account.eq(account))).execute(connection)?;
    diesel::delete(tokens::dz_tokens::table.filter(tokens::dz_tokens::account.eq(account))).execute(connection)?;
    Ok(())
}

fn describe(account: &Account) -> serde_json::Value {
    json!({ "id": account.id, "email": account.email, "name": account.name })
}

/// The header that sets the session cookie, or deletes it.
fn cookie(config: &Config, token: Option<&str>) -> String {
    let (value, seconds) = token.map_or(("", 0), |token| (token, 7 * 86_400));
    let secure = if config.is_https() { "; Secure" } else { "" };
    format!("{}={value}; HttpOnly; SameSite=Lax{secure}; Path=/; Max-Age={seconds}", config.session_cookie())
}

impl Caller {
    /// The account of the caller.
    pub fn signed_in(&self) -> Result<&Account> {
        self.account.as_ref().ok_or_else(Problem::unauthenticated)
    }
}
