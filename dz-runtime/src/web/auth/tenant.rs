//! `POST /auth/tenant`: switches the current tenant.

use crate::{
    Error, Result, Tx, Value, accounts,
    state::State,
    tenancy::{self, TenantChoice},
    web::{
        Call, Reply, auth,
        request::{body, csrf},
    },
};

/// Switches to a tenant of which the account is a member.
pub(crate) fn switch(state: &State, tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    tx.app.tenant().ok_or_else(Error::not_found)?;
    tx.caller.account.as_ref().ok_or_else(Error::unauthenticated)?;
    let session = call.session.as_deref().ok_or_else(Error::unauthenticated)?;
    let wanted = read_tenant(call)?;
    let is_it = |key: &Value| key.to_key_text().as_ref() == Some(&wanted);
    let tenant = tx.caller.memberships.iter().map(|it| it.tenant.clone()).find(is_it);
    let tenant = tenant.ok_or_else(|| Error::forbidden(say!("dz-you-are-not-a-member-of-this", "You are not a member of this tenant")))?;
    accounts::switch_tenant(tx.conn, tx.app, session, &tenant)?;
    if !call.wants_json {
        return Ok(Reply::see_other("/app"));
    }
    let mut caller = tx.caller.clone();
    tenancy::load_memberships(tx.conn, tx.app, &mut caller, &TenantChoice::This(tenant))?;
    auth::describe_caller(tx, &caller, state)
}

/// The key in the request.
fn read_tenant(call: &Call) -> Result<String> {
    let missing = || Error::validation("tenant", say!("dz-is-required-the-key-of-a-tenant", "is required: the key of a tenant"));
    if call.json.is_none() {
        return call.form.iter().find(|(name, _)| name == "tenant").map(|(_, value)| value.clone()).ok_or_else(missing);
    }
    let members = body::parse_object(call)?;
    let value = members.get("tenant").and_then(|raw| serde_json::from_str(raw.get()).ok());
    match value {
        Some(serde_json::Value::String(key)) => Ok(key),
        Some(serde_json::Value::Number(key)) => Ok(key.to_string()),
        _ => Err(missing()),
    }
}

/// Binds the form token of a page to the tenant of its forms.
pub(crate) fn bind_token(tx: &Tx<'_>, csrf: &str) -> String {
    match tx.app.tenant() {
        Some(_) => format!("{csrf}.{}", tx.caller.tenant().and_then(Value::to_key_text).unwrap_or_default()),
        None => csrf.to_owned(),
    }
}

/// Refuses a form that was opened in another tenant.
///
/// # Errors
/// 409 `TENANT`.
pub(crate) fn check_form(tx: &Tx<'_>, call: &Call) -> Result<()> {
    if call.method != "POST" || tx.app.tenant().is_none() {
        return Ok(());
    }
    let sent = csrf::find_token(&call.form).and_then(|token| token.split_once('.'));
    match sent {
        Some((_, tenant)) if tenant != tx.caller.tenant().and_then(Value::to_key_text).unwrap_or_default() => Err(Error::new(
            409,
            "TENANT",
            say!(
                "dz-you-switched-to-another-tenant-after-opening",
                "You switched to another tenant after opening this form; nothing was saved"
            ),
        )),
        _ => Ok(()),
    }
}
