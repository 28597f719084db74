//! Rate limits of all instances, in the table of shared limits.
//!
//! An instance takes several requests of a client at once and counts them in memory, so that most requests need no statement. The
//! others can be lost, if the client sends its next requests to another instance, but the instances together never admit more than the
//! rate. A refused client is remembered until its next request is possible.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use super::{Class, Wait, burst};
use crate::{
    Clock, Result,
    db::{
        BindKind,
        shared_limits::{SharedLimits, numbers},
    },
};

/// The clients that are remembered for each class.
const MAX_CLIENTS: usize = 10_000;
/// Requests that were taken and not used expire after this time.
const LEASE: Duration = Duration::from_secs(10);
/// The part of a burst that an instance takes at once.
const PARTS: u32 = 20;

/// The rate limits of an instance.
pub(super) struct SharedRates {
    limits: Arc<SharedLimits>,
    clock: Clock,
    classes: [Option<ClassRate>; 3],
}

/// The limit of a class.
struct ClassRate {
    kind: &'static str,
    /// The time between two requests, in microseconds.
    interval: i64,
    burst: i64,
    /// The requests that an instance takes at once.
    part: i64,
    clients: Mutex<HashMap<IpAddr, Client>>,
}

/// What an instance knows of a client.
#[derive(Clone, Copy)]
struct Client {
    /// Requests that were taken and not used.
    left: i64,
    /// The time until which they can be used, or until which every request is refused.
    until: Instant,
}

/// The decision on a request.
pub(super) enum Decision {
    Admitted,
    Refused(Wait),
    /// Only the shared count can decide.
    Ask,
}

impl ClassRate {
    fn new(kind: &'static str, per_minute: u32) -> Option<ClassRate> {
        let burst = burst(per_minute);
        let interval = 60_000_000_i64.checked_div(per_minute.into())?.max(1);
        Some(ClassRate { kind, interval, burst: burst.into(), part: (burst / PARTS).max(1).into(), clients: Mutex::default() })
    }

    /// Remembers a client. If there are too many, all are forgotten, and the shared count decides about their next requests.
    fn remember(&self, client: IpAddr, known: Client, now: Instant) {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if clients.len() >= MAX_CLIENTS {
            clients.retain(|_, other| other.until > now);
        }
        if clients.len() >= MAX_CLIENTS {
            clients.clear();
        }
        clients.insert(client, known);
    }
}

impl SharedRates {
    pub fn new(limits: Arc<SharedLimits>, [auth, write, read]: [u32; 3], clock: Clock) -> SharedRates {
        let classes = [ClassRate::new("auth", auth), ClassRate::new("write", write), ClassRate::new("read", read)];
        SharedRates { limits, clock, classes }
    }

    /// Decides by the memory of this instance.
    pub fn decide(&self, class: Class, client: IpAddr) -> Decision {
        let Some(rate) = &self.classes[class as usize] else { return Decision::Admitted };
        let now = self.clock.instant();
        let mut clients = rate.clients.lock().unwrap_or_else(PoisonError::into_inner);
        match clients.get_mut(&client) {
            Some(known) if known.until <= now => Decision::Ask,
            Some(known) if known.left < 0 => Decision::Refused(Wait(known.until - now)),
            Some(known) if known.left > 0 => {
                known.left -= 1;
                Decision::Admitted
            }
            Some(_) | None => Decision::Ask,
        }
    }

    /// Takes the next requests of a client from the shared count. Blocks.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub fn ask(&self, class: Class, client: IpAddr) -> Result<Option<Wait>> {
        let Some(rate) = &self.classes[class as usize] else { return Ok(None) };
        let row = self.limits.row(rate.kind, &client.to_string());
        let (interval, whole) = (rate.interval, rate.burst * rate.interval);
        let start = "GREATEST(it.free_at, excluded.used_at)";
        let granted = format!("GREATEST(0, LEAST(excluded.count, (excluded.used_at + {whole} - {start}) / {interval}))");
        let mut take = self.limits.upsert(row, rate.part, rate.part * interval);
        take.push(&format!("count = {granted}, free_at = {start} + {interval} * {granted} RETURNING count, free_at - used_at"));
        let taken = self.limits.db.write(&mut |conn| conn.rows(&take, &[BindKind::Int; 2]))?;
        let now = self.clock.instant();
        match numbers(taken).as_slice() {
            [granted, _] if *granted > 0 => {
                rate.remember(client, Client { left: granted - 1, until: now + LEASE }, now);
                Ok(None)
            }
            [_, ahead] => {
                let wait = Duration::from_micros(u64::try_from(ahead + interval - whole).unwrap_or_default().max(1));
                rate.remember(client, Client { left: -1, until: now + wait }, now);
                Ok(Some(Wait(wait)))
            }
            // Without a count, no request is admitted.
            _ => Ok(Some(Wait(Duration::from_secs(1)))),
        }
    }
}
