//! Which statements a piece of work runs, to look at how the database would go about each.

use std::cell::RefCell;

use super::Statement;

thread_local! {
    static RECORDED: RefCell<Option<Vec<Statement>>> = const { RefCell::new(None) };
}

/// Runs `work`, and gives the statements that ran on this thread meanwhile.
pub(crate) fn record<T>(work: impl FnOnce() -> T) -> (T, Vec<Statement>) {
    RECORDED.with(|recorded| *recorded.borrow_mut() = Some(Vec::new()));
    let done = work();
    (done, RECORDED.with(|recorded| recorded.borrow_mut().take()).unwrap_or_default())
}

/// Notes a statement that is about to run, while somebody watches.
pub(super) fn note(statement: &Statement) {
    RECORDED.with(|recorded| {
        if let Some(recorded) = recorded.borrow_mut().as_mut() {
            recorded.push(statement.clone());
        }
    });
}
