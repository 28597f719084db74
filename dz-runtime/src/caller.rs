//! The caller of a request.

use std::{fmt, sync::Arc};

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use uuid::Uuid;

use crate::{
    Error, FromValue, Result, Value,
    def::{AppDef, Archetype, EntityDef},
    preferences::Preferences,
    record::{Entity, Id, Row},
};

/// The caller and the time of a request, which an access rule can use in addition to the row.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The account; `None` for an anonymous caller.
    pub account: Option<Account>,
    /// Mask of the caller's roles (bits of `AppDef::roles`), including those of the current membership.
    pub roles: u64,
    /// Mask of the roles for the whole system.
    pub(crate) system_roles: u64,
    /// The current membership; `None` without a current tenant.
    pub membership: Option<Membership>,
    /// All memberships.
    pub memberships: Vec<Membership>,
    /// True for an administrator of the current tenant.
    pub(crate) tenant_admin: bool,
    /// True if `admin` is granted for the whole system.
    pub system_admin: bool,
    /// The current time, read once for each request.
    pub now: DateTime<Utc>,
    /// Today, in the time zone of the application.
    pub today: NaiveDate,
    /// The id of the request, for logs and errors.
    pub request_id: String,
    /// True while the operation concerns the rows of all tenants, for example the deletion of an account.
    pub(crate) all_tenants: bool,
    /// True for the system (`as_system`, seeding): access rules are not evaluated.
    pub(crate) system: bool,
    /// The scope of the API token, if the request has one.
    pub(crate) token: Option<TokenScope>,
    /// The time of the sign-in, if the request has a session.
    pub(crate) signed_in: Option<DateTime<Utc>>,
    /// The values that a process passes to an expression.
    pub(crate) data: Arc<[Value]>,
    /// The stored choices of the account for its pages, as loaded with the session.
    pub(crate) chosen: Option<Arc<str>>,
}

/// The maximum age of a sign-in for sensitive operations.
const RECENT_SIGN_IN: TimeDelta = TimeDelta::minutes(15);
/// The error code if a recent sign-in is missing.
pub(crate) const SIGN_IN_AGAIN: &str = "SIGN_IN_AGAIN";

/// The scope of an API token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenScope {
    /// Reads only.
    Read,
    /// Everything that the account and the roles of the token permit.
    Write,
}

/// The caller's account.
#[derive(Clone)]
pub struct Account {
    /// The key of the account.
    pub id: Value,
    /// The stored mail address.
    pub email: String,
    /// The label: the name, or else the address.
    pub label: String,
    /// The account row, with a value for each field of the account entity (`Null` for secret fields and relations).
    pub(crate) values: Vec<Value>,
    /// Values of the `current_user.a.b` paths of rules, loaded with the session.
    pub(crate) path_values: Vec<(crate::def::Path, Value)>,
}

/// Without the values of the row: some of them are sensitive, or of rows that the account may not read.
impl fmt::Debug for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Account").field("id", &self.id).field("email", &self.email).field("label", &self.label).finish_non_exhaustive()
    }
}

/// A membership of an account: the tenant, and the roles of the account in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Membership {
    /// The key of the tenant.
    pub tenant: Value,
    /// The label of the tenant.
    pub name: String,
    /// Mask of the roles in the tenant.
    pub roles: u64,
    /// True if it becomes active after sign-in.
    pub primary: bool,
}

/// The tenants whose rows a caller can access.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TenantScope {
    /// All tenants, and rows without a tenant.
    All,
    /// The tenant with this key.
    One(Value),
    /// No tenant.
    None,
}

/// A type that the key of an account can have: a stored key, or the [`Id`] of the entity of accounts.
pub trait AccountKey: FromValue {
    /// The entity of the key; `None` for a stored key.
    #[doc(hidden)]
    fn entity() -> Option<&'static EntityDef> {
        None
    }
}

impl AccountKey for Uuid {}
impl AccountKey for i64 {}
impl AccountKey for String {}
impl AccountKey for Value {}

impl<E: Entity> AccountKey for Id<E> {
    fn entity() -> Option<&'static EntityDef> {
        Some(E::DEF)
    }
}

impl Caller {
    /// The key of the caller's account: `let me: Uuid = cx.user_id()?`.
    ///
    /// # Errors
    /// 401 for an anonymous caller; 500 if keys of accounts have another type.
    pub fn user_id<K: AccountKey>(&self) -> Result<K> {
        let account = self.account.as_ref().ok_or_else(Error::unauthenticated)?;
        if !K::entity().is_none_or(|entity| entity.account) {
            return Err(Error::internal("this is not the key of the entity of accounts"));
        }
        K::from_value(account.id.clone())
    }

    /// The caller's account: `let me: user::User = cx.user()?`. It needs no query; `sensitive` fields are null, because only a query
    /// determines whether the caller may update the row.
    ///
    /// # Errors
    /// 401 for an anonymous caller; 500 if `E` is not the entity of accounts.
    pub fn user<E: Entity>(&self) -> Result<E> {
        let account = self.account.as_ref().ok_or_else(Error::unauthenticated)?;
        if !E::DEF.account {
            return Err(Error::internal(format!("{} is not the entity of accounts", E::DEF.name)));
        }
        let values = account.values.iter().zip(E::DEF.fields);
        let values = values.map(|(value, field)| if field.sensitive { Value::Null } else { value.clone() }).collect();
        E::from_row(Row { values, version: 0, extra: Vec::new() })
    }

    /// An anonymous caller.
    pub fn anonymous(app: &'static AppDef, now: DateTime<Utc>, request_id: impl Into<String>) -> Caller {
        Caller {
            account: None,
            roles: 0,
            system_roles: 0,
            membership: None,
            memberships: Vec::new(),
            tenant_admin: false,
            system_admin: false,
            now,
            today: today(app, now),
            request_id: request_id.into(),
            all_tenants: false,
            system: false,
            token: None,
            signed_in: None,
            data: Arc::default(),
            chosen: None,
        }
    }

    /// Requires a recent sign-in for `what`, so that an unattended session cannot be used to take over the account (OWASP ASVS
    /// 5.0, 7.5.1).
    ///
    /// # Errors
    /// 403 `SIGN_IN_AGAIN`.
    pub(crate) fn require_recent_sign_in(&self, what: &str) -> Result<()> {
        match self.system || self.signed_in.is_some_and(|at| self.now - at < RECENT_SIGN_IN) {
            true => Ok(()),
            false => Err(Error::new(
                403,
                SIGN_IN_AGAIN,
                say!(
                    "dz-requires-a-recent-sign-in",
                    "{what} requires a sign-in within the last {minutes} minutes: sign in again",
                    what = what,
                    minutes = RECENT_SIGN_IN.num_minutes()
                ),
            )),
        }
    }

    /// The system, without access rules: for the command line and demo data.
    pub(crate) fn system(app: &'static AppDef, now: DateTime<Utc>) -> Caller {
        Caller { system: true, system_admin: true, ..Caller::anonymous(app, now, "") }
    }

    /// The choices of the account for its pages.
    pub(crate) fn preferences(&self) -> Preferences {
        self.chosen.as_deref().map(Preferences::parse).unwrap_or_default()
    }

    /// The key of the caller's current tenant.
    pub fn tenant(&self) -> Option<&Value> {
        self.membership.as_ref().map(|membership| &membership.tenant)
    }

    /// The tenants whose rows the caller can access.
    pub(crate) fn tenant_scope(&self) -> TenantScope {
        match (self.tenant(), self.system) {
            _ if self.all_tenants => TenantScope::All,
            (Some(tenant), _) => TenantScope::One(tenant.clone()),
            (None, true) => TenantScope::All,
            (None, false) => TenantScope::None,
        }
    }

    /// The tenants whose rows of an entity the caller can access. Administrators of the whole system can access the memberships of
    /// all tenants.
    pub(crate) fn tenant_scope_of(&self, entity: &EntityDef) -> TenantScope {
        #[cfg(all(test, feature = "sqlite", feature = "postgres"))]
        if testing::is_off() {
            return TenantScope::All;
        }
        let members = self.system_admin && entity.tenancy.archetype == Some(Archetype::UserMembership);
        if entity.tenancy.tenant.is_none() || members { TenantScope::All } else { self.tenant_scope() }
    }

    /// The caller for the rules of an entity: without the roles of the membership, if the entity uses only roles for the whole
    /// system.
    pub(crate) fn for_entity(&self, entity: &EntityDef) -> std::borrow::Cow<'_, Caller> {
        match entity.tenancy.system_roles && self.system_roles != self.roles {
            true => std::borrow::Cow::Owned(Caller { roles: self.system_roles, ..self.clone() }),
            false => std::borrow::Cow::Borrowed(self),
        }
    }

    /// Sets the tenant of the system.
    pub(crate) fn for_tenant(self, tenant: Option<Value>) -> Caller {
        let membership = tenant.map(|tenant| Membership { tenant, name: String::new(), roles: 0, primary: false });
        Caller { membership, ..self }
    }

    /// The caller for the hooks of a row of this tenant, in an operation that concerns the rows of all tenants. In a tenant that is not
    /// its current one, it has only its roles for the whole system.
    pub(crate) fn for_hooks_in(&self, tenant: Option<&Value>) -> Caller {
        let own = Caller { all_tenants: false, ..self.clone() };
        match tenant {
            Some(other) if own.tenant() != Some(other) => {
                Caller { roles: own.system_roles, tenant_admin: false, ..own.for_tenant(Some(other.clone())) }
            }
            Some(_) | None => own,
        }
    }
}

/// The error for a caller who has no current tenant, if rows belong to tenants: a caller without an account must sign in first.
pub(crate) fn refuse_without_tenant(caller: &Caller) -> Error {
    if caller.account.is_none() && !caller.system { Error::unauthenticated() } else { no_tenant() }
}

/// The error for an account without a current tenant.
pub(crate) fn no_tenant() -> Error {
    Error::forbidden(say!("dz-this-belongs-to-a-tenant", "This belongs to a tenant: choose one of your tenants first"))
}

/// The current date in the time zone of the application.
pub(crate) fn today(app: &'static AppDef, now: DateTime<Utc>) -> NaiveDate {
    now.with_timezone(&crate::field::app_zone(app)).date_naive()
}

/// Disables the tenant filter of statements, to test the policies of the database.
#[cfg(all(test, feature = "sqlite", feature = "postgres"))]
pub(crate) mod testing {
    use std::cell::Cell;

    thread_local! {
        static OFF: Cell<bool> = const { Cell::new(false) };
    }

    /// True while the filter is disabled on this thread.
    pub(super) fn is_off() -> bool {
        OFF.with(Cell::get)
    }

    /// Runs `work` without the filter.
    pub(crate) fn without_filter<T>(work: impl FnOnce() -> T) -> T {
        OFF.with(|off| off.set(true));
        let done = work();
        OFF.with(|off| off.set(false));
        done
    }
}
