//! The stored choices of accounts for their pages: one row of `dz_preferences` for each account that has chosen.

use super::normalize_address;
use crate::{
    Result, Value,
    db::{BindKind, Conn, Statement, rows_without_tenant},
    def::AppDef,
    preferences::Preferences,
};

/// The choices of the account `a`, as a column of the statement that loads it.
pub(super) fn select(app: &'static AppDef) -> Statement {
    let mut select = Statement::new();
    select.push("(SELECT value FROM dz_preferences WHERE account = a.").ident(app.account().key().name).push(")");
    select
}

/// Loads the choices of the account with an address; without an account there are none.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn find_by_address(conn: &mut Conn, app: &'static AppDef, email: &str) -> Result<Preferences> {
    let mut query = Statement::new();
    query.push("SELECT ").append(select(app)).push(" FROM ").append(rows_without_tenant(app.account())).push(" AS a WHERE a.");
    query.ident("email").push(" = ").bind(Value::Text(normalize_address(email).replace('\0', "")), BindKind::Text);
    Ok(match conn.rows(&query, &[BindKind::Text])?.into_iter().flatten().next() {
        Some(Value::Text(stored)) => Preferences::parse(&stored),
        _ => Preferences::default(),
    })
}

/// Stores the choices of an account.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn store(conn: &mut Conn, app: &'static AppDef, account: &Value, chosen: &Preferences) -> Result<()> {
    let key = BindKind::from_account_key(app)?;
    let Some(text) = chosen.to_stored() else {
        let mut delete = Statement::new();
        delete.push("DELETE FROM dz_preferences WHERE account = ").bind(account.clone(), key);
        return conn.execute(&delete).map(drop);
    };
    let mut upsert = Statement::new();
    upsert.push("INSERT INTO dz_preferences (account, value) VALUES (").bind(account.clone(), key).push(", ");
    upsert.bind(Value::Text(text), BindKind::Text).push(") ON CONFLICT (account) DO UPDATE SET value = excluded.value");
    conn.execute(&upsert).map(drop)
}
