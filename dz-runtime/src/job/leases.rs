//! The leases that this instance holds. One thread renews those of all jobs: most jobs end before their lease must be renewed.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use uuid::Uuid;

use super::queue::RENEWAL;

/// The time until a renewal that failed is repeated: a lease lasts for three renewals, and a failure can take one of them.
const REPEAT: Duration = Duration::from_secs(1);

/// The leases.
#[derive(Default)]
pub(crate) struct HeldLeases(Mutex<LeaseList>);

#[derive(Default)]
struct LeaseList {
    leases: Vec<Lease>,
    /// True while a thread renews them.
    is_renewing: bool,
    /// True if the thread found none the last time.
    was_empty: bool,
}

struct Lease {
    /// The job, and the holder of its lease.
    held: (Uuid, Uuid),
    renew_at: Instant,
    /// Becomes true if the lease is no longer held.
    lost: Arc<AtomicBool>,
}

/// What the thread that renews the leases does next.
#[derive(Debug, PartialEq)]
pub(crate) enum NextRenewal {
    /// It renews these.
    Renew(Vec<(Uuid, Uuid)>),
    /// It waits.
    Wait(Duration),
    /// It ends.
    End,
}

/// Holds a lease until it is dropped.
pub(crate) struct HeldLease<'h> {
    of: &'h HeldLeases,
    held: (Uuid, Uuid),
}

impl Drop for HeldLease<'_> {
    fn drop(&mut self) {
        self.of.lock().leases.retain(|lease| lease.held != self.held);
    }
}

impl HeldLeases {
    fn lock(&self) -> MutexGuard<'_, LeaseList> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Holds a lease that was taken now. True if a thread must be started that renews the leases.
    pub(crate) fn hold(&self, held: (Uuid, Uuid), lost: Arc<AtomicBool>) -> (HeldLease<'_>, bool) {
        let mut all = self.lock();
        all.leases.push(Lease { held, renew_at: Instant::now() + RENEWAL, lost });
        let must_start = !std::mem::replace(&mut all.is_renewing, true);
        (HeldLease { of: self, held }, must_start)
    }

    /// Notes that no thread could be started.
    pub(crate) fn note_no_thread(&self) {
        self.lock().is_renewing = false;
    }

    /// What the thread does at a time. It ends if there was no lease for some time.
    pub(crate) fn next(&self, now: Instant) -> NextRenewal {
        let mut all = self.lock();
        let Some(first) = all.leases.iter().map(|lease| lease.renew_at).min() else {
            let ends = std::mem::replace(&mut all.was_empty, true);
            all.is_renewing = !ends;
            return if ends { NextRenewal::End } else { NextRenewal::Wait(RENEWAL) };
        };
        all.was_empty = false;
        if first > now {
            return NextRenewal::Wait(first - now);
        }
        NextRenewal::Renew(all.leases.iter().filter(|lease| lease.renew_at <= now).map(|lease| lease.held).collect())
    }

    /// Notes the result of a renewal: `None` if the database is unavailable; the next renewal can succeed in time.
    pub(crate) fn note(&self, held: (Uuid, Uuid), renewed: Option<bool>, now: Instant) {
        for lease in self.lock().leases.iter_mut().filter(|lease| lease.held == held) {
            lease.renew_at = now + if renewed.is_none() { REPEAT } else { RENEWAL };
            if renewed == Some(false) {
                lease.lost.store(true, Ordering::Relaxed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leases_are_renewed_in_time_and_a_lost_one_is_reported() {
        let leases = HeldLeases::default();
        let (job, lost) = ((Uuid::now_v7(), Uuid::now_v7()), Arc::new(AtomicBool::default()));
        let (lease, must_start) = leases.hold(job, lost.clone());
        assert!(must_start, "no thread renews them yet");
        let (other, must_start) = leases.hold((Uuid::now_v7(), Uuid::now_v7()), Arc::default());
        assert!(!must_start);
        drop(other);
        let now = Instant::now();
        assert!(matches!(leases.next(now), NextRenewal::Wait(wait) if wait <= RENEWAL));
        let later = now + RENEWAL;
        assert_eq!(leases.next(later), NextRenewal::Renew(vec![job]));
        leases.note(job, None, later);
        assert_eq!(leases.next(later), NextRenewal::Wait(REPEAT), "a failure of the database is no loss, and is repeated before the end");
        leases.note(job, Some(false), later);
        assert!(lost.load(Ordering::Relaxed));
        drop(lease);
        assert_eq!((leases.next(later), leases.next(later)), (NextRenewal::Wait(RENEWAL), NextRenewal::End));
        assert!(leases.hold(job, lost).1, "the thread has ended");
    }
}
