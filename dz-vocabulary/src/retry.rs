//! Retries after failures.

crate::vocabulary! {
    /// The growth of the delays between attempts.
    Backoff {
        /// Equal delays.
        Fixed = "fixed",
        /// Each delay is longer by the first one.
        Linear = "linear",
        /// Each delay is twice the previous one.
        Exponential = "exponential",
    }
}

impl Backoff {
    /// The delay after a number of failures, as a multiple of the first delay.
    ///
    /// ```
    /// use dz_vocabulary::Backoff;
    /// let factors = |backoff: Backoff| [1, 2, 3].map(|failures| backoff.factor(failures));
    /// assert_eq!(factors(Backoff::Fixed), [1, 1, 1]);
    /// assert_eq!(factors(Backoff::Linear), [1, 2, 3]);
    /// assert_eq!(factors(Backoff::Exponential), [1, 2, 4]);
    /// ```
    #[must_use]
    pub fn factor(self, failures: u32) -> u32 {
        match self {
            Backoff::Fixed => 1,
            Backoff::Linear => failures.max(1),
            // Every delay has a maximum, which is reached long before.
            Backoff::Exponential => 1 << failures.saturating_sub(1).min(20),
        }
    }
}
