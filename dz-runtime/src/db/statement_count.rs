//! How many statements a piece of work runs, for the line that the log has for a request.

use std::cell::Cell;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

/// Counts a statement that is about to run on this thread.
pub(super) fn add() {
    COUNT.with(|count| count.set(count.get().wrapping_add(1)));
}

/// Runs `work`, and gives the number of statements that ran on this thread meanwhile.
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
