//! Who is asking.

use chrono::{DateTime, NaiveDate, Utc};

use crate::Value;

/// Who is asking, and when: everything an access rule may mention besides the row.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The account; `None` for an anonymous caller.
    pub account: Option<Account>,
    /// Mask of the caller's roles (bits of `AppDef::roles`).
    pub roles: u64,
    /// True when `admin` is granted system-wide.
    pub system_admin: bool,
    /// This moment, read once per request.
    pub now: DateTime<Utc>,
    /// Today in the application's zone.
    pub today: NaiveDate,
    /// Identifies the request in logs and error answers.
    pub request_id: String,
    /// True for the system itself (`as_system`, seeding): rules are not asked.
    pub(crate) system: bool,
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
