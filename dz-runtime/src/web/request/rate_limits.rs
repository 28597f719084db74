//! Rate limits of client addresses for each class of routes, in a table of fixed size.
//!
//! A keyed hash of the address selects a slot of the table, so the memory does not grow, and no client can choose the slot of another.
//! On PostgreSQL all instances count together ([`shared`]).

mod shared;

use std::{
    hash::{BuildHasher, RandomState},
    net::IpAddr,
    num::NonZeroU32,
    sync::Arc,
    time::{Duration, Instant},
};

use governor::{
    Quota, RateLimiter,
    nanos::Nanos,
    state::{InMemoryState, NotKeyed, StateStore},
};
use rocket::http::Method;
use shared::{Decision, SharedRates};

use crate::{
    Error, Result,
    accounts::throttle::to_network,
    blocking::{Threads, Work},
    clock::Clock,
    config::RateLimits,
    db::shared_limits::SharedLimits,
    web::routes::{RouteMatch, is_safe},
};

const SLOTS: usize = 1 << 16;

/// The class of a request for its rate limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    Auth,
    Write,
    Read,
}

impl Class {
    /// The class of a request. Without a route, the method and the prefix of the path determine it.
    pub fn for_request(method: Method, path: &[String], found: &RouteMatch) -> Option<Class> {
        match found.route() {
            Some(route) => route.rate,
            None if is_safe(method) => Some(Class::Read),
            None if path.first().is_some_and(|first| first == "auth") => Some(Class::Auth),
            None => Some(Class::Write),
        }
    }
}

/// The limits, and the state of all clients.
pub(crate) struct Limits {
    local: bool,
    hasher: RandomState,
    /// One limiter for each class with a limit.
    classes: [Option<Limiter>; 3],
    /// The counts of all instances, which replace those of the process.
    shared: Option<Arc<SharedRates>>,
}

/// The algorithm of governor stores one number for each client: the time at which the client conforms to its rate.
type Limiter = RateLimiter<usize, Slots, Clock>;

/// The state of all clients.
struct Slots(Box<[InMemoryState]>);

impl StateStore for Slots {
    type Key = usize;

    fn measure_and_replace<T, F, E>(&self, slot: &usize, measure: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        self.0[slot % self.0.len()].measure_and_replace(&NotKeyed::NonKey, measure)
    }
}

impl governor::clock::Clock for Clock {
    type Instant = Instant;

    fn now(&self) -> Instant {
        self.instant()
    }
}

/// The number of requests that a client can send at once: one sixth of the rate, which is sufficient for the requests of a page.
fn burst(per_minute: u32) -> u32 {
    (per_minute / 6).max(10).min(per_minute)
}

fn limiter(per_minute: u32, clock: &Clock) -> Option<Limiter> {
    let quota = Quota::per_minute(NonZeroU32::new(per_minute)?).allow_burst(NonZeroU32::new(burst(per_minute))?);
    let slots = (0..SLOTS).map(|_| InMemoryState::default()).collect();
    Some(RateLimiter::new(quota, Slots(slots), clock.clone()))
}

impl Limits {
    pub fn new(rates: RateLimits, local: bool, clock: &Clock, shared: Option<Arc<SharedLimits>>) -> Limits {
        let rates = [rates.auth, rates.write, rates.read];
        let shared = shared.map(|limits| Arc::new(SharedRates::new(limits, rates, clock.clone())));
        let classes = if shared.is_some() { [None, None, None] } else { rates.map(|rate| limiter(rate, clock)) };
        Limits { local, hasher: RandomState::new(), classes, shared }
    }

    /// The client that is counted.
    fn counted_client(&self, client: Option<IpAddr>) -> Option<IpAddr> {
        client.filter(|client| self.local || !client.is_loopback()).map(to_network)
    }

    /// Counts a request. If the shared counts are needed, they are read on a blocking thread.
    ///
    /// # Errors
    /// 503 if the shared counts are unavailable.
    pub async fn admit(&self, class: Class, client: Option<IpAddr>, threads: &Threads) -> Result<Option<Wait>> {
        let Some(client) = self.counted_client(client) else { return Ok(None) };
        let Some(shared) = &self.shared else { return Ok(self.count_locally(class, client)) };
        match shared.decide(class, client) {
            Decision::Admitted => Ok(None),
            Decision::Refused(wait) => Ok(Some(wait)),
            Decision::Ask => {
                let shared = shared.clone();
                threads.run(Work::Read, move || shared.ask(class, client)).await?
            }
        }
    }

    /// As [`admit`](Limits::admit), on a blocking thread.
    ///
    /// # Errors
    /// As [`admit`](Limits::admit).
    #[cfg(feature = "graphql")]
    pub fn admit_blocking(&self, class: Class, client: Option<IpAddr>) -> Result<Option<Wait>> {
        let Some(client) = self.counted_client(client) else { return Ok(None) };
        let Some(shared) = &self.shared else { return Ok(self.count_locally(class, client)) };
        match shared.decide(class, client) {
            Decision::Admitted => Ok(None),
            Decision::Refused(wait) => Ok(Some(wait)),
            Decision::Ask => shared.ask(class, client),
        }
    }

    fn count_locally(&self, class: Class, client: IpAddr) -> Option<Wait> {
        let limiter = self.classes[class as usize].as_ref()?;
        let slot = usize::try_from(self.hasher.hash_one(client) % SLOTS as u64).unwrap_or_default();
        limiter.check_key(&slot).err().map(|until| Wait(until.wait_time_from(limiter.clock().instant())))
    }
}

/// The time until the next request of a client is possible.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wait(Duration);

impl Wait {
    /// The refusal, 429 with the seconds to wait, in the language of the current texts.
    pub fn into_error(self) -> Error {
        let seconds = self.0.as_secs_f64().ceil().max(1.0) as u16;
        let detail =
            say!("dz-too-many-requests", "Too many requests come from your address; try again in {seconds} seconds", seconds = seconds);
        Error { retry_after: Some(seconds), ..Error::new(429, "RATE_LIMIT", detail) }
    }
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, TimeDelta};

    use super::*;

    impl Limits {
        fn count(&self, class: Class, client: Option<IpAddr>) -> Result<()> {
            let wait = self.counted_client(client).and_then(|client| self.count_locally(class, client));
            wait.map_or(Ok(()), |wait| Err(wait.into_error()))
        }
    }

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn limits(auth: u32, local: bool) -> (Limits, Clock) {
        let clock = Clock::stopped(DateTime::UNIX_EPOCH);
        (Limits::new(RateLimits { auth, write: 0, read: 600 }, local, &clock, None), clock)
    }

    #[test]
    fn a_burst_is_followed_by_the_rate() {
        let (limits, clock) = limits(60, true);
        let ask = || limits.count(Class::Auth, Some(HERE));
        for _ in 0..10 {
            ask().unwrap();
        }
        let refused = ask().unwrap_err();
        assert_eq!((refused.status, refused.code, refused.retry_after), (429, "RATE_LIMIT", Some(1)));
        // The class `Read` has no limit here.
        limits.count(Class::Read, Some(HERE)).unwrap();
        for _ in 0..10_000 {
            limits.count(Class::Write, Some(HERE)).unwrap();
        }
        clock.advance(TimeDelta::seconds(1));
        ask().unwrap();
        assert!(ask().is_err());
        // After a minute without requests, the client has at most one burst.
        clock.advance(TimeDelta::seconds(100));
        assert_eq!((0..20).filter(|_| ask().is_ok()).count(), 10);
    }

    #[test]
    fn loopback_is_limited_only_if_limits_are_configured() {
        let (limits, _) = limits(1, false);
        for _ in 0..100 {
            limits.count(Class::Auth, Some(HERE)).unwrap();
        }
        let elsewhere = Some("203.0.113.9".parse().unwrap());
        assert!(limits.count(Class::Auth, elsewhere).is_ok() && limits.count(Class::Auth, elsewhere).is_err());
    }

    #[test]
    fn memory_is_bounded_for_any_number_of_clients() {
        let (limits, _) = limits(60, true);
        for n in 0..200_000_u32 {
            let _ = limits.count(Class::Auth, Some(IpAddr::from(n.to_be_bytes())));
        }
        let slots = limits.classes.into_iter().flatten().map(|limiter| limiter.into_state_store().0.len());
        assert_eq!(slots.collect::<Vec<_>>(), [SLOTS, SLOTS]);
    }

    #[test]
    fn classes() {
        let path = |text: &str| text.split('/').map(str::to_owned).collect::<Vec<_>>();
        let none = |method, text: &str| Class::for_request(method, &path(text), &RouteMatch::Nothing);
        assert_eq!(none(Method::Get, "board"), Some(Class::Read));
        assert_eq!(none(Method::Post, "auth/own"), Some(Class::Auth));
        assert_eq!(none(Method::Delete, "board/1"), Some(Class::Write));
    }
}
