//! Who is asking.

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};

use crate::{Error, Membership, Result, Value, def::AppDef};

/// Who is asking, and when: everything an access rule may mention besides the row.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The account; `None` for an anonymous caller.
    pub account: Option<Account>,
    /// Mask of the caller's roles (bits of `AppDef::roles`), with those that its membership gives where it is now.
    pub roles: u64,
    /// Mask of the roles that it has everywhere.
    pub(crate) system_roles: u64,
    /// Where it is now, and as whom; `None` without a tenant.
    pub membership: Option<Membership>,
    /// Where it is a member.
    pub memberships: Vec<Membership>,
    /// True for an administrator of the tenant where it is now.
    pub(crate) tenant_admin: bool,
    /// True when `admin` is granted system-wide.
    pub system_admin: bool,
    /// This moment, read once per request.
    pub now: DateTime<Utc>,
    /// Today in the application's zone.
    pub today: NaiveDate,
    /// Identifies the request in logs and error answers.
    pub request_id: String,
    /// True while what it does concerns the rows of all tenants, as the removal of an account does.
    pub(crate) everywhere: bool,
    /// True for the system itself (`as_system`, seeding): rules are not asked.
    pub(crate) system: bool,
    /// For requests with an API token: what it may do.
    pub(crate) token: Option<TokenScope>,
    /// For requests with a session: when its owner signed in.
    pub(crate) signed_in: Option<DateTime<Utc>>,
}

/// So long somebody who has signed in may do what asks for a recent sign-in.
const RECENT: TimeDelta = TimeDelta::minutes(15);
/// The code of refusals for want of a recent sign-in.
pub(crate) const SIGN_IN_AGAIN: &str = "SIGN_IN_AGAIN";

/// What an API token may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenScope {
    /// Look, and change nothing.
    Read,
    /// All that its account and its roles may do.
    Write,
}

/// The caller's account.
#[derive(Debug, Clone)]
pub struct Account {
    /// Its key.
    pub id: Value,
    /// Its mail address, as stored.
    pub email: String,
    /// What to call it: the name, else the address.
    pub label: String,
    /// The account row, a value per field of the account entity (`Null` for secret and relational ones).
    pub values: Vec<Value>,
    /// Values of the `current_user.a.b` paths with hops that rules use, loaded with the session.
    pub hops: Vec<(crate::def::Path, Value)>,
}

impl Caller {
    /// Nobody in particular.
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

    /// Whoever finds a browser open does not take the account over with it: `what` asks for somebody who has shown a short
    /// while ago who they are (OWASP ASVS 5.0, 7.5.1).
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

    /// The system itself, which no rule holds back: the command line and demo data.
    pub(crate) fn system(app: &'static AppDef, now: DateTime<Utc>) -> Caller {
        Caller { system: true, system_admin: true, ..Caller::anonymous(app, now, "") }
    }
}

/// The day that it is in the application's zone.
pub(crate) fn today(app: &'static AppDef, now: DateTime<Utc>) -> NaiveDate {
    now.with_timezone(&crate::field::zone(app)).date_naive()
}
