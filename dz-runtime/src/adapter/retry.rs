//! Which failed requests are repeated, and after which delay.

use std::time::Duration;

use super::{RetryConfig, failure::Failure};

/// The maximum delay. A service that asks for a longer one is not called again.
const MAX_DELAY: Duration = Duration::from_secs(60);

/// A request that failed.
#[derive(Clone, Copy)]
pub(super) struct Attempt {
    /// The number of the request, from 1.
    pub number: u32,
    /// True if a repetition of the request has the same effect as one request.
    pub repeatable: bool,
}

/// The delay before the next request; `None` if there is none.
pub(super) fn delay(config: &RetryConfig, attempt: Attempt, failure: &Failure) -> Option<Duration> {
    if attempt.number > config.max_retries || !can_repeat(attempt.repeatable, failure) {
        return None;
    }
    let requested = if let Failure::Status { retry_after: Some(delay), .. } = failure { *delay } else { Duration::ZERO };
    let growing = config.base_delay.saturating_mul(2_u32.saturating_pow(attempt.number - 1));
    let delay = vary(growing, config.jitter).min(config.max_delay).max(requested);
    (requested <= MAX_DELAY).then_some(delay.min(MAX_DELAY))
}

fn can_repeat(repeatable: bool, failure: &Failure) -> bool {
    match failure {
        // The service did not process these requests.
        Failure::Status { status: 429 | 503, .. } | Failure::Connection(_) => true,
        Failure::Status { status, .. } => repeatable && *status >= 500,
        Failure::Timeout | Failure::Broken(_) => repeatable,
        Failure::Decode { .. } | Failure::CircuitOpen(_) | Failure::Request(_) | Failure::Critical(_) => false,
    }
}

/// Adds or removes a random share, so that clients which failed together do not repeat together.
fn vary(delay: Duration, jitter: f64) -> Duration {
    let mut bytes = [0; 2];
    // Without random bytes the delay is not varied.
    let random = getrandom::fill(&mut bytes).map_or(0.5, |()| f64::from(u16::from_le_bytes(bytes)) / f64::from(u16::MAX));
    let jitter = if jitter.is_finite() { jitter.clamp(0.0, 0.5) } else { 0.0 };
    delay.mul_f64(1.0 + jitter * (2.0 * random - 1.0))
}
