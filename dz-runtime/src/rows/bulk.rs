//! Writes of many rows, each with its own result.

use crate::{Result, Tx};

/// The number of rows that share a savepoint as long as none of them is refused.
const CHUNK: usize = 100;

/// Runs `one` for each item, in order. A refusal rolls back only the writes of its own item.
///
/// A savepoint costs as much as a write, so several items share one. If one of them is refused, all of the savepoint are rolled
/// back and repeated, each in a savepoint of its own. With hooks, which can have effects outside the database, every item has its
/// own savepoint, so that no hook runs twice.
///
/// # Errors
/// Errors with status 500 and above, which concern all items.
pub(crate) fn run_each<T, R>(tx: &mut Tx<'_>, many: &[T], one: impl Fn(&mut Tx<'_>, &T) -> Result<R>) -> Result<Vec<Result<R>>> {
    let mut done = Vec::with_capacity(many.len());
    for some in many.chunks(if tx.hooks.is_empty() { CHUNK } else { 1 }) {
        let together = match some {
            [_] => None,
            some => Some(tx.savepoint(|tx| some.iter().map(|it| one(tx, it)).collect::<Result<Vec<R>>>())),
        };
        match together {
            Some(Ok(all)) => done.extend(all.into_iter().map(Ok)),
            Some(Err(error)) if error.status >= 500 => return Err(error),
            _ => {
                for it in some {
                    match tx.savepoint(|tx| one(tx, it)) {
                        Err(error) if error.status >= 500 => return Err(error),
                        result => done.push(result),
                    }
                }
            }
        }
    }
    Ok(done)
}
