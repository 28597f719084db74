//! A histogram of durations, which threads share without a lock.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

/// The upper bounds of the buckets in seconds, as OpenTelemetry's semantic conventions recommend for requests, with a shorter first one.
pub(crate) const BOUNDS: [f64; 15] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 10.0];

/// The counts of a histogram.
#[derive(Debug, Default)]
pub(crate) struct Histogram {
    /// The number of durations in each bucket; the last one is above all bounds.
    buckets: [AtomicU64; BOUNDS.len() + 1],
    micros: AtomicU64,
    longest: AtomicU64,
}

/// A histogram at one time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Summary {
    /// The number of durations up to each bound.
    pub(crate) up_to: [u64; BOUNDS.len()],
    /// The number of durations.
    pub(crate) count: u64,
    /// Their sum in seconds.
    pub(crate) sum: f64,
    /// The longest one in seconds.
    pub(crate) longest: f64,
}

impl Histogram {
    /// Adds a duration.
    pub(crate) fn add(&self, duration: Duration) {
        let seconds = duration.as_secs_f64();
        let at = BOUNDS.iter().position(|bound| seconds <= *bound).unwrap_or(BOUNDS.len());
        if let Some(bucket) = self.buckets.get(at) {
            bucket.fetch_add(1, Ordering::Relaxed);
        }
        let micros = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        self.micros.fetch_add(micros, Ordering::Relaxed);
        self.longest.fetch_max(micros, Ordering::Relaxed);
    }

    /// The counts.
    pub(crate) fn read(&self) -> Summary {
        let counts = self.buckets.each_ref().map(|bucket| bucket.load(Ordering::Relaxed));
        let mut count = 0;
        let mut up_to = [0; BOUNDS.len()];
        for (sum, bucket) in up_to.iter_mut().zip(counts) {
            count += bucket;
            *sum = count;
        }
        count += counts.last().copied().unwrap_or_default();
        let seconds = |micros: &AtomicU64| micros.load(Ordering::Relaxed) as f64 / 1e6;
        Summary { up_to, count, sum: seconds(&self.micros), longest: seconds(&self.longest) }
    }
}

impl Summary {
    /// The mean in seconds; 0 without a duration.
    pub(crate) fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum / self.count as f64 }
    }

    /// The smallest bound that at least this part of the durations does not exceed; the longest duration above all bounds.
    pub(crate) fn quantile(&self, part: f64) -> f64 {
        let wanted = part * self.count as f64;
        let at = self.up_to.iter().position(|count| *count as f64 >= wanted);
        at.and_then(|at| BOUNDS.get(at)).map_or(self.longest, |bound| bound.min(self.longest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_counted_in_their_buckets() {
        let histogram = Histogram::default();
        for millis in [1, 2, 3, 40, 900, 20_000] {
            histogram.add(Duration::from_millis(millis));
        }
        let summary = histogram.read();
        assert_eq!(summary.up_to, [1, 2, 3, 3, 3, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5]);
        assert_eq!((summary.count, summary.sum, summary.longest), (6, 20.946, 20.0));
        assert_eq!((summary.quantile(0.5), summary.quantile(0.8), summary.quantile(1.0)), (0.005, 1.0, 20.0));
        assert_eq!(Histogram::default().read().mean(), 0.0);
    }
}
