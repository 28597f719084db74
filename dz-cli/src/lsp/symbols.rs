//! The declared names of a text and of the workspace.

use dz_dsl_file::Span;
use lsp_types::{
    DocumentSymbol, DocumentSymbolParams, DocumentSymbolResponse, Location, SymbolInformation, SymbolKind, WorkspaceSymbolParams,
};
use serde_json::{Value, json};

use super::{failure::Failure, names::Name, state::State, unit::Unit};

/// The declared names of a text: a tree, or a list for a client that knows no tree.
pub fn document(state: &State, params: DocumentSymbolParams) -> Result<DocumentSymbolResponse, Failure> {
    let place = state.place(&params.text_document.uri)?;
    let client = state.client.text_document.as_ref().and_then(|it| it.document_symbol.as_ref());
    if client.is_none_or(|it| it.hierarchical_document_symbol_support != Some(true)) {
        let mut flat = Vec::new();
        for (unit, file) in place.units(state) {
            let names = unit.names();
            flat.extend(names.in_file(file).map(|name| information(state, unit, name, name.span)));
        }
        return Ok(DocumentSymbolResponse::Flat(flat));
    }
    let mut symbols = Vec::new();
    for (unit, file) in place.units(state) {
        let names = unit.names();
        let all: Vec<(&Name<'_>, Span)> = names.in_file(file).map(|name| (name, range_of(&names.whole(name.span), name))).collect();
        symbols.extend(tree(state, unit, &mut all.into_iter().peekable(), u32::MAX));
    }
    Ok(DocumentSymbolResponse::Nested(symbols))
}

/// Several values can be in one line, whose block belongs to none of them.
fn range_of(whole: &Span, name: &Name<'_>) -> Span {
    if name.declares.symbol() == SymbolKind::ENUM_MEMBER { name.span } else { *whole }
}

/// The symbols that begin before `end`, each with those inside it.
fn tree(state: &State, unit: &Unit, all: &mut std::iter::Peekable<std::vec::IntoIter<(&Name<'_>, Span)>>, end: u32) -> Vec<DocumentSymbol> {
    let mut found = Vec::new();
    while let Some((name, whole)) = all.next_if(|(name, _)| name.span.start < end) {
        let children = tree(state, unit, all, whole.end);
        found.push(symbol(state, unit, name, whole, children));
    }
    found
}

#[expect(deprecated, reason = "the member is part of the struct")]
fn symbol(state: &State, unit: &Unit, name: &Name<'_>, whole: Span, children: Vec<DocumentSymbol>) -> DocumentSymbol {
    let title = if name.title.is_empty() { String::new() } else { format!(" · {}", name.title) };
    DocumentSymbol {
        name: name.name.to_owned(),
        detail: Some(format!("{}{title}", name.declares.word())),
        kind: name.declares.symbol(),
        tags: None,
        deprecated: None,
        range: unit.range(whole, state.encoding),
        selection_range: unit.range(name.span, state.encoding),
        children: Some(children),
    }
}

#[expect(deprecated, reason = "the member is part of the struct")]
fn information(state: &State, unit: &Unit, name: &Name<'_>, span: Span) -> SymbolInformation {
    let location: Location = unit.location(span, state.encoding);
    SymbolInformation {
        name: name.name.to_owned(),
        kind: name.declares.symbol(),
        tags: None,
        deprecated: None,
        location,
        container_name: Some(name.declares.word().to_owned()),
    }
}

/// The declared names of every open project that contain the letters of a query in their order.
pub fn workspace(state: &State, params: WorkspaceSymbolParams) -> Result<Value, Failure> {
    let mut found = Vec::new();
    for project in state.all_projects() {
        for unit in project.units(&state.open) {
            let names = unit.names();
            let fits = names.all.iter().filter(|name| matches(name.name, &params.query) || matches(name.title, &params.query));
            found.extend(fits.map(|name| information(state, unit, name, name.span)));
        }
    }
    Ok(json!(found))
}

/// True if the letters of a query occur in a name in their order, whatever their case.
fn matches(name: &str, query: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    query.chars().flat_map(char::to_lowercase).filter(|c| !c.is_whitespace()).all(|c| letters.any(|it| it == c))
}
