//! Delays after failed sign-ins (OWASP ASVS 6.3.1). No account is locked, and no connection is held.
//!
//! The first four failures of an account cause no delay; each further one doubles it, from 2 to 30 seconds. A client address has a larger
//! allowance, which refills, because many users can share it. One account adds at most two failures a minute in the long run, which is
//! less than the refill, so failures of one user do not delay other users of the address.
//!
//! On PostgreSQL all instances count together ([`shared`]); on SQLite each process counts in memory.

mod shared;

use std::{
    collections::HashMap,
    hash::Hash,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use shared::SharedThrottle;

use crate::{Error, Result, db::shared_limits::SharedLimits};

/// The failures of an account without a delay.
const FREE_FAILURES: u32 = 4;
/// The maximum delay of an account, in seconds.
const MAX_DELAY: u64 = 30;
/// The failures of an account are forgotten after this time without a further one.
const FORGET_AFTER: Duration = Duration::from_secs(900);
/// The failures of an address without a delay.
const ADDRESS_ALLOWANCE: u32 = 100;
/// The time after which an address gets one failure back.
const REFILL_INTERVAL: Duration = Duration::from_secs(15);
/// The maximum number of accounts and of addresses; the oldest are removed.
const MAX_ENTRIES: usize = 10_000;

/// The network that counts as one client: an IPv4 address, or the /64 of an IPv6 address, because one user has all of it.
pub(crate) fn to_network(client: IpAddr) -> IpAddr {
    match client {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::from([a, b, c, d, 0, 0, 0, 0])
        }
        address => address,
    }
}

/// The account and the client for which a failed attempt is counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Attempt {
    /// The account, by the entered name, and the kind of attempt.
    pub account: String,
    client: Option<IpAddr>,
}

impl Attempt {
    /// An attempt at `account` by a client.
    pub fn new(client: Option<IpAddr>, account: String) -> Attempt {
        Attempt { account, client: client.map(to_network) }
    }

    /// The account and the client as one text.
    pub fn key(&self) -> String {
        let client = self.client.map(|client| client.to_string()).unwrap_or_default();
        format!("{} address {client}", self.account)
    }
}

/// Failed attempts by account and by address.
pub(crate) struct Throttle {
    /// True if clients on this machine are counted.
    local: bool,
    counts: Mutex<Counts>,
    /// The counts of all instances, which replace those of the process.
    shared: Option<SharedThrottle>,
}

#[derive(Default)]
struct Counts {
    accounts: HashMap<String, Failures>,
    /// The time at which the allowance of an address is complete again; one failure delays it by [`REFILL_INTERVAL`].
    addresses: HashMap<IpAddr, Instant>,
}

struct Failures {
    count: u32,
    last: Instant,
    until: Instant,
}

impl Throttle {
    /// Clients on this machine are counted only if `local` is true, as for the rate limits. Otherwise they are tools, or a proxy that is
    /// not configured.
    pub fn new(local: bool, shared: Option<Arc<SharedLimits>>) -> Throttle {
        Throttle { local, counts: Mutex::default(), shared: shared.map(SharedThrottle::new) }
    }

    fn counted_network(&self, attempt: &Attempt) -> Option<IpAddr> {
        attempt.client.filter(|client| self.local || !client.is_loopback())
    }

    /// Checks whether an attempt is permitted now.
    ///
    /// # Errors
    /// 429 with the seconds until the next attempt; 503 if the shared counts are unavailable.
    pub fn admit(&self, attempt: &Attempt, now: Instant) -> Result<()> {
        let wait = match &self.shared {
            Some(shared) => shared.find_delay(&attempt.account, self.counted_network(attempt), now)?,
            None => self.local_delay(attempt, now),
        };
        if wait.is_zero() {
            return Ok(());
        }
        let seconds = wait.as_secs_f64().ceil() as u16;
        let detail = say!("dz-too-many-failed-attempts", "Too many failed attempts; try again in {seconds} seconds", seconds = seconds);
        Err(Error { retry_after: Some(seconds), ..Error::new(429, "RATE_LIMIT", detail) })
    }

    /// True if this process knows that the attempt is delayed; it does not query the database.
    pub fn is_known_delayed(&self, attempt: &Attempt, now: Instant) -> bool {
        let wait = match &self.shared {
            Some(shared) => shared.known_delay(&attempt.account, self.counted_network(attempt), now),
            None => self.local_delay(attempt, now),
        };
        !wait.is_zero()
    }

    fn local_delay(&self, attempt: &Attempt, now: Instant) -> Duration {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let of_account = counts.accounts.get(&attempt.account).map(|it| it.until.saturating_duration_since(now));
        let whole = self.counted_network(attempt).and_then(|client| counts.addresses.get(&client));
        let of_address = whole.map(|whole| whole.saturating_duration_since(now).saturating_sub(REFILL_INTERVAL * (ADDRESS_ALLOWANCE - 1)));
        of_account.max(of_address).unwrap_or_default()
    }

    /// Counts a failure, and returns the failures of the account.
    ///
    /// # Errors
    /// 503 if the shared counts are unavailable.
    pub fn record_failure(&self, attempt: &Attempt, now: Instant) -> Result<u32> {
        if let Some(shared) = &self.shared {
            return shared.record_failure(&attempt.account, self.counted_network(attempt), now);
        }
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = self.counted_network(attempt) {
            make_room(&mut counts.addresses, &client, |whole| *whole > now, |whole| *whole);
            let whole = counts.addresses.entry(client).or_insert(now);
            *whole = (*whole).max(now) + REFILL_INTERVAL;
        }
        let is_recent = |it: &Failures| now.saturating_duration_since(it.last) < FORGET_AFTER;
        make_room(&mut counts.accounts, &attempt.account, is_recent, |it| it.last);
        let it = counts.accounts.entry(attempt.account.clone()).or_insert(Failures { count: 0, last: now, until: now });
        if !is_recent(it) {
            it.count = 0;
        }
        it.count = it.count.saturating_add(1);
        it.last = now;
        it.until = now + delay(it.count);
        Ok(it.count)
    }

    /// Returns the failures of an account since its latest success.
    ///
    /// # Errors
    /// 503 if the shared counts are unavailable.
    pub fn failure_count(&self, attempt: &Attempt) -> Result<u32> {
        if let Some(shared) = &self.shared {
            return shared.failure_count(&attempt.account);
        }
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(counts.accounts.get(&attempt.account).map_or(0, |it| it.count))
    }

    /// Forgets the failures of an account that signed in. The count of its client address decreases by them, and by one more.
    ///
    /// # Errors
    /// 503 if the shared counts are unavailable.
    pub fn record_success(&self, attempt: &Attempt, now: Instant) -> Result<()> {
        if let Some(shared) = &self.shared {
            return shared.record_success(&attempt.account, self.counted_network(attempt));
        }
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let own = counts.accounts.remove(&attempt.account).map_or(0, |it| it.count);
        let back = REFILL_INTERVAL.saturating_mul(own.saturating_add(1));
        if let Some(whole) = self.counted_network(attempt).and_then(|client| counts.addresses.get_mut(&client)) {
            *whole = whole.checked_sub(back).unwrap_or(now);
        }
        Ok(())
    }
}

/// The delay after this number of failures of an account.
fn delay(failures: u32) -> Duration {
    let over = failures.saturating_sub(FREE_FAILURES);
    Duration::from_secs(if over == 0 { 0 } else { (1_u64 << over.min(6)).min(MAX_DELAY) })
}

/// Removes old entries, or the oldest one, if the map is full.
fn make_room<K: Eq + Hash + Clone, T>(map: &mut HashMap<K, T>, key: &K, is_recent: impl Fn(&T) -> bool, age: impl Fn(&T) -> Instant) {
    if map.len() < MAX_ENTRIES || map.contains_key(key) {
        return;
    }
    map.retain(|_, it| is_recent(it));
    if map.len() >= MAX_ENTRIES
        && let Some(oldest) = map.iter().min_by_key(|(_, it)| age(it)).map(|(key, _)| key.clone())
    {
        map.remove(&oldest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(account: &str, client: [u8; 4]) -> Attempt {
        Attempt { account: account.to_owned(), client: Some(IpAddr::from(client)) }
    }

    const OFFICE: [u8; 4] = [203, 0, 113, 7];

    #[test]
    fn the_fifth_failure_delays_the_next_attempt() {
        let throttle = Throttle::new(false, None);
        let ann = attempt("ann", OFFICE);
        let start = Instant::now();
        for _ in 0..4 {
            throttle.record_failure(&ann, start).unwrap();
            assert!(throttle.admit(&ann, start).is_ok());
        }
        throttle.record_failure(&ann, start).unwrap();
        assert_eq!(throttle.admit(&ann, start).unwrap_err().retry_after, Some(2));
        assert!(throttle.admit(&attempt("bob", OFFICE), start).is_ok());
        assert!(throttle.admit(&ann, start + Duration::from_secs(3)).is_ok());
        for _ in 0..40 {
            throttle.record_failure(&ann, start).unwrap();
        }
        assert_eq!(throttle.admit(&ann, start).unwrap_err().retry_after, Some(30));
        throttle.record_success(&ann, start).unwrap();
        assert!(throttle.admit(&ann, start).is_ok());
    }

    #[test]
    fn failures_of_one_user_delay_no_other_user() {
        let throttle = Throttle::new(false, None);
        let (ann, bob) = (attempt("ann", OFFICE), attempt("bob", OFFICE));
        let start = Instant::now();
        let mut failed = 0;
        for second in 0..86_400 {
            let now = start + Duration::from_secs(second);
            if throttle.admit(&ann, now).is_ok() {
                throttle.record_failure(&ann, now).unwrap();
                failed += 1;
            }
            assert!(throttle.admit(&bob, now).is_ok(), "after {second} seconds and {failed} failures");
        }
        assert!(failed > 2_000, "{failed} failures are too few to tell");
    }

    #[test]
    fn an_address_that_tries_many_accounts_is_delayed() {
        let throttle = Throttle::new(false, None);
        let start = Instant::now();
        let mut tried = 0;
        let mut guess = |now: Instant| {
            let it = attempt(&format!("account {tried}"), OFFICE);
            let admitted = throttle.admit(&it, now).is_ok();
            if admitted {
                tried += 1;
                throttle.record_failure(&it, now).unwrap();
            }
            admitted
        };
        assert_eq!((0..1_000).filter(|_| guess(start)).count(), 100);
        // From then on, four attempts a minute are permitted.
        assert_eq!((0..600).filter(|second| guess(start + Duration::from_secs(*second))).count(), 39);
        let waits = throttle.admit(&attempt("another account", OFFICE), start + Duration::from_secs(590));
        assert_eq!(waits.unwrap_err().retry_after, Some(10));
        assert!(throttle.admit(&attempt("ann", [203, 0, 113, 8]), start).is_ok(), "another address");
    }

    #[test]
    fn successes_lower_the_count_of_an_address() {
        let throttle = Throttle::new(false, None);
        let now = Instant::now();
        // A thousand users of one office fail three times each.
        for user in 0..1_000 {
            let user = attempt(&format!("user {user}"), OFFICE);
            for _ in 0..3 {
                throttle.admit(&user, now).unwrap();
                throttle.record_failure(&user, now).unwrap();
            }
            throttle.record_success(&user, now).unwrap();
        }
        // A successful sign-in of an attacker gives at most one failure back.
        let mut guesses = 0;
        for n in 0..1_000 {
            let it = attempt(&format!("account {n}"), OFFICE);
            if throttle.admit(&it, now).is_ok() {
                throttle.record_failure(&it, now).unwrap();
                guesses += 1;
            }
            if n % 10 == 0 {
                throttle.record_success(&attempt("own", OFFICE), now).unwrap();
            }
        }
        assert_eq!(guesses, 100 + 100);
    }

    #[test]
    fn clients_on_this_machine_count_only_when_limits_are_configured() {
        let here = |n: u32| Attempt { account: format!("account {n}"), client: Some(IpAddr::from([127, 0, 0, 1])) };
        let now = Instant::now();
        for (local, expected) in [(false, 1_000), (true, 100)] {
            let throttle = Throttle::new(local, None);
            let admitted = (0..1_000).filter(|n| {
                let admitted = throttle.admit(&here(*n), now).is_ok();
                if admitted {
                    throttle.record_failure(&here(*n), now).unwrap();
                }
                admitted
            });
            assert_eq!(admitted.count(), expected);
        }
    }

    #[test]
    fn memory_is_bounded() {
        let throttle = Throttle::new(false, None);
        let now = Instant::now();
        for n in 0..MAX_ENTRIES + 50 {
            let client = IpAddr::from((n as u32 + 0x0b00_0000).to_be_bytes());
            throttle.record_failure(&Attempt { account: n.to_string(), client: Some(client) }, now).unwrap();
        }
        let counts = throttle.counts.lock().unwrap();
        assert_eq!((counts.accounts.len(), counts.addresses.len()), (MAX_ENTRIES, MAX_ENTRIES));
    }
}
