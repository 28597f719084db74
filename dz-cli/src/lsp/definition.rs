//! The declaration of a name.

use lsp_types::{GotoDefinitionParams, Location};

use super::{failure::Failure, state::State};

/// The place of the declaration of the name at a position.
pub fn answer(state: &State, params: GotoDefinitionParams) -> Result<Option<Location>, Failure> {
    let at = params.text_document_position_params;
    let place = state.place(&at.text_document.uri)?;
    let Some(it) = place.at(state, at.position) else { return Ok(None) };
    let found = it.unit.names().at(it.file, it.byte);
    Ok(found.map(|found| it.unit.location(found.declared, state.encoding)))
}
