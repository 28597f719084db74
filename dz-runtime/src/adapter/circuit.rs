//! The circuit breaker: calls of a service that fails fail at once, until a trial request succeeds.
//!
//! Source: M. Nygard, *Release It!*, "Circuit Breaker".

use std::{
    fmt,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use super::failure::Failure;

/// When calls of a service fail at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CircuitBreaker {
    /// The number of failures in succession after which the circuit opens. 5 by default; 0 never opens it.
    pub failures: u32,
    /// The time for which calls fail at once. After it, one request is sent as a trial. 30 s by default.
    pub open_for: Duration,
}

impl Default for CircuitBreaker {
    fn default() -> CircuitBreaker {
        CircuitBreaker { failures: 5, open_for: Duration::from_secs(30) }
    }
}

#[derive(Default)]
pub(super) struct Circuit(Mutex<Status>);

#[derive(Default)]
struct Status {
    breaker: Option<CircuitBreaker>,
    failures: u32,
    /// The time until which calls fail at once.
    open_until: Option<Instant>,
}

impl Circuit {
    pub(super) fn configure(&self, breaker: CircuitBreaker) {
        *self.status() = Status { breaker: Some(breaker), ..Status::default() };
    }

    /// Permits a request.
    ///
    /// # Errors
    /// The circuit is open.
    pub(super) fn admit(&self) -> Result<(), Failure> {
        let mut status = self.status();
        let (Some(until), Some(breaker)) = (status.open_until, status.breaker) else { return Ok(()) };
        let now = Instant::now();
        if now < until {
            return Err(Failure::CircuitOpen(until - now));
        }
        // One request is the trial; the others fail until it has ended.
        status.open_until = Some(now + breaker.open_for);
        Ok(())
    }

    pub(super) fn record_success(&self) {
        let mut status = self.status();
        (status.failures, status.open_until) = (0, None);
    }

    /// Counts a failure. A response to a wrong request shows that the service works.
    pub(super) fn record(&self, failure: &Failure) {
        if !failure.is_of_service() {
            return self.record_success();
        }
        let mut status = self.status();
        let Some(breaker) = status.breaker.filter(|breaker| breaker.failures > 0) else { return };
        status.failures = status.failures.saturating_add(1);
        if status.failures >= breaker.failures {
            status.open_until = Some(Instant::now() + breaker.open_for);
        }
    }

    fn status(&self) -> std::sync::MutexGuard<'_, Status> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Circuit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Circuit")
    }
}
