//! The uses of a name, in all files of the project.

use dz_dsl_file::Span;
use lsp_types::{DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams, Location, ReferenceParams};

use super::{
    failure::Failure,
    state::{At, State},
};

/// The uses of the name at a position, with its declaration if the client includes it.
pub fn answer(state: &State, params: ReferenceParams) -> Result<Option<Vec<Location>>, Failure> {
    let at = params.text_document_position;
    let place = state.place(&at.text_document.uri)?;
    let Some(it) = place.at(state, at.position) else { return Ok(None) };
    let Some((declared, uses)) = occurrences(it) else { return Ok(None) };
    let declared = params.context.include_declaration.then_some(declared);
    Ok(Some(declared.into_iter().chain(uses).map(|span| it.unit.location(span, state.encoding)).collect()))
}

/// The occurrences of the name at a position in its file, for highlighting.
pub fn highlight(state: &State, params: DocumentHighlightParams) -> Result<Option<Vec<DocumentHighlight>>, Failure> {
    let at = params.text_document_position_params;
    let place = state.place(&at.text_document.uri)?;
    let Some(it) = place.at(state, at.position) else { return Ok(None) };
    let Some((declared, uses)) = occurrences(it) else { return Ok(None) };
    let of = |span: Span, kind| DocumentHighlight { range: it.unit.range(span, state.encoding), kind: Some(kind) };
    let uses = uses.into_iter().map(|span| (span, DocumentHighlightKind::READ));
    let all = [(declared, DocumentHighlightKind::WRITE)].into_iter().chain(uses);
    Ok(Some(all.filter(|(span, _)| span.file == it.file).map(|(span, kind)| of(span, kind)).collect()))
}

/// The declaration of the name at a place, and its uses.
fn occurrences(it: At<'_>) -> Option<(Span, Vec<Span>)> {
    let names = it.unit.names();
    let declared = names.at(it.file, it.byte)?.declared;
    let uses = names.uses_of(declared).collect();
    Some((declared, uses))
}
