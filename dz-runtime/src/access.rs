//! Access rules: a `Grant` is the proof that a caller may do an action, and only this module creates it.

pub mod lock;
mod surface_scope;
mod withdrawals;

use std::marker::PhantomData;

pub use surface_scope::SurfaceScope;
pub(crate) use withdrawals::withdraws;

use crate::{
    Caller, Engine, Error, Result, TokenScope, Value,
    caller::{self, TenantScope},
    db::{
        BindKind, DELETED_AT, Statement,
        emit::{Condition, Emit, Scope},
        probe,
    },
    def::{ActionRule, AppDef, Audience, EntityDef, Expr},
    error::Denied,
    texts,
};

/// An action, as a type.
pub trait Action: 'static {
    /// Its name in rules.
    const NAME: &'static str;
}

macro_rules! actions {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub struct $name;
        impl Action for $name {
            const NAME: &'static str = $text;
        }
    )*};
}

actions! {
    /// List rows.
    List = "list";
    /// Read a row.
    Read = "read";
    /// Create a row.
    Create = "create";
    /// Update a row.
    Update = "update";
    /// Delete a row.
    Delete = "delete";
    /// Restore a soft-deleted row.
    Restore = "restore";
    /// Make a transition; without a rule of its own it follows the rule of updates.
    Transition = "transition";
}

/// The proof that a caller has a role for an action, with the condition on the rows.
///
/// Only [`ask`] creates it:
///
/// ```compile_fail,E0451
/// use dz_runtime::access::{Grant, Read};
/// fn forged(entity: &'static dz_runtime::def::EntityDef) -> Grant<Read> {
///     Grant { entity, within: Default::default(), action: std::marker::PhantomData }
/// }
/// ```
#[derive(Debug, Clone)]
pub struct Grant<A: Action> {
    pub(crate) entity: &'static EntityDef,
    surface_scope: SurfaceScope,
    action: PhantomData<A>,
}

impl<A: Action> Grant<A> {
    /// The entity.
    pub fn entity(&self) -> &'static EntityDef {
        self.entity
    }

    /// Restricts the proof to the rows of a surface.
    #[must_use]
    pub(crate) fn narrow_to(self, surface_scope: SurfaceScope) -> Self {
        Grant { surface_scope, ..self }
    }

    /// The condition on rows known as `alias` in a statement.
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn condition(&self, app: &'static AppDef, engine: Engine, caller: &Caller, alias: &str) -> Condition {
        let emit = Emit { app, engine, caller };
        let covered = if A::NAME == List::NAME {
            list_condition(&emit, self.entity, alias)
        } else {
            row_condition(&emit, self.entity, A::NAME, alias)
        };
        covered.and(self.surface_scope.condition(&emit, self.entity, alias))
    }
}

/// Requests an action: 401 or 403 if the caller can never do it, or else the proof.
///
/// # Errors
/// 401 `AUTHENTICATION_REQUIRED` for an anonymous caller, 403 `FORBIDDEN` for others; 500 for a description that does not belong to
/// the application, because it could contain other rules for the same table.
pub fn ask<A: Action>(app: &'static AppDef, engine: Engine, caller: &Caller, entity: &'static EntityDef) -> Result<Grant<A>> {
    let _ = engine;
    if !app.owns(entity) {
        return Err(Error::internal(format!("{} is not an entity of this application", entity.name)));
    }
    if caller.token == Some(TokenScope::Read) && !matches!(A::NAME, "list" | "read") {
        return Err(read_only_error());
    }
    check_roles(caller, entity, A::NAME).map(|()| Grant { entity, surface_scope: SurfaceScope::default(), action: PhantomData })
}

impl Error {
    /// Adds the refused action.
    pub(crate) fn denied(mut self, entity: &EntityDef, action: &'static str, row: Option<&Value>) -> Self {
        self.denied = Some(Box::new(Denied { entity: entity.ix, action, row: row.cloned(), rule: None, why: None }));
        self
    }

    /// Names what refused, if it is not a rule of the entity.
    pub(crate) fn decided_by(mut self, rule: String) -> Self {
        self.denied.iter_mut().for_each(|denied| denied.rule = Some(rule.clone()));
        self
    }
}

/// Refuses callers who do not belong to the audience of a page, independently of the rules of its entity.
pub(crate) fn check_audience(caller: &Caller, audience: Audience) -> Result<()> {
    match audience {
        Audience::Rules => Ok(()),
        Audience::Authenticated | Audience::Roles(_) if caller.account.is_none() => Err(Error::unauthenticated()),
        Audience::Authenticated => Ok(()),
        Audience::Roles(roles) if caller.roles & roles != 0 => Ok(()),
        Audience::Roles(_) => Err(Error::forbidden(say!("dz-your-roles-do-not-include-this-page", "Your roles do not include this page"))),
        Audience::SystemAdmin => require_system_admin(caller),
        Audience::TenantAdmin => match &caller.account {
            None => Err(Error::unauthenticated()),
            Some(_) if caller.membership.is_none() => Err(caller::no_tenant()),
            Some(_) if caller.tenant_admin => Ok(()),
            Some(_) => Err(Error::forbidden(say!(
                "dz-only-an-administrator-of-this-tenant-may",
                "Only an administrator of this tenant may see this"
            ))),
        },
    }
}

/// Refuses callers who are not administrators of the whole system.
pub(crate) fn require_system_admin(caller: &Caller) -> Result<()> {
    match &caller.account {
        None => Err(Error::unauthenticated()),
        Some(_) if caller.system_admin => Ok(()),
        Some(_) => Err(Error::forbidden(say!(
            "dz-only-an-administrator-of-the-whole-system",
            "Only an administrator of the whole system may see this"
        ))),
    }
}

/// The tenants whose audit records a caller may see: all for an administrator of the whole system, or the current tenant for an
/// administrator of that tenant.
///
/// # Errors
/// 401 for an anonymous caller, 403 for all other callers.
pub(crate) fn audit_scope(caller: &Caller) -> Result<TenantScope> {
    match (&caller.account, caller.tenant()) {
        (None, _) => Err(Error::unauthenticated()),
        (Some(_), _) if caller.system_admin => Ok(TenantScope::All),
        (Some(_), Some(tenant)) if caller.tenant_admin => Ok(TenantScope::One(tenant.clone())),
        _ => Err(Error::forbidden(say!("dz-only-an-administrator-may-see-this", "Only an administrator may see this"))),
    }
}

/// Refuses an action if the roles of the caller exclude it for every row.
fn check_roles(caller: &Caller, entity: &'static EntityDef, action: &'static str) -> Result<()> {
    let closed = match entity.rule(action) {
        _ if caller.system => false,
        None => true,
        Some(rule) => decide_rule(rule, &caller.for_entity(entity)) == Some(false),
    };
    if !closed && caller.tenant_scope_of(entity) == TenantScope::None {
        return Err(caller::refuse_without_tenant(caller).denied(entity, action, None));
    }
    if !closed {
        return Ok(());
    }
    let error = match caller.account {
        None => Error::unauthenticated(),
        Some(_) => Error::forbidden(say!(
            "dz-you-may-not",
            "You may not {action} {things}",
            action = action,
            things = texts::lower(entity.title_plural)
        )),
    };
    Err(error.denied(entity, action, None))
}

/// Requests a custom action by its name: 404 if no rule names it, 401 or 403 as [`ask`].
pub(crate) fn ask_custom(caller: &Caller, entity: &'static EntityDef, action: &str) -> Result<&'static str> {
    let own = |rule: &&ActionRule| rule.action == action && !BUILT_IN.contains(&rule.action);
    let name = entity.rules.iter().find(own).ok_or_else(Error::not_found)?.action;
    if caller.token == Some(TokenScope::Read) {
        return Err(read_only_error());
    }
    check_roles(caller, entity, name).map(|()| name)
}

/// The actions that dz implements.
pub(crate) const BUILT_IN: &[&str] = &["list", "read", "create", "update", "delete", "transition", "restore"];

/// The error for a write with a token that may only read.
pub(crate) fn read_only_error() -> Error {
    Error::forbidden(say!("dz-this-api-token-may-only-read", "This API token may only read"))
}

/// The result of a rule, if the roles of the caller determine it.
fn decide_rule(rule: &'static ActionRule, caller: &Caller) -> Option<bool> {
    let permit = rule.permit.as_ref().map_or(Some(false), |permit| decide_by_role(permit, caller));
    let scope = rule.scope.as_ref().map_or(Some(true), |scope| decide_by_role(scope, caller));
    let forbid = rule.forbid.as_ref().map_or(Some(false), |forbid| decide_by_role(forbid, caller));
    match (permit, scope, forbid) {
        (Some(false), ..) | (_, Some(false), _) | (.., Some(true)) => Some(false),
        (Some(true), Some(true), Some(false)) => Some(true),
        _ => None,
    }
}

/// Evaluates an expression by the roles of the caller; `None` if it depends on more.
pub(crate) fn decide_by_role(expr: &Expr, caller: &Caller) -> Option<bool> {
    match expr {
        Expr::Bool(value) => Some(*value),
        Expr::Anyone => Some(true),
        Expr::SignedIn => Some(caller.account.is_some()),
        Expr::Role(mask) => Some(caller.roles & mask != 0),
        Expr::Not(inner) => decide_by_role(inner, caller).map(|value| !value),
        Expr::And(parts) => decide_parts(parts, caller, false),
        Expr::Or(parts) => decide_parts(parts, caller, true),
        _ => None,
    }
}

/// `decisive` is the value of a part that determines the result: false for `and`, true for `or`.
fn decide_parts(parts: &[Expr], caller: &Caller, decisive: bool) -> Option<bool> {
    let mut known = true;
    for part in parts {
        match decide_by_role(part, caller) {
            Some(value) if value == decisive => return Some(decisive),
            Some(_) => {}
            None => known = false,
        }
    }
    known.then_some(!decisive)
}

/// The rows for which an action is permitted and not forbidden.
#[cfg_attr(debug_assertions, track_caller)]
pub(crate) fn row_condition(emit: &Emit<'_>, entity: &'static EntityDef, action: &str, alias: &str) -> Condition {
    if emit.caller.system {
        return Condition::Always;
    }
    let Some(rule) = entity.rule(action) else { return Condition::Never };
    let Some(permit) = &rule.permit else { return Condition::Never };
    if emit.caller.tenant_scope_of(entity) == TenantScope::None {
        return Condition::Never;
    }
    let caller = emit.caller.for_entity(entity);
    let emit = &Emit { caller: &caller, ..*emit };
    let scope = Scope { entity: entity.ix, alias, outer: None };
    let part = |name, expr: &Expr| probe::part(emit.app, entity, action, name, emit.condition(expr, scope, false));
    let mut permitted = part("permit", permit);
    if let Some(narrower) = &rule.scope {
        permitted = permitted.and(part("scope", narrower));
    }
    if let Some(forbid) = &rule.forbid {
        // Under `not`, unknown counts as true: a forbid that cannot be decided forbids.
        permitted = permitted.and(part("forbid", &Expr::Not(forbid)));
    }
    probe::rule(emit.app, entity, action, permitted)
}

/// The rows for which an action is forbidden, independently of permits.
#[cfg_attr(debug_assertions, track_caller)]
pub(crate) fn forbid_condition(emit: &Emit<'_>, entity: &'static EntityDef, action: &str, alias: &str) -> Condition {
    let caller = emit.caller.for_entity(entity);
    let emit = &Emit { caller: &caller, ..*emit };
    match entity.rule(action).and_then(|rule| rule.forbid.as_ref()) {
        Some(forbid) if !emit.caller.system => {
            let allowed = emit.condition(&Expr::Not(forbid), Scope { entity: entity.ix, alias, outer: None }, false);
            probe::rule(emit.app, entity, action, allowed).negate()
        }
        _ => Condition::Never,
    }
}

/// The rows of a list: the rule for `list`, and the rule for `read` if there is one.
#[cfg_attr(debug_assertions, track_caller)]
pub(crate) fn list_condition(emit: &Emit<'_>, entity: &'static EntityDef, alias: &str) -> Condition {
    let listed = row_condition(emit, entity, List::NAME, alias);
    match entity.rule(Read::NAME) {
        Some(_) => listed.and(row_condition(emit, entity, Read::NAME, alias)),
        None => listed,
    }
}

/// The accounts that a signed-in caller may refer to: active accounts and, with tenants, only members of the caller's tenant. Never
/// true for another entity.
pub(crate) fn account_condition(emit: &Emit<'_>, entity: &'static EntityDef, alias: &str) -> Condition {
    if !entity.account || emit.caller.account.is_none() || entity.find("is_active").is_none() {
        return Condition::Never;
    }
    let mut active = Statement::new();
    match emit.engine {
        Engine::Sqlite => active.ident(alias).push(".").ident("is_active").push(" IS 1"),
        Engine::Postgres => active.ident(alias).push(".").ident("is_active").push(" IS TRUE"),
    };
    let Some(members) = emit.app.members() else { return Condition::Rows(active) };
    if emit.caller.tenant_scope() == TenantScope::None {
        return Condition::Never;
    }
    // Members of the caller's current tenant.
    let column = |at| members.entity.field(at).name;
    active.push(" AND EXISTS (SELECT 1 FROM ").ident(members.entity.table).push(" AS dz_m WHERE dz_m.").ident(column(members.account));
    active.push(" = ").ident(alias).push(".").ident(entity.key().name);
    active.push(" AND dz_m.").ident(column(members.accepted)).push(" IS NOT NULL");
    let kind = BindKind::from_kind(members.entity.field(members.tenant).kind, emit.app);
    if let (TenantScope::One(tenant), Some(kind)) =
        (emit.caller.tenant_scope(), kind.filter(|_| !probe::sees_all_tenants(emit.app, entity)))
    {
        active.push(" AND dz_m.").ident(column(members.tenant)).push(" = ").bind(tenant, kind);
    }
    if members.entity.soft_delete {
        active.push(" AND dz_m.").ident(DELETED_AT).push(" IS NULL");
    }
    active.push(")");
    Condition::Rows(active)
}

/// The rows that a caller may refer to: readable rows, and accounts as in [`account_condition`].
#[cfg_attr(debug_assertions, track_caller)]
pub(crate) fn reference_condition(emit: &Emit<'_>, entity: &'static EntityDef, alias: &str) -> Condition {
    row_condition(emit, entity, Read::NAME, alias).or(account_condition(emit, entity, alias))
}
