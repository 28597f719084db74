//! Who may change the mail address of an account: the address receives password resets, so a changed address can take over the account.

use crate::{
    Caller, Error, Result, Tx, Value,
    db::{BindKind, Statement, emit::Emit},
    def::{EntityDef, Members},
    record::{FieldValues, Row},
    tenancy,
};

/// Checks a change of the mail address of an account.
///
/// A caller needs a recent sign-in for the own account, and in a session for other accounts; a program with an API token can change the
/// addresses of other accounts. The address of an account with roles or memberships that the caller lacks can only be changed by an
/// administrator of the system, as its roles can.
///
/// # Errors
/// 403 `SIGN_IN_AGAIN`, 403 at the address.
pub(super) fn check(tx: &mut Tx<'_>, account: &'static EntityDef, before: &Row, changes: &FieldValues) -> Result<()> {
    let Some((at, field)) = account.find("email") else { return Ok(()) };
    if tx.caller.system || changes.get(at).is_none_or(|new| new == before.value(at)) {
        return Ok(());
    }
    let own = tx.caller.account.as_ref().is_some_and(|of| of.id == *before.value(account.pk));
    if own || tx.caller.token.is_none() {
        tx.caller
            .require_recent_sign_in(say!("dz-another-address", "Another address"))
            .map_err(|error| error.at(field.name, "requires a recent sign-in: sign out and in again in another tab, then save"))?;
    }
    if own || tx.caller.system_admin || !has_further_rights(tx, account, before)? {
        return Ok(());
    }
    let message = say!("dz-has-roles-that-you-lack", "can be changed by an administrator only: the account has roles that you do not have");
    Err(Error::forbidden(say!("dz-address-of-more-roles", "This account has roles that you do not have")).at(field.name, message))
}

/// True if an account has a role or a membership that the caller lacks.
fn has_further_rights(tx: &mut Tx<'_>, account: &'static EntityDef, row: &Row) -> Result<bool> {
    let key = row.value(account.pk);
    let mut roles = load_granted_roles(tx, key)?;
    if roles.iter().any(|role| *role == Value::Text("admin".to_owned())) {
        return Ok(true);
    }
    roles.extend(["role", "roles"].iter().filter_map(|name| account.find(name)).map(|(at, _)| row.value(at).clone()));
    if roles.iter().any(|role| tenancy::mask(tx.app, role) & !tx.caller.system_roles != 0) {
        return Ok(true);
    }
    let Some(members) = tx.app.members() else { return Ok(false) };
    let (roles, tenant) = (tx.caller.roles, tx.caller.tenant().cloned());
    let all = Caller { all_tenants: true, ..tx.caller.clone() };
    let memberships = tx.for_caller(all, |tx| load_memberships(tx, &members, key))?;
    let app = tx.app;
    Ok(memberships.iter().any(|(of, personas)| Some(of) != tenant.as_ref() || tenancy::mask(app, personas) & !roles != 0))
}

fn load_granted_roles(tx: &mut Tx<'_>, key: &Value) -> Result<Vec<Value>> {
    let mut select = Statement::new();
    select.push("SELECT role FROM dz_roles WHERE account = ").bind(key.clone(), BindKind::from_account_key(tx.app)?);
    Ok(tx.conn.rows(&select, &[BindKind::Text])?.into_iter().flatten().collect())
}

/// The tenants of an account, each with the personas there.
fn load_memberships(tx: &mut Tx<'_>, members: &Members, key: &Value) -> Result<Vec<(Value, Value)>> {
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let field = |at| members.entity.field(at);
    let personas = BindKind::from_kind(field(members.personas).kind, tx.app).unwrap_or(BindKind::Json);
    let mut select = Statement::new();
    select.push("SELECT ").ident(field(members.tenant).name).push(", ").ident(field(members.personas).name).push(" FROM ");
    select.append(emit.visible_rows(members.entity)).push(" AS m WHERE ").ident(field(members.account).name).push(" = ");
    select.bind(key.clone(), BindKind::from_account_key(tx.app)?);
    let rows = tx.conn.rows(&select, &[BindKind::from_tenant_key(tx.app)?, personas])?;
    Ok(rows.into_iter().filter_map(|row| <[Value; 2]>::try_from(row).ok()).map(|[tenant, personas]| (tenant, personas)).collect())
}
