//! Tenants: whose rows a caller sees, where it is a member, and which roles it has there.
//!
//! The condition enters statements in one place, [`live`](crate::db::live): where the rows of an entity stand in a `FROM`
//! or `JOIN`, they are those of the caller's tenant. On new rows it is written by [`keep`], which no value of a client's
//! gets past.

mod load;
#[cfg(all(test, feature = "sqlite", feature = "postgres"))]
pub(crate) mod tests;

pub(crate) use load::{Chosen, settle};

use serde_json::Value as Json;

use crate::{
    Caller, Error, Result, Value,
    def::{AppDef, Archetype, EntityDef},
    rows::Row,
};

/// A tenant of which an account is a member, and as whom.
#[derive(Debug, Clone, PartialEq)]
pub struct Membership {
    /// The key of the tenant.
    pub tenant: Value,
    /// What to call it.
    pub name: String,
    /// Mask of the roles that it gives there.
    pub roles: u64,
    /// The one that is active after signing in.
    pub primary: bool,
}

/// Whose rows somebody sees.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Reach {
    /// Those of all tenants, and those of none.
    Everywhere,
    /// Those of the tenant with this key.
    In(Value),
    /// None that belong to a tenant.
    Nowhere,
}

impl Caller {
    /// The key of the tenant where the caller is.
    pub fn tenant(&self) -> Option<&Value> {
        self.membership.as_ref().map(|membership| &membership.tenant)
    }

    /// Whose rows of tenants the caller sees.
    pub(crate) fn reach(&self) -> Reach {
        match (self.tenant(), self.system) {
            _ if self.everywhere => Reach::Everywhere,
            (Some(tenant), _) => Reach::In(tenant.clone()),
            (None, true) => Reach::Everywhere,
            (None, false) => Reach::Nowhere,
        }
    }

    /// Whose rows of an entity the caller sees. Administrators of the whole system see everywhere who is a member of what.
    pub(crate) fn reach_of(&self, entity: &EntityDef) -> Reach {
        #[cfg(all(test, feature = "sqlite", feature = "postgres"))]
        if testing::is_off() {
            return Reach::Everywhere;
        }
        let members = self.system_admin && entity.tenancy.archetype == Some(Archetype::UserMembership);
        if entity.tenancy.tenant.is_none() || members { Reach::Everywhere } else { self.reach() }
    }

    /// The caller as the rules of an entity know it: roles of a membership do not count everywhere.
    pub(crate) fn on(&self, entity: &EntityDef) -> std::borrow::Cow<'_, Caller> {
        match entity.tenancy.system_roles && self.system_roles != self.roles {
            true => std::borrow::Cow::Owned(Caller { roles: self.system_roles, ..self.clone() }),
            false => std::borrow::Cow::Borrowed(self),
        }
    }

    /// The system itself, at work for one tenant.
    pub(crate) fn for_tenant(self, tenant: Option<Value>) -> Caller {
        let membership = tenant.map(|tenant| Membership { tenant, name: String::new(), roles: 0, primary: false });
        Caller { membership, ..self }
    }
}

/// The tenant of a row.
pub(crate) fn of_row(entity: &EntityDef, row: &Row) -> Option<Value> {
    entity.tenancy.tenant.map(|at| row.value(at).clone()).filter(|tenant| !tenant.is_null())
}

/// The tenant whose administrators see the record of what somebody does: the one where it is. Where somebody reaches rows of
/// other tenants (memberships, and what goes with an account) it is that of the row, so that no tenant learns of another.
pub(crate) fn of_record(caller: &Caller, entity: &EntityDef, row: Option<&Row>) -> Option<Value> {
    match row {
        Some(row) if entity.tenancy.tenant.is_some() => of_row(entity, row),
        None if entity.tenancy.tenant.is_some() && caller.reach_of(entity) == Reach::Everywhere => None,
        _ => caller.tenant().cloned(),
    }
}

/// What somebody without a tenant is told.
pub(crate) fn nowhere() -> Error {
    Error::forbidden("This belongs to a tenant: choose one of your tenants first")
}

/// Refuses a row of another tenant than the caller's, whoever put it together, and roles that the caller lacks itself in
/// a membership.
///
/// # Errors
/// 403 and 422.
pub(crate) fn keep(
    app: &'static AppDef,
    entity: &'static EntityDef,
    before: Option<&[Value]>,
    after: &[Value],
    caller: &Caller,
) -> Result<()> {
    let Some(at) = entity.tenancy.tenant else { return Ok(()) };
    let tenant = after.get(usize::from(at)).unwrap_or(&Value::Null);
    match caller.reach_of(entity) {
        Reach::In(own) if *tenant != own => return Err(Error::forbidden("A row must belong to your current tenant")),
        Reach::Nowhere => return Err(nowhere()),
        _ => {}
    }
    let personas = app.members().filter(|members| members.entity.ix == entity.ix).map(|members| usize::from(members.personas));
    let Some(personas) = personas.filter(|_| !caller.system && !caller.system_admin) else { return Ok(()) };
    let old = before.and_then(|before| before.get(personas)).map_or(0, |old| mask(app, old));
    let given = after.get(personas).map_or(0, |new| mask(app, new)) & !old;
    match app.roles.iter().enumerate().find(|(bit, _)| (given & !caller.roles) >> bit & 1 == 1) {
        Some((_, role)) => Err(Error::validation("personas", format!("you do not have the role `{}` yourself", role.name))),
        None => Ok(()),
    }
}

/// Refuses personas that a caller may not give to others where it is: only administrators give any, and none that they lack.
///
/// # Errors
/// 403 and 422.
pub(crate) fn may_give(app: &'static AppDef, caller: &Caller, personas: &[String]) -> Result<()> {
    if caller.system || caller.system_admin {
        return Ok(());
    }
    if !caller.tenant_admin {
        return Err(Error::forbidden("Only an administrator of this tenant may invite"));
    }
    let lacks =
        |(bit, role): &(usize, &crate::def::RoleDef)| (caller.roles >> bit) & 1 == 0 && personas.iter().any(|name| name == role.name);
    match app.roles.iter().enumerate().find(lacks) {
        Some((_, role)) => Err(Error::validation("personas", format!("you do not have the role `{}` yourself", role.name))),
        None => Ok(()),
    }
}

/// What is unique is so in a tenant, and no error is about that.
pub(crate) fn untold(entity: &'static EntityDef, mut error: Error) -> Error {
    if let Some(at) = entity.tenancy.tenant {
        error.field_errors.remove(entity.field(at).name);
    }
    error
}

/// What is wrong with the personas of a membership.
pub(crate) fn wrong_personas(app: &'static AppDef, value: &Value) -> Option<String> {
    let Value::Json(Json::Array(names)) = value else { return Some("must be a list of personas".to_owned()) };
    let known = |name: &Json| name.as_str().is_some_and(|name| app.roles.iter().any(|role| role.name == name));
    let names: Vec<&Json> = names.iter().filter(|name| !known(name)).collect();
    let first = names.first()?;
    let all: Vec<&str> = app.roles.iter().map(|role| role.name).collect();
    Some(format!("has no persona {first}; the personas are {}", all.join(", ")))
}

/// The roles that personas give.
fn mask(app: &'static AppDef, personas: &Value) -> u64 {
    let Value::Json(Json::Array(names)) = personas else { return 0 };
    let held = |name: &str| names.iter().any(|given| given.as_str() == Some(name));
    app.roles.iter().enumerate().filter(|(_, role)| held(role.name)).fold(0, |mask, (bit, _)| mask | 1 << bit)
}

/// True when a caller is an administrator of the tenant where it is.
pub(crate) fn is_tenant_admin(app: &'static AppDef, caller: &Caller) -> bool {
    let admin = |name: &str| matches!(name, "admin" | "tenant_admin");
    caller.membership.is_some() && app.roles.iter().enumerate().any(|(bit, role)| caller.roles >> bit & 1 == 1 && admin(role.name))
}

/// Statements without the application's own condition, to test the database's.
#[cfg(all(test, feature = "sqlite", feature = "postgres"))]
pub(crate) mod testing {
    use std::cell::Cell;

    thread_local! {
        static OFF: Cell<bool> = const { Cell::new(false) };
    }

    /// True while the condition is left out on this thread.
    pub(super) fn is_off() -> bool {
        OFF.with(Cell::get)
    }

    /// Runs `work` without it.
    pub(crate) fn without_filter<T>(work: impl FnOnce() -> T) -> T {
        OFF.with(|off| off.set(true));
        let done = work();
        OFF.with(|off| off.set(false));
        done
    }
}
