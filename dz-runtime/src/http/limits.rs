//! How much one client address may ask for: a rate for each class of routes, in a table of fixed size.
//!
//! The generic cell rate algorithm keeps one number per client, the moment at which it would be served if it kept to its
//! rate. The numbers stand in slots that a keyed hash of the address chooses, so that memory never grows, whoever asks,
//! and nobody can choose whose slot to share.

use std::{
    hash::{BuildHasher, RandomState},
    net::IpAddr,
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use rocket::http::Method;

use super::throttle::network;
use crate::{Error, Result, config::Rates};

const SLOTS: usize = 1 << 16;

/// What a request does, as far as its rate goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    Auth,
    Write,
    Read,
}

impl Class {
    /// The class of a request; what is embedded in the program has none.
    pub fn of(method: Method, path: &[String]) -> Option<Class> {
        let is_safe = matches!(method, Method::Get | Method::Head | Method::Options | Method::Trace);
        match (path.first().map(String::as_str), is_safe) {
            (Some("-"), true) => None,
            // Each asks somebody else for something.
            (Some("auth"), true) if path.get(1).is_some_and(|second| second == "oidc") => Some(Class::Auth),
            (_, true) => Some(Class::Read),
            (Some("auth"), false) => Some(Class::Auth),
            (_, false) => Some(Class::Write),
        }
    }
}

/// The rates, and who has used how much of them.
pub(crate) struct Limits {
    local: bool,
    hasher: RandomState,
    begin: Instant,
    classes: [Table; 3],
}

struct Table {
    /// Nanoseconds from one request to the next; zero without a limit.
    interval: u64,
    /// Nanoseconds by which requests may come early: so much may come at once.
    ahead: u64,
    slots: Box<[AtomicU64]>,
}

impl Table {
    fn new(per_minute: u32) -> Table {
        let interval = 60_000_000_000_u64.checked_div(per_minute.into()).unwrap_or(0);
        // A sixth of a minute's worth at once, and no page stumbles over its own requests.
        let burst = u64::from(per_minute / 6).max(10).min(per_minute.max(1).into());
        let slots = if interval == 0 { 0 } else { SLOTS };
        Table { interval, ahead: interval.saturating_mul(burst - 1), slots: (0..slots).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Takes one request's worth; else the nanoseconds until there is one.
    fn take(&self, slot: usize, now: u64) -> Result<(), u64> {
        let Some(slot) = self.slots.get(slot) else { return Ok(()) };
        let taken = slot.fetch_update(Ordering::AcqRel, Ordering::Acquire, |due| {
            let due = due.max(now);
            (due - now <= self.ahead).then(|| due.saturating_add(self.interval))
        });
        taken.map(drop).map_err(|due| due.saturating_sub(now).saturating_sub(self.ahead))
    }
}

impl Limits {
    pub fn new(rates: &Rates) -> Limits {
        let classes = [rates.auth, rates.write, rates.read].map(Table::new);
        Limits { local: rates.local, hasher: RandomState::new(), begin: Instant::now(), classes }
    }

    /// Counts a request.
    ///
    /// # Errors
    /// 429 with the seconds to wait.
    pub fn admit(&self, class: Class, client: Option<IpAddr>, now: Instant) -> Result<()> {
        let Some(client) = client.filter(|client| self.local || !client.is_loopback()) else { return Ok(()) };
        let table = &self.classes[class as usize];
        let slot = usize::try_from(self.hasher.hash_one(network(client)) % SLOTS as u64).unwrap_or_default();
        let now = u64::try_from(now.saturating_duration_since(self.begin).as_nanos()).unwrap_or(u64::MAX);
        table.take(slot, now).map_err(|wait| {
            let seconds = Duration::from_nanos(wait).as_secs_f64().ceil().max(1.0) as u16;
            let detail = format!("Too many requests come from your address; try again in {seconds} seconds");
            Error { retry_after: Some(seconds), ..Error::new(429, "RATE_LIMIT", detail) }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn limits(auth: u32, local: bool) -> Limits {
        Limits::new(&Rates { auth, write: 0, read: 600, local })
    }

    #[test]
    fn a_burst_and_then_the_rate() {
        let limits = limits(60, true);
        let start = Instant::now();
        let at = |seconds: u64| limits.admit(Class::Auth, Some(HERE), start + Duration::from_secs(seconds));
        for _ in 0..10 {
            at(0).unwrap();
        }
        let refused = at(0).unwrap_err();
        assert_eq!((refused.status, refused.code, refused.retry_after), (429, "RATE_LIMIT", Some(1)));
        at(1).unwrap();
        assert!(at(1).is_err());
        // What is looked at is another class, and what has no limit has none.
        limits.admit(Class::Read, Some(HERE), start).unwrap();
        for _ in 0..10_000 {
            limits.admit(Class::Write, Some(HERE), start).unwrap();
        }
        // After a minute of rest no more than a burst has been saved up.
        assert_eq!((0..20).filter(|_| at(100).is_ok()).count(), 10);
    }

    #[test]
    fn this_machine_is_left_alone_unless_limits_were_written_down() {
        let limits = limits(1, false);
        let now = Instant::now();
        for _ in 0..100 {
            limits.admit(Class::Auth, Some(HERE), now).unwrap();
        }
        let elsewhere = Some("203.0.113.9".parse().unwrap());
        assert!(limits.admit(Class::Auth, elsewhere, now).is_ok() && limits.admit(Class::Auth, elsewhere, now).is_err());
    }

    #[test]
    fn memory_is_bounded_whoever_asks() {
        let limits = limits(60, true);
        for n in 0..200_000_u32 {
            let _ = limits.admit(Class::Auth, Some(IpAddr::from(n.to_be_bytes())), Instant::now());
        }
        assert_eq!(limits.classes.iter().map(|table| table.slots.len()).sum::<usize>(), 2 * SLOTS);
    }

    #[test]
    fn classes() {
        let path = |text: &str| text.split('/').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(Class::of(Method::Get, &path("-/assets/x/dz.js")), None);
        assert_eq!(Class::of(Method::Get, &path("api/tasks")), Some(Class::Read));
        assert_eq!(Class::of(Method::Post, &path("auth/login")), Some(Class::Auth));
        assert_eq!(Class::of(Method::Delete, &path("api/tasks/1")), Some(Class::Write));
    }
}
