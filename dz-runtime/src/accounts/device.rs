//! The devices of an account, so that its owner is notified of a sign-in from a new one.

use chrono::{DateTime, TimeDelta, Utc};

use super::session::hash_token;
use crate::{
    Result, Value,
    db::{BindKind, Conn, Statement, rows_without_tenant},
    def::AppDef,
};

/// An account without a sign-in for this long is dormant.
const DORMANT_AFTER: TimeDelta = TimeDelta::days(90);
/// The number of devices that are stored for an account.
const MAX_DEVICES: i64 = 50;

/// The reason why a sign-in is unusual.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unusual {
    /// The account was used only from other devices.
    Device,
    /// The account was not used for a long time.
    Dormant,
}

/// Records the device of a sign-in before the account is updated, and returns why the sign-in is unusual, if it is.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn record(conn: &mut Conn, app: &'static AppDef, account: &Value, device: &str, now: DateTime<Utc>) -> Result<Option<Unusual>> {
    let of = app.account();
    let mut select = Statement::new();
    select.push("SELECT a.").ident("last_login").push(", (SELECT count(*) FROM dz_devices AS d WHERE d.account = a.");
    select.ident(of.key().name).push(") FROM ").append(rows_without_tenant(of)).push(" AS a WHERE a.").ident(of.key().name).push(" = ");
    select.bind(account.clone(), BindKind::from_account_key(app)?);
    let row = conn.rows(&select, &[BindKind::DateTime, BindKind::Int])?.into_iter().next().unwrap_or_default();
    let (last, known) = match row.as_slice() {
        [last, Value::Int(known)] => (last.clone(), *known),
        _ => (Value::Null, 0),
    };
    let hash = hash_token(&format!("device {device} of {account:?}"));
    let mut update = Statement::new();
    update.push("UPDATE dz_devices SET seen_at = ").bind(Value::DateTime(now), BindKind::DateTime).push(" WHERE account = ");
    update.bind(account.clone(), BindKind::from_account_key(app)?).push(" AND device_hash = ").bind(hash.clone(), BindKind::Text);
    let seen = conn.execute(&update)? > 0;
    if !seen && known < MAX_DEVICES {
        let mut insert = Statement::new();
        insert
            .push("INSERT INTO dz_devices (account, device_hash, seen_at) VALUES (")
            .bind(account.clone(), BindKind::from_account_key(app)?)
            .push(", ");
        insert.bind(hash, BindKind::Text).push(", ").bind(Value::DateTime(now), BindKind::DateTime).push(") ON CONFLICT DO NOTHING");
        conn.execute(&insert)?;
    }
    Ok(match last {
        Value::DateTime(last) if now - last >= DORMANT_AFTER => Some(Unusual::Dormant),
        _ => (!seen && known > 0).then_some(Unusual::Device),
    })
}
