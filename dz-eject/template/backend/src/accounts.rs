//! The commands that create accounts and grant roles.

use serde_json::{Map, Value as Json};

use crate::{
    auth::{passwords, sessions, tokens},
    caller::{Caller, Role},
    db::Database,
    input::Sent,
    problem::Problem,
/*IF TENANTS*/    tenancy,
/*END TENANTS*/    types::{Id, Timestamp},
    values::stored_email,
};

/// Creates an account with a password.
pub fn create(database: &Database, email: &str, options: &[&str]) -> Result<(), String> {
    let (password, fields) = read_options(email, options)?;
    passwords::check(&password, &stored_email(email)).map_err(|message| format!("the password {message}"))?;
    let hash = passwords::hash(&password).map_err(text)?;
    let caller = Caller::new(None, Vec::new(), Timestamp::new(chrono::Utc::now()));
    let body = serde_json::to_string(&Json::Object(fields)).map_err(|error| error.to_string())?;
    let members = serde_json::from_str(&body).map_err(|error| error.to_string())?;
    let account = crate::caller::read_account(Sent::new(members), &caller).map_err(text)?;
    let done = database.write(|connection| {
        let id = crate::caller::insert_account(connection, &account)?;
        sessions::store_password(connection, id, &hash)
    });
    done.map_err(text)
}

/// Gives the account with an address a role.
pub fn grant(database: &Database, email: &str, role: &str) -> Result<(), String> {
    check_role(role)?;
    let done = database.write(|connection| {
        let (id, _) = sessions::credentials(connection, &stored_email(email))?.ok_or_else(Problem::not_found)?;
        sessions::grant(connection, id, role)
    });
    done.map_err(|problem| match problem.status {
        404 => format!("there is no active account `{email}`"),
        _ => text(problem),
    })
}

/// Creates an API token for the account with an address; returns its key and the token.
pub fn create_token(database: &Database, email: &str, options: &[&str]) -> Result<(Id, String), String> {
    let now = Timestamp::new(chrono::Utc::now());
    let new = tokens::NewToken::parse(options, now)?;
    let done = database.write(|connection| {
        let (id, _) = sessions::credentials(connection, &stored_email(email))?.ok_or_else(Problem::not_found)?;
        tokens::create(connection, id, &new, now)
    });
    done.map_err(|problem| match problem.status {
        404 => format!("there is no active account `{email}`"),
        _ => text(problem),
    })
}

/*IF TENANTS*//// Gives the account with an address a role in a tenant.
pub fn grant_in_tenant(database: &Database, email: &str, role: &str, tenant: &str) -> Result<(), String> {
    check_role(role)?;
    let tenant = Id::parse(tenant).ok_or_else(|| format!("`{tenant}` is not the key of a tenant"))?;
    let now = Timestamp::new(chrono::Utc::now());
    let done = database.write(|connection| {
        let (id, _) = sessions::credentials(connection, &stored_email(email))?.ok_or_else(Problem::not_found)?;
        tenancy::grant(connection, (id, tenant), role, now)
    });
    done.map_err(|problem| match problem.status {
        404 => format!("there is no active account `{email}`"),
        _ => text(problem),
    })
}

/*END TENANTS*/fn check_role(role: &str) -> Result<(), String> {
    if Role::parse(role).is_some() {
        return Ok(());
    }
    let names: Vec<&str> = Role::ALL.iter().map(|(name, _)| *name).collect();
    Err(format!("there is no role `{role}`; the roles are {}", names.join(", ")))
}

/// The password, and the fields of the account by their names.
fn read_options(email: &str, options: &[&str]) -> Result<(String, Map<String, Json>), String> {
    let mut fields = Map::from_iter([("email".to_owned(), Json::from(email))]);
    let mut password = None;
    let mut rest = options.iter();
    while let Some(option) = rest.next() {
        match (*option, rest.clone().next()) {
            ("--password-stdin", _) => {
                let mut line = String::new();
                std::io::stdin().read_line(&mut line).map_err(|error| format!("the password cannot be read: {error}"))?;
                password = Some(line.trim_end_matches(['\r', '\n']).to_owned());
            }
            ("--password", Some(text)) => {
                password = Some((*text).to_owned());
                rest.next();
            }
            ("--set", Some(setting)) => {
                let (name, value) = setting.split_once('=').ok_or_else(|| format!("`--set {setting}` is not FIELD=VALUE"))?;
                let is_json = crate::caller::JSON_FIELDS.contains(&name);
                let json = serde_json::from_str(value).ok().filter(|_| is_json);
                fields.insert(name.to_owned(), json.unwrap_or_else(|| Json::from(value)));
                rest.next();
            }
            (other, _) => return Err(format!("`{other}` is not an option of `user create`, or lacks its value")),
        }
    }
    Ok((password.ok_or("`user create` needs --password or --password-stdin")?, fields))
}

fn text(problem: Problem) -> String {
    let fields: Vec<String> = problem.fields.iter().map(|(name, messages)| format!("{name} {}", messages.join(", "))).collect();
    if fields.is_empty() { problem.log_text().to_owned() } else { fields.join("; ") }
}
