//! Demo data: the rows of the declaration, created by the system, all or none.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::{
    Error, Result, Tx, Value, access, accounts,
    db::{BindKind, Conn, Statement},
    def::{AppDef, DemoRow, DemoValue, Expr, RoleDef, ScenarioDef},
    hooks::Hooks,
    output::show_step,
    record::FieldValues,
    rows,
};

/// The created demo data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeedResult {
    /// Number of rows.
    pub rows: usize,
    /// The accounts that can sign in.
    pub sign_ins: Vec<SignIn>,
}

/// A demo account that can sign in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignIn {
    /// The address.
    pub email: String,
    /// The password.
    pub password: &'static str,
    /// The titles of its roles.
    pub roles: Vec<&'static str>,
}

/// What an empty database gets in development.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DemoData {
    /// The demo rows.
    #[default]
    Rows,
    /// The demo rows; no account has a password, because the computation of password hashes is slow by design.
    RowsWithoutPasswords,
    /// Nothing.
    None,
}

/// Creates the demo rows of an application in a transaction of their own.
///
/// # Errors
/// 409 if they were created before; otherwise the error of the first invalid row, with the name of the row.
pub fn run(conn: &mut Conn, app: &'static AppDef, hooks: &Arc<Hooks>, now: DateTime<Utc>, demo: DemoData) -> Result<SeedResult> {
    conn.transaction(&mut |conn| {
        let (rows, keys) = (app.demo.iter().collect::<Vec<_>>(), Vec::new());
        let recorded = "The demo data is in the database already";
        insert_all(&mut Tx::system(conn, app, hooks.clone(), now), &rows, keys, Run { name: DEMO, recorded, demo })
    })
}

/// Creates the rows of a scenario in a transaction of their own, after the demo rows that do not exist yet.
///
/// # Errors
/// 409 if they were created before; otherwise the error of the first invalid row, with the name of the row.
pub fn run_scenario(
    conn: &mut Conn,
    app: &'static AppDef,
    hooks: &Arc<Hooks>,
    now: DateTime<Utc>,
    scenario: &'static ScenarioDef,
) -> Result<SeedResult> {
    conn.transaction(&mut |conn| {
        let mut tx = Tx::system(conn, app, hooks.clone(), now);
        let (keys, done) = load_keys(&mut tx)?;
        let rows = scenario_rows(app, scenario);
        let recorded = "The rows of the scenario are in the database already";
        // Rows of the demo data that exist are not created again.
        let first = if done { app.demo.len() } else { 0 };
        let name = format!("{DEMO}.scenario.{}", scenario.name);
        if !done {
            record(&mut tx, DEMO, &now.to_rfc3339())?;
        }
        let created = insert_all(&mut tx, &rows, keys, Run { name: &name, recorded, demo: DemoData::Rows })?;
        Ok(SeedResult { rows: created.rows - first, ..created })
    })
}

/// The demo rows, and those of a scenario, in the order of their creation.
pub(crate) fn scenario_rows(app: &'static AppDef, scenario: &'static ScenarioDef) -> Vec<&'static DemoRow> {
    app.demo.iter().chain(scenario.demo).collect()
}

/// The key in `dz_meta` of the creation of the demo data.
const DEMO: &str = "seeded";
/// The key in `dz_meta` of the keys of the demo rows, to which the rows of scenarios refer.
const DEMO_KEYS: &str = "seeded.rows";

/// A creation of rows.
struct Run<'r> {
    /// The key in `dz_meta` that records it.
    name: &'r str,
    /// The error if it is recorded already.
    recorded: &'static str,
    demo: DemoData,
}

/// Creates the rows after those whose keys are known.
fn insert_all(tx: &mut Tx<'_>, rows: &[&'static DemoRow], known: Vec<Value>, run: Run<'_>) -> Result<SeedResult> {
    let time = tx.now().to_rfc3339();
    if !record(tx, run.name, &time)? {
        return Err(Error::new(409, "SEEDED", run.recorded));
    }
    let (first, mut keys) = (known.len(), known);
    let mut sign_ins = Vec::new();
    for (at, row) in rows.iter().enumerate().skip(first) {
        show_step!("demo data: row {} of {}", at + 1, rows.len());
        let made = insert_row(tx, row, &keys, run.demo).map_err(|error| name_row(error, tx.app, rows, at))?;
        keys.push(made.0);
        sign_ins.extend(made.1.map(|(email, password)| SignIn { email, password, roles: role_titles(tx.app, rows, at) }));
    }
    // Rules over rows that refer to a row hold when all of them exist.
    for (at, key) in keys.iter().enumerate().skip(first) {
        let Some(row) = rows.get(at) else { continue };
        show_step!("demo data: checking row {} of {}", at + 1, rows.len());
        rows::check_children(tx, tx.app.entity(row.entity), key).map_err(|error| name_row(error, tx.app, rows, at))?;
    }
    let demo: Vec<Option<String>> = keys.iter().take(tx.app.demo.len()).map(Value::to_key_text).collect();
    record(tx, DEMO_KEYS, &serde_json::to_string(&demo).map_err(Error::internal)?)?;
    Ok(SeedResult { rows: keys.len(), sign_ins })
}

/// Records a fact once; false if it is recorded already.
fn record(tx: &mut Tx<'_>, key: &str, value: &str) -> Result<bool> {
    let mut insert = Statement::new();
    insert.push("INSERT INTO dz_meta (key, value) VALUES (").bind(Value::Text(key.to_owned()), BindKind::Text);
    insert.push(", ").bind(Value::Text(value.to_owned()), BindKind::Text).push(") ON CONFLICT DO NOTHING");
    Ok(tx.conn.execute(&insert)? > 0)
}

/// The keys of the demo rows if they were created, and whether they were.
///
/// # Errors
/// 409 if the declaration has other rows now, or an earlier version of dz created them.
fn load_keys(tx: &mut Tx<'_>) -> Result<(Vec<Value>, bool)> {
    let mut select = Statement::new();
    select.push("SELECT key, value FROM dz_meta WHERE key IN (").bind(Value::Text(DEMO.to_owned()), BindKind::Text);
    select.push(", ").bind(Value::Text(DEMO_KEYS.to_owned()), BindKind::Text).push(")");
    let found = tx.conn.rows(&select, &[BindKind::Text, BindKind::Text])?;
    let value = |wanted: &str| {
        found.iter().find_map(|row| match row.as_slice() {
            [Value::Text(key), Value::Text(value)] if key == wanted => Some(value.as_str()),
            _ => None,
        })
    };
    if value(DEMO).is_none() {
        return Ok((Vec::new(), false));
    }
    let texts: Vec<Option<String>> = value(DEMO_KEYS).and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    if texts.len() != tx.app.demo.len() {
        let why = "The demo data in the database is that of another version of the declaration; load the scenario into an empty database";
        return Err(Error::new(409, "OTHER_DEMO_DATA", why));
    }
    let key = |(text, row): (&Option<String>, &DemoRow)| match text {
        Some(text) => rows::parse_key(tx, tx.app.entity(row.entity), text),
        None => Ok(Value::Null),
    };
    let keys = texts.iter().zip(tx.app.demo).map(key).collect::<Result<Vec<_>>>()?;
    Ok((keys, true))
}

fn insert_row(tx: &mut Tx<'_>, row: &DemoRow, keys: &[Value], demo: DemoData) -> Result<(Value, Option<(String, &'static str)>)> {
    let entity = tx.app.entity(row.entity);
    let mut given = FieldValues::default();
    for (field, value) in row.values {
        let value = match value {
            DemoValue::Literal(expr) => rows::constant(expr, entity.field(*field).kind, &tx.caller, tx.app),
            DemoValue::Row(earlier) => keys.get(usize::from(*earlier)).cloned().unwrap_or_default(),
        };
        given.set(*field, value);
    }
    if !entity.account {
        let grant = tx.ask::<access::Create>(entity)?;
        let made = rows::create_row(tx, &grant, rows::await_children(given))?;
        return Ok((made.values.get(usize::from(entity.pk)).cloned().unwrap_or_default(), None));
    }
    let email = match entity.find("email").and_then(|(at, _)| given.get(at)) {
        Some(Value::Text(email)) => crate::field::email::normalize_for_account(email),
        _ => String::new(),
    };
    let (password, roles) = row.account.as_ref().map_or((None, 0), |account| (account.password, account.roles));
    let password = password.filter(|_| demo == DemoData::Rows);
    let id = accounts::insert(tx, given, password)?;
    accounts::grant_mask(tx.conn, tx.app, &id, roles)?;
    Ok((id, password.map(|password| (email, password))))
}

/// The titles of the roles of a demo account: first its own, then those of its memberships.
pub(crate) fn role_titles(app: &'static AppDef, rows: &[&DemoRow], at: usize) -> Vec<&'static str> {
    let mask = rows.get(at).and_then(|row| row.account.as_ref()).map_or(0, |account| account.roles);
    let members = app.members();
    let of = |row: &DemoRow, field| row.values.iter().find(|(ix, _)| *ix == field).map(|(_, value)| value);
    let own = rows.iter().filter_map(|row| {
        let members = members.as_ref().filter(|it| it.entity.ix == row.entity)?;
        match (of(row, members.account)?, of(row, members.personas)?) {
            (DemoValue::Row(account), DemoValue::Literal(Expr::Typed(_, names))) if usize::from(*account) == at => {
                serde_json::from_str::<Vec<String>>(names).ok()
            }
            _ => None,
        }
    });
    let names: Vec<String> = own.flatten().collect();
    let held = |(bit, role): &(usize, &RoleDef)| mask >> bit & 1 == 1 || names.iter().any(|name| name == role.name);
    app.roles.iter().enumerate().filter(held).map(|(_, role)| role.title).collect()
}

/// Adds the name of the row to an error.
fn name_row(mut error: Error, app: &'static AppDef, rows: &[&DemoRow], at: usize) -> Error {
    let Some(row) = rows.get(at) else { return error };
    let name = app.entity(row.entity).name;
    let nth = rows.iter().take(at + 1).filter(|other| other.entity == row.entity).count();
    // The command line prints the messages of fields alone if there are some, and they would not name the row.
    let fields = std::mem::take(&mut error.field_errors);
    let fields: Vec<_> = fields.iter().map(|(field, messages)| format!("`{field}` {}", messages.join(", "))).collect();
    let why = if fields.is_empty() { error.detail } else { fields.join("; ") };
    error.detail = format!("row {nth} of `{name}` in the demo data is refused ({}): {why}", error.code);
    error
}
