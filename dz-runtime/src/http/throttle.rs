//! Failed sign-ins: from the fifth on, each makes the next one wait longer (OWASP ASVS 6.3.1). Nobody is
//! ever locked out, and no connection is held.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use crate::{Error, Result};

/// Failures before anybody waits.
const FREE: u32 = 4;
/// The longest wait, in seconds.
const LONGEST: u64 = 30;
/// Failures are forgotten after this long without another.
const FORGOTTEN: Duration = Duration::from_secs(900);
/// So many names are remembered; the oldest make room.
const REMEMBERED: usize = 10_000;

/// What stands for a client: its address, or of IPv6 the network, which one person has whole.
pub(super) fn network(client: IpAddr) -> IpAddr {
    match client {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::from([a, b, c, d, 0, 0, 0, 0])
        }
        address => address,
    }
}

/// Failed attempts by account and by address.
#[derive(Default)]
pub(crate) struct Throttle {
    failures: Mutex<HashMap<String, Failures>>,
}

struct Failures {
    count: u32,
    last: Instant,
    until: Instant,
}

impl Throttle {
    /// 429 with the seconds to wait while one of the names has to.
    pub fn admit(&self, names: &[String], now: Instant) -> Result<()> {
        let failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        let wait = names.iter().filter_map(|name| failures.get(name)).map(|it| it.until.saturating_duration_since(now)).max();
        match wait {
            Some(wait) if !wait.is_zero() => {
                let seconds = wait.as_secs_f64().ceil() as u16;
                let detail = format!("Too many failed attempts; try again in {seconds} seconds");
                Err(Error { retry_after: Some(seconds), ..Error::new(429, "RATE_LIMIT", detail) })
            }
            _ => Ok(()),
        }
    }

    /// Notes a failure; gives how often the first name has failed with it.
    pub fn failed(&self, names: &[String], now: Instant) -> u32 {
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        for name in names {
            if failures.len() >= REMEMBERED && !failures.contains_key(name) {
                make_room(&mut failures, now);
            }
            let it = failures.entry(name.clone()).or_insert(Failures { count: 0, last: now, until: now });
            if now.saturating_duration_since(it.last) >= FORGOTTEN {
                it.count = 0;
            }
            it.count = it.count.saturating_add(1);
            it.last = now;
            let over = it.count.saturating_sub(FREE);
            let seconds = if over == 0 { 0 } else { (1_u64 << over.min(6)).min(LONGEST) };
            it.until = now + Duration::from_secs(seconds);
        }
        names.first().and_then(|name| failures.get(name)).map_or(0, |it| it.count)
    }

    /// How often a name has failed without an end to it.
    pub fn failures(&self, name: &str) -> u32 {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner).get(name).map_or(0, |it| it.count)
    }

    /// Forgets the failures of an account that signed in.
    pub fn succeeded(&self, name: &str) {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner).remove(name);
    }
}

/// Forgets what is old, else the oldest.
fn make_room(failures: &mut HashMap<String, Failures>, now: Instant) {
    failures.retain(|_, it| now.saturating_duration_since(it.last) < FORGOTTEN);
    if failures.len() >= REMEMBERED
        && let Some(oldest) = failures.iter().min_by_key(|(_, it)| it.last).map(|(name, _)| name.clone())
    {
        failures.remove(&oldest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fifth_failure_makes_the_next_attempt_wait() {
        let throttle = Throttle::default();
        let names = ["ann".to_owned(), "10.0.0.1".to_owned()];
        let start = Instant::now();
        for _ in 0..4 {
            throttle.failed(&names, start);
            assert!(throttle.admit(&names, start).is_ok());
        }
        throttle.failed(&names, start);
        assert_eq!(throttle.admit(&names, start).unwrap_err().retry_after, Some(2));
        assert!(throttle.admit(&["bob".to_owned()], start).is_ok());
        assert!(throttle.admit(&names, start + Duration::from_secs(3)).is_ok());
        for _ in 0..40 {
            throttle.failed(&names, start);
        }
        assert_eq!(throttle.admit(&names, start).unwrap_err().retry_after, Some(30));
        throttle.succeeded("ann");
        assert!(throttle.admit(&names[..1], start).is_ok());
    }

    #[test]
    fn memory_is_bounded() {
        let throttle = Throttle::default();
        let now = Instant::now();
        for n in 0..REMEMBERED + 50 {
            throttle.failed(&[n.to_string(), format!("from {n}")], now);
        }
        assert!(throttle.failures.lock().unwrap().len() <= REMEMBERED);
    }
}
