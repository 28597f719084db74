//! The retry of a step: the number of attempts, and the delays between them.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Deserializer, de::Error as _};

use super::flow::Delay;
use crate::def::Backoff;

/// The longest delay before a retry, in seconds.
const MAX_DELAY: i64 = 3_600;

/// A retry.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(crate) struct Retry {
    /// The number of attempts.
    pub max_attempts: u32,
    /// The growth of the delays.
    #[serde(deserialize_with = "read_backoff")]
    pub backoff: Backoff,
    /// The first delay.
    pub interval: Delay,
}

impl Retry {
    /// The time of the attempt after a number of failures.
    pub fn next(&self, failures: u32, now: DateTime<Utc>) -> DateTime<Utc> {
        let first = (self.interval.after(now) - now).num_seconds().clamp(0, MAX_DELAY);
        now + TimeDelta::seconds(first.saturating_mul(self.backoff.factor(failures).into()).min(MAX_DELAY))
    }
}

/// Reads the word that a stored flow contains.
fn read_backoff<'de, D: Deserializer<'de>>(word: D) -> Result<Backoff, D::Error> {
    let word = String::deserialize(word)?;
    Backoff::from_word(&word).ok_or_else(|| D::Error::custom(format!("unknown backoff `{word}`")))
}
