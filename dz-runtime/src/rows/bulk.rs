//! Many rows, each as if it were alone.

use crate::{Result, Tx};

/// Rows that share a savepoint while nothing is wrong with any of them.
const CHUNK: usize = 100;

/// Does `one` to each of many, in order; what is refused undoes its own part alone.
///
/// A savepoint for each costs as much as a write. So some of them share one: if one of these is refused, all of them are undone
/// and done again, each in a savepoint of its own. Where there are hooks, which may do more than the database can undo,
/// nothing is done twice.
///
/// # Errors
/// What is wrong with the database, which is wrong with all of them.
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
