//! Removes stored files that no row uses.

use std::sync::Arc;

use super::{Progress, Stop};
use crate::{
    Result,
    files::{cleanup, has_files},
    state::State,
};

/// Removes a bounded number of files.
pub(super) fn run(state: &Arc<State>, stop: &Stop) -> Result<Progress> {
    let now = state.clock.now();
    let mut done = Progress { next: Some(now + cleanup::INTERVAL), ..Progress::default() };
    if !has_files(state.app) {
        return Ok(done);
    }
    (done.count, done.more) = cleanup::remove_due(&state.db, &state.storage, now, &|| stop.is_requested())?;
    // Files without metadata are searched for once a day, after the rest.
    if !done.more && state.files_swept.is_due(now, cleanup::UNUSED_AGE) {
        done.count += cleanup::remove_unknown(&state.db, &state.storage, now)?;
        state.files_swept.note(now);
    }
    Ok(done)
}
