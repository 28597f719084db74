//! Consequences of writes to accounts and memberships for sessions, tokens, links and invitations.

use crate::{
    Result, Tx, Value,
    db::{BindKind, Conn, Statement, rows_without_tenant},
    def::{AppDef, EntityDef},
    record::{FieldValues, Row},
};

/// Adds the consequences of a change of an account: links that were mailed to the old address, or to a disabled account, become
/// invalid.
pub(in crate::rows) fn invalidate_links(account: &'static EntityDef, before: &Row, changes: &mut FieldValues) {
    let changes_to = |name: &str, changes: &FieldValues| {
        let at = account.find(name).map(|(at, _)| at)?;
        changes.get(at).filter(|value| *value != before.value(at)).cloned()
    };
    let moved = changes_to("email", changes).is_some();
    let closed = changes_to("is_active", changes) == Some(Value::Bool(false));
    if !moved && !closed {
        return;
    }
    for name in ["email_verify_token", "password_reset_token", "password_reset_expires"] {
        if let Some((at, _)) = account.find(name) {
            changes.set(at, Value::Null);
        }
    }
    if let (true, Some((at, _))) = (moved, account.find("email_verified"))
        && changes.get(at).is_none()
    {
        changes.set(at, Value::Bool(false));
    }
}

/// The address before a change, if the change replaced it.
pub(in crate::rows) fn old_address(account: &'static EntityDef, before: &Row, after: &Row) -> Option<String> {
    let (at, _) = account.find("email")?;
    match before.value(at) {
        Value::Text(old) if before.value(at) != after.value(at) => Some(old.clone()),
        _ => None,
    }
}

/// Ends the sessions and revokes the tokens of a disabled account, so that they stay invalid if the account is enabled again.
pub(in crate::rows) fn end_access_of_closed(conn: &mut Conn, app: &'static AppDef, row: &Row) -> Result<()> {
    let account = app.account();
    let active = account.find("is_active").and_then(|(at, _)| row.values.get(usize::from(at)));
    match (active, row.values.get(usize::from(account.pk))) {
        (Some(Value::Bool(false)), Some(id)) => {
            end_sessions(conn, app, id, None)?;
            revoke_tokens(conn, app, id)
        }
        _ => Ok(()),
    }
}

/// Ends every session of an account except the one whose token has the hash `keep`, and every sign-in that waits for its code.
pub(crate) fn end_sessions(conn: &mut Conn, app: &'static AppDef, account: &Value, keep: Option<Value>) -> Result<()> {
    let mut delete = Statement::new();
    delete.push("DELETE FROM dz_sessions WHERE account = ").bind(account.clone(), BindKind::from_account_key(app)?);
    if let Some(keep) = keep {
        delete.push(" AND token_hash <> ").bind(keep, BindKind::Text);
    }
    conn.execute(&delete)?;
    let mut waiting = Statement::new();
    waiting.push("DELETE FROM dz_second_steps WHERE account = ").bind(account.clone(), BindKind::from_account_key(app)?);
    conn.execute(&waiting).map(drop)
}

/// Revokes every API token of an account.
pub(crate) fn revoke_tokens(conn: &mut Conn, app: &'static AppDef, account: &Value) -> Result<()> {
    let mut delete = Statement::new();
    delete.push("DELETE FROM dz_tokens WHERE account = ").bind(account.clone(), BindKind::from_account_key(app)?);
    conn.execute(&delete).map(drop)
}

/// Removes the invitation of a removed member, whose link would add the member again.
pub(in crate::rows) fn remove_invitation(tx: &mut Tx<'_>, row: &Row) -> Result<()> {
    let Some(members) = tx.app.members() else { return Ok(()) };
    let account = tx.app.account();
    let mut delete = Statement::new();
    delete.push("DELETE FROM dz_invitations WHERE tenant = ").bind(row.value(members.tenant).clone(), BindKind::from_tenant_key(tx.app)?);
    delete.push(" AND email IN (SELECT ").ident("email").push(" FROM ").append(rows_without_tenant(account)).push(" AS a WHERE ");
    delete.ident(account.key().name).push(" = ").bind(row.value(members.account).clone(), BindKind::from_account_key(tx.app)?).push(")");
    tx.conn.execute(&delete).map(drop)
}
