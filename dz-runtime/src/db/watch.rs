//! Which statements a piece of work runs, to look at how the database would go about each.

use std::cell::RefCell;

use super::Statement;

thread_local! {
    static SEEN: RefCell<Option<Vec<Statement>>> = const { RefCell::new(None) };
}

/// Runs `work`, and gives the statements that ran on this thread meanwhile.
pub(crate) fn watch<T>(work: impl FnOnce() -> T) -> (T, Vec<Statement>) {
    SEEN.with(|seen| *seen.borrow_mut() = Some(Vec::new()));
    let done = work();
    (done, SEEN.with(|seen| seen.borrow_mut().take()).unwrap_or_default())
}

/// Notes a statement that is about to run, while somebody watches.
pub(super) fn note(statement: &Statement) {
    SEEN.with(|seen| {
        if let Some(seen) = seen.borrow_mut().as_mut() {
            seen.push(statement.clone());
        }
    });
}
