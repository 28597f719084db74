//! Failed sign-ins of all instances, in the table of shared limits.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use super::{ADDRESS_ALLOWANCE, FORGET_AFTER, FREE_FAILURES, MAX_DELAY, REFILL_INTERVAL, delay, make_room};
use crate::{
    Result, Value,
    db::{
        BindKind, Statement,
        shared_limits::{LimitRow, SharedLimits, micros, numbers, where_row},
    },
};

/// The shared counts, and the delays that this process knows, so that a flood of delayed attempts needs no statements.
pub(super) struct SharedThrottle {
    limits: Arc<SharedLimits>,
    delayed: Mutex<HashMap<LimitRow, Instant>>,
}

impl SharedThrottle {
    pub fn new(limits: Arc<SharedLimits>) -> SharedThrottle {
        SharedThrottle { limits, delayed: Mutex::default() }
    }

    fn account_row(&self, account: &str) -> LimitRow {
        self.limits.row("account", account)
    }

    fn address_row(&self, client: Option<IpAddr>) -> Option<LimitRow> {
        client.map(|client| self.limits.row("address", &client.to_string()))
    }

    /// The delay that this process knows.
    pub fn known_delay(&self, account: &str, client: Option<IpAddr>, now: Instant) -> Duration {
        let delayed = self.delayed.lock().unwrap_or_else(PoisonError::into_inner);
        let rows = [Some(self.account_row(account)), self.address_row(client)];
        let waits = rows.into_iter().flatten().filter_map(|row| delayed.get(&row)).map(|until| until.saturating_duration_since(now));
        waits.max().unwrap_or_default()
    }

    /// Remembers a delay.
    fn note_delay(&self, row: LimitRow, wait: Duration, now: Instant) {
        if wait.is_zero() {
            return;
        }
        let mut delayed = self.delayed.lock().unwrap_or_else(PoisonError::into_inner);
        make_room(&mut delayed, &row, |until| *until > now, |until| *until);
        delayed.insert(row, now + wait);
    }

    /// The delay of an attempt.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub fn find_delay(&self, account: &str, client: Option<IpAddr>, now: Instant) -> Result<Duration> {
        let known = self.known_delay(account, client, now);
        if !known.is_zero() {
            return Ok(known);
        }
        let account = self.account_row(account);
        let wait = |row: LimitRow, allowed: Duration| -> Result<Duration> {
            let mut select = Statement::new();
            select.push("SELECT free_at - ").append(self.limits.now()).push(" FROM dz_limits").append(where_row(row));
            let found = numbers(self.limits.db.read(&mut |conn| conn.rows(&select, &[BindKind::Int]))?);
            let wait = Duration::from_micros(found.first().map_or(0, |wait| u64::try_from(*wait).unwrap_or_default()));
            let wait = wait.saturating_sub(allowed);
            self.note_delay(row, wait, now);
            Ok(wait)
        };
        let of_account = wait(account, Duration::ZERO)?;
        let of_address = self.address_row(client).map(|row| wait(row, REFILL_INTERVAL * (ADDRESS_ALLOWANCE - 1))).transpose()?;
        Ok(of_account.max(of_address.unwrap_or_default()))
    }

    /// Counts a failure, and returns the failures of the account.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub fn record_failure(&self, account: &str, client: Option<IpAddr>, now: Instant) -> Result<u32> {
        let row = self.account_row(account);
        let of_account = self.count_failure(row);
        let of_address = self.address_row(client).map(|row| {
            let mut upsert = self.limits.upsert(row, 0, interval(REFILL_INTERVAL));
            upsert.push("free_at = GREATEST(it.free_at, excluded.used_at) + ").bind(micros(REFILL_INTERVAL), BindKind::Int);
            upsert
        });
        // The row of the account is always written before the row of the address, so that no two transactions wait for each other.
        let failures = self.limits.db.write(&mut |conn| {
            let counted = conn.rows(&of_account, &[BindKind::Int])?;
            of_address.iter().try_for_each(|of_address| conn.execute(of_address).map(drop))?;
            Ok(numbers(counted))
        })?;
        let failures = failures.first().map_or(1, |count| u32::try_from(*count).unwrap_or(u32::MAX));
        self.note_delay(row, delay(failures), now);
        Ok(failures)
    }

    /// The statement that counts a failure of an account. It contains the delay after each number of failures.
    fn count_failure(&self, row: LimitRow) -> Statement {
        let counted = |upsert: &mut Statement| {
            upsert.push("(CASE WHEN excluded.used_at - it.used_at < ").bind(micros(FORGET_AFTER), BindKind::Int);
            upsert.push(" THEN it.count + 1 ELSE 1 END)");
        };
        let mut upsert = self.limits.upsert(row, 1, 0);
        upsert.push("count = ");
        counted(&mut upsert);
        upsert.push(", free_at = excluded.used_at + CASE ");
        counted(&mut upsert);
        let grows = |failures: &u32| delay(*failures) < Duration::from_secs(MAX_DELAY);
        for failures in (1..=FREE_FAILURES).chain(FREE_FAILURES + 1..).take_while(grows) {
            upsert.push(&format!(" WHEN {failures} THEN {}", interval(delay(failures))));
        }
        upsert.push(&format!(" ELSE {} END RETURNING it.count", MAX_DELAY * 1_000_000));
        upsert
    }

    /// The failures of an account since its latest success.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub fn failure_count(&self, account: &str) -> Result<u32> {
        let mut select = Statement::new();
        select.push("SELECT count FROM dz_limits").append(where_row(self.account_row(account)));
        let found = numbers(self.limits.db.read(&mut |conn| conn.rows(&select, &[BindKind::Int]))?);
        Ok(found.first().map_or(0, |count| u32::try_from(*count).unwrap_or(u32::MAX)))
    }

    /// Forgets the failures of an account that signed in, and lowers the count of its address.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub fn record_success(&self, account: &str, client: Option<IpAddr>) -> Result<()> {
        let mut delete = Statement::new();
        delete.push("DELETE FROM dz_limits").append(where_row(self.account_row(account))).push(" RETURNING count");
        let address = self.address_row(client);
        self.limits.db.write(&mut |conn| {
            let own = numbers(conn.rows(&delete, &[BindKind::Int])?).first().copied().unwrap_or_default();
            let Some(address) = address else { return Ok(()) };
            let mut update = Statement::new();
            let back = interval(REFILL_INTERVAL).saturating_mul(own.saturating_add(1));
            update.push("UPDATE dz_limits SET free_at = free_at - ").bind(Value::Int(back), BindKind::Int).append(where_row(address));
            conn.execute(&update).map(drop)
        })
    }
}

/// A short time in microseconds.
fn interval(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX)
}
