//! Records the statements of an operation, so that their query plans can be inspected.

use std::cell::RefCell;

use super::Statement;

thread_local! {
    static RECORDED: RefCell<Option<Vec<Statement>>> = const { RefCell::new(None) };
}

/// Runs `work` and returns the statements that it ran on this thread.
pub(crate) fn record<T>(work: impl FnOnce() -> T) -> (T, Vec<Statement>) {
    RECORDED.with(|recorded| *recorded.borrow_mut() = Some(Vec::new()));
    let done = work();
    (done, RECORDED.with(|recorded| recorded.borrow_mut().take()).unwrap_or_default())
}

/// Records a statement, if a recording is active on this thread.
pub(super) fn note(statement: &Statement) {
    RECORDED.with(|recorded| {
        if let Some(recorded) = recorded.borrow_mut().as_mut() {
            recorded.push(statement.clone());
        }
    });
}
