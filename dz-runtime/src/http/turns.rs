//! Turns at work that is slow and large on purpose: hashing a password takes tens of milliseconds and 19 MiB.

use std::{
    sync::{Condvar, Mutex, PoisonError},
    time::Duration,
};

use crate::{Error, Result};

/// So many at once; whoever comes later waits, but not for ever.
pub(crate) struct Turns {
    free: Mutex<usize>,
    freed: Condvar,
    patience: Duration,
}

/// One turn; it ends when it is dropped.
pub(crate) struct Turn<'t>(&'t Turns);

impl Default for Turns {
    /// One per processor, within reason: more only use more memory.
    fn default() -> Turns {
        let processors = std::thread::available_parallelism().map_or(2, usize::from);
        Turns::new(processors.clamp(2, 16), Duration::from_secs(5))
    }
}

impl Turns {
    pub fn new(count: usize, patience: Duration) -> Turns {
        Turns { free: Mutex::new(count), freed: Condvar::new(), patience }
    }

    /// Waits for a turn.
    ///
    /// # Errors
    /// 503 when none comes.
    pub fn take(&self) -> Result<Turn<'_>> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.freed.wait_timeout_while(free, self.patience, |free| *free == 0);
        let (mut free, _) = waited.unwrap_or_else(PoisonError::into_inner);
        match free.checked_sub(1) {
            Some(left) => {
                *free = left;
                Ok(Turn(self))
            }
            None => {
                let error = Error::new(503, "UNAVAILABLE", "Too many people sign in at the moment, try again in a few seconds");
                Err(Error { retry_after: Some(2), ..error })
            }
        }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_comes_when_another_ends() {
        let turns = Turns::new(1, Duration::from_millis(20));
        let first = turns.take().unwrap();
        let refused = turns.take().map(drop).unwrap_err();
        assert_eq!((refused.status, refused.retry_after), (503, Some(2)));
        drop(first);
        assert!(turns.take().is_ok());
    }

    #[test]
    fn whoever_waits_is_woken() {
        let turns = Turns::new(1, Duration::from_secs(10));
        let first = turns.take().unwrap();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| turns.take().is_ok());
            drop(first);
            assert!(waiting.join().unwrap());
        });
    }
}
