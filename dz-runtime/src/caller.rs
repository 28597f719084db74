//! The caller of a request.

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};

use crate::{Error, Membership, Result, Value, def::AppDef};

/// The caller and the time of a request: what an access rule can use in addition to the row.
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
    pub(crate) everywhere: bool,
    /// True for the system (`as_system`, seeding): access rules are not evaluated.
    pub(crate) system: bool,
    /// The scope of the API token, if the request has one.
    pub(crate) token: Option<TokenScope>,
    /// The time of the sign-in, if the request has a session.
    pub(crate) signed_in: Option<DateTime<Utc>>,
}

/// The maximum age of a sign-in for sensitive operations.
const RECENT: TimeDelta = TimeDelta::minutes(15);
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
#[derive(Debug, Clone)]
pub struct Account {
    /// The key of the account.
    pub id: Value,
    /// The stored mail address.
    pub email: String,
    /// The label: the name, or else the address.
    pub label: String,
    /// The account row, with a value for each field of the account entity (`Null` for secret fields and relations).
    pub values: Vec<Value>,
    /// Values of the `current_user.a.b` paths of rules, loaded with the session.
    pub hops: Vec<(crate::def::Path, Value)>,
}

impl Caller {
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
            everywhere: false,
            system: false,
            token: None,
            signed_in: None,
        }
    }

    /// Requires a recent sign-in for `what`, so that an unattended session cannot be used to take over the account (OWASP ASVS
    /// 5.0, 7.5.1).
    ///
    /// # Errors
    /// 403 `SIGN_IN_AGAIN`.
    pub(crate) fn ask_recent(&self, what: &str) -> Result<()> {
        match self.system || self.signed_in.is_some_and(|at| self.now - at < RECENT) {
            true => Ok(()),
            false => Err(Error::new(
                403,
                SIGN_IN_AGAIN,
                format!("{what} requires a sign-in within the last {} minutes: sign in again", RECENT.num_minutes()),
            )),
        }
    }

    /// The system, without access rules: the command line and demo data.
    pub(crate) fn system(app: &'static AppDef, now: DateTime<Utc>) -> Caller {
        Caller { system: true, system_admin: true, ..Caller::anonymous(app, now, "") }
    }
}

/// The current date in the time zone of the application.
pub(crate) fn today(app: &'static AppDef, now: DateTime<Utc>) -> NaiveDate {
    now.with_timezone(&crate::field::zone(app)).date_naive()
}
