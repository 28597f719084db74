//! The table of requests.

use lsp_server::ErrorCode;
use lsp_types::request::{
    CallHierarchyIncomingCalls, CallHierarchyOutgoingCalls, CallHierarchyPrepare, CodeActionRequest, CodeLensRequest, Completion,
    DocumentHighlightRequest, DocumentSymbolRequest, FoldingRangeRequest, Formatting, GotoDefinition, HoverRequest, InlayHintRequest,
    OnTypeFormatting, PrepareRenameRequest, RangeFormatting, References, Rename, Request, SelectionRangeRequest, SemanticTokensFullRequest,
    SemanticTokensRangeRequest, SignatureHelpRequest, WorkspaceSymbolRequest,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::{
    call_hierarchy, code_actions, completion, definition, failure::Failure, folding, formatting, hover, inlay_hints, lenses, references,
    rename, selection, semantic_tokens, signature, state::State, symbols,
};

/// The result of a request.
pub fn answer(state: &State, method: &str, params: Value) -> Result<Value, Failure> {
    match method {
        HoverRequest::METHOD => with(state, params, hover::answer),
        GotoDefinition::METHOD => with(state, params, definition::answer),
        References::METHOD => with(state, params, references::answer),
        DocumentHighlightRequest::METHOD => with(state, params, references::highlight),
        PrepareRenameRequest::METHOD => with(state, params, rename::prepare),
        Rename::METHOD => with(state, params, rename::answer),
        DocumentSymbolRequest::METHOD => with(state, params, symbols::document),
        WorkspaceSymbolRequest::METHOD => with(state, params, symbols::workspace),
        Formatting::METHOD => with(state, params, formatting::document),
        RangeFormatting::METHOD => with(state, params, formatting::range),
        OnTypeFormatting::METHOD => with(state, params, formatting::on_type),
        Completion::METHOD => with(state, params, completion::answer),
        SignatureHelpRequest::METHOD => with(state, params, signature::answer),
        CodeActionRequest::METHOD => with(state, params, code_actions::answer),
        CodeLensRequest::METHOD => with(state, params, lenses::answer),
        InlayHintRequest::METHOD => with(state, params, inlay_hints::answer),
        SemanticTokensFullRequest::METHOD => with(state, params, semantic_tokens::full),
        SemanticTokensRangeRequest::METHOD => with(state, params, semantic_tokens::range),
        FoldingRangeRequest::METHOD => with(state, params, folding::answer),
        SelectionRangeRequest::METHOD => with(state, params, selection::answer),
        CallHierarchyPrepare::METHOD => with(state, params, call_hierarchy::prepare),
        CallHierarchyIncomingCalls::METHOD => with(state, params, call_hierarchy::incoming),
        CallHierarchyOutgoingCalls::METHOD => with(state, params, call_hierarchy::outgoing),
        _ => Err(Failure::new(ErrorCode::MethodNotFound, format!("there is no method `{method}`"))),
    }
}

fn with<P: DeserializeOwned, R: Serialize>(
    state: &State,
    params: Value,
    answer: impl FnOnce(&State, P) -> Result<R, Failure>,
) -> Result<Value, Failure> {
    let result = answer(state, read(params)?)?;
    serde_json::to_value(result).map_err(|error| Failure::new(ErrorCode::InternalError, error.to_string()))
}

/// The parameters of a message.
pub fn read<P: DeserializeOwned>(params: Value) -> Result<P, Failure> {
    serde_json::from_value(params).map_err(|error| Failure::wrong_params(format!("the parameters are invalid: {error}")))
}
