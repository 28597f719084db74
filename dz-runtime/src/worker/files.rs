//! Stored files that nothing holds any more.

use std::sync::Arc;

use super::{Done, Stop};
use crate::{Result, files::sweep, http::state::State};

/// Removes some of them.
pub(super) fn run(state: &Arc<State>, stop: &Stop) -> Result<Done> {
    let (count, more) = sweep::run(state, &|| stop.is_asked())?;
    Ok(Done { count, put_off: 0, more, next: Some(state.clock.now() + sweep::EVERY) })
}
