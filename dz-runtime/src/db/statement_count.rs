//! Counts the statements of a request, for its line in the log.

use std::cell::Cell;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

/// Counts a statement that runs on this thread.
pub(super) fn add() {
    COUNT.with(|count| count.set(count.get().wrapping_add(1)));
}

/// Runs `work` and returns the number of statements that it ran on this thread.
pub(crate) fn count_statements<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let before = COUNT.with(Cell::get);
    let done = work();
    (done, COUNT.with(Cell::get).wrapping_sub(before))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_statements_of_the_work_are_counted() {
        add();
        let (outer, statements) = count_statements(|| {
            add();
            count_statements(add).1
        });
        assert_eq!((outer, statements), (1, 2));
    }
}
