//! Delays after wrong passwords. No account is locked, and no connection is held.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use crate::problem::{Problem, Result};

/// The failures of an account without a delay; each further one doubles it.
const FREE: u32 = 4;
/// The longest delay, in seconds.
const LONGEST: u64 = 30;
/// The failures of an address without a delay. Many users can have the same address.
const FREE_OF_ADDRESS: u32 = 100;
/// Failures are forgotten after this time without a further one.
const FORGET_AFTER: Duration = Duration::from_secs(900);
/// The most accounts and addresses that are remembered.
const MOST: usize = 10_000;

/// The account and the client of an attempt.
#[derive(Debug, Clone)]
pub struct Attempt {
    keys: [(String, u32); 2],
}

impl Attempt {
    /// An attempt at the account with this address. Clients on this machine are not counted as one: they can be a proxy.
    pub fn new(email: String, client: Option<IpAddr>) -> Attempt {
        let client = client.filter(|client| !client.is_loopback()).map(|client| client.to_string()).unwrap_or_default();
        let free = if client.is_empty() { u32::MAX } else { FREE_OF_ADDRESS };
        Attempt { keys: [(format!("account {email}"), FREE), (format!("address {client}"), free)] }
    }
}

struct Failures {
    count: u32,
    last: Instant,
    until: Instant,
}

/// The failures of all accounts and addresses.
#[derive(Default)]
pub struct Throttle {
    failures: Mutex<HashMap<String, Failures>>,
}

impl Throttle {
    /// 429 with the seconds to wait, if the attempt comes too early.
    pub fn admit(&self, attempt: &Attempt) -> Result<()> {
        let (failures, now) = (self.failures.lock().unwrap_or_else(PoisonError::into_inner), Instant::now());
        let waits = attempt.keys.iter().filter_map(|(key, _)| failures.get(key)).map(|it| it.until.saturating_duration_since(now));
        let wait = waits.max().unwrap_or_default();
        if wait.is_zero() {
            return Ok(());
        }
        let seconds = wait.as_secs() + 1;
        let problem = Problem::new(429, "RATE_LIMIT", format!("Too many failed attempts; try again in {seconds} seconds"));
        Err(Problem { retry_after: Some(seconds), ..problem })
    }

    /// Counts a failure.
    pub fn count(&self, attempt: &Attempt) {
        let (mut failures, now) = (self.failures.lock().unwrap_or_else(PoisonError::into_inner), Instant::now());
        if failures.len() >= MOST {
            failures.retain(|_, it| now.saturating_duration_since(it.last) < FORGET_AFTER);
        }
        if failures.len() >= MOST {
            // A flood of names must not take all memory, so the older half is forgotten earlier.
            let mut times: Vec<Instant> = failures.values().map(|it| it.last).collect();
            let middle = *times.select_nth_unstable(MOST / 2).1;
            failures.retain(|_, it| it.last > middle);
        }
        for (key, free) in &attempt.keys {
            let known = failures.get(key).filter(|it| now.saturating_duration_since(it.last) < FORGET_AFTER).map_or(0, |it| it.count);
            let count = known.saturating_add(1);
            let delay = count.checked_sub(*free).map_or(0, |beyond| 2_u64.saturating_pow(beyond).min(LONGEST));
            let delay = if count <= *free { 0 } else { delay };
            failures.insert(key.clone(), Failures { count, last: now, until: now + Duration::from_secs(delay) });
        }
    }

    /// Forgets the failures of an account whose owner has signed in.
    pub fn forget(&self, attempt: &Attempt) {
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        failures.remove(&attempt.keys[0].0);
    }
}
