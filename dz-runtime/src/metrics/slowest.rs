//! The statements with the longest durations, in a table of limited size.

use std::time::Duration;

/// Shorter statements are not recorded.
pub(super) const SHORTEST: Duration = Duration::from_millis(5);
/// The recorded texts; a longer duration replaces the shortest one.
const MAX_TEXTS: usize = 50;
/// The maximum length of a recorded text.
const LONGEST_TEXT: usize = 2_000;

/// The statements.
#[derive(Debug, Default)]
pub(super) struct Slowest(Vec<SlowStatement>);

/// Executions of a statement that took long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SlowStatement {
    /// The text without values.
    pub(crate) text: String,
    /// The number of recorded executions.
    pub(crate) count: u64,
    /// The longest one.
    pub(crate) longest: Duration,
}

impl Slowest {
    pub(super) fn add(&mut self, text: String, duration: Duration) {
        let text: String = text.chars().take(LONGEST_TEXT).collect();
        if let Some(known) = self.0.iter_mut().find(|known| known.text == text) {
            known.count += 1;
            known.longest = known.longest.max(duration);
            return;
        }
        let new = SlowStatement { text, count: 1, longest: duration };
        if self.0.len() < MAX_TEXTS {
            self.0.push(new);
        } else if let Some(shortest) = self.0.iter_mut().min_by_key(|known| known.longest).filter(|known| known.longest < duration) {
            *shortest = new;
        }
    }

    pub(super) fn list(&self, most: usize) -> Vec<SlowStatement> {
        let mut all = self.0.clone();
        all.sort_by(|one, other| other.longest.cmp(&one.longest).then_with(|| one.text.cmp(&other.text)));
        all.truncate(most);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_statements_are_kept() {
        let mut slowest = Slowest::default();
        for n in 0..200_u64 {
            slowest.add(format!("SELECT {}", n % 100), Duration::from_millis(n));
        }
        assert_eq!(slowest.0.len(), MAX_TEXTS);
        let list = slowest.list(2);
        assert_eq!((list[0].text.as_str(), list[0].longest), ("SELECT 99", Duration::from_millis(199)));
        assert_eq!(list[1].text, "SELECT 98");
    }
}
