//! `seed`: loads the demo data of the declaration, or the rows of a scenario.

use super::{Outcome, prepare};
use crate::{
    App, Error, Result,
    def::{AppDef, DemoRow, DemoValue, Expr, ScenarioDef},
    output::{Progress, print_line},
    seed::{self, DemoData, SeedResult},
    suggest::did_you_mean,
};

/// `seed`
pub(super) fn load(app: App) -> Result<Outcome> {
    if app.def.demo.is_empty() {
        return Err(Error::bad_request("the declaration has no demo data: add a `demo:` block"));
    }
    let _progress = Progress::start();
    let state = prepare(app)?.state;
    let made = state.db.write(&mut |conn| seed::run(conn, state.app, &state.hooks, state.clock.now(), DemoData::Rows));
    report(made)?;
    Ok(Outcome::Done)
}

/// `seed --scenario NAME`
pub(super) fn load_scenario(app: App, name: &str) -> Result<Outcome> {
    let scenarios = app.def.scenarios;
    let Some(scenario) = scenarios.iter().find(|scenario| scenario.name == name) else {
        let near = did_you_mean(name, scenarios.iter().map(|scenario| scenario.name).collect());
        return Err(Error::bad_request(format!("the declaration has no scenario `{name}`{near}")));
    };
    let _progress = Progress::start();
    let state = prepare(app)?.state;
    let made = state.db.write(&mut |conn| seed::run_scenario(conn, state.app, &state.hooks, state.clock.now(), scenario));
    report(made)?;
    for line in start_lines(state.app, scenario) {
        print_line!("{line}")?;
    }
    Ok(Outcome::Done)
}

/// Prints the number of rows; rows that are in the database already are not a failure.
fn report(made: Result<SeedResult>) -> Result<()> {
    match made {
        Ok(made) => print_line!("{} rows", made.rows),
        Err(error) if error.code == "SEEDED" => print_line!("{}", error.detail),
        Err(error) => Err(error),
    }
}

/// The start page of each persona, with the accounts that can sign in as this persona.
fn start_lines(app: &'static AppDef, scenario: &'static ScenarioDef) -> Vec<String> {
    let rows = seed::scenario_rows(app, scenario);
    let sign_ins = sign_ins(app, &rows);
    let mut lines = Vec::new();
    for (bit, route) in scenario.starts {
        let Some(role) = app.roles.get(usize::from(*bit)) else { continue };
        let route = route.or(role.start).unwrap_or("/app");
        lines.push(format!("Start: {route}  ({})", role.title));
        let own = sign_ins.iter().filter(|(_, _, roles)| roles.contains(&role.title));
        lines.extend(own.map(|(email, password, roles)| format!("Sign in: {email} / {password}  ({})", roles.join(", "))));
    }
    lines
}

/// The address, the password and the roles of each account that can sign in.
fn sign_ins(app: &'static AppDef, rows: &[&'static DemoRow]) -> Vec<(&'static str, &'static str, Vec<&'static str>)> {
    let account = app.account();
    let sign_in = |(at, row): (usize, &&'static DemoRow)| {
        let password = row.account.as_ref()?.password?;
        let email = row.values.iter().find_map(|(field, value)| match value {
            DemoValue::Literal(Expr::Text(text)) if account.field(*field).name == "email" => Some(*text),
            DemoValue::Literal(_) | DemoValue::Row(_) => None,
        })?;
        Some((email, password, seed::role_titles(app, rows, at)))
    };
    rows.iter().enumerate().filter(|(_, row)| row.entity == account.ix).filter_map(sign_in).collect()
}
