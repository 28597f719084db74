//! Stored files that nothing holds any more.

use std::sync::Arc;

use super::{Done, Stop};
use crate::{
    Result,
    files::{has_files, sweep},
    state::State,
};

/// Removes some of them.
pub(super) fn run(state: &Arc<State>, stop: &Stop) -> Result<Done> {
    let now = state.clock.now();
    let mut done = Done { next: Some(now + sweep::EVERY), ..Done::default() };
    if !has_files(state.app) {
        return Ok(done);
    }
    (done.count, done.more) = sweep::remove_due(&state.db, &state.storage, now, &|| stop.is_asked())?;
    // Bytes without an object row are searched for once a day, after the rest.
    if !done.more && state.gone_through.is_due(now, sweep::AGE) {
        done.count += sweep::remove_unknown(&state.db, &state.storage, now)?;
        state.gone_through.note(now);
    }
    Ok(done)
}
