//! Tenants: the rows that a caller can access, its memberships, and its roles in the current tenant.
//!
//! The tenant filter is added in one place, `db/visible_rows`, for each `FROM` and `JOIN`. For writes, [`check_tenant`] compares
//! the tenant of the row with the caller's tenant; no value from a client can bypass it.

mod memberships;
#[cfg(all(test, feature = "sqlite", feature = "postgres"))]
pub(crate) mod tests;

pub(crate) use memberships::{TenantChoice, load_memberships};

use serde_json::Value as Json;

use crate::{
    Caller, Error, Result, Value,
    caller::TenantScope,
    caller::refuse_without_tenant,
    def::{AppDef, EntityDef},
    record::Row,
};

/// The tenant of a row.
pub(crate) fn row_tenant(entity: &EntityDef, row: &Row) -> Option<Value> {
    entity.tenancy.tenant.map(|at| row.value(at).clone()).filter(|tenant| !tenant.is_null())
}

/// The tenant whose administrators can see an audit record: the caller's current tenant. For rows of other tenants (memberships,
/// and the consequences of changes of an account) it is the tenant of the row, so that no tenant sees another one.
pub(crate) fn record_tenant(caller: &Caller, entity: &EntityDef, row: Option<&Row>) -> Option<Value> {
    match row {
        Some(row) if entity.tenancy.tenant.is_some() => row_tenant(entity, row),
        None if entity.tenancy.tenant.is_some() && caller.tenant_scope_of(entity) == TenantScope::All => None,
        _ => caller.tenant().cloned(),
    }
}

/// Refuses a row of a tenant that is not the caller's current one, and roles in a membership that the caller does not have.
///
/// # Errors
/// 403 and 422.
pub(crate) fn check_tenant(
    app: &'static AppDef,
    entity: &'static EntityDef,
    before: Option<&[Value]>,
    after: &[Value],
    caller: &Caller,
) -> Result<()> {
    let Some(at) = entity.tenancy.tenant else { return Ok(()) };
    let tenant = after.get(usize::from(at)).unwrap_or(&Value::Null);
    match caller.tenant_scope_of(entity) {
        TenantScope::One(own) if *tenant != own => {
            return Err(Error::forbidden(say!("dz-a-row-must-belong-to-your-tenant", "A row must belong to your current tenant")));
        }
        TenantScope::None => return Err(refuse_without_tenant(caller)),
        TenantScope::All | TenantScope::One(_) => {}
    }
    let members = app.members().filter(|members| members.entity.ix == entity.ix);
    let Some(members) = members.filter(|_| !caller.system && !caller.system_admin) else { return Ok(()) };
    let (account, personas) = (usize::from(members.account), usize::from(members.personas));
    // Another account gets all roles of the membership.
    let old = before.filter(|before| before.get(account) == after.get(account)).and_then(|before| before.get(personas));
    let old = old.map_or(0, |old| mask(app, old));
    let added = after.get(personas).map_or(0, |new| mask(app, new)) & !old;
    match app.roles.iter().enumerate().find(|(bit, _)| (added & !caller.roles) >> bit & 1 == 1) {
        Some((_, role)) => Err(Error::validation(
            "personas",
            say!("dz-you-do-not-have-the-role-yourself", "you do not have the role `{role}` yourself", role = role.name),
        )),
        None => Ok(()),
    }
}

/// Refuses personas that a caller may not grant: only administrators of the tenant grant personas, and only those that they have.
///
/// # Errors
/// 403 and 422.
pub(crate) fn check_personas(app: &'static AppDef, caller: &Caller, personas: &[String]) -> Result<()> {
    if caller.system || caller.system_admin {
        return Ok(());
    }
    if !caller.tenant_admin {
        return Err(Error::forbidden(say!("dz-only-an-administrator-may-invite", "Only an administrator of this tenant may invite")));
    }
    let lacks =
        |(bit, role): &(usize, &crate::def::RoleDef)| (caller.roles >> bit) & 1 == 0 && personas.iter().any(|name| name == role.name);
    match app.roles.iter().enumerate().find(lacks) {
        Some((_, role)) => Err(Error::validation(
            "personas",
            say!("dz-you-do-not-have-the-role-yourself", "you do not have the role `{role}` yourself", role = role.name),
        )),
        None => Ok(()),
    }
}

/// Removes the tenant field from the error of a unique index, because uniqueness always applies within a tenant.
pub(crate) fn hide_tenant_field(entity: &'static EntityDef, mut error: Error) -> Error {
    if let Some(at) = entity.tenancy.tenant {
        error.field_errors.remove(entity.field(at).name);
    }
    error
}

/// The error of the personas of a membership.
pub(crate) fn find_unknown_persona(app: &'static AppDef, value: &Value) -> Option<String> {
    let Value::Json(Json::Array(names)) = value else { return Some("must be a list of personas".to_owned()) };
    let known = |name: &Json| name.as_str().is_some_and(|name| app.roles.iter().any(|role| role.name == name));
    let names: Vec<&Json> = names.iter().filter(|name| !known(name)).collect();
    let first = names.first()?;
    let all: Vec<&str> = app.roles.iter().map(|role| role.name).collect();
    Some(format!("has no persona {first}; the personas are {}", all.join(", ")))
}

/// The mask of the roles of personas: a list of names, or one name.
pub(crate) fn mask(app: &'static AppDef, personas: &Value) -> u64 {
    let held = |name: &str| match personas {
        Value::Json(Json::Array(names)) => names.iter().any(|it| it.as_str() == Some(name)),
        Value::Text(one) => one == name,
        Value::Null
        | Value::Json(_)
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Float(_)
        | Value::Decimal(_)
        | Value::Uuid(_)
        | Value::Date(_)
        | Value::DateTime(_) => false,
    };
    app.roles.iter().enumerate().filter(|(_, role)| held(role.name)).fold(0, |mask, (bit, _)| mask | 1 << bit)
}

/// True if the caller is an administrator of its current tenant.
pub(crate) fn is_tenant_admin(app: &'static AppDef, caller: &Caller) -> bool {
    let admin = |name: &str| matches!(name, "admin" | "tenant_admin");
    caller.membership.is_some() && app.roles.iter().enumerate().any(|(bit, role)| caller.roles >> bit & 1 == 1 && admin(role.name))
}
