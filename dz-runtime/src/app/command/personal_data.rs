//! `account export` and `account erase`.

use super::{App, Outcome, find_account, prepare};
use crate::{
    Result, Tx,
    app::{personal_data, serve},
    output::{Progress, print_line, show_step},
};

/// What the report says about data outside of the tables of the application.
const OUTSIDE: &str = "not erased: backups and log files, which their own retention ends; texts about the person in rows without a \
                       reference to the account";

pub(super) fn run(app: App, words: &[&str]) -> Result<Outcome> {
    match words {
        ["export", email] => export(app, email),
        ["erase", email] => erase(app, email, false),
        ["erase", email, "--format", "json"] => erase(app, email, true),
        _ => Ok(Outcome::Usage("`account` needs `export EMAIL` or `erase EMAIL [--format json]`".to_owned())),
    }
}

fn export(app: App, email: &str) -> Result<Outcome> {
    let _progress = Progress::start();
    let state = prepare(app)?.state;
    show_step!("reading the rows of the account");
    let document = state.db.read(&mut |conn| {
        let account = find_account(conn, state.app, email)?;
        personal_data::export(conn, state.app, &account)
    })?;
    print_line!("{}", serde_json::to_string_pretty(&document).map_err(crate::Error::internal)?)?;
    Ok(Outcome::Done)
}

fn erase(app: App, email: &str, json: bool) -> Result<Outcome> {
    let _progress = Progress::unless_json(json);
    let (engine, state) = (app.engine, prepare(app)?.state);
    show_step!("removing the values of the account");
    let erased = serve::as_owner(&state.config, engine, state.app, &state.db, |db| {
        db.write(&mut |conn| {
            let account = find_account(conn, state.app, email)?;
            personal_data::erase(&mut Tx::system(conn, state.app, state.hooks.clone(), state.clock.now()), &account)
        })
    })?;
    if json {
        print_line!("{}", erased.json())?;
        return Ok(Outcome::Done);
    }
    print_line!("the account is {}", if erased.deleted { "deleted" } else { "anonymised, because other rows refer to it" })?;
    for (entity, field, rows) in &erased.cleared {
        print_line!("cleared {entity}.{field} in {rows} rows")?;
    }
    for (entity, field, rows, reason) in &erased.remaining {
        print_line!("not erased: {entity}.{field} in {rows} rows: {reason}")?;
    }
    print_line!("removed the values of {} records of the audit log, which name the account by its key", erased.records)?;
    print_line!("{OUTSIDE}")?;
    Ok(Outcome::Done)
}
