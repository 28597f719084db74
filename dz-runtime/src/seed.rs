//! Demo data: the rows of the declaration, created by the system, all or none.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::{
    Error, Result, Tx, Value, access, accounts,
    db::{BindKind, Conn, Statement},
    def::{AppDef, DemoRow, DemoValue, Expr, RoleDef},
    hooks::Hooks,
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
        record_run(conn, now)?;
        let mut tx = Tx::system(conn, app, hooks.clone(), now);
        let mut keys = Vec::with_capacity(app.demo.len());
        let mut sign_ins = Vec::new();
        for (at, row) in app.demo.iter().enumerate() {
            let made = insert_row(&mut tx, row, &keys, demo).map_err(|error| name_row(error, app, row, at))?;
            keys.push(made.0);
            sign_ins.extend(made.1.map(|(email, password)| SignIn { email, password, roles: role_titles(app, at) }));
        }
        Ok(SeedResult { rows: keys.len(), sign_ins })
    })
}

/// Records that the demo data was created, so that it is created only once.
fn record_run(conn: &mut Conn, now: DateTime<Utc>) -> Result<()> {
    let mut insert = Statement::new();
    insert.push("INSERT INTO dz_meta (key, value) VALUES ('seeded', ").bind(Value::Text(now.to_rfc3339()), BindKind::Text);
    insert.push(") ON CONFLICT DO NOTHING");
    match conn.execute(&insert)? {
        0 => Err(Error::new(409, "SEEDED", "The demo data is in the database already")),
        _ => Ok(()),
    }
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
        let made = rows::create_row(tx, &grant, given)?;
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
pub(crate) fn role_titles(app: &'static AppDef, at: usize) -> Vec<&'static str> {
    let mask = app.demo.get(at).and_then(|row| row.account.as_ref()).map_or(0, |account| account.roles);
    let members = app.members();
    let of = |row: &DemoRow, field| row.values.iter().find(|(ix, _)| *ix == field).map(|(_, value)| value);
    let own = app.demo.iter().filter_map(|row| {
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
fn name_row(mut error: Error, app: &'static AppDef, row: &DemoRow, at: usize) -> Error {
    let name = app.entity(row.entity).name;
    let nth = app.demo.iter().take(at + 1).filter(|other| other.entity == row.entity).count();
    // The command line prints the messages of fields alone if there are some, and they would not name the row.
    let fields = std::mem::take(&mut error.field_errors);
    let fields: Vec<_> = fields.iter().map(|(field, messages)| format!("`{field}` {}", messages.join(", "))).collect();
    let why = if fields.is_empty() { error.detail } else { fields.join("; ") };
    error.detail = format!("row {nth} of `{name}` in the demo data is refused ({}): {why}", error.code);
    error
}
