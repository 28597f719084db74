//! The time at which a statement must end.
//!
//! A statement contains a condition on the time that is evaluated for each row. SQLite has no limit of the time of a statement that safe
//! code can set, and that of PostgreSQL would apply to all statements of a transaction.

use std::{sync::OnceLock, time::Instant};

/// The start of the clock of this module.
fn start() -> Instant {
    static START: OnceLock<Instant> = OnceLock::new();
    *START.get_or_init(Instant::now)
}

/// A time in milliseconds of the clock that [`is_in_time`] reads.
pub(crate) fn milliseconds(at: Instant) -> i64 {
    i64::try_from(at.saturating_duration_since(start()).as_millis()).unwrap_or(i64::MAX)
}

/// True before a time in milliseconds.
#[cfg(feature = "sqlite")]
pub(super) fn is_in_time(ends_at: i64) -> bool {
    u64::try_from(ends_at).is_ok_and(|ends_at| start().elapsed() < std::time::Duration::from_millis(ends_at))
}
